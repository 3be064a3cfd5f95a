#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: the driver keeps its rules against any client
#
# ilk-selftest.sh LAB [ROUNDS [SEED]] - the driver's own test, inside a lab
#
# It loads the driver by itself, with small rings, and unloads it in the end; so does
# ilk-fuzz, some thousand hostile sequences of calls.

set -u

name=${1:?usage: ilk-selftest.sh LAB [ROUNDS [SEED]]}
shift
here=$(cd "$(dirname "$0")" && pwd)
lab=$here/../../lab/lab
code=0
rounds=4
[ -z "${GILK_BRIEF:-}" ] || rounds=1

run ()                                  # run PROGRAM ARGUMENT...: with modules before them
{
  local program=${GILK_BUILD:-$here/../../build}/tests/driver/$1
  if [ ! -x "$program" ]; then
    echo "not ok - $program is not built"
    exit 1
  fi
  "$lab" push "$name" "$program" "/tmp/$1" || { echo 'not ok - push'; exit 1; }
  "$lab" exec "$name" -t 1800 "/tmp/$1 /lib/modules/\$(uname -r)/extra ${*:2}" || code=1
  "$lab" exec "$name" rm -f "/tmp/$1"
}

# It takes CPUs off and on: soak/README.md, "The fair server of 6.12".
PYTHONPATH=$here/../python /usr/bin/python3 - "$name" <<'END' || code=1
import sys
from gilklab import Lab
from gilkweather import set_fair_server
set_fair_server(Lab(sys.argv[1]), "off")
END
run ilk-selftest "${@:-$rounds}"
run ilk-fuzz 3000
exit $code
