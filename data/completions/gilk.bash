# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of gilk for bash.

_gilk ()
{
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local commands='doctor find cfg scan instruments targets plan run status disarm report plot export runs sessions schema'

  # bash splits words at colons: "lab:6.1" arrives as three of them.
  if [ "$before" = : ]; then
    [ "${COMP_WORDS[COMP_CWORD - 2]}" != lab ] || mapfile -t COMPREPLY < <(compgen -W '6.1 6.12' -- "$word")
    return
  fi
  case $before in
    --target | -t) mapfile -t COMPREPLY < <(compgen -W 'local lab lab:6.1 lab:6.12 ssh:' -- "$word"); return ;;
    --svg | --png | --pdf | --output | -o) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
  esac
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
    return
  fi
  case $command:$word in
    *:-*) mapfile -t COMPREPLY < <(compgen -W "$(gilk "$command" --help 2>/dev/null | grep -oE -- '--[a-z-]+' | sort -u)" -- "$word") ;;
    plan:*)
      if [ "$COMP_CWORD" = 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W 'check new' -- "$word")
      else
        mapfile -t COMPREPLY < <(compgen -f -X '!*.plan' -- "$word")
      fi ;;
    run:*) mapfile -t COMPREPLY < <(compgen -f -X '!*.plan' -- "$word") ;;
    report:* | plot:* | export:* | runs:*) mapfile -t COMPREPLY < <(compgen -f -X '!*.gilk' -- "$word") ;;
  esac
}
complete -o filenames -o bashdefault -F _gilk gilk
