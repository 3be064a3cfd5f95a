#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# record.sh LAB OUT - records the example session that is shipped, in a lab that is up
#
# Two runs of one plan. A writer puts messages into a pipe, six at a time, of sizes that vary; in the second run another process
# keeps the machine busy. Each block and edge of pipe_write is counted, each write is a sample, and calls of pipe_read are
# timed. A burst into a small ring, in the first run, loses samples. Look at what came of it before it is taken: a machine
# that has much else to do writes little.

set -eu

lab=${1:?usage: record.sh LAB OUT}
out=${2:?usage: record.sh LAB OUT}
root=$(cd "$(dirname "$0")/../.." && pwd)
gilk=${GILK_BUILD:-$root/build}/cli/gilk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

on_lab () { "$root/lab/lab" exec "$lab" "$@"; }

"$gilk" --target "lab:$lab" plan new pipe_write --edges -a "$work/pipe.plan" >/dev/null
"$gilk" --target "lab:$lab" plan new pipe_read --span -a "$work/pipe.plan" >/dev/null
cat >>"$work/pipe.plan" <<'PLAN'
[program writes]
code=sample(pid, size = count)
[hook writes]
function=vfs_write
anchor=entry
where=pre
program=writes
PLAN

writer='a=x; i=0; while [ $i -lt 480 ]; do for n in 1 2 3 4 5 6; do echo "$a"; a=$a$i; done; [ ${#a} -lt 3000 ] || a=x; usleep 20000; i=$((i + 1)); done | cat >/dev/null'
burst='sleep 4; dd if=/dev/zero bs=16 count=2800 2>/dev/null | dd of=/dev/null bs=16 2>/dev/null'
busy='renice 10 $$ >/dev/null; end=$(($(cut -d. -f1 /proc/uptime) + 12))
  while [ $(cut -d. -f1 /proc/uptime) -lt $end ]; do i=0; while [ $i -lt 5000 ]; do i=$((i + 1)); done; done'

record ()                               # record TITLE WORKLOAD...
{
  local title=$1 work_load
  shift
  for work_load in "$@"; do on_lab --bg -- "$work_load" >/dev/null; done
  "$gilk" --target "lab:$lab" run "$work/pipe.plan" --for 10s --ring 64K --title "$title" -o "$work/pipe.gilk"
  on_lab 'killall cat dd 2>/dev/null; sleep 1' || true
}

record 'a writer, and a burst' "$writer" "$burst"
record 'the same writer on a busy machine' "$writer" "$busy"
"$gilk" session compress "$work/pipe.gilk"
cp "$work/pipe.gilk" "$out"
"$gilk" runs "$out"
