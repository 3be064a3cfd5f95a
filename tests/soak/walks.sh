#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# walks.sh LAB [N] - the workbench's test N times (50), with a kernel and without
#
# What a walk that failed said is shown, and stays with its pictures in $OUT/NUMBER.

set -u

lab=${1:?usage: walks.sh LAB [N]}
wanted=${2:-50}
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-${GILK_BUILD:-$here/../../build}/walks}
failed=0

for ((i = 1; i <= wanted; i++)); do
  begin=$SECONDS
  mkdir -p "$out/$i"
  if (export OUT=$out/$i; "$here/../gui/run.sh" && "$here/../gui/run.sh" "$lab") >"$out/$i/said" 2>&1; then
    rm -rf "${out:?}/$i"
  else
    failed=$((failed + 1))
    grep -v '^ok' "$out/$i/said" | tail -n 20
  fi
  printf '  walk %d of %d, %d s, %d failed\n' "$i" "$wanted" $((SECONDS - begin)) "$failed"
done
[ "$failed" = 0 ] && echo "ok - $wanted walks" || echo "not ok - $failed of $wanted walks"
exit $((failed > 0))
