/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-blocks.h - when hooks that are switched were on, and when off
 *
 * Threads: that of the store. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  gint64   from_ns, to_ns;            /* since time zero */
  gboolean on, whole;                 /* whole: FALSE where the run ended in it */
} GilkStoredBlockOfTime;

gboolean gilk_store_add_block (GilkStore *store, gint64 run, guint position,
                               const GilkStoredBlockOfTime *block, GError **error);
/* In order, from the first on; none: hooks were not switched, or when is not known. (transfer full)
 * (element-type GilkStoredBlockOfTime) */
GArray  *gilk_store_blocks    (GilkStore *store, gint64 run, GError **error);

/* When the last jump of the run was in the text, since time zero; 0: none ever was. */
gboolean gilk_store_settled   (GilkStore *store, gint64 run, gint64 *ns, GError **error);

G_END_DECLS
