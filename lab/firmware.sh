# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# firmware.sh - systems that boot like current machines: with UEFI and Secure Boot
#
# The firmware has Microsoft's keys and checks Debian's shim, which checks GRUB, which checks the
# kernel. All are signed by Debian; nothing is signed here. They are on a partition of the lab's
# own.
#
#   $cache/firmware/RELEASE/{code,vars,shim,grub}
#   $cache/firmware/RELEASE/.packages     versions; written last
#
#   NAME/vars     variables of the firmware, including keys
#   NAME/esp      EFI system partition: shim, GRUB with one entry, kernel, initial archive

FIRMWARE_PACKAGES='ovmf shim-signed grub-efi-amd64-signed'

firmware_versions ()
{
  local package
  for package in $FIRMWARE_PACKAGES; do
    echo "$package $(candidate "$1" "$package")"
  done
}

fetch_firmware ()
{
  local release=$1 versions=$2 final=$cache/firmware/$1 work=$cache/firmware/$1.part.$$ deb
  [ "$versions" != "$(cat "$final/.packages" 2>/dev/null)" ] || return 0
  say "fetching firmware and boot loaders of $release (8 MB)"
  rm -rf "$final".part.*
  mkdir -p "$work/deb"
  # shellcheck disable=SC2086
  (cd "$work/deb" && archive_apt "$release" apt-get download $FIRMWARE_PACKAGES) >"$work/apt.log" 2>&1 ||
    { tail -n 5 "$work/apt.log" >&2
      die "The firmware could not be fetched. Check the network; if apt's lists are old, run \"apt-get update\" as root."; }
  for deb in "$work"/deb/*.deb; do
    dpkg-deb -x "$deb" "$work/from" || die "$(basename "$deb") could not be unpacked. Is the disk with $cache full?"
  done
  cp -L "$work/from/usr/share/OVMF/OVMF_CODE_4M.ms.fd" "$work/code"
  cp -L "$work/from/usr/share/OVMF/OVMF_VARS_4M.ms.fd" "$work/vars"
  cp "$work/from/usr/lib/shim/shimx64.efi.signed" "$work/shim"
  cp "$work/from/usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed" "$work/grub"
  rm -rf "$work/deb" "$work/from"
  echo "$versions" >"$work/.packages"
  rm -rf "$final"
  mv "$work" "$final"
}

# prepare_firmware NAME RELEASE: must be called before a boot with this firmware.
prepare_firmware ()
{
  need mcopy mtools
  use_archive "$2"
  mkdir -p "$cache/firmware"
  with_lock "$cache/lock.firmware.$2" fetch_firmware "$2" "$(firmware_versions "$2")"
  cp "$cache/firmware/$2/vars" "$(lab_path "$1")/vars"
}

# make_esp NAME RELEASE KERNEL INITRD WORDS: makes a partition with 8 MiB to spare, large enough for
# FAT32, which requires 65,525 clusters.
make_esp ()
{
  local dir from=$cache/firmware/$2 esp bytes size
  dir=$(lab_path "$1")
  esp=$dir/esp
  bytes=$(cat "$3" "$4" "$from/shim" "$from/grub" | wc -c)
  printf 'set timeout=0\nlinux /vmlinuz %s\ninitrd /initrd\nboot\n' "$5" >"$dir/grub.cfg"
  rm -f "$esp"
  size=$((bytes / 1048576 + 8))
  truncate -s "$((size < 64 ? 64 : size))M" "$esp"
  mformat -i "$esp" -F -c 1 :: &&
    mmd -i "$esp" ::EFI ::EFI/BOOT ::EFI/debian &&
    mcopy -i "$esp" "$from/shim" ::EFI/BOOT/BOOTX64.EFI &&
    mcopy -i "$esp" "$from/grub" ::EFI/BOOT/grubx64.efi &&
    mcopy -i "$esp" "$dir/grub.cfg" ::EFI/debian/grub.cfg &&
    mcopy -i "$esp" "$3" ::vmlinuz &&
    mcopy -i "$esp" "$4" ::initrd ||
    die "The boot partition of the lab \"$1\" could not be made. Check the space on the disk with $runtime."
}

# Only the firmware's own code may write its variables: this requires system management mode.
firmware_arguments ()
{
  local dir=$1 from=$cache/firmware/$2
  printf '%s\n' -machine q35,smm=on -global driver=cfi.pflash01,property=secure,value=on \
    -global ICH9-LPC.disable_s3=1 \
    -drive "if=pflash,unit=0,format=raw,readonly=on,file=$from/code" \
    -drive "if=pflash,unit=1,format=raw,file=$dir/vars" \
    -drive "file=$dir/esp,if=virtio,format=raw,readonly=on"
}
