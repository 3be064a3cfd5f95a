/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-refusal.c - contains the name, cause and remedy of each refusal
 *
 * One table for the driver's and the planner's refusals, so that CLI, JSON and GUI show the same
 * text. Names are part of the JSON contract and never change.
 */
#include "core/base/gilk-refusal.h"

#include <glib/gi18n.h>
#include <string.h>

#define DOMAIN "gilk"

typedef struct {
  guint       refusal;
  const char *name;
  const char *cause;
  const char *remedy;
} Refusal;

static const Refusal refusals[] = {
  { GILK_REFUSAL_NONE, "none",
    N_("Not refused."),
    N_("Nothing to do.") },

  /* Refusals that the driver makes, in the order of enum ilk_refusal. */
  { ILK_REFUSAL_TEXT_DIFFERS, "text-differs",
    N_("The bytes in the kernel differ from those that the plan was made for: this code was changed in the meantime."),
    N_("Connect again (every gilk command does so), and plan the hook again: its module may "
       "have been reloaded. If the hook is refused again, look for another tracer or a "
       "livepatch on this function.") },
  { ILK_REFUSAL_NOT_TEXT, "not-text",
    N_("The address is not in the text of the kernel or of a loaded and running module."),
    N_("Check that the module is still loaded, then connect again and look up the function.") },
  { ILK_REFUSAL_DENIED, "denied",
    N_("This code must not be hooked: it runs where a trap cannot be handled, or the driver itself needs it while patching."),
    N_("Hook a caller or a callee of this function instead.") },
  { ILK_REFUSAL_JUMP_LABEL, "jump-label",
    N_("The kernel itself patches these bytes: they contain a static key."),
    N_("Choose the other end of the block, or a neighbouring block.") },
  { ILK_REFUSAL_STATIC_CALL, "static-call",
    N_("The kernel itself patches these bytes: they contain a static call."),
    N_("Choose the other end of the block, or a neighbouring block.") },
  { ILK_REFUSAL_FTRACE, "ftrace",
    N_("These bytes belong to the ftrace site at the function's entry."),
    N_("Hook the first block after the ftrace site, which runs just as often.") },
  { ILK_REFUSAL_KPROBE, "kprobe",
    N_("A kprobe of another tool is in these bytes."),
    N_("Remove the other tool's kprobe (see the debugfs file kprobes/list), or choose another block.") },
  { ILK_REFUSAL_EXTABLE, "extable",
    N_("An instruction in these bytes may fault, and the kernel finds the fixup by the address "
       "of that instruction."),
    N_("Choose the other end of the block, or a neighbouring block.") },
  { ILK_REFUSAL_BUG, "bug",
    N_("A BUG or WARN instruction in these bytes is looked up by its address when it is executed."),
    N_("Choose the other end of the block, or the block in front of it.") },
  { ILK_REFUSAL_OVERLAP, "overlap",
    N_("Another hook already uses some of these bytes."),
    N_("Disarm the other hook first; gilk status shows the owner of that hook.") },
  { ILK_REFUSAL_RANGE, "range",
    N_("The hook's code is out of range of a five-byte jump from here."),
    N_("Reload the driver, so that its memory is allocated at another address, and try again.") },
  { ILK_REFUSAL_INSTRUMENT, "instrument",
    N_("The instrument of this hook is not loaded in the kernel."),
    N_("Load the instrument, or choose another one.") },
  { ILK_REFUSAL_BAD_ITEM, "bad-item",
    N_("The driver rejected the request as malformed."),
    N_("Make sure that Gilk and its driver are of the same release; if they are, please report this.") },
  { ILK_REFUSAL_ARENA_FULL, "arena-full",
    N_("The driver has no memory left for the code of this hook, although all its arena modules are loaded."),
    N_("Disarm hooks that are no longer needed, or plan fewer at once.") },
  { ILK_REFUSAL_TOO_MANY, "too-many",
    N_("The driver has no free hook id or counter left."),
    N_("Disarm hooks that are no longer needed, or plan fewer at once.") },
  { ILK_REFUSAL_STATE, "state",
    N_("The hook is not in the state that this step needs, usually because it is still being placed or removed."),
    N_("Wait until gilk status shows nothing pending, then try again.") },
  { ILK_REFUSAL_POISONED, "poisoned",
    N_("The driver found kernel text that is not as the driver left it. Until the driver is "
       "reloaded, it arms no hooks and only restores text."),
    N_("Save the kernel log, disarm everything, then unload and reload the driver.") },
  { ILK_REFUSAL_MODULE_GONE, "module-gone",
    N_("The module that contains this function was unloaded, or was reloaded at another address."),
    N_("Make sure that the module is loaded, then connect again (every gilk command does so): "
       "functions are looked up by name.") },
  { ILK_REFUSAL_UNSUPPORTED, "unsupported",
    N_("The loaded driver does not support the tactic of this hook, or cannot use it safely on this kernel."),
    N_("Install the driver of this release of Gilk, or let the planner use a trap; see the kernel log for details.") },
  { ILK_REFUSAL_LOCKED_DOWN, "locked-down",
    N_("The kernel accepts no new code. One of these has happened since the driver was loaded: "
       "the kernel was locked down; module loading was disabled; module signatures became "
       "mandatory (module.sig_enforce), and the driver has none; or a security module forbids "
       "loading modules."),
    N_("Hooks that are armed can still be removed. To arm new hooks, boot without lockdown and "
       "without kernel.modules_disabled, sign the driver as gilk doctor describes, and allow "
       "modules in the policy of the security module.") },
  { ILK_REFUSAL_NOT_BOUNDARY, "not-boundary",
    N_("The bytes to be overwritten are not whole instructions according to the kernel's own decoder."),
    N_("Connect again and look up the function; if it is refused again, please report the function and the kernel.") },
  { ILK_REFUSAL_SMP_LOCK, "smp-lock",
    N_("The kernel runs on one CPU and has replaced a lock prefix here, which it restores when a second CPU comes online."),
    N_("Bring a second CPU online, then connect again; or hook another block.") },
  { ILK_REFUSAL_LIVEPATCH, "livepatch",
    N_("A livepatch replaces this function or contains it, or a livepatch is being loaded. The "
       "livepatch would not see tasks that run in a clone of the function."),
    N_("Let the planner use a tactic other than clone, or try again when the livepatch transition has finished.") },
  { ILK_REFUSAL_TOO_LARGE, "too-large",
    N_("The code of these hooks together is larger than the driver accepts at once."),
    N_("Put fewer hooks into one plan, or hook fewer functions at once.") },
  { GILK_BPF_REFUSED_WATCH_SLOTS, "watch-slots",
    N_("No debug register is free: a processor has four, and other watchpoints, perf or a debugger use them."),
    N_("Use fewer watchpoints, or stop other users of the debug registers: other runs, perf record -e mem:ADDRESS, gdb's "
       "watchpoints.") },
  { GILK_BPF_REFUSED_WATCH_ADDRESS, "watch-address",
    N_("The address is neither kernel data nor, for an execution watchpoint, kernel text."),
    N_("Watch text for execution (x) and data for writes or accesses (w, rw); user memory cannot be watched.") },
  { GILK_BPF_REFUSED_WATCH_ALIGN, "watch-align",
    N_("A watchpoint covers 1, 2, 4 or 8 bytes, aligned to that size."),
    N_("Name a member of the variable, or give a smaller size, for example NAME:w4.") },
  { GILK_BPF_REFUSED_WATCH_DENIED, "watch-denied",
    N_("A watchpoint here would disturb exception handling itself: the kernel's entry code reads this data."),
    N_("Watch something else, or hook the code that uses the data.") },

  { ILK_REFUSAL_PIN_GONE, "pin-gone",
    N_("The module of the function to be called is no longer loaded, was reloaded, or is being unloaded."),
    N_("Load the module again, connect again, and look up the function again.") },
  { ILK_REFUSAL_PIN_OWN, "pin-own",
    N_("The function belongs to the driver or to the code of hooks, and patched code must not "
       "call it."),
    N_("Put the function to be called into a kernel module of your own.") },
  { GILK_BPF_REFUSED_COUNTER_MISSING, "event-missing",
    N_("No processor of this machine has this event counter, or the kernel does not support it; most virtual "
       "machines have no hardware counters."),
    N_("Use another counter; gilk doctor lists those available.") },
  { GILK_BPF_REFUSED_COUNTER_BUSY, "event-busy",
    N_("All hardware counters that could count this event are in use, for example by perf or by the kernel's "
       "watchdog."),
    N_("Stop the programs that use hardware counters, or turn the watchdog off (sysctl kernel.nmi_watchdog=0), or "
       "use fewer counters.") },
  { ILK_REFUSAL_CRASH_NO_KERNEL, "no-crash-kernel",
    N_("No crash kernel is loaded that could write a dump: the machine would just stop."),
    N_("Install kdump-tools, boot with crashkernel=, and check /sys/kernel/kexec_crash_loaded; or add "
       "--allow-crash-without-dump.") },

  /* Refusals of whole functions: no point in the function can be hooked. */
  { GILK_REFUSAL_UNDECODABLE, "undecodable",
    N_("The disassembler does not know an instruction of this function, so its blocks are not certain."),
    N_("If another tool's probe is in this function (see the debugfs file kprobes/list), remove it; otherwise hook a caller or a callee, and please report the function and the processor.") },
  { GILK_REFUSAL_NOINSTR, "noinstr",
    N_("The kernel marks this code as noinstr: it runs where tracing is not safe."),
    N_("Hook a caller or a callee of this function.") },
  { GILK_REFUSAL_ENTRY, "entry",
    N_("This is entry code: it runs before the kernel's stack and per-CPU data are set up."),
    N_("Hook the C function that the entry code calls.") },
  { GILK_REFUSAL_INIT, "init",
    N_("This code runs only while the kernel or a module is initialized or removed, and the "
       "memory of this code is freed."),
    N_("There is nothing left to hook; choose a function that runs later.") },
  { GILK_REFUSAL_THUNK, "thunk",
    N_("This is a thunk or trampoline that the kernel patches and that most functions share."),
    N_("Hook the functions that use this thunk or trampoline.") },
  { GILK_REFUSAL_BLACKLIST, "blacklist",
    N_("The kernel's own blacklist forbids probes in this function: the trap handler may need it."),
    N_("Hook a caller or a callee of this function instead.") },
  { GILK_REFUSAL_OWN_PATH, "own-path",
    N_("The driver needs this function while it patches kernel text."),
    N_("Hook a caller that the driver does not use.") },
  { GILK_REFUSAL_INDIRECT_JUMP, "indirect-jump",
    N_("Because of a computed jump in this function, it is not known where its blocks start."),
    N_("Hook a caller or a callee of this function.") },
  { GILK_REFUSAL_ASM, "asm",
    N_("This is assembly code without clear bounds, so its blocks are not certain."),
    N_("Hook the C function that calls this code.") },
  { GILK_REFUSAL_GENERATED, "generated",
    N_("This code was generated at run time (BPF or a tracing trampoline) and is not part of the kernel's text."),
    N_("Hook the kernel function that calls this code.") },
  { GILK_REFUSAL_BREAKPOINT, "breakpoint",
    N_("The function contains a breakpoint instruction: one of its own, or one that another tool "
       "has placed."),
    N_("If the debugfs file kprobes/list shows a kprobe in this function, remove the kprobe; "
       "otherwise hook a caller or a callee.") },

  /* Refusals of single points. */
  { GILK_REFUSAL_FENTRY, "fentry",
    N_("The bytes at this point belong to the ftrace site at the function's entry."),
    N_("Use the post-hook of this block, or the pre-hook of the next one.") },
  { GILK_REFUSAL_TOO_SHORT, "too-short",
    N_("The block is shorter than the five bytes of a jump, and no padding nearby has room for one."),
    N_("Allow a trap here, or hook the blocks that lead to this block.") },
  { GILK_REFUSAL_CALL_INSIDE, "call-inside",
    N_("There is a call in the middle of the bytes that would have to move."),
    N_("Use the other end of the block, or allow a trap here.") },
  { GILK_REFUSAL_POST_AFTER_CALL, "post-after-call",
    N_("The block ends with a call, whose return address would lie in the hook's own code."),
    N_("Use the pre-hook of the block after the call.") },
  { GILK_REFUSAL_NOT_RELOCATABLE, "not-relocatable",
    N_("An instruction at this point works only at its original address."),
    N_("Use the other end of the block, or a neighbouring block.") },
  { GILK_REFUSAL_UACCESS, "uaccess",
    N_("User memory access is enabled at this point, and no other code may run while it is "
       "enabled."),
    N_("Hook the block before or after the access to user memory.") },
  { GILK_REFUSAL_SITE_JUMP_LABEL, "site-jump-label",
    N_("The kernel patches bytes at this point: they contain a static key."),
    N_("Use the other end of the block, or a neighbouring block.") },
  { GILK_REFUSAL_SITE_STATIC_CALL, "site-static-call",
    N_("The kernel patches bytes at this point: they contain a static call."),
    N_("Use the other end of the block, or a neighbouring block.") },
  { GILK_REFUSAL_SITE_BUG, "site-bug",
    N_("There is a BUG or WARN instruction in the bytes that would have to move."),
    N_("Use the other end of the block, or the block in front of it.") },
  { GILK_REFUSAL_UNREACHED, "unreached",
    N_("No known path leads to this block, so its first instruction is not certain."),
    N_("Hook a block to which the graph shows a path.") },
  { GILK_REFUSAL_SHARES_BYTES, "shares-bytes",
    N_("Two planned hooks need the same bytes."),
    N_("Keep only one of the two hooks, or move one to a neighbouring block.") },
  { GILK_REFUSAL_STACK_UNKNOWN, "stack-unknown",
    N_("The kernel has no unwind entry here, so stack traces would break while the hook is armed."),
    N_("Choose a neighbouring block, or hook a caller.") },
  { GILK_REFUSAL_NO_ROOM, "no-room",
    N_("There is no room within 127 bytes of this point for a five-byte jump to which a short jump could lead "
       "(bounce)."),
    N_("Allow a trap here, or use the other end of the block.") },

  /* Refusals of clones, the instrumented copies of whole functions. */
  { GILK_REFUSAL_CLONE_NEVER_RETURNS, "clone-never-returns",
    N_("The function never returns, so threads would stay in a clone of it forever."),
    N_("Use a splice or a trap here, or clone the functions that this function calls.") },
  { GILK_REFUSAL_CLONE_SWITCHES, "clone-switches",
    N_("The function switches task stacks, or the idle task runs in it, so a clone of it could never be freed."),
    N_("Use a splice or a trap here, or clone the functions that this function calls.") },
  { GILK_REFUSAL_CLONE_INBOUND, "clone-inbound",
    N_("Other functions jump into the middle of this one, and hooks in a clone would not be hit after such jumps."),
    N_("Use splices and traps in this function.") },
  { GILK_REFUSAL_CLONE_ENTRY, "clone-entry",
    N_("The first instructions of the function leave no room for the jump to a clone."),
    N_("Use splices and traps in this function, or clone the functions that call it.") },
  { GILK_REFUSAL_CLONE_STATIC_CALL, "clone-static-call",
    N_("The kernel patches a call in this function, and there is no known trampoline that a clone could call instead."),
    N_("Use splices and traps in this function.") },
  { GILK_REFUSAL_CLONE_TOO_LARGE, "clone-too-large",
    N_("The function is too large to be cloned."),
    N_("Use splices and traps in this function, or fewer hooks.") },
  { GILK_REFUSAL_CLONE_TRACED, "clone-traced",
    N_("The function tracer, BPF or a livepatch is active at the entry of this function, and clones of other functions "
       "would bypass it."),
    N_("Stop the tool that is active there, or remove this function from the plan.") },
  { GILK_REFUSAL_CLONE_MIXED, "clone-mixed",
    N_("Some hooks of this function would be in a clone of it and some in the original, which then no longer runs."),
    N_("Give all hooks of the function the same tactic, or leave the choice to the planner.") },

  /* Refusals of hooks that change what the kernel does. */
  { GILK_REFUSAL_CHANGE_NOT_ALLOWED, "change-not-allowed",
    N_("This hook changes what the kernel does, and neither the plan nor the command allows that."),
    N_("Run the plan with --allow-changes, on a machine that you can afford to crash. In a "
       "plan that is meant to change something, you can write changes=yes into [gilk-plan] "
       "instead.") },
  { GILK_REFUSAL_CHANGE_ENDLESS, "change-endless",
    N_("The run has no end, so nothing would undo what this hook changes."),
    N_("Give the run a length with --for, or give the hook a stop.") },
  { GILK_REFUSAL_NO_RETURN, "no-return",
    N_("The function has no return of its own that could be forced here."),
    N_("In a function that calls this one, change the call; or hook a function that this one "
       "calls.") },
  { GILK_REFUSAL_CRASH_OFF, "crash-off",
    N_("This hook makes the kernel crash, and neither the plan nor the command allows that."),
    N_("Run the plan with --allow-crash, on a machine that may go down. In a plan that is "
       "meant to crash the machine, you can write crash=yes into [gilk-plan] instead.") },

  /* Refusals of hooks that are added to a run while it is live. */
  { GILK_REFUSAL_LIVE_BYTES, "live-bytes",
    N_("Armed hooks in this function use the bytes that this hook needs, or need the function "
       "patched in another way."),
    N_("Stop the run and start it again with all hooks, or allow a trap here.") },

  /* Refusals of spans, which measure the calls of a function. */
  { GILK_REFUSAL_LEAVES_EARLY, "leaves-halfway",
    N_("A block of this function leaves the function only under a condition, and a hook cannot "
       "see whether the condition holds."),
    N_("Measure the function's callers or callees instead.") },

  /* Refusals of hooks that run a probe program, and of hooks in user-space programs. */
  { GILK_REFUSAL_RUNS_ON, "runs-on",
    N_("The block falls through into a block that has other predecessors, so no address is reached only after this block."),
    N_("Hook the start of the block, or an instruction within it.") },
  { GILK_REFUSAL_USER_TACTIC, "user-tactic",
    N_("In user programs, hooks are always uprobes; other tactics are not available."),
    N_("Remove the tactic.") },
  { GILK_REFUSAL_USER_UNWINDS, "user-unwinds",
    N_("The program throws exceptions, which unwind the stack: a return probe of the kernel replaces return addresses, "
       "and would make the program crash."),
    N_("Hook each return of the function: FUNCTION@return#1, FUNCTION@return#2 and so on, as gilk cfg FUNCTION shows them.") },
  { GILK_REFUSAL_USER_GO, "user-go",
    N_("The program is written in Go and moves its stacks: a return probe of the kernel replaces return addresses, and "
       "would make the program crash."),
    N_("Hook each return of the function: FUNCTION@return#1, FUNCTION@return#2 and so on, as gilk cfg FUNCTION shows them.") },
  { GILK_BPF_REFUSED_USER_DIFFERS, "user-differs",
    N_("The file's bytes differ from those read earlier: it was changed or replaced."),
    N_("Connect again, and look at the function's current code.") },
  { GILK_BPF_REFUSED_USER_INSN, "user-instruction",
    N_("The kernel cannot place a uprobe on this instruction."),
    N_("Hook the instruction before or after it.") },
  { GILK_BPF_REFUSED_USER_KERNEL, "user-kernel",
    N_("The kernel did not place a uprobe on this instruction, at least not within 10 seconds."),
    N_("See the kernel's log (dmesg): the file system may not support uprobes, memory may be "
       "short, or a process that runs the file may be stuck, for example on a dead mount.") },

  /* Refusals of hooks that are made with BPF instead of the driver. */
  { GILK_BPF_REFUSED_PROGRAM, "bpf-program",
    N_("The kernel's verifier rejected the hook's program."),
    N_("Please report the program and the kernel's release. Until then, use the driver if it can be loaded: --by ilk.") },
  { GILK_BPF_REFUSED_PROBE, "bpf-probe",
    N_("The kernel did not place a kprobe on this instruction, at least not within 10 seconds."),
    N_("See the kernel's log (dmesg), or choose a neighbouring block. If no kprobe can be placed, a process may be stuck in "
       "a program with uprobes, for which all other probes wait.") },
  { GILK_REFUSAL_BPF_CHANGE, "bpf-change",
    N_("The hook changes what the kernel does; a BPF program at a kprobe cannot do that."),
    N_("Use the driver if it can be loaded: --by ilk.") },
  { GILK_REFUSAL_BPF_SERVICE, "bpf-service",
    N_("The hook's program uses a function that only the driver provides."),
    N_("Remove the function from the program, or use the driver if it can be loaded: --by ilk.") },
  { GILK_REFUSAL_BPF_MODULE, "bpf-module",
    N_("The hook's instrument is a kernel module, which a BPF program cannot call."),
    N_("Use an inline instrument or a program, or use the driver if it can be loaded: --by ilk.") },
  { GILK_REFUSAL_BPF_UNTRACED, "bpf-untraced",
    N_("Only functions that ftrace can trace can have kprobes with BPF programs, and ftrace cannot trace this one."),
    N_("Hook a caller or a callee of this function instead, or use the driver if it can be loaded: --by ilk.") },
  { GILK_REFUSAL_BPF_CALL_TYPE, "bpf-call-type",
    N_("The kernel reads from this instruction which type an indirect call must have (kCFI), and allows no kprobe at it."),
    N_("Hook the end of this block, or the end of the block before it.") },
  { GILK_REFUSAL_BPF_TACTIC, "bpf-tactic",
    N_("The plan requests a tactic of the driver, but the hook is a BPF program."),
    N_("Remove the tactic from the plan, or use the driver if it can be loaded: --by ilk.") },
  { GILK_REFUSAL_BPF_STACK, "bpf-stack",
    N_("The hook's program records stack traces at a one-byte instruction that moves the stack pointer, where the "
       "kernel's stack traces from a kprobe are wrong."),
    N_("Hook the function's entry, another block or the block's other edge, or use the driver if it can be loaded: --by ilk.") },
  { GILK_REFUSAL_BPF_LONG, "bpf-long",
    N_("The hook's program is too long for the jumps of BPF."),
    N_("Make the program shorter, or use the driver if it can be loaded: --by ilk.") },
  { GILK_BPF_REFUSED_EVENT, "bpf-event",
    N_("The kernel no longer has the tracepoint, or cannot start the timer."),
    N_("Load the tracepoint's module, choose a rate below kernel.perf_event_max_sample_rate, or see the kernel's log (dmesg).") },
  { GILK_REFUSAL_NEEDS_BPF, "needs-bpf",
    N_("Watchpoints, tracepoints, timers, event counters and hooks in user programs need BPF; the driver does not support them."),
    N_("Use --by bpf, or leave out --by. If a run is live, stop it and start one with this plan.") },
  { GILK_REFUSAL_EVENT_SPAN, "event-span",
    N_("The instrument span measures calls of a function, and a tracepoint or timer is not in a function."),
    N_("Use the instrument count or stamp, or a program.") },
};

static const Refusal *
find_refusal (guint refusal)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++)
    if (refusals[i].refusal == refusal)
      return &refusals[i];

  return NULL;
}

const char *
gilk_refusal_name (guint refusal)
{
  const Refusal *found = find_refusal (refusal);

  return found != NULL ? found->name : "unknown";
}

const char *
gilk_refusal_cause (guint refusal)
{
  const Refusal *found = find_refusal (refusal);

  return g_dgettext (DOMAIN, found != NULL
                     ? found->cause
                     : N_("The driver refused the hook for a reason that this release of Gilk does not know."));
}

const char *
gilk_refusal_remedy (guint refusal)
{
  const Refusal *found = find_refusal (refusal);

  return g_dgettext (DOMAIN, found != NULL
                     ? found->remedy
                     : N_("Make sure that Gilk and its driver are of the same release."));
}

guint
gilk_refusal_in_text (const char *text)
{
  const Refusal *told = NULL;
  gsize longest = 0;

  for (gsize i = 1; i < G_N_ELEMENTS (refusals); i++)
    {
      const char *cause = g_dgettext (DOMAIN, refusals[i].cause);

      if (strlen (cause) > longest && strstr (text, cause) != NULL)
        {
          told = &refusals[i];
          longest = strlen (cause);
        }
    }

  return told != NULL ? told->refusal : 0;
}

gboolean
gilk_refusal_is_area (guint refusal)
{
  switch (refusal)
    {
    case ILK_REFUSAL_DENIED:
    case GILK_REFUSAL_NOINSTR:
    case GILK_REFUSAL_ENTRY:
    case GILK_REFUSAL_INIT:
    case GILK_REFUSAL_THUNK:
    case GILK_REFUSAL_BLACKLIST:
    case GILK_REFUSAL_OWN_PATH:
    case GILK_REFUSAL_GENERATED:
      return TRUE;
    default:
      return FALSE;
    }
}
