gilk plan check nowhere.plan; echo "exit $?"
echo 'hello' >a.plan
gilk plan check a.plan; echo "exit $?"
printf '[gilk-plan]\nversion=1\n[hook a]\nfunction=pipe_write\nwhere=sideways\n' >b.plan
gilk plan check b.plan; echo "exit $?"
printf '[gilk-plan]\nversion=99\n' >c.plan
gilk plan check --json c.plan; echo "exit $?"
printf '[gilk-plan]\nversion=1\n' >d.plan
gilk run d.plan --for 1s; echo "exit $?"
printf '[gilk-plan]\nversion=2\n[hook a]\nfunction=f\nblock=+0x0\nwhere=pre\ninstrument=count\nstart=50s\n' >e.plan
gilk plan check e.plan --for 10s; echo "exit $?"
gilk run e.plan --for 10s; echo "exit $?"
printf '[gilk-plan]\nversion=2\n[hook a]\nfunction=f\nblock=+0x0\nwhere=pre\ninstrument=count\nstart=after b\nstop=+1s\n[hook b]\nfunction=f\nblock=+0x9\nwhere=pre\ninstrument=count\nstart=after a\nstop=+1s\n' >f.plan
gilk plan check f.plan; echo "exit $?"
sed -i 's/^start=after a$/start=0s/; $d' f.plan
gilk plan check f.plan; echo "exit $?"
sed -i 's/after b/after c/' f.plan
gilk plan check f.plan; echo "exit $?"

# What is not there: a name that is like it, a folder that is not there either, one that is a file, a folder.
printf '[gilk-plan]\nversion=2\n' >slowest.plan
for file in slowst.plan nowhere/slowest.plan a.plan/x.plan .; do
  gilk plan check "$file"; echo "exit $?"
  gilk report "$file"; echo "exit $?"
done

gilk plan frob x
