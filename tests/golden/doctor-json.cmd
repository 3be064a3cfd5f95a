machine no-headers "$PWD/m" && GILK_FIXTURE_ROOT=$PWD/m gilk doctor --json -t 'exec:gilkd-of-fixture --stdio' >out; echo "exit $?"
sed -n '/"checks"/,/\]/p; /"ready"/p; /"error"/,$p' out
