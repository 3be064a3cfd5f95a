# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernels.sh - fetches and unpacks stock kernels, without installing them
#
# No version is hard-coded: Debian's meta-packages name the current kernel of each flavour.
# Works as an ordinary user; needs only apt's package lists. Kernels of other releases than the
# machine's come from archives of our own (archive.sh), together with the compiler that their
# modules require (toolchain.sh).
#
#   $cache/kernels/RELEASE/       image and headers, unpacked side by side
#   $cache/kernels/RELEASE/.package   version of the image package; written last
#   $cache/kernels/RELEASE/.toolchain folder of its compiler, if not the machine's
#   $cache/flavours/FLAVOUR       release and version that apt last reported

FLAVOURS='6.1 6.12 6.1-cloud 6.1-rt 6.12-cloud 6.12-rt debian13 debian13-cloud debian13-rt'
FLAVOURS+=" backports backports-cloud backports-rt forky forky-cloud forky-rt sid sid-cloud sid-rt $BUILT_FLAVOURS"
APT_REMEDY="Run \"apt-get update\" as root with Debian 12's main and security archives enabled."

# archive_of FLAVOUR: prints its archive. Backports are those of Debian 13, the current stable
# release.
archive_of ()
{
  case $1 in
    debian13* | backports* | forky* | sid*) echo "${1%%-*}" ;;
    *) echo machine ;;
  esac
}

unknown_flavour ()
{
  die "There is no kernel flavour \"$1\". Choose one of: $FLAVOURS."
}

# meta_suffix FLAVOUR: prints the end of the meta-packages' names: for "6.12-cloud" these are
# linux-{image,headers}-6.12-cloud-amd64. 6.1 is the release's own kernel, whose meta-packages have
# no version; debian12 is the same, for the names of systems (system.sh).
meta_suffix ()
{
  case $1 in
    6.1 | debian12 | debian13 | backports | forky | sid) echo amd64 ;;
    6.1-cloud | 6.1-rt | debian13-cloud | debian13-rt | backports-cloud | backports-rt | forky-cloud | forky-rt | sid-cloud | sid-rt)
      echo "${1#*-}-amd64" ;;
    6.12 | 6.12-cloud | 6.12-rt) echo "$1-amd64" ;;
    *) unknown_flavour "$1" ;;
  esac
}

# depends_on ARCHIVE PACKAGE PATTERN: prints the dependencies of PACKAGE that match PATTERN.
depends_on ()
{
  archive_apt "$1" apt-cache depends --important "$2" 2>/dev/null |
    sed -nE "s/^ *\|?Depends: ($3)\$/\1/p"
}

# candidate ARCHIVE PACKAGE: prints the version that apt would fetch; nothing if apt has none.
candidate ()
{
  archive_apt "$1" apt-cache policy "$2" 2>/dev/null | sed -nE 's/^ *Candidate: //p' | grep -v '(none)' || true
}

# is_current MEMO ARCHIVE: whether MEMO is newer than the archive's lists.
is_current ()
{
  local lists=/var/lib/apt/lists
  [ "$2" = machine ] || lists=$cache/archives/$2/.fetched
  [ -f "$1" ] && [ "$1" -nt "$lists" ]
}

# resolve FLAVOUR: prints release and package version, such as "6.1.0-56-amd64 6.1.192-2".
# The result is cached until apt's lists change, and also used if there are no lists.
resolve ()
{
  local memo=$cache/flavours/$1 archive meta image
  if is_built "$1"; then
    resolve_built "$1"
    return
  fi
  meta=linux-image-$(meta_suffix "$1")
  archive=$(archive_of "$1")
  use_archive "$archive"
  if ! is_current "$memo" "$archive"; then
    image=$(depends_on "$archive" "$meta" 'linux-image-[0-9].*' | head -n 1)
    if [ -n "$image" ]; then
      mkdir -p "$cache/flavours"
      echo "${image#linux-image-} $(candidate "$archive" "$image")" >"$memo.$$"
      mv "$memo.$$" "$memo"
    elif [ ! -f "$memo" ]; then
      die "apt does not know the package $meta. $APT_REMEDY"
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

# is_fetched RELEASE VERSION: whether that version of the kernel is unpacked.
is_fetched ()
{
  [ "$(cat "$(kernel_root "$1")/.package" 2>/dev/null)" = "$2" ]
}

# The header packages contain the paths where they would be installed; replace these by the actual
# ones.
relocate_headers ()
{
  local where=$1 file
  for file in "$where"/usr/src/linux-headers-*/Makefile; do
    sed -i -E "s,^(-?include |KBUILD_OUTPUT=)/usr/src/,\1$2/usr/src/," "$file"
  done
}

# packages_of ARCHIVE PACKAGE...: prints these packages and those into which they are split.
packages_of ()
{
  local archive=$1 package
  local -A seen=()
  shift
  while [ $# -gt 0 ]; do
    package=$1
    shift
    [ -z "${seen[$package]:-}" ] || continue
    seen[$package]=1
    # Skip the same image without a signature, with which the dependency of headers is also
    # satisfied.
    case $package in *-unsigned | linux-binary-unsigned-*) continue ;; esac
    echo "$package"
    # shellcheck disable=SC2046
    set -- "$@" $(depends_on "$archive" "$package" 'linux-(image|binary|modules|base|headers|kbuild)-[0-9].*')
  done
}

# fetch_packages ARCHIVE RELEASE: fetches the kernel's packages into the current folder.
fetch_packages ()
{
  local archive=$1 release=$2 packages
  packages=$(packages_of "$archive" "linux-image-$release" "linux-headers-$release")
  case $packages in
    *linux-kbuild-*) ;;
    *) die "apt does not know the headers of $release. Run \"apt-get update\" as root." ;;
  esac
  # shellcheck disable=SC2086
  archive_apt "$archive" apt-get download $packages >apt.log 2>&1 ||
    { tail -n 5 apt.log >&2
      die "The packages of $release could not be fetched. Check the network; if apt's lists are old, run \"apt-get update\" as root."; }
}

# Newer packages have everything in /usr, and the image beside the modules.
settle_paths ()
{
  local where=$1 release=$2
  [ -e "$where/lib" ] || ln -s usr/lib "$where/lib"
  [ -e "$where/boot" ] || mkdir "$where/boot"
  [ -e "$where/boot/vmlinuz-$release" ] ||
    ln -s "../usr/lib/modules/$release/vmlinuz" "$where/boot/vmlinuz-$release"
}

# find_compiler WORK ARCHIVE RELEASE: stores the compiler's folder with the kernel, and makes its
# kbuild use it.
find_compiler ()
{
  local work=$1 archive=$2 release=$3 headers=linux-headers-$3 compiler kbuild
  [ "$archive" != machine ] || return 0
  compiler=$(depends_on "$archive" "$headers" 'gcc-[0-9]+(-for-host)?|linux-compiler-gcc-.*' | head -n 1)
  kbuild=$(packages_of "$archive" "$headers" | grep '^linux-kbuild-')
  [ -n "$compiler" ] || die "The package $headers of Debian's $archive names no compiler."
  toolchain "$archive" "$compiler" "$kbuild" >"$work/.toolchain"
  use_loader_of "$(cat "$work/.toolchain")" "$work"/usr/lib/linux-kbuild-*
}

# fetch_release ARCHIVE RELEASE VERSION: unpacks beside the final folder and then renames, so
# that an interrupted fetch leaves nothing incomplete.
fetch_release ()
{
  local archive=$1 release=$2 final work deb
  ! is_fetched "$release" "$3" || return 0
  need dpkg-deb dpkg
  say "fetching $release (image and headers, about 90 MB)"
  final=$(kernel_root "$release")
  work=$final.part.$$
  rm -rf "$final".part.*
  mkdir -p "$work/deb"
  ( cd "$work/deb" && fetch_packages "$archive" "$release" )
  for deb in "$work"/deb/*.deb; do
    dpkg-deb -x "$deb" "$work" ||
      die "$(basename "$deb") could not be unpacked. Is the disk with $cache full?"
  done
  dpkg-deb -f "$work/deb/linux-image-$release"_*.deb Version >"$work/.package"
  rm -rf "$work/deb" "$work/usr/share"
  settle_paths "$work" "$release"
  find_compiler "$work" "$archive" "$release"
  relocate_headers "$work" "$final"
  rm -rf "$final"
  mv "$work" "$final"
}

# fetch FLAVOUR: fetches and unpacks a kernel if needed; prints its release.
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
  # A caller that takes the output in a substitution has errexit off.
  resolved=$(resolve "$flavour") || exit 1
  read -r release version <<<"$resolved"
  if is_built "$flavour"; then
    with_lock "$cache/lock.$release" build_kernel "$flavour" "$release" "$version"
  else
    with_lock "$cache/lock.$release" fetch_release "$(archive_of "$flavour")" "$release" "$version"
  fi
  echo "$release"
}

cmd_kernels ()
{
  local flavour resolved release version state
  printf '%-15s %-30s %-20s %s\n' FLAVOUR RELEASE PACKAGE STATE
  for flavour in $FLAVOURS; do
    resolved=$(resolve "$flavour" 2>/dev/null) || resolved='- -'
    read -r release version <<<"$resolved"
    state='not fetched'
    ! is_fetched "$release" "$version" || state=fetched
    printf '%-15s %-30s %-20s %s\n' "$flavour" "$release" "$version" "$state"
  done
}
