/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-private.h - the steps of gilk_bound_plan_new() that have files of their own
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/image/gilk-debug.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

/* ---- gilk-bound-match.c: matching the live plan ---- */

/* Sets @live_index of each hook that is live already. */
void  gilk_bound_match_live (GilkBoundPlan *bound, const GilkBoundPlan *live);
/* Returns the index in @live (nullable) of the splice plan for @cfg's function; G_MAXUINT: none. */
guint gilk_bound_live_plan  (const GilkBoundPlan *live, const GilkCfg *cfg);
/* Returns the index of the hook's GilkWant in its splice plan in @live (nullable); G_MAXUINT: the
 * hook is new. */
guint gilk_bound_live_want  (const GilkBoundPlan *live, const GilkBoundHook *hook);

/* ---- gilk-bound-service.c: event counters and crashes ---- */

/* Sets the error of each hook whose program needs a service that the target lacks. Returns FALSE if
 * the target fails. @target: (nullable) */
gboolean gilk_bound_services_check (GilkBoundPlan *bound, GilkTarget *target, GCancellable *cancellable, GError **error);

/*
 * Finds what programs may change at their hooks, and sets when the changes end.
 *
 * Programs of a plan with changes=yes may change data, registers or control flow. Finds the types,
 * functions and variables that they need.
 */

/* The context in which names of functions and variables are looked up. */
typedef struct {
  GilkFunctions *functions;      /* unowned, like the members below */
  GilkImage     *image;
  GilkDecoder   *decoder;
  GCancellable  *cancellable;
  const GilkCfg *cfg;            /* control flow graph of the current hook's function */
} GilkBoundChange;

/* Returns a module's BTF; NULL without an error if it has none. @module: as in
 * gilk_symbols_module() */
GilkBtf *gilk_bound_types             (const GilkBoundChange *change, uint32_t module, GError **error);
/* Sets the members of @place that describe which changes are possible at the probe point. The
 * caller releases @place->callee_btf. */
gboolean gilk_bound_change_fill_place (const GilkBoundChange *change, const GilkPlan *plan, const GilkBoundHook *hook,
                                       GilkProgramPlace *place, GError **error);
/* Callbacks of GilkProgramPlace call these two functions. The callbacks' user data contains
 * @change. */
gboolean gilk_bound_find_function     (const GilkBoundChange *change, const char *name, const char *original,
                                       GilkProgramFunction *function, GError **error);
uint64_t gilk_bound_find_variable     (const GilkBoundChange *change, const char *name);
/* Sets missing stop times of hooks that change something to the end of the run. If the run is
 * endless, refuses these hooks. Call after all hooks are bound. */
void     gilk_bound_changes_set_ends  (GilkBoundPlan *bound);

/*
 * Compiles the programs of a plan for their probe points.
 *
 * The meaning of a program depends on its probe point: arguments and types depend on the function,
 * offsets on the kernel.
 *
 * Threads: one at a time; blocks on the target. On failure the hook's error is set.
 */

typedef struct _GilkBoundPrograms GilkBoundPrograms;

/* Creates the state that is needed to compile programs. All arguments must outlive it. */
GilkBoundPrograms *gilk_bound_programs_new  (GilkBoundPlan *bound, GilkFunctions *functions, GilkImage *image,
                                             GilkDecoder *decoder, GCancellable *cancellable);
void               gilk_bound_programs_free (GilkBoundPrograms *programs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBoundPrograms, gilk_bound_programs_free)

/*
 * Sets the members of @place that depend on the probe point alone. The point is the start or end of
 * a block or, with GILK_WHERE_AT, an instruction in the block. @returns: the hook is at the
 * function's return
 */
void gilk_bound_program_fill_point    (GilkProgramPlace *place, const GilkCfg *cfg, guint block, GilkWhere where,
                                       gboolean returns);
/* Compiles the program of @hook, whose block is set. If the plan hooks by the driver, loads the
 * driver if necessary, because it finds kernel offsets that programs need. */
void gilk_bound_programs_bind         (GilkBoundPrograms *programs, GilkBoundHook *hook);
/* Checks fields and maps that programs share, and notes which hooks they start and stop. All hooks
 * must be bound. */
void gilk_bound_programs_check_shared (GilkBoundPlan *bound);

G_END_DECLS
