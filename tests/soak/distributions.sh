#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# distributions.sh [FLAVOUR...] - kernels configured as those of other distributions
#
# Hooks by BPF work on each of them; the driver works, or is refused by name (kCFI). Without a
# FLAVOUR: all of them. Each is built from Debian's source when it is first needed, 10 to 20 minutes on 2 idle CPUs.

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tests=$(dirname "$here")
lab=$tests/../lab/lab
flavours=("$@")
[ ${#flavours[@]} -ne 0 ] || flavours=(6.12-ubuntu backports-fedora backports-arch backports-kcfi)

by_bpf=(lab/bpf-verifier.py lab/events.py lab/watchpoints.py lab/user.py lab/slowest.py)
by_ilk=(lab/by-bpf.py lab/bpf-agent.py lab/doctor.py lab/refused.py lab/exact.py lab/clone.py lab/stacks.py lab/services.py driver/ilk-selftest.sh)
code=0

# run_on LAB SCRIPT: its lines with the names of both
run_on ()
{
  "$tests/$2" "$1" 2>&1 | sed -E "s,^(ok|not ok) - ,\\1 - $1: $(basename "$2"): ," || true
  [ "${PIPESTATUS[0]}" = 0 ] || code=1
}

for flavour in "${flavours[@]}"; do
  name=distributions-$flavour
  "$lab" boot "$flavour" --name "$name"
  scripts=("${by_bpf[@]}")
  case $flavour in
    *-kcfi) scripts+=(soak/kcfi.py) ;;
    *) scripts+=("${by_ilk[@]}") ;;
  esac
  for script in "${scripts[@]}"; do
    run_on "$name" "$script"
  done
  if "$lab" log "$name" | grep -aE 'BUG:|WARNING:|Oops|CFI failure|general protection|rcu.*stall|soft lockup'; then
    echo "not ok - $name: the kernel complained"
    code=1
  else
    echo "ok - $name: the kernel did not complain"
  fi
  "$lab" stop "$name"
done
exit $code
