#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# distributions.sh [FLAVOUR...] - kernels configured as those of other distributions
#
# Hooks by BPF work on each of them; the driver works, or is refused by name (kCFI). Without a
# FLAVOUR: all of them. Each is built from Debian's source when it is first needed, half an hour on 2 idle CPUs.

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tests=$(dirname "$here")
lab=$tests/../lab/lab
flavours=("$@")
[ ${#flavours[@]} -ne 0 ] || flavours=(6.12-ubuntu backports-fedora backports-arch backports-kcfi)

by_bpf=(lab/bpf-verifier.py lab/watchpoints.py lab/user.py lab/slowest.py)
by_ilk=(lab/events.py lab/by-bpf.py lab/bpf-agent.py lab/doctor.py lab/refused.py lab/exact.py lab/clone.py lab/stacks.py
        lab/services.py driver/ilk-selftest.sh)
complaint='BUG:|WARNING:|Oops|Kernel panic|CFI failure|general protection|rcu.*stall|soft lockup|blocked for more than'
code=0
name=''
trap '[ -z "$name" ] || "$lab" stop "$name" || true' EXIT
trap 'exit 130' INT TERM

# failed WHAT
failed ()
{
  echo "not ok - $1"
  code=1
}

# run_on LAB SCRIPT: its lines with the names of both
run_on ()
{
  if ! "$tests/$2" "$1" 2>&1 | sed -uE "s,^(ok|not ok) - ,\\1 - $1: $(basename "$2"): ,"; then
    failed "$1: $(basename "$2")"
  fi
}

# judge_log LAB: what its kernel said, also in a life before
judge_log ()
{
  local said
  said=$("$lab" log "$1" 2>&1; cat "$("$lab" socket-dir "$1")/died.log" 2>/dev/null) || true
  if grep -aE "$complaint" <<<"$said"; then
    failed "$1: the kernel complained"
  else
    echo "ok - $1: the kernel did not complain"
  fi
}

for flavour in "${flavours[@]}"; do
  name=distributions-$flavour
  if ! "$lab" boot "$flavour" --name "$name"; then
    failed "$name: it does not boot"
    continue
  fi
  scripts=("${by_bpf[@]}")
  case $flavour in
    *-kcfi) scripts+=(soak/kcfi.py) ;;
    *) scripts+=("${by_ilk[@]}") ;;
  esac
  for script in "${scripts[@]}"; do
    run_on "$name" "$script"
  done
  judge_log "$name"
  "$lab" stop "$name"
done
name=''
exit $code
