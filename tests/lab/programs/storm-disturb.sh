#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storm-disturb.sh - runs inside a lab: others that patch the kernel's text
#
#   storm-disturb.sh start POINTS TIMES SEED KIND...
#                                   those KINDs in the background; POINTS is a file of
#                                   FUNCTION+OFFSET, where kprobes are put; on a kernel
#                                   that is TIMES slower than a stock one
#   storm-disturb.sh kinds          all there are
#   storm-disturb.sh stop           ends them, everything as it was
#   storm-disturb.sh KIND           one of them, until /tmp/storm.stop exists; how often
#                                   it got its way is in /tmp/storm.done.KIND
#
# Each works only through the kernel's own doors and puts back what it changed. What
# the kernel refuses, because we were first, is not counted.

T=/sys/kernel/tracing
M=/lib/modules/$(uname -r)/extra
CPU=/sys/devices/system/cpu/cpu1/online
KINDS='modules hotplug tracer kprobes keys livepatch events kprobe-events perf'

going ()
{
  [ ! -e /tmp/storm.stop ]
}

# hushed: probes of others are to leave; who takes the lock of trace events waits, or that
# takes minutes.
hushed ()
{
  case $kind in tracer | events | keys | kprobes) [ -e /tmp/storm.hush ] ;; *) false ;; esac
}

# turn COMMAND...: counts the turn if it went well.
turn ()
{
  "$@" 2>/dev/null && turns=$((turns + 1))
}

put ()                                  # put FILE WORD
{
  echo "$2" >"$1"
}

modules ()
{
  insmod $M/gilk_bench.ko && usleep 100000 && rmmod gilk_bench
}

# take_cpu: waits until the second CPU is one's own to switch off and on.
take_cpu ()
{
  until mkdir /tmp/storm.cpu; do
    usleep 100000
  done
}

hotplug ()
{
  take_cpu
  put $CPU 0 && usleep 400000
  put $CPU 1
  result=$?
  rmdir /tmp/storm.cpu
  usleep 800000
  return $result
}

# Some hundred functions at a time: for all of them an emulated kernel holds its text
# for minutes, and nobody else has a turn. The one that a CPU without an IDT goes through is
# left out: a kernel by itself dies of it (tests/soak/bringup.sh).
tracer ()
{
  case $((turns % 4)) in
    0) put $T/set_ftrace_filter 'vfs_*' && put $T/current_tracer function ;;
    1) put $T/set_ftrace_filter '*pipe*' && put $T/current_tracer function_graph ;;
    2) put $T/set_ftrace_filter '__x64_sys_*' && put $T/current_tracer function ;;
    3) put $T/set_ftrace_filter 'do_*' &&
         { echo '!do_trace_write_msr' >>$T/set_ftrace_filter; put $T/current_tracer function; } ;;
  esac
  usleep 300000
  put $T/current_tracer nop
  put $T/set_ftrace_filter ''
  put $T/trace ''
}

# One probe in the middle, one at an entry, one at a return; optimised a while later.
kprobes ()
{
  read -r point <&9 || { exec 9<"$points"; read -r point <&9; }
  put $T/kprobe_events "p:storm/middle $point" || return 1
  echo "p:storm/entry ${point%+*}" >>$T/kprobe_events
  echo "r:storm/return ${point%+*}" >>$T/kprobe_events
  put $T/events/storm/enable 1
  usleep 300000
  put $T/events/storm/enable 0
  put $T/kprobe_events ''
}

keys ()
{
  for value in 1 0; do
    put /proc/sys/kernel/sched_schedstats $value
    put /proc/sys/kernel/bpf_stats_enabled $value
    put $T/events/sched/enable $value
    put $T/events/kmem/enable $value
    put $T/events/raw_syscalls/enable $value
    usleep 150000
  done
}

# All trace events, or those of one subsystem after the other.
events ()
{
  if [ $((turns % 3)) -eq 0 ]; then
    system=.
  else
    set -- "$T"/events/*/
    shift $((turns * 7 % $#))
    system=$(basename "$1")
  fi
  put "$T/events/$system/enable" 1
  # 6.1 warns of it when anything is printed in an NMI.
  put $T/events/printk/enable 0
  usleep 200000
  put "$T/events/$system/enable" 0
  put $T/trace ''
}

# clock TENTHS: sets end, so far from now; before_end tells if it is still to come. Both
# start no process, which takes long on some kernels.
look_at_clock ()
{
  read -r now _ </proc/uptime
  now=${now%.*}${now#*.}
}

clock ()
{
  look_at_clock
  end=$((now + $1 * 10))
}

before_end ()
{
  look_at_clock
  [ "$now" -lt $end ]
}

pause ()                                # pause TENTHS
{
  clock "$1"
  while going && before_end; do
    usleep 100000
  done
}

# The kernel switches task by task, by their stack traces; it takes what it takes.
transition_over ()
{
  clock $((6000 * times))
  while [ "$(cat /sys/kernel/livepatch/gilk_livepatch/transition 2>/dev/null)" = 1 ]; do
    before_end || { echo 'storm: a livepatch transition hangs' >/dev/kmsg; return 1; }
    usleep 100000
  done
}

switch_over ()
{
  # Refused while tasks are in clones, which it has disarmed.
  tries=0
  until insmod $M/gilk_livepatch.ko; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || return 1
  done
  transition_over
  put /sys/kernel/livepatch/gilk_livepatch/enabled 0
  transition_over
  tries=0
  until rmmod gilk_livepatch; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || return 1
    usleep 100000
  done
}

# A stock 6.12 patches 1,300 call sites of its scheduler for it, one by one, and nobody
# else has a turn: minutes, if emulated CPUs wait for each other at each. So it has one.
livepatch ()
{
  grep -qw klp_cond_resched /proc/kallsyms || { switch_over; return; }
  take_cpu
  put $CPU 0
  switch_over
  result=$?
  put $CPU 1
  rmdir /tmp/storm.cpu
  return $result
}

# How often the kind got its way, for all to read.
tell ()
{
  echo "$kind $turns" >"/tmp/storm.done.$kind"
}

run_kind ()
{
  turns=0 kind=$1
  case $kind in
    kprobe-events | perf) exec /tmp/storm-probes "$kind" /tmp/storm.sites "$seed" ;;
  esac
  [ "$1" != kprobes ] || exec 9<"$points"
  rest=$((4 * times))
  if [ "$1" = livepatch ]; then
    rest=2000
    pause 1200
  fi
  tell
  while going; do
    hushed || turn "$1"
    tell
    pause $rest
  done
}

case " start stop kinds $KINDS " in
  *" ${1:-} "*) ;;
  *) echo "storm-disturb.sh: no such kind: \"${1:-}\"; one of: start stop kinds $KINDS" >&2; exit 2 ;;
esac
if [ "$1" = kinds ]; then
  echo "$KINDS"
  exit
fi
if [ ! -x /init ] || [ ! -d /lib/modules/"$(uname -r)"/extra ]; then
  echo 'storm-disturb.sh: this is no lab; it would patch the kernel of your machine' >&2
  exit 2
fi
points=${2:-/tmp/storm.points} times=${3:-1} seed=${4:-1}
case $1 in
  start)
    rm -rf /tmp/storm.stop /tmp/storm.hush /tmp/storm.cpu /tmp/storm.done.* /tmp/storm.held.* /tmp/storm.sites
    shift 4
    for kind in "$@"; do
      [ "$kind" != livepatch ] || [ -f $M/gilk_livepatch.ko ] || continue
      setsid "$0" "$kind" "$points" "$times" "$seed" </dev/null >/dev/null 2>&1 &
      echo $! >"/tmp/storm.pid.$kind"
    done ;;
  stop)
    touch /tmp/storm.stop
    for file in /tmp/storm.pid.*; do
      [ -e "$file" ] || continue
      pid=$(cat "$file")
      while [ -d "/proc/$pid" ]; do
        usleep 100000
      done
      rm -f "$file"
    done ;;
  *) run_kind "$1" ;;
esac
