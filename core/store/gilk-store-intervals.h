/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-intervals.h - the intervals in which switched hooks were on or off
 *
 * Threads: only the store's. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  gint64   from_ns, to_ns;            /* times since time zero */
  gboolean on, complete;              /* complete: FALSE if the run ended within the interval */
} GilkStoredInterval;

gboolean gilk_store_add_interval (GilkStore *store, gint64 run, guint position,
                                  const GilkStoredInterval *interval, GError **error);
/* Returns all intervals, by time; empty: hooks were not switched, or the times are
 * unknown. (transfer full) (element-type GilkStoredInterval) */
GArray  *gilk_store_intervals    (GilkStore *store, gint64 run, GError **error);

/* Sets @ns to when the last jump of the run was written, since time zero; 0: no jump was. */
gboolean gilk_store_last_jump_time   (GilkStore *store, gint64 run, gint64 *ns, GError **error);

G_END_DECLS
