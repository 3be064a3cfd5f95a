# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# archive.sh - Debian's archives that the machine itself does not list
#
# Kernels of other releases, the compilers that belong to them and a newer QEMU come from
# archives whose lists are ours: nothing of the machine's apt is changed, and no package
# is installed. Works as an ordinary user. The machine's own archive has the name "machine".
#
#   $cache/archives/NAME/{sources,lists,cache,status}
#   $cache/archives/NAME/.fetched     when its lists were

ARCHIVE_HOURS=24        # after which lists are fetched again

# archive_suites NAME: those it is made of.
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

# Where the machine has its own Debian from; $2 is the path there, debian or debian-security.
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

# archive_apt NAME COMMAND ARGUMENT...: apt-get or apt-cache as on a machine with that
# archive, and with no package installed.
archive_apt ()
{
  local name=$1 where=$cache/archives/$1 command=$2 prefer=()
  if [ "$1" = machine ]; then
    shift 2
    "$command" -q -o APT::Sandbox::User= "$@"
    return
  fi
  # Backports are taken only by who asks for them.
  [ "$name" != backports ] || prefer=(-o APT::Default-Release=trixie-backports)
  shift 2
  "$command" -q -o APT::Sandbox::User= -o Debug::NoLocking=1 "${prefer[@]}" -o APT::Architecture=amd64 \
    -o Dir::State::lists="$where/lists" -o Dir::State::status="$where/status" -o Dir::Cache="$where/cache" \
    -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$where/sources" "$@"
}

# Its lists are there and not older than a day; old ones do where no new ones can be had.
refresh_archive ()
{
  local where=$cache/archives/$1 log
  [ "$1" != machine ] || return 0
  [ -z "$(find "$where/.fetched" -mmin -$((60 * ARCHIVE_HOURS)) 2>/dev/null)" ] || return 0
  mkdir -p "$where"/{sources,lists/partial,cache/archives/partial}
  : >"$where/status"
  archive_sources "$1" >"$where/sources/archive.sources"
  log=$where/apt.log
  # apt succeeds where a list could not be had.
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
