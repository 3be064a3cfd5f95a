# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of gilk for fish.

set -l commands doctor find cfg scan coverage instruments targets plan run status disarm report plot export runs sessions schema

function __gilk_in
    __fish_seen_subcommand_from $argv
end

complete -c gilk -f
complete -c gilk -n "not __fish_seen_subcommand_from $commands" -a "$commands"
complete -c gilk -s t -l target -x -a 'local lab lab:6.1 lab:6.12 ssh: unix:' -d 'where'
complete -c gilk -l json -d 'one JSON document'
complete -c gilk -s q -l quiet -d 'no progress, no notes'
complete -c gilk -s h -l help -d 'help'
complete -c gilk -l version -d 'the version'
complete -c gilk -n '__gilk_in doctor' -l text-sum -d 'only the checksum of all text'
complete -c gilk -n '__gilk_in doctor instruments' -l load -d 'load the driver and all instruments'
complete -c gilk -n '__gilk_in doctor' -l facts -d 'also the facts'
complete -c gilk -n '__gilk_in find' -s l -l details -d 'blocks and instructions'
complete -c gilk -n '__gilk_in find' -s n -l limit -x -d 'at most so many'
complete -c gilk -n '__gilk_in cfg' -l no-insns -d 'no instructions'
complete -c gilk -n '__gilk_in cfg' -l dot -d 'Graphviz text'
complete -c gilk -n '__gilk_in cfg plan' -s i -l instrument -x -a 'count stamp span task args' -d 'what runs at the hook'
complete -c gilk -n '__gilk_in cfg plot' -l svg -r -F -d 'draw it into this SVG file'
complete -c gilk -n '__gilk_in cfg plot' -l png -r -F -d 'draw it into this PNG file'
complete -c gilk -n '__gilk_in cfg plot' -l pdf -r -F -d 'draw it into this PDF file'
complete -c gilk -n '__gilk_in cfg plot' -l dark -d 'light on dark'
complete -c gilk -n '__gilk_in coverage' -s k -l kernel -d 'no modules'
complete -c gilk -n '__gilk_in coverage' -s m -l module -x -d 'only this module'
complete -c gilk -n '__gilk_in coverage' -s f -l function -x -d 'only this function'
complete -c gilk -n '__gilk_in coverage' -s b -l blocks -d 'every block as CSV'
complete -c gilk -n '__gilk_in coverage' -l together -d 'all points of a function at once'
complete -c gilk -n '__gilk_in plan; and not __gilk_in check renew new' -a 'check renew new'
complete -c gilk -n '__gilk_in plan' -s p -l param -x -d 'a parameter'
complete -c gilk -n '__gilk_in plan' -l start -x -d 'when the hook starts'
complete -c gilk -n '__gilk_in plan' -l stop -x -d 'when the hook stops'
complete -c gilk -n '__gilk_in plan' -l tactic -x -a 'auto splice bounce clone trap' -d 'how it is placed'
complete -c gilk -n '__gilk_in plan' -l label -x -d 'name of the hook'
complete -c gilk -n '__gilk_in plan' -s e -l edges -d 'fewest counters of a function'
complete -c gilk -n '__gilk_in plan' -s r -l reach -d 'all that a function calls'
complete -c gilk -n '__gilk_in plan' -s d -l depth -x -d 'calls deep'
complete -c gilk -n '__gilk_in plan' -l span -d 'entry and exits of a function'
complete -c gilk -n '__gilk_in plan' -s a -l append -r -F -d 'add to this plan'
complete -c gilk -n '__gilk_in plan run plot' -l title -x -d 'title'
complete -c gilk -n '__gilk_in run' -l for -x -d 'how long'
complete -c gilk -n '__gilk_in run export' -s o -l output -r -F -d 'file to write'
complete -c gilk -n '__gilk_in run plot export' -l hook -x -d 'a hook'
complete -c gilk -n '__gilk_in run' -l follow -d 'go by the plan while it is edited'
complete -c gilk -n '__gilk_in status' -s a -l all -d 'also what was restored'
complete -c gilk -n '__gilk_in status' -s n -l numeric -d 'addresses in place of names'
complete -c gilk -n '__gilk_in report plot export' -s r -l run -x -d 'number of the run'
complete -c gilk -n '__gilk_in report' -s g -l group -x -d 'count by this field'
complete -c gilk -n '__gilk_in report' -s s -l stages -x -d 'stages of the pipeline'
complete -c gilk -n '__gilk_in report' -l no-pipeline -d 'no pipeline study'
complete -c gilk -n '__gilk_in report' -s e -l edges -d 'counts of all blocks and edges'
complete -c gilk -n '__gilk_in report' -l span -d 'how long calls took'
complete -c gilk -n '__gilk_in plot' -l histogram -d 'distribution of a field'
complete -c gilk -n '__gilk_in plot' -l series -d 'a field over time'
complete -c gilk -n '__gilk_in plot' -l rate -d 'hits a second'
complete -c gilk -n '__gilk_in plot' -l groups -x -d 'bars by value of a field'
complete -c gilk -n '__gilk_in plot' -l log-x -d 'logarithmic bins'
complete -c gilk -n '__gilk_in plot' -l bins -x -d 'so many bins'
complete -c gilk -n '__gilk_in plot' -l size -x -d 'in pixels'
complete -c gilk -n '__gilk_in export' -l csv -d 'CSV'
complete -c gilk -n '__gilk_in export' -l ndjson -d 'NDJSON'
complete -c gilk -n '__gilk_in plan run report plot export runs sessions' -F
