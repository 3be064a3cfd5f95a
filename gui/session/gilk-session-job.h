/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-job.h - parameters of a job that reads a session off the main thread, all copied
 */
#pragma once

#include <gio/gio.h>

#include "core/store/gilk-store.h"

typedef struct _GilkSessionJob {
  char           *path;
  gint64          run, hook_id;
  GilkStoredHook *hook;         /* (nullable) */
  char           *field;        /* field, or name of a map; (nullable) */
  char           *condition;    /* condition for the samples to use; (nullable) */
  double          from, to;     /* time range in seconds of the run; NaN: all of it */
  gboolean        log_x, log_y; /* logarithmic axes, for plots with axes */
  struct _GilkSessionJob *comparison;  /* the same job for the session to compare with;
                                        * (nullable) */
} GilkSessionJob;

/* Creates a job. @hook, @field: (nullable). (transfer full) */
GilkSessionJob *gilk_session_job_new  (const char *path, gint64 run, const GilkStoredHook *hook, const char *field);
void            gilk_session_job_free (GilkSessionJob *job);
/* Opens the session in the job's thread. (transfer full) */
GilkStore      *gilk_session_job_open (const GilkSessionJob *job, GCancellable *cancellable, GError **error);
/* Makes @job (transfer full) the task's data and runs @thread. */
void            gilk_session_job_run  (GilkSessionJob *job, GTask *task, GTaskThreadFunc thread);
