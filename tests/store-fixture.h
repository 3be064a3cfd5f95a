/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store-fixture.h - creates sessions for tests, with runs, hooks and samples, and makes
 * allocations fail
 *
 * Functions without a GError end the test if they fail.
 */
#pragma once

#include "core/store/gilk-store-write.h"
#include "core/store/gilk-store.h"

/* ---- the folder and files of a session ---- */

/* A folder, and the path of a session file in it. */
typedef struct { char *dir, *path; } StoreFixture;

StoreFixture fixture_new       (void);
/* Removes the folder with all its files. */
void         fixture_clear     (StoreFixture *f);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StoreFixture, fixture_clear)
/* Set-up and tear-down functions for g_test_add(), which call fixture_new() and fixture_clear(). */
void         fixture_set_up    (StoreFixture *f, gconstpointer unused);
void         fixture_tear_down (StoreFixture *f, gconstpointer unused);

/* Removes all files of a folder. */
void         fixture_empty     (const char *dir);

/* ---- recording a session ---- */

GilkStore   *fixture_open      (const char *path);
GilkStore   *fixture_read      (const char *path);
/* Returns: (transfer full): the hooks of the first run, of type GilkStoredHook */
GArray      *fixture_hooks     (GilkStore *store);
/* Starts a run whose time stamps are in ns and start at 0. */
gint64       fixture_begin     (GilkStore *store, guint n_cpus);
/* Adds a hook at the start of function f; returns its id. */
gint64       fixture_add_hook  (GilkStore *store, gint64 run, uint32_t iid, const char *label, const char *instrument);
/* Records a sample with @len bytes of payload. */
void         fixture_add_sample (GilkStore *store, gint64 run, guint cpu, uint32_t iid, gint64 t_ns, const void *data, guint len);
/* Ends the run and closes the session. */
void         fixture_end       (GilkStore *store, gint64 run, uint64_t duration_ns);
/* Starts and commits the smallest run that can record samples: it has one CPU, and one hook with
 * iid (hook id) 1 and the instrument "stamp". Returns the run's id, or 0 with @error set. */
gint64       fixture_begin_run (GilkStore *store, GError **error);

/* ---- running SQL on a session, without Gilk ---- */

/* Runs @sql, which must return one row, and returns the number in that row. */
gint64       fixture_query     (const char *path, const char *sql);
void         fixture_run_sql   (const char *path, const char *sql);

/* ---- making a process or an allocation fail ---- */

/* Calls @body in a child, and kills the child as soon as @body has returned. */
void         fixture_kill_after      (void (*body) (gpointer data), gpointer data);

/* Makes fixture_fail_allocation() work. Must be called before SQLite is used. */
void         fixture_watch_memory    (void);
/* Makes the @nth allocation of SQLite from now fail, once. If @nth is 0, no allocation fails.
 * Returns whether the failure that the previous call requested has occurred. */
gboolean     fixture_fail_allocation (guint nth);
