#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# walks.sh LAB [--rounds N] [--acts] [--busy N] [--sanitize] - the workbench's test N times (50), with a kernel and without
#
# With --acts a round is the three acts alone, by pointer, by keys and as a screen reader does them; with --busy N loops take the
# processors beside it. With --sanitize the workbench is that of the build with sanitizers, which ./check leaves beside the
# other one: what it reports is its end's code, and the case is not ok.
# What a walk that failed said is shown, and stays with its pictures in $OUT/NUMBER.

set -u

usage ()
{
  echo 'usage: walks.sh LAB [--rounds N] [--acts] [--busy N] [--sanitize]' >&2
  exit 2
}

lab=${1-} wanted=50 acts='' busy=0 here=$(cd "$(dirname "$0")" && pwd)
build=${GILK_BUILD:-$here/../../build}
out=${OUT:-$build/walks}
[ -n "$lab" ] || usage
shift
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) wanted=${2:?'--rounds wants a number'} && shift 2 ;;
    --busy) busy=${2:?'--busy wants a number'} && shift 2 ;;
    --acts) acts=1 && shift ;;
    --sanitize)
      export GILK_WORKBENCH=$build-sanitize/gui/gilk-workbench
      [ -x "$GILK_WORKBENCH" ] || { echo "There is no $GILK_WORKBENCH. Run ./check sanitize, which builds it." >&2; exit 2; }
      export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
      export LSAN_OPTIONS=suppressions=$here/../leaks.supp:print_suppressions=0
      export GILK_HEALTH_BAR=${GILK_HEALTH_BAR:-2000}           # it is several times as slow
      shift ;;
    *) usage ;;
  esac
done

loops=()
trap '[ ${#loops[@]} = 0 ] || kill "${loops[@]}"' EXIT
for ((i = 0; i < busy; i++)); do
  (while :; do :; done) &
  loops+=($!)
done

# walk FOLDER
walk ()
{
  export OUT=$1
  if [ -n "$acts" ]; then
    GILK_DRIVE=cases.py "$here/../gui/run.sh" "$lab"
  else
    "$here/../gui/run.sh" && "$here/../gui/run.sh" "$lab"
  fi
}

failed=0
for ((i = 1; i <= wanted; i++)); do
  begin=$SECONDS
  mkdir -p "$out/$i"
  if (walk "$out/$i") >"$out/$i/said" 2>&1; then
    rm -rf "${out:?}/$i"
  else
    failed=$((failed + 1))
    grep -v '^ok' "$out/$i/said" | tail -n 40
  fi
  printf '  walk %d of %d, %d s, %d failed\n' "$i" "$wanted" $((SECONDS - begin)) "$failed"
done
[ "$failed" = 0 ] && echo "ok - $wanted walks" || echo "not ok - $failed of $wanted walks"
exit $((failed > 0))
