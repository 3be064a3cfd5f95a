/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-plan.h - a bound plan: a plan matched to a running kernel
 *
 * Binding finds the plan's functions and blocks in the kernel, chooses the tactic of each hook, and
 * checks for overlapping hooks and missing instruments. A bound plan contains all that can be
 * determined before hooks are armed. Binding does not arm any hook.
 *
 * Threads: one at a time; blocks on the target. A bound plan given to a GilkRun belongs to the
 * run's thread. On failure @plan and @live are unchanged.
 */
#pragma once

#include "core/plan/gilk-plan.h"
#include "core/program/gilk-program.h"

G_BEGIN_DECLS

/* Whether programs of other hooks start or stop a hook during the run. */
typedef enum {
  GILK_CONTROL_NONE,
  GILK_CONTROL_STOPPED,           /* the hook is on until a program stops it */
  GILK_CONTROL_STARTED,           /* the hook is off until a program starts it */
} GilkControl;

typedef struct {
  const GilkPlanHook *hook;       /* the hook in the plan */
  /* control flow graph of the function; NULL if the hook is a watchpoint or at an event, or if the
   * function was not found */
  GilkCfg   *cfg;
  struct gilk_watch_point watch;  /* for a watchpoint: the request that is sent to the agent,
                                   * without the hook's code */
  const char *watch_module;       /* the module that has the watched variable or the tracepoint, or
                                   * "kernel" */
  uint32_t   event_module;        /* for a tracepoint: number of its module, as in
                                   * gilk_symbols_module() */
  guint      block;               /* index of the hook's block in @cfg, in which blocks are split at
                                   * hooks in their middle */
  GilkWhere  where;               /* where in the block the hook is */
  uint64_t   addr;                /* address of the block, or of the instruction that the hook is in
                                   * front of */
  /* 1 + index of the instruction that follows the hook; 0: the hook is at the start or end of the
   * block, see @where */
  guint      at;
  gboolean   returns;  /* in a user program: the kernel catches all returns of the function */
  gboolean   moved;               /* the probe point is at a different offset than planned */
  GilkChoice choice;              /* the chosen tactic, its cost and its patch, or the reason for a
                                   * refusal */
  guint      splice_plan;         /* index into splice_plans */
  guint      want_index;          /* index of the hook's request (GilkWant) in its splice plan */
  guint      instrument;          /* index into instruments, G_MAXUINT for inline instruments and
                                   * programs */
  const char *code;               /* text of the hook's program, from the plan; NULL: the hook does
                                   * not have a program */
  /* @code compiled for the probe point; NULL: no program, or it did not compile */
  GilkProgram *program;
  GilkProgramError program_error; /* position of the error if @code did not compile; line 0: it
                                   * compiled */
  GilkControl control;
  gboolean   takes_samples;
  guint      live_index;          /* index of this hook in the live plan that is replaced;
                                   * G_MAXUINT: the hook is new */
  gboolean   removed;             /* the hook was removed during the run; set only in a run's
                                   * plan */
  GError    *error;               /* why the hook cannot be bound; NULL: it is bound */
} GilkBoundHook;

typedef struct {
  GilkPlan  *plan;
  GArray    *hooks;               /* GilkBoundHook, in plan order */
  GPtrArray *splice_plans;        /* GilkSplicePlan: one per function, per hook at an event and
                                   * per watchpoint with a program */
  GArray    *live_plans;          /* (element-type guint): for each splice plan: its index in the
                                   * live plan that is replaced; G_MAXUINT: it is new */
  GArray    *instruments;         /* struct ilk_instrument_desc of each instrument in use */
  GArray    *events;              /* struct gilk_event_counter of each event counter that programs
                                   * read, as checked by the agent; NULL: not collected yet */
  guint      n_failed;
  gboolean   partly_checked;      /* some checks were left out, because the driver, the module of an
                                   * instrument, or event counters were not available */
  gboolean   counters_unchecked;  /* event counters were not checked, because the target uses the
                                   * driver now */
  gboolean   by_bpf;              /* hooks are BPF programs */
  gboolean   joined;              /* calls in a clone go directly to any function's clone; FALSE:
                                   * only to inner clones, which are called in no other way */
} GilkBoundPlan;

static inline GilkBoundHook *
gilk_bound_hook (const GilkBoundPlan *bound, guint i)
{
  return &g_array_index (bound->hooks, GilkBoundHook, i);
}

/**
 * gilk_bound_plan_new:
 * Loads the instrument modules that the plan names and, for programs, the driver. These are the
 * only changes to the target. Returns NULL only if the target fails. A hook that cannot be bound
 * has its error set.
 */
GilkBoundPlan *gilk_bound_plan_new  (GilkPlan *plan, GilkFunctions *functions, GilkImage *image,
                                     const GilkProgress *progress, GCancellable *cancellable,
                                     GError **error);
/**
 * gilk_bound_plan_new_readonly:
 * Works like gilk_bound_plan_new(), but for a plan that is only shown, not run: loads nothing. If
 * the plan needs the driver and it is not loaded, programs that crash the kernel and conflicts with
 * hooks of other clients are not checked. If an instrument's module is not loaded, the instrument's
 * parameters are not checked. If the plan needs BPF and the target uses the driver, event counters
 * are not checked. Sets @partly_checked in all these cases.
 */
GilkBoundPlan *gilk_bound_plan_new_readonly (GilkPlan *plan, GilkFunctions *functions, GilkImage *image,
                                             const GilkProgress *progress, GCancellable *cancellable,
                                             GError **error);
/**
 * gilk_bound_plan_next:
 * @live: plan whose hooks are all armed or scheduled
 * Works like gilk_bound_plan_new(), but @plan replaces @live during a run. A hook of @live stays
 * armed if @plan has an equal hook: with the same probe point, instrument or program text,
 * parameters, schedule and tactic. The other hooks of @plan are added.
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
 * Returns a plan without hooks. gilk_bound_plan_add_bare() adds function clones to it that are not
 * instrumented.
 */
GilkBoundPlan *gilk_bound_plan_new_bare (const char *title);
/* Adds a clone of a function, without hooks. @clone: (transfer full): from
 * gilk_splice_plan_new_bare(); @bound must not have a splice plan of the same function yet */
void           gilk_bound_plan_add_bare (GilkBoundPlan *bound, GilkSplicePlan *clone);
void           gilk_bound_plan_free (GilkBoundPlan *bound);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBoundPlan, gilk_bound_plan_free)

/* Returns TRUE if the hook's program has an operation of @kind. */
gboolean gilk_bound_hook_has_op  (const GilkBoundHook *hook, GilkOpKind kind);

/* Returns the event counters that the plan's programs read, without duplicates; sets only their
 * keys. In gilk-bound-service.c. (transfer full) (element-type struct gilk_event_counter) */
GArray  *gilk_bound_events      (const GilkBoundPlan *bound);
/* Returns the name of the hook's function. If the plan gives alternative names, returns the one
 * that was found in this kernel. (transfer none) */
const char *gilk_bound_hook_function (const GilkBoundHook *hook);
/* Returns the offset of the block that the hook was bound to, such as "+0x2b1"; if it is not bound,
 * the block or anchor as written in the plan; "" for watchpoints and events. (transfer full) */
char    *gilk_bound_hook_block   (const GilkBoundHook *hook);
gboolean gilk_bound_hook_may_crash (const GilkBoundHook *hook);
/* Returns the ILK_CRASH_* flags for the plan's hooks. */
uint32_t gilk_plan_crash_flags     (const GilkPlan *plan);
/* Returns a sentence about event counters that some CPUs lack; NULL: all CPUs have all counters.
 * (transfer full) (nullable) */
char    *gilk_bound_plan_describe_missing_counters  (const GilkBoundPlan *bound);

/* Returns the name of the first field that differs between the samples of two programs; NULL: their
 * fields are the same. */
const char *gilk_bound_find_differing_field (const GilkProgram *a, const GilkProgram *b);

/* Checks that every hook is bound, and that the stop conditions name existing hooks and fields. If
 * hooks are not bound, @error is that of the first such hook, with the number of the others. */
gboolean gilk_bound_plan_check (const GilkBoundPlan *bound, GError **error);

typedef void (*GilkBoundHookFunc) (const GilkBoundHook *hook, gpointer data);

/**
 * gilk_bound_plan_bindable_subset:
 * @func: called for each hook that is left out, in their order
 *
 * Copies the plan without those hooks, from index @first on, that could not be bound, and without
 * their programs. If none of the hooks that need BPF could be bound, leaves out only these: after
 * gilk_plan_choose_way_again(), the driver may be able to serve the others. The copy must be bound
 * again, and may then have other hooks that cannot be bound. (transfer full)
 */
GilkPlan *gilk_bound_plan_bindable_subset (const GilkBoundPlan *bound, guint first, GilkBoundHookFunc func, gpointer data);

/* Returns a sentence about hooks that were found at another offset than planned; NULL: no hook
 * moved. (transfer full) (nullable) */
char    *gilk_bound_plan_describe_moved (const GilkBoundPlan *bound);
/**
 * gilk_bound_plan_renew:
 * @release, @build_id: (nullable): release and build id of the kernel that @bound is bound to
 * Returns: (transfer full): a copy of the plan with that kernel's offsets and fingerprints; NULL
 *   with the error of the first hook that was not found there
 */
GilkPlan *gilk_bound_plan_renew (const GilkBoundPlan *bound, const char *release,
                                 const char *build_id, GError **error);

/**
 * gilk_rebind:
 * Finds the block or instruction of a planned hook, or reports why it cannot be found. May be
 * called by any thread. On failure @place is untouched, but @moved is cleared.
 * @release, @build_id: release and build id of the current kernel; NULL if unknown
 * @cfg: control flow graph of the function, before blocks are split at hooks
 * @place: (out): address of the block, or of the instruction that the hook is in front of
 * @moved: (out): whether @place is at another offset than planned
 *
 * The rules for finding code again are in gilk-plan.h. If they leave a doubt, the function fails
 * with GILK_ERROR_STALE, _NOT_FOUND or _AMBIGUOUS.
 */
gboolean gilk_rebind (const GilkCfg *cfg, const GilkPlan *plan, const GilkPlanHook *hook,
                      const char *release, const char *build_id, uint64_t *place, gboolean *moved,
                      GError **error);

/* Parses a parameter's value: decimal, or hexadecimal with 0x. */
gboolean gilk_param_value (const char *text, uint64_t *value);

G_END_DECLS
