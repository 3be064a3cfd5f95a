/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-source.h - selects samples in a store: a hook of one, several or all runs
 *
 * A hook is named by LABEL, for all runs with a hook of this label, or by LABEL@PLACE; PLACE is a
 * host, or the first digits of a run's id. Runs that are incomplete in the store are left out, so
 * that the samples do not change between queries.
 *
 * Threads: only the GilkRemote's thread.
 */
#pragma once

#include "core/clickhouse/gilk-remote-runs.h"

G_BEGIN_DECLS

/* The runs and hooks of a store, read at the same time. */
typedef struct {
  GArray *runs;             /* (element-type GilkRemoteRun): all runs in the store */
  GArray *hooks;            /* (element-type GilkRemoteHook): hooks of all runs */
} GilkRemoteContents;

gboolean gilk_remote_contents_read  (GilkRemote *remote, GilkRemoteContents *contents, GError **error);
void     gilk_remote_contents_clear (GilkRemoteContents *contents);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkRemoteContents, gilk_remote_contents_clear)

/* Returns the label with the most samples in all runs; NULL: no run has samples. (transfer none) */
const char *gilk_remote_contents_largest (const GilkRemoteContents *contents);

/* Returns the run of hook @i if @name selects that hook; else NULL. (transfer none) */
const GilkRemoteRun *gilk_remote_contents_find_run (const GilkRemoteContents *contents, guint i, const char *name);
/* Sets the error for a name that no hook has; the error lists the existing names. Always returns
 * FALSE. */
gboolean gilk_remote_contents_refuse (const GilkRemoteContents *contents, const char *name, GError **error);

typedef struct {
  char    *name;            /* the name that the caller gave: LABEL or LABEL@PLACE */
  char    *field, *unit;
  guint    runs;            /* number of runs whose samples are selected */
  guint    left_out;        /* number of runs left out because they are incomplete in the store */
  uint64_t stored, lost;
  /* Parts of SQL statements. @with: "WITH (…) AS x", where x is the value of the field; @where:
   * FROM and WHERE with all conditions, including that x is finite; @rows: the same as @where
   * without the conditions on x. */
  char    *with, *where, *rows;
  char    *run_list;
} GilkRemoteSource;

/**
 * gilk_remote_source_make:
 * @field: a numeric field; "interval": time since the hook's previous sample, in seconds; "time":
 *   time since the start of the run, in seconds
 * @condition: (nullable): as for gilk_samples_add_condition(), but cannot test intervals
 * Makes the SQL that selects values of the hooks called @name. Fails if rows are missing in the
 * store.
 */
gboolean gilk_remote_source_make  (GilkRemote *remote, const GilkRemoteContents *contents, const char *name,
                                   const char *field, const char *condition, GilkRemoteSource *source,
                                   GError **error);
void     gilk_remote_source_clear (GilkRemoteSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkRemoteSource, gilk_remote_source_clear)

G_END_DECLS
