# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# archive.sh - access to Debian archives that are not in the machine's apt sources
#
# Kernels of other releases, their compilers and a newer QEMU come from archives with package
# lists of our own: the machine's apt is not changed, and no package is installed. Works as an
# ordinary user. The machine's own archive has the name "machine".
#
#   $cache/archives/NAME/{sources,lists,cache,status}
#   $cache/archives/NAME/.fetched     its mtime: when the lists were fetched

ARCHIVE_HOURS=24        # after which lists are fetched again

# archive_suites NAME: prints the suites of an archive.
archive_suites ()
{
  case $1 in
    bookworm-backports) echo bookworm-backports ;;
    debian12) echo bookworm bookworm-updates bookworm-security ;;
    debian13) echo trixie trixie-updates trixie-security ;;
    backports) echo trixie trixie-updates trixie-security trixie-backports ;;
    forky | sid) echo "$1" ;;
    *) die "There is no archive \"$1\"." ;;
  esac
}

# Prints the mirror that the machine's own Debian uses; $2 is the path there, debian or
# debian-security.
archive_mirror ()
{
  local url
  url=$(apt-cache policy | sed -nE "s,^ *[0-9]+ ([^ ]+/$2/?) $1/main .*,\1,p" | head -n 1)
  echo "${url:-http://deb.debian.org/$2}"
}

archive_sources ()
{
  local suite mirror
  for suite in $(archive_suites "$1"); do
    case $suite in
      *-security) mirror=$(archive_mirror bookworm-security debian-security) ;;
      *) mirror=$(archive_mirror bookworm debian) ;;
    esac
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n\n' \
      "$mirror" "$suite" /usr/share/keyrings/debian-archive-keyring.gpg
  done
}

# archive_apt NAME COMMAND ARGUMENT...: runs apt-get or apt-cache as if on a machine with that
# archive and without any installed package.
archive_apt ()
{
  local name=$1 where=$cache/archives/$1 command=$2 prefer=()
  if [ "$1" = machine ]; then
    shift 2
    # A cache of our own: container images turn the machine's off, and then each command parses all lists.
    mkdir -p "$cache/apt/archives/partial"
    "$command" -q -o APT::Sandbox::User= -o Dir::Cache="$cache/apt" -o Dir::Cache::pkgcache=pkgcache.bin \
      -o Dir::Cache::srcpkgcache=srcpkgcache.bin "$@"
    return
  fi
  # Backports are used only if this archive is named.
  [ "$name" != backports ] || prefer=(-o APT::Default-Release=trixie-backports)
  shift 2
  "$command" -q -o APT::Sandbox::User= -o Debug::NoLocking=1 "${prefer[@]}" -o APT::Architecture=amd64 \
    -o Dir::State::lists="$where/lists" -o Dir::State::status="$where/status" -o Dir::Cache="$where/cache" \
    -o Dir::Cache::pkgcache=pkgcache.bin -o Dir::Cache::srcpkgcache=srcpkgcache.bin \
    -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$where/sources" "$@"
}

# refresh_archive NAME: fetches the archive's lists if they are older than a day; if that fails, old
# ones are used.
refresh_archive ()
{
  local where=$cache/archives/$1 log
  [ "$1" != machine ] || return 0
  [ -z "$(find "$where/.fetched" -mmin -$((60 * ARCHIVE_HOURS)) 2>/dev/null)" ] || return 0
  mkdir -p "$where"/{sources,lists/partial,cache/archives/partial}
  : >"$where/status"
  archive_sources "$1" >"$where/sources/archive.sources"
  log=$where/apt.log
  # apt succeeds even if it could not fetch a list.
  if archive_apt "$1" apt-get -o APT::Update::Error-Mode=any update >"$log" 2>&1; then
    touch "$where/.fetched"
  elif [ ! -e "$where/.fetched" ]; then
    tail -n 5 "$log" >&2
    die "The package lists of Debian's $1 could not be fetched. Check the network; if their signature is unknown, update the package debian-archive-keyring."
  fi
}

use_archive ()
{
  [ "$1" = machine ] || with_lock "$cache/lock.archive.$1" refresh_archive "$1"
}
