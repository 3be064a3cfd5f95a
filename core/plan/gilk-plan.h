/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan.h - a plan: hooks and schedule, as a diffable text file
 *
 * GKeyFile syntax. Points are anchored by symbol, block offset and the block's fingerprint, never
 * by address:
 *
 *   [gilk-plan]
 *   version=2
 *   title=Who sleeps in the pipe
 *   # The kernel that it was made on.
 *   kernel=6.1.0-56-amd64
 *   build-id=8d3ac9c0e1b1f6c5a8fd0d8e3a3f0c1d2b4a6978
 *   # Programs may change what the kernel does: gilk-probes(7).
 *   changes=yes
 *   # Programs may crash the kernel if a crash kernel saves a dump; without-dump: in any case.
 *   crash=yes
 *   # Rings of 8 MiB per CPU, which keep the last 5 s.
 *   ring=8M
 *   ring-mode=overwrite
 *   ring-window=5s
 *   # The first condition that holds ends the run (gilk-stop-condition.h).
 *   until=samples >= 1000000; lost > 1%
 *
 *   # The name is the hook's label.
 *   [hook writer-sleeps]
 *   function=pipe_write
 *   block=+0x2b1
 *   where=pre
 *   fingerprint=0c5de2a7718ce301:9f31c02b77d0a4e1
 *   instrument=task
 *   start=0s
 *   stop=15s
 *   param.every=1
 *   tactic=auto
 *
 *   # A probe program (gilk-probes(7)), with \n at the end of each line.
 *   [program large]
 *   code=if (count > 4096) sample(pid, count)
 *
 *   [hook writes]
 *   function=vfs_write
 *   anchor=entry
 *   where=pre
 *   program=large
 *   # Starts 1 s after hook writer-sleeps stops, for 5 s.
 *   start=after writer-sleeps + 1s
 *   stop=+5s
 *
 *   # An event: a tracepoint or a timer (syntax in gilk-plan-event.h).
 *   [event switches]
 *   what=tracepoint:sched:sched_switch
 *   instrument=count
 *
 *   # A watchpoint: accesses to a variable (syntax in gilk-plan-point.h).
 *   [watchpoint ticks]
 *   what=jiffies_64:w
 *   start=1s
 *
 * where= is pre, post or at. With at, the hook is directly in front of an instruction: block= is
 * the instruction's offset, and fingerprint= its fingerprint; or, with anchor=call:SYMBOL, it is
 * the call instruction (with anchor=call:SYMBOL#N, the Nth one). instrument= is count, stamp or the
 * name of an instrument module. A hook without stop= works until the run ends. tactic= is auto,
 * splice, bounce, clone, trap or inner, which is a clone that only the plan's other clones call.
 * Instead of instrument= a hook may have program=, the name of a program of the plan. Hooks may
 * share a program, but each has its own maps. Comments are on lines of their own. Unknown and
 * repeated keys are errors, so that typing errors are found.
 *
 * A fingerprint consists of a hash of the function and a hash of the block
 * (gilk_cfg_fingerprint()). If the whole function is unchanged, a block is found by its offset. In
 * a changed function, a block is found, at its offset or elsewhere, if its hash was unique in the
 * function and still is; otherwise the plan is refused as stale or ambiguous. Without a
 * fingerprint, a block is found by its offset, but only on the kernel build that the plan names.
 * Likewise, "name@2", the second function of that name by address, is found only on that build.
 * Fingerprints of version 1, with 16 digits, do not distinguish callees: they are valid only at
 * their offset, on the kernel release that the plan names. gilk_bound_plan_renew() makes new ones.
 *
 * If no branch leads to the function's first instruction, a hook in front of that instruction is
 * found by the function's name alone, whatever has changed.
 *
 * Instead of block= a hook may have anchor=call:SYMBOL: the only block (or, with
 * anchor=call:SYMBOL#2, the second one) that calls or tail-calls SYMBOL; anchor=entry, the first
 * block; or anchor=return (or return#2), a block that returns. Such plans work on different
 * kernels; recipes use them.
 *
 * Threads: one at a time per plan; any thread may drop references. On failure files and outputs are
 * unchanged.
 */
#pragma once

#include "core/base/gilk-tactic.h"
#include "core/cfg/gilk-cfg.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* A probe program (gilk-program.h), stored as text. It is compiled for each hook that uses it, when
 * the hook is bound to a probe point. */
typedef struct {
  char      *name;             /* name, unique in the plan: a valid label of at most
                                * GILK_PROGRAM_NAME_MAX bytes */
  char      *code;
} GilkPlanProgram;

#define GILK_PROGRAM_NAME_MAX 31

/* A tracepoint or a timer (gilk-plan-event.h). Its text is in GilkPlanHook.function. */
typedef struct {
  guint     kind;              /* enum gilk_event_kind; 0: the hook is not at an event */
  uint64_t  amount;            /* profile: hits per second on each CPU; interval: ns between hits */
} GilkPlanEvent;

typedef struct _GilkPlanWatchpoint GilkPlanWatchpoint;   /* gilk-plan-point.h */

typedef struct {
  char      *label;            /* unique name in the plan, [A-Za-z0-9._+-]+ */
  char      *function;         /* name of the function, as returned by gilk_functions_name() */
  char      *block;            /* offset of the block in its function, such as "+0x1f" or
                                * ".cold+0x10"; NULL if @anchor is set */
  char      *anchor;           /* "call:schedule", "call:schedule#2", "entry" or "return", which
                                * selects a block by what it does; NULL if @block is set */
  GilkWhere  where;
  char       fingerprint[GILK_FINGERPRINT_SIZE];   /* fingerprint of the block; "" if not
                                                    * recorded */
  char      *instrument;  /* name of an inline instrument, a module, or a program of the plan */
  gboolean   is_program;       /* @instrument names a program */
  uint64_t   start_ns;
  uint64_t   stop_ns;          /* 0: the hook stops at the end of the run */
  char      *leader;           /* label of the hook after whose stop this hook starts (its leader,
                                * gilk-plan-schedule.h); NULL: none */
  uint64_t   leader_delay_ns;  /* delay from the leader's stop to the hook's start */
  GHashTable *params;          /* parameters of the instrument: from their names to their values as
                                * text */
  guint      tactic;           /* enum ilk_tactic; 0: auto */
  gboolean   inner;            /* with ILK_TACTIC_CLONE: only the clones of other functions call
                                * this clone */
  gboolean   triggers;         /* a hit of this hook ends the run, if the rings are in overwrite
                                * mode */
  uint64_t   trigger_ns;       /* time from the hit that triggers the end of the run to that end */
  gboolean   control;          /* control hook of an A/B run, which is never switched off */
  GilkPlanWatchpoint *watch;   /* settings of a watchpoint, whose expression is in @function; NULL:
                                * not a watchpoint */
  GilkPlanEvent event;         /* the tracepoint or timer that the hook is attached to, if any */
  /* private: */
  gatomicrefcount ref_count;
} GilkPlanHook;

/* Returns whether the hook is in the code of a function, and not at a watchpoint or an event. */
static inline gboolean
gilk_plan_hook_has_graph (const GilkPlanHook *hook)
{
  return hook->watch == NULL && hook->event.kind == 0;
}

/* Whether programs of the plan may crash the kernel. */
typedef enum {
  GILK_CRASH_NEVER,
  GILK_CRASH_WITH_DUMP,        /* crashes are permitted if a crash kernel that saves a dump is
                                * loaded */
  GILK_CRASH_WITHOUT_DUMP,     /* crashes are permitted in any case */
} GilkPlanCrash;

/* Ring mode: another program reads the samples from /dev/ilk; the session stores none. */
#define GILK_RING_FIFO 3

/* Settings of the sample rings. */
typedef struct {
  /* size per CPU; 0: chosen according to the target's memory and the sample size */
  uint64_t bytes;
  guint    mode;               /* enum ilk_ring_mode, or GILK_RING_FIFO */
  uint64_t window_ns;          /* with ILK_RING_OVERWRITE: maximum age of the samples that are kept;
                                * 0: unlimited */
} GilkPlanRing;

/* Settings of an A/B run, in which hooks are switched off and on in random intervals. Control
 * hooks, which stay on, measure the effect. */
typedef struct {
  uint64_t period_ns;          /* length of an interval; 0: hooks are not switched */
  uint64_t seed;               /* seed of the random order; each on interval is paired with an off
                                * interval */
} GilkPlanInterleave;

typedef struct {
  char      *title;
  char      *kernel;           /* release of the kernel that the plan was made on; NULL: unknown */
  char      *build_id;         /* NULL: unknown */
  GilkPlanRing ring;
  GilkPlanInterleave   interleave;
  char        *until;          /* stop conditions (gilk-stop-condition.h), canonical; NULL: none */
  gboolean   may_change;       /* programs may change the kernel's behaviour */
  GilkPlanCrash crash;         /* whether programs may crash the kernel */
  uint64_t   run_length_ns;    /* planned length of the run; 0: unlimited. Not stored in the plan
                                * file */
  GPtrArray *programs;         /* (element-type GilkPlanProgram), in file order */
  GPtrArray *hooks;            /* (element-type GilkPlanHook), in file order */
  /* private: */
  GHashTable *program_named;   /* table from a program's name to the element of @programs */
  gatomicrefcount ref_count;
} GilkPlan;

GilkPlan *gilk_plan_new   (void);
GilkPlan *gilk_plan_load  (const char *path, GError **error);
GilkPlan *gilk_plan_parse (const char *text, gsize length, const char *name, GError **error);
/* Returns the plan's canonical text. (transfer full) */
char     *gilk_plan_to_text (const GilkPlan *plan);
gboolean  gilk_plan_save  (const GilkPlan *plan, const char *path, GError **error);
/*
 * Returns the plan's text in the style of @before, an older text of the plan: keeps the comments,
 * order and spelling of @before for unchanged hooks. Ignores @before if it cannot be parsed.
 * (transfer full)
 */
char     *gilk_plan_to_text_like (const GilkPlan *plan, const char *before, gsize length);
/* Saves the plan in the style of the file @like (nullable), which may be @path itself. */
gboolean  gilk_plan_save_like (const GilkPlan *plan, const char *path, const char *like, GError **error);
GilkPlan *gilk_plan_copy  (const GilkPlan *plan);
/* Makes a copy that shares the hooks, for undo and for other threads. Shared hooks must only be
 * changed through gilk_plan_edit_hook(). */
GilkPlan *gilk_plan_share (const GilkPlan *plan);
/* Returns the hook at @index so that the caller may change it. If other plans share the hook, first
 * replaces it by a copy. (transfer none) */
GilkPlanHook *gilk_plan_edit_hook (GilkPlan *plan, guint index);
GilkPlan *gilk_plan_ref   (GilkPlan *plan);
void      gilk_plan_unref (GilkPlan *plan);
/* Works like gilk_plan_unref(), but frees large plans in another thread, so that the caller is not
 * blocked (freeing 50,000 hooks takes 50 ms). */
void      gilk_plan_unref_async (GilkPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlan, gilk_plan_unref)

/* Sets the kernel that the plan was made on, unless it is set already. */
void     gilk_plan_set_origin (GilkPlan *plan, const char *kernel, const char *build_id);
/* Returns FALSE only if the plan is known to come from another kernel release or build. */
gboolean gilk_plan_matches_kernel   (const GilkPlan *plan, const char *kernel, const char *build_id);

GilkPlanHook *gilk_plan_hook_new  (const char *label, const char *function, GilkWhere where,
                                   const char *instrument);
GilkPlanHook *gilk_plan_hook_copy (const GilkPlanHook *hook);
/*
 * Copies @hook, whose function is a pattern, to the function @name. In the copy's
 * label, the pattern is replaced by the name; if the label does not start with the pattern, it gets
 * @number, unless that is 0. @labels: set of the other hooks' labels, to which the copy's label is
 * added. (transfer full)
 */
GilkPlanHook *gilk_plan_hook_copy_to (const GilkPlanHook *hook, const char *name, GHashTable *labels, guint number);
GilkPlanHook *gilk_plan_hook_ref  (GilkPlanHook *hook);
void          gilk_plan_hook_unref (GilkPlanHook *hook);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanHook, gilk_plan_hook_unref)
/* Returns @base if @plan does not use it as a label yet; otherwise appends a number to it. (transfer
 * full) */
char         *gilk_plan_unused_label (const GilkPlan *plan, const char *base);
/* Returns a label that is unused in the plan, such as "pipe_write+0x2b1-pre". (transfer full) */
char         *gilk_plan_make_label (const GilkPlan *plan, const char *function,
                                    const char *block, GilkWhere where);
/* Returns the program called @name. (transfer none) (nullable) */
const GilkPlanProgram *gilk_plan_program (const GilkPlan *plan, const char *name);
/**
 * gilk_plan_add_program:
 * @name: a valid name, or text from which an unused valid name is made
 * Returns: (transfer none): the program's name
 */
const char   *gilk_plan_add_program (GilkPlan *plan, const char *name, const char *code);
/* Returns the text of the hook's program. (transfer none) (nullable): NULL for a hook without a
 * program */
const char   *gilk_plan_hook_code (const GilkPlan *plan, const GilkPlanHook *hook);
/* Checks that a plan can store @code. Its syntax is checked by gilk_program_parse(). */
gboolean      gilk_plan_check_code (const char *code, GError **error);
/**
 * gilk_plan_set_code:
 * @hook: a hook of the plan, or one about to be added
 * @code: accepted by gilk_plan_check_code()
 *
 * Makes @code the text of the hook's program. Other hooks that share the program get the new text,
 * too. If the hook has an instrument and not a program, a new program is made, named after the
 * hook.
 */
void          gilk_plan_set_code  (GilkPlan *plan, GilkPlanHook *hook, const char *code);
/* Replaces the hook's program (or instrument) by @instrument, without parameters. Removes the
 * program from the plan if no other hook uses it. */
void          gilk_plan_hook_drop_program (GilkPlan *plan, GilkPlanHook *hook, const char *instrument);
/* Returns how many hooks use the program. */
guint         gilk_plan_count_program_users (const GilkPlan *plan, const char *name);
/* Removes programs that no hook uses. */
void          gilk_plan_remove_unused_programs (GilkPlan *plan);
/* Checks that each program that a hook names exists, that hooks with programs have no parameters,
 * and that no program has the name of a hook's instrument. Must be called again after the plan has
 * changed. */
gboolean      gilk_plan_check_programs (const GilkPlan *plan, GError **error);
const char *gilk_where_name  (GilkWhere where);      /* returns "pre", "post" or "at" */

/* Convert a time such as "1.5s", "20ms", "250us" or "0" to ns and back. */
gboolean gilk_parse_duration  (const char *text, uint64_t *ns, GError **error);
/* Parses a length of time. Refuses 0, because a length of 0 stands for "unlimited". */
gboolean gilk_parse_length    (const char *text, uint64_t *ns, GError **error);
/* Convert a valid ring size, such as "64K" or "8M", to bytes and back. */
gboolean gilk_parse_ring_bytes  (const char *text, uint64_t *bytes, GError **error);
char    *gilk_format_ring_bytes (uint64_t bytes);
/* Convert a ring mode from its name ("drop", "stop", "overwrite" or "fifo") to its number and back.
 * FALSE or NULL: unknown mode */
gboolean gilk_parse_ring_mode   (const char *text, guint *mode, GError **error);
const char *gilk_ring_mode_name (guint mode);
/* Returns TRUE if a plan with this text keeps only the last samples (overwrite mode). */
gboolean gilk_plan_text_overwrites (const char *text);
/* Checks that the ring settings do not contradict each other. Must be called again after they have
 * changed. */
gboolean gilk_plan_check_ring   (const GilkPlan *plan, GError **error);
char    *gilk_format_duration (uint64_t ns);
/* Convert the settings of an A/B run from text to a struct and back: the length of an interval and
 * an optional seed, such as "100ms" or "100ms,42". The default seed is 1. */
gboolean gilk_parse_interleave        (const char *text, GilkPlanInterleave *interleave, GError **error);
char    *gilk_format_interleave       (const GilkPlanInterleave *interleave);
/* Checks the settings of A/B runs. Must be called again after the settings have changed. */
gboolean gilk_plan_check_interleave   (const GilkPlan *plan, GError **error);
/* Checks that the hooks named in stop conditions exist in the plan. This is not checked when a plan
 * is loaded, because hooks are added and removed while a plan is edited. */
gboolean gilk_plan_check_until (const GilkPlan *plan, GError **error);
/* Returns TRUE if the hook is switched off and on in an A/B run. */
gboolean gilk_plan_is_switched   (const GilkPlan *plan, const GilkPlanHook *hook);
/* Returns, for each of @count intervals, 1 if the hooks are on, else 0. (transfer full) */
uint8_t *gilk_interleave_intervals       (const GilkPlanInterleave *interleave, guint count);

G_END_DECLS
