# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# built-kernel.sh - builds kernels that Debian does not have from its source package
#
# KASAN, lockdep, RCU and sleep checks find bugs that a stock kernel survives. Other distributions
# configure their kernels in another way: how they are preempted, what stands in front of each
# function, which compiler made them. Such a kernel is put where stock kernels are unpacked, so that
# boot, build and other commands need not distinguish them.
#
#   $cache/sources/6.12-VERSION/          Debian's source, unpacked
#   $cache/sources/6.12-VERSION.KIND/     build folder; kept, so that an interrupted build
#                                         can continue
#   $cache/kernels/RELEASE/               same as for a stock kernel; its headers are the
#                                         build folder
#   $cache/kernels/RELEASE/.make          words that make needs for its modules, if any
#
# The configuration is x86_64_defconfig with the files of lab/configs that config_files() names.

BUILT_FLAVOURS='6.1-debug 6.12-debug backports-debug 6.12-ubuntu backports-fedora backports-arch backports-kcfi'
CLANG=19                # of Debian 12; kCFI needs 16

is_built ()
{
  case " $BUILT_FLAVOURS " in *" $1 "*) return 0 ;; esac
  return 1
}

# config_files FLAVOUR: prints the files that are merged, in order; a later one overrides.
config_files ()
{
  local kind=${1##*-}
  echo "$lab_dir/configs/base.config"
  [ "$kind" = debug ] || echo "$lab_dir/configs/distribution.config"
  echo "$lab_dir/configs/$kind.config"
}

# make_words FLAVOUR: prints what make needs to know of the compiler.
make_words ()
{
  [ "${1##*-}" != kcfi ] || echo "LLVM=-$CLANG"
}

config_digest ()
{
  # shellcheck disable=SC2046
  { cat $(config_files "$1"); make_words "$1"; } | sha256sum | cut -c1-8
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

# resolve_built FLAVOUR: prints release and version, like resolve. The version includes a hash of
# the configuration, because another configuration makes another kernel.
resolve_built ()
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
  echo "${version%%-*}-gilk-${1##*-} $version+$(config_digest "$1")"
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

# Steps chain their commands by &&, as callers of cmd_fetch have errexit off.

# check_config FLAVOUR FILE: options that this series lacks may be dropped, but none of the flavour's own file, nor what the
# driver and the lab need.
check_config ()
{
  local files name
  files=$(config_files "$1")
  for name in KPROBES OPTPROBES DYNAMIC_FTRACE LIVEPATCH UNWINDER_ORC KALLSYMS_ALL VIRTIO_CONSOLE VIRTIO_PCI \
              HAVE_STATIC_CALL_INLINE PROC_KCORE $(sed -nE 's/^CONFIG_(.*)=y$/\1/p' "${files##*$'\n'}"); do
    grep -q "^CONFIG_$name=y" "$2" ||
      { echo "error: CONFIG_$name is not set"; return 1; }
  done
}

# configure_built FLAVOUR SOURCE OBJECTS
configure_built ()
{
  local flavour=$1 source=$2 objects=$3 digest
  digest=$(config_digest "$flavour")
  [ "$digest" != "$(cat "$objects/.gilk-config" 2>/dev/null)" ] || return 0
  # shellcheck disable=SC2046
  make -C "$source" O="$objects" $(make_words "$flavour") x86_64_defconfig &&
    (cd "$objects" && "$source/scripts/kconfig/merge_config.sh" -m -O "$objects" .config $(config_files "$flavour")) &&
    make -C "$source" O="$objects" $(make_words "$flavour") olddefconfig &&
    make -C "$source" O="$objects" $(make_words "$flavour") mod2noconfig &&
    check_config "$flavour" "$objects/.config" &&
    echo "$digest" >"$objects/.gilk-config"
}

# Runs one step of the build; its output goes to the log, its failure is reported to the user.
built_step ()
{
  local log=$1
  shift
  "$@" >>"$log" 2>&1 ||
    { grep -aE 'error|Error' "$log" | head -n 10 >&2
      die "The kernel does not build. The whole log is $log."; }
}

# install_built FLAVOUR SOURCE OBJECTS RELEASE VERSION
install_built ()
{
  local flavour=$1 source=$2 objects=$3 release=$4 version=$5 final work words
  words=$(make_words "$flavour")
  final=$(kernel_root "$release")
  work=$final.part.$$
  # shellcheck disable=SC2086
  rm -rf "$final".part.* &&
    mkdir -p "$work/boot" "$work/usr/src" &&
    cp "$objects/arch/x86/boot/bzImage" "$work/boot/vmlinuz-$release" &&
    cp "$objects/System.map" "$work/boot/System.map-$release" &&
    cp "$objects/.config" "$work/boot/config-$release" &&
    PATH=$PATH:/usr/sbin:/sbin make -C "$source" O="$objects" $words INSTALL_MOD_PATH="$work" modules_install &&
    ln -s "$objects" "$work/usr/src/linux-headers-$release" &&
    echo "$words" >"$work/.make" &&
    echo "$version" >"$work/.package" &&
    rm -rf "$final" &&
    mv "$work" "$final"
}

# need_builders FLAVOUR: checks that the programs that its build needs are there; names all packages
# that are missing in one message.
need_builders ()
{
  local kind=${1##*-} pair missing=()
  local pairs=(flex/flex bison/bison bc/bc)
  [ "$kind" = debug ] || pairs+=(pahole/dwarves)
  [ "$kind" != kcfi ] || pairs+=("clang-$CLANG/clang-$CLANG" "ld.lld-$CLANG/lld-$CLANG" "llvm-ar-$CLANG/llvm-$CLANG")
  for pair in "${pairs[@]}"; do
    command -v "${pair%/*}" >/dev/null 2>&1 || missing+=("${pair#*/}")
  done
  [ "$kind" = debug ] || [ -e /usr/include/openssl/opensslv.h ] || missing+=(libssl-dev)
  [ ${#missing[@]} -eq 0 ] || die "To build the kernel $1, first install packages: apt-get install ${missing[*]}"
}

# build_kernel FLAVOUR RELEASE VERSION
build_kernel ()
{
  local flavour=$1 release=$2 version=$3 source objects log words
  ! is_fetched "$release" "$version" || return 0
  need_builders "$flavour"
  words=$(make_words "$flavour")
  source=$(cmd_source "$flavour") || exit 1
  objects=$source.${flavour##*-}
  log=$objects/gilk-build.log
  mkdir -p "$objects"
  : >"$log"
  say "building $release (half an hour on 2 idle cores, less for debug kernels; log: $log)"
  built_step "$log" configure_built "$flavour" "$source" "$objects"
  # shellcheck disable=SC2086
  built_step "$log" nice make -C "$source" O="$objects" -j"${GILK_JOBS:-$(nproc)}" $words KERNELRELEASE="$release" bzImage modules
  built_step "$log" install_built "$flavour" "$source" "$objects" "$release" "$version"
}
