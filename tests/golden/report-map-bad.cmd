gilk report programs.gilk --map size
gilk report programs.gilk --map by_pid --hook reads
gilk report programs.gilk --map calls --hook opens
gilk report programs.gilk --map calls --hook nobody
gilk report s.gilk --map calls
gilk report --store clickhouse://127.0.0.1 --map calls
gilk plot programs.gilk --map by_pid --svg p.svg
gilk plot programs.gilk --map sizes
gilk plot programs.gilk --map sizes --field f --svg p.svg
gilk plot programs.gilk --map sizes --rate --svg p.svg
