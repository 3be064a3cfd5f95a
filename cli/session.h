/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - a session file opened at one run, for the commands that read
 */
#pragma once

#include "cli/cli.h"
#include "cli/output.h"
#include "core/store/gilk-store.h"
#include "core/target/gilk-target.h"

G_BEGIN_DECLS

typedef struct {
  GilkStore           *store;
  GArray              *runs;       /* GilkStoredRun, all of the session */
  const GilkStoredRun *run;        /* the chosen one */
  GArray              *hooks;      /* GilkStoredHook of that run */
} CliSession;

/* @run: 1-based number of the run, 0 for the last. From here on Ctrl-C ends the program. */
gboolean cli_session_open  (Cli *cli, const char *path, int run, CliSession *session, GError **error);
void     cli_session_clear (CliSession *session);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliSession, cli_session_clear)

/* FALSE: the run is of another build of the kernel than @target has, where functions may be others. */
gboolean cli_session_check_kernel (const CliSession *session, GilkTarget *target, const char *path, GError **error);

guint cli_session_n_hooks (const CliSession *session);
const GilkStoredHook *cli_session_hook (const CliSession *session, guint i);
/* @label NULL: the only hook there is. The error names the nearest ones. */
const GilkStoredHook *cli_session_pick_hook (const CliSession *session, const char *label,
                                             GError **error);
/* Fields of a hook's samples (GilkStoredField), empty for count and stamp. (transfer full) */
GArray *cli_session_fields (const CliSession *session, const GilkStoredHook *hook, GError **error);
/* NULL if the hook's samples have no such field; @error then lists those there are. */
const GilkStoredField *cli_session_find_field (GArray *fields, const GilkStoredHook *hook,
                                               const char *name, GError **error);
/* Seconds the hook was in force. */
double cli_session_seconds (const CliSession *session, const GilkStoredHook *hook);
/* Position of the run in the session, from 1. */
guint cli_session_run_number (const CliSession *session);
/* Members of the open object of @json: what is known of @run. */
void  cli_session_run_members (CliJson *json, guint number, const GilkStoredRun *run);

G_END_DECLS
