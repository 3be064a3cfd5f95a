#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bringup.sh LAB [MINUTES] - does a bare kernel live through CPUs that come up while it patches their way?
#
# No driver and no hook of ours. A CPU that comes up writes MSRs before it has an IDT and before it is among those
# that the kernel synchronises behind a write of text. With the trace event of MSRs on it goes through
# do_trace_write_msr() then, which the function tracer may be patching: it holds no CPUs for that, unlike static keys.
# Such a kernel is reset by a triple fault, or dies of "Oops: int3". Storms leave that function to itself (README.md).

set -u

name=${1:?usage: bringup.sh LAB [MINUTES]}
end=$((SECONDS + 60 * ${2:-5}))
lab=$(cd "$(dirname "$0")" && pwd)/../../lab/lab

"$lab" exec "$name" --bg '
  cd /sys/kernel/tracing
  [ -e set_ftrace_filter ] || mount -t tracefs none /sys/kernel/tracing && cd /sys/kernel/tracing
  echo 1 >events/msr/write_msr/enable
  echo do_trace_write_msr >set_ftrace_filter
  (while :; do echo function >current_tracer; echo nop >current_tracer; done) &
  cd /sys/devices/system/cpu/cpu1
  while :; do echo 0 >online; echo 1 >online; done' >/dev/null || exit 1
log=$("$lab" socket-dir "$name")
while [ $SECONDS -lt $end ]; do
  sleep 1
  if grep -aq 'Triple fault' "$log/resets.log"; then
    echo 'ok - the kernel did not live through it: a triple fault'
    exit 0
  elif grep -aq 'do_trace_write_msr+0x' "$log/console.log"; then
    echo "ok - the kernel did not live through it: $(grep -am 1 'Oops' "$log/console.log" | sed 's/^\[[^]]*\] //')"
    exit 0
  fi
done
echo 'not ok - the kernel lived through it: storms need not leave do_trace_write_msr out'
exit 1
