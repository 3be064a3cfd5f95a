#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# packages.sh RELEASE [META...] - the packages' whole life in a clean root of Debian
#
# Built twice, the second time as the next version; installed, used, upgraded, removed and
# purged. DKMS builds for each kernel whose headers RELEASE offers, or for those of the
# packages META (linux-headers-cloud-amd64). What purging leaves behind is found by lists of
# all files from before and after. Takes 10 minutes for each kernel, and changes nothing here.
#
# Promise: packages install, upgrade, work and are purged

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")

case ${1:-} in
  debian12 | debian13) release=$1 && shift ;;
  -h | --help) sed -n '4,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo 'packages: name a release: debian12 or debian13' >&2; exit 2 ;;
esac

exchange=$(mktemp -d "${TMPDIR:-/tmp}/gilk-packages.XXXXXX")
trap 'rm -rf "$exchange"' EXIT
trap 'exit 1' INT TERM

echo "# building"
"$root/lab/deb" build "$release" >/dev/null
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$root/debian/changelog")
DEB_BUILD_OPTIONS="nocheck ${DEB_BUILD_OPTIONS:-}" GILK_DEB_VERSION=$version+next GILK_PACKAGES=$exchange/next \
  "$root/lab/deb" build "$release" >/dev/null
echo "ok - $release: the packages build, lintian has nothing to say"

mkdir "$exchange/old" "$exchange/new"
cp "$root/out/packages/$release"/*.deb "$exchange/old"
cp "$exchange/next/$release"/*.deb "$exchange/new"
cp "$here/packages-life.sh" "$exchange"
cp -r "$root/debian/tests" "$exchange/tests"
GILK_EXCHANGE=$exchange "$root/lab/deb" shell "$release" base bash /exchange/packages-life.sh "$release" "$@"
