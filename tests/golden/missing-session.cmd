gilk report nowhere.gilk; echo "exit $?"
gilk runs .; echo "exit $?"
gilk export --csv --json nowhere.gilk -o x.csv
