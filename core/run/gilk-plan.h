/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan.h - a plan: hooks and schedule, as a diffable text file
 *
 * GKeyFile syntax. Points are anchored by symbol, block offset and the block's
 * fingerprint, never by address:
 *
 *   [gilk-plan]
 *   version=2
 *   title=Who sleeps in the pipe
 *   # Where it was made.
 *   kernel=6.1.0-56-amd64
 *   build-id=8d3ac9c0e1b1f6c5a8fd0d8e3a3f0c1d2b4a6978
 *   # Programs may change what the kernel does: gilk-probes(7).
 *   experiment=yes
 *   # They may make it crash, too, and a crash kernel take a dump; or without-dump.
 *   crash=yes
 *   # Rings of 8 MiB for each processor, in which the last 5 s are kept.
 *   ring=8M
 *   ring-mode=overwrite
 *   ring-window=5s
 *   # The first condition that holds ends the run (gilk-run-limit.h).
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
 *   # A probe program (doc/PROBES.md), with \n where a line ends.
 *   [program large]
 *   code=if (count > 4096) sample(pid, count)
 *
 *   [hook writes]
 *   function=vfs_write
 *   anchor=entry
 *   where=pre
 *   program=large
 *   # When that one stops, or so much later, for 5 s.
 *   start=after writer-sleeps + 1s
 *   stop=+5s
 *
 *   # Data: who writes a variable (gilk-plan-watch.h has how it is written).
 *   [watch ticks]
 *   what=jiffies_64:w
 *   start=1s
 *
 * where is pre or post, or at: then block= is the offset of an instruction, directly before which the hook is, and
 * the fingerprint is of it; with anchor=call:SYMBOL that is the call, and the Nth call is meant. instrument is count, stamp or a module; without stop a hook
 * works until the run ends; tactic is auto, splice, bounce, clone, trap or inner: a
 * clone that only the other clones of the plan call. Instead of instrument= a hook may say program=, the name of a
 * program of the plan, which several may have; each has memory of its own. Comments have lines of their own. Unknown and repeated keys are errors, so that no typing error goes unseen.
 *
 * A fingerprint has two parts (gilk_cfg_fingerprint()). Where the whole function is as
 * it was, the offset counts. In a changed function a block is found again, at its offset
 * or elsewhere, if it was and is the only one with its print; else the plan is refused
 * as stale or ambiguous. Without a fingerprint the offset alone counts, on the build that
 * the plan names only. So does the number in "name@2", the second function of that name by
 * address. Fingerprints of version 1, 16 digits, do not tell callees apart: they count at
 * their offset on the release that the plan names. gilk_bound_plan_renew() makes new ones.
 *
 * In front of the function's first instruction, where nothing but calls leads, a hook is found by the function's name,
 * whatever has changed.
 *
 * Instead of block= a hook may say anchor=call:SYMBOL: the block (unique, or the
 * Nth with anchor=call:SYMBOL#2) that calls or tail-calls SYMBOL; anchor=entry,
 * the first block; anchor=return (or return#2), a block that returns. Such plans
 * travel between kernels; recipes use them.
 *
 * Threads: a plan belongs to one at a time; references may be dropped in any. On failure a
 * file is as it was and outputs are untouched.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* What hooks do, in words: gilk-program.h. It is read where a hook has its place. */
typedef struct {
  char      *name;             /* unique in the plan, as labels, of at most GILK_PROGRAM_NAME_MAX bytes */
  char      *code;
} GilkPlanProgram;

#define GILK_PROGRAM_NAME_MAX 31

typedef struct _GilkPlanWatch GilkPlanWatch;   /* gilk-plan-watch.h */

typedef struct {
  char      *label;            /* unique in the plan, [A-Za-z0-9._+-]+ */
  char      *function;         /* as gilk_functions_name() has it */
  char      *block;            /* "+0x1f", ".cold+0x10"; NULL with an anchor */
  char      *anchor;           /* "call:schedule", "call:schedule#2", "entry", "return"; NULL with a block */
  GilkWhere  where;
  char       fingerprint[GILK_FINGERPRINT_SIZE];   /* "" if none recorded */
  char      *instrument;       /* what runs at a hit: an inline one, a module, or a program of the plan */
  gboolean   is_program;       /* it is that */
  uint64_t   start_ns;
  uint64_t   stop_ns;          /* 0: until the run ends */
  char      *follows;          /* the label of the hook that stops before it starts (gilk-plan-leader.h); NULL: none */
  uint64_t   follows_ns;       /* and how much later it starts */
  GHashTable *params;          /* name -> text */
  guint      tactic;           /* enum ilk_tactic, 0 auto */
  gboolean   inner;            /* with ILK_TACTIC_CLONE */
  gboolean   triggers;         /* a hit of it ends a recording that is overwritten */
  uint64_t   trigger_ns;       /* so much later */
  gboolean   witness;          /* stays on where the others are switched off and on */
  GilkPlanWatch *watch;        /* @function is data, or an instruction, in a debug register; NULL: a hook in text */
  /* private: */
  gatomicrefcount ref_count;
} GilkPlanHook;

/* May programs make the kernel crash? */
typedef enum {
  GILK_CRASH_NEVER,
  GILK_CRASH_WITH_DUMP,        /* where a crash kernel is loaded, which takes a dump */
  GILK_CRASH_WITHOUT_DUMP,     /* in any case */
} GilkPlanCrash;

/* They are another program's, which reads /dev/ilk: none is recorded. */
#define GILK_RING_FIFO 3

/* The rings that samples go through. */
typedef struct {
  uint64_t bytes;              /* of one processor; 0: by memory and what samples take */
  guint    mode;               /* enum ilk_ring_mode, or GILK_RING_FIFO */
  uint64_t window_ns;          /* with ILK_RING_OVERWRITE: older ones go; 0: as many as fit */
} GilkPlanRing;

/* Hooks are switched off and on in blocks of time, at random, to see what they do to what is seen by
 * those that stay on. */
typedef struct {
  uint64_t period_ns;          /* of a block; 0: they are not switched */
  uint64_t seed;               /* of which come first; blocks come in pairs, one of each kind */
} GilkPlanAb;

typedef struct {
  char      *title;
  char      *kernel;           /* release; NULL if not known */
  char      *build_id;         /* NULL if not known */
  GilkPlanRing ring;
  GilkPlanAb   ab;
  char        *until;          /* conditions that end a run (gilk-run-limit.h), tidy; NULL: none */
  gboolean   experiment;       /* programs may change what the kernel does */
  GilkPlanCrash crash;         /* and make it crash */
  uint64_t   lasts_ns;         /* of the run that it is for; 0: until it is stopped. Not in the file */
  GPtrArray *programs;         /* (element-type GilkPlanProgram), in file order */
  GPtrArray *hooks;            /* (element-type GilkPlanHook), in file order */
  /* private: */
  GHashTable *program_named;   /* the same, by name */
  gatomicrefcount ref_count;
} GilkPlan;

GilkPlan *gilk_plan_new   (void);
GilkPlan *gilk_plan_load  (const char *path, GError **error);
GilkPlan *gilk_plan_parse (const char *text, gsize length, const char *name, GError **error);
/* (transfer full) */
char     *gilk_plan_to_text (const GilkPlan *plan);
gboolean  gilk_plan_save  (const GilkPlan *plan, const char *path, GError **error);
/* As text in the way of @before: comments, order and spelling of what it says of the same hooks stay. What is no plan
 * says nothing. (transfer full) */
char     *gilk_plan_to_text_over (const GilkPlan *plan, const char *before, gsize length);
/* The same with a file's text for @before. @like: often @path itself; (nullable) */
gboolean  gilk_plan_save_over (const GilkPlan *plan, const char *path, const char *like, GError **error);
GilkPlan *gilk_plan_copy  (const GilkPlan *plan);
/* A copy that has the hooks in common, for undo and for other threads: in neither may one be changed, other than by
 * gilk_plan_edit_hook(). */
GilkPlan *gilk_plan_share (const GilkPlan *plan);
/* The hook at @index, in a copy that is this plan's alone. (transfer none) */
GilkPlanHook *gilk_plan_edit_hook (GilkPlan *plan, guint index);
GilkPlan *gilk_plan_ref   (GilkPlan *plan);
void      gilk_plan_unref (GilkPlan *plan);
/* The same for threads that must not wait: what it frees, for 50,000 hooks some 50 ms, is freed on another one. */
void      gilk_plan_unref_aside (GilkPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlan, gilk_plan_unref)

/* Notes where a plan is made; what was known stays. */
void      gilk_plan_set_origin (GilkPlan *plan, const char *kernel, const char *build_id);
/* FALSE only if it is known to come from another build than that of @build_id, or release. */
gboolean  gilk_plan_is_of   (const GilkPlan *plan, const char *kernel, const char *build_id);

GilkPlanHook *gilk_plan_hook_new  (const char *label, const char *function, GilkWhere where,
                                   const char *instrument);
GilkPlanHook *gilk_plan_hook_copy (const GilkPlanHook *hook);
GilkPlanHook *gilk_plan_hook_ref  (GilkPlanHook *hook);
void          gilk_plan_hook_unref (GilkPlanHook *hook);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanHook, gilk_plan_hook_unref)
/* A label not yet used, e.g. "pipe_write+0x2b1-pre". (transfer full) */
char         *gilk_plan_make_label (const GilkPlan *plan, const char *function,
                                    const char *block, GilkWhere where);
/* (transfer none) (nullable) */
const GilkPlanProgram *gilk_plan_program (const GilkPlan *plan, const char *name);
/**
 * gilk_plan_add_program:
 * @name: a valid one, or one to make a valid one of that is not yet used
 * Returns: (transfer none): its name
 */
const char   *gilk_plan_add_program (GilkPlan *plan, const char *name, const char *code);
/* The text of the hook's program. (transfer none) (nullable): it has none */
const char   *gilk_plan_hook_code (const GilkPlan *plan, const GilkPlanHook *hook);
/* Can a plan hold it? Whether it means something is gilk_program_parse()'s to say. */
gboolean      gilk_plan_check_code (const char *code, GError **error);
/**
 * gilk_plan_set_code:
 * @hook: one of the plan's, or about to be
 * @code: of gilk_plan_check_code()
 *
 * The hook runs @code from now on: it becomes the text of the program that the hook has, which other hooks may
 * have, too; a hook without one gets a new program, named as the hook is.
 */
void          gilk_plan_set_code  (GilkPlan *plan, GilkPlanHook *hook, const char *code);
/* How many hooks have it. */
guint         gilk_plan_program_users (const GilkPlan *plan, const char *name);
/* Takes out what no hook has. */
void          gilk_plan_drop_programs (GilkPlan *plan);
/* Do names of programs stand for one thing each? As gilk_plan_check_ring(). */
gboolean      gilk_plan_check_programs (const GilkPlan *plan, GError **error);
/* "pre", "post", "at"; "auto", "splice", "bounce", "clone", "trap". Never NULL. */
const char *gilk_where_name  (GilkWhere where);
const char *gilk_tactic_name (guint tactic);

/* "1.5s", "20ms", "250us", "0" -> ns; and back. */
gboolean gilk_parse_duration  (const char *text, uint64_t *ns, GError **error);
/* How long something lasts: a duration that is not 0, which would mean no end. */
gboolean gilk_parse_length    (const char *text, uint64_t *ns, GError **error);
/* "64K", "8M": a size that a ring can have; and back. */
gboolean gilk_parse_ring_bytes  (const char *text, uint64_t *bytes, GError **error);
char    *gilk_format_ring_bytes (uint64_t bytes);
/* "drop", "stop", "overwrite", "fifo"; FALSE, NULL: no such mode */
gboolean gilk_parse_ring_mode   (const char *text, guint *mode, GError **error);
const char *gilk_ring_mode_name (guint mode);
/* Does a run of the plan with this text keep the last of its samples, and give up what is older? */
gboolean gilk_plan_text_overwrites (const char *text);
/* Was a run of it an experiment? */
gboolean gilk_plan_text_experiments (const char *text);
/* Do its parts fit together? To be asked again once any was changed. */
gboolean gilk_plan_check_ring   (const GilkPlan *plan, GError **error);
char    *gilk_format_duration (uint64_t ns);
/* "100ms", "100ms,42": the seed is 1 unless it is said; and back. */
gboolean gilk_parse_ab        (const char *text, GilkPlanAb *ab, GError **error);
char    *gilk_format_ab       (const GilkPlanAb *ab);
/* As gilk_plan_check_ring(). */
gboolean gilk_plan_check_ab   (const GilkPlan *plan, GError **error);
/* Do its conditions name hooks that it has? Not asked when a plan is read: hooks come and go while one is edited. */
gboolean gilk_plan_check_until (const GilkPlan *plan, GError **error);
/* Is it switched off and on? */
gboolean gilk_plan_switches   (const GilkPlan *plan, const GilkPlanHook *hook);
/* Which of @count blocks have the hooks on: 1, else 0. (transfer full) */
uint8_t *gilk_ab_blocks       (const GilkPlanAb *ab, guint count);

G_END_DECLS
