# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# vm.sh - running labs: boot, access, inspect, stop
#
# By default QEMU emulates, to be safe: /dev/kvm may exist but not run a stock kernel. KVM is
# tried once per boot of this machine, for a few seconds; the result is stored in the runtime
# folder.

MARKER='gilk-lab: up'
KVM_SECONDS=15
BOOT_SECONDS=1800                     # a stalled boot is found long before; see still()
# QEMU 7.2 emulates cmpxchg16b with stale flags: a pushf after it can read TF as set, which
# popf then restores. The kernel works without cmpxchg16b.
TCG_CPU=${GILK_LAB_CPU:-max,-cx16}

lab_path ()
{
  echo "$runtime/$1"
}

# Prints field 22 of /proc/PID/stat: together with it a PID identifies one process for ever. A
# zombie has ended, whether or not its parent has noticed.
start_time ()
{
  sed -nE 's/^.*\) ([^Z].*)/\1/p' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20
}

# running NAME: true if the lab's QEMU is alive; sets qemu_* to the options with which it was
# booted.
running ()
{
  local started
  qemu_pid='' qemu_flavour='' qemu_release='' qemu_accel='' qemu_cpus=''
  [ -f "$(lab_path "$1")/pid" ] || return 1
  read -r qemu_pid started qemu_flavour qemu_release qemu_accel qemu_cpus \
    <"$(lab_path "$1")/pid"
  [ -n "$started" ] && [ "$(start_time "$qemu_pid")" = "$started" ]
}

need_running ()
{
  local how="6.1 --name $1" system
  check_name "$1"
  running "$1" && return
  case " $FLAVOURS " in
    *" $1 "*) how=$1 ;;
    *) [ -z "$qemu_flavour" ] || how="$qemu_flavour --name $1" ;;
  esac
  system=$(system_of "$1")
  [ -z "$system" ] || how="$system --system --name $1"
  die "The lab \"$1\" is not running. Start it with: lab/lab boot $how"
}

# ---- boot --------------------------------------------------------------------

kvm_usable ()
{
  [ -r /dev/kvm ] && [ -w /dev/kvm ] &&
    [ "$(cat "$runtime/kvm-no" 2>/dev/null)" != "$(cat /proc/sys/kernel/random/boot_id)" ]
}

qemu_arguments ()
{
  local dir=$1 name=$2 accel=$3 cpus=$4 plugin=${GILK_LAB_PLUGIN:-} i
  case $accel in
    kvm) printf '%s\n' -accel kvm -cpu host ;;
    # Without sleep, time is that of instructions alone: an idle machine jumps to its next timer, and uses a whole processor.
    icount) printf '%s\n' -accel tcg,thread=single -cpu "$TCG_CPU" -icount "shift=0,sleep=${GILK_ICOUNT_SLEEP:-off}" ;;
    *) printf '%s\n' -accel tcg,thread=multi -cpu "$TCG_CPU" ;;
  esac
  # An emulated HPET interrupts QEMU 500 times a second, also after the kernel has stopped it.
  printf '%s\n' -machine pc,hpet=off -name "gilk-$name" -nodefaults -no-user-config -no-reboot -display none \
    -smp "$cpus" -m "${GILK_LAB_MEMORY:-$memory}" \
    -d cpu_reset -D "$dir/resets.log" -serial "file:$dir/console.log" -gdb "unix:$dir/gdb.sock,server=on,wait=off" \
    -qmp "unix:$dir/qmp.sock,server=on,wait=off" -device 'virtio-serial-pci,max_ports=16'
  for ((i = 0; i < CTL_PORTS; i++)); do
    printf '%s\n' -chardev "socket,id=ctl$i,path=$dir/ctl.$i.sock,server=on,wait=off" \
      -device "virtserialport,chardev=ctl$i,name=lab.ctl.$i"
  done
  for ((i = 0; i < PORTS; i++)); do
    printf '%s\n' -chardev "socket,id=gilk$i,path=$dir/port.$i.sock,server=on,wait=off" \
      -device "virtserialport,chardev=gilk$i,name=gilk.$i"
  done
  printf '%s\n' -chardev null,id=last -device virtserialport,chardev=last,name=lab.last
  [ -z "$system" ] || system_arguments "$dir" "$port"
  [ -z "$plugin" ] || printf '%s\n' -plugin "$plugin"
  [ -z "${GILK_LAB_HOLD:-}" ] || printf '%s\n' -action shutdown=pause
  [ -z "$resume" ] || printf '%s\n' -incoming "file:$resume"
}

# no_timer_check: on a busy machine the timer may be late when the kernel checks it, which then
# panics: "IO-APIC + timer doesn't work!".
# tsc=reliable: all clocks of an emulator are one, but Linux 6.1 does not know and would read the time from a device.
# damon_stat: 7.3 samples its memory 200 times a second to tell how idle it is.
# try_qemu NAME FLAVOUR RELEASE KERNEL INITRD ACCEL CPUS EXTRA: returns 1 if QEMU itself fails.
try_qemu ()
{
  local name=$1 flavour=$2 release=$3 kernel=$4 initrd=$5 accel=$6 cpus=$7 extra=$8 dir pid args words
  dir=$(lab_path "$name")
  # A client that found the lab dead may boot it again: keep the output of its last run.
  rm -f "$dir/died.log"
  [ ! -s "$dir/pid" ] ||
    { cat "$dir/console.log"; grep -a 'Triple fault' "$dir/resets.log" || true; } >"$dir/died.log" 2>/dev/null
  rm -f "$dir"/*.sock "$dir/resets.log" "$dir/pid" "$dir/up"
  : >"$dir/console.log"
  mapfile -t args < <(qemu_arguments "$dir" "$name" "$accel" "$cpus")
  words="console=ttyS0 quiet loglevel=5 panic=-1 oops=panic no_timer_check damon_stat.enabled=0 gilk.lab=$name $extra"
  [ "$accel" = kvm ] || words="tsc=reliable $words"
  if [ -n "$secure_boot" ]; then
    make_esp "$name" "$flavour" "$kernel" "$initrd" "$words"
    mapfile -t -O ${#args[@]} args < <(firmware_arguments "$dir" "$flavour")
  else
    args+=(-kernel "$kernel" -initrd "$initrd" -append "$words")
  fi
  (umask 077
   close_locks
   "${emulator[@]}" "${args[@]}" -daemonize -pidfile "$dir/qemu.pid"
  ) 2>"$dir/qemu.log" || return 1
  [ -z "$system" ] || ssh_files "$name" "$port"
  pid=$(cat "$dir/qemu.pid")
  echo "$extra" >"$dir/words"
  echo "$pid $(start_time "$pid") $flavour $release $accel $cpus" >"$dir/pid"
}

# start_qemu: same as try_qemu, but retries if a port of this machine is taken.
start_qemu ()
{
  local i memory=1024 port=
  [ -z "$system" ] || memory=2048
  for ((i = 0; i < 10; i++)); do
    port=$((20000 + RANDOM % 12000))
    [ -z "$system" ] || fresh_disk "$1"
    ! try_qemu "$@" || return 0
    grep -q 'host forwarding rule' "$(lab_path "$1")/qemu.log" || return 1
  done
  return 1
}

# Prints how many seconds QEMU's threads have run on this machine's processors.
qemu_seconds ()
{
  local fields
  fields=$(sed -E 's/^.*\) //' "/proc/$qemu_pid/stat" 2>/dev/null) || fields=''
  # shellcheck disable=SC2086
  set -- $fields
  echo $(( (${12:-0} + ${13:-0}) / $(getconf CLK_TCK) ))
}

# still NAME: whether the lab's boot has stalled. wait_up calls it repeatedly; "heard" and "looked"
# keep its state: time of the last console output and of the last check, and QEMU's run time then. A
# bare lab has stalled if there is no output while its processors are idle for half a minute, or
# while they run as long as three whole boots need. Such a stall is the kernel's or the emulator's
# fault: no code of ours runs before the marker. Debug kernels and distributions are slow, and never
# count as stalled.
IDLE_SECONDS=30
SPIN_SECONDS=150
still ()
{
  local now ran_before=${looked#* } ran
  [ -z "$system" ] && [[ $qemu_flavour != *-debug ]] && [ "$qemu_accel" != icount ] || return 1
  now=$(stat -c %s "$(lab_path "$1")/console.log")
  if [ "$now" != "${heard% *}" ]; then
    ran=$(qemu_seconds)
    heard="$now $ran" looked="$SECONDS $ran"
    return 1
  fi
  [ $SECONDS -ge $((${looked% *} + IDLE_SECONDS)) ] || return 1
  ran=$(qemu_seconds)
  looked="$SECONDS $ran"
  [ $((ran - ran_before)) -lt 1 ] || [ $((ran - ${heard#* })) -ge $SPIN_SECONDS ]
}

# wait_up NAME SECONDS: waits until the boot marker is printed and the lab answers; returns 1 if
# QEMU ends, time is up, or the boot has stalled (then sets "stands_still" to its name).
wait_up ()
{
  local dir end begin=$SECONDS shown=0 heard='-1 0' looked='0 0'
  dir=$(lab_path "$1")
  end=$((SECONDS + $2))
  stands_still=''
  # A resumed lab printed the marker before it was saved.
  while [ -z "$resume" ] && ! grep -aq "$MARKER" "$dir/console.log"; do
    if ! running "$1" || [ $SECONDS -ge $end ]; then
      return 1
    fi
    if still "$1"; then
      stands_still=$1
      return 1
    fi
    if [ $((SECONDS - begin)) -ge $((shown + 5)) ]; then
      shown=$((SECONDS - begin))
      say "$1 is booting, $shown s: $(tail -n 1 "$dir/console.log" | tr -d '\r' | cut -c1-80)"
    fi
    sleep 0.3
  done
  "$build/lab/lab-ctl" -n "$CTL_PORTS" -t 120 "$dir" true || return 1
  : >"$dir/up"
}

# keep_registers NAME: stores console output and registers of all processors, to find out why the
# lab has stalled.
keep_registers ()
{
  local dir
  dir=$(lab_path "$1")
  { cat "$dir/console.log"; "$lab_dir/registers" "$dir"; } >"$dir/stood.log" 2>&1 || true
}

# Prints the sentence last: callers show the last line.
give_up ()
{
  local name=$1 why dir
  dir=$(lab_path "$name")
  why="it gave no sign within $BOOT_SECONDS s"
  if ! running "$name"; then
    why="its kernel ended"
  elif grep -aq "$MARKER" "$dir/console.log"; then
    keep_registers "$name"
    why="it came up and does not answer, its processors' registers are in $dir/stood.log"
  fi
  stop_one "$name"
  { tail -n 20 "$dir/console.log" | tr -d '\r' | sed 's/^/    /'
    cat "$dir/qemu.log"
    echo "lab: The lab \"$name\" did not boot: $why. See what it said with: lab/lab log $name"; } >&2
  exit 1
}

# QEMU before 8.1 may keep a translation of the int3 that the kernel itself writes briefly when it
# flips a static key: stock kernels sometimes die of it at boot.
emulator_tripped ()
{
  ! running "$1" && grep -aqE 'Oops: int3|int3: 0000' "$(lab_path "$1")/console.log"
}

# boots_again NAME: whether a failed boot was not our fault, and the message about it. If the boot
# has stalled, the reason is kept in the lab's folder, with the processors' registers.
boots_again ()
{
  local dir
  dir=$(lab_path "$1")
  if emulator_tripped "$1"; then
    say "the emulator tripped over a byte that the kernel was patching; booting once more"
  elif [ "$stands_still" = "$1" ]; then
    keep_registers "$1"
    say "$1 stands still in its boot, with nothing of ours in it yet ($(grep -aoE 'RIP=[0-9a-f]+|HLT=1' "$dir/stood.log" |
      tr '\n' ' '), see $dir/stood.log); booting once more"
  else
    return 1
  fi
}

boot_lab ()
{
  local name=$1 flavour=$2 accel=$3 cpus=$4 extra=$5 release kernel initrd begin image=
  local seconds=$KVM_SECONDS
  if running "$name"; then
    wait_up "$name" "$BOOT_SECONDS" || give_up "$name"
    say "$name is running already ($qemu_release, $qemu_accel)"
    return
  fi
  if [ -n "$system" ]; then
    prepare_system "$name" "$flavour"
    [ -z "$secure_boot" ] || prepare_firmware "$name" "$flavour"
    release=$(cat "$image/release") kernel=$image/vmlinuz initrd=$image/initrd seconds=60
    extra="$SYSTEM_WORDS $extra"
  else
    initrd=$(cmd_initramfs "$flavour")
    release=$(cmd_fetch "$flavour") || exit 1
    kernel=$(kernel_root "$release")/boot/vmlinuz-$release
    mkdir -p -m 0700 "$(lab_path "$name")"
    rm -f "$(lab_path "$name")/system"
  fi
  begin=$(date +%s%N)
  if [ "$accel" = auto ]; then
    accel=tcg
    if kvm_usable; then
      say "trying KVM for at most $seconds s"
      if start_qemu "$name" "$flavour" "$release" "$kernel" "$initrd" kvm "$cpus" "$extra" &&
         wait_up "$name" "$seconds"; then
        accel=kvm
      else
        say "KVM does not run this kernel here; emulating"
        stop_one "$name"
        cat /proc/sys/kernel/random/boot_id >"$runtime/kvm-no"
      fi
    fi
  fi
  if [ "$accel" != kvm ] || ! running "$name"; then
    start_qemu "$name" "$flavour" "$release" "$kernel" "$initrd" "$accel" "$cpus" "$extra" ||
      die "QEMU did not start: $(tail -n 1 "$(lab_path "$name")/qemu.log") Check the memory that is free, and that the path $runtime is short enough for a socket."
    if ! wait_up "$name" "$BOOT_SECONDS"; then
      boots_again "$name" || give_up "$name"
      stop_one "$name"
      start_qemu "$name" "$flavour" "$release" "$kernel" "$initrd" "$accel" "$cpus" "$extra" || give_up "$name"
      wait_up "$name" "$BOOT_SECONDS" || give_up "$name"
    fi
  fi
  begin=$(( ($(date +%s%N) - begin) / 100000000 ))
  say "$name is up: $release, $accel, $cpus CPUs, booted in $((begin / 10)).$((begin % 10)) s"
}

# boot FLAVOUR [--name NAME] [--icount] [--smp N] [--accel tcg|kvm|auto] [--append WORDS]
#      [--resume FILE]
# boot debian12|debian13 --system [--keep] [--secure-boot] ...
# FLAVOUR may be the name of a lab that runs, or that died: it is booted with the same options
# (except systems: the caller must say which disk they get). FILE contains the saved state of a lab
# that was booted with the same options (Monitor.save() of tests/python/gilkqmp.py).
cmd_boot ()
{
  local flavour=${1:-6.1} name='' accel=${GILK_ACCEL:-auto} cpus=2 extra='' resume='' system='' keep=''
  local secure_boot='' stands_still=''
  [ $# -eq 0 ] || shift
  check_name "$flavour"
  if [[ " $FLAVOURS " != *" $flavour "* ]] && ! running "$flavour" && [ -n "$qemu_flavour" ] && [ -z "$(system_of "$flavour")" ]; then
    name=$flavour flavour=$qemu_flavour cpus=$qemu_cpus
    extra=$(cat "$(lab_path "$name")/words" 2>/dev/null) || true
    [ "$qemu_accel" != icount ] || accel=icount
  fi
  while [ $# -gt 0 ]; do
    case $1 in
      --name) name=${2:?}; shift ;;
      --smp) cpus=${2:?}; shift ;;
      --accel) accel=${2:?}; shift ;;
      --append) extra=${2:?}; shift ;;
      --resume) resume=${2:?}; shift ;;
      --icount) accel=icount cpus=1 ;;
      --system) system=1 ;;
      --keep) keep=1 ;;
      --secure-boot) secure_boot=1 ;;
      --wait) ;;
      *) die "boot does not know \"$1\". See: lab/lab help" ;;
    esac
    shift
  done
  name=${name:-$flavour${system:+-system}}
  check_name "$name"
  [ -z "$system" ] || known_system "$flavour"
  [ -z "$secure_boot" ] || [ -n "$system" ] || die "Secure Boot is for systems: lab/lab boot debian13 --system --secure-boot"
  running "$flavour" || is_built "$flavour" || meta_suffix "$flavour" >/dev/null
  case $accel in auto | tcg | kvm | icount) ;; *) die "There is no accelerator \"$accel\": auto, tcg or kvm." ;; esac
  case $cpus in [1-9] | [1-9][0-9]) ;; *) die "--smp takes a number from 1 to 99, not \"$cpus\"." ;; esac
  need qemu-system-x86_64 qemu-system-x86
  choose_emulator "$accel"
  private_dir "$runtime"
  with_lock "$runtime/.lock.$name" boot_lab "$name" "$flavour" "$accel" "$cpus" "$extra"
}

# ---- access --------------------------------------------------------------------

# exec NAME [-i] [-t SECONDS] [--bg] [--] COMMAND...
cmd_exec ()
{
  local name=${1:?} options=() background='' command
  shift
  need_running "$name"
  while [ $# -gt 0 ]; do
    case $1 in
      -i) options+=(-i) ;;
      -t) options+=(-t "${2:?}"); shift ;;
      --bg) background=1 ;;
      --) shift; break ;;
      *) break ;;
    esac
    shift
  done
  command=$*
  [ -n "$command" ] || die "exec needs a command: lab/lab exec $name uname -a"
  if [ -n "$background" ]; then
    command="(setsid sh -c '${command//\'/\'\\\'\'}') >/tmp/bg.log 2>&1 </dev/null & echo \$!"
  fi
  "$build/lab/lab-ctl" -n "$CTL_PORTS" "${options[@]}" "$(lab_path "$name")" "$command"
}

# push NAME FILE PATH
cmd_push ()
{
  local name=${1:?} file=${2:?} path=${3:?} mode
  need_running "$name"
  [ -f "$file" ] || die "There is no file $file to push."
  mode=$(stat -c %a "$file")
  "$build/lab/lab-ctl" -n "$CTL_PORTS" -i "$(lab_path "$name")" \
    "cat >'$path' && chmod $mode '$path'" <"$file"
}

# pull NAME PATH FILE: writes the whole FILE, or nothing.
cmd_pull ()
{
  local name=${1:?} path=${2:?} file=${3:?}
  need_running "$name"
  "$build/lab/lab-ctl" -n "$CTL_PORTS" "$(lab_path "$name")" "cat '$path'" >"$file.part.$$" ||
    { rm -f "$file.part.$$"
      die "$path could not be copied out of the lab \"$name\" to $file."; }
  mv "$file.part.$$" "$file"
}

# ---- inspect --------------------------------------------------------------------

cmd_log ()
{
  local dir
  check_name "${1:?}"
  dir=$(lab_path "$1")
  [ -f "$dir/console.log" ] || die "There never was a lab \"$1\" here. See: lab/lab status"
  tr -d '\r' <"$dir/console.log"
  if grep -aqE 'Kernel panic|Oops|BUG:|WARNING:' "$dir/console.log"; then
    printf '\nlab: the kernel complained:\n' >&2
    grep -aE 'Kernel panic|Oops|BUG:|WARNING:|RIP:' "$dir/console.log" | tr -d '\r' | sed 's/^/    /' >&2
  fi
  ! grep -aq 'Kernel panic' "$dir/console.log"
}

lab_names ()
{
  local dir
  for dir in "$runtime"/*/; do
    [ ! -f "$dir/pid" ] || basename "$dir"
  done
}

cmd_status ()
{
  local name state
  printf '%-14s %-9s %-26s %-7s %-5s %-8s %s\n' NAME FLAVOUR RELEASE ACCEL CPUS PID STATE
  for name in $(lab_names); do
    state=up
    if ! running "$name"; then
      state=ended
      ! grep -aq 'Kernel panic' "$(lab_path "$name")/console.log" || state=panic
    elif [ ! -f "$(lab_path "$name")/up" ]; then
      state=booting
    fi
    printf '%-14s %-9s %-26s %-7s %-5s %-8s %s\n' \
      "$name" "$qemu_flavour" "$qemu_release" "$qemu_accel" "$qemu_cpus" "$qemu_pid" "$state"
  done
}

cmd_socket_dir ()
{
  check_name "${1:?}"
  lab_path "$1"
}

# ---- stop --------------------------------------------------------------------

# A lab has no disk, or one that the next boot replaces, so nothing is lost by killing it. The
# console log is kept; the next boot under the same name replaces it.
stop_one ()
{
  if running "$1"; then
    kill -9 "$qemu_pid" 2>/dev/null || true
    while running "$1"; do
      sleep 0.02
    done
  fi
  rm -f "$(lab_path "$1")"/{*.sock,*.lock,pid,qemu.pid,up}
}

cmd_stop ()
{
  local name
  if [ "${1:?}" = --all ]; then
    for name in $(lab_names); do
      stop_one "$name"
    done
    return
  fi
  check_name "$1"
  [ -d "$(lab_path "$1")" ] || die "There is no lab \"$1\". See: lab/lab status"
  stop_one "$1"
}
