/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-program.h - compiles the programs of a plan for their probe points
 *
 * The meaning of a program depends on its probe point: arguments and types depend on the function,
 * offsets on the kernel.
 *
 * Threads: one at a time; blocks on the target. On failure the hook's error is set.
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
 * Sets the members of @place that depend on the probe point alone. The point is the start or end of
 * a block or, with GILK_WHERE_AT, an instruction in the block. @returns: the hook is at the
 * function's return
 */
void gilk_bound_program_fill_point    (GilkProgramPlace *place, const GilkCfg *cfg, guint block, GilkWhere where,
                                       gboolean returns);
/* Compiles the program of @hook, whose block is set. Loads the driver if necessary, because
 * programs need kernel offsets that only the driver can find. */
void gilk_bound_programs_bind         (GilkBoundPrograms *programs, GilkBoundHook *hook);
/* Checks fields and maps that programs share, and notes which hooks they start and stop. All hooks
 * must be bound. */
void gilk_bound_programs_check_shared (GilkBoundPlan *bound);

G_END_DECLS
