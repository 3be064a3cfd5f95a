#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# html.sh YELP-BUILD PAGES FOLDER - the guide as HTML; FOLDER is made anew

set -eu

yelp_build=$1
pages=$2
folder=$3

rm -rf "$folder"
mkdir -p "$folder"
"$yelp_build" html -o "$folder" "$pages"
# Pictures wider than a page.
printf 'img.media { max-width: 100%%; height: auto; }\n' >>"$folder/C.css"
