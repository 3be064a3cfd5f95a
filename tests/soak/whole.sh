#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# whole.sh [--rounds N] [--busy N] - all of ./check, N times (5), each in a fresh clone of this tree's commit
#
# With --busy N loops take the processors meanwhile, for which no test may fail. Each round tells how many passed and failed,
# and how long it took; the output of one that failed stays in whole/ of the build.

set -euo pipefail

usage ()
{
  echo 'usage: whole.sh [--rounds N] [--busy N]' >&2
  exit 2
}

rounds=5 busy=0 root=$(cd "$(dirname "$0")/../.." && pwd)
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=${2:?'--rounds wants a number'} && shift 2 ;;
    --busy) busy=${2:?'--busy wants a number'} && shift 2 ;;
    *) usage ;;
  esac
done
case $rounds$busy in *[!0-9]*) usage ;; esac

kept=${GILK_BUILD:-$root/build}/whole
work=$(mktemp -d "${TMPDIR:-/var/tmp}/gilk-whole.XXXXXX")
mkdir -p "$kept"
loops=()
cleanup ()
{
  [ ${#loops[@]} -eq 0 ] || kill "${loops[@]}" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
for ((i = 0; i < busy; i++)); do
  (while :; do :; done) &
  loops+=($!)
done

commit=$(git -C "$root" rev-parse --short HEAD)
code=0
for ((round = 1; round <= rounds; round++)); do
  git clone -q "$root" "$work/clone"
  begin=$SECONDS
  if (cd "$work/clone" && exec ./check) >"$work/output" 2>&1; then word=ok; else word='not ok' code=1; fi
  echo "$word - $commit, round $round beside $busy loops: $(tail -n 1 "$work/output"), $((SECONDS - begin)) s"
  [ "$word" = ok ] || cp "$work/output" "$kept/$commit-$round-$busy.log"
  rm -rf "$work/clone"
done
exit $code
