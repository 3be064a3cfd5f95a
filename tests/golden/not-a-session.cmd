echo "no database" >note.txt
gilk report note.txt; echo "exit $?"
gilk report --json note.txt; echo "exit $?"
sqlite3 other.db 'create table t (x)' 2>/dev/null || python3 -c 'import sqlite3; sqlite3.connect("other.db").execute("create table t (x)")'
gilk report other.db; echo "exit $?"
head -c 5000 s.gilk >cut.gilk
gilk report cut.gilk 2>&1 | sed "s/of [0-9]* bytes/of N bytes/"
