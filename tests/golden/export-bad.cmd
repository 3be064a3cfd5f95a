gilk export s.gilk; echo "exit $?"
gilk export --csv --json s.gilk; echo "exit $?"
gilk export --csv --run 1 --hook nobody s.gilk; echo "exit $?"
gilk export --csv -o nowhere/x.csv s.gilk; echo "exit $?"
gilk export --csv --run 1 --hook layte p.gilk
