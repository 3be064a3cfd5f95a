/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-store.c - gilk report --store URL: what many hosts have pushed, and figures of it
 */
#include "cli/report-store.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/output.h"
#include "cli/report-histogram.h"
#include "core/remote/gilk-remote-figures.h"
#include "core/remote/gilk-remote-schema.h"

typedef struct {
  GilkRemote        *remote;
  GilkRemoteContents contents;
} Store;

static void
store_clear (Store *store)
{
  gilk_remote_contents_clear (&store->contents);
  g_clear_pointer (&store->remote, gilk_remote_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Store, store_clear)

static gboolean
store_open (Store *store, Cli *cli, const char *text, GError **error)
{
  g_auto(GilkRemoteUrl) url = { 0 };

  if (!gilk_remote_url_parse (text, &url, error))
    return FALSE;
  cli_interrupts_may_end ();
  store->remote = gilk_remote_open (&url, cli->cancellable, error);
  return store->remote != NULL && gilk_remote_schema_check (store->remote, error) &&
    gilk_remote_contents_read (store->remote, &store->contents, error);
}

/* ---- what there is ---- */

static void
print_runs (Cli *cli, const GArray *runs)
{
  g_autoptr(CliTable) table = cli_table_new ("<RUN|<HOST|<STARTED|<KERNEL|>SECONDS|>HOOKS|>SAMPLES|>LOST|>THERE|~TITLE");

  for (guint i = 0; i < runs->len; i++)
    {
      const GilkRemoteRun *run = &g_array_index (runs, GilkRemoteRun, i);

      cli_table_cellf (table, "%016" G_GINT64_MODIFIER "x", run->id);
      cli_table_cell (table, run->host);
      cli_table_cell (table, run->started);
      cli_table_cell (table, run->release);
      cli_table_cellf (table, "%.3g", run->duration);
      cli_table_cellf (table, "%u", run->hooks);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) run->samples);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) run->lost);
      if (run->lost > 0)
        cli_table_tint (table, CLI_TINT_WARN);
      if (run->whole)
        cli_table_cell (table, _("all"));
      else
        {
          cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) run->there);
          cli_table_tint (table, CLI_TINT_WARN);
        }
      cli_table_cell (table, run->title);
    }
  cli_print_table (cli, table);
}

static void
runs_to_json (CliJson *json, const GArray *runs)
{
  cli_json_array (json, "runs");
  for (guint i = 0; i < runs->len; i++)
    {
      const GilkRemoteRun *run = &g_array_index (runs, GilkRemoteRun, i);
      g_autofree char *id = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", run->id);

      cli_json_row (json, NULL);
      cli_json_string (json, "run", id);
      cli_json_string (json, "host", run->host);
      cli_json_uint (json, "number", run->number);
      cli_json_string (json, "title", run->title);
      cli_json_string (json, "target", run->target);
      cli_json_string (json, "release", run->release);
      cli_json_string (json, "started", run->started);
      cli_json_double (json, "seconds", run->duration);
      cli_json_string (json, "ended", run->ended);
      cli_json_uint (json, "hooks", run->hooks);
      cli_json_uint (json, "samples", run->samples);
      cli_json_uint (json, "lost", run->lost);
      cli_json_uint (json, "there", run->there);
      cli_json_bool (json, "whole", run->whole);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
print_hooks (Cli *cli, const GArray *hooks)
{
  g_autoptr(CliTable) table = cli_table_new ("<RUN|<HOOK|^POINT|<INSTRUMENT|<TACTIC|>HITS|>STORED|>LOST|>DROPPED");

  cli_print (cli, "\n");
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkRemoteHook *hook = &g_array_index (hooks, GilkRemoteHook, i);

      cli_table_cellf (table, "%016" G_GINT64_MODIFIER "x", hook->run);
      cli_table_cell (table, hook->label);
      cli_table_cellf (table, "%s%s:%s", hook->function, hook->block, hook->place);
      cli_table_cell (table, hook->instrument);
      cli_table_cell (table, hook->tactic);
      if (hook->hits_known)
        cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) hook->hits);
      else
        cli_table_cell (table, "-");
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) hook->stored);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) hook->lost);
      if (hook->lost > 0)
        cli_table_tint (table, CLI_TINT_WARN);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) hook->dropped);
    }
  cli_print_table (cli, table);
}

static void
hooks_to_json (CliJson *json, const GArray *hooks)
{
  cli_json_array (json, "hooks");
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkRemoteHook *hook = &g_array_index (hooks, GilkRemoteHook, i);
      g_autofree char *id = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", hook->run);

      cli_json_row (json, NULL);
      cli_json_string (json, "run", id);
      cli_json_string (json, "hook", hook->label);
      cli_json_string (json, "function", hook->function);
      cli_json_string (json, "block", hook->block);
      cli_json_string (json, "where", hook->place);
      cli_json_string (json, "instrument", hook->instrument);
      cli_json_string (json, "tactic", hook->tactic);
      cli_json_uint_if (json, "hits", hook->hits, hook->hits_known);
      cli_json_uint (json, "stored", hook->stored);
      cli_json_uint (json, "lost", hook->lost);
      cli_json_uint (json, "dropped", hook->dropped);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
report_contents (Cli *cli, const Store *store)
{
  if (cli->doc != NULL)
    {
      runs_to_json (cli->doc, store->contents.runs);
      hooks_to_json (cli->doc, store->contents.hooks);
      return;
    }
  print_runs (cli, store->contents.runs);
  print_hooks (cli, store->contents.hooks);
}

/* ---- figures of one source ---- */

static gboolean
take_source (Cli *cli, const Store *store, const char *name, const CliFigures *figures, GilkRemoteSource *source,
             GError **error)
{
  if (!gilk_remote_source_make (store->remote, &store->contents, name, figures->field != NULL ? figures->field : "interval",
                                figures->condition, source, error))
    return FALSE;
  if (source->left_out > 0)
    cli_note (cli, ngettext ("%u run with hook %s is not wholly in the store and is left out; pushing its session again "
                             "goes on where it was broken off.",
                             "%u runs with hook %s are not wholly in the store and are left out; pushing their sessions "
                             "again goes on where it was broken off.", source->left_out), source->left_out, name);
  return TRUE;
}

static CliMeasured
measured (const GilkRemoteSource *source, uint64_t cut)
{
  return (CliMeasured) { source->name, source->field, source->unit, source->lost, cut };
}

static gboolean
report_quantiles (Cli *cli, const Store *store, const GilkRemoteSource *source, GError **error)
{
  g_auto(GilkHookQuantiles) found = { 0 };
  CliMeasured of;
  guint n;
  const double *at = cli_quantiles_asked (&n);

  if (!gilk_remote_quantiles (store->remote, source, at, n, &found, error))
    return FALSE;
  of = measured (source, found.cut);
  cli_quantiles_show (cli, &of, &found);
  return TRUE;
}

static gboolean
report_histogram (Cli *cli, const Store *store, const CliFigures *figures, const GilkRemoteSource *source, GError **error)
{
  CliMeasured of = measured (source, 0);
  g_autoptr(GilkHistogram) histogram = gilk_remote_histogram (store->remote, source, (guint) figures->bins,
                                                              figures->log_x, &of.cut, error);

  if (histogram == NULL)
    return FALSE;
  cli_histogram_report (cli, &of, histogram);
  return TRUE;
}

static gboolean
report_compare (Cli *cli, const Store *store, const CliFigures *figures, GError **error)
{
  g_auto(GilkRemoteSource) a = { 0 }, b = { 0 };
  g_auto(GilkHookCompared) found = { .n = { 0 } };
  CliMeasured of_a, of_b;
  guint n;
  const double *at = cli_compare_asked (&n);

  if (!take_source (cli, store, figures->compare, figures, &a, error) ||
      !take_source (cli, store, figures->with, figures, &b, error))
    return FALSE;
  if (strcmp (a.unit, b.unit) != 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("%s measures %s in \"%s\" and %s in \"%s\", which cannot be compared."), a.name, a.field, a.unit,
                   b.name, b.unit);
      return FALSE;
    }
  if (!gilk_remote_compare (store->remote, &a, &b, at, n, &found, error))
    return FALSE;
  if (found.n[0] == 0 || found.n[1] == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("There is nothing to compare: %s has no value of %s."),
                   found.n[0] == 0 ? a.name : b.name, a.field);
      return FALSE;
    }
  of_a = measured (&a, found.cut[0]);
  of_b = measured (&b, found.cut[1]);
  cli_compare_show (cli, &of_a, &of_b, &found);
  return TRUE;
}

/* ---- all that was asked for ---- */

/* NULL-terminated. */
static char **
choose_names (Cli *cli, const Store *store, const CliFigures *figures, GError **error)
{
  const char *most = figures->hooks == NULL ? gilk_remote_contents_most (&store->contents) : NULL;
  const char *one[] = { most, NULL };

  if (figures->hooks != NULL)
    return g_strdupv (figures->hooks);
  if (most == NULL)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("No hook in the store has samples. Push a run that recorded some."));
      return NULL;
    }
  cli_note (cli, _("Looking at hook %s of all runs; --hook chooses another."), most);
  return g_strdupv ((char **) one);
}

static gboolean
report_each (Cli *cli, const Store *store, const CliFigures *figures, char *const *names, gboolean histogram,
             GError **error)
{
  if (cli->doc != NULL)
    cli_json_array (cli->doc, histogram ? "histograms" : "quantiles");
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_auto(GilkRemoteSource) source = { 0 };

      if (!take_source (cli, store, names[i], figures, &source, error) ||
          !(histogram ? report_histogram (cli, store, figures, &source, error)
                      : report_quantiles (cli, store, &source, error)))
        return FALSE;
    }
  if (cli->doc != NULL)
    cli_json_end (cli->doc);
  return TRUE;
}

static gboolean
check_figures (const CliFigures *figures, GError **error)
{
  const char *other = figures->ecdf ? "--ecdf" : figures->spectrum ? "--spectrum" : figures->outliers != 0 ? "--outliers"
                      : figures->by != NULL ? "--by" : figures->subtract_cost ? "--subtract-cost" : NULL;

  if (other == NULL)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("%s is of a session. Of a store there are --quantiles, --histogram and --compare."), other);
  return FALSE;
}

gboolean
cli_store_report (Cli *cli, const char *url, const CliFigures *figures, GError **error)
{
  g_auto(Store) store = { NULL };
  g_auto(GStrv) names = NULL;

  if (!check_figures (figures, error) || !store_open (&store, cli, url, error))
    return FALSE;
  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "store", gilk_remote_name (store.remote));
      cli_json_string (cli->doc, "database", gilk_remote_url (store.remote)->database);
    }
  if (!cli_figures_wanted (figures))
    {
      report_contents (cli, &store);
      return TRUE;
    }
  if (figures->compare != NULL && !report_compare (cli, &store, figures, error))
    return FALSE;
  if (!figures->quantiles && !figures->histogram)
    return TRUE;
  names = choose_names (cli, &store, figures, error);
  return names != NULL &&
    (!figures->quantiles || report_each (cli, &store, figures, names, FALSE, error)) &&
    (!figures->histogram || report_each (cli, &store, figures, names, TRUE, error));
}
