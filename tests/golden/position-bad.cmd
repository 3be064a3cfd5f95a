gilk position; echo "exit $?"
gilk position vfs_read --from s.gilk --for 3s; echo "exit $?"
gilk position vfs_read --run 2; echo "exit $?"
gilk position vfs_read --callees 100; echo "exit $?"
gilk position vfs_read --pairs 3; echo "exit $?"
gilk position vfs_read --for 0; echo "exit $?"
gilk position vfs_read --keep soon; echo "exit $?"
gilk position --json vfs_read --block 0s
