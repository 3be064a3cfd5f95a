gilk reprot s.gilk; echo "exit $?"
gilk frobnicate; echo "exit $?"
gilk --json fnd pipe
