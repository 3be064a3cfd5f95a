# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernels.sh - which stock kernels there are, fetched and unpacked, not installed
#
# No version is written down: Debian's meta-packages name the current kernel of
# each flavour. Works as an ordinary user; needs apt's package lists only.
#
#   $cache/kernels/RELEASE/       image and headers, unpacked side by side
#   $cache/kernels/RELEASE/.package   version of the image package; written last
#   $cache/flavours/FLAVOUR       release and version that apt named last

FLAVOURS='6.1 6.12 6.1-cloud 6.1-rt 6.12-cloud 6.12-rt 6.1-debug 6.12-debug'

# meta_suffix FLAVOUR: "6.12-cloud" is linux-{image,headers}-6.12-cloud-amd64.
# 6.1 is the release's own kernel, whose meta-packages carry no version.
meta_suffix ()
{
  case $1 in
    6.1) echo amd64 ;;
    6.1-cloud | 6.1-rt) echo "${1#6.1-}-amd64" ;;
    6.12 | 6.12-cloud | 6.12-rt) echo "$1-amd64" ;;
    6.1-debug | 6.12-debug) echo "$1" ;;
    *) die "There is no kernel flavour \"$1\". Choose one of: $FLAVOURS." ;;
  esac
}

# depends_on PACKAGE PATTERN: the first package it depends on that fits.
depends_on ()
{
  apt-cache depends --important "$1" 2>/dev/null |
    sed -nE "s/^ *\|?Depends: ($2)\$/\1/p" | head -n 1
}

# Version of the package apt would fetch; empty when apt knows none.
candidate ()
{
  apt-cache policy "$1" 2>/dev/null | sed -nE 's/^ *Candidate: //p' | grep -v '(none)' || true
}

# resolve FLAVOUR: prints release and package version, "6.1.0-56-amd64 6.1.192-2".
# The answer is kept until apt's lists change, and for when they are gone.
resolve ()
{
  local memo=$cache/flavours/$1 meta image
  meta=linux-image-$(meta_suffix "$1")
  if is_debug "$1"; then
    resolve_debug "$1"
    return
  fi
  if [ ! -f "$memo" ] || [ ! "$memo" -nt /var/lib/apt/lists ]; then
    image=$(depends_on "$meta" 'linux-image-[0-9].*')
    if [ -n "$image" ]; then
      mkdir -p "$cache/flavours"
      echo "${image#linux-image-} $(candidate "$image")" >"$memo.$$"
      mv "$memo.$$" "$memo"
    elif [ ! -f "$memo" ]; then
      die "apt does not know the package $meta. Run \"apt-get update\" as root with Debian 12's main and security archives enabled."
    fi
  fi
  cat "$memo"
}

kernel_root ()
{
  echo "$cache/kernels/$1"
}

header_dir ()
{
  if [ "$1" = "$(uname -r)" ] && [ ! -d "$(kernel_root "$1")" ]; then
    echo "/lib/modules/$1/build"
  else
    echo "$(kernel_root "$1")/usr/src/linux-headers-$1"
  fi
}

# is_fetched RELEASE VERSION
is_fetched ()
{
  [ "$(cat "$(kernel_root "$1")/.package" 2>/dev/null)" = "$2" ]
}

# The header packages say where they would be installed; say where they are.
relocate_headers ()
{
  local where=$1 file
  for file in "$where"/usr/src/linux-headers-*/Makefile; do
    sed -i -E "s,^(-?include )/usr/src/,\1$2/usr/src/," "$file"
  done
}

fetch_packages ()
{
  local release=$1 headers common kbuild
  headers=linux-headers-$release
  common=$(depends_on "$headers" 'linux-headers-.*-common.*')
  kbuild=$(depends_on "$headers" 'linux-kbuild-.*')
  if [ -z "$common" ] || [ -z "$kbuild" ]; then
    die "apt does not know the headers of $release. Run \"apt-get update\" as root."
  fi
  apt-get -q -o APT::Sandbox::User= download \
    "linux-image-$release" "$headers" "$common" "$kbuild" >apt.log 2>&1 ||
    { tail -n 5 apt.log >&2
      die "The packages of $release could not be fetched. Check the network; if apt's lists are old, run \"apt-get update\" as root."; }
}

# fetch_release RELEASE VERSION: unpacks beside its final place and renames, so
# that an interrupted fetch leaves nothing half.
fetch_release ()
{
  local release=$1 final work deb
  ! is_fetched "$release" "$2" || return 0
  need dpkg-deb dpkg
  need depmod kmod
  say "fetching $release (image and headers, about 90 MB)"
  final=$(kernel_root "$release")
  work=$final.part.$$
  rm -rf "$final".part.*
  mkdir -p "$work/deb"
  ( cd "$work/deb" && fetch_packages "$release" )
  for deb in "$work"/deb/*.deb; do
    dpkg-deb -x "$deb" "$work" ||
      die "$(basename "$deb") could not be unpacked. Is the disk with $cache full?"
  done
  dpkg-deb -f "$work"/deb/linux-image-*.deb Version >"$work/.package"
  rm -rf "$work/deb" "$work/usr/share"
  relocate_headers "$work" "$final"
  PATH=$PATH:/usr/sbin:/sbin depmod -b "$work" "$release"
  rm -rf "$final"
  mv "$work" "$final"
}

# fetch FLAVOUR: prints the release, unpacked.
cmd_fetch ()
{
  local flavour=${1:?} resolved release version
  if [ "$flavour" = local ]; then
    release=$(uname -r)
    [ -d "/lib/modules/$release/build" ] ||
      die "The headers of the running kernel are missing. Install linux-headers-$release."
    echo "$release"
    return
  fi
  resolved=$(resolve "$flavour")
  read -r release version <<<"$resolved"
  if is_debug "$flavour"; then
    with_lock "$cache/lock.$release" build_debug "$flavour" "$release" "$version"
  else
    with_lock "$cache/lock.$release" fetch_release "$release" "$version"
  fi
  echo "$release"
}

cmd_kernels ()
{
  local flavour resolved release version state
  printf '%-11s %-28s %-20s %s\n' FLAVOUR RELEASE PACKAGE STATE
  for flavour in $FLAVOURS; do
    resolved=$(resolve "$flavour" 2>/dev/null) || resolved='- -'
    read -r release version <<<"$resolved"
    state='not fetched'
    ! is_fetched "$release" "$version" || state=fetched
    printf '%-11s %-28s %-20s %s\n' "$flavour" "$release" "$version" "$state"
  done
}
