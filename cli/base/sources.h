/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sources.h - finds the sources of data that a command's arguments name: hooks in one or several
 * runs and sessions
 *
 * HOOK names a hook of the run that the command reads. HOOK@2 names a hook of run 2 of the same
 * session. HOOK@FILE names a hook of the last run of another session, and HOOK@FILE:2 a hook of run
 * 2 of that session. HOOK@1,3 and HOOK@FILE:1,3 name a hook in each of the runs 1 and 3.
 */
#pragma once

#include "cli/base/reports.h"
#include "cli/base/session.h"
#include "core/figure/gilk-figure.h"

typedef struct {
  GArray     *list;         /* GilkFigureSource: the sources; valid as long as this struct is */
  GPtrArray  *sessions;     /* CliSession: other sessions that were opened for @list */
  GPtrArray  *strings;
  GPtrArray  *started;      /* strings: for each call of cli_sources_add(), the start of the run
                             * in ISO 8601 */
  const char *condition;    /* filter (--if) for samples of sources that are added from now on;
                             * borrowed, nullable */
} CliSources;

/* Joins the conditions of several --if options by "and". (transfer full) (nullable) */
char *cli_sources_join_conditions (char *const *conditions);
void  cli_sources_init  (CliSources *sources, const char *condition);
void  cli_sources_clear (CliSources *sources);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliSources, cli_sources_clear)

const GilkFigureSource *cli_sources_get (const CliSources *sources, guint i);
/* Adds a hook as a source. @session: the command's session; must outlive @sources. */
void     cli_sources_add_hook (CliSources *sources, const CliSession *session, const GilkStoredHook *hook);
/* Adds a source for each run that @name names. @name: HOOK, HOOK@RUNS, HOOK@FILE or
 * HOOK@FILE:RUNS. */
gboolean cli_sources_add   (CliSources *sources, Cli *cli, const CliSession *session, const char *name,
                            GError **error);
/* Adds the hooks named by @hooks. If @hooks is empty, adds the hook with most samples and prints a
 * note on this choice. @by: (nullable): field by which the source is split. @doing: first word of
 * the note, such as "Drawing". */
gboolean cli_sources_choose (CliSources *sources, Cli *cli, const CliSession *session, char *const *hooks,
                             const char *by, const char *doing, GError **error);
/* Subtracts the time that one hit of a hook costs from each of the hook's values. @field: a field
 * that is an interval or a duration of calls; NULL: the intervals between samples. */
gboolean cli_sources_subtract_cost (CliSources *sources, const char *field, GError **error);
/* Prints the costs that were subtracted from the values; with --json adds them as a member named
 * @figure plus "_cost_subtracted". Must be called after the statistic was reported. */
void     cli_sources_report_cost (const CliSources *sources, Cli *cli, const char *figure);
/* Computes a statistic of one source, and prints it or, with --json, adds it to the open array. */
typedef gboolean (*CliSourceReport) (Cli *cli, const GilkFigureSource *source, const CliFigures *figures, GError **error);
/* Calls @report for each hook that @figures names; with --json in the array @key. Then reports the
 * costs that were subtracted from the values. @field: as for cli_sources_subtract_cost(). */
gboolean cli_sources_report (Cli *cli, const CliSession *session, const CliFigures *figures, const char *field,
                             const char *key, CliSourceReport report, GError **error);
/* Returns the unit of a field, such as "ns"; "" if the field has none. @field: may be "interval".
 * (transfer full) */
char    *cli_source_unit   (const GilkFigureSource *source, const char *field, GError **error);
/* Replaces the only source by several, one for each value of @field. Keeps the values with most
 * samples, and prints how many samples are omitted. */
gboolean cli_sources_split (CliSources *sources, Cli *cli, const char *field, GError **error);
