/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-change.h - finds what programs may change at their hooks, and sets when the changes
 * end
 *
 * Programs of a plan with changes=yes may change data, registers or control flow; this header
 * finds the types, functions and variables that they need.
 *
 * Threads: the thread that binds the plan.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/image/gilk-debug.h"

G_BEGIN_DECLS

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

G_END_DECLS
