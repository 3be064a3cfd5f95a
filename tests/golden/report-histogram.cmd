gilk report s.gilk -r 1 --histogram --bins 4 --hook writer-sleeps
gilk report s.gilk -r 1 --histogram --bins 3 --log-x --hook writer-sleeps --field pid --json | sed -n '/histograms/,$p'
gilk report s.gilk --histogram --bins 20000
gilk report --store clickhouse:// --quantiles
gilk report --store clickhouse://127.0.0.1 --ecdf
gilk report --store clickhouse://127.0.0.1 --edges
