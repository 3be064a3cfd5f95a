/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-job.h - what a job off the main thread is to look at in a session: copies of all it needs
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct _GilkSessionJob {
  char           *path;
  gint64          run, hook_id;
  GilkStoredHook *hook;         /* (nullable) */
  char           *field;        /* or what a program kept; (nullable) */
  char           *condition;    /* which samples; (nullable) */
  double          from, to;     /* seconds of the run; NaN: all */
  gboolean        log_x, log_y; /* for who draws axes */
  struct _GilkSessionJob *beside;  /* the same of another session; (nullable) */
} GilkSessionJob;

/* @hook, @field: (nullable). (transfer full) */
GilkSessionJob *gilk_session_job_new  (const char *path, gint64 run, const GilkStoredHook *hook, const char *field);
void            gilk_session_job_free (GilkSessionJob *job);
/* Its session, of the job's thread. (transfer full) */
GilkStore      *gilk_session_job_open (const GilkSessionJob *job, GCancellable *cancellable, GError **error);
/* The task's data, and its thread: it is (transfer full). */
void            gilk_session_job_run  (GilkSessionJob *job, GTask *task, GTaskThreadFunc thread);

G_END_DECLS
