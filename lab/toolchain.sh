# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# toolchain.sh - the compiler that a kernel's modules require, and kbuild's programs
#
# Modules are built with the compiler that built the kernel, and with programs of its package
# linux-kbuild. Those of a newer release need that release's C library. So both are unpacked with
# all dependencies, not installed, and the ELF headers of each program are set to the paths of
# that library and its loader: then it runs anywhere, for any user, without a chroot.
#
#   $cache/toolchains/ARCHIVE-PACKAGE/          unpacked files; its usr/bin comes first in PATH
#   $cache/toolchains/ARCHIVE-PACKAGE/.package  version of the compiler's package; written last

TOOLCHAIN_LIBRARIES=usr/lib/x86_64-linux-gnu

# use_loader_of TOOLCHAIN FOLDER...: sets the loader of all programs in these folders, once.
use_loader_of ()
{
  local toolchain=$1 file
  shift
  need patchelf patchelf
  find "$@" -type f -size +64c -perm /111 | while read -r file; do
    # Scripts and libraries have no loader. Libraries are found through the program's own path.
    ! patchelf --print-interpreter "$file" >/dev/null 2>&1 ||
      patchelf --set-interpreter "$toolchain/$TOOLCHAIN_LIBRARIES/ld-linux-x86-64.so.2" \
        --force-rpath --set-rpath "$toolchain/$TOOLCHAIN_LIBRARIES" "$file"
  done
}

# fetch_toolchain ARCHIVE PACKAGE NEEDS FINAL: unpacks a compiler and its dependencies; their /lib
# is /usr/lib.
fetch_toolchain ()
{
  local archive=$1 package=$2 needs=$3 final=$4 work deb version
  version=$(candidate "$archive" "$package")
  [ "$(cat "$final/.package" 2>/dev/null)" != "$version" ] || return 0
  say "fetching $package of Debian's $archive (about 60 MB)"
  rm -rf "$final".part.*
  work=$final.part.$$
  mkdir -p "$work"/deb/partial
  archive_apt "$archive" apt-get --no-install-recommends -y -d -o Dir::Cache::archives="$work/deb" \
    install "$package" "$needs" >"$work/apt.log" 2>&1 ||
    { tail -n 5 "$work/apt.log" >&2
      die "The compiler $package could not be fetched. Check the network."; }
  for deb in "$work"/deb/*.deb; do
    case $(basename "$deb") in linux-kbuild-*) continue ;; esac
    dpkg-deb -x "$deb" "$work" || die "$(basename "$deb") could not be unpacked. Is the disk with $cache full?"
  done
  rm -rf "$work/deb" "$work/apt.log" "$work/usr/share"
  # Programs contain the final path of their loader.
  rm -rf "$final"
  mv "$work" "$final"
  use_loader_of "$final" "$final"
  echo "$version" >"$final/.package"
}

# toolchain ARCHIVE COMPILER KBUILD: prints the toolchain's folder, fetched if needed.
toolchain ()
{
  local final=$cache/toolchains/$1-$2
  with_lock "$cache/lock.toolchain.$1" fetch_toolchain "$1" "$2" "$3" "$final"
  echo "$final"
}
