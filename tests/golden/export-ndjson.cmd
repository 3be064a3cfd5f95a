gilk export --ndjson --run 1 s.gilk >all.ndjson
python3 -c 'import json; n = [json.loads(l) for l in open("all.ndjson")]; print(len(n), "records")'
head -n 2 all.ndjson
grep totals all.ndjson
