/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-rows.h - data shared by the parts of a run: its session, and a row for each of its hooks
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
  GMutex     lock;       /* protects the store: gilk_run_session_lock() */
  GThread   *thread;     /* the run's thread, once the run has started */
  gint64     run;        /* the run's id in the session; 0: not stored yet. Other threads need the
                          * run's lock */
} GilkRunSession;

/* Aborts unless called on the run's own thread. */
static inline void
gilk_run_session_assert_own (const GilkRunSession *session)
{
  g_assert (session->thread == g_thread_self ());
}

/* Lock and unlock the store; must surround each use of it. Run's thread only. */
void     gilk_run_session_lock   (GilkRunSession *session);
void     gilk_run_session_unlock (GilkRunSession *session);
/* Syncs the session to disk. If the machine crashes, only data after the last sync are lost. */
gboolean gilk_run_session_sync   (GilkRunSession *session, GError **error);

/* The rows of a run, one for each hook that the run ever had: a row stays when its hook is
 * removed. */
typedef struct {
  GilkBoundPlan    *bound;       /* (unowned): the run's plan; row i is for its hook i */
  guint             n, n_cpus;
  uint32_t         *iids;        /* [row] */
  uint32_t         *patch_of;    /* [row]: id of the live patch; 0: none */
  GilkArmedProgram *programs;    /* [row]: memory of the program, and the hook's id in the
                                  * session */
} GilkRunRows;

/* Makes the rows of a run. @armed: prepared state of its plan */
void     gilk_run_rows_init       (GilkRunRows *rows, GilkBoundPlan *bound, const GilkArmed *armed);
void     gilk_run_rows_clear      (GilkRunRows *rows);
/**
 * gilk_run_rows_add:
 * @live_rows: (nullable): row of each hook of the live plan; NULL: hook i of the live plan has row
 *   i
 * @row_of: (out): row of each hook of @armed
 * Appends rows for hooks of @armed that are new.
 */
void     gilk_run_rows_add        (GilkRunRows *rows, const GilkArmed *armed, const guint *live_rows, guint *row_of);
/* Copies the session ids of the hooks of @armed. @row_of: row of each hook; NULL: rows and hooks
 * have the same order */
void     gilk_run_rows_set_stored (GilkRunRows *rows, const GilkArmed *armed, const guint *row_of);

G_END_DECLS
