gilk schema | head -n 4
gilk schema | sqlite3 new.db 2>/dev/null || gilk schema | python3 -c 'import sqlite3,sys; sqlite3.connect("new.db").executescript(sys.stdin.read())'
gilk runs new.db
