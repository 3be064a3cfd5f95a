gilk export --ndjson --run 1 s.gilk | head -n 1
