gilk report --json --run 1 s.gilk >r.json
code=$?
python3 -m json.tool r.json >/dev/null || echo "no JSON"
cat r.json
exit $code
