/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-barrier.h - runs on several targets that start at the same time, and the relation of
 * their times
 *
 * Threads: set_gate() is for the thread that made the run; zero() is for any.
 */
#pragma once

#include "core/plan/gilk-start-barrier.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

/* Time zero by this machine's monotonic clock, with the maximum error. */
typedef struct {
  gint64 us, error_us;
} GilkRunZero;

/* Sets the gate. Call before start(). The run prepares everything, waits at the gate, then arms. */
void     gilk_run_set_barrier (GilkRun *run, GilkStartBarrier *gate);
/* Returns FALSE if it is not armed yet. */
gboolean gilk_run_zero        (GilkRun *run, GilkRunZero *zero);

G_END_DECLS
