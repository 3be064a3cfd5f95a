#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# matrix.sh [--storms MINUTES] [--logs FOLDER] [FLAVOUR...] - all tests on live kernels, on every kernel promised
#
# Each flavour gets all of ./check's tests and benchmarks that need a kernel (it alone, so none take
# turns), then a storm, of 10 minutes unless MINUTES says otherwise; 0: none. Without a FLAVOUR: those that
# Debian ships and offers headers for, the cloud, rt and debug ones of the newest with a storm alone. A table of
# what came of it is printed last, and is FOLDER/table with what the tests said beside it. Takes half an
# hour for each flavour, and more for storms.

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
minutes=10
logs=''
flavours=()
while [ $# -gt 0 ]; do
  case $1 in
    --storms) minutes=${2:?"--storms wants minutes"} && shift 2 ;;
    --logs) logs=${2:?"--logs wants a folder"} && shift 2 ;;
    -h | --help) sed -n '4,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "matrix: there is no option $1. See: tests/soak/matrix.sh --help" >&2; exit 2 ;;
    *) flavours+=("$1") && shift ;;
  esac
done
[ ${#flavours[@]} -ne 0 ] || flavours=(6.1 6.12 debian13 forky sid backports backports-cloud backports-rt backports-debug)

work=$logs
if [ -z "$work" ]; then
  work=$(mktemp -d "${TMPDIR:-/tmp}/gilk-matrix.XXXXXX")
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
rm -f "$work/table"
trap 'exit 130' INT TERM
code=0

# tests_on FLAVOUR: prints "N passed, N failed, N skipped"
tests_on ()
{
  GILK_FLAVOURS=$1 "$root/check" lab bench >"$work/$1.log" 2>&1 || code=1
  grep '^not ok' "$work/$1.log" >&2 || true
  tail -n 1 "$work/$1.log"
}

# storm_on FLAVOUR SEED: prints what became of it
storm_on ()
{
  local nmi=200 with=()
  # A kernel with checkers is some times slower and larger.
  case $1 in *-debug) nmi=30 with=(env GILK_LAB_MEMORY=2048) ;; esac
  if "${with[@]}" "$here/run" storm "$1" --minutes "$minutes" --nmi "$nmi" --seed "$2" >"$work/$1.storm" 2>&1; then
    echo 'clean'
  else
    code=1
    grep '^not ok' "$work/$1.storm" >&2 || tail -n 5 "$work/$1.storm" >&2
    echo 'not clean'
  fi
}

seed=$((SRANDOM % 1000000))
declare -A seen=()
for flavour in "${flavours[@]}"; do
  release=$("$root/lab/lab" fetch "$flavour")
  echo "# $flavour: $release" >&2
  if [ -n "${seen[$release]:-}" ]; then
    printf '%-16s %-30s %s\n' "$flavour" "$release" "as ${seen[$release]}" >>"$work/table"
    continue
  fi
  seen[$release]=$flavour
  passed='' storm=''
  case $flavour in
    backports-*) ;;
    *) tests_on "$flavour" >"$work/result" && passed=$(cat "$work/result") ;;
  esac
  if [ "$minutes" != 0 ]; then
    storm_on "$flavour" "$seed" >"$work/result"
    storm="$(cat "$work/result") (seed $seed)"
  fi
  printf '%-16s %-30s %-40s %s\n' "$flavour" "$release" "${passed:--}" "${storm:--}" >>"$work/table"
done
printf '%-16s %-30s %-40s %s\n' FLAVOUR KERNEL TESTS STORM
cat "$work/table"
exit $code
