/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-readings.h - a cursor over the readings of hooks' counters, by time, in constant memory
 *
 * A reading is what the counters of a hook summed to, over all CPUs, when they were read. The last one is when
 * measuring ended, also where the counter stood still before and the run was cut off.
 *
 * Threads: that of the store, which must outlive it.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct _GilkReadings GilkReadings;

typedef struct {
  gint64   t_ns;                    /* since time zero */
  guint    hook;                    /* index into the hooks asked for */
  uint64_t hits;                    /* since the hook was armed */
} GilkReading;

/* @hooks: at least one, of one run, by id; from @from_ns on and before @to_ns */
GilkReadings *gilk_readings_new  (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks,
                                  gint64 from_ns, gint64 to_ns, GError **error);
void          gilk_readings_free (GilkReadings *readings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkReadings, gilk_readings_free)

/* FALSE at the end, or with @error. */
gboolean      gilk_readings_next (GilkReadings *readings, GilkReading *reading, GError **error);

G_END_DECLS
