/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-plan.h - a plan matched to one live kernel
 *
 * Resolves functions, finds blocks again, chooses tactics, checks overlaps and
 * instruments. Everything that can be known before arming is known here, and
 * nothing in the kernel changes.
 *
 * Threads: one at a time, and it blocks on the target; what a GilkRun was given belongs to
 * the run's thread. On failure @plan and @live are as they were.
 */
#pragma once

#include "core/program/gilk-program.h"
#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

/* What programs of other hooks have to say about a hook. */
typedef enum {
  GILK_CONTROL_NONE,
  GILK_CONTROL_STOPPED,           /* it works until one stops it */
  GILK_CONTROL_STARTED,           /* it does not work until one starts it */
} GilkControl;

typedef struct {
  const GilkPlanHook *hook;       /* of the bound plan */
  GilkCfg   *cfg;                 /* NULL: a watch, or it was not found */
  struct ilk_watch watch;         /* of a watch: what the driver is asked for, but for the iid and times */
  const char *watch_module;       /* "kernel", or the module's that has it */
  guint      block;               /* in @cfg, which is cut where hooks are before instructions in a block */
  GilkWhere  where;               /* at which of its edges */
  uint64_t   addr;                /* where the block that is meant begins, or the instruction */
  guint      at;                  /* of a program: as in GilkWant */
  gboolean   returns;             /* likewise */
  gboolean   moved;               /* found again at another offset than planned */
  GilkChoice choice;              /* tactic, cost or refusal; patch index within its splice plan */
  guint      splice_plan;         /* index into splice_plans */
  guint      want;                /* index of the want in that plan */
  guint      instrument;          /* index into instruments, G_MAXUINT for inline and programs */
  const char *code;               /* of its program, as the plan has it; NULL: it has none */
  GilkProgram *program;           /* read for this place; NULL: it has none, or that failed */
  GilkProgramError program_error; /* where it is wrong; line 0: nowhere */
  GilkControl control;
  gboolean   takes_samples;
  guint      was;                 /* the same hook in the plan that this one follows; G_MAXUINT: new */
  gboolean   gone;                /* in the plan of a run: taken out while it went on */
  GError    *error;               /* why this hook cannot be bound; NULL if it can */
} GilkBoundHook;

typedef struct {
  GilkPlan  *plan;
  GArray    *hooks;               /* GilkBoundHook, in plan order */
  GPtrArray *splice_plans;        /* GilkSplicePlan, one per function */
  GArray    *follows;             /* guint, per splice plan: that one in the live plan; G_MAXUINT: new */
  GArray    *instruments;         /* struct ilk_instrument_desc: those used */
  GArray    *events;              /* struct ilk_counted: those that programs read, as the driver told; NULL: not yet */
  guint      n_failed;
  gboolean   unchecked;           /* only looked at, where the driver or an instrument of it is not loaded */
  gboolean   joined;              /* its clones call each other, also those that others enter as well */
} GilkBoundPlan;

/**
 * gilk_bound_plan_new:
 * Loads instrument modules that the plan names, and for programs the driver (the only changes to the target).
 * NULL only if the target fails; hooks that cannot be bound carry their error.
 */
GilkBoundPlan *gilk_bound_plan_new  (GilkPlan *plan, GilkFunctions *functions, GilkImage *image,
                                     const GilkProgress *progress, GCancellable *cancellable,
                                     GError **error);
/**
 * gilk_bound_plan_look:
 * The same, but to be shown, not run: it loads nothing. Without the driver, counters of events, crashes and hooks of other
 * clients are not checked; without an instrument's module, its parameters are not. @unchecked is set in both cases.
 */
GilkBoundPlan *gilk_bound_plan_look (GilkPlan *plan, GilkFunctions *functions, GilkImage *image,
                                     const GilkProgress *progress, GCancellable *cancellable,
                                     GError **error);
/**
 * gilk_bound_plan_next:
 * @live: whose hooks are all armed or scheduled; hooks of @plan that are there already (same
 *   point, instrument or text of a program, parameters, schedule and tactic) stay, the others are planned
 *   beside them
 * As above.
 */
GilkBoundPlan *gilk_bound_plan_next (GilkPlan *plan, const GilkBoundPlan *live,
                                     GilkFunctions *functions, GilkImage *image,
                                     const GilkProgress *progress, GCancellable *cancellable,
                                     GError **error);
/* How many hooks the plan that follows @live adds to it, and takes away. */
void           gilk_bound_plan_count_changes (const GilkBoundPlan *bound, const GilkBoundPlan *live,
                                              guint *added, guint *removed);
/**
 * gilk_bound_plan_new_bare:
 * A plan without hooks: what is changed are functions alone, see gilk_bound_plan_add_bare().
 */
GilkBoundPlan *gilk_bound_plan_new_bare (const char *title);
/* @clone: (transfer full): of gilk_splice_plan_new_bare(); of a function of which @bound has no plan */
void           gilk_bound_plan_add_bare (GilkBoundPlan *bound, GilkSplicePlan *clone);
void           gilk_bound_plan_free (GilkBoundPlan *bound);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBoundPlan, gilk_bound_plan_free)

/* Has its program an operation of that kind? */
gboolean gilk_bound_hook_does  (const GilkBoundHook *hook, GilkOpKind kind);

/* gilk-bound-service.c: counters that programs read, each once, with nothing but keys. (transfer full) (element-type
 * struct ilk_counted) */
GArray  *gilk_bound_events      (const GilkBoundPlan *bound);
gboolean gilk_bound_hook_crashes (const GilkBoundHook *hook);
/* A sentence about counters that not all processors have; NULL: all have them. (transfer full) (nullable) */
char    *gilk_bound_plan_blind  (const GilkBoundPlan *bound);

/* The name of a field that samples of two programs do not have alike; NULL: they are the same. */
const char *gilk_bound_field_differs (const GilkProgram *a, const GilkProgram *b);

/* FALSE with the first hook's error (and how many more) unless every hook is bound, and what ends the run is
 * of them. */
gboolean gilk_bound_plan_check (const GilkBoundPlan *bound, GError **error);

/* Its plan without the hooks from @first on that cannot be bound, and their programs. Others may be bound then that were not
 * before, or the other way round. (transfer full) */
GilkPlan *gilk_bound_plan_rest (const GilkBoundPlan *bound, guint first);

/* A sentence about hooks that are at another place than the plan says; NULL: none is.
 * (transfer full) (nullable) */
char    *gilk_bound_plan_moved (const GilkBoundPlan *bound);
/**
 * gilk_bound_plan_renew:
 * @release, @build_id: of the kernel it is bound to; nullable
 * Returns: (transfer full): the same plan as if it had been made on that kernel; NULL with
 * the error of the first hook that was not found in it
 */
GilkPlan *gilk_bound_plan_renew (const GilkBoundPlan *bound, const char *release,
                                 const char *build_id, GError **error);

/* A parameter's text, decimal or 0x hexadecimal. */
gboolean gilk_param_value (const char *text, uint64_t *value);

G_END_DECLS
