/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-program.h - compiles the programs of a plan for their probe points
 *
 * The meaning of a program depends on its probe point: arguments and types are the function's,
 * offsets the kernel's.
 *
 * Threads: one at a time; blocks on the target. On failure the hook has its error.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"

G_BEGIN_DECLS

typedef struct _GilkBoundPrograms GilkBoundPrograms;

/* All arguments must outlive the result. */
GilkBoundPrograms *gilk_bound_programs_new  (GilkBoundPlan *bound, GilkFunctions *functions, GilkImage *image,
                                             GilkDecoder *decoder, GCancellable *cancellable);
void               gilk_bound_programs_free (GilkBoundPrograms *programs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBoundPrograms, gilk_bound_programs_free)

/*
 * Sets the members of @place that depend on the probe point alone: the edge of a block, or with
 * GILK_WHERE_AT an instruction in it. @returns: the hook is at the function's return
 */
void gilk_bound_program_fill_point    (GilkProgramPlace *place, const GilkCfg *cfg, guint block, GilkWhere where,
                                       gboolean returns);
/* @hook must have its block and a program. Loads the driver if necessary, because only that knows
 * the kernel offsets that programs need. */
void gilk_bound_programs_bind         (GilkBoundPrograms *programs, GilkBoundHook *hook);
/* Checks what programs share, and notes the hooks that they start and stop. All must be bound. */
void gilk_bound_programs_check_shared (GilkBoundPlan *bound);

G_END_DECLS
