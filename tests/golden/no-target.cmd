# A command that only asks starts no machine and makes no folder; what was named last is taken, if it is there.
unset GILK_TARGET
export GILK_LAB_DIR=$PWD/labs XDG_STATE_HOME=$PWD/state
for command in 'status' 'find vfs_read' 'plan new vfs_read' 'run --hook vfs_read:entry -o r.gilk' 'selftest'; do
  gilk $command; echo "exit $?"
done
mkdir -p state/gilk
echo lab:6.12 >state/gilk/target
gilk status; echo "exit $?"
printf 'exec:touch labs\n' >state/gilk/target
gilk status; echo "exit $?"
ls
