#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-tree.sh - what can be said about the tree without building it
#
# One "ok" or "not ok" line for each check; what a checker says follows indented.

set -u

cd "$(dirname "$0")/.." || exit 1
failed=0

check ()
{
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "ok - $name"
  else
    echo "not ok - $name"
    printf '%s\n' "$output" | head -n 20 | sed 's/^/    /'
    failed=1
  fi
}

# "not ok" lines of a checker would be counted as results of their own.
includes ()
{
  tests/check-includes.sh . | sed 's/^not ok - //; s/^ok - //'
  return "${PIPESTATUS[0]}"
}

words ()
{
  tests/check-words.py | sed 's/^not ok - //; s/^ok - //'
  return "${PIPESTATUS[0]}"
}

promises ()
{
  tests/check-promises.py | sed 's/^not ok - //; s/^ok - //'
  return "${PIPESTATUS[0]}"
}

# Programs only: what they source is checked with them.
shell_programs ()
{
  git ls-files -z | xargs -0 awk 'FNR == 1 && /^#!\/bin\/(ba)?sh/ { print FILENAME }'
}

shell_scripts ()
{
  shell_programs | xargs shellcheck --severity=warning --external-sources --source-path=.
}

# Every source file says its licence in its first lines.
licences ()
{
  local file missing=0
  while read -r file; do
    head -n 5 "$file" | grep -q 'SPDX-License-Identifier' || { echo "$file names no licence"; missing=1; }
  done < <({ git ls-files '*.[chS]' '*.sh' '*.py' '*.ui' '*.css' '*.sql' '*meson.build'; shell_programs; } | sort -u)
  return $missing
}

manuals ()
{
  local page warnings
  for page in data/man/*.[1-8]; do
    warnings=$(man --warnings -l "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || { echo "$page: $warnings"; return 1; }
  done
}

# The sentences of README and the other texts name files that exist.
texts ()
{
  local text path missing=0
  for text in *.md doc/*.md tests/soak/README.md; do
    while read -r path; do
      [ -e "${path%/}" ] || { echo "$text names $path, which does not exist"; missing=1; }
    done < <(grep -oE '`(agent|cli|core|data|debian|doc|gui|ilk|instruments|lab|po|tests)/[A-Za-z0-9_./-]*`' "$text" | tr -d '`' | sort -u)
  done
  return $missing
}

# Each public header of core says which threads may call what it declares.
contracts ()
{
  local header missing=0
  for header in core/*/*.h; do
    case $header in *-private.h) continue ;; esac
    grep -qE '^ \* Threads: ' "$header" || { echo "$header does not say which threads may call it"; missing=1; }
  done
  return $missing
}

# The library returns, the program exits.
silent_library ()
{
  ! grep -nE '(^|[^_a-z])(g_print|g_printerr|printf|puts|putchar|exit|_exit) \(|<gtk/' core/*/*.[ch] |
    grep -v "printf ('"                    # SQL's
}

# It takes any errno for an error, what a lock of another thread left, too: core/base/gilk-strings.h.
numbers ()
{
  ! grep -nE 'g_ascii_string_to_(un)?signed \(' core/*/*.c cli/*.c gui/*.c
}

# What the driver never clones the planner refuses beforehand, by name.
never_cloned ()
{
  local name missing=0
  while read -r name; do
    grep -q "\"$name\"" core/splice/gilk-clone.c core/emit/gilk-reloc.c ||
      { echo "ilk/ilk-denied-rules.h never clones $name, the planner would"; missing=1; }
  done < <(grep -o '{ "[a-z_0-9]*", NO_CLONE }' ilk/ilk-denied-rules.h | cut -d'"' -f2 | sort -u)
  return $missing
}

# The kernel's own may be empty, or leave who waits in D state: ilk/ilk-visit.c.
own_grace_periods ()
{
  ! grep -nE 'synchronize_rcu_tasks[a-z_]*\(\);|work_on_cpu[a-z_]*\(' ilk/*.c instruments/*.c
}

# A name that is nowhere is found when its line is run, which may be late.
python_names ()
{
  { git ls-files '*.py'; git grep -lE '^#!.*python3' -- . ':!*.py'; } | sort -u | xargs /usr/bin/python3 -m pyflakes
}

# The packages' version is the program's.
versions ()
{
  local program packages
  program=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build | head -n 1)
  packages=$(sed -n '1s/.*(\([^-)+~]*\).*/\1/p' debian/changelog)
  [ "$program" = "$packages" ] || { echo "meson.build says $program, debian/changelog $packages"; return 1; }
}

# DKMS is told the names of the modules that kbuild makes.
dkms_modules ()
{
  local instruments driver
  instruments=$(sed -n 's/^obj-m := //p' instruments/Kbuild | tr ' ' '\n' | sed 's/\.o$//' | sort)
  [ "$instruments" = "$(sed -n 's/^BUILT_MODULE_NAME.*"\(.*\)"/\1/p' debian/gilk-instruments-dkms.dkms | sort)" ] ||
    { echo 'debian/gilk-instruments-dkms.dkms and instruments/Kbuild name other instruments'; return 1; }
  driver=$(sed -n 's/^obj-m +\{0,1\}:\{0,1\}= //p' ilk/Kbuild | tr ' ' '\n' | sed 's/\.o$//' | sort)
  [ "$driver" = "$(sed -n 's/^BUILT_MODULE_NAME.*"\(.*\)"/\1/p' debian/ilk-dkms.dkms | sort)" ] ||
    { echo 'debian/ilk-dkms.dkms and ilk/Kbuild name other modules'; return 1; }
}

# Help is printed, and unknown words are refused, before anything is installed or built.
entries ()
{
  local stubs words program entry bad=0
  stubs=$(mktemp -d)
  for program in apt-get sudo meson ninja make; do
    printf '#!/bin/sh\ntouch %s/called\nexit 1\n' "$stubs" >"$stubs/$program"
    chmod +x "$stubs/$program"
  done
  for entry in .ci/run ./check ./run; do
    PATH=$stubs:$PATH "$entry" --help | grep -q '^  .*--' || { echo "$entry --help shows no options"; bad=1; }
    for words in --no-such-option no-such-word; do
      ! PATH=$stubs:$PATH "$entry" $words >"$stubs/said" 2>&1 || { echo "$entry takes $words"; bad=1; }
      grep -q -e "$words" "$stubs/said" || { echo "$entry does not name $words: $(cat "$stubs/said")"; bad=1; }
    done
  done
  [ ! -e "$stubs/called" ] || { echo 'something was to be installed or built'; bad=1; }
  rm -rf "$stubs"
  return $bad
}

check 'include arrows' includes
check 'plain English' words
check 'rules have tests' promises
check 'shell scripts' shell_scripts
check 'entries refuse first' entries
check 'Python names' python_names
check 'licences' licences
check 'manual pages' manuals
check 'texts name real files' texts
check 'contracts of core' contracts
check 'core neither prints nor exits' silent_library
check 'numbers are read by core/base/gilk-strings.h' numbers
check 'never cloned' never_cloned
check 'grace periods are our own' own_grace_periods
check 'versions agree' versions
check 'DKMS knows all modules' dkms_modules
check 'desktop file' desktop-file-validate data/org.gilk.Workbench.desktop
check 'metainfo' appstreamcli validate --no-net data/org.gilk.Workbench.metainfo.xml
check 'XML files' xmllint --noout --nonet data/*.xml data/org.gilk.policy data/help/C/*.page
check 'messages name what there is' tests/check-messages.py
check 'translations' tests/po/check.py
check 'bash completion' bash -n data/completions/gilk.bash
if [ -f data/schema/meson.build ] || ls data/*.gschema.xml >/dev/null 2>&1; then
  check 'settings schema' glib-compile-schemas --strict --dry-run \
    "$(dirname "$(git ls-files 'data/*.gschema.xml' | head -n 1)")"
fi
exit $failed
