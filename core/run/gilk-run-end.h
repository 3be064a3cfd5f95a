/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-end.h - what ends a run before its time: triggers, programs, stop conditions
 *
 * Threads: the run's own.
 */
#pragma once

#include "core/run/gilk-run-counters.h"

G_BEGIN_DECLS

typedef struct {
  GilkTarget        *target;      /* (unowned) */
  GilkRunSession    *session;     /* (unowned) */
  const GilkRunRows *rows;        /* (unowned) */
  GPtrArray         *conditions;  /* (element-type GilkStopCondition); NULL: none */
  GHashTable        *handled;     /* (element-type utf8): programs' requests */
  gint64             trigger_us;  /* when a trigger ends the run; 0: none has fired */
  gboolean           is_requested;  /* a stop request came first */
  char              *reason;      /* why it ends without a request; NULL: time was up */
} GilkRunEnd;

void     gilk_run_end_init             (GilkRunEnd *end, GilkTarget *target, GilkRunSession *session,
                                        const GilkRunRows *rows);
void     gilk_run_end_clear            (GilkRunEnd *end);
/* @reason: (transfer full) */
void     gilk_run_end_set_reason       (GilkRunEnd *end, char *reason);
/* Looks for the first hit of a hook that triggers the end, as far as the counters show it. */
void     gilk_run_end_find_trigger     (GilkRunEnd *end, const GilkRunCounters *counters);
/* Requests what programs asked for. @notices: messages are appended (element-type utf8); @go_on:
 * (inout): set to FALSE if a program ends the run */
gboolean gilk_run_end_check_requests   (GilkRunEnd *end, GPtrArray *notices, gboolean *go_on, GError **error);
/* @until: (nullable): checked conditions, as in gilk_run_set_until() */
void     gilk_run_end_set_conditions   (GilkRunEnd *end, const char *until);
/* Call after figures were updated. @go_on: (inout): set to FALSE if a condition holds. Returns how
 * the conditions stand. (transfer full) (nullable) */
char    *gilk_run_end_check_conditions (GilkRunEnd *end, const GilkRunFigures *now, GilkIngest *ingest,
                                        gboolean *go_on);

G_END_DECLS
