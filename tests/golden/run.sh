#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: the command line prints what its transcripts show
#
# run.sh [--update] GILK FIXTURE [NAME...] - transcripts of the command line; a NAME is a transcript or a file of them
#
# A .golden has the transcripts of one subject. A transcript is a heading line "=== NAME ===", commands, a
# line "--- output ---", and what the commands print. No transcript contains a line that looks like a
# heading, and run.sh refuses output with such a line. It runs the commands by sh in a fresh folder with the
# fixture session s.gilk in it, and, if they name them, p.gilk of tests/plot (each kind of plot),
# programs.gilk (programs and their maps), packets.gilk with packets.pcap, and vmlinux (a kernel that never boots); "machine" lays out one of the
# machines, which gilkd-of-fixture sees. All output, and the exit code, must be as in the transcript.
# --update writes the output anew: look at the difference before committing it.

set -u

here=$(cd "$(dirname "$0")" && pwd)
update=
[ "${1:-}" != --update ] || { update=1; shift; }
[ $# -ge 2 ] || { echo "usage: run.sh [--update] GILK FIXTURE [NAME...]" >&2; exit 2; }
gilk=$(realpath "$1")
fixture=$(realpath "$2")
studies=$(dirname "$fixture")/../plot/plot-studies
packets=$(dirname "$fixture")/golden-packets
programs=$(dirname "$fixture")/golden-programs
agent=$(dirname "$fixture")/gilkd-of-fixture
kernel=$(dirname "$fixture")/vmlinux
shift 2
heading='^=== [a-z0-9-]* ===$'
twice=$(sed -n "/$heading/p" "$here"/*.golden | sort | uniq -d)
[ -z "$twice" ] || { echo "run.sh: more than one transcript has the heading $twice" >&2; exit 1; }
# list_names FILE...: the transcripts in them
list_names ()
{
  sed -n "/$heading/ { s/^=== //; s/ ===\$//; p; }" "$@"
}

names=
for name; do
  case $name in
    *.golden) names="$names $(list_names "$here/$name")" ;;
    *) names="$names $name" ;;
  esac
done
[ $# -gt 0 ] || names=$(list_names "$here"/*.golden)
for file in ${GILK_TRANSCRIPTS:+"$here"/*.golden}; do
  case " $GILK_TRANSCRIPTS " in
    *" $(basename "$file" .golden) "*) ;;
    *) echo "run.sh: meson.build names no $file" >&2; exit 1 ;;
  esac
done
[ -n "$names" ] || { echo "run.sh: no transcript: $*" >&2; exit 1; }

# Nothing of the caller's may show in a transcript.
unset GILK_LAB GILK_LAB_DIR GILK_DEBUG COLUMNS LANGUAGE
export LC_ALL=C.UTF-8 TZ=UTC NO_COLOR=1 GILK_TARGET=unix:/nonexistent/gilkd.sock
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gilk-golden.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$gilk" "$scratch/bin/gilk"
ln -s "$agent" "$here/machine" "$scratch/bin"
PATH=$scratch/bin:$PATH
"$fixture" "$scratch/s.gilk" || exit 1
"$studies" "$scratch/p.gilk" || exit 1
"$programs" "$scratch/programs.gilk" || exit 1
"$packets" "$scratch/packets.gilk" "$scratch/packets.pcap" || exit 1

failed=0
for name in $names; do
  if ! file=$(grep -lxF "=== $name ===" "$here"/*.golden); then
    echo "not ok - $name: no transcript has this name"
    failed=$((failed + 1))
    continue
  fi
  mkdir "$scratch/here"
  sed -n "/^=== $name ===\$/,/$heading/ { /$heading/d; p; }" "$file" >"$scratch/transcript"
  sed '/^--- output ---$/,$d' "$scratch/transcript" >"$scratch/commands"
  sed '1,/^--- output ---$/d' "$scratch/transcript" >"$scratch/expected"
  cp "$scratch/s.gilk" "$scratch/here"
  ! grep -q 'p[.]gilk' "$scratch/commands" || cp "$scratch/p.gilk" "$scratch/here"
  ! grep -q 'programs[.]gilk' "$scratch/commands" || cp "$scratch/programs.gilk" "$scratch/here"
  ! grep -q 'vmlinux' "$scratch/commands" || cp "$kernel" "$scratch/here"
  ! grep -q 'packets[.]' "$scratch/commands" || cp "$scratch"/packets.* "$scratch/here"
  (cd "$scratch/here" && sh "$scratch/commands"; echo "exit $?") >"$scratch/out" 2>&1
  rm -rf "$scratch/here"
  if grep "$heading" "$scratch/out"; then
    echo "not ok - $name: its output has a line like a heading"
    failed=$((failed + 1))
  elif [ -n "$update" ]; then
    {
      sed "/^=== $name ===\$/q" "$file"
      cat "$scratch/commands"
      echo "--- output ---"
      cat "$scratch/out"
      sed -n "/^=== $name ===\$/,\$ p" "$file" | sed -n "2,\$ { /$heading/,\$ p; }"
    } >"$scratch/file"
    cat "$scratch/file" >"$file"
  elif diff -u --label "${file##*/}: $name" "$scratch/expected" --label output "$scratch/out" >"$scratch/diff"; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    cat "$scratch/diff"
    failed=$((failed + 1))
  fi
done
[ "$failed" = 0 ]
