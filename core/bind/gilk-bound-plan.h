/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-plan.h - a plan matched to one live kernel
 *
 * Resolves functions, finds blocks again, chooses tactics, checks overlaps and instruments.
 * A bound plan contains all that can be determined before arming. Binding arms no hook.
 *
 * Threads: one at a time; blocks on the target. A bound plan given to a GilkRun belongs to the
 * run's thread. On failure @plan and @live are unchanged.
 */
#pragma once

#include "core/plan/gilk-plan.h"
#include "core/program/gilk-program.h"

G_BEGIN_DECLS

/* How the programs of other hooks control a hook. */
typedef enum {
  GILK_CONTROL_NONE,
  GILK_CONTROL_STOPPED,           /* the hook is on until a program stops it */
  GILK_CONTROL_STARTED,           /* the hook is off until a program starts it */
} GilkControl;

typedef struct {
  const GilkPlanHook *hook;       /* the hook in the plan */
  /* control flow graph of the function; NULL: a watchpoint or an event, or the function was not found */
  GilkCfg   *cfg;
  struct gilk_watch_point watch;  /* for a watchpoint: the request to the agent, without its patch */
  const char *watch_module;       /* the module that has the watched variable or the tracepoint, or
                                   * "kernel" */
  uint32_t   event_module;        /* for a tracepoint: number of its module, as in
                                   * gilk_symbols_module() */
  guint      block;               /* index in @cfg, which is split at hooks within blocks */
  GilkWhere  where;               /* where in the block the hook is */
  uint64_t   addr;                /* address of the block, or of the instruction that the hook is in
                                   * front of */
  /* 1 + index of the instruction after the hook; 0: the hook is at the edge of the block, see
   * @where */
  guint      at;
  gboolean   returns;  /* in a user program: the kernel catches all returns of the function */
  gboolean   moved;               /* the probe point is at a different offset than planned */
  GilkChoice choice;              /* tactic and cost, or refusal; and index of the patch in the
                                   * splice plan */
  guint      splice_plan;         /* index into splice_plans */
  guint      want_index;          /* index of the hook's GilkWant in its splice plan */
  guint      instrument;          /* index into instruments, G_MAXUINT for inline instruments and
                                   * programs */
  const char *code;               /* text of the hook's program, from the plan; NULL: none */
  /* @code compiled for the probe point; NULL: no program, or it did not compile */
  GilkProgram *program;
  GilkProgramError program_error; /* position of the compiler error; line 0: none */
  GilkControl control;
  gboolean   takes_samples;
  guint      live_index;          /* index of the same hook in the live plan; G_MAXUINT: new */
  gboolean   removed;             /* the hook was removed during the run; set only in a run's
                                   * plan */
  GError    *error;               /* why the hook cannot be bound; NULL: it is bound */
} GilkBoundHook;

typedef struct {
  GilkPlan  *plan;
  GArray    *hooks;               /* GilkBoundHook, in plan order */
  GPtrArray *splice_plans;        /* GilkSplicePlan: one per function, per hook at an event and
                                   * per watchpoint with a program */
  GArray    *live_plans;          /* guint per splice plan: its index in the live plan; G_MAXUINT:
                                   * new */
  GArray    *instruments;         /* struct ilk_instrument_desc of each instrument in use */
  GArray    *events;              /* struct gilk_event_counter of each event counter that programs
                                   * read, as checked by the agent; NULL: not collected yet */
  guint      n_failed;
  gboolean   partly_checked;      /* the plan was checked without the driver, without the module of
                                   * some instrument, or without event counters */
  gboolean   counters_unchecked;  /* event counters were not checked, because the target uses the
                                   * driver now */
  gboolean   by_bpf;              /* hooks are BPF programs */
  gboolean   joined;              /* each clone calls all other clones directly; FALSE: only inner
                                   * clones, which only clones call */
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
 * Works like gilk_bound_plan_new(), but for a plan that is only shown, not run: loads nothing. If
 * the plan needs the driver and it is not loaded, crashes and hooks of other clients are not
 * checked; without an instrument's module, the instrument's parameters are not checked. If the plan
 * needs BPF and the target uses the driver, event counters are not checked. Sets @partly_checked in
 * all these cases.
 */
GilkBoundPlan *gilk_bound_plan_new_readonly (GilkPlan *plan, GilkFunctions *functions, GilkImage *image,
                                             const GilkProgress *progress, GCancellable *cancellable,
                                             GError **error);
/**
 * gilk_bound_plan_next:
 * @live: plan whose hooks are all armed or scheduled
 * Works like gilk_bound_plan_new(). A hook of @live stays if @plan has an equal hook: same point,
 * instrument or program text, parameters, schedule and tactic. Hooks of @plan without an equal hook
 * in @live are added.
 */
GilkBoundPlan *gilk_bound_plan_next (GilkPlan *plan, const GilkBoundPlan *live,
                                     GilkFunctions *functions, GilkImage *image,
                                     const GilkProgress *progress, GCancellable *cancellable,
                                     GError **error);
/* Counts the hooks that are added and removed when @bound replaces @live. */
void           gilk_bound_plan_count_changes (const GilkBoundPlan *bound, const GilkBoundPlan *live,
                                              guint *added, guint *removed);
/**
 * gilk_bound_plan_new_bare:
 * Returns a plan without hooks, to which gilk_bound_plan_add_bare() adds clones without hooks.
 */
GilkBoundPlan *gilk_bound_plan_new_bare (const char *title);
/* Adds a clone without hooks. @clone: (transfer full): from gilk_splice_plan_new_bare(), for a
 * function without a splice plan in @bound */
void           gilk_bound_plan_add_bare (GilkBoundPlan *bound, GilkSplicePlan *clone);
void           gilk_bound_plan_free (GilkBoundPlan *bound);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBoundPlan, gilk_bound_plan_free)

/* Returns TRUE if the hook's program has an operation of @kind. */
gboolean gilk_bound_hook_has_op  (const GilkBoundHook *hook, GilkOpKind kind);

/* gilk-bound-service.c: returns the event counters that programs read, without duplicates; only
 * their keys are set. (transfer full) (element-type struct gilk_event_counter) */
GArray  *gilk_bound_events      (const GilkBoundPlan *bound);
/* Returns the function's name; if the plan has alternatives, the name that this kernel has.
 * (transfer none) */
const char *gilk_bound_hook_function (const GilkBoundHook *hook);
/* Returns the block that a hook was bound to, such as "+0x2b1"; the plan's text if the hook is not
 * bound; "" for a watchpoint. (transfer full) */
char    *gilk_bound_hook_block   (const GilkBoundHook *hook);
gboolean gilk_bound_hook_may_crash (const GilkBoundHook *hook);
/* Returns the ILK_CRASH_* flags for the plan's hooks. */
uint32_t gilk_plan_crash_flags     (const GilkPlan *plan);
/* Returns a sentence about event counters that some CPUs lack; NULL: all CPUs have all counters.
 * (transfer full) (nullable) */
char    *gilk_bound_plan_describe_missing_counters  (const GilkBoundPlan *bound);

/* Returns the name of a field that differs in the samples of two programs; NULL: they are equal. */
const char *gilk_bound_find_differing_field (const GilkProgram *a, const GilkProgram *b);

/* Returns FALSE unless every hook is bound and the stop conditions name hooks and fields that
 * exist. @error is set to the error of the first hook that is not bound, with the number of other
 * unbound hooks. */
gboolean gilk_bound_plan_check (const GilkBoundPlan *bound, GError **error);

typedef void (*GilkBoundHookFunc) (const GilkBoundHook *hook, gpointer data);

/**
 * gilk_bound_plan_bindable_subset:
 * @func: called for each hook that is left out, in their order
 *
 * Copies the plan, but leaves out unbound hooks whose index is @first or higher, and the programs of
 * those hooks. If BPF was chosen only for unbound hooks, leaves out only the hooks that need BPF:
 * after gilk_plan_choose_way_again(), the driver may be able to serve the other hooks. A hook that
 * is bound in @bound may be impossible to bind in the copy, and vice versa. (transfer full)
 */
GilkPlan *gilk_bound_plan_bindable_subset (const GilkBoundPlan *bound, guint first, GilkBoundHookFunc func, gpointer data);

/* Returns a sentence about hooks that were found at another offset than planned; NULL: no hook
 * moved. (transfer full) (nullable) */
char    *gilk_bound_plan_describe_moved (const GilkBoundPlan *bound);
/**
 * gilk_bound_plan_renew:
 * @release, @build_id: (nullable): release and build id of the kernel that @bound is bound to
 * Returns: (transfer full): the plan, as if it had been made on that kernel; NULL with the error of
 *   the first hook that was not found there
 */
GilkPlan *gilk_bound_plan_renew (const GilkBoundPlan *bound, const char *release,
                                 const char *build_id, GError **error);

/**
 * gilk_rebind:
 * Finds the block or instruction of a planned hook, or reports why it cannot be found. May be
 * called by any thread. On failure @place is untouched, but @moved is cleared.
 * @release, @build_id: release and build id of the current kernel; NULL if unknown
 * @cfg: must not be split
 * @place: (out): address of the block, or of the instruction that the hook is in front of
 * @moved: (out): whether @place is at another offset than planned
 *
 * Never guesses: gilk-plan.h has the rules. Fails with GILK_ERROR_STALE, _NOT_FOUND or _AMBIGUOUS.
 */
gboolean gilk_rebind (const GilkCfg *cfg, const GilkPlan *plan, const GilkPlanHook *hook,
                      const char *release, const char *build_id, uint64_t *place, gboolean *moved,
                      GError **error);

/* Parses a parameter's value: decimal, or hexadecimal with 0x. */
gboolean gilk_param_value (const char *text, uint64_t *value);

G_END_DECLS
