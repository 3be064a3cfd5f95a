# Where the doctor knows that hooks cannot be armed nothing is tried, and the report says so.
machine no-driver "$PWD/m" && GILK_FIXTURE_ROOT=$PWD/m gilk selftest -q -t 'exec:gilkd-of-fixture --stdio' -o out.json; echo "exit $?"
sed -n '/"passed"/,/"checks"/p; /"driver"/p' out.json
grep -c 'laptop\|secret\|"hostname"' out.json
GILK_FIXTURE_ROOT=$PWD/m gilk selftest --json -t 'exec:gilkd-of-fixture --stdio' | sed -n '/"error"/,$p'
GILK_FIXTURE_ROOT=$PWD/m gilk selftest -q -t 'exec:gilkd-of-fixture --stdio' -o nowhere/out.json 2>&1 | tail -1
