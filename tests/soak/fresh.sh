#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fresh.sh debian12 [FLAVOUR] - ./run where nobody has been before
#
# In a clean root that has git and nothing else: the last commit is cloned, ./run fetches all
# it needs, builds, boots a lab and does its study; then once more. The first has to be done in
# four minutes, the second in five seconds. Only as good as the machine and its line: with
# nothing else running.

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
release=${1:-} flavour=${2:-}

case $release in
  debian12 | --inside) ;;
  -h | --help) sed -n '4,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo 'fresh: name the release that ./run is for: debian12' >&2; exit 2 ;;
esac

# In the root.
prepare ()
{
  # What was fetched for other roots is not there.
  umount /var/cache/apt/archives
  apt-get -q update
  apt-get -q -y install --no-install-recommends git
  git config --global --add safe.directory '*'
  git clone -q /exchange/gilk.git /root/gilk
  cd /root/gilk
}

timed ()
{
  local begin=${EPOCHREALTIME/./} what=$1 limit=$2
  shift 2
  "$@" 2>&1 || { echo "not ok - $what"; return 1; }
  local ms=$(((${EPOCHREALTIME/./} - begin) / 1000))
  what+=": $((ms / 1000)).$((ms % 1000 / 100)) s, of $limit"
  [ $ms -le $((limit * 1000)) ] || { echo "not ok - $what"; return 1; }
  echo "ok - $what"
}

if [ "$release" = --inside ]; then
  prepare >/root/prepare.log 2>&1 || { tail /root/prepare.log; exit 1; }
  code=0
  # shellcheck disable=SC2086
  timed "./run in a fresh root" 240 ./run $flavour || code=1
  # shellcheck disable=SC2086
  timed "./run once more" 5 ./run $flavour || code=1
  lab/lab stop --all >/dev/null
  exit $code
fi

exchange=$(mktemp -d "${TMPDIR:-/tmp}/gilk-fresh.XXXXXX")
trap 'rm -rf "$exchange"' EXIT
trap 'exit 1' INT TERM
git clone -q --bare "$root" "$exchange/gilk.git"
cp "$0" "$exchange/fresh.sh"
chmod -R a+rX "$exchange"
echo "# $(git -C "$root" log -1 --format='%h %s')"
GILK_EXCHANGE=$exchange "$root/lab/deb" shell "$release" base bash /exchange/fresh.sh --inside "$flavour"
