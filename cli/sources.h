/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sources.h - hooks of one or several runs and sessions, as the words of a command name them
 *
 * HOOK is of the run that the command is about; HOOK@2 of run 2 of its session, HOOK@FILE of the
 * last run of another session, HOOK@FILE:2 of its run 2. HOOK@1,3 and HOOK@FILE:1,3 are one of each run.
 */
#pragma once

#include "cli/session.h"
#include "core/analysis/gilk-figure.h"

G_BEGIN_DECLS

typedef struct {
  GArray     *list;         /* GilkFigureSource; what they point to lives as long as this */
  GPtrArray  *sessions;     /* CliSession: those that were opened for it */
  GPtrArray  *strings;
  GPtrArray  *started;      /* of those that cli_sources_add() added: when their run started, ISO 8601 */
  const char *condition;    /* for those that are added; borrowed, nullable */
} CliSources;

/* What --if says, given once or more: all must be met. (transfer full) (nullable) */
char    *cli_sources_join_conditions (char *const *conditions);
void     cli_sources_init  (CliSources *sources, const char *condition);
void     cli_sources_clear (CliSources *sources);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliSources, cli_sources_clear)

const GilkFigureSource *cli_sources_get (const CliSources *sources, guint i);
/* @session: what the command is about; it outlives @sources. */
void     cli_sources_add_hook (CliSources *sources, const CliSession *session, const GilkStoredHook *hook);
/* @name: as above; adds as many as it names runs. */
gboolean cli_sources_add   (CliSources *sources, Cli *cli, const CliSession *session, const char *name,
                            GError **error);
/* Those that @hooks name, or without any the one with most samples, of which a note says that it was
 * chosen; split by @by (nullable). @doing: "Drawing", in that note. */
gboolean cli_sources_choose (CliSources *sources, Cli *cli, const CliSession *session, char *const *hooks,
                             const char *by, const char *doing, GError **error);
/* Takes off intervals what a hit of each hook costs; @field, if NULL an interval, is what is looked at,
 * and must be one. */
gboolean cli_sources_subtract_cost (CliSources *sources, const char *field, GError **error);
/* Behind a figure: what was taken off, if anything; @key: of the member that tells a document. */
void     cli_sources_tell_cost (const CliSources *sources, Cli *cli, const char *key);
/* In what a field is measured: "ns", "". @field: or "interval". (transfer full) */
char    *cli_source_unit   (const GilkFigureSource *source, const char *field, GError **error);
/* Each value of a field of the one source there is becomes a source; those with most samples, and a
 * note says how many are left out. */
gboolean cli_sources_split (CliSources *sources, Cli *cli, const char *field, GError **error);

G_END_DECLS
