# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# debug-kernel.sh - builds a kernel with all checkers from Debian's source package
#
# KASAN, lockdep, RCU and sleep checks find bugs that a stock kernel survives. The kernel is put
# where stock kernels are unpacked, so that boot, build and other commands need not distinguish
# them.
#
#   $cache/sources/6.12-VERSION/        Debian's source, unpacked
#   $cache/sources/6.12-VERSION.build/  build folder; kept, so that an interrupted build
#                                       can continue
#   $cache/kernels/RELEASE/             same as for a stock kernel; its headers are the
#                                       build folder

DEBUG_FLAVOURS='6.1-debug 6.12-debug backports-debug'

is_debug ()
{
  case " $DEBUG_FLAVOURS " in *" $1 "*) return 0 ;; esac
  return 1
}

# source_package FLAVOUR: prints the source package of its series; nothing if apt has none.
source_package ()
{
  local archive
  archive=$(archive_of "$1")
  use_archive "$archive"
  case $1 in
    [0-9]*) echo "linux-source-${1%%-*}" ;;
    *) depends_on "$archive" linux-source 'linux-source-[0-9].*' | head -n 1 ;;
  esac
}

# resolve_debug FLAVOUR: prints release and version, like resolve. The version includes a hash of
# the configuration, because another configuration makes another kernel.
resolve_debug ()
{
  local memo=$cache/flavours/$1 package version=''
  package=$(source_package "$1")
  [ -z "$package" ] || version=$(candidate "$(archive_of "$1")" "$package")
  if [ -z "$version" ]; then
    [ -f "$memo" ] || die "apt does not know the source of $1, $package. $APT_REMEDY"
    version=$(cat "$memo")
  fi
  mkdir -p "$cache/flavours"
  echo "$version" >"$memo.$$"
  mv "$memo.$$" "$memo"
  echo "${version%%-*}-gilk-debug $version+$(sha256sum <"$lab_dir/debug.config" | cut -c1-8)"
}

# unpack_source ARCHIVE PACKAGE VERSION FINAL: unpacks beside FINAL, then renames.
unpack_source ()
{
  local archive=$1 package=$2 final=$4 work
  [ ! -f "$final/Makefile" ] || return 0
  say "fetching $package $3 (about 150 MB, 1.6 GB unpacked)"
  rm -rf "$final".part.*
  work=$final.part.$$
  mkdir -p "$work/deb"
  ( cd "$work/deb" && archive_apt "$archive" apt-get download "$package=$3" >apt.log 2>&1 ) ||
    { tail -n 5 "$work/deb/apt.log" >&2
      die "$package could not be fetched. Check the network; if apt's lists are old, run \"apt-get update\" as root."; }
  dpkg-deb --fsys-tarfile "$work"/deb/*.deb |
    tar -xO "./usr/src/$package.tar.xz" |
    tar -xJ -C "$work" --strip-components=1 ||
    die "$package could not be unpacked. Is the disk with $cache full?"
  rm -rf "$work/deb"
  mv "$work" "$final"
}

# source FLAVOUR: prints the folder of the unpacked Debian source of its series.
cmd_source ()
{
  local archive package version final
  archive=$(archive_of "$1")
  package=$(source_package "$1")
  version=''
  [ -z "$package" ] || version=$(candidate "$archive" "$package")
  [ -n "$version" ] || die "apt does not know the source of $1, $package. $APT_REMEDY"
  final=$cache/sources/${package#linux-source-}-$version
  mkdir -p "$cache/sources"
  with_lock "$cache/lock.source-${package#linux-source-}" unpack_source "$archive" "$package" "$version" "$final"
  echo "$final"
}

configure_debug ()
{
  local source=$1 objects=$2 digest
  digest=$(sha256sum <"$lab_dir/debug.config")
  [ "$digest" != "$(cat "$objects/.gilk-config" 2>/dev/null)" ] || return 0
  make -C "$source" O="$objects" x86_64_defconfig
  (cd "$objects" && "$source/scripts/kconfig/merge_config.sh" -m -O "$objects" .config "$lab_dir/debug.config")
  make -C "$source" O="$objects" olddefconfig
  make -C "$source" O="$objects" mod2noconfig
  # Options that this series lacks may be dropped, but not checkers.
  local name
  for name in KASAN PROVE_LOCKING PROVE_RCU DEBUG_ATOMIC_SLEEP DEBUG_PREEMPT PREEMPT \
              KPROBES OPTPROBES DYNAMIC_FTRACE LIVEPATCH UNWINDER_ORC KALLSYMS_ALL \
              VIRTIO_CONSOLE VIRTIO_PCI HAVE_STATIC_CALL_INLINE PROC_KCORE; do
    grep -q "^CONFIG_$name=y" "$objects/.config" ||
      { echo "error: CONFIG_$name is not set"; return 1; }
  done
  echo "$digest" >"$objects/.gilk-config"
}

# Runs one step of the build; its output goes to the log, its failure is reported to the user.
debug_step ()
{
  local log=$1
  shift
  "$@" >>"$log" 2>&1 ||
    { grep -aE 'error|Error' "$log" | head -n 10 >&2
      die "The debug kernel does not build. The whole log is $log."; }
}

install_debug ()
{
  local source=$1 objects=$2 release=$3 version=$4 final work
  final=$(kernel_root "$release")
  work=$final.part.$$
  rm -rf "$final".part.*
  mkdir -p "$work/boot" "$work/usr/src"
  cp "$objects/arch/x86/boot/bzImage" "$work/boot/vmlinuz-$release"
  cp "$objects/System.map" "$work/boot/System.map-$release"
  cp "$objects/.config" "$work/boot/config-$release"
  PATH=$PATH:/usr/sbin:/sbin make -C "$source" O="$objects" INSTALL_MOD_PATH="$work" modules_install
  ln -s "$objects" "$work/usr/src/linux-headers-$release"
  echo "$version" >"$work/.package"
  rm -rf "$final"
  mv "$work" "$final"
}

# build_debug FLAVOUR RELEASE VERSION
build_debug ()
{
  local flavour=$1 release=$2 version=$3 source objects log
  ! is_fetched "$release" "$version" || return 0
  need flex flex
  need bison bison
  need bc bc
  source=$(cmd_source "$flavour")
  objects=$source.build
  log=$objects/gilk-build.log
  mkdir -p "$objects"
  : >"$log"
  say "building $release with its checkers (10 minutes on 2 idle cores; log: $log)"
  debug_step "$log" configure_debug "$source" "$objects"
  debug_step "$log" nice make -C "$source" O="$objects" -j"${GILK_JOBS:-$(nproc)}" KERNELRELEASE="$release" bzImage modules
  debug_step "$log" install_debug "$source" "$objects" "$release" "$version"
}
