gilk report --colour s.gilk; echo "exit $?"
gilk --colour report s.gilk; echo "exit $?"
gilk report --json --colour s.gilk
