/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-sweep.h - the numbers of a hook, or of two, in ascending order, of however many
 *
 * Some 80 MiB of memory at most. Samples are read as often as gilk-sweep.h says.
 *
 * Threads: that of the stores.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"
#include "core/analysis/gilk-sweep.h"

G_BEGIN_DECLS

/* A hook, and which of its numbers. All is borrowed. */
typedef struct {
  GilkStore            *store;
  const GilkStoredHook *hook;
  GilkHookAsk           ask;    /* whether in order does not matter */
} GilkHookSide;

/**
 * gilk_hook_sweep:
 * @n: one or two @sides, of one field
 * @cut: (nullable): of each side, intervals left out
 * Ends soon after the stores' cancellable is cancelled.
 */
gboolean gilk_hook_sweep (const GilkHookSide *sides, guint n, const GilkSweepViewer *viewer, gpointer data,
                          uint64_t *cut, GError **error);

/**
 * gilk_hook_sweep_passes:
 * @pass: adds all numbers to @sweep; the same each time
 * As many passes as it takes. Fails if numbers were not the same in all of them.
 */
gboolean gilk_hook_sweep_passes (GilkSweep *sweep, gboolean (*pass) (GilkSweep *sweep, gpointer data, GError **error),
                                 gpointer data, GError **error);

G_END_DECLS
