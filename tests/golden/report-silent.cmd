# A module that takes no samples tells of no hit: unknown, and not 0.
python3 - <<'PY'
import sqlite3
db = sqlite3.connect("s.gilk")
db.execute("UPDATE hook SET instrument = 'tally' WHERE run = 2")
db.execute("UPDATE counts SET hits = 0 WHERE hook IN (SELECT id FROM hook WHERE run = 2)")
db.execute("INSERT INTO instrument (run, name, help, version, sample_bytes, takes_samples) VALUES (2, 'tally', '', 1, 0, 0)")
db.commit()
print("view:", db.execute("SELECT hits FROM hooks WHERE run = 2").fetchone())
PY
gilk report s.gilk
gilk report --json s.gilk | grep '"tally"'
gilk export --ndjson s.gilk
