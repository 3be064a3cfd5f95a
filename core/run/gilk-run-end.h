/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-end.h - ends a run before its time: triggers, programs, stop conditions
 *
 * Threads: only the run's thread.
 */
#pragma once

#include "core/run/gilk-run-counters.h"

G_BEGIN_DECLS

typedef struct {
  GilkTarget        *target;      /* (unowned) */
  GilkRunSession    *session;     /* (unowned) */
  const GilkRunRows *rows;        /* (unowned) */
  GPtrArray         *conditions;  /* (element-type GilkStopCondition): stop conditions; NULL:
                                   * none */
  GHashTable        *handled;     /* set (element-type utf8) of programs' requests that were
                                   * handled */
  gint64             trigger_us;  /* time when the run ends because a trigger was hit; 0: none was
                                   * hit yet */
  gboolean           is_requested;  /* the user requested a stop before anything else ended the
                                     * run */
  char              *reason;      /* why the run ends, if the user did not request it; NULL: its
                                   * time was over */
} GilkRunEnd;

void     gilk_run_end_init             (GilkRunEnd *end, GilkTarget *target, GilkRunSession *session,
                                        const GilkRunRows *rows);
void     gilk_run_end_clear            (GilkRunEnd *end);
/* Sets the reason why the run ends. @reason: (transfer full) */
void     gilk_run_end_set_reason       (GilkRunEnd *end, char *reason);
/* Checks the counters for a hit of a hook that triggers the end of the run. At such a hit, sets the
 * time of the end. */
void     gilk_run_end_find_trigger     (GilkRunEnd *end, const GilkRunCounters *counters);
/* Handles requests of programs. @notices: (element-type utf8): gets the programs' new messages;
 * @go_on: (inout): set to FALSE if a program ends the run */
gboolean gilk_run_end_check_requests   (GilkRunEnd *end, GPtrArray *notices, gboolean *go_on, GError **error);
/* Sets the stop conditions. @until: (nullable): checked conditions, as in gilk_run_set_until() */
void     gilk_run_end_set_conditions   (GilkRunEnd *end, const char *until);
/* Checks the stop conditions. Call after figures were updated. @go_on: (inout): set to FALSE if a
 * condition holds. Returns the status of the conditions, as in gilk_run_condition_status().
 * (transfer full) (nullable) */
char    *gilk_run_end_check_conditions (GilkRunEnd *end, const GilkRunFigures *now, GilkIngest *ingest,
                                        gboolean *go_on);

G_END_DECLS
