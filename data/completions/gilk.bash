# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of gilk for bash. Options are asked of the program itself, hooks and fields of the session that stands on the
# line. Functions are those of this machine's kernel, whatever the target: most have the same names elsewhere.

: "${_gilk_symbols:=/proc/kallsyms}"

_gilk_functions ()
{
  [ ${#1} -lt 2 ] || mapfile -t COMPREPLY < <(awk -v begin="$1" \
    'tolower($2) ~ /[tw]/ && index($3, begin) == 1 && $3 !~ /^__pfx_|\.cold/ { print $3 }' "$_gilk_symbols" 2>/dev/null | sort -u)
}

_gilk_points ()
{
  _gilk_functions "$1"
  [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -W 'tracepoint: profile:99hz interval:1s' -- "$1")
}

# Names alone: their systems are not in the symbols.
_gilk_tracepoints ()
{
  mapfile -t COMPREPLY < <(awk -v begin="__bpf_trace_tp_map_$1" 'index($3, begin) == 1 { print substr($3, 20) }' "$_gilk_symbols" 2>/dev/null | sort -u)
}

# COLUMN TABLE WORD: what the session has
_gilk_of_session ()
{
  local session

  for session in "${COMP_WORDS[@]}"; do
    case $session in
      *.gilk)
        mapfile -t COMPREPLY < <(compgen -W "$(gilk sql --csv "$session" "SELECT DISTINCT $1 FROM $2" 2>/dev/null | tail -n +2)" -- "$3")
        return ;;
    esac
  done
}

_gilk ()
{
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' i
  local commands='doctor selftest find cfg scan inject coverage survey instruments instrument targets plan run layout status disarm report plot export push runs note session sessions sql schema help'

  # bash splits words at colons: "lab:6.1" arrives as three of them.
  if [ "$before" = : ]; then
    [[ " ${COMP_WORDS[COMP_CWORD - 2]} ${COMP_WORDS[COMP_CWORD - 4]} " != *' tracepoint '* ]] || _gilk_tracepoints "$word"
    [ "${COMP_WORDS[COMP_CWORD - 2]}" != lab ] || mapfile -t COMPREPLY < <(compgen -W '6.1 6.12' -- "$word")
    return
  fi
  case $before in
    --target | -t) mapfile -t COMPREPLY < <(compgen -W 'local lab lab:6.1 lab:6.12 ssh: unix:' -- "$word"); return ;;
    --by) mapfile -t COMPREPLY < <(compgen -W 'ilk bpf' -- "$word"); return ;;
    --out | -O | --svg | --png | --pdf | --prometheus | --output | -o | --append | -a | --rates) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --kind | -k) mapfile -t COMPREPLY < <(compgen -W 'histogram ecdf series rate heat spectrum autocorrelation' -- "$word"); return ;;
    --log) mapfile -t COMPREPLY < <(compgen -W 'x y xy none' -- "$word"); return ;;
    --tactic) mapfile -t COMPREPLY < <(compgen -W 'auto splice bounce clone trap' -- "$word"); return ;;
    --ring-mode) mapfile -t COMPREPLY < <(compgen -W 'drop stop overwrite fifo' -- "$word"); return ;;
    --instrument | -i) mapfile -t COMPREPLY < <(compgen -W 'count stamp span task args' -- "$word"); return ;;
  esac

  # The command is the first word that is no option and no option's value.
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      -t | --target | --debug)
        i=$((i + 1))
        [ "${COMP_WORDS[i + 1]}" != : ] || i=$((i + 2)) ;;
      -*) ;;
      help) ;;
      *) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  if [ -z "$command" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands --target --debug --json --quiet --help --version" -- "$word")
    return
  fi
  case $command:$before in
    run:--hook) _gilk_points "$word"; return ;;
    *:--hook) _gilk_of_session label hook "$word"; return ;;
    *:--field | *:-f | *:--by | *:--group | *:-g) [ "$command" = survey ] || { _gilk_of_session name field "$word"; return; } ;;
  esac
  case $command:$word in
    *:-*) mapfile -t COMPREPLY < <(compgen -W "$(gilk "$command" --help 2>/dev/null | grep -oE -- '--[a-z-]+' | sort -u)" -- "$word") ;;
    plan:*)
      if [ "$before" = plan ]; then
        mapfile -t COMPREPLY < <(compgen -W 'check renew new' -- "$word")
      elif [[ " ${COMP_WORDS[*]} " == *' new '* ]]; then
        _gilk_functions "$word"
      else
        mapfile -t COMPREPLY < <(compgen -f -X '!*.plan' -- "$word")
      fi ;;
    cfg:* | coverage:* | layout:* | find:* | survey:*) _gilk_functions "$word" ;;
    run:*) mapfile -t COMPREPLY < <(compgen -f -X '!*.plan' -- "$word") ;;
    session:*)
      if [ "$before" = session ]; then
        mapfile -t COMPREPLY < <(compgen -W 'compress verify' -- "$word")
      else
        mapfile -t COMPREPLY < <(compgen -f -X '!*.gilk' -- "$word")
      fi ;;
    report:* | plot:* | export:* | push:* | runs:* | note:* | sql:*) mapfile -t COMPREPLY < <(compgen -f -X '!*.gilk' -- "$word") ;;
    sessions:*) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
  esac
}
complete -o filenames -o bashdefault -F _gilk gilk
