/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-readings.h - a cursor that returns the readings of hooks' hit counters, ordered by time, in
 * constant memory
 *
 * A reading is the sum of a hook's counters over all CPUs, with the time when they were read. The
 * last reading of a hook is at the end of measurement, even if the counter did not change just
 * before that time, or the run ended abruptly.
 *
 * Threads: only the store's thread; the store must outlive the cursor.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct _GilkReadings GilkReadings;

typedef struct {
  gint64   t_ns;                    /* time since time zero */
  guint    hook;                    /* index into @hooks of gilk_readings_new() */
  uint64_t hits;                    /* hits since the hook was armed */
} GilkReading;

/* @hooks: at least one hook, all of one run, sorted by id. Selects readings at or after @from_ns
 * and before @to_ns */
GilkReadings *gilk_readings_new  (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks,
                                  gint64 from_ns, gint64 to_ns, GError **error);
void          gilk_readings_free (GilkReadings *readings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkReadings, gilk_readings_free)

/* Returns FALSE at the end, or with @error. */
gboolean      gilk_readings_next (GilkReadings *readings, GilkReading *reading, GError **error);

G_END_DECLS
