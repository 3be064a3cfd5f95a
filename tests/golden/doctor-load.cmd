# What cannot be loaded is told behind the list, which says what is in the way.
for name in lockdown-by-command-line no-driver; do
  echo "== $name"
  machine "$name" "$PWD/$name" && GILK_FIXTURE_ROOT=$PWD/$name gilk doctor --load -q -t 'exec:gilkd-of-fixture --stdio' 2>&1 |
    sed '1,/^$/d' | grep -v '^  ok \|^gilk: Cannot load /lib\|^$'
done
