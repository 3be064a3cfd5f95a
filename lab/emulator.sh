# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# emulator.sh - which QEMU runs the labs
#
# QEMU before 8.1 may keep a translation of a byte that another CPU was writing
# when it read it, until the byte is written again. Who flips a static key or a
# trace point under load meets it: the kernel dies of an int3 that is long gone.
# That is not the kernel's fault and not ours, so what patches much and often runs
# on the QEMU of Debian's backports, unpacked beside the kernels, not installed:
#
#   GILK_EMULATOR=stock        qemu-system-x86 as installed (the default)
#   GILK_EMULATOR=backports    as in $cache/emulator, fetched on first use

EMULATOR_PACKAGES='qemu-system-x86 qemu-system-common qemu-system-data'

emulator_apt ()
{
  local command=$1 where=$2
  shift 2
  "$command" -q -o APT::Sandbox::User= -o Dir::State::lists="$where/lists" \
    -o Dir::Cache="$where/cache" -o Dir::Etc::sourcelist=/dev/null \
    -o Dir::Etc::sourceparts="$where/sources" "$@"
}

# As the machine's own archive of Debian, but for the suite.
emulator_sources ()
{
  local url
  url=$(apt-cache policy | sed -nE 's,^ *[0-9]+ ([^ ]+/debian/?) bookworm/main .*,\1,p' | head -n 1)
  printf 'Types: deb\nURIs: %s\nSuites: bookworm-backports\nComponents: main\nSigned-By: %s\n' \
    "${url:-http://deb.debian.org/debian}" /usr/share/keyrings/debian-archive-keyring.gpg
}

fetch_emulator ()
{
  local final=$cache/emulator work=$cache/emulator.part.$$ deb names=() name
  [ ! -f "$final/.package" ] || return 0
  say "fetching a newer QEMU from Debian's backports (13 MB)"
  rm -rf "$final".part.*
  mkdir -p "$work"/{apt/lists/partial,apt/cache/archives/partial,apt/sources,deb}
  emulator_sources >"$work/apt/sources/backports.sources"
  for name in $EMULATOR_PACKAGES; do
    names+=("$name/bookworm-backports")
  done
  { emulator_apt apt-get "$work/apt" update &&
    (cd "$work/deb" && emulator_apt apt-get "$work/apt" download "${names[@]}")
  } >"$work/apt.log" 2>&1 ||
    { tail -n 5 "$work/apt.log" >&2
      die "The newer QEMU could not be fetched. Check the network, or run with GILK_EMULATOR=stock."; }
  for deb in "$work"/deb/*.deb; do
    dpkg-deb -x "$deb" "$work" || die "$(basename "$deb") could not be unpacked. Is the disk with $cache full?"
  done
  dpkg-deb -f "$work"/deb/qemu-system-x86_*.deb Version >"$work/.package"
  rm -rf "$work/deb" "$work/apt" "$work/apt.log"
  rm -rf "$final"
  mv "$work" "$final"
}

# choose_emulator: sets emulator to the command's first words.
choose_emulator ()
{
  case ${GILK_EMULATOR:-stock} in
    stock) emulator=(qemu-system-x86_64) ;;
    backports)
      with_lock "$cache/lock.emulator" fetch_emulator
      emulator=(env "QEMU_MODULE_DIR=$cache/emulator/usr/lib/x86_64-linux-gnu/qemu"
                "$cache/emulator/usr/bin/qemu-system-x86_64"
                -L "$cache/emulator/usr/share/qemu" -L /usr/share/seabios) ;;
    *) die "GILK_EMULATOR is stock or backports, not \"$GILK_EMULATOR\"." ;;
  esac
}

# emulator: prints its version.
cmd_emulator ()
{
  choose_emulator
  "${emulator[@]}" --version | head -n 1
}
