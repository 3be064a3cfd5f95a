# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# initramfs.sh - builds a lab's whole file system: one uncompressed cpio archive
#
#   /bin, /sbin           busybox, gilkd, lab-guest, the workloads
#   /lib/modules/RELEASE/extra    ilk.ko, instruments, test modules
#   /lab/stock            stock modules to load at boot, numbered in order
#   /lab/pipeline         the stages of the case study, under their own names
#
# Nothing is compressed, as emulated CPUs unpack slowly.

# Stock modules that a lab needs; modules that are built in are skipped.
STOCK_MODULES='virtio_pci virtio_console'

# lab/workloads/NAME.c; each is /bin/NAME in the lab.
WORKLOADS=(attach calls pages pointers traffic)

# Builds the programs that a lab needs; configures the build if that was not done.
build_programs ()
{
  need meson meson
  need ninja ninja-build
  if [ ! -f "$build/build.ninja" ]; then
    say "configuring $build"
    meson setup "$build" "$root" >"$build.setup.log" 2>&1 ||
      { tail -n 5 "$build.setup.log" >&2
        die "The build cannot be configured. Install what is missing (./run installs what is needed)."; }
    rm -f "$build.setup.log"
  fi
  local log=$build/lab-programs.log targets
  targets=(lab/lab-ctl lab/lab-guest lab/lab-stage "${WORKLOADS[@]/#/lab/lab-}")
  [ ! -f "$root/agent/meson.build" ] || targets+=(agent/gilkd)
  ninja -C "$build" "${targets[@]}" >"$log" 2>&1 ||
    { grep -E 'error:|FAILED' "$log" | head -n 10 >&2
      die "The lab's programs do not build. The whole log is $log."; }
}

# list_module RELEASE NAME: prints the files of the modules that it needs, and then its own; nothing
# if it is built in. Does without modules.dep, as depmod reads all modules of the kernel.
list_module ()
{
  local file needed
  file=$(find "$(kernel_root "$1")/lib/modules/$1/kernel" -name "${2//_/[-_]}.ko*" -print -quit)
  [ -n "$file" ] || return 0
  for needed in $(PATH=$PATH:/usr/sbin:/sbin modinfo -F depends "$file" | tr , ' '); do
    list_module "$1" "$needed"
  done
  echo "$file"
}

# stock_module_files RELEASE: prints module files in the order in which to load them.
stock_module_files ()
{
  local name
  need modinfo kmod
  for name in $STOCK_MODULES; do
    list_module "$1" "$name"
  done | awk '!seen[$0]++'
}

install_programs ()
{
  local tree=$1 applet workload
  cp "$(command -v busybox)" "$tree/bin/busybox"
  for applet in $("$tree/bin/busybox" --list); do
    [ "$applet" = busybox ] || ln -s busybox "$tree/bin/$applet"
  done
  cp "$build/lab/lab-guest" "$tree/bin/"
  for workload in "${WORKLOADS[@]}"; do
    cp "$build/lab/lab-$workload" "$tree/bin/$workload"
    strip "$tree/bin/$workload"
  done
  for applet in cat tr sed grep; do
    cp "$build/lab/lab-stage" "$tree/lab/pipeline/$applet"
  done
  cp "$lab_dir/workloads/pipeline" "$tree/bin/pipeline"
  cp "$lab_dir/guest/init" "$tree/init"
  [ ! -x "$build/agent/gilkd" ] || cp "$build/agent/gilkd" "$tree/bin/gilkd"
  [ ! -f "$tree/bin/gilkd" ] || strip "$tree/bin/gilkd"
  strip "$tree/bin/lab-guest" "$tree"/lab/pipeline/*
}

install_modules ()
{
  local tree=$1 release=$2 file n=10 extra
  for file in $(stock_module_files "$release"); do
    case $file in
      *.xz) xz -dc "$file" >"$tree/lab/stock/$n-$(basename "$file" .xz)" ;;
      *.zst) zstd -qdc "$file" >"$tree/lab/stock/$n-$(basename "$file" .zst)" ;;
      *) cp "$file" "$tree/lab/stock/$n-$(basename "$file")" ;;
    esac
    n=$((n + 1))
  done
  extra=$tree/lib/modules/$release/extra
  mkdir -p "$extra"
  find "$(out_dir "$release")/modules" -name '*.ko' -exec cp -t "$extra" {} +
  find "$extra" -name '*.ko' -exec strip --strip-debug {} +
}

initramfs_digest ()
{
  local release=$1
  { cat "$(out_dir "$release")/digest" "$lab_dir/initramfs.sh"
    cat "$lab_dir/guest/init" "$lab_dir/workloads/pipeline" "$(command -v busybox)"
    cat "$build"/lab/lab-{guest,stage} "${WORKLOADS[@]/#/$build/lab/lab-}"
    [ ! -f "$build/agent/gilkd" ] || cat "$build/agent/gilkd"
  } | sha256sum | cut -d' ' -f1
}

pack_initramfs ()
{
  local release=$1 out digest tree
  out=$(out_dir "$release")
  digest=$(initramfs_digest "$release")
  [ "$digest" != "$(cat "$out/initramfs.digest" 2>/dev/null)" ] || return 0
  rm -f "$out/initramfs.digest"
  tree=$out/tree
  rm -rf "$tree"
  mkdir -p "$tree"/{bin,dev,etc,lab/stock,lab/pipeline,lib,mnt,proc,root,sys,tmp,run}
  ln -s bin "$tree/sbin"
  install_programs "$tree"
  install_modules "$tree" "$release"
  chmod 0755 "$tree/init"
  (cd "$tree" && find . -mindepth 1 | cpio --quiet -o -H newc -R 0:0) >"$out/initramfs.new"
  mv "$out/initramfs.new" "$out/initramfs.cpio"
  rm -rf "$tree"
  echo "$digest" >"$out/initramfs.digest"
}

# initramfs FLAVOUR: prints the archive's path.
cmd_initramfs ()
{
  local release
  need busybox busybox-static
  need cpio cpio
  cmd_build "${1:?}" >/dev/null
  release=$(cmd_fetch "$1") || exit 1
  with_lock "$build/lab/lock.programs" build_programs
  with_lock "$build/lab/lock.$release" pack_initramfs "$release"
  echo "$(out_dir "$release")/initramfs.cpio"
}
