gilk report --run 1 --group pid --no-pipeline s.gilk; echo "exit $?"
gilk report --run 1 --group colour s.gilk
