#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# in-root.sh TAR EXCHANGE ARCHIVES COMMAND... - runs a command in a fresh root
#
# Run by roots.sh in separate namespaces, as their root. The root is unpacked, used and
# deleted; mounts end with the namespace. EXCHANGE is mounted there as /exchange; fetched
# packages are kept in ARCHIVES.

set -euo pipefail

tar=$1 exchange=$2 archives=$3
shift 3

mount --make-rprivate /
work=$(mktemp -d "${TMPDIR:-/tmp}/gilk-root.XXXXXX")
new=$work/root

leave ()
{
  umount -R "$new/exchange" "$new/var/cache/apt/archives" "$new/dev" "$new/proc" 2>/dev/null || true
  # Do not delete files below anything that is still mounted.
  rm -rf --one-file-system "$work"
}
trap leave EXIT
trap 'exit 1' INT TERM HUP

mkdir "$new"
chmod 0755 "$work" "$new"
tar -C "$new" -xpf "$tar" --numeric-owner --exclude='./dev/*'
mkdir -p "$new"/{proc,dev,exchange,var/cache/apt/archives}
# In a container a new /proc may be forbidden: use its own.
mount -t proc proc "$new/proc" 2>/dev/null || mount --rbind /proc "$new/proc"
mount -t tmpfs -o mode=0755,nosuid tmpfs "$new/dev"
for node in null zero full random urandom tty; do
  : >"$new/dev/$node"
  mount --bind "/dev/$node" "$new/dev/$node"
done
mkdir -m 1777 "$new/dev/shm"
mkdir "$new/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$new/dev/pts"
ln -s pts/ptmx "$new/dev/ptmx"
ln -s /proc/self/fd "$new/dev/fd"
ln -s /proc/self/fd/0 "$new/dev/stdin"
ln -s /proc/self/fd/1 "$new/dev/stdout"
ln -s /proc/self/fd/2 "$new/dev/stderr"
mount --bind "$exchange" "$new/exchange"
mount --bind "$archives" "$new/var/cache/apt/archives"
echo 'APT::Keep-Downloaded-Packages "true"; Binary::apt::APT::Keep-Downloaded-Packages "true"; APT::Sandbox::User "root";' \
  >"$new/etc/apt/apt.conf.d/90gilk-root"
rm -f "$new/etc/apt/apt.conf.d/docker-clean"
cp -L /etc/resolv.conf "$new/etc/resolv.conf"
echo gilk-root >"$new/etc/hostname"
hostname gilk-root
grep -qs gilk-root "$new/etc/hosts" || echo '127.0.0.1 localhost gilk-root' >>"$new/etc/hosts"

env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-}" \
  chroot "$new" "$@"
