# All but JSON, CSV and numbers is in the user's language. What GLib and the C library say is left
# out: it is in German where their translations are installed.
export LANGUAGE=de
gilk --help; echo "exit $?"
gilk plan --help | sed -n '1,3d; /^[A-Z].*:$/d; p'
gilk report s.gilk --run 1
gilk runs s.gilk
gilk sessions
gilk frob; echo "exit $?"
gilk find; echo "exit $?"
gilk report nowhere.gilk; echo "exit $?"
gilk doctor 2>/dev/null | sed -n 1p
printf '[gilk-plan]\nversion=1\n[hook a]\nfunction=f\nblock=+0x0\nwhere=pre\ninstrument=count\nstart=2s\nstop=1s\n' >x.plan
gilk plan check x.plan; echo "exit $?"
gilk plot s.gilk --run 1 --kind heat --hook writer-sleeps --svg x.svg && grep -c '<svg' x.svg

# What programs read is the same in each language.
for command in 'report s.gilk --run 1' 'frob'; do
  gilk --json $command >de.json 2>&1
  LANGUAGE=en gilk --json $command >en.json 2>&1
  cmp de.json en.json && echo "same: $command"
done
for form in --csv --ndjson; do
  gilk export s.gilk --run 1 --hook writer-sleeps $form >de.out
  LANGUAGE=en gilk export s.gilk --run 1 --hook writer-sleeps $form >en.out
  cmp de.out en.out && echo "same: $form"
done

# Nor have numbers, also where a decimal point is a comma. Not each machine has the sources of locales.
localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 2>/dev/null
if [ -d de_DE.UTF-8 ]; then comma=de_DE.UTF-8; else comma=C.UTF-8; fi
for command in 'report s.gilk --run 1' '-q plot s.gilk --run 1 --rate --svg x.svg'; do
  gilk $command >point.out; [ ! -f x.svg ] || mv x.svg point.svg
  LOCPATH=$PWD LC_ALL=$comma gilk $command >comma.out
  cmp point.out comma.out && { [ ! -f x.svg ] || cmp x.svg point.svg; } && echo "same numbers: $command"
done
