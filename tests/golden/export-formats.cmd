gilk export s.gilk --run 1 --stacks
gilk export s.gilk --run 1 --stacks --from 1s --to 2s --if 'comm == cat'
gilk export s.gilk --run 1 --stacks --weight time; echo "exit $?"
gilk export s.gilk --run 1 --stacks --weight pounds; echo "exit $?"
gilk export s.gilk --run 1 --ctf; echo "exit $?"
gilk export s.gilk --run 1 --ctf -o trace && ls trace
gilk export s.gilk --run 1 --ctf -o trace; echo "exit $?"
gilk export s.gilk --run 1 --ctf -o trace --force
gilk export s.gilk --lcov; echo "exit $?"
gilk export s.gilk --lcov --from 1s; echo "exit $?"
gilk export s.gilk --csv --sources x; echo "exit $?"
gilk export s.gilk --csv -o x.csv && gilk export s.gilk --csv -o x.csv; echo "exit $?"
gilk export s.gilk --csv -o - | head -n 2
gilk export s.gilk --run 1 --perfetto -o x && wc -c <x
gilk export s.gilk --perfetto --csv; echo "exit $?"
gilk export s.gilk --run 1 --ndjson --if 'size > 3'
