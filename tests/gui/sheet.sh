#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sheet.sh [LAB] - goes through the workbench as run.sh does, and puts all its pictures on one sheet, to be looked at
#
# $OUT/sheet.png (default: screenshots/ in the build folder), with the name of each picture below it.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
export OUT=${OUT:-${GILK_BUILD:-$here/../../build}/screenshots}
code=0
"$here/run.sh" "$@" || code=$?
rm -f "$OUT/sheet.png"
montage -font "$(fc-match -f '%{file}' sans)" -label '%t' -pointsize 18 "$OUT"/*.png -tile 4x -geometry 640x400+6+6 -depth 8 "$OUT/sheet.png"
echo "# the sheet: $OUT/sheet.png"
exit "$code"
