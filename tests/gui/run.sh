#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: the workbench can be used by keyboard, pointer and screen reader
#
# run.sh [LAB [LAB2]] - drives the workbench as a user would, through AT-SPI and a real pointer
#
# Without LAB: all that needs no kernel. With it: connect, find, click, run, see
# a count. With LAB2 also what needs two kernels (GILK_DRIVE=two_labs.py: that alone); ./check has one. Screenshots go to $OUT (default: screenshots/ in the build folder).
# With GILK_CASES, a regular expression, only cases whose names match; with GILK_DRIVE another program than drive.py drives it, maybe
# a module of cases alone. With GILK_LANGUAGE=de it is gone through in that language, and texts that do not fit or are faint are failures; en is the
# language of the source. GTK_THEME chooses the theme: Adwaita:dark, HighContrast.
# GILK_WORKBENCH, GILK_FIXTURE, GILK_PROGRAMS, GILK_STUDIES, GILK_AB_SESSION, GILK_WATCH_SESSION and GILK_VMLINUX name the programs, by default those of build/.

set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${GILK_BUILD:-$root/build}
export GILK_WORKBENCH=${GILK_WORKBENCH:-$build/gui/gilk-workbench}
export GILK_FIXTURE=${GILK_FIXTURE:-$build/tests/golden/golden-fixture}
export GILK_STUDIES=${GILK_STUDIES:-$build/tests/plot/plot-studies}
export GILK_PROGRAMS=${GILK_PROGRAMS:-$build/tests/golden/golden-programs}
export GILK_AB_SESSION=${GILK_AB_SESSION:-$build/tests/gui/intervals-session}
export GILK_WATCH_SESSION=${GILK_WATCH_SESSION:-$build/tests/gui/watchpoint-session}
export GILK_VMLINUX=${GILK_VMLINUX:-$build/tests/golden/vmlinux}
export GILK_BUILD=$build
export OUT=${OUT:-$build/screenshots}
mkdir -p "$OUT"

for program in xvfb-run dbus-run-session xdotool import; do
  command -v "$program" >/dev/null || { echo "ok - gui # skip: $program is not installed"; exit 0; }
done
/usr/bin/python3 -c 'import gi; gi.require_version("Atspi", "2.0")' 2>/dev/null ||
  { echo 'ok - gui # skip: gir1.2-atspi-2.0 is not installed'; exit 0; }

# The lab's folder depends on XDG_RUNTIME_DIR, which is about to be a fresh one.
user=$(id -u)
export GILK_LAB_DIR=${GILK_LAB_DIR:-${XDG_RUNTIME_DIR:-/tmp/gilk-$user}${XDG_RUNTIME_DIR:+/gilk}}
# Not below /tmp: GTK's dialog of files watches all folders above its own, and to watch one of which the kernel still knows
# a million names that were there takes it 50 ms.
base=$(mktemp -d -p /var/tmp) runtime=$base/run
trap 'rm -rf "$base"' EXIT
export TMPDIR=$base/tmp
mkdir -m 0700 "$runtime" "$TMPDIR"
export XDG_RUNTIME_DIR=$runtime XDG_DATA_HOME=$runtime/data XDG_CONFIG_HOME=$runtime/config XDG_STATE_HOME=$runtime/state
export GDK_BACKEND=x11 GSETTINGS_BACKEND=memory LC_ALL=C.UTF-8
export LANGUAGE=${GILK_LANGUAGE:-}
drive=${GILK_DRIVE:-drive.py}
export GTK_MODULES=$build/tests/gui/libhealth-module.so GILK_HEALTH=$runtime/health
if [ -n "$LANGUAGE" ]; then
  drive=language.py
  GTK_MODULES=$GTK_MODULES:${GILK_FIT_MODULE:-$build/tests/gui/libfit-module.so}
fi
export GTK_THEME=${GTK_THEME:-Adwaita} G_DEBUG=${G_DEBUG:-}
# What moves by itself is no state to wait for.
mkdir -p "$XDG_CONFIG_HOME/gtk-3.0"
printf '[Settings]\ngtk-enable-animations=0\ngtk-cursor-blink=0\n' >"$XDG_CONFIG_HOME/gtk-3.0/settings.ini"
unset NO_AT_BRIDGE DISPLAY WAYLAND_DISPLAY

# What GTK and libXcursor read of the theme when it is first shown is in memory then, where waits for the disk count.
[ "${GILK_HEALTH_BAR:-200}" -gt 50 ] ||
  find /usr/share/icons/Adwaita /usr/share/icons/hicolor -type f -exec cat {} + >/dev/null 2>&1

# Without -noreset, the server resets when its last client disconnects, and refuses connections meanwhile.
xvfb-run -a -s "-screen 0 ${GILK_SCREEN:-1290x796}x24 -nolisten tcp -noreset" \
  dbus-run-session -- /usr/bin/python3 "$here/$drive" "$@" \
  2> >(grep -vE "dbus-daemon|SpiRegistry|X connection|dconf|^$" >&2)
code=$?
/usr/bin/python3 "$here/health.py" "$GILK_HEALTH" || code=1
cp "$GILK_HEALTH" "$OUT/health" 2>/dev/null
echo "# screenshots: $OUT"
exit $code
