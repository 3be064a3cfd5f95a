gilk run --hook pipe_write+zz:pre:count --for 1s; echo "exit $?"
gilk run --hook pipe_write+0x10:pre:count:magic --for 1s; echo "exit $?"
gilk run --hook +0x10:pre --for 1s; echo "exit $?"
gilk run; echo "exit $?"
