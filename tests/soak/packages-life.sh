#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# packages-life.sh RELEASE [META...] - for packages.sh, in the clean root
#
# /exchange has the packages in old/ and new/, and the tests of debian/tests.

set -euo pipefail

release=$1
shift
ours='gilk gilk-workbench gilkd ilk-dkms gilk-instruments-dkms gilk-dev'
failed=0
log=/var/log/packages-life.log

ok () { echo "ok - $release: $1"; }
not_ok () { echo "not ok - $release: $1: ${2:-}"; failed=1; }

# try NAME COMMAND...: its last words if it fails.
try ()
{
  local name=$1 said
  shift
  if said=$("$@" 2>&1); then ok "$name"; else not_ok "$name" "$(tail -n 3 <<<"$said" | tr '\n' ' ')"; fi
}

apt ()
{
  apt-get -qy "$@" >>"$log" 2>&1 </dev/null || { tail -n 20 "$log"; return 1; }
}

# What is no file of a package's own: logs, caches, apt's and dpkg's notes, what depmod and
# the linker make of others' files, and backups of /etc/group.
all_files ()
{
  find / -xdev \( -path /proc -o -path /dev -o -path /exchange -o -path /tmp -o -path /run -o -path /var/log \
    -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg \) -prune -o \
    ! -path '/lib/modules/*/modules.*' ! -path '/usr/lib/modules/*/modules.*' \
    ! -name 'group-' ! -name 'gshadow-' ! -name 'passwd-' ! -name 'shadow-' -printf '%y %p\n' | sort
}

settings ()
{
  find /etc -xdev -type f ! -name '*-' -exec sha256sum {} + | sort -k 2
}

# What the packages want that is not of them.
needs ()
{
  local deb
  for deb in /exchange/old/*.deb; do
    dpkg-deb -f "$deb" Depends
  done | tr ',' '\n' | sed 's/^ *//' | grep -vE '^(gilk|gilkd|gilk-workbench|ilk-dkms) ' | sort -u | paste -sd, -
}

# Of each stock kernel that there is, the backports' too: of 6.12-cloud the newest alone.
header_packages ()
{
  apt-cache pkgnames linux-headers- | grep -E '^linux-headers-([0-9.]+-)?(cloud-|rt-)?amd64$' |
    xargs apt-cache show | sed -nE 's/^Depends: .*(linux-headers-[0-9][^ ,]*).*/\1/p' | sort -uV |
    awk '{ split ($1, word, /[-.+]/); flavour = $1; sub (/^linux-headers-[^-]*(-[0-9]+)?-/, "", flavour)
           newest[word[3] "." word[4] "-" flavour] = $1 }
         END { for (kernel in newest) print newest[kernel] }' | sort -V
}

# The machine's key, DKMS's own, which its first build would make and which is to outlive us. Debian 12's makes
# none when it is asked.
make_key ()
{
  dkms generate_mok >>"$log" 2>&1 || true
  [ -e /var/lib/dkms/mok.key ] ||
    openssl req -new -x509 -nodes -days 36500 -subj '/CN=DKMS module signing key' -newkey rsa:2048 \
      -keyout /var/lib/dkms/mok.key -outform DER -out /var/lib/dkms/mok.pub >>"$log" 2>&1
}

add_backports ()
{
  local suite=bookworm
  [ "$release" = debian12 ] || suite=trixie
  sed -n "s/ $suite main/ $suite-backports main/p" /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    head -n 1 >/etc/apt/sources.list.d/backports.list || true
  apt update || { rm /etc/apt/sources.list.d/backports.list; apt update; }
}

kernels ()
{
  local build
  for build in /lib/modules/*/build; do
    basename "$(dirname "$build")"
  done
}

check_programs ()
{
  local page
  try 'programs run and are described' sh /exchange/tests/programs
  for page in gilk.1 gilk-workbench.1 gilk-plan.5 gilkd.8; do
    try "man finds $page" man -w "${page#*.}" "${page%.*}"
  done
  try 'the example of gilk-dev compiles' cc -Wall -o /tmp/ilk-fifo /usr/share/doc/gilk-dev/examples/ilk-fifo.c
  try 'documents come with the packages' ls /usr/share/doc/gilk/README.md* /usr/share/doc/gilkd/threat-model.md*
  try 'completions are where shells look' ls /usr/share/bash-completion/completions/gilk \
    /usr/share/zsh/vendor-completions/_gilk /usr/share/fish/vendor_completions.d/gilk.fish
  # shellcheck disable=SC2016
  try 'the agent needs no library' sh -c '! ldd /usr/libexec/gilk/gilkd 2>&1 | grep "=>"'
  try 'nothing of the folder it was built in' sh -c '! grep -lr /home/builder /usr/bin/gilk /usr/bin/gilk-workbench /usr/libexec/gilk'
}

check_service ()
{
  local said
  try 'systemd understands the units' systemd-analyze verify /usr/lib/systemd/system/gilkd.socket
  said=$(systemd-analyze security --offline=true --threshold=30 gilkd@.service 2>&1) &&
    ok "exposure of gilkd@.service: $(sed -n 's/.*Overall exposure level[^:]*: //p' <<<"$said")" ||
    not_ok 'exposure of gilkd@.service is 3.0 at most' "$(tail -n 1 <<<"$said")"
  if [ "$(systemctl is-enabled gilkd.socket 2>&1)" = disabled ]; then
    ok 'the socket is off until an administrator turns it on'
  else
    not_ok 'the socket is off until an administrator turns it on' "$(systemctl is-enabled gilkd.socket 2>&1)"
  fi
}

# check_modules VERSION: for each kernel, whole and signed by this machine's owner.
check_modules ()
{
  local version=$1 kernel folder file unsigned got
  for kernel in $(kernels); do
    folder=/lib/modules/$kernel/updates/dkms
    got=$(find "$folder" -name '*ilk*.ko*' 2>/dev/null | wc -l)
    if [ "$got" -ne 36 ] ||
       ! dkms status -m ilk -v "$version" -k "$kernel" | grep -q installed ||
       ! dkms status -m gilk-instruments -v "$version" -k "$kernel" | grep -q installed; then
      not_ok "DKMS built $version for $kernel" "$got of 36 modules, $(dkms status | grep -F "$kernel" | tr '\n' ' ')$(tail -n 3 /var/lib/dkms/*/"$version"/build/make.log 2>/dev/null | tr '\n' ' ')"
      continue
    fi
    ok "DKMS built $version for $kernel"
    unsigned=
    for file in "$folder"/*; do
      [ -n "$(modinfo -F signer "$file")" ] || unsigned+=" $(basename "$file")"
    done
    [ -z "$unsigned" ] && ok "modules for $kernel are signed: $(modinfo -F signer "$folder"/ilk.ko*)" ||
      not_ok "modules for $kernel are signed" "$unsigned"
    [ "$(modinfo -F vermagic "$folder"/ilk-task.ko* | cut -d' ' -f1)" = "$kernel" ] &&
      [ "$(modinfo -F depends "$folder"/ilk-task.ko*)" = ilk ] && ok "instruments for $kernel belong to ilk" ||
      not_ok "instruments for $kernel belong to ilk" "$(modinfo -F depends "$folder"/ilk-task.ko*)"
  done
}

echo '# what the packages want'
add_backports
[ $# -gt 0 ] || mapfile -t metas < <(header_packages)
[ $# -eq 0 ] || metas=("$@")
echo "# headers: ${metas[*]}"
apt install --no-install-recommends "${metas[@]}" kmod man-db passwd desktop-file-utils appstream systemd openssl shared-mime-info
apt satisfy --no-install-recommends "$(needs)"
make_key
all_files >/tmp/before
settings >/tmp/settings-before

echo '# install'
apt install --no-install-recommends /exchange/old/*.deb
version=$(dpkg-query -W -f '${Version}' ilk-dkms)
ok "$version installs, and DKMS knows $(dkms status | wc -l) builds"
check_programs
check_service
check_modules "$version"

echo '# upgrade'
getent group gilk >/tmp/group
apt install --no-install-recommends /exchange/new/*.deb
next=$(dpkg-query -W -f '${Version}' ilk-dkms)
ok "$version is upgraded to $next"
check_modules "$next"
[ -z "$(dkms status | grep -F "/$version," || true)" ] && ok 'nothing of the old modules is left' ||
  not_ok 'nothing of the old modules is left' "$(dkms status)"
[ "$(getent group gilk)" = "$(cat /tmp/group)" ] && ok 'the group stays what it was' || not_ok 'the group stays what it was'

echo '# remove'
# shellcheck disable=SC2086
apt remove $ours
[ -z "$(dkms status)" ] && ok 'removed: no module is left' || not_ok 'removed: no module is left' "$(dkms status)"
apt install --no-install-recommends /exchange/new/gilk_*.deb
ok 'one of them can be installed alone'

echo '# purge'
# shellcheck disable=SC2086
apt purge $ours
all_files >/tmp/after
settings >/tmp/settings-after
cmp -s /tmp/before /tmp/after && ok 'purged: no file is left, and none is missing' ||
  not_ok 'purged: no file is left' "$(diff /tmp/before /tmp/after | grep '^[<>]' | head -n 8 | tr '\n' ' ')"
cmp -s /tmp/settings-before /tmp/settings-after && ok 'purged: settings are as before' ||
  not_ok 'purged: settings are as before' "$(diff /tmp/settings-before /tmp/settings-after | head -n 4 | tr '\n' ' ')"
exit $failed
