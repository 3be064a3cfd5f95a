/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sources.h - finds the hooks that a command's arguments name, in one or several runs and sessions
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
  const char *condition;    /* filter (--if) for sources that are added next; borrowed, nullable */
} CliSources;

/* Joins the conditions of several --if options by "and". (transfer full) (nullable) */
char *cli_sources_join_conditions (char *const *conditions);
void  cli_sources_init  (CliSources *sources, const char *condition);
void  cli_sources_clear (CliSources *sources);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliSources, cli_sources_clear)

const GilkFigureSource *cli_sources_get (const CliSources *sources, guint i);
/* Adds a hook as a source. @session: the command's session; must outlive @sources. */
void     cli_sources_add_hook (CliSources *sources, const CliSession *session, const GilkStoredHook *hook);
/* Adds a source for each run that @name names; @name has one of the forms above. */
gboolean cli_sources_add   (CliSources *sources, Cli *cli, const CliSession *session, const char *name,
                            GError **error);
/* Adds the hooks named by @hooks. If @hooks names none, adds the hook with most samples and prints
 * a note on it. @by: (nullable): field by which the source is split. @doing: first word of the
 * note, such as "Drawing". */
gboolean cli_sources_choose (CliSources *sources, Cli *cli, const CliSession *session, char *const *hooks,
                             const char *by, const char *doing, GError **error);
/* Subtracts the cost of a hook's hit from the hook's values. @field: a field that is an interval or
 * a duration of calls; NULL: the intervals between samples. */
gboolean cli_sources_subtract_cost (CliSources *sources, const char *field, GError **error);
/* Prints the subtracted costs; with --json adds these costs as the member FIGURE_cost_subtracted. Must
 * be called after a figure was reported. */
void     cli_sources_report_cost (const CliSources *sources, Cli *cli, const char *figure);
/* Reports one source: prints its figure, or adds it to the open array. */
typedef gboolean (*CliSourceReport) (Cli *cli, const GilkFigureSource *source, const CliFigures *figures, GError **error);
/* Reports each hook that @figures names; with --json as the array @key. Then reports the costs that
 * were subtracted. @field: as for cli_sources_subtract_cost(). */
gboolean cli_sources_report (Cli *cli, const CliSession *session, const CliFigures *figures, const char *field,
                             const char *key, CliSourceReport report, GError **error);
/* Returns the unit of a field, such as "ns"; "" if the field has none. @field: may be "interval".
 * (transfer full) */
char    *cli_source_unit   (const GilkFigureSource *source, const char *field, GError **error);
/* Replaces the only source by several, one for each value of a field. Keeps the values with most
 * samples, and prints how many samples are omitted. */
gboolean cli_sources_split (CliSources *sources, Cli *cli, const char *field, GError **error);
