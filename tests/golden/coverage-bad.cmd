gilk coverage --kernel --module ext4; echo "exit $?"
gilk coverage --blocks --json; echo "exit $?"
gilk coverage pipe_write
