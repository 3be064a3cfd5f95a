/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-refusal.c - name, cause and remedy of each refusal
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
    N_("Nothing stands in the way."),
    N_("There is nothing to do.") },

  /* The driver's own, in the order of enum ilk_refusal. */
  { ILK_REFUSAL_TEXT_DIFFERS, "text-differs",
    N_("The bytes in the kernel are not the ones the plan was made for: something else changed this code meanwhile."),
    N_("Connect again, as each command of gilk does, and plan the hook anew: its module may have been loaded anew meanwhile. If it happens again, look for another tracer or a live patch on this function.") },
  { ILK_REFUSAL_NOT_TEXT, "not-text",
    N_("The address is not in the text of the kernel or of a module that is loaded and running."),
    N_("Check that the module is still loaded, then connect again and look the function up.") },
  { ILK_REFUSAL_DENIED, "denied",
    N_("This code must not be hooked: it runs where a trap cannot be taken, or the driver itself needs it while patching."),
    N_("Hook a caller or a callee of this function instead.") },
  { ILK_REFUSAL_JUMP_LABEL, "jump-label",
    N_("The kernel itself rewrites these bytes: a static key sits in them."),
    N_("Choose the other edge of the block, or a neighbouring block.") },
  { ILK_REFUSAL_STATIC_CALL, "static-call",
    N_("The kernel itself rewrites these bytes: a static call sits in them."),
    N_("Choose the other edge of the block, or a neighbouring block.") },
  { ILK_REFUSAL_FTRACE, "ftrace",
    N_("These bytes belong to the function tracer's entry site."),
    N_("Hook the first block behind the entry site, which runs just as often.") },
  { ILK_REFUSAL_KPROBE, "kprobe",
    N_("A kprobe of another tool sits in these bytes."),
    N_("Remove that kprobe (see the debugfs file kprobes/list), or choose another block.") },
  { ILK_REFUSAL_EXTABLE, "extable",
    N_("An instruction in these bytes may fault, and its fix-up is tied to its address."),
    N_("Choose the other edge of the block, or a neighbouring block.") },
  { ILK_REFUSAL_BUG, "bug",
    N_("A BUG or WARN instruction in these bytes is looked up by its address when it fires."),
    N_("Choose the other edge of the block, or the block before it.") },
  { ILK_REFUSAL_OVERLAP, "overlap",
    N_("Another hook already owns some of these bytes."),
    N_("Disarm that hook first; gilk status shows whose it is.") },
  { ILK_REFUSAL_RANGE, "range",
    N_("The code of the hook lies out of range of a five-byte jump from here."),
    N_("Reload the driver so that its memory is placed anew, and try again.") },
  { ILK_REFUSAL_INSTRUMENT, "instrument",
    N_("The instrument of this hook is not loaded in the kernel."),
    N_("Load the instrument, or choose another one.") },
  { ILK_REFUSAL_BAD_ITEM, "bad-item",
    N_("The driver did not accept the request as well formed."),
    N_("Make sure that Gilk and its driver are of the same release; if they are, please report this.") },
  { ILK_REFUSAL_ARENA_FULL, "arena-full",
    N_("The driver has no room left for the code of this hook, with all its arena modules loaded."),
    N_("Disarm hooks that are no longer needed, or plan fewer at once.") },
  { ILK_REFUSAL_TOO_MANY, "too-many",
    N_("The driver has no hook number or counter left."),
    N_("Disarm hooks that are no longer needed, or plan fewer at once.") },
  { ILK_REFUSAL_STATE, "state",
    N_("The hook is not in the state this step needs, most often because it is still being put in place or removed."),
    N_("Wait until gilk status shows nothing pending, then try again.") },
  { ILK_REFUSAL_POISONED, "poisoned",
    N_("The driver found kernel text in a state it did not leave, and now does nothing but restore."),
    N_("Save the kernel log, disarm everything, then unload and reload the driver.") },
  { ILK_REFUSAL_MODULE_GONE, "module-gone",
    N_("The module that holds this function was unloaded, or was loaded anew at another place."),
    N_("Connect again, as each command of gilk does, with the module loaded: functions are found there by their names.") },
  { ILK_REFUSAL_UNSUPPORTED, "unsupported",
    N_("The loaded driver does not know the way in which this hook would be placed, or cannot do it safely on this kernel."),
    N_("Install the driver that belongs to this release of Gilk, or let the planner use a trap; the kernel log may say more.") },
  { ILK_REFUSAL_LOCKED_DOWN, "locked-down",
    N_("The kernel takes no new code: since the driver was loaded it was locked down, modules were disabled, or have to be signed and the driver is not (module.sig_enforce), or a security module forbids loading modules."),
    N_("Hooks that are live can still be taken back; for new ones boot without lockdown and kernel.modules_disabled, sign the driver as gilk doctor describes, and allow modules in the policy of the security module.") },
  { ILK_REFUSAL_NOT_BOUNDARY, "not-boundary",
    N_("The bytes to be overwritten are not whole instructions, as the kernel's own decoder sees them."),
    N_("Connect again and look the function up; if it is refused again, please report the function and the kernel.") },
  { ILK_REFUSAL_SMP_LOCK, "smp-lock",
    N_("The kernel runs on one CPU and has taken a lock prefix out here, which it writes back when a second one comes up."),
    N_("Bring a second CPU up, then connect anew; or hook another block.") },
  { ILK_REFUSAL_LIVEPATCH, "livepatch",
    N_("A livepatch replaces this function, is one itself, or is being loaded; it would not see tasks that run in a copy of the function."),
    N_("Let the planner use another tactic than a clone, or try again when the livepatch has settled.") },
  { ILK_REFUSAL_TOO_LARGE, "too-large",
    N_("The code of these hooks together is more than the driver takes in at once."),
    N_("Put fewer hooks into one plan, or hook fewer functions at once.") },
  { ILK_REFUSAL_WATCH_SLOTS, "watch-slots",
    N_("No debug register is left: a processor has four, and other watches, perf or a debugger have them."),
    N_("Watch fewer things at once, or end what else uses them: other runs, perf record -e mem:ADDRESS, gdb's watchpoints.") },
  { ILK_REFUSAL_WATCH_ADDRESS, "watch-address",
    N_("The address is not one of the kernel's data, nor, to be watched for execution, of its text."),
    N_("Watch text for execution (x) and data for writes or accesses (w, rw); what a program of user space has cannot be watched.") },
  { ILK_REFUSAL_WATCH_ALIGN, "watch-align",
    N_("A debug register watches 1, 2, 4 or 8 bytes, at a multiple of that."),
    N_("Name a member of it, or fewer bytes: NAME:w4.") },
  { ILK_REFUSAL_WATCH_DENIED, "watch-denied",
    N_("An exception at each access to this would come in the way of exceptions themselves: the kernel's entry reads it, or Gilk's driver does at a hit."),
    N_("Watch something else, or hook the code that uses it.") },

  { ILK_REFUSAL_PIN_GONE, "pin-gone",
    N_("The module whose function was to be called is not there any more, is another one by now, or is about to go."),
    N_("Load it again, connect again, and look its function up anew.") },
  { ILK_REFUSAL_PIN_OWN, "pin-own",
    N_("The function is the driver's own, or is code of hooks: what it patches must not call it."),
    N_("Write a module of your own with the function in it.") },
  { ILK_REFUSAL_EVENT_MISSING, "event-missing",
    N_("No processor of this machine has such a counter, or its kernel does not use it; most virtual machines have none."),
    N_("Use another counter; gilk doctor says which there are.") },
  { ILK_REFUSAL_EVENT_BUSY, "event-busy",
    N_("Others, such as perf or the kernel's watchdog, have all counters of the processors that could count this."),
    N_("End what uses them, or turn the watchdog off (sysctl kernel.nmi_watchdog=0), or use fewer counters.") },
  { ILK_REFUSAL_CRASH_NO_KERNEL, "no-crash-kernel",
    N_("No crash kernel is loaded that could take a dump: the machine would only stop."),
    N_("Install kdump-tools, boot with crashkernel=, and look at /sys/kernel/kexec_crash_loaded; or say "
       "--allow-crash-without-dump.") },

  /* Whole functions. */
  { GILK_REFUSAL_UNDECODABLE, "undecodable",
    N_("An instruction of this function is unknown to the disassembler, so its blocks cannot be told for sure."),
    N_("If another tool's probe is in this function (see the debugfs file kprobes/list), remove it; otherwise hook a caller or a callee, and please report the function and the processor.") },
  { GILK_REFUSAL_NOINSTR, "noinstr",
    N_("The kernel marks this code as not to be instrumented: it runs before or after tracing is safe."),
    N_("Hook the function that it calls or that calls it.") },
  { GILK_REFUSAL_ENTRY, "entry",
    N_("This is entry code: it runs before the kernel's stack and per-CPU data are in place."),
    N_("Hook the C function that the entry code calls.") },
  { GILK_REFUSAL_INIT, "init",
    N_("This code runs only while the kernel or a module starts or ends, and its memory is given back."),
    N_("There is nothing left to hook here; choose a function that runs later.") },
  { GILK_REFUSAL_THUNK, "thunk",
    N_("This is a thunk or trampoline that the kernel rewrites and that most functions share."),
    N_("Hook the functions that use it.") },
  { GILK_REFUSAL_BLACKLIST, "blacklist",
    N_("The kernel's own list forbids probes in this function: the trap handler may need it."),
    N_("Hook a caller or a callee of this function instead.") },
  { GILK_REFUSAL_OWN_PATH, "own-path",
    N_("The driver needs this function while it changes kernel text."),
    N_("Hook a caller that serves other users as well.") },
  { GILK_REFUSAL_INDIRECT_JUMP, "indirect-jump",
    N_("A computed jump inside this function hides which blocks begin where."),
    N_("Hook its callers, or the functions it calls.") },
  { GILK_REFUSAL_ASM, "asm",
    N_("This is hand-written code without clear bounds, so that its blocks cannot be told for sure."),
    N_("Hook the C function that calls it.") },
  { GILK_REFUSAL_GENERATED, "generated",
    N_("This code was generated at run time (BPF or a tracing trampoline) and is no text of the kernel."),
    N_("Hook the kernel function that runs it.") },
  { GILK_REFUSAL_BREAKPOINT, "breakpoint",
    N_("The function holds a breakpoint instruction, its own or another tool's."),
    N_("If a kprobe is listed here (see the debugfs file kprobes/list), remove it; otherwise hook a caller or a callee.") },

  /* Points. */
  { GILK_REFUSAL_FENTRY, "fentry",
    N_("The bytes at this point belong to the function tracer's entry site."),
    N_("Use the post-hook of this block, or the pre-hook of the next one.") },
  { GILK_REFUSAL_TOO_SHORT, "too-short",
    N_("The block is shorter than the five bytes of a jump, and no padding nearby has room for one."),
    N_("Allow a trap here, or hook the blocks that lead to it.") },
  { GILK_REFUSAL_CALL_INSIDE, "call-inside",
    N_("A call stands in the middle of the bytes that would have to move."),
    N_("Use the other edge of the block, or allow a trap here.") },
  { GILK_REFUSAL_POST_AFTER_CALL, "post-after-call",
    N_("The block ends with a call, whose return address would lie in the hook's own code."),
    N_("Use the pre-hook of the block that follows the call.") },
  { GILK_REFUSAL_NOT_RELOCATABLE, "not-relocatable",
    N_("An instruction at this point works only at its own address."),
    N_("Use the other edge of the block, or a neighbouring block.") },
  { GILK_REFUSAL_UACCESS, "uaccess",
    N_("User memory is open to the kernel at this point, and nothing else may run there."),
    N_("Hook the block before or after the access to user memory.") },
  { GILK_REFUSAL_SITE_JUMP_LABEL, "site-jump-label",
    N_("The kernel rewrites bytes at this point: a static key sits in them."),
    N_("Use the other edge of the block, or a neighbouring block.") },
  { GILK_REFUSAL_SITE_STATIC_CALL, "site-static-call",
    N_("The kernel rewrites bytes at this point: a static call sits in them."),
    N_("Use the other edge of the block, or a neighbouring block.") },
  { GILK_REFUSAL_SITE_BUG, "site-bug",
    N_("A BUG or WARN instruction stands in the bytes that would have to move."),
    N_("Use the other edge of the block, or the block before it.") },
  { GILK_REFUSAL_UNREACHED, "unreached",
    N_("No known path leads to this block, so its first instruction is not certain."),
    N_("Hook a block that the graph shows as reached.") },
  { GILK_REFUSAL_SHARES_BYTES, "shares-bytes",
    N_("Two wanted hooks need the same bytes."),
    N_("Keep one of them, or move one to a neighbouring block.") },
  { GILK_REFUSAL_STACK_UNKNOWN, "stack-unknown",
    N_("The kernel has no unwind entry here, so stack traces would break while the hook is armed."),
    N_("Choose a neighbouring block, or hook a caller.") },
  { GILK_REFUSAL_NO_ROOM, "no-room",
    N_("There is no room within 127 bytes of this point for the jump of a bounce."),
    N_("Allow a trap here, or use the other edge of the block.") },

  /* Clones. */
  { GILK_REFUSAL_CLONE_NEVER_RETURNS, "clone-never-returns",
    N_("The function never returns, so that threads in a copy of it would stay there for ever."),
    N_("Use a splice or a trap here, or clone the functions that it calls.") },
  { GILK_REFUSAL_CLONE_SWITCHES, "clone-switches",
    N_("The function changes from one task's stack to another or lies below the idle task, so that a copy of it could never be freed."),
    N_("Use a splice or a trap here, or clone the functions that it calls.") },
  { GILK_REFUSAL_CLONE_INBOUND, "clone-inbound",
    N_("Other functions jump into the middle of this one, and a copy would miss those hits."),
    N_("Use splices and traps in this function.") },
  { GILK_REFUSAL_CLONE_ENTRY, "clone-entry",
    N_("The first instructions of the function leave no room for the jump to a copy."),
    N_("Use splices and traps in this function, or clone the functions that call it.") },
  { GILK_REFUSAL_CLONE_STATIC_CALL, "clone-static-call",
    N_("The kernel rewrites a call in this function, and no trampoline is known that a copy could call instead."),
    N_("Use splices and traps in this function.") },
  { GILK_REFUSAL_CLONE_TOO_LARGE, "clone-too-large",
    N_("The function is too large to be copied."),
    N_("Use splices and traps in this function, or fewer hooks.") },
  { GILK_REFUSAL_CLONE_TRACED, "clone-traced",
    N_("The function tracer, BPF or a live patch is at work at the entry of this function, which other clones would pass by."),
    N_("End that first, or leave this function out.") },
  { GILK_REFUSAL_CLONE_MIXED, "clone-mixed",
    N_("Some hooks of this function are to be in a copy of it and some in the original, which is then no longer run."),
    N_("Give all hooks of the function the same tactic, or leave it to the planner.") },

  /* Hooks that change the kernel. */
  { GILK_REFUSAL_EXPERIMENT_OFF, "experiment-off",
    N_("This changes what the kernel does, and nothing in the plan or the command asks for that."),
    N_("Run it with --allow-changes, on a machine that may come to harm; a plan that is meant to change something says experiment=yes in [gilk-plan].") },
  { GILK_REFUSAL_EXPERIMENT_ENDLESS, "experiment-endless",
    N_("The run has no end, and nothing would undo what this hook changes."),
    N_("Give the run a time with --for, or the hook a stop.") },
  { GILK_REFUSAL_NO_RETURN, "no-return",
    N_("The function leaves by no return of its own that could be made here."),
    N_("Change the call of it in its caller, or hook a function that it calls.") },
  { GILK_REFUSAL_CRASH_OFF, "crash-off",
    N_("This makes the kernel crash, and nothing in the plan or the command asks for that."),
    N_("Run it with --allow-crash, on a machine that may go down; a plan that is meant to crash it says crash=yes in [gilk-plan].") },

  /* Changes of a live run. */
  { GILK_REFUSAL_LIVE_BYTES, "live-bytes",
    N_("Hooks that are live in this function hold the bytes that this one needs, or hold the function in another form."),
    N_("Stop the run and start it again with all hooks, or allow a trap here.") },

  /* Spans. */
  { GILK_REFUSAL_LEAVES_HALFWAY, "leaves-halfway",
    N_("A block of this function leaves it only sometimes, which no hook can tell."),
    N_("Time its callers or callees instead.") },

  /* Programs, and hooks in user programs. */
  { GILK_REFUSAL_RUNS_ON, "runs-on",
    N_("The block runs on into another one, which is reached in other ways too, so that nothing stands only behind it."),
    N_("Hook the begin of the block, or an instruction within it.") },
  { GILK_REFUSAL_USER_TACTIC, "user-tactic",
    N_("In programs hooks are reached by the kernel's uprobes, and by no other tactic."),
    N_("Leave the tactic out.") },
  { GILK_REFUSAL_USER_UNWINDS, "user-unwinds",
    N_("The program throws exceptions, which look for its callers on the stack: the kernel's way of seeing all returns puts "
       "an address of its own there, and would end the program."),
    N_("Hook each return of the function: FUNCTION@return#1, FUNCTION@return#2 and so on, as gilk cfg FUNCTION shows them.") },
  { GILK_REFUSAL_USER_GO, "user-go",
    N_("The program is written in Go and moves its stacks: the kernel's way of seeing all returns puts an address of its own "
       "there, and would end the program."),
    N_("Hook each return of the function: FUNCTION@return#1, FUNCTION@return#2 and so on, as gilk cfg FUNCTION shows them.") },
  { ILK_REFUSAL_USER_FILE, "user-file",
    N_("The file is none that can be run and read."),
    N_("Name a program or library that is an ordinary file.") },
  { ILK_REFUSAL_USER_DIFFERS, "user-differs",
    N_("The file has other bytes there than when it was read: it was changed or replaced since."),
    N_("Connect again, and look at the function as it is now.") },
  { ILK_REFUSAL_USER_INSN, "user-instruction",
    N_("The kernel can put no uprobe on this instruction."),
    N_("Hook the instruction before it or behind it.") },
  { ILK_REFUSAL_USER_KERNEL, "user-kernel",
    N_("The kernel would not put an uprobe there, or not within 10 seconds."),
    N_("See the kernel's log (dmesg): the file system may have no uprobes, memory may be short, or a process that runs the file may be stuck, as on a dead mount.") },
};

static const Refusal *
find (guint refusal)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++)
    if (refusals[i].refusal == refusal)
      return &refusals[i];

  return NULL;
}

const char *
gilk_refusal_name (guint refusal)
{
  const Refusal *found = find (refusal);

  return found != NULL ? found->name : "unknown";
}

const char *
gilk_refusal_cause (guint refusal)
{
  const Refusal *found = find (refusal);

  return g_dgettext (DOMAIN, found != NULL
                     ? found->cause
                     : N_("The driver gave a reason that this release of Gilk does not know."));
}

const char *
gilk_refusal_remedy (guint refusal)
{
  const Refusal *found = find (refusal);

  return g_dgettext (DOMAIN, found != NULL
                     ? found->remedy
                     : N_("Make sure that Gilk and its driver are of the same release."));
}

guint
gilk_refusal_told (const char *text)
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
