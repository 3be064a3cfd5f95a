/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.c - opens a session file and selects a run, for commands that read it
 */
#include "cli/base/session.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-strings.h"

#define LABELS_SHOWN 5u            /* An error lists at most this number of hooks. */

static gboolean
choose_run (CliSession *session, const char *path, int number, GError **error)
{
  if (session->runs->len == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("%s has no runs yet. Record one with \"gilk run FILE -o %s\"."), path, path);
      return FALSE;
    }
  if (number < 0 || (guint) number > session->runs->len)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   ngettext ("%s has no run %d: it has only run 1.",
                             "%s has no run %d: it has %u, numbered from 1.", session->runs->len),
                   path, number, session->runs->len);
      return FALSE;
    }

  session->run = &g_array_index (session->runs, GilkStoredRun,
                                 number == 0 ? session->runs->len - 1 : (guint) number - 1);
  return TRUE;
}

gboolean
cli_session_open (Cli *cli, const char *path, int run, CliSession *session, GError **error)
{
  cli_interrupts_may_end (TRUE);
  session->store = gilk_store_open_read (path, cli->cancellable, error);
  if (session->store == NULL)
    return FALSE;
  session->runs = gilk_store_runs (session->store, error);
  if (session->runs == NULL || !choose_run (session, path, run, error))
    return FALSE;
  session->hooks = gilk_store_hooks (session->store, session->run->id, error);
  return session->hooks != NULL;
}

void
cli_session_clear (CliSession *session)
{
  g_clear_pointer (&session->hooks, g_array_unref);
  g_clear_pointer (&session->runs, g_array_unref);
  g_clear_pointer (&session->store, gilk_store_free);
  session->run = NULL;
}

gboolean
cli_session_check_kernel (const CliSession *session, GilkTarget *target, const char *path, GError **error)
{
  const char *was = session->run->build_id, *is = gilk_target_build_id (target);

  if (was != NULL && is != NULL && strcmp (was, is) == 0)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_STALE,
               _("%s was recorded on another kernel, %s. Use a target with that kernel, or record the indirect calls "
                 "here."), path, session->run->release != NULL ? session->run->release : _("version unknown"));
  return FALSE;
}

guint
cli_session_n_hooks (const CliSession *session)
{
  return session->hooks->len;
}

const GilkStoredHook *
cli_session_hook (const CliSession *session, guint i)
{
  return &g_array_index (session->hooks, GilkStoredHook, i);
}

typedef struct {
  const char *label;
  guint       place, distance;
} Similar;

static int
compare_by_distance (gconstpointer a, gconstpointer b)
{
  const Similar *near = a, *other = b;

  if (near->distance != other->distance)
    return near->distance < other->distance ? -1 : 1;

  return near->place < other->place ? -1 : near->place > other->place;
}

/* Lists at most LABELS_SHOWN labels. If the run has more labels, chooses those most similar to
 * @label, or the first ones if @label is NULL. */
static char *
list_labels (const CliSession *session, const char *label)
{
  g_autoptr(GArray) all = g_array_new (FALSE, FALSE, sizeof (Similar));
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < session->hooks->len; i++)
    {
      Similar near = { cli_session_hook (session, i)->label, i, 0 };

      if (label != NULL && session->hooks->len > LABELS_SHOWN && strstr (near.label, label) == NULL)
        near.distance = 1 + gilk_distance (label, near.label);
      g_array_append_val (all, near);
    }
  g_array_sort (all, compare_by_distance);
  for (guint i = 0; i < MIN (all->len, LABELS_SHOWN); i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", g_array_index (all, Similar, i).label);

  return g_string_free (list, FALSE);
}

static void
set_no_hook_error (const CliSession *session, const char *label, GError **error)
{
  g_autofree char *labels = list_labels (session, label);
  guint count = session->hooks->len;

  if (label == NULL && count <= LABELS_SHOWN)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("More than one hook: choose one with --hook. This run has %s."),
                                                      labels);
  else if (label == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("More than one hook: choose one with --hook. This run has %u, the first of them %s. \"gilk report\" "
                   "lists all."),
                 count, labels);
  else if (count <= LABELS_SHOWN)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("This run has no hook \"%s\". It has %s."), label, labels);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("This run has no hook \"%s\". The closest of its %u are %s. \"gilk report\" lists all."),
                 label, count, labels);
}

const GilkStoredHook *
cli_session_pick_hook (const CliSession *session, const char *label, GError **error)
{
  if (label == NULL && session->hooks->len == 1)
    return cli_session_hook (session, 0);
  for (guint i = 0; label != NULL && i < session->hooks->len; i++)
    if (strcmp (cli_session_hook (session, i)->label, label) == 0)
      return cli_session_hook (session, i);

  set_no_hook_error (session, label, error);
  return NULL;
}

GArray *
cli_session_fields (const CliSession *session, const GilkStoredHook *hook, GError **error)
{
  return gilk_store_fields (session->store, session->run->id, hook->instrument, error);
}

const GilkStoredField *
cli_session_find_field (GArray *fields, const GilkStoredHook *hook, const char *name, GError **error)
{
  g_autoptr(GString) list = g_string_new (NULL);

  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      if (strcmp (field->name, name) == 0)
        return field;
      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", field->name);
    }

  if (list->len == 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("Samples of hook %s (instrument %s) have no fields, so there is no \"%s\"."),
                 hook->label, hook->instrument, name);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("Samples of hook %s have no field \"%s\". Available: %s."),
                 hook->label, name, list->str);
  return NULL;
}

double
cli_session_seconds (const CliSession *session, const GilkStoredHook *hook)
{
  return gilk_stored_hook_seconds (hook, session->run);
}

guint
cli_session_run_number (const CliSession *session)
{
  return (guint) (session->run - &g_array_index (session->runs, GilkStoredRun, 0)) + 1;
}

void
cli_session_run_members (CliJson             *json,
                         guint                number,
                         const GilkStoredRun *run)
{
  cli_json_uint (json, "number", number);
  cli_json_string (json, "title", run->title);
  cli_json_string (json, "target", run->target);
  cli_json_string (json, "release", run->release);
  cli_json_string (json, "build_id", run->build_id);
  cli_json_string (json, "started", run->started);
  cli_json_double (json, "seconds", run->duration);
  cli_json_string (json, "ended", run->end_reason);
  cli_json_uint (json, "samples", run->samples);
  cli_json_uint (json, "lost", run->lost);
}
