/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-together.h - runs on several targets that begin at the same time, and how their times are related
 *
 * Threads: set_gate() is for the one that made the run; zero() is for any.
 */
#pragma once

#include "core/run/gilk-gate.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

/* Time zero by this machine's monotonic clock, off by @error_us at most. */
typedef struct {
  gint64 us, error_us;
} GilkRunZero;

/* Before it is started: all is prepared before the gate, and armed behind it. */
void     gilk_run_set_gate (GilkRun *run, GilkGate *gate);
/* FALSE: it is not armed yet. */
gboolean gilk_run_zero     (GilkRun *run, GilkRunZero *zero);

G_END_DECLS
