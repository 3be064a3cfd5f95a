/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-change.h - what an experiment may change at a hook's place, and when it ends
 *
 * Threads: that of whoever binds.
 */
#pragma once

#include "core/run/gilk-bound-plan.h"
#include "core/target/gilk-types.h"

G_BEGIN_DECLS

/* What functions and variables are looked up in. */
typedef struct {
  GilkFunctions *functions;      /* all (unowned) */
  GilkImage     *image;
  GilkDecoder   *decoder;
  GCancellable  *cancellable;
  const GilkCfg *cfg;            /* of the hook in hand */
} GilkBoundChange;

/* NULL without an error: the kernel or module tells no types. @module: as gilk_symbols_module() has it */
GilkBtf *gilk_bound_types          (const GilkBoundChange *change, uint32_t module, GError **error);
/* Fills what @place has of an experiment. @place->callee_btf is to be given up by the caller. */
gboolean gilk_bound_change_place   (const GilkBoundChange *change, const GilkPlan *plan, const GilkBoundHook *hook,
                                    GilkProgramPlace *place, GError **error);
/* For GilkProgramPlace, but for its data. */
gboolean gilk_bound_find_function  (const GilkBoundChange *change, const char *name, const char *original,
                                    GilkProgramFunction *function, GError **error);
uint64_t gilk_bound_find_variable  (const GilkBoundChange *change, const char *name);
/* Hooks that change something stop with the run; those that would not stop at all are refused. Once all are bound. */
void     gilk_bound_changes_end    (GilkBoundPlan *bound);

G_END_DECLS
