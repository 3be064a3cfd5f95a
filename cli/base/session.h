/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - opens a session file and selects a run, for commands that read it
 */
#pragma once

#include "cli/base/cli.h"
#include "cli/base/output.h"
#include "core/link/gilk-target.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  GilkStore           *store;
  GArray              *runs;       /* GilkStoredRun: all runs of the session */
  const GilkStoredRun *run;        /* the selected run */
  GArray              *hooks;      /* GilkStoredHook: hooks of the selected run */
} CliSession;

/* Opens a session and selects a run. @run: number of the run from 1, 0 for the last. Afterwards
 * Ctrl-C may kill the program. */
gboolean cli_session_open  (Cli *cli, const char *path, int run, CliSession *session, GError **error);
void     cli_session_clear (CliSession *session);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliSession, cli_session_clear)

/* Fails if the run was recorded on another build of the kernel than @target's, because functions
 * may differ. */
gboolean cli_session_check_kernel (const CliSession *session, GilkTarget *target, const char *path, GError **error);

guint cli_session_n_hooks (const CliSession *session);
const GilkStoredHook *cli_session_hook (const CliSession *session, guint i);
/* Finds a hook by @label; NULL: the run's only hook. The error lists the labels most similar to
 * @label. */
const GilkStoredHook *cli_session_pick_hook (const CliSession *session, const char *label,
                                             GError **error);
/* Returns the fields of a hook's samples (GilkStoredField); empty for the instruments count and
 * stamp. (transfer full) */
GArray *cli_session_fields (const CliSession *session, const GilkStoredHook *hook, GError **error);
/* Returns the field called @name; NULL if the hook's samples do not have it: @error then lists the
 * existing fields. */
const GilkStoredField *cli_session_find_field (GArray *fields, const GilkStoredHook *hook,
                                               const char *name, GError **error);
/* Returns the planned active time of the hook in seconds. */
double cli_session_seconds (const CliSession *session, const GilkStoredHook *hook);
/* Returns the position of the run in the session, from 1. */
guint cli_session_run_number (const CliSession *session);
/* Adds the properties of @run to the open object of @json. */
void  cli_session_run_members (CliJson *json, guint number, const GilkStoredRun *run);

/* Options that several commands share. @target: address of the variable for the value. */
#define CLI_OPTION_RUN(target) \
  { "run", 'r', 0, G_OPTION_ARG_INT, target, N_("Select the run (default: the last)"), N_("N") }
#define CLI_OPTION_FIELD(target) \
  { "field", 'f', 0, G_OPTION_ARG_STRING, target, \
    N_("Select the field (default: interval, the time between samples; for spectra, the hits). " \
       "Field call-time: duration of calls"), \
    N_("FIELD") }
#define CLI_OPTION_IF(target) \
  { "if", 0, 0, G_OPTION_ARG_STRING_ARRAY, target, \
    N_("Use only samples that match, e.g. 'comm == sed' or 'size >= 64 and cpu == 1'; may be repeated"), N_("CONDITION") }

/* Adds "notes" to the open object, or prints a table below @head (nullable). Without
 * notes, prints nothing. @n: (nullable) (out): number of notes. */
gboolean cli_notes_show (Cli *cli, const CliSession *session, const char *head, guint *n, GError **error);

G_END_DECLS
