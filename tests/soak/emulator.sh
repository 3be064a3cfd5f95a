#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# emulator.sh LAB [ROUNDS] - does the emulator survive a kernel that patches itself?
#
# No driver and no hook of ours: a trace event by kprobe is switched on and off while
# its function is called. Under QEMU before 8.1 the kernel dies of it (lab/emulator.sh).

set -u

name=${1:?usage: emulator.sh LAB [ROUNDS]}
rounds=${2:-1500}
lab=$(cd "$(dirname "$0")" && pwd)/../../lab/lab

"$lab" exec "$name" -t 1800 "
  cd /sys/kernel/tracing
  [ -e kprobe_events ] || mount -t tracefs none /sys/kernel/tracing && cd /sys/kernel/tracing
  echo 'p:alone/here __x64_sys_umask' >kprobe_events || exit 1
  (while :; do umask 22; done) &
  i=0
  while [ \$i -lt $rounds ]; do
    echo 1 >events/alone/here/enable
    echo 0 >events/alone/here/enable
    i=\$((i + 1))
  done
  kill \$!
  echo >kprobe_events" &&
  echo "ok - $rounds times on and off" || { echo 'not ok - the kernel did not live through it'; exit 1; }
