/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-reach.h - the functions that a function calls, and those that they call
 *
 * Direct calls and tail calls are followed. Indirect calls and static calls, whose
 * targets change, are not, nor is what no clone can be made of: those are told.
 *
 * Threads: any; the decoder is the caller's. Blocks on the target.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/gilk-progress.h"
#include "core/splice/gilk-clone.h"
#include "core/dataflow/gilk-circulation.h"

G_BEGIN_DECLS

typedef struct {
  const GilkFunction *function;
  GilkCfg *cfg;              /* NULL if it was not looked into */
  guint    depth;            /* calls away from the first */
  guint    refusal;          /* GilkRefusal: why there can be no clone of it, 0 if there can */
} GilkReached;

/**
 * gilk_reach:
 * @depth: how many calls away to go
 * Returns: (transfer full) (element-type GilkReached): each function once, the first
 *   first, then by depth; NULL if text cannot be read, or @cancellable was cancelled
 */
GArray *gilk_reach (GilkFunctions *functions, GilkImage *image, const GilkFunction *first,
                    guint depth, GilkDecoder *decoder, const GilkProgress *progress,
                    GCancellable *cancellable, GError **error);

/* A counter at each block of a clone that control gets to, or at as few as will do.
 * (transfer full) */
GilkCirculation *gilk_reach_circulation (GilkCfg *cfg, gboolean fewest);

G_END_DECLS
