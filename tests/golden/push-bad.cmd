gilk push s.gilk
gilk push s.gilk clickhouse://
gilk push s.gilk clickhouse://127.0.0.1:70000
gilk push s.gilk 'clickhouse://127.0.0.1/a;b'
gilk push s.gilk 'clickhouse://127.0.0.1?clutser=x'
gilk push clickhouse://127.0.0.1:1 clickhouse://127.0.0.1:1
gilk push s.gilk clickhouse://127.0.0.1:1 2>&1 | sed 's/after [0-9]* ms/after N ms/'
gilk push s.gilk clickhouse://someone:secret@127.0.0.1:1 --json | sed 's/after [0-9]* ms/after N ms/'
