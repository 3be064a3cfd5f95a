#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lab.sh LAB - the lab itself: commands, exit codes, streams, files, bad input

set -u

name=${1:?usage: lab.sh LAB}
lab=$(dirname "$0")/../../lab/lab
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

expect ()                               # expect NAME WANTED GOT
{
  if [ "$2" = "$3" ]; then
    echo "ok - $1"
  else
    echo "not ok - $1: wanted \"$2\", got \"$3\""
    failed=1
  fi
}

# expect_soon NAME WANTED COMMAND...: it prints WANTED, at once or later
expect_soon ()
{
  local got end=$((SECONDS + 300))
  while got=$("${@:3}"); [ "$got" != "$2" ] && [ $SECONDS -lt $end ]; do
    sleep 0.2
  done
  expect "$1" "$2" "$got"
}

in_lab () { "$lab" exec "$name" "$@"; }

code ()                                 # code COMMAND...: its exit code alone
{
  "$@" >/dev/null 2>&1
  echo $?
}

expect 'exit code 0' 0 "$(code "$lab" exec "$name" true)"
expect 'exit code 7' 7 "$(code "$lab" exec "$name" exit 7)"
expect 'death by signal' 137 "$(code "$lab" exec "$name" 'kill -9 $$')"
expect 'no such command' 127 "$(code "$lab" exec "$name" no-such-command)"
expect 'a command that takes too long' 124 "$(code "$lab" exec "$name" -t 1 sleep 60)"
expect 'and is gone' '' "$("$lab" exec "$name" 'ps | grep "[s]leep 60"')"

expect 'output' 'out' "$("$lab" exec "$name" 'echo out; echo err >&2' 2>/dev/null)"
expect 'errors apart' 'err' "$("$lab" exec "$name" 'echo out; echo err >&2' 2>&1 >/dev/null)"
expect 'quotes' "a'b \"c\" \$d" "$("$lab" exec "$name" "echo \"a'b \\\"c\\\" \\\$d\"")"
expect 'a megabyte of output' 1048576 "$("$lab" exec "$name" head -c 1048576 /dev/zero | wc -c)"
expect 'input' 'HELLO' "$(echo hello | "$lab" exec "$name" -i tr a-z A-Z)"
expect 'what stays in the background is not waited for' 'first' \
  "$(timeout 300 "$lab" exec "$name" 'sleep 600 & echo first')"
in_lab 'killall sleep'

pid=$("$lab" exec "$name" --bg "sleep 30; echo 'x'")
expect 'background start prints a PID' 0 "$(code "$lab" exec "$name" kill -0 "$pid")"
"$lab" exec "$name" "kill $pid" 2>/dev/null

head -c 300000 /dev/urandom >"$work/file"
"$lab" push "$name" "$work/file" /tmp/pushed
expect 'a pushed file arrives whole' "$(md5sum <"$work/file")" "$("$lab" exec "$name" 'md5sum </tmp/pushed')"

"$lab" pull "$name" /tmp/pushed "$work/pulled"
expect 'and comes back whole' "$(md5sum <"$work/file")" "$(md5sum <"$work/pulled")"
expect 'what is not there is not pulled' '1 no' \
  "$(code "$lab" pull "$name" /tmp/no-such-file "$work/nothing") $(test -e "$work/nothing" && echo yes || echo no)"

"$lab" install "$name" tcpdump
expect 'a program of a package runs' 'tcpdump version' \
  "$("$lab" exec "$name" 'tcpdump --version' 2>&1 | grep -o 'tcpdump version')"
expect 'no such package' 1 "$(code "$lab" install "$name" no-such-package)"

for i in 1 2 3; do
  (code "$lab" exec "$name" "sleep 0.5; exit 1$i" >"$work/code.$i") &
done
wait
expect 'three at once' '11 12 13' "$(cat "$work"/code.1 "$work"/code.2 "$work"/code.3 | xargs)"

"$lab" exec "$name" 'sleep 5000' &
expect_soon 'a command runs' 1 in_lab 'ps | grep -c "[s]leep 5000$"'
kill -9 "$(pgrep -P $! -f lab-ctl || echo $!)" 2>/dev/null
wait $! 2>/dev/null
expect_soon 'a killed client takes its command along' 0 in_lab 'ps | grep -c "[s]leep 5000$"'

expect 'exact calls' 'calls 100001' "$("$lab" exec "$name" calls -n 100001 -t 2 | head -n 1)"

expect 'traffic is the same again' 'client paced-125 requests 124' \
  "$("$lab" exec "$name" traffic 1 | sed -n 's/\(client paced-125.*\) late.*/\1/p')"

"$lab" exec "$name" --bg 'pipeline 600' >/dev/null
stages () { in_lab 'cat /proc/[0-9]*/comm' | grep -xE 'cat|tr|sed|grep' | sort -u | xargs; }
expect_soon 'the stages have names of their own' 'cat grep sed tr' stages
in_lab 'killall pipeline cat tr sed grep' 2>/dev/null

expect 'booting a running lab does nothing' 0 "$(code "$lab" boot "$name")"
expect 'no such flavour' 1 "$(code "$lab" boot 5.10)"
expect 'no such lab' 1 "$(code "$lab" exec no-such-lab true)"
expect 'a name that is a path' 1 "$(code "$lab" exec ../x true)"
expect 'no such command of lab' 1 "$(code "$lab" frobnicate)"

exit $failed
