#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: the command line prints what its transcripts show
#
# run.sh [--update] GILK FIXTURE [NAME...] - transcripts of the command line
#
# Each NAME.cmd is run by sh in a fresh folder with the fixture session s.gilk in it, and, if it
# names them, p.gilk of tests/plot, something of each kind of plot, programs.gilk of programs and what they
# kept, and packets.gilk with packets.pcap; "machine" lays out one of machines/, which gilkd-of-fixture sees; all it prints, and its exit code, must be NAME.exp. --update writes them anew: look
# at the difference before committing it.

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
shift 2
[ $# -gt 0 ] || set -- "$here"/*.cmd

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
for name in "$@"; do
  name=$(basename "$name" .cmd)
  mkdir "$scratch/here"
  cp "$scratch/s.gilk" "$scratch/here"
  ! grep -q 'p[.]gilk' "$here/$name.cmd" || cp "$scratch/p.gilk" "$scratch/here"
  ! grep -q 'programs[.]gilk' "$here/$name.cmd" || cp "$scratch/programs.gilk" "$scratch/here"
  ! grep -q 'packets[.]' "$here/$name.cmd" || cp "$scratch"/packets.* "$scratch/here"
  (cd "$scratch/here" && sh "$here/$name.cmd"; echo "exit $?") >"$scratch/out" 2>&1
  rm -rf "$scratch/here"
  if [ -n "$update" ]; then
    cp "$scratch/out" "$here/$name.exp"
  elif diff -u "$here/$name.exp" "$scratch/out" >"$scratch/diff"; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    cat "$scratch/diff"
    failed=$((failed + 1))
  fi
done
[ "$failed" = 0 ]
