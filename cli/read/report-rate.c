/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-rate.c - gilk report --rate: reports the hits of a counter over time
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>

#include "cli/base/sources.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/emit/gilk-inline.h"

gboolean
cli_rate_set_error (const char *name, GError **error)
{
  if (name == NULL)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                         _("No hook of this run is a counter, so there are no counter readings. To "
                           "draw the rate of samples, use \"gilk plot --rate\"."));
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("Hook \"%s\" takes samples and has no counter readings. To draw its rate, use \"gilk plot --rate\"."),
                 name);
  return FALSE;
}

static void
points_to_json (CliJson *json, const char *name, const char *key, const GArray *times, const GArray *values)
{
  cli_json_array (json, name);
  for (guint i = 0; i < times->len; i++)
    {
      cli_json_row (json, NULL);
      cli_json_double (json, "seconds", g_array_index (times, double, i));
      cli_json_double (json, key, g_array_index (values, double, i));
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
rate_to_json (CliJson *json, const CliRateSource *origin, const GArray *times, const GArray *counts, const GArray *at,
              const GArray *rates)
{
  cli_json_object (json, NULL);
  cli_json_string (json, "hook", origin->name);
  if (origin->run != NULL)
    {
      cli_json_string (json, "run", origin->run);
      cli_json_string (json, "host", origin->host);
    }
  points_to_json (json, "count_points", "hits", times, counts);
  points_to_json (json, "rates", "hits_per_second", at, rates);
  cli_json_end (json);
}

static void
print_rates (Cli *cli, const GArray *at, const GArray *rates)
{
  g_autoptr(CliTable) table = cli_table_new (_(">UP TO|>HITS/S"));

  for (guint i = 0; i < at->len; i++)
    {
      g_autofree char *time = gilk_format_si (g_array_index (at, double, i), "s", 6);
      g_autofree char *rate = cli_format_rate (g_array_index (rates, double, i));

      cli_table_cell (table, time);
      cli_table_cell (table, rate);
    }
  cli_print_table (cli, table);
}

void
cli_rate_show (Cli *cli, const CliRateSource *origin, const GArray *times, const GArray *counts, const GArray *off)
{
  g_autoptr(GArray) at = NULL, rates = NULL;

  gilk_count_rates ((const double *) (gconstpointer) times->data, (const double *) (gconstpointer) counts->data,
                    times->len, off, &at, &rates);
  if (cli->doc != NULL)
    {
      rate_to_json (cli->doc, origin, times, counts, at, rates);
      return;
    }
  if (origin->run != NULL)
    cli_print_tinted (cli, CLI_TINT_BOLD, _("\nCounter readings of %s, run %s of %s: %u\n"),
                      origin->name, origin->run, origin->host, times->len);
  else
    cli_print_tinted (cli, CLI_TINT_BOLD, _("\nCounter readings of %s: %u\n"), origin->name, times->len);
  print_rates (cli, at, rates);
}

/* Returns the counting hook with most hits; NULL: no hook counts. */
static const GilkStoredHook *
find_busiest_counter (const CliSession *session)
{
  const GilkStoredHook *most = NULL;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if (gilk_inline_is (hook->instrument, GILK_INLINE_COUNT) && (most == NULL || hook->hits > most->hits))
        most = hook;
    }
  return most;
}

static gboolean
report_source (Cli *cli, const GilkFigureSource *source, GError **error)
{
  const CliRateSource origin = { .name = source->name };
  g_autoptr(GArray) times = NULL, counts = NULL, gaps = NULL;

  if (!gilk_inline_is (source->hook->instrument, GILK_INLINE_COUNT))
    return cli_rate_set_error (source->name, error);
  gaps = gilk_hook_gaps (source->store, source->hook, source->duration, error);
  if (gaps == NULL || !gilk_store_count_series (source->store, source->hook, &times, &counts, error))
    return FALSE;
  cli_rate_show (cli, &origin, times, counts, gaps);
  return TRUE;
}

gboolean
cli_report_rate (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  const GilkStoredHook *most = figures->hooks == NULL ? find_busiest_counter (session) : NULL;
  g_auto(CliSources) sources = { NULL };

  cli_sources_init (&sources, NULL);
  if (figures->hooks == NULL && most == NULL)
    return cli_rate_set_error (NULL, error);
  if (most != NULL)
    {
      cli_note (cli, _("Using hook %s; --hook chooses another."), most->label);
      cli_sources_add_hook (&sources, session, most);
    }
  else if (!cli_sources_choose (&sources, cli, session, figures->hooks, NULL, _("Using"), error))
    return FALSE;
  cli_json_array (cli->doc, "rates");
  for (guint i = 0; i < sources.list->len; i++)
    if (!report_source (cli, cli_sources_get (&sources, i), error))
      return FALSE;
  cli_json_end (cli->doc);
  return TRUE;
}
