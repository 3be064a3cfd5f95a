/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-refusal.h - the named reasons why a point or function cannot be hooked
 *
 * Numbers below 100 are the driver's (enum ilk_refusal, same values); from 100
 * on they are the planner's own. Each has a stable name, a cause and a remedy.
 *
 * Threads: any. What is returned is static.
 */
#pragma once

#include <glib.h>

#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

typedef enum {
  GILK_REFUSAL_NONE = ILK_REFUSAL_NONE,
  /* 1..99: enum ilk_refusal */

  /* whole functions */
  GILK_REFUSAL_UNDECODABLE = 100,   /* a reached instruction is unknown */
  GILK_REFUSAL_NOINSTR,             /* .noinstr.text, cpuidle */
  GILK_REFUSAL_ENTRY,               /* entry, irqentry code */
  GILK_REFUSAL_INIT,                /* .init/.exit text */
  GILK_REFUSAL_THUNK,               /* return, indirect thunks, static-call trampolines */
  GILK_REFUSAL_BLACKLIST,           /* kprobe blacklist */
  GILK_REFUSAL_OWN_PATH,            /* code that ilk itself needs while patching */
  GILK_REFUSAL_INDIRECT_JUMP,       /* computed jump inside the function: leaders unknown */
  GILK_REFUSAL_ASM,                 /* hand-written code with no function bounds */
  GILK_REFUSAL_GENERATED,           /* BPF image, ftrace trampoline: not text of the kernel */
  GILK_REFUSAL_BREAKPOINT,          /* an int3 in reached code, whoever put it there */

  /* points */
  GILK_REFUSAL_FENTRY = 130,        /* the bytes belong to the ftrace site */
  GILK_REFUSAL_TOO_SHORT,           /* block shorter than the tactic needs */
  GILK_REFUSAL_CALL_INSIDE,         /* a call is not last in the footprint */
  GILK_REFUSAL_POST_AFTER_CALL,     /* post-hook would need a return address in the patch */
  GILK_REFUSAL_NOT_RELOCATABLE,     /* instruction may not run out of line */
  GILK_REFUSAL_UACCESS = 136,       /* between stac and clac */
  GILK_REFUSAL_SITE_JUMP_LABEL,     /* static key site in the footprint */
  GILK_REFUSAL_SITE_STATIC_CALL,    /* static call site in the footprint */
  GILK_REFUSAL_SITE_BUG,            /* ud2 in the footprint */
  GILK_REFUSAL_UNREACHED,           /* no known path leads to the block */
  GILK_REFUSAL_SHARES_BYTES,        /* two wanted hooks need the same bytes */
  GILK_REFUSAL_STACK_UNKNOWN,       /* no ORC entry: stack traces would break */
  GILK_REFUSAL_NO_ROOM = 144,       /* no room within range of a hop */

  /* clones */
  GILK_REFUSAL_CLONE_NEVER_RETURNS = 160, /* no way out: nobody inside would ever leave */
  GILK_REFUSAL_CLONE_SWITCHES,      /* changes stacks, or lies below the idle task */
  GILK_REFUSAL_CLONE_INBOUND,       /* other functions enter it in the middle */
  GILK_REFUSAL_CLONE_ENTRY,         /* no room for the jump at its entry */
  GILK_REFUSAL_CLONE_STATIC_CALL,   /* a static call without a trampoline to go through */
  GILK_REFUSAL_CLONE_TOO_LARGE,     /* larger than a slot */
  GILK_REFUSAL_CLONE_TRACED,        /* its ftrace site is in use, and other clones would pass it by */
  GILK_REFUSAL_CLONE_MIXED,         /* some hooks of the function may only be in the original */

  /* changes of the kernel */
  GILK_REFUSAL_EXPERIMENT_OFF = 170,  /* no experiment mode */
  GILK_REFUSAL_EXPERIMENT_ENDLESS,    /* no end */
  GILK_REFUSAL_NO_RETURN,             /* the function has no return to leave by */
  GILK_REFUSAL_CRASH_OFF,             /* the run may not make the kernel crash */

  /* changes of a run */
  GILK_REFUSAL_LIVE_BYTES = 176,    /* live hooks hold the bytes, or run the function otherwise */

  /* spans */
  GILK_REFUSAL_LEAVES_HALFWAY = 180, /* a conditional jump leaves the function */

  /* programs */
  GILK_REFUSAL_RUNS_ON = 190,       /* behind a block that runs on into one which others lead to as well */
  GILK_REFUSAL_USER_TACTIC,         /* a tactic was asked for */
  GILK_REFUSAL_USER_UNWINDS,        /* all returns, of a program whose exceptions look for return addresses */
  GILK_REFUSAL_USER_GO,             /* likewise, of one that moves its stacks */
} GilkRefusal;

/* Stable name, e.g. "jump-label". Never NULL: unknown numbers give "unknown". */
const char *gilk_refusal_name (guint refusal);
/* One sentence: why. Translated by the caller's locale; never NULL. */
const char *gilk_refusal_cause (guint refusal);
/* One sentence: what the user can do. Never NULL. */
const char *gilk_refusal_remedy (guint refusal);
/* The refusal whose cause @text tells, in the caller's locale; 0 if none. */
guint       gilk_refusal_told (const char *text);

G_END_DECLS
