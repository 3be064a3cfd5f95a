# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of gilk for fish.

set -l commands doctor find cfg scan instruments targets plan run status disarm \
  report plot export runs sessions schema

complete -c gilk -f
complete -c gilk -n "not __fish_seen_subcommand_from $commands" -a "$commands"
complete -c gilk -s t -l target -x -a 'local lab lab:6.1 lab:6.12'
complete -c gilk -l json -d 'for programs'
complete -c gilk -l help -d 'options of a command'
complete -c gilk -n '__fish_seen_subcommand_from run plan' -F
complete -c gilk -n '__fish_seen_subcommand_from report plot export runs sessions' -F
