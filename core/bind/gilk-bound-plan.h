/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-plan.h - a plan matched to one live kernel
 *
 * Resolves functions, finds blocks again, chooses tactics, checks overlaps and instruments.
 * Everything that can be known before arming is known here, and nothing in the kernel changes.
 *
 * Threads: one at a time; blocks on the target. A bound plan given to a GilkRun belongs to the
 * run's thread. On failure @plan and @live are unchanged.
 */
#pragma once

#include "core/plan/gilk-plan.h"
#include "core/program/gilk-program.h"

G_BEGIN_DECLS

/* How programs of other hooks control a hook. */
typedef enum {
  GILK_CONTROL_NONE,
  GILK_CONTROL_STOPPED,           /* works until a program stops it */
  GILK_CONTROL_STARTED,           /* off until a program starts it */
} GilkControl;

typedef struct {
  const GilkPlanHook *hook;       /* in the bound plan */
  GilkCfg   *cfg;                 /* NULL: a watchpoint, or the function was not found */
  struct ilk_watch watch;         /* of a watchpoint: the driver request, without iid and times */
  const char *watch_module;       /* "kernel", or the module that has the variable */
  guint      block;               /* in @cfg, which is split at hooks within blocks */
  GilkWhere  where;               /* edge of the block */
  uint64_t   addr;                /* start of the planned block, or the instruction */
  guint      at;                  /* of a program: as in GilkWant */
  gboolean   returns;             /* as in GilkWant */
  gboolean   moved;               /* found at another offset than planned */
  GilkChoice choice;              /* tactic, cost or refusal; patch index within its splice plan */
  guint      splice_plan;         /* index into splice_plans */
  guint      want_index;          /* index of the want in that plan */
  guint      instrument;          /* index into instruments, G_MAXUINT for inline and programs */
  const char *code;               /* source of its program, from the plan; NULL: none */
  GilkProgram *program;           /* compiled for this probe point; NULL: none, or that failed */
  GilkProgramError program_error; /* position of the error; line 0: none */
  GilkControl control;
  gboolean   takes_samples;
  guint      live_index;          /* same hook in the plan that this one follows; G_MAXUINT: new */
  gboolean   removed;             /* in a run's plan: removed during the run */
  GError    *error;               /* why the hook cannot be bound; NULL: it can */
} GilkBoundHook;

typedef struct {
  GilkPlan  *plan;
  GArray    *hooks;               /* GilkBoundHook, in plan order */
  GPtrArray *splice_plans;        /* GilkSplicePlan, one per function */
  GArray    *live_plans;          /* guint, per splice plan: its live index; G_MAXUINT: new */
  GArray    *instruments;         /* struct ilk_instrument_desc: those in use */
  GArray    *events;              /* struct ilk_event_counter, from the driver; NULL: not yet */
  guint      n_failed;
  gboolean   partly_checked;      /* checked without the driver, or without some module */
  gboolean   joined;              /* clones call each other, even those with other callers */
} GilkBoundPlan;

static inline GilkBoundHook *
gilk_bound_hook (const GilkBoundPlan *bound, guint i)
{
  return &g_array_index (bound->hooks, GilkBoundHook, i);
}

/**
 * gilk_bound_plan_new:
 * Loads the instrument modules that the plan names and, for programs, the driver. These are the
 * only changes to the target.
 * Returns NULL only if the target fails; hooks that cannot be bound carry their error.
 */
GilkBoundPlan *gilk_bound_plan_new  (GilkPlan *plan, GilkFunctions *functions, GilkImage *image,
                                     const GilkProgress *progress, GCancellable *cancellable,
                                     GError **error);
/**
 * gilk_bound_plan_new_readonly:
 * Does the same to show the plan, not to run it: loads nothing. Without the driver, event counters,
 * crashes and hooks of other clients are not checked; without an instrument's module, its
 * parameters are not. Sets @partly_checked in both cases.
 */
GilkBoundPlan *gilk_bound_plan_new_readonly (GilkPlan *plan, GilkFunctions *functions, GilkImage *image,
                                             const GilkProgress *progress, GCancellable *cancellable,
                                             GError **error);
/**
 * gilk_bound_plan_next:
 * @live: plan whose hooks are all armed or scheduled; equal hooks of @plan (same point, instrument
 *   or program text, parameters, schedule and tactic) stay, the others are added
 * As above.
 */
GilkBoundPlan *gilk_bound_plan_next (GilkPlan *plan, const GilkBoundPlan *live,
                                     GilkFunctions *functions, GilkImage *image,
                                     const GilkProgress *progress, GCancellable *cancellable,
                                     GError **error);
/* Counts the hooks that @bound, which follows @live, adds and removes. */
void           gilk_bound_plan_count_changes (const GilkBoundPlan *bound, const GilkBoundPlan *live,
                                              guint *added, guint *removed);
/**
 * gilk_bound_plan_new_bare:
 * Returns a plan without hooks, for clones alone: see gilk_bound_plan_add_bare().
 */
GilkBoundPlan *gilk_bound_plan_new_bare (const char *title);
/* @clone: (transfer full): from gilk_splice_plan_new_bare(), for a function without a plan */
void           gilk_bound_plan_add_bare (GilkBoundPlan *bound, GilkSplicePlan *clone);
void           gilk_bound_plan_free (GilkBoundPlan *bound);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBoundPlan, gilk_bound_plan_free)

/* Returns TRUE if its program has an operation of that kind. */
gboolean gilk_bound_hook_has_op  (const GilkBoundHook *hook, GilkOpKind kind);

/* gilk-bound-service.c: returns the event counters that programs read, each once, with only the
 * keys set. (transfer full) (element-type struct ilk_event_counter) */
GArray  *gilk_bound_events      (const GilkBoundPlan *bound);
/* Returns the function's name; of alternatives in the plan, the one that this kernel has. (transfer
 * none) */
const char *gilk_bound_hook_function (const GilkBoundHook *hook);
/* Returns "+0x2b1", the block a hook was bound to; if unbound, as in the plan; "" for a watchpoint.
 * (transfer full) */
char    *gilk_bound_hook_block   (const GilkBoundHook *hook);
gboolean gilk_bound_hook_may_crash (const GilkBoundHook *hook);
/* Returns the ILK_CRASH_* flags for hooks of the plan. */
uint32_t gilk_plan_crash_flags     (const GilkPlan *plan);
/* Returns a sentence about counters that some CPUs lack, if any. (transfer full) (nullable) */
char    *gilk_bound_plan_describe_missing_counters  (const GilkBoundPlan *bound);

/* Returns the name of a field that differs in the samples of two programs; NULL: they are equal. */
const char *gilk_bound_find_differing_field (const GilkProgram *a, const GilkProgram *b);

/* Returns FALSE with the first hook's error (and the number of others) unless every hook is bound
 * and the stop conditions name hooks and fields that exist. */
gboolean gilk_bound_plan_check (const GilkBoundPlan *bound, GError **error);

/* Copies the plan without the hooks from @first on that cannot be bound, and without their
 * programs. Other hooks may then become bindable, or stop being so. (transfer full) */
GilkPlan *gilk_bound_plan_bindable_subset (const GilkBoundPlan *bound, guint first);

/* Returns a sentence about hooks that were found at another place than planned; NULL: there are
 * none. (transfer full) (nullable) */
char    *gilk_bound_plan_describe_moved (const GilkBoundPlan *bound);
/**
 * gilk_bound_plan_renew:
 * @release, @build_id: of the kernel that it is bound to; nullable
 * Returns: (transfer full): the same plan as if made on that kernel; NULL with the error of the
 *   first hook that was not found in it
 */
GilkPlan *gilk_bound_plan_renew (const GilkBoundPlan *bound, const char *release,
                                 const char *build_id, GError **error);

/**
 * gilk_rebind:
 * Finds the block or instruction of a planned hook, or reports why it cannot. For any thread; on
 * failure @place is untouched, but @moved is cleared.
 * @release, @build_id: of the current kernel; NULL if unknown
 * @cfg: must not be split
 * @place: (out): start of the block, or the instruction of a hook in front of one
 * @moved: (out): whether it was found at another offset than planned
 *
 * Never guesses: gilk-plan.h has the rules. Fails with GILK_ERROR_STALE, _NOT_FOUND or _AMBIGUOUS.
 */
gboolean gilk_rebind (const GilkCfg *cfg, const GilkPlan *plan, const GilkPlanHook *hook,
                      const char *release, const char *build_id, uint64_t *place, gboolean *moved,
                      GError **error);

/* Parses a parameter, decimal or hexadecimal with 0x. */
gboolean gilk_param_value (const char *text, uint64_t *value);

G_END_DECLS
