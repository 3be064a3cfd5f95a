gilk layout; echo "exit $?"
gilk layout vfs_read --from s.gilk --for 3s; echo "exit $?"
gilk layout vfs_read --run 2; echo "exit $?"
gilk layout vfs_read --callees 100; echo "exit $?"
gilk layout vfs_read --pairs 3; echo "exit $?"
gilk layout vfs_read --for 0; echo "exit $?"
gilk layout vfs_read --keep soon; echo "exit $?"
gilk layout --json vfs_read --interval 0s
