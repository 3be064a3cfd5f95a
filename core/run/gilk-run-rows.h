/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-rows.h - what the parts of a run share: its session, and a row for each of its hooks
 *
 * Threads: only the run's own, apart from the session's lock, which the writer thread takes too.
 */
#pragma once

#include "core/run/gilk-armed.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* The session that a run is recorded into. */
typedef struct {
  GilkStore *store;
  GMutex     lock;       /* of the run's thread or the writer: gilk_run_session_lock() */
  GThread   *thread;     /* the run's own, once it has started */
  gint64     run;        /* id in the session; 0: not stored yet. Others read it under the run's lock */
} GilkRunSession;

/* Aborts unless called on the run's own thread. */
static inline void
gilk_run_session_assert_own (const GilkRunSession *session)
{
  g_assert (session->thread == g_thread_self ());
}

/* Must surround each call on the store. Run's thread only. */
void     gilk_run_session_lock   (GilkRunSession *session);
void     gilk_run_session_unlock (GilkRunSession *session);
/* Syncs the session to disk. A machine that dies loses at most what came after the last sync. */
gboolean gilk_run_session_sync   (GilkRunSession *session, GError **error);

/* All hooks there have been: a row stays when its hook is removed. */
typedef struct {
  GilkBoundPlan    *bound;       /* (unowned): its hooks are the rows */
  guint             n, n_cpus;
  uint32_t         *iids;        /* [row] */
  uint32_t         *patch_of;    /* [row]: id of the live patch; 0: none */
  GilkArmedProgram *programs;    /* [row]: areas, and the row in the session */
} GilkRunRows;

/* @armed: prepared */
void     gilk_run_rows_init       (GilkRunRows *rows, GilkBoundPlan *bound, const GilkArmed *armed);
void     gilk_run_rows_clear      (GilkRunRows *rows);
/**
 * gilk_run_rows_add:
 * @live_rows: (nullable): rows of the live plan's hooks; NULL: it is the rows themselves
 * @row_of: (out): rows of the hooks of @armed
 * Appends rows for the hooks of @armed that are new.
 */
void     gilk_run_rows_add        (GilkRunRows *rows, const GilkArmed *armed, const guint *live_rows, guint *row_of);
/* Takes over where the hooks of @armed were stored. @row_of: (nullable): NULL: the same order */
void     gilk_run_rows_set_stored (GilkRunRows *rows, const GilkArmed *armed, const guint *row_of);

G_END_DECLS
