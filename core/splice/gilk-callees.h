/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-callees.h - finds the callees of a function, and their callees
 *
 * Direct calls and tail calls are followed. Indirect calls and static calls are not, because their
 * targets change. Functions that cannot be cloned are reported, but not followed further.
 *
 * Threads: any; the decoder belongs to the caller. Blocks on the target.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/gilk-progress.h"
#include "core/dataflow/gilk-circulation.h"
#include "core/splice/gilk-clone.h"

G_BEGIN_DECLS

typedef struct {
  const GilkFunction *function;
  GilkCfg *cfg;              /* NULL if the function was not decoded */
  guint    depth;            /* number of calls on the shortest path from the first function to
                              * this one */
  guint    refusal;          /* GilkRefusal that prevents cloning of the function; 0: none */
} GilkCallee;

/**
 * gilk_callees_find:
 * @depth: maximum number of calls to follow from the first function
 * Returns: (transfer full) (element-type GilkCallee): each function once, @first first, then sorted
 *   by depth; NULL if text cannot be read, or @cancellable was cancelled
 */
GArray *gilk_callees_find (GilkFunctions *functions, GilkImage *image, const GilkFunction *first,
                           guint depth, GilkDecoder *decoder, const GilkProgress *progress,
                           GCancellable *cancellable, GError **error);

/* Returns the counters of a clone: one at each reachable block or, with @fewest, as few as
 * determine all counts. (transfer full) */
GilkCirculation *gilk_callees_circulation (GilkCfg *cfg, gboolean fewest);

G_END_DECLS
