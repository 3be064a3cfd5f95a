gilk report --run 7 s.gilk; echo "exit $?"
gilk report --run 7 --json s.gilk
