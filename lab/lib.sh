# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lib.sh - paths, messages and locks that all lab commands share
#
# Fixed paths, which core/link uses to find a lab:
#
#   $GILK_LAB_DIR, else $XDG_RUNTIME_DIR/gilk, else /tmp/gilk-UID     mode 0700
#     NAME/                  one lab; "6.1" and "6.12" are the usual names
#       port.N.sock          N = 0..3, gilkd behind each; one client at a time
#       port.N.lock          flock it (exclusive, non-blocking) before connecting
#       ctl.N.sock           command shells for `lab exec`, used the same way
#       console.log          all output of the kernel
#       resets.log           registers at each reset of a CPU; ends with "Triple fault" after one
#       died.log             console output before that, if the kernel died and was booted again
#       qmp.sock             QEMU's monitor (QMP): interrupts, snapshots; one client at a time
#       gdb.sock             QEMU's gdb stub, for a kernel that hangs
#       pid                  "PID START-TIME FLAVOUR RELEASE ACCEL CPUS"
#       up                   exists once gilkd should answer

# shellcheck disable=SC2034
PORTS=4 CTL_PORTS=3
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

lab_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$lab_dir")
cache=${GILK_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/gilk}
build=${GILK_BUILD:-$root/build}

runtime=${GILK_LAB_DIR:-}
if [ -z "$runtime" ]; then
  if [ -n "${XDG_RUNTIME_DIR:-}" ]; then
    runtime=$XDG_RUNTIME_DIR/gilk
  else
    runtime=/tmp/gilk-$(id -u)
  fi
fi

# Prints progress to stderr: stdout is for the output of the command.
say ()
{
  [ -n "${GILK_QUIET:-}" ] || printf 'lab: %s\n' "$*" >&2
}

# die SENTENCE: prints cause and remedy, then fails.
die ()
{
  printf 'lab: %s\n' "$*" >&2
  exit 1
}

need ()
{
  command -v "$1" >/dev/null 2>&1 || PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null 2>&1 ||
    die "The program $1 is missing. Install the Debian package $2 (./check installs all that is needed)."
}

# private_dir DIR: makes a folder that only we can access, or fails. /tmp is shared, so the owner is
# checked.
private_dir ()
{
  mkdir -p -m 0700 "$1" 2>/dev/null || true
  if [ ! -d "$1" ] || [ -L "$1" ] || [ ! -O "$1" ]; then
    die "The directory $1 cannot be made or belongs to another user. Set GILK_LAB_DIR to a directory of your own."
  fi
  chmod 0700 "$1"
}

# with_lock FILE COMMAND...: runs a command under a lock; waits for it. A process that outlives us
# must close the lock's descriptors first, else it would keep the locks.
lock_fds=()

with_lock ()
{
  local file=$1 fd
  shift
  mkdir -p "$(dirname "$file")" 2>/dev/null ||
    die "The folder $(dirname "$file") cannot be made. Check its owner and the space on its disk."
  exec {fd}>"$file"
  flock "$fd"
  lock_fds+=("$fd")
  "$@"
  exec {fd}>&-
}

close_locks ()
{
  local fd
  for fd in "${lock_fds[@]}"; do
    exec {fd}>&-
  done
}

# Checks a name, as names are used in paths, QEMU options and shell words.
check_name ()
{
  case $1 in
    '' | *[!A-Za-z0-9._-]* | .* | -*)
      die "\"$1\" is not a lab name: use letters, digits, dot, dash and underscore." ;;
  esac
}
