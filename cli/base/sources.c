/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sources.c - finds the sources of data that a command's arguments name: hooks in one or several
 * runs and sessions
 */
#include "cli/base/sources.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/analysis/gilk-hook-samples.h"

static void
session_free (gpointer data)
{
  cli_session_clear (data);
  g_free (data);
}

char *
cli_sources_join_conditions (char *const *conditions)
{
  return conditions != NULL ? g_strjoinv (" and ", (char **) conditions) : NULL;
}

void
cli_sources_init (CliSources *sources, const char *condition)
{
  *sources = (CliSources) {
    .list = g_array_new (FALSE, TRUE, sizeof (GilkFigureSource)),
    .sessions = g_ptr_array_new_with_free_func (session_free),
    .strings = g_ptr_array_new_with_free_func (g_free),
    .started = g_ptr_array_new_with_free_func (g_free),
    .condition = condition,
  };
}

void
cli_sources_clear (CliSources *sources)
{
  g_clear_pointer (&sources->list, g_array_unref);
  g_clear_pointer (&sources->sessions, g_ptr_array_unref);
  g_clear_pointer (&sources->strings, g_ptr_array_unref);
  g_clear_pointer (&sources->started, g_ptr_array_unref);
}

const GilkFigureSource *
cli_sources_get (const CliSources *sources, guint i)
{
  return &g_array_index (sources->list, GilkFigureSource, i);
}

static const char *
keep_string (CliSources *sources, char *string)
{
  g_ptr_array_add (sources->strings, string);
  return string;
}

static void
add_source (CliSources *sources, const CliSession *session, const GilkStoredHook *hook, const char *name)
{
  const GilkFigureSource source = {
    .store = session->store, .hook = hook, .duration = session->run->duration,
    .name = keep_string (sources, g_strdup (name)), .condition = sources->condition,
  };
  const char *started = session->run->started;

  g_array_append_val (sources->list, source);
  g_ptr_array_add (sources->started, g_strdup (started));
}

void
cli_sources_add_hook (CliSources *sources, const CliSession *session, const GilkStoredHook *hook)
{
  add_source (sources, session, hook, hook->label);
}

/* Parses the text after "@": runs (0: the last), a file, or both. @file, @runs: (transfer full) */
static gboolean
parse_run_suffix (const char *place, char **file, GArray **runs)
{
  const char *colon = strrchr (place, ':');
  const char *numbers = colon != NULL ? colon + 1 : place;
  gboolean are_numbers = *numbers != '\0' && strspn (numbers, "0123456789,") == strlen (numbers);
  g_auto(GStrv) words = g_strsplit (are_numbers ? numbers : "0", ",", -1);
  gboolean good = *place != '\0';

  *file = are_numbers ? (colon != NULL ? g_strndup (place, (gsize) (colon - place)) : NULL) : g_strdup (place);
  *runs = g_array_new (FALSE, FALSE, sizeof (int));
  for (guint i = 0; words[i] != NULL; i++)
    {
      int run = strlen (words[i]) < 9 ? (int) g_ascii_strtoll (words[i], NULL, 10) : 0;

      good = good && (!are_numbers || run > 0);
      for (guint k = 0; k < i; k++)
        good = good && g_array_index (*runs, int, k) != run;
      g_array_append_val (*runs, run);
    }

  return good;
}

/* Opens a session and adds a hook of one of its runs as a source of data. @run: number of the run,
 * 0 for the last */
static gboolean
add_run (CliSources *sources, Cli *cli, const char *path, int run, const char *label, const char *name, GError **error)
{
  CliSession *other = g_new0 (CliSession, 1);
  const GilkStoredHook *hook;

  g_ptr_array_add (sources->sessions, other);
  if (!cli_session_open (cli, path, run, other, error))
    return FALSE;
  hook = cli_session_pick_hook (other, label, error);
  if (hook == NULL)
    return FALSE;
  add_source (sources, other, hook, name);
  return TRUE;
}

gboolean
cli_sources_add (CliSources *sources, Cli *cli, const CliSession *session, const char *name, GError **error)
{
  const char *at = strchr (name, '@');
  g_autofree char *label = at != NULL ? g_strndup (name, (gsize) (at - name)) : g_strdup (name);
  g_autofree char *file = NULL;
  g_autoptr(GArray) runs = NULL;
  const GilkStoredHook *hook;

  if (at == NULL)
    {
      hook = cli_session_pick_hook (session, label, error);
      if (hook == NULL)
        return FALSE;
      add_source (sources, session, hook, name);
      return TRUE;
    }
  if (!parse_run_suffix (at + 1, &file, &runs))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Invalid hook \"%s\". Write HOOK, HOOK@RUN, HOOK@RUN,RUN, HOOK@FILE or HOOK@FILE:RUN. Runs are "
                        "numbered from 1; name each once."), name);
  for (guint i = 0; i < runs->len; i++)
    {
      int run = g_array_index (runs, int, i);
      g_autofree char *one = runs->len == 1 ? g_strdup (name)
                             : g_strdup_printf ("%s@%s%s%d", label, file != NULL ? file : "", file != NULL ? ":" : "", run);

      if (!add_run (sources, cli, file != NULL ? file : gilk_store_path (session->store), run, label, one, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_field (const GilkFigureSource *source, const char *field, GError **error)
{
  g_autoptr(GArray) fields = NULL;

  if (strcmp (field, "cpu") == 0)
    return TRUE;
  fields = gilk_store_fields (source->store, source->hook->run, source->hook->instrument, error);

  return fields != NULL && cli_session_find_field (fields, source->hook, field, error) != NULL;
}

gboolean
cli_sources_split (CliSources *sources, Cli *cli, const char *field, GError **error)
{
  const GilkFigureSource source = *cli_sources_get (sources, 0);
  g_autoptr(GArray) splits = NULL;
  uint64_t left = 0;

  if (sources->list->len != 1)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("--by splits the samples of one hook. Give at most one --hook."));
  if (!has_field (&source, field, error))
    return FALSE;
  splits = gilk_hook_split (source.store, source.hook, field, source.condition, GILK_FIGURE_CURVES_MAX, &left, error);
  if (splits == NULL)
    return FALSE;
  if (splits->len == 0)
    return TRUE;
  g_array_set_size (sources->list, 0);
  for (guint i = 0; i < splits->len; i++)
    {
      const GilkSplit *split = &g_array_index (splits, GilkSplit, i);
      GilkFigureSource part = source;

      part.name = keep_string (sources, g_strdup (split->name));
      part.condition = keep_string (sources, g_strdup (split->condition));
      g_array_append_val (sources->list, part);
    }
  if (left > 0)
    cli_note (cli, _("Left out %lu samples with other values of %s: at most %d values can be shown."),
              (guint64) left, field, GILK_FIGURE_CURVES_MAX);
  return TRUE;
}

/* Returns the hook with most samples. If all hooks only count, returns the hook with most hits. */
static const GilkStoredHook *
choose_hook (Cli *cli, const CliSession *session, const char *doing, GError **error)
{
  const GilkStoredHook *best = NULL;

  if (cli_session_n_hooks (session) == 1)
    return cli_session_hook (session, 0);
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if (best == NULL || hook->stored > best->stored ||
          (hook->stored == best->stored && best->stored == 0 && hook->hits > best->hits))
        best = hook;
    }
  if (best == NULL)
    return cli_session_pick_hook (session, NULL, error);
  cli_note (cli, _("%s hook %s; --hook chooses another."), doing, best->label);
  return best;
}

gboolean
cli_sources_choose (CliSources *sources, Cli *cli, const CliSession *session, char *const *hooks,
                    const char *by, const char *doing, GError **error)
{
  for (guint i = 0; hooks != NULL && hooks[i] != NULL; i++)
    if (!cli_sources_add (sources, cli, session, hooks[i], error))
      return FALSE;
  if (sources->list->len == 0)
    {
      const GilkStoredHook *hook = choose_hook (cli, session, doing, error);

      if (hook == NULL)
        return FALSE;
      cli_sources_add_hook (sources, session, hook);
    }
  return by == NULL || cli_sources_split (sources, cli, by, error);
}

char *
cli_source_unit (const GilkFigureSource *source, const char *field, GError **error)
{
  g_autoptr(GArray) fields = NULL;
  const GilkStoredField *found;

  if (gilk_field_kind (field) != GILK_FIELD_OWN)
    return g_strdup ("s");
  fields = gilk_store_fields (source->store, source->hook->run, source->hook->instrument, error);
  found = fields != NULL ? cli_session_find_field (fields, source->hook, field, error) : NULL;
  return found != NULL ? g_strdup (found->unit != NULL ? found->unit : "") : NULL;
}

/* ---- subtracted costs, and reports of sources ---- */

gboolean
cli_sources_subtract_cost (CliSources *sources, const char *field, GError **error)
{
  if (field != NULL && !gilk_field_is_duration (field))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("--subtract-cost applies to intervals and durations of calls, and %s is "
                        "neither. Leave out --subtract-cost, or choose another field."), field);
  for (guint i = 0; i < sources->list->len; i++)
    {
      GilkFigureSource *source = &g_array_index (sources->list, GilkFigureSource, i);
      GilkHookCost *cost = g_new0 (GilkHookCost, 1);

      g_ptr_array_add (sources->strings, cost);
      if (field != NULL && gilk_field_kind (field) == GILK_FIELD_ELAPSED ? !gilk_hook_elapsed_cost_of (source->store, source->hook, cost, error)
                                                        : !gilk_hook_cost_of (source->store, source->hook, cost, error))
        return FALSE;
      source->cost = cost;
    }
  return TRUE;
}

void
cli_sources_report_cost (const CliSources *sources, Cli *cli, const char *figure)
{
  g_autofree char *key = g_strdup_printf ("%s_cost_subtracted", figure);

  if (sources->list->len == 0 || cli_sources_get (sources, 0)->cost == NULL)
    return;
  cli_json_array (cli->doc, key);
  for (guint i = 0; i < sources->list->len; i++)
    {
      const GilkFigureSource *source = cli_sources_get (sources, i);
      g_autofree char *words = gilk_hook_cost_text (source->cost);

      cli_print (cli, "%s: %s.\n", source->name, words);
      cli_json_row (cli->doc, NULL);
      cli_json_string (cli->doc, "hook", source->name);
      cli_json_double (cli->doc, "ns", 1e9 * source->cost->seconds);
      cli_json_double (cli->doc, "low_ns", 1e9 * source->cost->low);
      cli_json_double (cli->doc, "high_ns", 1e9 * source->cost->high);
      cli_json_uint (cli->doc, "measurements", source->cost->n_measurements);
      cli_json_uint (cli->doc, "clamped", source->cost->clamped);
      cli_json_end (cli->doc);
    }
  cli_json_end (cli->doc);
}

gboolean
cli_sources_report (Cli *cli, const CliSession *session, const CliFigures *figures, const char *field,
                    const char *key, CliSourceReport report, GError **error)
{
  g_auto(CliSources) sources = { NULL };

  cli_sources_init (&sources, figures->condition);
  if (!cli_sources_choose (&sources, cli, session, figures->hooks, figures->by, _("Using"), error) ||
      (figures->subtract_cost && !cli_sources_subtract_cost (&sources, field, error)))
    return FALSE;
  cli_json_array (cli->doc, key);
  for (guint i = 0; i < sources.list->len; i++)
    if (!report (cli, cli_sources_get (&sources, i), figures, error))
      return FALSE;
  cli_json_end (cli->doc);
  cli_sources_report_cost (&sources, cli, key);
  return TRUE;
}
