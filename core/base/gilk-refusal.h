/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-refusal.h - names the reasons why a point or function cannot be hooked
 *
 * Refusals with numbers below 100 are made by the driver (values of enum ilk_refusal) and the agent
 * (values of enum gilk_bpf_refusal), those from 100 on by the planner. Each refusal has a stable
 * name, and sentences that describe its cause and its remedy.
 *
 * Threads: any. Returned strings are static.
 */
#pragma once

#include <glib.h>

#include "agent/gilk-wire.h"

G_BEGIN_DECLS

typedef enum {
  GILK_REFUSAL_NONE = ILK_REFUSAL_NONE,
  /* values 1 to 99 are the driver's refusals, see enum ilk_refusal */

  /* reasons why no point in a function can be hooked */
  GILK_REFUSAL_UNDECODABLE = 100,   /* reachable code contains an instruction that the disassembler
                                     * does not know */
  GILK_REFUSAL_NOINSTR,  /* code in .noinstr.text or .cpuidle.text, where tracing is not safe */
  GILK_REFUSAL_ENTRY,  /* entry code, which runs before the stack and per-CPU data are set up */
  GILK_REFUSAL_INIT,                /* .init/.exit text */
  GILK_REFUSAL_THUNK,               /* return or indirect thunk, or static-call trampoline */
  GILK_REFUSAL_BLACKLIST,           /* code on the kprobe blacklist */
  GILK_REFUSAL_OWN_PATH,  /* the driver itself runs this code while it patches kernel text */
  GILK_REFUSAL_INDIRECT_JUMP,       /* the function contains an indirect jump, so block boundaries
                                     * are unknown */
  GILK_REFUSAL_ASM,                 /* assembly code without clear function bounds */
  GILK_REFUSAL_GENERATED,           /* BPF image or ftrace trampoline, which is not kernel text */
  GILK_REFUSAL_BREAKPOINT,          /* reachable code contains an int3, written by the kernel or by
                                     * another tool */

  /* reasons why a point cannot be hooked */
  GILK_REFUSAL_FENTRY = 130,        /* the bytes at this point belong to an ftrace site */
  GILK_REFUSAL_TOO_SHORT,           /* the block is shorter than the five bytes of a jump, and no
                                     * padding nearby has room for one */
  GILK_REFUSAL_CALL_INSIDE,         /* a call is among the bytes to be overwritten, and it is not
                                     * the last instruction */
  GILK_REFUSAL_POST_AFTER_CALL,     /* post-hook after a call: the return address would be in the
                                     * patch */
  GILK_REFUSAL_NOT_RELOCATABLE,     /* an instruction works only at its original address, so it
                                     * cannot run out of line */
  GILK_REFUSAL_UACCESS = 136,       /* the point is between stac and clac, where user memory access
                                     * is enabled */
  GILK_REFUSAL_SITE_JUMP_LABEL,     /* a static key is among the bytes to be overwritten */
  GILK_REFUSAL_SITE_STATIC_CALL,    /* a static call is among the bytes to be overwritten */
  GILK_REFUSAL_SITE_BUG,  /* the ud2 of a BUG or WARN is among the bytes to be overwritten */
  GILK_REFUSAL_UNREACHED,           /* no known path leads to the block, so its first instruction is
                                     * not certain */
  GILK_REFUSAL_SHARES_BYTES,        /* two hooks need the same bytes */
  GILK_REFUSAL_STACK_UNKNOWN,       /* no ORC entry covers the point, so stack traces would break
                                     * there */
  GILK_REFUSAL_NO_ROOM = 144,       /* no free bytes for a 5-byte jump are within reach of a 2-byte
                                     * jump from here */

  /* reasons why a function cannot be cloned, which means replaced by an instrumented copy */
  GILK_REFUSAL_CLONE_NEVER_RETURNS = 160, /* the function never returns: tasks would stay in its
                                           * clone (instrumented copy) forever */
  GILK_REFUSAL_CLONE_SWITCHES,      /* the function switches stacks, or the idle task runs in it:
                                     * its clone could never be freed */
  GILK_REFUSAL_CLONE_INBOUND,       /* other functions jump into this function's middle, so its
                                     * clone would be bypassed */
  GILK_REFUSAL_CLONE_ENTRY,         /* no space at the function's entry for the jump to the clone */
  GILK_REFUSAL_CLONE_STATIC_CALL,   /* the function contains a static call without a known
                                     * trampoline that its clone could call */
  GILK_REFUSAL_CLONE_TOO_LARGE,     /* the clone (instrumented copy of the function) would not fit
                                     * into a slot of executable memory */
  GILK_REFUSAL_CLONE_TRACED,        /* ftrace, BPF or a livepatch uses the function's ftrace site,
                                     * which clones of other functions would bypass */
  GILK_REFUSAL_CLONE_MIXED,         /* some hooks must be in the original function, which no longer
                                     * runs once it is cloned */

  /* refusals of hooks that change what the kernel does */
  GILK_REFUSAL_CHANGE_NOT_ALLOWED = 170,  /* the user did not allow changes to the kernel */
  GILK_REFUSAL_CHANGE_ENDLESS,        /* the run has no end, so nothing would undo the changes */
  GILK_REFUSAL_NO_RETURN,             /* the function contains no return instruction that the hook
                                       * could force */
  GILK_REFUSAL_CRASH_OFF,  /* the hook crashes the kernel, which the user did not allow */

  /* refusals of hooks that are added to a run while it is live */
  /* armed hooks use the bytes, or need the function patched in another way (original or clone) */
  GILK_REFUSAL_LIVE_BYTES = 176,

  /* refusals of spans, which measure the calls of a function */
  GILK_REFUSAL_LEAVES_EARLY = 180, /* a conditional jump leaves the function, and a hook cannot see
                                    * whether it is taken */

  /* refusals of hooks that run a probe program, and of hooks in user-space programs */
  GILK_REFUSAL_RUNS_ON = 190,       /* the block falls through into a block with other predecessors,
                                     * so no address is reached only after this block */
  GILK_REFUSAL_USER_TACTIC,         /* the plan names a tactic for a hook in a user program, where
                                     * every hook is a uprobe */
  GILK_REFUSAL_USER_UNWINDS,        /* a return probe would break the stack unwinding of the user
                                     * program's exceptions */
  GILK_REFUSAL_USER_GO,             /* a return probe would crash a Go program, which moves its
                                     * stacks */

  /* refusals of hooks that are made with BPF instead of the driver */
  GILK_REFUSAL_BPF_CHANGE = 200,    /* the hook changes what the kernel does, which a BPF program at
                                     * a kprobe cannot do */
  GILK_REFUSAL_BPF_SERVICE,  /* the hook's program uses a function that only the driver provides */
  GILK_REFUSAL_BPF_MODULE,          /* the hook's instrument is a kernel module, which a BPF program
                                     * cannot call */
  GILK_REFUSAL_BPF_UNTRACED,        /* ftrace cannot trace the function, so it cannot have a kprobe
                                     * with a BPF program */
  GILK_REFUSAL_BPF_TACTIC,  /* the plan names a tactic (way of patching) that only the driver has */
  GILK_REFUSAL_BPF_STACK,           /* the hook's program records a stack trace at an instruction
                                     * where kprobes get it wrong */
  GILK_REFUSAL_BPF_LONG,  /* the hook's program is too long for the range of BPF's jumps */
  GILK_REFUSAL_BPF_CALL_TYPE,       /* the kernel reads the type of an indirect call (kCFI) from the
                                     * instruction, so it allows no kprobe there */

  /* refusals of tracepoints and timers */
  GILK_REFUSAL_NEEDS_BPF = 220,     /* tracepoint, timer, event counter or hook in a user program:
                                     * only BPF has these */
  GILK_REFUSAL_EVENT_SPAN,          /* a span measures the calls of a function; a tracepoint or
                                     * timer has no calls */
} GilkRefusal;

/* Returns the stable name of a refusal, such as "jump-label". Never NULL: "unknown" for unknown
 * numbers. */
const char *gilk_refusal_name (guint refusal);
/* Returns one sentence with the cause of a refusal, in the caller's locale. Never NULL. */
const char *gilk_refusal_cause (guint refusal);
/* Returns one sentence that says what the user can do about a refusal. Never NULL. */
const char *gilk_refusal_remedy (guint refusal);
/* Returns the refusal whose cause, in the caller's locale, occurs in @text; 0 if none. */
guint       gilk_refusal_in_text (const char *text);
/* Returns whether the refusal is about an area of code that must never be hooked, as opposed to a
 * limitation that a better planner could avoid. */
gboolean    gilk_refusal_is_area (guint refusal);

G_END_DECLS
