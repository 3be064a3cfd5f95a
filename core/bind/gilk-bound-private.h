/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-private.h - functions that gilk_bound_plan_new() calls and that are in other files
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/image/gilk-debug.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

/* ---- gilk-bound-match.c: matching the live plan ---- */

/* Sets @live_index of each hook of @bound that @live, the plan that is armed now, contains as
 * well. */
void  gilk_bound_match_live (GilkBoundPlan *bound, const GilkBoundPlan *live);
/* Returns the index of the splice plan of @cfg's function in @live (nullable), the plan that is
 * armed now; G_MAXUINT: none. */
guint gilk_bound_live_plan  (const GilkBoundPlan *live, const GilkCfg *cfg);
/* Returns the index of the hook's request (GilkWant) in its splice plan in @live (nullable), the
 * plan that is armed now; G_MAXUINT: the hook is new. */
guint gilk_bound_live_want  (const GilkBoundPlan *live, const GilkBoundHook *hook);

/* ---- gilk-bound-service.c: event counters and crashes ---- */

/* Sets the error of each hook whose program needs something that the target cannot do, such as
 * reading an event counter. Returns FALSE if the target fails. @target: (nullable) */
gboolean gilk_bound_services_check (GilkBoundPlan *bound, GilkTarget *target, GCancellable *cancellable, GError **error);

/*
 * Finds what each program can change in the kernel at its probe point, and sets when the changes
 * end.
 *
 * Programs of a plan with changes=yes may change data, registers or control flow. These functions
 * find the types, functions and variables that such programs need.
 */

/* The context in which names of functions and variables are looked up. */
typedef struct {
  GilkFunctions *functions;      /* unowned, like the members below */
  GilkImage     *image;
  GilkDecoder   *decoder;
  GCancellable  *cancellable;
  const GilkCfg *cfg;            /* control flow graph of the current hook's function */
} GilkBoundChange;

/* Returns a module's BTF; NULL without an error if the module lacks BTF. @module: as in
 * gilk_symbols_module() */
GilkBtf *gilk_bound_types             (const GilkBoundChange *change, uint32_t module, GError **error);
/* Sets the members of @place that describe which changes are possible at the probe point. The
 * caller releases @place->callee_btf. */
gboolean gilk_bound_change_fill_place (const GilkBoundChange *change, const GilkPlan *plan, const GilkBoundHook *hook,
                                       GilkProgramPlace *place, GError **error);
/* The next two functions find a function or variable that a program names. Callbacks of
 * GilkProgramPlace call them. */
gboolean gilk_bound_find_function     (const GilkBoundChange *change, const char *name, const char *original,
                                       GilkProgramFunction *function, GError **error);
uint64_t gilk_bound_find_variable     (const GilkBoundChange *change, const char *name);
/*
 * Gives each hook that changes the kernel's behaviour, and lacks a stop time, the end of the run as
 * its stop time. If the run is endless, refuses such hooks. Must be called after all hooks are
 * bound.
 */
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

/* Creates the object that compiles a plan's programs. All arguments must outlive it. */
GilkBoundPrograms *gilk_bound_programs_new  (GilkBoundPlan *bound, GilkFunctions *functions, GilkImage *image,
                                             GilkDecoder *decoder, GCancellable *cancellable);
void               gilk_bound_programs_free (GilkBoundPrograms *programs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBoundPrograms, gilk_bound_programs_free)

/*
 * Sets the members of @place that depend on the position of the probe point in its function: the
 * start or end of a block or, with GILK_WHERE_AT, an instruction in the block. @returns: the hook
 * catches the function's returns
 */
void gilk_bound_program_fill_point    (GilkProgramPlace *place, const GilkCfg *cfg, guint block, GilkWhere where,
                                       gboolean returns);
/* Compiles the program of @hook, whose block must be known. If the plan uses the driver and not
 * BPF, loads the driver if necessary, because it finds kernel offsets that programs need. */
void gilk_bound_programs_bind         (GilkBoundPrograms *programs, GilkBoundHook *hook);
/* Checks that hooks which share a program or a map agree on its fields or declaration, and records
 * which hooks are started and stopped by programs. All hooks must be bound. */
void gilk_bound_programs_check_shared (GilkBoundPlan *bound);

G_END_DECLS
