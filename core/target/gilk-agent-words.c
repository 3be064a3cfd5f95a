/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-agent-words.c - translation of messages from the agent and from instruments
 *
 * The agent is not translated because it is static, small and runs as root; nor are instruments, in
 * the kernel. Both send English sentences, which are recognised here by their format. A sentence
 * that is not in the list is shown in English; tests/po/check.py reports it.
 */
#include "core/target/gilk-agent-words.h"

#include <glib/gi18n.h>

#include "core/base/gilk-phrase.h"

/* Formats that start with a conversion come last because they also match other sentences. */
static const char *const sentences[] = {
  N_("The driver has no room left for the code of these hooks, and there is no ilk-arena.ko for this "
     "kernel, which would bring more; install it where ilk.ko is, or plan fewer hooks at once."),
  N_("The agent is out of memory; free some on the target."),
  N_("The driver ilk is not loaded; load it with \"gilk doctor --load\", or with modprobe ilk as root."),
  N_("The loaded driver speaks ABI %u and this agent %u; unload ilk and load the one that was installed "
     "with this release."),
  N_("The driver could not %s: %s; the target's kernel log (dmesg) may say more."),
  N_("The request's counts do not fit its length; make sure that client and agent are of the same release."),
  N_("The code of patch %u lies outside the request; make sure that client and agent are of the same "
     "release."),
  N_("The request's count does not fit its length; make sure that client and agent are of the same "
     "release."),
  N_("The hooks ask for more memory than one session may have, %u MiB with the copies of all processors; "
     "keep less in their programs, or wait a moment for what an earlier run had."),
  N_("The request has %zu bytes of watches, which it cannot have; make sure that client and agent are of "
     "the same release."),
  N_("The request has %zu bytes of counters, which it cannot have; make sure that client and agent are of "
     "the same release."),
  N_("The request has %zu bytes of areas, which it cannot have; make sure that client and agent are of "
     "the same release."),
  N_("What the hooks kept is not there any more: they were given up, or are another session's; read it "
     "before they are freed."),
  N_("The request has %zu bytes of what to read, which it cannot have; make sure that client and agent "
     "are of the same release."),
  N_("The request asks for more of what hooks keep than one answer holds; ask for less at once."),
  N_("The request names no file by a path from / on, of %u bytes at most; write the whole path."),
  N_("The request asks for more of a file than one answer holds; make sure that client and agent are of the "
     "same release."),
  N_("A client cannot be waited for %u ms; ask for %u at most, after HELLO."),
  N_("The request asks for more counters than one answer holds; ask for fewer at once."),
  N_("The kernel is locked down (%s) and may not be modified, so it takes no %s, signed or not; boot without "
     "Secure Boot or without lockdown=, or use a lab."),
  N_("The kernel takes no module until the next boot, so %s cannot be loaded; boot without "
     "kernel.modules_disabled=1, or use a lab."),
  N_("The kernel does not allow %s to be loaded; run the agent as root, outside of containers."),
  N_("The agent has no file %u to give; install the same release of Gilk on both sides."),
  N_("The sections of module %s cannot be read: %s; check that it is loaded and that the agent runs as "
     "root."),
  N_("The kernel log cannot be read: %s; run the agent as root."),
  N_("Module %s tells no types (there is no /sys/kernel/btf/%s); check that it is loaded and was built with "
     "BTF."),
  N_("This kernel tells no types (there is no %s); use one that was built with CONFIG_DEBUG_INFO_BTF, as "
     "Debian's kernels are."),
  N_("That is no module name; names have up to %d letters, digits, _ and -."),
  N_("The kernel does not allow %s to be loaded; run the agent as root, and see gilk doctor for lockdown "
     "and for modules that are disabled."),
  N_("The kernel takes only signed modules, and %s is not signed with a key it knows; enrol a key as gilk "
     "doctor describes."),
  N_("There is no ilk.ko for this kernel (%s); install the driver's package, or build it and copy it to "
     "/usr/lib/gilk/modules/%s/."),
  N_("The module %s is not loaded; there is nothing to unload."),
  N_("The module %s is in use; disarm the hooks that need it and try again."),
  N_("The module %s could not be unloaded: %s; run the agent as root."),
  N_("There is no instrument \"%s\" on the target; choose one of those that gilk doctor lists, or install "
     "its module."),
  N_("There is no instrument \"%s\" on the target; choose one of those that gilk doctor lists."),
  N_("The agent on the target speaks protocol %u.%u and the client %u.%u; install the same release of "
     "Gilk on both sides."),
  N_("Request %u has %zu bytes, which it cannot have; make sure that client and agent are of the same "
     "release."),
  N_("The agent on the target does not know request %u; install the same release of Gilk on both sides."),
  N_("Another program reads the sample rings; stop its recording and try again."),
  N_("There is not enough memory for sample rings of %llu KiB on each of %u processors; choose smaller "
     "ones."),
  N_("Sample rings of %llu KiB are not possible there; choose a power of two from %u to %llu KiB."),
  N_("The sample rings cannot be claimed; reload the driver."),
  N_("The sample rings cannot be mapped: %s; disarm, then reload the driver."),
  N_("A flush period of %u ms is out of range; choose 1 to %u ms."),
  N_("Samples are already being read on this connection; stop that first."),
  N_("No samples are being read on this connection; start that first."),
  N_("The agent could not start threads that make calls: %s; free some memory on the target, or let it "
     "have more tasks."),
  N_("The agent does not make these calls; install the same release of Gilk on both sides."),
  N_("The sample rings cannot be frozen; stop the recording."),
  N_("The kernel is locked down (%s), so its live text may not be read (/proc/kcore: %s); boot without Secure "
     "Boot or without lockdown=, or use a lab."),
  N_("Live kernel text may not be read (/proc/kcore: %s); run the agent as root, and lift kernel lockdown "
     "\"confidentiality\" if it is on."),
  N_("Live kernel text cannot be read (/proc/kcore: %s); the kernel needs CONFIG_PROC_KCORE, as Debian's "
     "kernels have it."),
  N_("The request's length is no multiple of a range; make sure that client and agent are of the same "
     "release."),
  N_("Kernel memory at 0x%llx (%llu bytes) cannot be read: %s; if a module was unloaded meanwhile, "
     "refresh and try again."),
  N_("%s may not be opened: %s; the agent must run as root."),
  N_("%s cannot be opened: %s; unload and reload the driver."),
  N_("%s cannot be opened: %s; check the path, which is the target's own, and that root may read it as any "
     "owner may."),
  N_("%s is no program and no library: it is not an ELF file; name one that is."),
  N_("%s is not an ordinary file, and was not opened; name a program or a library."),
  N_("%s was not opened: its file system is the kernel's own, such as proc and sysfs, or is served by a program "
     "(FUSE); name a program on a disk, in memory or on a network file system."),
  N_("%s cannot be reached: its file system, or a process that is stuck, did not answer within %u s; check mounts and "
     "try again."),
  N_("%s was replaced since its functions were read; connect again to see it as it is now."),
  N_("%s cannot be read: %s; try again."),
  N_("%s cannot be read: %s; %s."),
  N_("%s is compressed, and this kernel (%s) cannot unpack it; unpack it where it is (xz -d, zstd -d or "
     "gzip -d) and run depmod."),
  N_("%s was built for another kernel than %s, or is damaged; build it anew against the headers of this "
     "kernel."),
  N_("%s needs a symbol that this kernel does not offer; load the driver first, and make sure that both "
     "are of the same build."),
  N_("%s could not be loaded: %s; the end of the kernel log says why."),

  /* Descriptions of instruments. */
  N_("Records the six argument registers"),
  N_("Records which thread was running"),
  N_("Records CPU and context of each Nth hit"),
  N_("register %s"),
  N_("thread id"),
  N_("name of the thread"),
  N_("hits of this CPU so far"),
  N_("processor number"),
  N_("0 task, 1 softirq, 2 hardirq, 3 NMI"),
  N_("keep each Nth hit of a CPU"),

  /* Values that the agent reports for gilk doctor. */
  N_("addresses are hidden"),

  /* Phrases that fill the %s of some sentences above. */
  N_("describe itself"),
  N_("list its instruments"),
  N_("reserve room for the hooks"),
  N_("prepare the hooks"),
  N_("arm the hooks; none is armed"),
  N_("disarm the hooks"),
  N_("tell what is armed"),
  N_("read the counters"),
  N_("read the clocks"),
  N_("measure what a hook costs"),
  N_("take the blocks in which hooks are to be switched"),
  N_("tell when it switched hooks"),
  N_("allow a hook to make the kernel crash"),
  N_("give memory to the hooks"),
  N_("keep a module whose function is called by hooks"),
  N_("make counters of events"),
  N_("read what the hooks keep"),
  N_("watch what it was asked to"),
  N_("tell what it watches"),
  N_("bind hooks to a program"),
  N_("run the agent as root"),
  N_("as root, mount -t debugfs none /sys/kernel/debug"),
  N_("as root, mount -t tracefs none /sys/kernel/tracing"),
  NULL
};

char *
gilk_agent_words (const char *text)
{
  return gilk_phrase_translate (text, sentences);
}
