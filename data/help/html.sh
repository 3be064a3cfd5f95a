#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# html.sh YELP-BUILD SCREENSHOT FOLDER FILE... - the guide's pages and pictures as HTML
#
# FOLDER is made anew. yelp-build wants all pages in one place, whether they are
# written or made.

set -eu

yelp_build=$1
screenshot=$2
folder=$3
shift 3

stage=$(mktemp -d "${TMPDIR:-/tmp}/gilk-guide.XXXXXX")
trap 'rm -rf "$stage"' EXIT
cp "$@" "$stage"
cp "$screenshot" "$stage/workbench.png"
rm -rf "$folder"
mkdir -p "$folder"
"$yelp_build" html -o "$folder" "$stage"
