/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-readings.h - what a counter in a store was over time, and when its hook was not measured
 *
 * What gilk_store_count_series() and gilk_hook_gaps() tell of the session that was pushed: of these
 * gilk_count_rates() makes the same rates.
 *
 * Threads: that of the GilkRemote.
 */
#pragma once

#include "core/remote/gilk-remote-runs.h"

G_BEGIN_DECLS

/**
 * gilk_remote_readings:
 * @run: of which @hook is
 * @times, @counts: (out) (transfer full): doubles, seconds since the run began and hits since then
 * @off: (out) (transfer full): GilkGap, tidy, of its times without measuring
 * GILK_ERROR_STORE if rows that the ledger has are not there; outputs are untouched then.
 */
gboolean gilk_remote_readings (GilkRemote *remote, const GilkRemoteRun *run, const GilkRemoteHook *hook,
                               GArray **times, GArray **counts, GArray **off, GError **error);

G_END_DECLS
