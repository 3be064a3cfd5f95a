gilk survey --kernel --module ext4; echo "exit $?"
gilk survey --blocks --json; echo "exit $?"
gilk survey pipe_write
