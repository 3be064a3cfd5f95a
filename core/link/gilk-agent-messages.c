/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-agent-messages.c - translates messages from the agent and from instruments
 *
 * The agent does not translate its messages, because it is static, small and runs as root; nor do
 * instruments, because they are in the kernel. Both send English sentences, which are recognised
 * here by their format. Sentences that are not in the list are shown in English; tests/po/check.py
 * reports them.
 */
#include "core/link/gilk-answers.h"

#include <glib/gi18n.h>

#include "core/base/gilk-strings.h"

/* The most general format strings come last, because they also match sentences that other format
 * strings produced. */
static const char *const sentences[] = {
  N_("The driver has no room left for the code of these hooks, and ilk-arena.ko, which adds room, is missing for this "
     "kernel; install it beside ilk.ko, or plan fewer hooks at once."),
  N_("The agent is out of memory; free some on the target."),
  N_("The driver ilk is not loaded; load it with \"gilk doctor --load\", or with modprobe ilk as root."),
  N_("The loaded driver has ABI %u, this agent needs %u; unload ilk and load the one that was installed with this "
     "release."),
  N_("The driver could not %s: %s; the target's kernel log (dmesg) may say more."),
  N_("Malformed request: its counts do not match its length. Client and agent may be of different versions."),
  N_("Malformed request: the code of patch %u lies outside of the request. Client and agent may "
     "be of different versions."),
  N_("Malformed request: its count does not match its length. Client and agent may be of different versions."),
  N_("The hooks need more memory than one session may have, %u MiB with the copies of all CPUs; use smaller maps in "
     "their programs, or wait a moment until an earlier run's memory is free."),
  N_("Malformed request: %zu bytes of watchpoints. Client and agent may be of different versions."),
  N_("Malformed request: %zu bytes of events. Client and agent may be of different versions."),
  N_("The driver does not support watchpoints, tracepoints, timers, event counters or hooks in user programs; use BPF."),
  N_("The agent could not accept the intervals for switching hooks on and off: %s."),
  N_("Hook %u is not a watchpoint; request the status of watchpoints only."),
  N_("Malformed request: %zu bytes of counters. Client and agent may be of different versions."),
  N_("Malformed request: %zu bytes of memory areas. Client and agent may be of different versions."),
  N_("The maps of the hooks no longer exist: the hooks were freed, or belong to another session; read the maps before "
     "freeing the hooks."),
  N_("Malformed request: %zu bytes of map reads. Client and agent may be of different versions."),
  N_("The kernel's verifier refused the program of patch %u: %s; please report this."),
  N_("The kernel does not let the agent load BPF programs; run it as root, or use the driver ilk."),
  N_("The kernel did not load the program of patch %u: %s; use fewer hooks, or free some memory on the target."),
  N_("Malformed request: the size of an area is not a multiple of 8, or its flags are unknown. Client and agent "
     "may be of different versions."),
  N_("Cannot create the maps of the hooks: %s; use fewer or smaller maps, or free some memory on the target."),
  N_("Malformed request: a range lies outside of its map. Client and agent may be of different versions."),
  N_("Cannot read the maps of the hooks: %s; read fewer at once."),
  N_("%s is a compressed kernel (vmlinuz) without symbols; give the vmlinux of the same release, such as that "
     "of Debian's package linux-image-RELEASE-dbg."),
  N_("%s is not an ELF file of a kernel for x86-64; give a vmlinux."),
  N_("%s is not an ordinary file; give a vmlinux."),
  N_("%s lacks the kernel's code, so it may be a file of debug data alone; give a complete vmlinux."),
  N_("The kernel's file lacks memory at 0x%llx (%llu bytes); give a complete vmlinux."),
  N_("%s lacks symbols; give a vmlinux that was not stripped."),
  N_("Cannot open %s: %s; check the path."),
  N_("The kernel's file lacks section %s; give one that was built with it."),
  N_("The target is the file of a kernel, which does not run: its code can be looked at, but not hooked; choose a "
     "target that runs, such as lab or local."),
  N_("Cannot read the kernel's file: %s; give a complete vmlinux."),
  N_("The mode of the sample rings or the age limit of samples is invalid; choose at most an hour."),
  N_("The sample rings have %llu KiB on each CPU, a size that was set when BPF was chosen for hooks; request this "
     "size, or 0."),
  N_("Hook %u does not exist; read the counters before freeing the hooks."),
  N_("Hooks by BPF do not support request %u, which needs the driver; use ilk."),
  N_("The kernel does not let the agent use BPF or kprobes; run the agent as root, outside of containers, and "
     "without the kernel's lockdown for confidentiality."),
  N_("Not enough memory for BPF maps; free some on the target."),
  N_("The kernel cannot run BPF programs at kprobes (%s); use one with CONFIG_BPF_SYSCALL, CONFIG_KPROBE_EVENTS "
     "and CONFIG_BPF_EVENTS, or use the driver ilk."),
  N_("The agent does not know hooking method %u; install the same release of Gilk on both sides."),
  N_("The session has hooks or maps, or reads samples; stop reading and free the hooks before you choose another "
     "way to hook."),
  N_("Cannot read the sample rings: %s; free some memory on the target, or reload the driver."),
  N_("The request asks for more map data than fits into one answer; ask for less at once."),
  N_("The request has no absolute path of at most %u bytes; give the full path."),
  N_("The request asks for more of a file than fits into one answer; make sure that client and agent are of the same "
     "release."),
  N_("Cannot set the session's timeout to %u ms; ask for at most %u ms, and only after HELLO."),
  N_("The request asks for more counters than fit into one answer; ask for fewer at once."),
  N_("The kernel is locked down (%s) against modification, so it does not load %s, signed or not; boot without Secure "
     "Boot or without lockdown=, or use a lab."),
  N_("The kernel loads no modules until the next boot, so %s cannot be loaded; boot without kernel.modules_disabled=1, "
     "or use a lab."),
  N_("The kernel does not allow loading %s; run the agent as root, outside of containers."),
  N_("The agent does not know file %u; install the same release of Gilk on both sides."),
  N_("Cannot read the sections of module %s: %s; check that it is loaded and that the agent runs as root."),
  N_("Cannot read the kernel log: %s; run the agent as root."),
  N_("Module %s has no type information (/sys/kernel/btf/%s is missing); check that it is loaded and was built with "
     "BTF."),
  N_("This kernel has no type information (%s is missing); use one that was built with CONFIG_DEBUG_INFO_BTF, such as "
     "Debian's."),
  N_("Invalid module name; use at most %d letters, digits, _ and -."),
  N_("The kernel does not allow %s to be loaded; run the agent as root, and check with gilk doctor whether lockdown "
     "or disabled module loading prevents it."),
  N_("The kernel loads only signed modules, and %s is not signed with a key that it trusts; enrol a key as gilk doctor "
     "describes."),
  N_("ilk.ko for this kernel (%s) not found; install the driver's package, or build it and copy it to "
     "/usr/lib/gilk/modules/%s/."),
  N_("Module %s is not loaded; there is nothing to unload."),
  N_("Module %s is in use; disarm the hooks that need it and try again."),
  N_("Cannot unload module %s: %s; run the agent as root."),
  N_("There is no instrument \"%s\" on the target; choose one of those that gilk doctor lists, or install "
     "its module."),
  N_("There is no instrument \"%s\" on the target; choose one of those that gilk doctor lists."),
  N_("The agent on the target uses protocol %u.%u, the client %u.%u; install the same release of Gilk on both sides."),
  N_("Malformed request %u: %zu bytes. Client and agent may be of different versions."),
  N_("The agent on the target does not know request %u; install the same release of Gilk on both sides."),
  N_("Another program is reading the sample rings; stop its recording and try again."),
  N_("Not enough memory for sample rings of %llu KiB on each of %u CPUs; choose smaller ones."),
  N_("Invalid sample ring size of %llu KiB; choose a power of two from %u to %llu KiB."),
  N_("Cannot claim the sample rings; reload the driver."),
  N_("Cannot map the sample rings: %s; disarm all hooks, then reload the driver."),
  N_("A flush period of %u ms is out of range; choose 1 to %u ms."),
  N_("Samples are already being read on this connection; stop reading them first."),
  N_("No samples are being read on this connection; start reading them first."),
  N_("The agent cannot start threads for making calls: %s; free some memory on the target, or raise its limit of "
     "tasks."),
  N_("The agent does not support such calls of kernel functions; install the same release of Gilk on both sides."),
  N_("Cannot freeze the sample rings; stop the recording."),
  N_("The kernel is locked down (%s), so its live text cannot be read (/proc/kcore: %s); boot without Secure Boot or "
     "without lockdown=, or use a lab."),
  N_("No permission to read live kernel text (/proc/kcore: %s); run the agent as root, and lift kernel lockdown "
     "\"confidentiality\" if it is on."),
  N_("Cannot read live kernel text (/proc/kcore: %s); use a kernel with CONFIG_PROC_KCORE, such as Debian's."),
  N_("Malformed request: its length is not a multiple of the size of a range. Client and agent "
     "may be of different versions."),
  N_("Cannot read kernel memory at 0x%llx (%llu bytes): %s; if a module was unloaded in the meantime, refresh and try "
     "again."),
  N_("No permission to open %s: %s; run the agent as root."),
  N_("Cannot open %s: %s; unload and reload the driver."),
  N_("Cannot open %s: %s; check that the path exists on the target, and that its permissions allow root to read it, as "
     "the agent does not bypass them."),
  N_("%s is not a program or library (not an ELF file); name one that is."),
  N_("%s was not opened because it is not a regular file; name a program or a library."),
  N_("%s was not opened because it is on a pseudo file system, such as proc or sysfs, or on FUSE; name a program on a "
     "disk, in memory or on a network file system."),
  N_("Cannot reach %s: its file system or a stuck process did not answer within %u s; check mounts and try again."),
  N_("%s was replaced after its functions were read; connect again to read the new file."),
  N_("Cannot read %s: %s; try again."),
  N_("Cannot read %s: %s; %s."),
  N_("%s is compressed, and this kernel (%s) cannot decompress it; decompress it in place (xz -d, zstd -d or gzip -d) "
     "and run depmod."),
  N_("%s was built for another kernel than %s, or is damaged; rebuild it against the headers of this kernel."),
  N_("%s needs a symbol that this kernel does not export; load the driver first, and make sure that both are of the "
     "same build."),
  N_("The driver does not load here: %s."),
  N_("Cannot load %s: %s; see the end of the kernel log for the reason."),

  /* Descriptions of instruments. */
  N_("Records the six argument registers"),
  N_("Records which thread was running"),
  N_("Records CPU and context of every Nth hit"),
  N_("register %s"),
  N_("thread id"),
  N_("name of the thread"),
  N_("hits of this CPU so far"),
  N_("processor number"),
  N_("0 task, 1 softirq, 2 hardirq, 3 NMI"),
  N_("keep every Nth hit of a CPU"),

  /* Values that the agent reports to the command gilk doctor. */
  N_("addresses are hidden"),

  /* Phrases that the agent inserts for %s in some of the sentences above. */
  N_("describe itself"),
  N_("list its instruments"),
  N_("reserve room for the hooks"),
  N_("prepare the hooks"),
  N_("arm the hooks, so none is armed"),
  N_("disarm the hooks"),
  N_("report what is armed"),
  N_("read the counters"),
  N_("read the clocks"),
  N_("measure what a hook costs"),
  N_("accept the intervals for switching hooks on and off"),
  N_("report when it switched hooks on and off"),
  N_("allow a hook to make the kernel crash"),
  N_("allocate memory for the hooks"),
  N_("pin a module whose function is called by hooks"),
  N_("create event counters"),
  N_("read the maps of the hooks"),
  N_("bind the hooks to a program"),
  N_("run the agent as root"),
  N_("as root, mount -t debugfs none /sys/kernel/debug"),
  N_("as root, mount -t tracefs none /sys/kernel/tracing"),
  NULL
};

char *
gilk_agent_translate (const char *text)
{
  return gilk_phrase_translate (text, sentences);
}
