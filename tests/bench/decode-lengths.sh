#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# decode-lengths.sh FLAVOUR - our decoder against Zydis on all text of a live kernel

set -u

flavour=${1:?usage: decode-lengths.sh FLAVOUR}
root=$(cd "$(dirname "$0")/../.." && pwd)
program=${GILK_BUILD:-$root/build}/tests/bench/decode-lengths

if [ ! -x "$program" ]; then
  echo "ok - $flavour: decoding # skip built without libzydis-dev"
  exit 0
fi
figures=$("$program" "lab:$flavour")
code=$?
printf '%s\n' "$figures" | sed 's/^/  /'
value ()
{
  printf '%s\n' "$figures" | sed -n "s/^$1 //p"
}
result="$flavour: $(value unexplained) differences to Zydis in $(value instructions) instructions"
if [ $code = 0 ]; then
  echo "ok - $result"
else
  echo "not ok - $result"
fi
exit $code
