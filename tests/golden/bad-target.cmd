gilk doctor --text-sum; echo "exit $?"
gilk instruments --json; echo "exit $?"
echo 'GILK_TARGET is used:'
GILK_TARGET=unix:/nonexistent/other.sock gilk scan; echo "exit $?"
GILK_TARGET=unix:/nonexistent/other.sock gilk scan -t unix:/nonexistent/mine.sock
