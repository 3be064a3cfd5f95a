gilk report programs.gilk --kept size
gilk report programs.gilk --kept by_pid --hook reads
gilk report programs.gilk --kept calls --hook opens
gilk report programs.gilk --kept calls --hook nobody
gilk report s.gilk --kept calls
gilk report --store clickhouse://127.0.0.1 --kept calls
gilk plot programs.gilk --kept by_pid --svg p.svg
gilk plot programs.gilk --kept sizes
gilk plot programs.gilk --kept sizes --field f --svg p.svg
gilk plot programs.gilk --kept sizes --rate --svg p.svg
