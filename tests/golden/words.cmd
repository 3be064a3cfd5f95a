gilk report; echo "exit $?"
gilk report s.gilk again; echo "exit $?"
gilk find --limit=-3 x
