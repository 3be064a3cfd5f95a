#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# pictures.sh LAB - makes the README's pictures of the workbench anew, in a lab that is up (lab/lab boot 6.12)
#
# Tests of the workbench drive it: tests/gui/pictures.py. What becomes of the pictures is looked at before they are committed.

set -euo pipefail

[ $# -eq 1 ] || { echo 'usage: doc/pictures.sh LAB' >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

OUT=$out GILK_DRIVE=pictures.py GILK_SCREEN=1400x930 GILK_WINDOW=1400x930 GTK_THEME=Adwaita "$here/../tests/gui/run.sh" "$1"
# The first has a scale of colours, of which too few are steps.
convert "$out/workbench.png" -strip -define png:compression-level=9 "PNG24:$here/screenshot.png"
for picture in program schedule compared; do
  convert "$out/$picture.png" -strip -dither None -colors 256 -define png:compression-level=9 "PNG8:$here/$picture.png"
done
ls -l "$here"/*.png
