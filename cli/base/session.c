/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.c - opens a session file, selects a run, lists the notes on it, and reads the maps of
 * its programs
 */
#include "cli/base/session.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analysis/gilk-map-sums.h"
#include "core/base/gilk-strings.h"
#include "core/store/gilk-store-notes.h"

#define LABELS_SHOWN 5u            /* An error lists at most this number of hooks. */

static gboolean
choose_run (CliSession *session, const char *path, int number, GError **error)
{
  if (session->runs->len == 0)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                      _("%s has no runs yet. Record one with \"gilk run FILE -o %s\"."), path, path);
  if (number < 0 || (guint) number > session->runs->len)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                      ngettext ("%s has no run %d: it has only run 1.",
                                "%s has no run %d: it has %u, numbered from 1.", session->runs->len),
                      path, number, session->runs->len);

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
  return gilk_fail (error, GILK_ERROR_STALE,
                    _("%s was recorded on another kernel, %s. Use a target with that kernel, or record the indirect calls "
                      "here."), path, session->run->release != NULL ? session->run->release : _("version unknown"));
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

/* Lists the labels of the run's hooks for an error message, LABELS_SHOWN at most. If the run has
 * more, chooses those most similar to @label, or the first ones if @label is NULL. */
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
                 _("More than one hook: choose one with --hook. This run has %u hooks; the first are %s. \"gilk "
                   "report\" lists all."),
                 count, labels);
  else if (count <= LABELS_SHOWN)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("This run has no hook \"%s\". Its hooks are %s."),
                 label, labels);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("This run has no hook \"%s\". The closest of its %u hooks are %s. \"gilk report\" lists all."),
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
  cli_json_string (json, "way", gilk_stored_run_way (run));
  cli_json_string (json, "started", run->started);
  cli_json_double (json, "seconds", run->duration);
  cli_json_string (json, "ended", run->end_reason);
  cli_json_uint (json, "samples", run->samples);
  cli_json_uint (json, "lost", run->lost);
}

/* ---- lists the notes on a run ---- */

/* Returns the label of the hook with id @hook. Returns NULL if no hook has this id, because the
 * note is not about a hook. */
static const char *
get_label (const CliSession *session, gint64 hook)
{
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    if (cli_session_hook (session, i)->id == hook)
      return cli_session_hook (session, i)->label;

  return NULL;
}

static void
notes_to_json (CliJson *json, const CliSession *session, const GArray *notes)
{
  cli_json_array (json, "notes");
  for (guint i = 0; i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);

      cli_json_row (json, NULL);
      cli_json_uint (json, "number", i + 1);
      if (note->from_ns != GILK_NOTE_WHOLE_RUN)
        {
          cli_json_double (json, "from", note->from_ns / 1e9);
          cli_json_double (json, "to", note->to_ns / 1e9);
        }
      cli_json_string (json, "hook", get_label (session, note->hook));
      cli_json_string (json, "text", note->text);
      cli_json_string (json, "author", note->author);
      cli_json_string (json, "written", note->written);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
print_notes (Cli *cli, const CliSession *session, const GArray *notes)
{
  g_autoptr(CliTable) table = cli_table_new (_(">NR|<WHEN|<HOOK|<BY|~NOTE"));

  for (guint i = 0; i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);
      g_autofree char *when = gilk_stored_note_when (note);

      cli_table_cellf (table, "%u", i + 1);
      cli_table_cell (table, when);
      cli_table_cell (table, get_label (session, note->hook));
      cli_table_cell (table, note->author);
      cli_table_cell (table, note->text);
    }
  cli_print_table (cli, table);
}

gboolean
cli_notes_show (Cli *cli, const CliSession *session, const char *head, guint *n, GError **error)
{
  g_autoptr(GArray) notes = gilk_store_notes (session->store, session->run->id, error);

  if (notes == NULL)
    return FALSE;
  if (n != NULL)
    *n = notes->len;
  if (notes->len == 0)
    return TRUE;
  if (cli->doc != NULL)
    notes_to_json (cli->doc, session, notes);
  else
    {
      if (head != NULL)
        cli_print (cli, "\n%s\n", head);
      print_notes (cli, session, notes);
    }

  return TRUE;
}

/* ---- reads the maps of a run's programs ---- */

static void
clear_hook_maps (gpointer data)
{
  CliHookMaps *kept = data;

  gilk_stored_program_free (kept->program);
  g_clear_pointer (&kept->maps, g_array_unref);
  g_clear_pointer (&kept->names, gilk_stored_names_unref);
}

static gboolean
read_hook (const CliSession *session, const GilkStoredHook *hook, GilkStoredNames *names, GArray *all, GError **error)
{
  GError *local = NULL;
  CliHookMaps kept = { hook, gilk_store_program (session->store, hook, &local), NULL, NULL };

  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  if (kept.program == NULL)
    return TRUE;
  kept.maps = gilk_store_maps (session->store, hook, error);
  kept.names = gilk_stored_names_ref (names);
  g_array_append_val (all, kept);
  return kept.maps != NULL;
}

GArray *
cli_maps_read (const CliSession *session, char *const *hooks, GError **error)
{
  g_autoptr(GArray) all = g_array_new (FALSE, TRUE, sizeof (CliHookMaps));
  g_autoptr(GilkStoredNames) names = gilk_store_names (session->store, session->run->id, error);

  g_array_set_clear_func (all, clear_hook_maps);
  if (names == NULL)
    return NULL;
  for (guint i = 0; hooks != NULL && hooks[i] != NULL; i++)
    if (cli_session_pick_hook (session, hooks[i], error) == NULL)
      return NULL;
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if ((hooks == NULL || g_strv_contains ((const char *const *) hooks, hook->label)) &&
          !read_hook (session, hook, names, all, error))
        return NULL;
    }
  return g_steal_pointer (&all);
}

const CliHookMaps *
cli_maps_of_hook (const GArray *all, const GilkStoredHook *hook)
{
  guint low = 0, high = all->len;

  /* The elements of @all have the same order as the session's array of hooks, so the binary search
   * can compare pointers into that array. */
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const CliHookMaps *kept = &g_array_index (all, CliHookMaps, middle);

      if (kept->hook == hook)
        return kept;
      if (kept->hook < hook)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

/* Returns the names of all maps, without duplicates. (transfer full) */
static char *
list_names (const GArray *all)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const GArray *kept = g_array_index (all, CliHookMaps, i).maps;

      for (guint k = 0; k < kept->len; k++)
        {
          char *name = g_array_index (kept, GilkStoredMap, k).name;

          if (g_hash_table_add (seen, name))
            g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
        }
    }
  return g_string_free (names, FALSE);
}

GArray *
cli_maps_find (const GArray *all, const char *name, GError **error)
{
  g_autoptr(GArray) maps = g_array_new (FALSE, FALSE, sizeof (CliMap));
  g_autofree char *names = NULL;

  for (guint i = 0; i < all->len; i++)
    {
      const CliHookMaps *hook_maps = &g_array_index (all, CliHookMaps, i);

      for (guint k = 0; k < hook_maps->maps->len; k++)
        {
          const CliMap map = { hook_maps, &g_array_index (hook_maps->maps, GilkStoredMap, k) };

          if (map.stored->kind != GILK_MAP_MISSED && strcmp (map.stored->name, name) == 0)
            g_array_append_val (maps, map);
        }
    }
  if (maps->len > 0)
    return g_steal_pointer (&maps);
  names = list_names (all);
  if (*names == '\0')
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No program of these hooks keeps a counter, histogram, map or global, so \"%s\" "
                   "does not exist. Declare it in a program."), name);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("No program of these hooks keeps \"%s\". Available: %s."),
                 name, names);
  return NULL;
}

static void
add_saturated (uint64_t *sum, const GilkStoredMap *kept)
{
  uint64_t more = (uint64_t) gilk_map_number (kept);

  *sum += MIN (more, G_MAXUINT64 - *sum);
}

gboolean
cli_maps_sum (const CliHookMaps *hook_maps, GilkMapKind kind, uint64_t *count)
{
  gboolean found = FALSE;

  *count = 0;
  for (guint i = 0; hook_maps != NULL && i < hook_maps->maps->len; i++)
    {
      const GilkStoredMap *kept = &g_array_index (hook_maps->maps, GilkStoredMap, i);

      if (kept->kind != kind)
        continue;
      found = TRUE;
      add_saturated (count, kept);
    }
  return found;
}
