/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-instruments.h - finds, on the target machine, the instruments that a plan names
 *
 * Threads: one at a time; blocks on the target. On failure @desc is untouched.
 */
#pragma once

#include "core/link/gilk-target.h"

G_BEGIN_DECLS

typedef struct _GilkBoundInstruments GilkBoundInstruments;

/*
 * Creates an object that finds instruments. @target: (nullable): if NULL, only inline instruments
 * are found. @target and @cancellable must outlive the object. @loads: TRUE to load missing
 * modules; FALSE to assume the properties of their instruments
 */
GilkBoundInstruments *gilk_bound_instruments_new  (GilkTarget *target, gboolean loads, GCancellable *cancellable);
/* Returns TRUE if the properties of some instrument were assumed, because its module is not
 * loaded. */
gboolean              gilk_bound_instruments_has_assumed (const GilkBoundInstruments *instruments);
void                  gilk_bound_instruments_free (GilkBoundInstruments *instruments);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBoundInstruments, gilk_bound_instruments_free)

/**
 * gilk_bound_instruments_find:
 * @desc: (out) (transfer none): valid until the next call; NULL for an inline instrument
 * Loads the module if needed and permitted; each module is tried once. Fails unless @params are
 * parameters of the instrument and within their bounds.
 */
gboolean gilk_bound_instruments_find (GilkBoundInstruments *instruments, const char *name,
                                      GHashTable *params, const struct ilk_instrument_desc **desc,
                                      GError **error);

G_END_DECLS
