/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-source.h - samples of a store that figures are made of: a hook of one, some or all runs
 *
 * A hook is named by its label, of all runs that have one of that name, or LABEL@PLACE, where PLACE is
 * a host, or a run by the first digits of its name. Of a run that is not wholly there nothing is
 * taken, so that the samples do not change while they are asked about.
 *
 * Threads: that of the GilkRemote.
 */
#pragma once

#include "core/remote/gilk-remote-runs.h"

G_BEGIN_DECLS

/* What there is, read once. */
typedef struct {
  GArray *runs;             /* GilkRemoteRun */
  GArray *hooks;            /* GilkRemoteHook, of all of them */
} GilkRemoteContents;

gboolean gilk_remote_contents_read  (GilkRemote *remote, GilkRemoteContents *contents, GError **error);
void     gilk_remote_contents_clear (GilkRemoteContents *contents);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkRemoteContents, gilk_remote_contents_clear)

/* The label with most samples in all; NULL: there is none with samples. (transfer none) */
const char *gilk_remote_contents_most (const GilkRemoteContents *contents);

/* The run of hook @i if @name names that hook; else NULL. (transfer none) */
const GilkRemoteRun *gilk_remote_contents_named (const GilkRemoteContents *contents, guint i, const char *name);
/* The error for a name that no hook has, which lists those there are: always FALSE. */
gboolean gilk_remote_contents_refuse (const GilkRemoteContents *contents, const char *name, GError **error);

typedef struct {
  char    *name;            /* as it was asked for */
  char    *field, *unit;
  guint    runs;            /* that it is of */
  guint    left_out;        /* runs that are not wholly there */
  uint64_t stored, lost;
  /* Of statements: "WITH (…) AS x", which is the number; what a row has to meet, x to be finite and
   * what else was asked for among it; and the same less what is about the number: */
  char    *with, *where, *rows;
  char    *run_list;
} GilkRemoteSource;

/**
 * gilk_remote_source_make:
 * @field: of numbers; "interval": since the hook's sample before, in seconds; "time"
 * @condition: (nullable): as gilk_samples_add_condition() has it; not with intervals, of which a store
 *   has those between all samples alone
 * Looks whether all rows are there, and fails if not.
 */
gboolean gilk_remote_source_make  (GilkRemote *remote, const GilkRemoteContents *contents, const char *name,
                                   const char *field, const char *condition, GilkRemoteSource *source,
                                   GError **error);
void     gilk_remote_source_clear (GilkRemoteSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkRemoteSource, gilk_remote_source_clear)

G_END_DECLS
