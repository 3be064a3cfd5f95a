# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# emulator.sh - chooses the QEMU that runs the labs
#
# QEMU before 8.1 may keep a translation of a byte that another CPU was writing while QEMU
# read it, until the byte is written again. This happens when static keys or trace points are
# switched under load: the kernel dies of an int3 that is no longer there. That is neither the
# kernel's fault nor ours (tests/soak/README.md has the control experiment). So if Debian's own
# QEMU is older, the labs run on the QEMU of its backports, which is unpacked beside the kernels,
# not installed:
#
#   GILK_EMULATOR=auto         (default) stock if it is new enough, if the lab counts instructions
#                              (its CPUs run in turn, so none reads bytes that another writes), or
#                              if a plugin is used, whose interface newer versions lack; else
#                              backports, if they can be fetched
#   GILK_EMULATOR=stock        the installed qemu-system-x86
#   GILK_EMULATOR=backports    the one in $cache/emulator, fetched on first use

EMULATOR_PACKAGES='qemu-system-x86 qemu-system-common qemu-system-data'

fetch_emulator ()
{
  local final=$cache/emulator work=$cache/emulator.part.$$ deb names=() name
  [ ! -f "$final/.package" ] || return 0
  say "fetching a newer QEMU from Debian's backports (13 MB)"
  rm -rf "$final".part.*
  mkdir -p "$work/deb"
  for name in $EMULATOR_PACKAGES; do
    names+=("$name/bookworm-backports")
  done
  use_archive bookworm-backports
  (cd "$work/deb" && archive_apt bookworm-backports apt-get download "${names[@]}") >"$work/apt.log" 2>&1 ||
    { tail -n 5 "$work/apt.log" >&2
      die "The newer QEMU could not be fetched. Check the network, or run with GILK_EMULATOR=stock."; }
  for deb in "$work"/deb/*.deb; do
    dpkg-deb -x "$deb" "$work" || die "$(basename "$deb") could not be unpacked. Is the disk with $cache full?"
  done
  dpkg-deb -f "$work"/deb/qemu-system-x86_*.deb Version >"$work/.package"
  rm -rf "$work/deb" "$work/apt.log"
  rm -rf "$final"
  mv "$work" "$final"
}

# stock_serves ACCELERATOR: whether the installed QEMU can be used.
stock_serves ()
{
  local version
  [ "$1" != icount ] && [ -z "${GILK_LAB_PLUGIN:-}" ] || return 0
  version=$(qemu-system-x86_64 --version | sed -nE '1s/.*version ([0-9.]+).*/\1/p')
  printf '8.1\n%s\n' "$version" | sort -C -V
}

# backports_serve: whether the backport is available, fetched if needed. A failed fetch is not
# retried before the next boot.
backports_serve ()
{
  local no=$runtime/emulator-no boot
  boot=$(cat /proc/sys/kernel/random/boot_id)
  [ "$(cat "$no" 2>/dev/null)" != "$boot" ] || return 1
  (with_lock "$cache/lock.emulator" fetch_emulator) && return
  say "using the installed QEMU; a kernel may die of its own static keys under it (tests/soak/README.md)"
  private_dir "$runtime"
  echo "$boot" >"$no"
  return 1
}

# choose_emulator [ACCELERATOR]: sets emulator to the start of QEMU's command line.
choose_emulator ()
{
  local which=${GILK_EMULATOR:-auto}
  [ "$which" != auto ] || { ! stock_serves "${1:-}" && backports_serve && which=backports || which=stock; }
  case $which in
    stock) emulator=(qemu-system-x86_64) ;;
    backports)
      with_lock "$cache/lock.emulator" fetch_emulator
      emulator=(env "QEMU_MODULE_DIR=$cache/emulator/usr/lib/x86_64-linux-gnu/qemu"
                "$cache/emulator/usr/bin/qemu-system-x86_64"
                -L "$cache/emulator/usr/share/qemu" -L /usr/share/seabios) ;;
    *) die "GILK_EMULATOR is auto, stock or backports, not \"$GILK_EMULATOR\"." ;;
  esac
}

# emulator: prints its version.
cmd_emulator ()
{
  choose_emulator
  "${emulator[@]}" --version | head -n 1
}
