gilk run --hook pipe_write+0x10:pre:count --for soon; echo "exit $?"
gilk run --hook pipe_write+0x10:pre:count --for=-3s; echo "exit $?"
gilk run --json --hook pipe_write+0x10:pre:count --for 10
gilk run --hook pipe_write+0x10:pre:count --for 0s; echo "exit $?"
gilk run --hook pipe_write+0x10:pre:count --for 0; echo "exit $?"
gilk coverage pipe_write --for 0ms
