/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-sweep.h - numbers of one hook or two in ascending order, for any number of samples
 *
 * Takes at most about 80 MiB of memory. The number of passes is given in gilk-sweep.h.
 *
 * Threads: only the stores' thread.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"
#include "core/stats/gilk-sweep.h"

G_BEGIN_DECLS

/* A hook, and which of its numbers are read; all members are borrowed. */
typedef struct {
  GilkStore            *store;
  const GilkStoredHook *hook;
  GilkHookAsk           ask;    /* selects the numbers; in_order is ignored */
} GilkHookSide;

/**
 * gilk_hook_sweep:
 * @n: one or two @sides, with the same field
 * @cut: (nullable): for each side, number of intervals left out
 * Returns soon after the stores' cancellable is cancelled.
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
