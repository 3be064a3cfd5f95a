#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ilk-selftest.sh LAB - the driver's own test, inside a lab
#
# It loads the driver by itself, with small rings, and unloads it in the end.

set -u

name=${1:?usage: ilk-selftest.sh LAB}
here=$(cd "$(dirname "$0")" && pwd)
lab=$here/../../lab/lab
program=${GILK_BUILD:-$here/../../build}/tests/lab/ilk-selftest

if [ ! -x "$program" ]; then
  echo "not ok - $program is not built"
  exit 1
fi
"$lab" push "$name" "$program" /tmp/ilk-selftest || { echo 'not ok - push'; exit 1; }
"$lab" exec "$name" -t 600 \
  'chmod +x /tmp/ilk-selftest && /tmp/ilk-selftest /lib/modules/$(uname -r)/extra 4'
code=$?
"$lab" exec "$name" rm -f /tmp/ilk-selftest
exit $code
