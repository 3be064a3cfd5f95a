gilk export --csv --run 1 --hook reader-sleeps s.gilk | head -n 4
gilk export --csv --run 1 s.gilk | tail -n 2
gilk export --csv s.gilk
