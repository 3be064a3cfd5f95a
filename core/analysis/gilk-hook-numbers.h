/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-numbers.h - a hook's numbers, in repeatable passes: a field of its samples, their
 * times, or the times between them
 *
 * Uses constant memory and, if there are many samples, all processors: the consumer gets the
 * numbers in shares, each in a thread of its own.
 *
 * Threads: only the store's thread. Store and hook must outlive the GilkHookNumbers.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"

G_BEGIN_DECLS

typedef struct _GilkHookNumbers GilkHookNumbers;

/* @values: array of @n values; NaN for a sample that does not have the field. */
typedef void (*GilkNumbersFunc) (const double *values, gsize n, gpointer share);

/**
 * gilk_hook_numbers_new:
 * @ask: selects the numbers; in_order is ignored; only used during the call
 * @scale: factor applied to the numbers
 */
GilkHookNumbers *gilk_hook_numbers_new  (GilkStore *store, const GilkStoredHook *hook,
                                         const GilkHookAsk *ask, double scale, GError **error);
void             gilk_hook_numbers_free (GilkHookNumbers *numbers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHookNumbers, gilk_hook_numbers_free)

/* Returns the number of shares in which the numbers are passed, at least one. */
guint    gilk_hook_numbers_shares (const GilkHookNumbers *numbers);
/**
 * gilk_hook_numbers_pass:
 * @func: called in several threads at once, but only in one thread for each share
 * Passes all numbers once. Times and intervals are in order of time within a share.
 */
gboolean gilk_hook_numbers_pass   (GilkHookNumbers *numbers, GilkNumbersFunc func, gpointer *shares,
                                   GError **error);
/* Reads at most @max numbers from the whole run. Returns how many; 0 also on failure. */
gsize    gilk_hook_numbers_peek   (GilkHookNumbers *numbers, double *values, gsize max);
/* Maximum of @parts: gilk_hook_numbers_sample() reads numbers from the start of each of @parts
 * parts of the run. */
#define GILK_HOOK_NUMBERS_PARTS_MAX 64
gsize    gilk_hook_numbers_sample (GilkHookNumbers *numbers, guint parts, double *values, gsize max, GError **error);
/* Returns the number of intervals that the last pass left out. */
uint64_t gilk_hook_numbers_cut    (const GilkHookNumbers *numbers);

G_END_DECLS
