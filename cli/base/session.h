/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - opens a session file, selects a run, and reads the maps of its programs, for
 * commands that read it
 */
#pragma once

#include "cli/base/cli.h"
#include "cli/base/output.h"
#include "core/link/gilk-target.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"
#include "core/store/gilk-store.h"

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
/* Returns the number of the selected run in the session, counted from 1. */
guint cli_session_run_number (const CliSession *session);
/* Adds the properties of @run to the open object of @json. */
void  cli_session_run_members (CliJson *json, guint number, const GilkStoredRun *run);

/* Definitions of options that several commands share. @target: address of the variable for the
 * option's value. */
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

/* ---- reads the maps of a run's programs ---- */

/* A hook that ran a program, with the program's maps. */
typedef struct {
  const GilkStoredHook *hook;         /* the hook; owned by the session */
  GilkStoredProgram    *program;
  GArray               *maps;         /* GilkStoredMap */
  GilkStoredNames      *names;        /* names of keys and stacks, stored with the run */
} CliHookMaps;

/* A map of a hook. All pointers are borrowed. */
typedef struct {
  const CliHookMaps        *hook_maps;
  const GilkStoredMap *stored;
} CliMap;

/* Reads the maps of hooks with labels in @hooks (NULL: all), in order of the hooks. (transfer full)
 * (element-type CliHookMaps) */
GArray *cli_maps_read (const CliSession *session, char *const *hooks, GError **error);
/* Returns the element of @all for @hook; NULL if @hook ran no program. */
const CliHookMaps *cli_maps_of_hook (const GArray *all, const GilkStoredHook *hook);
/* Returns the maps called @name, without the counters of keys that did not fit into these maps. If
 * no map has this name, returns NULL with an error that lists all names. (transfer full)
 * (element-type CliMap) */
GArray *cli_maps_find (const GArray *all, const char *name, GError **error);

/* Sets @count to the sum of all entries of @kind, such as the number of bad accesses, or the number
 * of keys that did not fit into maps. Returns FALSE if no such entry exists. */
gboolean cli_maps_sum (const CliHookMaps *hook_maps, GilkMapKind kind, uint64_t *count);
