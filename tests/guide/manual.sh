#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# manual.sh GILK FOLDER [PROGRAM...] - gilk.1 has every command with all its options, the page of each
# other program its options, and pages have no faults
#
# An option counts as there only in the part of its own command (or that of all commands), so
# that one is not hidden by another's of the same name.

set -u

gilk=$1
folder=$2
shift 2
export LC_ALL=C.UTF-8
failed=0

miss ()
{
  echo "not ok - $1"
  failed=1
}

# What gilk.1 says of command $1: all its entries, up to the next command's.
part_of ()
{
  awk -v command="$1" '
    /^\.SS|^\.SH/ { inside = 0 }
    /^\.TP/       { fresh = 1; next }
    fresh         { fresh = 0; if ($0 ~ /^\.B [a-z]/) inside = ($2 == command); }
    inside' "$folder/gilk.1" | sed 's/\\-/-/g'
}

shared=$(awk '/^\.SH OPTIONS|^\.SS Pictures/ { on = 1; next } /^\.SH|^\.SS/ { on = 0 } on' "$folder/gilk.1" | sed 's/\\-/-/g')
commands=$("$gilk" --help | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p')
[ -n "$commands" ] || { echo "not ok - the help lists no commands"; exit 1; }
for command in $commands; do
  part=$(part_of "$command")
  [ -n "$part" ] || miss "gilk.1 does not tell of \"$command\""
  for option in $("$gilk" "$command" --help | sed -n 's/^  *\(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
    printf '%s\n%s\n' "$part" "$shared" | grep -qE -- "--$option([^a-z-]|\$)" ||
      miss "gilk.1 does not tell of --$option of $command"
  done
done

for program in "$@"; do
  name=$(basename "$program")
  for option in $("$program" --help | grep -oE -- '--[a-z-]+' | grep -v '^--help-' | sort -u); do
    sed 's/\\-/-/g' "$folder/$name".[1-8] | grep -qE -- "$option([^a-z-]|\$)" ||
      miss "the manual page of $name does not tell of $option"
  done
done

# Each other's pages exist.
for page in "$folder"/*.[1-8]; do
  for other in $(sed -n '/^\.SH SEE ALSO/,$s/^\.BR \([a-z\\-]*\) (\([1-8]\)).*/\1.\2/p' "$page" | sed 's/\\-/-/g'); do
    [ -f "$folder/$other" ] || case $other in
      gilk*|ilk*) miss "$(basename "$page") points to $other, which is not there" ;;
    esac
  done
  # Dates are left out so that builds are alike.
  if command -v mandoc >/dev/null; then
    faults=$(mandoc -T lint -W warning "$page" | grep -vE 'missing date')
    [ -z "$faults" ] || miss "mandoc: $faults"
  fi
done

[ "$failed" = 0 ] && echo "ok - manual"
exit "$failed"
