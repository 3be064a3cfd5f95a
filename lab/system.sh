# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# system.sh - whole distributions as labs: Debian with systemd, polkit, sshd and a desktop user
#
# An image is built from packages, without root, and cached beside the kernels until its recipe
# (lab/system) or Debian's kernel changes. A lab writes to an overlay of its own. Files that differ
# between labs (keys, the name) or change often (lab-guest, units) are on a second disk, the
# seed: a tar that the initial archive unpacks over the root at each boot.
#
#   $cache/systems/RELEASE/image      an ext4 file system, sparse
#   $cache/systems/RELEASE/{vmlinuz,initrd}
#   $cache/systems/RELEASE/.recipe    digest of its inputs; written last
#
#   NAME/disk                         the lab's overlay; the next boot deletes it without --keep
#   NAME/{system,recipe}              release and image from which it was made
#   NAME/key, key.pub, known_hosts, ssh_config       ssh -F NAME/ssh_config NAME

SYSTEMS='debian12 debian13'
IMAGE_SIZE=8G
SYSTEM_WORDS='root=/dev/vda rw fsck.mode=skip net.ifnames=0 systemd.show_status=0'

# Prints the release of a lab that runs or ran; nothing for a bare kernel.
system_of ()
{
  cat "$(lab_path "$1")/system" 2>/dev/null || true
}

system_packages ()
{
  sed -E '/^(#|$)/d' "$lab_dir/system/packages"
}

recipe_digest ()
{
  { echo "$@" $IMAGE_SIZE
    cat "$lab_dir"/system/{packages,essential,customize}
    # Only the part of this file that makes the image, without other comments.
    sed -n '/^make_image/,/^}/p' "$lab_dir/system.sh"
  } | sha256sum | cut -d' ' -f1
}

# Fails before packages are fetched if the user may not create namespaces.
need_name_spaces ()
{
  [ "$(id -u)" != 0 ] || return 0
  need newuidmap uidmap
  unshare --user --map-root-user true 2>/dev/null ||
    die "This machine lets no user make name spaces, which an image needs. As root: sysctl kernel.unprivileged_userns_clone=1, or make it once as root with GILK_CACHE=$cache."
  grep -qE "^($(id -un)|$(id -u)):" /etc/subuid 2>/dev/null ||
    die "The user $(id -un) has no range in /etc/subuid, which an image needs. As root: usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $(id -un)"
}

# make_image RELEASE KERNEL WORK: fakeroot keeps the owners between the tar and the file system.
make_image ()
{
  local system=$1 kernel=$2 work=$3 log=$cache/systems/$1.log packages
  packages=$(system_packages | paste -sd,),linux-image-$kernel,linux-headers-$kernel
  archive_sources "$system" >"$work/sources"
  mmdebstrap --variant=minbase --include="$packages" \
    --essential-hook="$(cat "$lab_dir/system/essential")" \
    --customize-hook="$(cat "$lab_dir/system/customize")" \
    '' - "$work/sources" 2>"$log" >"$work/tar" ||
    { grep -E '^E:' "$log" | head -n 5 >&2
      die "The image of $system could not be made; the whole log is $log. Check the network and the space in /tmp; if $kernel is not found, run \"apt-get update\" as root."; }
  # shellcheck disable=SC2016
  PATH=$PATH:/usr/sbin:/sbin fakeroot sh -ec '
    mkdir "$1/root"
    tar -x -C "$1/root" --xattrs --xattrs-include="*" -f "$1/tar"
    rm "$1/tar"
    cp "$1/root/boot/vmlinuz-$2" "$1/vmlinuz"
    cp "$1/root/boot/initrd.img-$2" "$1/initrd"
    mkfs.ext4 -q -L root -E lazy_itable_init=1,root_owner=0:0 -d "$1/root" "$1/image" "$3"
    rm -rf "$1/root"' make "$work" "$kernel" $IMAGE_SIZE >>"$log" 2>&1 ||
    { tail -n 5 "$log" >&2
      die "The file system of $system could not be made; the whole log is $log. Check the space on the disk with $cache."; }
}

fetch_system ()
{
  local system=$1 kernel=$2 version=$3 final=$cache/systems/$1 work=$cache/systems/$1.part.$$ digest
  digest=$(recipe_digest "$system" "$kernel" "$version")
  [ "$digest" != "$(cat "$final/.recipe" 2>/dev/null)" ] || return 0
  need mmdebstrap mmdebstrap
  need fakeroot fakeroot
  need mkfs.ext4 e2fsprogs
  need_name_spaces
  say "making an image of $system with $kernel from packages (one to three minutes, 1.5 GB)"
  rm -rf "$final".part.*
  mkdir -p "$work"
  make_image "$system" "$kernel" "$work"
  echo "$kernel" >"$work/release"
  echo "$digest" >"$work/.recipe"
  rm -rf "$final"
  mv "$work" "$final"
}

known_system ()
{
  case " $SYSTEMS " in *" $1 "*) return 0 ;; esac
  die "There is no system \"$1\". Choose one of: $SYSTEMS."
}

# image RELEASE: makes the image if needed; prints its folder.
cmd_image ()
{
  local system=${1:?} resolved kernel version
  known_system "$system"
  resolved=$(resolve "$system") || exit 1
  read -r kernel version <<<"$resolved"
  mkdir -p "$cache/systems"
  with_lock "$cache/lock.system.$system" fetch_system "$system" "$kernel" "$version" >&2
  echo "$cache/systems/$system"
}

# ---- a lab with a system ----

# make_keys NAME: makes keys of the lab and of its user; they last as long as its folder.
make_keys ()
{
  local dir
  dir=$(lab_path "$1")
  need ssh-keygen openssh-client
  [ -f "$dir/key" ] || ssh-keygen -q -t ed25519 -N '' -C "lab $1" -f "$dir/key"
  [ -f "$dir/host_key" ] || ssh-keygen -q -t ed25519 -N '' -C "lab $1" -f "$dir/host_key"
}

# The seed has only files, with permissions: folders come from the image.
make_seed ()
{
  local name=$1 dir tree i wants
  dir=$(lab_path "$name")
  tree=$dir/seed
  rm -rf "$tree"
  cp -r "$lab_dir/system/root" "$tree"
  wants=$tree/etc/systemd/system/multi-user.target.wants
  mkdir -p "$wants" "$tree/usr/local/sbin"
  ln -s ../lab-up.service "$wants/"
  for ((i = 0; i < CTL_PORTS; i++)); do
    ln -s "../lab-guest@.service" "$wants/lab-guest@$i.service"
  done
  cp "$build/lab/lab-guest" "$tree/usr/local/sbin/"
  cp "$dir/key.pub" "$tree/etc/ssh/lab_key.pub"
  echo "$name" >"$tree/etc/hostname"
  printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$name" >"$tree/etc/hosts"
  sha256sum "$dir/host_key" | cut -c1-32 >"$tree/etc/machine-id"
  (cd "$tree" && find . ! -type d -print0 | tar -c --null -T - --owner=0 --group=0 --mode=u=rwX,go=rX -f "$dir/seed.tar"
   cp "$dir/host_key" etc/ssh/ssh_host_ed25519_key
   tar -r --owner=0 --group=0 --mode=0600 -f "$dir/seed.tar" ./etc/ssh/ssh_host_ed25519_key)
  rm -rf "$tree"
}

# ssh_files NAME PORT: writes the files for ssh.
ssh_files ()
{
  local name=$1 port=$2 dir
  dir=$(lab_path "$name")
  echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$dir/host_key.pub")" >"$dir/known_hosts"
  cat >"$dir/ssh_config" <<CONFIG
Host $name
  HostName 127.0.0.1
  Port $port
  User user
  IdentityFile "$dir/key"
  IdentitiesOnly yes
  UserKnownHostsFile "$dir/known_hosts"
  StrictHostKeyChecking yes
CONFIG
}

# prepare_system NAME RELEASE: makes all files of the lab's folder that a boot needs.
prepare_system ()
{
  local name=$1 dir
  dir=$(lab_path "$name")
  image=$(cmd_image "$2") || exit 1
  need qemu-img qemu-utils
  with_lock "$build/lab/lock.programs" build_programs
  mkdir -p -m 0700 "$dir"
  echo "$2" >"$dir/system"
  make_keys "$name"
  make_seed "$name"
}

# fresh_disk NAME: makes an empty overlay; keeps an existing one if that is requested.
fresh_disk ()
{
  local dir disk
  dir=$(lab_path "$1")
  disk=$dir/disk
  if [ -n "$keep" ] && [ -f "$disk" ]; then
    cmp -s "$dir/recipe" "$image/.recipe" ||
      die "The disk of the lab \"$1\" belongs to an image that was made anew since. Boot it without --keep."
    return 0
  fi
  rm -f "$disk"
  cp "$image/.recipe" "$dir/recipe"
  qemu-img create -q -f qcow2 -F raw -b "$image/image" "$disk" >/dev/null ||
    die "The disk of the lab \"$1\" could not be made. Check the space on the disk with $runtime."
}

# A free port is found by trying: QEMU fails if the port is taken.
system_arguments ()
{
  local dir=$1 port=$2
  printf '%s\n' -drive "file=$dir/disk,if=virtio,format=qcow2,cache=unsafe" \
    -drive "file=$dir/seed.tar,if=virtio,format=raw,readonly=on" \
    -netdev "user,id=net,ipv6=off,hostfwd=tcp:127.0.0.1:$port-:22" \
    -device virtio-net-pci,netdev=net,romfile= -device virtio-rng-pci
}

# ssh NAME [COMMAND...]
cmd_ssh ()
{
  local name=${1:?}
  shift
  need_running "$name"
  [ -n "$(system_of "$name")" ] || die "The lab \"$name\" is a kernel without sshd. Look into it with: lab/lab exec $name"
  exec ssh -F "$(lab_path "$name")/ssh_config" "$name" "$@"
}
