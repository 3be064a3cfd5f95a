/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-readings.h - readings of a counter in a store, and the times when its hook was not
 * measuring
 *
 * The same data as gilk_store_count_series() and gilk_hook_gaps() return for the pushed session, so
 * that gilk_count_rates() computes the same rates.
 *
 * Threads: that of the GilkRemote.
 */
#pragma once

#include "core/remote/gilk-remote-runs.h"

G_BEGIN_DECLS

/**
 * gilk_remote_readings:
 * @run: the run of @hook
 * @times, @counts: (out) (transfer full): doubles, seconds and hits since the run started
 * @off: (out) (transfer full): GilkGap, tidy, of the times when the hook was not measuring
 * GILK_ERROR_STORE if rows in the ledger are missing; outputs are then untouched.
 */
gboolean gilk_remote_readings (GilkRemote *remote, const GilkRemoteRun *run, const GilkRemoteHook *hook,
                               GArray **times, GArray **counts, GArray **off, GError **error);

G_END_DECLS
