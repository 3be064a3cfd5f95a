# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# stages.sh - what ./run and ./check share: packages, build, progress by stages
#
# The caller sets "stages" to their number and calls "stage TITLE" for each.

# shellcheck source=lab/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

stage_now=0

stage ()
{
  stage_now=$((stage_now + 1))
  printf '\n[%d/%d] %s\n' "$stage_now" "${stages:?}" "$1"
}

note ()
{
  printf '      %s\n' "$*"
}

# packages_missing LIST...: prints packages that are not installed; each LIST has the format of
# lab/packages.
packages_missing ()
{
  local wanted
  wanted=$(sed -E 's/#.*//; /^[[:space:]]*$/d' "$@" | sort -u)
  # shellcheck disable=SC2086
  comm -23 <(echo "$wanted") <(
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' $wanted 2>/dev/null |
      sed -n 's/ installed$//p' | sort -u)
}

# Whether apt's lists have the kernels and are less than a day old.
lists_are_fresh ()
{
  [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -mmin -1440 2>/dev/null)" ] ||
    [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*InRelease' -newermt '-1 day' 2>/dev/null)" ]
}

as_root ()
{
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo DEBIAN_FRONTEND=noninteractive "$@"
  else
    die "Packages have to be installed and there is no sudo. As root, run: $*"
  fi
}

# Runs a command quietly; on failure shows the end of its log and stops.
logged ()
{
  local log=$1 why=$2
  shift 2
  "$@" >"$log" 2>&1 ||
    { tail -n 20 "$log" >&2
      die "$why The whole log is $log."; }
}

# Set if a package was installed: the build may have been configured without it.
installed=''

# install_packages LIST...: installs missing packages.
install_packages ()
{
  local missing log
  missing=$(packages_missing "$@")
  if [ -z "$missing" ]; then
    note 'all installed'
    return
  fi
  command -v apt-get >/dev/null 2>&1 ||
    die "This machine has no apt-get; Gilk's lab is made of Debian packages. Use Debian 12."
  log=$(mktemp "${TMPDIR:-/tmp}/gilk-apt.XXXXXX")
  note "installing $(echo "$missing" | wc -w) packages: $(echo "$missing" | tr '\n' ' ')"
  lists_are_fresh ||
    logged "$log" "apt's package lists could not be brought up to date. Check the network." \
      as_root apt-get -q update
  # shellcheck disable=SC2086
  logged "$log" "The packages could not be installed." \
    as_root apt-get -q -y install --no-install-recommends $missing
  installed=yes
  rm -f "$log"
}

# Unpacks the server of tests/remote where the tests look for it, beside the kernels. Its package is
# not installed, as it would start a service; the package with most of its files is
# (clickhouse-common).
fetch_server ()
{
  local version folder=$cache/programs/clickhouse-server work log
  version=$(dpkg-query -W -f '${Version}' clickhouse-common)
  ! command -v clickhouse-server >/dev/null 2>&1 || return 0
  [ "$(cat "$folder/.package" 2>/dev/null)" != "$version" ] || return 0
  note "fetching clickhouse-server $version"
  work=$folder.part.$$ log=$(mktemp "${TMPDIR:-/tmp}/gilk-apt.XXXXXX")
  mkdir -p "$work"
  (cd "$work" && logged "$log" "The package clickhouse-server could not be fetched. Check the network." \
    apt-get -q -o APT::Sandbox::User= download "clickhouse-server=$version")
  logged "$log" "The package clickhouse-server could not be unpacked. Is the disk with $cache full?" \
    dpkg-deb -x "$work"/clickhouse-server_*.deb "$work"
  echo "$version" >"$work/.package"
  rm -rf "$folder" "$log" "$work"/*.deb
  mv "$work" "$folder"
}

update_lists ()
{
  local log
  log=$(mktemp "${TMPDIR:-/tmp}/gilk-apt.XXXXXX")
  note "bringing apt's package lists up to date"
  logged "$log" "apt's package lists could not be brought up to date. Check the network." \
    as_root apt-get -q update
  rm -f "$log"
}

# Refreshes apt's lists, from which kernels are resolved: without lists no lab can start.
refresh_lists ()
{
  apt-cache show linux-image-6.12-amd64 >/dev/null 2>&1 || update_lists
}

# build_tree FOLDER [MESON OPTION...]: configures once, or again after new packages were installed,
# without debug data, which take a quarter of the time, and builds everything, or only the targets named in "targets".
build_tree ()
{
  local dir=$1 begin=$SECONDS again=''
  shift
  [ ! -f "$dir/build.ninja" ] || again=--reconfigure
  if [ -z "$again" ] || [ -n "$installed" ]; then
    # It takes half of the time of the usual linker, and there are hundreds of programs.
    ! command -v ld.gold >/dev/null || export CC_LD=${CC_LD:-gold}
    logged "$root/build-setup.log" "The build could not be configured." \
      meson setup $again "$dir" "$root" -Ddebug=false "$@"
    rm -f "$root/build-setup.log"
  fi
  # shellcheck disable=SC2086
  logged "$dir/build.log" "The build failed." ninja -C "$dir" ${targets:-}
  note "$(basename "$dir"): built in $((SECONDS - begin)) s"
}

# boot_labs FLAVOUR...: boots labs in parallel; stops at the first failure.
boot_labs ()
{
  local flavour jobs=()
  for flavour in "$@"; do
    "$lab_dir/lab" boot "$flavour" &
    jobs+=($!)
  done
  for flavour in "${jobs[@]}"; do
    wait "$flavour" || exit 1
  done
}
