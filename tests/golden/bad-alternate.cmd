# Runs that alternate: two commands, an end, a number of runs, one target.
gilk run --hook pipe_write+0x10:pre --for 1s --alternate true
echo "exit $?"
gilk run --hook pipe_write+0x10:pre --alternate true --alternate false
echo "exit $?"
gilk run --hook pipe_write+0x10:pre --for 1s --rounds 3
echo "exit $?"
gilk run --hook pipe_write+0x10:pre --for 1s --alternate true --alternate false --rounds 1001
echo "exit $?"
gilk run --hook pipe_write+0x10:pre --for 1s --alternate true --alternate false --target lab:6.1 --target lab:6.12
echo "exit $?"
ls
