/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-numbers.h - a hook's numbers, as often as they are wanted: a field of its samples,
 * their times, or the time from one to the next
 *
 * Constant memory, and all processors where there are many samples: what takes numbers takes
 * shares of them, each in a thread of its own.
 *
 * Threads: that of the store, which must outlive it, as the hook must.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"

G_BEGIN_DECLS

typedef struct _GilkHookNumbers GilkHookNumbers;

/* @values: @n of them; NaN for a sample too short for the field. */
typedef void (*GilkNumbersFunc) (const double *values, gsize n, gpointer share);

/**
 * gilk_hook_numbers_new:
 * @ask: which numbers; read in this call only. Whether in order does not matter
 * @scale: what they are multiplied by
 */
GilkHookNumbers *gilk_hook_numbers_new  (GilkStore *store, const GilkStoredHook *hook,
                                         const GilkHookAsk *ask, double scale, GError **error);
void             gilk_hook_numbers_free (GilkHookNumbers *numbers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHookNumbers, gilk_hook_numbers_free)

/* How many shares there are, at least one. */
guint    gilk_hook_numbers_shares (const GilkHookNumbers *numbers);
/**
 * gilk_hook_numbers_pass:
 * @func: called in several threads at once, but with each of @shares in one only
 * All numbers, once. Those of a share are in order of time if they are times or intervals.
 */
gboolean gilk_hook_numbers_pass   (GilkHookNumbers *numbers, GilkNumbersFunc func, gpointer *shares,
                                   GError **error);
/* Some numbers from all over: at most @max; how many is returned, 0 also if they cannot be read. */
gsize    gilk_hook_numbers_peek   (GilkHookNumbers *numbers, double *values, gsize max);
/* The same from @parts parts of the run, at the begin of each: 1 to GILK_HOOK_NUMBERS_PARTS_MAX. */
#define GILK_HOOK_NUMBERS_PARTS_MAX 64
gsize    gilk_hook_numbers_sample (GilkHookNumbers *numbers, guint parts, double *values, gsize max, GError **error);
/* Intervals that the last pass left out. */
uint64_t gilk_hook_numbers_cut    (const GilkHookNumbers *numbers);

G_END_DECLS
