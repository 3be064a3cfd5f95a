gilk report programs.gilk --kept sizes --hook reads
gilk report programs.gilk --kept by_pid
gilk report programs.gilk --kept calls
gilk report programs.gilk --kept greatest
gilk report programs.gilk --kept bad
gilk report programs.gilk --kept depth --json
gilk report programs.gilk --kept by_file --json
gilk report programs.gilk --json | sed -n '/"programs"/,/"sizes"/p;/"hits"/p'
gilk sql programs.gilk "SELECT key, low, high, sum (value) AS n FROM kept WHERE hook = 'reads' AND name = 'depth' GROUP BY key"
gilk sql programs.gilk "SELECT hook, key, value FROM kept WHERE name = 'by_file'"
