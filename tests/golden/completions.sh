#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# completions.sh GILK FOLDER - every command and long option is in each completion file
#
# The bash file asks the program for a command's options, so it is only held to
# know the commands.

set -eu

gilk=$1
folder=$2
export LC_ALL=C.UTF-8
failed=0

miss ()
{
  echo "not ok - $1 does not know $2"
  failed=1
}

commands=$("$gilk" --help | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p')
[ -n "$commands" ] || { echo "not ok - the help lists no commands"; exit 1; }
for command in $commands; do
  for file in gilk.bash _gilk gilk.fish; do
    grep -qw -- "$command" "$folder/$file" || miss "$file" "$command"
  done
  for option in $("$gilk" "$command" --help | sed -n 's/^  *\(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
    grep -q -- "--$option\\b" "$folder/_gilk" || miss _gilk "--$option ($command)"
    grep -qw -- "-l $option" "$folder/gilk.fish" || miss gilk.fish "--$option ($command)"
  done
done
# Functions are those of the kernel's symbols, hooks and fields those of the session.
symbols=$(mktemp)
trap 'rm -f "$symbols"' EXIT
printf '%s\n' '0 T pipe_write' '0 t pipe_wait' '0 d pipe_data' '0 t __pfx_pipe_write' '0 t pipe_write.cold' \
  '0 d __bpf_trace_tp_map_sched_switch' '0 d __bpf_trace_tp_map_sys_enter' >"$symbols"
found=$(_gilk_symbols=$symbols bash -c '. "$1"; COMP_WORDS=(gilk cfg pipe_w); COMP_CWORD=2; _gilk; echo "${COMPREPLY[*]}"
  COMP_WORDS=(gilk run --hook pipe_wr); COMP_CWORD=3; _gilk; echo "${COMPREPLY[*]}"
  COMP_WORDS=(gilk run --hook trac); COMP_CWORD=3; _gilk; echo "${COMPREPLY[*]}"
  COMP_WORDS=(gilk run --hook tracepoint : sched : sch); COMP_CWORD=7; _gilk; echo "${COMPREPLY[*]}"' sh "$folder/gilk.bash" | tr '\n' ';')
[ "$found" = 'pipe_wait pipe_write;pipe_write;tracepoint:;sched_switch;' ] || { echo "not ok - functions are completed: $found"; failed=1; }
[ "$failed" = 0 ] && echo "ok - completions"
exit "$failed"
