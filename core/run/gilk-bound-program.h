/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-program.h - the programs of a plan, read for the places of their hooks
 *
 * What a program means depends on where it is: arguments and types are the function's, offsets the kernel's.
 *
 * Threads: one at a time; blocks on the target. On failure the hook has its error.
 */
#pragma once

#include "core/run/gilk-bound-plan.h"

G_BEGIN_DECLS

typedef struct _GilkBoundPrograms GilkBoundPrograms;

/* All outlive it. */
GilkBoundPrograms *gilk_bound_programs_new  (GilkBoundPlan *bound, GilkFunctions *functions, GilkImage *image,
                                             GilkDecoder *decoder, GCancellable *cancellable);
void               gilk_bound_programs_free (GilkBoundPrograms *programs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBoundPrograms, gilk_bound_programs_free)

/*
 * What @place has of the point alone: that edge of a block, or with GILK_WHERE_AT somewhere within it. @returns: its
 * hook is where the function returns.
 */
void               gilk_bound_program_point (GilkProgramPlace *place, const GilkCfg *cfg, guint block, GilkWhere where,
                                             gboolean returns);
/* @hook: has its block, and a program; loads the driver if it is not there, for it alone knows what it asks for */
void               gilk_bound_programs_bind (GilkBoundPrograms *programs, GilkBoundHook *hook);
/* What programs say of other hooks, and of each other. Once all are bound. */
void               gilk_bound_programs_join (GilkBoundPlan *bound);

G_END_DECLS
