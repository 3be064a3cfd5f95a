/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-numbers.h - a hook's numbers, in repeatable passes or in ascending order: a field of
 * its samples, their times, or the times between them
 *
 * Uses constant memory. Many samples are split among threads, and the consumer is called in each of
 * them.
 *
 * Threads: call these functions only from the store's thread. Store and hook must outlive the GilkHookNumbers.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"
#include "core/stats/gilk-sweep.h"

G_BEGIN_DECLS

typedef struct _GilkHookNumbers GilkHookNumbers;

/* @values: array of @n values; NaN for a sample that does not have the field. */
typedef void (*GilkNumbersFunc) (const double *values, gsize n, gpointer share);

/**
 * gilk_hook_numbers_new:
 * @ask: selects the numbers; in_order is ignored; only used during the call
 * @scale: factor applied to the numbers
 * Prepares to read a hook's numbers.
 */
GilkHookNumbers *gilk_hook_numbers_new  (GilkStore *store, const GilkStoredHook *hook,
                                         const GilkHookAsk *ask, double scale, GError **error);
void             gilk_hook_numbers_free (GilkHookNumbers *numbers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHookNumbers, gilk_hook_numbers_free)

/* Returns the number of shares into which gilk_hook_numbers_pass() divides the numbers, at least
 * one. */
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
/* Returns the number of times between samples that the last pass left out because samples may be
 * missing in them. */
uint64_t gilk_hook_numbers_cut    (const GilkHookNumbers *numbers);

/*
 * Numbers of one hook or two in ascending order, for any number of samples.
 *
 * Takes at most about 80 MiB of memory. The number of passes is given in gilk-sweep.h.
 */

/* A hook, and which of its numbers are read; all members are borrowed. */
typedef struct {
  GilkStore            *store;
  const GilkStoredHook *hook;
  GilkHookAsk           ask;    /* selects the hook's numbers; its in_order is ignored */
} GilkHookSide;

/**
 * gilk_hook_sweep:
 * @n: one or two @sides, with the same field
 * @cut: (nullable): for each side, number of times between samples left out
 * Calls the functions of @viewer with the numbers of the sides in ascending order. Returns soon
 * after the stores' cancellable is cancelled.
 */
gboolean gilk_hook_sweep (const GilkHookSide *sides, guint n, const GilkSweepViewer *viewer, gpointer data,
                          uint64_t *cut, GError **error);

/**
 * gilk_hook_sweep_passes:
 * @pass: adds all numbers to @sweep; must add the same numbers in each call
 * Makes as many passes as needed. Fails if the numbers differ between passes.
 */
gboolean gilk_hook_sweep_passes (GilkSweep *sweep, gboolean (*pass) (GilkSweep *sweep, gpointer data, GError **error),
                                 gpointer data, GError **error);

G_END_DECLS
