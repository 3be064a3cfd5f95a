/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-refusal.h - names the reasons why a point or function cannot be hooked
 *
 * Refusals with numbers below 100 are made by the driver (values of enum ilk_refusal) and the agent
 * (values of enum gilk_bpf_refusal), those from 100 on by the planner. Each refusal has a stable
 * name, a cause and a remedy.
 *
 * Threads: any. Returned strings are static.
 */
#pragma once

#include <glib.h>

#include "agent/gilk-wire.h"

G_BEGIN_DECLS

typedef enum {
  GILK_REFUSAL_NONE = ILK_REFUSAL_NONE,
  /* 1..99: enum ilk_refusal */

  /* whole functions */
  GILK_REFUSAL_UNDECODABLE = 100,   /* unknown instruction in reached code */
  GILK_REFUSAL_NOINSTR,             /* code in .noinstr.text or cpuidle */
  GILK_REFUSAL_ENTRY,               /* entry or irqentry code */
  GILK_REFUSAL_INIT,                /* .init/.exit text */
  GILK_REFUSAL_THUNK,               /* return or indirect thunk, or static-call trampoline */
  GILK_REFUSAL_BLACKLIST,           /* code on the kprobe blacklist */
  GILK_REFUSAL_OWN_PATH,            /* code that ilk itself needs while patching */
  GILK_REFUSAL_INDIRECT_JUMP,       /* indirect jump inside the function: block boundaries are
                                     * unknown */
  GILK_REFUSAL_ASM,                 /* hand-written code with no function bounds */
  GILK_REFUSAL_GENERATED,           /* BPF image or ftrace trampoline, which is not kernel text */
  GILK_REFUSAL_BREAKPOINT,          /* an int3 in reached code, written by the kernel or by another
                                     * tool */

  /* points */
  GILK_REFUSAL_FENTRY = 130,        /* the bytes belong to an ftrace site */
  GILK_REFUSAL_TOO_SHORT,           /* block shorter than the tactic needs */
  GILK_REFUSAL_CALL_INSIDE,         /* a call inside the footprint, not at its end */
  GILK_REFUSAL_POST_AFTER_CALL,     /* post-hook after a call: the return address would be in the
                                     * patch */
  GILK_REFUSAL_NOT_RELOCATABLE,     /* an instruction cannot run out of line */
  GILK_REFUSAL_UACCESS = 136,       /* the point is between stac and clac */
  GILK_REFUSAL_SITE_JUMP_LABEL,     /* a static key site in the footprint */
  GILK_REFUSAL_SITE_STATIC_CALL,    /* a static call site in the footprint */
  GILK_REFUSAL_SITE_BUG,            /* a ud2 in the footprint */
  GILK_REFUSAL_UNREACHED,           /* no known path leads to the block */
  GILK_REFUSAL_SHARES_BYTES,        /* two hooks need the same bytes */
  GILK_REFUSAL_STACK_UNKNOWN,       /* no ORC entry: stack traces would break */
  GILK_REFUSAL_NO_ROOM = 144,       /* no free bytes within range of a 2-byte jump */

  /* clones */
  GILK_REFUSAL_CLONE_NEVER_RETURNS = 160, /* the function never returns: tasks would stay in the
                                           * clone */
  GILK_REFUSAL_CLONE_SWITCHES,      /* the function switches stacks, or the idle task runs in it */
  GILK_REFUSAL_CLONE_INBOUND,       /* other functions jump into the function's middle */
  GILK_REFUSAL_CLONE_ENTRY,         /* no space at the function's entry for the jump to the clone */
  GILK_REFUSAL_CLONE_STATIC_CALL,   /* a static call without a known trampoline */
  GILK_REFUSAL_CLONE_TOO_LARGE,     /* the clone would exceed a slot */
  GILK_REFUSAL_CLONE_TRACED,        /* the function's ftrace site is in use, and clones of other
                                     * functions would bypass it */
  GILK_REFUSAL_CLONE_MIXED,         /* some of the function's hooks can only be in the original */

  /* refusals of hooks that change the kernel */
  GILK_REFUSAL_CHANGE_NOT_ALLOWED = 170,  /* the user did not allow changes to the kernel */
  GILK_REFUSAL_CHANGE_ENDLESS,        /* the run has no end that would undo the changes */
  GILK_REFUSAL_NO_RETURN,             /* the function has no return instruction of its own */
  GILK_REFUSAL_CRASH_OFF,             /* the user did not allow crashes */

  /* refusals of changes to a live run */
  /* live hooks use the bytes, or need the function in another form (original or clone) */
  GILK_REFUSAL_LIVE_BYTES = 176,

  /* spans */
  GILK_REFUSAL_LEAVES_EARLY = 180, /* a conditional jump leaves the function */

  /* refusals of programs, and of hooks in user programs */
  GILK_REFUSAL_RUNS_ON = 190,       /* the block falls through into a block with other
                                     * predecessors */
  GILK_REFUSAL_USER_TACTIC,         /* a tactic for a hook in a user program, which is always a
                                     * uprobe */
  GILK_REFUSAL_USER_UNWINDS,        /* a return probe would break the stack unwinding of the user
                                     * program's exceptions */
  GILK_REFUSAL_USER_GO,             /* a return probe would crash a Go program, which moves its
                                     * stacks */

  /* refusals of hooks by BPF */
  GILK_REFUSAL_BPF_CHANGE = 200,    /* the program changes what the kernel does */
  GILK_REFUSAL_BPF_SERVICE,         /* the program uses a service of the driver */
  GILK_REFUSAL_BPF_MODULE,          /* the instrument is a kernel module */
  GILK_REFUSAL_BPF_UNTRACED,        /* the function has no ftrace site */
  GILK_REFUSAL_BPF_TACTIC,          /* the plan wants a tactic of the driver */
  GILK_REFUSAL_BPF_STACK,           /* the program takes stacks where a kprobe cannot */
  GILK_REFUSAL_BPF_LONG,            /* the program is too long for BPF's jumps */

  /* refusals of tracepoints and timers */
  GILK_REFUSAL_NEEDS_BPF = 220,     /* tracepoint, timer, event counter or hook in a user program:
                                     * only BPF has these */
  GILK_REFUSAL_EVENT_SPAN,          /* a span measures calls; tracepoints and timers are not calls */
} GilkRefusal;

/* Returns the stable name, such as "jump-label". Never NULL: "unknown" for unknown numbers. */
const char *gilk_refusal_name (guint refusal);
/* Returns one sentence with the reason, in the caller's locale. Never NULL. */
const char *gilk_refusal_cause (guint refusal);
/* Returns one sentence that says what the user can do. Never NULL. */
const char *gilk_refusal_remedy (guint refusal);
/* Returns the refusal whose cause, in the caller's locale, occurs in @text; 0 if none. */
guint       gilk_refusal_in_text (const char *text);
/* Returns TRUE for code areas that must never be hooked, even by a better planner. */
gboolean    gilk_refusal_is_area (guint refusal);

G_END_DECLS
