#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# stage.sh SCREENSHOT FOLDER FILE... - the guide's pages and pictures, written or made, in one folder
#
# That is where yelp-build and yelp-check want them. FOLDER is made anew.

set -eu

screenshot=$1
folder=$2
shift 2

rm -rf "$folder"
mkdir -p "$folder"
cp "$@" "$folder"
cp "$screenshot" "$folder/workbench.png"
