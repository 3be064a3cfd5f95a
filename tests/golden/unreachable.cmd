gilk find pipe; echo "exit $?"
gilk status --json; echo "exit $?"
gilk disarm -t carrier:pigeon; echo "exit $?"
gilk cfg pipe_write -t 'lab:../x'
