# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# roots.sh - clean roots of Debian releases, to build packages and try them
#
# A root is made once from the release's archive, kept as a tar file, and unpacked again for each
# use, in separate namespaces (in-root.sh): all changes in it are discarded afterwards, and this
# machine is not changed. Works as an ordinary user who has subordinate ids.
#
#   $cache/roots/RELEASE-KIND.tar      KIND: base, a minimal system; build, with build dependencies
#   $cache/roots/RELEASE-KIND.stamp    inputs from which it was made, and the week
#   $cache/roots/RELEASE-archives/     packages that were fetched for any root of that release

# root_suites RELEASE: prints suites like archive_suites, also for Debian 12.
root_suites ()
{
  case $1 in
    debian12) echo bookworm bookworm-updates bookworm-security ;;
    debian13) archive_suites debian13 ;;
    *) die "There is no release \"$1\" to build packages for; choose debian12 or debian13." ;;
  esac
}

root_sources ()
{
  local suite mirror
  for suite in $(root_suites "$1"); do
    case $suite in
      *-security) mirror=$(archive_mirror bookworm-security debian-security) ;;
      *) mirror=$(archive_mirror bookworm debian) ;;
    esac
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
  done
}

# Prints the command that gives another command its own root: namespaces and, for an ordinary user,
# a range of ids.
root_namespaces ()
{
  echo --mount --pid --ipc --uts --fork --kill-child
  [ "$(id -u)" = 0 ] || echo --user --map-root-user --map-auto
}

need_roots ()
{
  need mmdebstrap mmdebstrap
  need unshare util-linux
  [ "$(id -u)" = 0 ] && return
  need newuidmap uidmap
  grep -qs "^$(id -un):" /etc/subuid ||
    die "$(id -un) has no subordinate ids, which a root of one's own needs. As root: usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $(id -un)"
}

# in_root RELEASE KIND COMMAND...: runs COMMAND in a fresh copy of a root, as its root user.
# $exchange is mounted there as /exchange, for both directions.
in_root ()
{
  local release=$1 kind=$2 flags
  shift 2
  read -ra flags < <(root_namespaces | tr '\n' ' ')
  mkdir -p "$cache/roots/$release-archives/partial"
  unshare "${flags[@]}" "$lab_dir/in-root.sh" "$cache/roots/$release-$kind.tar" "${exchange:?}" \
    "$cache/roots/$release-archives" "$@"
}

# Prints the inputs from which a kind is made, and the week of its archive.
root_stamp ()
{
  { date +%G-%V; root_sources "$1"
    sed -n '/^bootstrap/,/^make_root/p' "$lab_dir/roots.sh"
    [ "$2" = base ] || sed -n '/^Build-Depends:/,/^[^ ]*:/p' "$root/debian/control"; } | sha256sum
}

bootstrap ()
{
  local release=$1 tar=$2 log=$3 part=${2%.tar}.part.tar
  root_sources "$release" >"${tar%.tar}.list"
  mmdebstrap --variant=apt --architectures=amd64 --include=ca-certificates \
    --aptopt='APT::Install-Recommends "false"' "$(root_suites "$release" | cut -d' ' -f1)" "$part" \
    "${tar%.tar}.list" >"$log" 2>&1 </dev/null ||
    { tail -n 5 "$log" >&2
      rm -rf "$part"
      die "No root of $release could be made. Check the network and the space on the disk of $cache; the whole log is $log."; }
  mv "$part" "$tar"
}

add_build_needs ()
{
  local release=$1 tar=$2 log=$3 exchange
  exchange=$(mktemp -d)
  mkdir "$exchange/debian"
  cp "$root/debian/control" "$exchange/debian"
  # shellcheck disable=SC2016
  if ! in_root "$release" base sh -euc '
       apt-get update -q
       apt-get install -qy --no-install-recommends build-essential dput lintian passwd
       cd /exchange
       apt-get build-dep -qy --no-install-recommends ./
       useradd -m builder
       tar -C / -cf root.tar --one-file-system --exclude=./var/lib/apt/lists --exclude=./exchange .' \
       >"$log" 2>&1 </dev/null; then
    tail -n 5 "$log" >&2
    rm -rf "$exchange"
    die "What debian/control wants could not be installed in a root of $release. The whole log is $log."
  fi
  mv "$exchange/root.tar" "$tar"
  rm -rf "$exchange"
}

make_root ()
{
  local release=$1 kind=$2 tar=$cache/roots/$1-$2.tar stamp
  stamp=$(root_stamp "$release" "$kind")
  [ ! -e "$tar" ] || [ "$stamp" != "$(cat "${tar%.tar}.stamp" 2>/dev/null)" ] || return 0
  say "making a root of $release ($kind)"
  mkdir -p "$cache/roots"
  rm -f "${tar%.tar}.stamp"
  case $kind in
    base) bootstrap "$release" "$tar" "${tar%.tar}.log" ;;
    build) add_build_needs "$release" "$tar" "${tar%.tar}.log" ;;
  esac
  echo "$stamp" >"${tar%.tar}.stamp"
}

# use_root RELEASE KIND: makes sure that the root exists and was made this week.
use_root ()
{
  need_roots
  root_suites "$1" >/dev/null
  with_lock "$cache/lock.root.$1" make_root "$1" base
  [ "$2" = base ] || with_lock "$cache/lock.root.$1" make_root "$1" "$2"
}
