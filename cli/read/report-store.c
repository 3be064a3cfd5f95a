/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-store.c - gilk report --store URL: reports the runs that hosts have pushed, and their
 * figures
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/emit/gilk-inline.h"
#include "core/clickhouse/gilk-remote-figures.h"
#include "core/clickhouse/gilk-remote-runs.h"
#include "core/clickhouse/gilk-remote-schema.h"

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
  cli_interrupts_may_end (TRUE);
  store->remote = gilk_remote_open (&url, cli->cancellable, error);
  return store->remote != NULL && gilk_remote_schema_check (store->remote, error) &&
    gilk_remote_contents_read (store->remote, &store->contents, error);
}

/* ---- listing the contents of a store ---- */

/* Kinds of columns, in this order: name of a run, text, 32-bit number, 64-bit number, seconds,
 * number of lost samples, hits of a hook, location of a hook, how much of a run is in the store. */
typedef enum { NAME, TEXT, NUMBER, LONG, SECONDS, LOST, HITS, POINT, IN_STORE } Kind;

typedef struct {
  const char *title;            /* title in the table; NULL: not shown */
  const char *key;              /* key in the JSON document; NULL: omitted */
  Kind        kind;
  gsize       offset;           /* offset of the member in its struct; unused for HITS, POINT and
                                 * IN_STORE */
} Column;

#define OF_RUN(member)  offsetof (GilkRemoteRun, member)
#define OF_HOOK(member) offsetof (GilkRemoteHook, member)

static const Column run_columns[] = {
  { N_("<RUN"), "run", NAME, OF_RUN (id) },
  { N_("<HOST"), "host", TEXT, OF_RUN (host) },
  { NULL, "number", NUMBER, OF_RUN (number) },
  { N_("<STARTED"), "started", TEXT, OF_RUN (started) },
  { NULL, "target", TEXT, OF_RUN (target) },
  { N_("<KERNEL"), "release", TEXT, OF_RUN (release) },
  { N_(">SECONDS"), "seconds", SECONDS, OF_RUN (duration) },
  { NULL, "ended", TEXT, OF_RUN (ended) },
  { N_(">HOOKS"), "hooks", NUMBER, OF_RUN (hooks) },
  { N_(">SAMPLES"), "samples", LONG, OF_RUN (samples) },
  { N_(">LOST"), "lost", LOST, OF_RUN (lost) },
  { N_(">PUSHED"), "stored_samples", IN_STORE, 0 },
  { NULL, "count_points", LONG, OF_RUN (readings) },
  { N_("~TITLE"), "title", TEXT, OF_RUN (title) },
};

static const Column hook_columns[] = {
  { N_("<RUN"), "run", NAME, OF_HOOK (run) },
  { N_("<HOOK"), "hook", TEXT, OF_HOOK (label) },
  { N_("^POINT"), NULL, POINT, 0 },
  { NULL, "function", TEXT, OF_HOOK (function) },
  { NULL, "block", TEXT, OF_HOOK (block) },
  { NULL, "where", TEXT, OF_HOOK (place) },
  { N_("<INSTRUMENT"), "instrument", TEXT, OF_HOOK (instrument) },
  { N_("<TACTIC"), "tactic", TEXT, OF_HOOK (tactic) },
  { N_(">HITS"), "hits", HITS, 0 },
  { N_(">STORED"), "stored", LONG, OF_HOOK (stored) },
  { N_(">LOST"), "lost", LOST, OF_HOOK (lost) },
  { N_(">MISSED"), "missed", LONG, OF_HOOK (missed) },
};

static void
add_stored_cell (CliTable *table, const GilkRemoteRun *run)
{
  if (run->complete)
    {
      cli_table_cell (table, _("all"));
      return;
    }
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) run->stored_samples);
  cli_table_tint (table, CLI_TINT_WARN);
}

static void
add_cell (CliTable *table, Kind kind, const void *row, const void *member)
{
  const GilkRemoteHook *hook = row;         /* @row is a GilkRemoteHook only for HITS and POINT */

  if (kind == NAME)
    cli_table_cellf (table, "%016" G_GINT64_MODIFIER "x", *(const uint64_t *) member);
  else if (kind == TEXT)
    cli_table_cell (table, *(char *const *) member);
  else if (kind == NUMBER)
    cli_table_cellf (table, "%u", *(const guint *) member);
  else if (kind == SECONDS)
    cli_table_cellf (table, "%.3g", *(const double *) member);
  else if (kind == POINT)
    cli_table_cellf (table, "%s%s:%s", hook->function, hook->block, hook->place);
  else if (kind == HITS && !hook->hits_known)
    cli_table_cell (table, "-");
  else if (kind == IN_STORE)
    add_stored_cell (table, row);
  else
    cli_table_cellf (table, "%" G_GUINT64_FORMAT, kind == HITS ? hook->hits : *(const uint64_t *) member);
  if (kind == LOST && *(const uint64_t *) member > 0)
    cli_table_tint (table, CLI_TINT_WARN);
}

static void
add_member (CliJson *json, const char *key, Kind kind, const void *row, const void *member)
{
  const GilkRemoteHook *hook = row;
  const GilkRemoteRun *run = row;
  char name[17];

  if (kind == NAME)
    {
      g_snprintf (name, sizeof name, "%016" G_GINT64_MODIFIER "x", *(const uint64_t *) member);
      cli_json_string (json, key, name);
    }
  else if (kind == TEXT)
    cli_json_string (json, key, *(char *const *) member);
  else if (kind == NUMBER)
    cli_json_uint (json, key, *(const guint *) member);
  else if (kind == SECONDS)
    cli_json_double (json, key, *(const double *) member);
  else if (kind == HITS)
    cli_json_uint_if (json, key, hook->hits, hook->hits_known);
  else if (kind == IN_STORE)
    {
      cli_json_uint (json, key, run->stored_samples);
      cli_json_bool (json, "complete", run->complete);
    }
  else
    cli_json_uint (json, key, *(const uint64_t *) member);
}

static void
list_to_json (CliJson *json, const char *name, const Column *columns, guint n, const GArray *list)
{
  cli_json_array (json, name);
  for (guint i = 0; i < list->len; i++)
    {
      const char *row = list->data + (gsize) i * g_array_get_element_size ((GArray *) list);

      cli_json_row (json, NULL);
      for (guint c = 0; c < n; c++)
        if (columns[c].key != NULL)
          add_member (json, columns[c].key, columns[c].kind, row, row + columns[c].offset);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
print_list (Cli *cli, const Column *columns, guint n, const GArray *list)
{
  g_autoptr(GString) titles = g_string_new (NULL);
  g_autoptr(CliTable) table = NULL;

  for (guint c = 0; c < n; c++)
    if (columns[c].title != NULL)
      g_string_append_printf (titles, "%s%s", titles->len > 0 ? "|" : "", _(columns[c].title));
  table = cli_table_new (titles->str);
  for (guint i = 0; i < list->len; i++)
    {
      const char *row = list->data + (gsize) i * g_array_get_element_size ((GArray *) list);

      for (guint c = 0; c < n; c++)
        if (columns[c].title != NULL)
          add_cell (table, columns[c].kind, row, row + columns[c].offset);
    }
  cli_print_table (cli, table);
}

static void
report_contents (Cli *cli, const Store *store)
{
  if (cli->doc != NULL)
    {
      list_to_json (cli->doc, "runs", run_columns, G_N_ELEMENTS (run_columns), store->contents.runs);
      list_to_json (cli->doc, "hooks", hook_columns, G_N_ELEMENTS (hook_columns), store->contents.hooks);
      return;
    }
  print_list (cli, run_columns, G_N_ELEMENTS (run_columns), store->contents.runs);
  cli_print (cli, "\n");
  print_list (cli, hook_columns, G_N_ELEMENTS (hook_columns), store->contents.hooks);
}

/* ---- figures from a store ---- */

static gboolean
make_source (Cli *cli, const Store *store, const char *name, const CliFigures *figures, GilkRemoteSource *source,
             GError **error)
{
  if (!gilk_remote_source_make (store->remote, &store->contents, name, figures->field != NULL ? figures->field : "interval",
                                figures->condition, source, error))
    return FALSE;
  if (source->left_out > 0)
    cli_note (cli, ngettext ("Left out %u run with hook %s, because the run is incomplete in the "
                             "store. Push its session again to complete it.",
                             "Left out %u runs with hook %s, because the runs are incomplete in "
                             "the store. Push their sessions again "
                             "to complete them.", source->left_out), source->left_out, name);
  return TRUE;
}

static CliDataSource
make_data_source (const GilkRemoteSource *source, uint64_t cut)
{
  return (CliDataSource) { source->name, source->field, source->unit, source->lost, cut };
}

static gboolean
report_quantiles (Cli *cli, const Store *store, const GilkRemoteSource *source, GError **error)
{
  g_auto(GilkHookQuantiles) found = { 0 };
  CliDataSource of;
  guint n;
  const double *at = cli_quantiles_reported (&n);

  if (!gilk_remote_quantiles (store->remote, source, at, n, &found, error))
    return FALSE;
  of = make_data_source (source, found.cut);
  cli_quantiles_show (cli, &of, &found);
  return TRUE;
}

static gboolean
report_histogram (Cli *cli, const Store *store, const CliFigures *figures, const GilkRemoteSource *source, GError **error)
{
  CliDataSource of = make_data_source (source, 0);
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
  CliDataSource of_a, of_b;
  guint n;
  const double *at = cli_compare_quantiles (&n);

  if (!make_source (cli, store, figures->compare, figures, &a, error) ||
      !make_source (cli, store, figures->with, figures, &b, error))
    return FALSE;
  if (strcmp (a.unit, b.unit) != 0)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Cannot compare: %s measures %s in the unit \"%s\", but %s measures it in "
                        "the unit \"%s\"."), a.name, a.field, a.unit,
                      b.name, b.unit);
  if (!gilk_remote_compare (store->remote, &a, &b, at, n, &found, error))
    return FALSE;
  if (found.n[0] == 0 || found.n[1] == 0)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND, _("Nothing to compare: %s has no value of %s."),
                      found.n[0] == 0 ? a.name : b.name, a.field);
  of_a = make_data_source (&a, found.cut[0]);
  of_b = make_data_source (&b, found.cut[1]);
  cli_compare_show (cli, &of_a, &of_b, &found, FALSE);
  return TRUE;
}

/* ---- rates of counters ---- */

static gboolean
is_counter (const GilkRemoteHook *hook)
{
  return hook->hits_known && gilk_inline_is (hook->instrument, GILK_INLINE_COUNT);
}

/* Returns the label of the counting hook with most hits in a single run; NULL: no hook counts. */
static const char *
find_busiest_counter (const GilkRemoteContents *contents)
{
  const GilkRemoteHook *most = NULL;

  for (guint i = 0; i < contents->hooks->len; i++)
    {
      const GilkRemoteHook *hook = &g_array_index (contents->hooks, GilkRemoteHook, i);

      if (is_counter (hook) && (most == NULL || hook->hits > most->hits))
        most = hook;
    }
  return most != NULL ? most->label : NULL;
}

static gboolean
report_rate (Cli *cli, const Store *store, const GilkRemoteRun *run, const GilkRemoteHook *hook, GError **error)
{
  g_autofree char *place = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", run->id);
  const CliRateSource of = { hook->label, place, run->host };
  g_autoptr(GArray) times = NULL, counts = NULL, off = NULL;

  if (!gilk_remote_readings (store->remote, run, hook, &times, &counts, &off, error))
    return FALSE;
  cli_rate_show (cli, &of, times, counts, off);
  return TRUE;
}

static gboolean
report_hook_rates (Cli *cli, const Store *store, const char *name, GError **error)
{
  gboolean seen = FALSE, counted = FALSE;

  for (guint i = 0; i < store->contents.hooks->len; i++)
    {
      const GilkRemoteHook *hook = &g_array_index (store->contents.hooks, GilkRemoteHook, i);
      const GilkRemoteRun *run = gilk_remote_contents_find_run (&store->contents, i, name);

      seen |= run != NULL;
      if (run == NULL || !is_counter (hook))
        continue;
      counted = TRUE;
      if (!run->complete)
        cli_note (cli, _("Left out run %016lx with hook %s, because the run is incomplete in the "
                         "store. Push its session again to complete it."), (gulong) run->id, name);
      else if (!report_rate (cli, store, run, hook, error))
        return FALSE;
    }
  if (!seen)
    return gilk_remote_contents_refuse (&store->contents, name, error);
  return counted || cli_rate_set_error (name, error);
}

static gboolean
report_rates (Cli *cli, const Store *store, const CliFigures *figures, GError **error)
{
  const char *one[] = { figures->hooks == NULL ? find_busiest_counter (&store->contents) : NULL, NULL };
  char *const *names = figures->hooks != NULL ? figures->hooks : (char *const *) one;

  if (names[0] == NULL)
    return cli_rate_set_error (NULL, error);
  if (figures->hooks == NULL)
    cli_note (cli, _("Using hook %s of all runs; --hook chooses another."), names[0]);
  cli_json_array (cli->doc, "rates");
  for (guint i = 0; names[i] != NULL; i++)
    if (!report_hook_rates (cli, store, names[i], error))
      return FALSE;
  cli_json_end (cli->doc);
  return TRUE;
}

/* ---- running the report ---- */

/* Returns the hooks' names, NULL-terminated. */
static char **
choose_names (Cli *cli, const Store *store, const CliFigures *figures, GError **error)
{
  const char *most = figures->hooks == NULL ? gilk_remote_contents_largest (&store->contents) : NULL;
  const char *one[] = { most, NULL };

  if (figures->hooks != NULL)
    return g_strdupv (figures->hooks);
  if (most == NULL)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("No hook in the store has samples. Push a run that recorded some."));
      return NULL;
    }
  cli_note (cli, _("Using hook %s of all runs; --hook chooses another."), most);
  return g_strdupv ((char **) one);
}

static gboolean
report_hooks (Cli *cli, const Store *store, const CliFigures *figures, char *const *names, gboolean histogram,
              GError **error)
{
  cli_json_array (cli->doc, histogram ? "histograms" : "quantiles");
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_auto(GilkRemoteSource) source = { 0 };

      if (!make_source (cli, store, names[i], figures, &source, error) ||
          !(histogram ? report_histogram (cli, store, figures, &source, error)
                      : report_quantiles (cli, store, &source, error)))
        return FALSE;
    }
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
  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("%s needs a session. --store takes --quantiles, --histogram, --rate and --compare."), other);
}

gboolean
cli_store_report (Cli *cli, const char *url, const CliFigures *figures, GError **error)
{
  g_auto(Store) store = { NULL };
  g_auto(GStrv) names = NULL;

  if (!check_figures (figures, error) || !store_open (&store, cli, url, error))
    return FALSE;
  cli_json_string (cli->doc, "store", gilk_remote_name (store.remote));
  cli_json_string (cli->doc, "database", gilk_remote_url (store.remote)->database);
  if (!cli_figures_wanted (figures))
    {
      report_contents (cli, &store);
      return TRUE;
    }
  if (figures->compare != NULL && !report_compare (cli, &store, figures, error))
    return FALSE;
  if (figures->rate && !report_rates (cli, &store, figures, error))
    return FALSE;
  if (!figures->quantiles && !figures->histogram)
    return TRUE;
  names = choose_names (cli, &store, figures, error);
  return names != NULL &&
    (!figures->quantiles || report_hooks (cli, &store, figures, names, FALSE, error)) &&
    (!figures->histogram || report_hooks (cli, &store, figures, names, TRUE, error));
}
