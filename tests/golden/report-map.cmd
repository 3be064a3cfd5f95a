gilk report programs.gilk --map sizes --hook reads
gilk report programs.gilk --map by_pid
gilk report programs.gilk --map calls
gilk report programs.gilk --map greatest
gilk report programs.gilk --map bad
gilk report programs.gilk --map depth --json
gilk report programs.gilk --map by_file --json
gilk report programs.gilk --json | sed -n '/"programs"/,/"sizes"/p;/"hits"/p'
gilk sql programs.gilk "SELECT key, low, high, sum (value) AS n FROM maps WHERE hook = 'reads' AND name = 'depth' GROUP BY key"
gilk sql programs.gilk "SELECT hook, key, value FROM maps WHERE name = 'by_file'"
