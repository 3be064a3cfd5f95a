/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-instruments.h - the instruments that a plan names, found on the target
 *
 * Threads: one at a time; blocks on the target. On failure @desc is untouched.
 */
#pragma once

#include "core/target/gilk-target.h"

G_BEGIN_DECLS

typedef struct _GilkBoundInstruments GilkBoundInstruments;

/* @target: (nullable): none: inline instruments only; both outlive it. @loads: modules that are not there yet; else
 * they are taken for what they may be, unchecked */
GilkBoundInstruments *gilk_bound_instruments_new  (GilkTarget *target, gboolean loads, GCancellable *cancellable);
/* Was one taken that is not loaded? */
gboolean              gilk_bound_instruments_unchecked (const GilkBoundInstruments *instruments);
void                  gilk_bound_instruments_free (GilkBoundInstruments *instruments);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBoundInstruments, gilk_bound_instruments_free)

/**
 * gilk_bound_instruments_find:
 * @desc: (out) (transfer none): until the next call; NULL for an inline instrument
 * Loads the module if need be and it may; a second hook with it gets the same answer. @params are
 * those it has, in their bounds, or it is an error.
 */
gboolean gilk_bound_instruments_find (GilkBoundInstruments *instruments, const char *name,
                                      GHashTable *params, const struct ilk_instrument_desc **desc,
                                      GError **error);

G_END_DECLS
