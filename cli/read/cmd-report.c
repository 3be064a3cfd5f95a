/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-report.c - gilk report: reports the results of a run
 */
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "cli/base/reports.h"
#include "cli/base/session.h"
#include "cli/base/sources.h"
#include "cli/read/report.h"
#include "core/base/gilk-error.h"
#include "core/metrics/gilk-metrics.h"
#include "core/store/gilk-store-write.h"
#include "core/store/gilk-store.h"
#include "ilk/ilk-abi.h"

#define GROUPS_SHOWN 10

typedef struct {
  int      run;
  char    *store;          /* URL of a store; NULL: a session is read */
  char    *prometheus;     /* file for metrics in the format of Prometheus; NULL: none */
  char    *group;          /* field to group by; NULL: every text field */
  char    *stages;
  char    *outcomes;
  char    *maps;           /* maps to report; NULL: all maps of the run */
  char   **conditions;
  gboolean no_pipeline, edges, span, perturbation, paths, coverage, accesses;
  CliCompareCapture capture_options;
  CliFigures figures;
} Options;

static void
print_heading (Cli *cli, const CliSession *session)
{
  const GilkStoredRun *run = session->run;
  g_autofree char *ended = gilk_store_end_reason_text (run->end_reason);

  cli_print_tinted (cli, CLI_TINT_BOLD, "%s", run->title != NULL && *run->title != '\0'
                    ? run->title : _("Untitled run"));
  cli_print (cli, run->by_bpf ? _("\nrun %u of %u, started %s, kernel %s on %s, hooked by BPF, %.3g s, ended: %s\n\n")
                              : _("\nrun %u of %u, started %s, kernel %s on %s, %.3g s, ended: %s\n\n"),
             cli_session_run_number (session), session->runs->len, run->started, run->release,
             run->target, run->duration, ended);
}

static void
print_group (Cli *cli, const GilkStoredHook *hook, const char *field, const GArray *groups)
{
  g_autofree char *columns = NULL;
  g_autofree char *upper = g_ascii_strup (field, -1);
  g_autoptr(CliTable) table = NULL;
  uint64_t total = 0, rest = 0;

  for (guint i = 0; i < groups->len; i++)
    total += g_array_index (groups, GilkStoredGroup, i).count;

  columns = g_strdup_printf (_("~%s|>SAMPLES|>SHARE"), upper);
  table = cli_table_new (columns);
  for (guint i = 0; i < groups->len; i++)
    {
      const GilkStoredGroup *group = &g_array_index (groups, GilkStoredGroup, i);

      if (i >= GROUPS_SHOWN)
        {
          rest += group->count;
          continue;
        }
      cli_table_cell (table, group->shown);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) group->count);
      cli_table_cellf (table, "%.1f %%", total > 0 ? 100.0 * group->count / total : 0.0);
    }
  if (rest > 0)
    {
      cli_table_cellf (table, _("(%u more)"), groups->len - GROUPS_SHOWN);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) rest);
      cli_table_cellf (table, "%.1f %%", 100.0 * rest / total);
    }

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s by %s\n"), hook->label, field);
  cli_print_table (cli, table);
}

static void
group_to_json (Cli *cli, const GilkStoredHook *hook, const char *field, const GArray *groups)
{
  CliJson *json = cli->doc;

  cli_json_object (json, NULL);
  cli_json_string (json, "hook", hook->label);
  cli_json_string (json, "field", field);
  cli_json_array (json, "values");
  for (guint i = 0; i < groups->len; i++)
    {
      const GilkStoredGroup *group = &g_array_index (groups, GilkStoredGroup, i);

      cli_json_row (json, NULL);
      cli_json_string (json, "value", group->value);
      if (strcmp (group->shown, group->value) != 0)
        cli_json_string (json, "shown", group->shown);
      cli_json_uint (json, "samples", group->count);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_end (json);
}

static gboolean
report_group (Cli *cli, const CliSession *session, const GilkStoredHook *hook, const char *field,
              GError **error)
{
  g_autoptr(GArray) groups = gilk_store_group (session->store, hook, field, error);

  if (groups == NULL)
    return FALSE;
  if (groups->len == 0)
    return TRUE;
  if (cli->doc != NULL)
    group_to_json (cli, hook, field, groups);
  else
    print_group (cli, hook, field, groups);
  return TRUE;
}

static gboolean
is_wanted (const GilkStoredField *field, const char *wanted)
{
  return wanted != NULL ? strcmp (field->name, wanted) == 0 : field->type == ILK_FIELD_TEXT || field->meaning != NULL;
}

/* Checks, before anything is printed, that some hook has the field that --group names. */
static gboolean
check_group (const CliSession *session, const char *wanted, GError **error)
{
  if (wanted == NULL)
    return TRUE;
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      g_autoptr(GArray) fields = cli_session_fields (session, hook, error);

      if (fields == NULL)
        return FALSE;
      if (cli_session_find_field (fields, hook, wanted, NULL) != NULL)
        return TRUE;
    }
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                    _("No hook of this run records a field \"%s\". \"gilk export\" shows the available columns."),
                    wanted);
}

static gboolean
report_groups (Cli *cli, const CliSession *session, const char *wanted, GError **error)
{
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      g_autoptr(GArray) fields = cli_session_fields (session, hook, error);

      if (fields == NULL)
        return FALSE;
      for (guint j = 0; j < fields->len; j++)
        {
          const GilkStoredField *field = &g_array_index (fields, GilkStoredField, j);

          if (is_wanted (field, wanted) && !report_group (cli, session, hook, field->name, error))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
was_cut_off (const GilkStoredRun *run)
{
  return g_strcmp0 (run->end_reason, "cut off") == 0;
}

static void
print_journal (Cli *cli, const GilkStoredJournal *journal)
{
  g_autofree char *where = NULL;

  if (!journal->has_last)
    {
      cli_print (cli, _("\nThis run was cut off before kernel text was changed.\n"));
      return;
    }
  where = g_strdup_printf ("0x%016" G_GINT64_MODIFIER "x%s%s", (guint64) journal->site,
                           journal->point != NULL ? ", " : "",
                           journal->point != NULL ? journal->point : "");
  cli_print_tinted (cli, CLI_TINT_WARN,
                    _("\nThis run was cut off. Its journal has %u changes of kernel text: %u planned (not known "
                      "whether armed), %u armed, %u restored and %u refused. The last is a %s at %s (state: %s); "
                      "bytes without the hook: %s, with the hook: %s.\n"),
                    journal->n, journal->n_planned, journal->n_in_text, journal->n_undone,
                    journal->n_refused, journal->tactic, where, journal->state, journal->before,
                    journal->after);
}

static void
journal_to_json (CliJson *json, const GilkStoredJournal *journal)
{
  cli_json_object (json, "journal");
  cli_json_string (json, "boot_id", journal->boot_id);
  cli_json_uint (json, "changes", journal->n);
  cli_json_uint (json, "planned", journal->n_planned);
  cli_json_uint (json, "in_text", journal->n_in_text);
  cli_json_uint (json, "restored", journal->n_undone);
  cli_json_uint (json, "refused", journal->n_refused);
  if (journal->has_last)
    {
      cli_json_row (json, "last");
      cli_json_address (json, "address", journal->site);
      cli_json_address (json, "slot", journal->slot);
      cli_json_string (json, "point", journal->point);
      cli_json_string (json, "tactic", journal->tactic);
      cli_json_string (json, "state", journal->state);
      cli_json_string (json, "before", journal->before);
      cli_json_string (json, "armed", journal->after);
      cli_json_end (json);
    }
  cli_json_end (json);
}

/* Reports the journal of the run: with --json always, as text only if the run was cut off. */
static gboolean
report_journal (Cli *cli, const CliSession *session, GError **error)
{
  g_auto(GilkStoredJournal) journal = { 0 };

  if (cli->doc == NULL && !was_cut_off (session->run))
    return TRUE;
  if (!gilk_store_journal (session->store, session->run->id, &journal, error))
    return FALSE;
  if (cli->doc != NULL)
    journal_to_json (cli->doc, &journal);
  else
    print_journal (cli, &journal);
  return TRUE;
}

static gboolean
wants_figures (const Options *options)
{
  return cli_figures_wanted (&options->figures) || options->perturbation || options->coverage || options->maps != NULL ||
         options->accesses;
}

/* Reports only the statistics that the options request, instead of the general report on the
 * run. */
static gboolean
report_figures (Cli *cli, const CliSession *session, const Options *options, GError **error)
{
  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "session", gilk_store_path (session->store));
      cli_json_object (cli->doc, "run");
      cli_session_run_members (cli->doc, cli_session_run_number (session), session->run);
      cli_json_end (cli->doc);
    }
  if (options->maps != NULL &&
      !cli_maps_report (cli, session, options->maps, options->capture_options.hooks, error))
    return FALSE;
  if (options->perturbation &&
      !cli_perturbation_report (cli, session, options->figures.hooks != NULL ? options->figures.hooks[0] : NULL,
                                options->figures.field, options->outcomes, error))
    return FALSE;
  if (options->coverage && !cli_coverage_report (cli, session, error))
    return FALSE;
  if (options->accesses && !cli_accesses_report (cli, session, options->capture_options.hooks, TRUE, error))
    return FALSE;
  return cli_figures_report (cli, session, &options->figures, error);
}

/* Checks the arguments that follow the options. @session: (out): NULL if a store is read */
static gboolean
check_arguments (Options *options, char *const *words, const char **session, GError **error)
{
  guint n = g_strv_length ((char **) words), first = options->store == NULL;

  if (n < first)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("No session given. Give one, or a store with pushed sessions: gilk report --store URL."));
  if (options->figures.bins < 0 || options->figures.bins > 10000)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Invalid --bins %d. Give 1 to 10000, or leave it "
                        "out."), options->figures.bins);
  *session = options->store == NULL ? words[0] : NULL;
  words += first;
  n -= first;
  if (n > 1)
    words++;                            /* skip the second hook of --compare, so that the error
                                         * names the first superfluous argument */
  options->figures.with = words[0];
  options->figures.hooks = options->capture_options.hooks;      /* --hook also chooses the hooks of
                                                                 * the figures */
  if (n < 2 && (options->figures.compare != NULL) == (n == 1))
    {
      CliCompareCapture rest = options->capture_options;

      if (wants_figures (options))
        rest.hooks = NULL;
      if (options->edges && options->capture_options.capture == NULL)
        rest.picture = (CliPicture) { NULL };       /* the picture shows the counts of --edges, not
                                                     * a comparison */
      return cli_compare_capture_check (&rest, error);
    }
  if (n > 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("Unexpected argument \"%s\". To compare two hooks, use --compare A B."), words[0]);
  else
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--compare takes two hooks: gilk report SESSION --compare A B. HOOK@2 selects run 2, "
                           "HOOK@2,4 runs 2 and 4."));
  return FALSE;
}

/* Writes the metrics for Prometheus into a file. Replaces the file atomically, because a collector
 * may read it at any time. */
static gboolean
write_metrics (Cli *cli, const CliSession *session, const Options *options, GError **error)
{
  const char *field = options->figures.field != NULL ? options->figures.field : "interval";
  g_autofree char *text = gilk_metrics_of_session (session->store, session->run, session->hooks, field, error);
  g_autoptr(GError) why = NULL;

  if (text == NULL)
    return FALSE;
  if (!g_file_set_contents_full (options->prometheus, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644, &why))
    return gilk_unwritable_by (options->prometheus, why, error);
  cli_json_string (cli->doc, "prometheus", options->prometheus);
  cli_note (cli, _("Wrote %s."), options->prometheus);
  return TRUE;
}

static gboolean
report_all (Cli *cli, const CliSession *session, const Options *options, GError **error)
{
  g_autoptr(GArray) maps = NULL;
  gboolean ok;

  if (options->prometheus != NULL)
    return write_metrics (cli, session, options, error);
  if (wants_figures (options))
    return report_figures (cli, session, options, error);
  if (options->figures.subtract_cost && !options->span)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("--subtract-cost applies to intervals and spans. Add --quantiles, --ecdf, --histogram, "
                        "--compare, --outliers or --span."));
  if (!check_group (session, options->group, error) ||
      (maps = cli_maps_read (session, NULL, error)) == NULL)
    return FALSE;
  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "session", gilk_store_path (session->store));
      cli_json_object (cli->doc, "run");
      cli_session_run_members (cli->doc, cli_session_run_number (session), session->run);
      cli_json_end (cli->doc);
      cli_hooks_to_json (cli, session, maps);
      cli_json_array (cli->doc, "groups");
    }
  else
    {
      print_heading (cli, session);
      cli_hooks_print (cli, session, maps);
    }

  ok = report_groups (cli, session, options->group, error);
  if (cli->doc != NULL && ok)
    cli_json_end (cli->doc);
  if (ok)
    cli_programs_report (cli, maps);
  ok = ok && cli_accesses_report (cli, session, NULL, FALSE, error) && cli_notes_show (cli, session, _("Notes:"), NULL, error);
  ok = ok && cli_targets_report (cli, session, error) && cli_clock_report (cli, session, error) && cli_cost_report (cli, session, error) && report_journal (cli, session, error);
  if (ok && !options->no_pipeline &&
      (options->stages != NULL || cli_pipeline_applies (session)))
    ok = cli_pipeline_report (cli, session, options->stages, error);
  return ok && (!options->edges ||
     cli_edges_report (cli, session, options->capture_options.capture == NULL && cli_picture_wanted (&options->capture_options.picture)
                                       ? &options->capture_options.picture : NULL, error)) &&
    (!options->paths || cli_paths_report (cli, session, error)) &&
    (!options->span || cli_span_report (cli, session, options->figures.subtract_cost, error)) &&
    (options->capture_options.capture == NULL ||
     cli_compare_capture_report (cli, session, &options->capture_options, error));
}

/* Reports statistics from a store. Fails if any other report is requested, because all other
 * reports need a session. */
static gboolean
report_store (Cli *cli, const Options *options, GError **error)
{
  if (options->run == 0 && options->group == NULL && options->stages == NULL && !options->edges && !options->span && !options->paths &&
      options->capture_options.capture == NULL && options->prometheus == NULL && options->maps == NULL && !options->coverage)
    return cli_store_report (cli, options->store, &options->figures, error);
  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("--store takes --quantiles, --histogram, --rate and --compare, with --hook HOOK@RUN or "
                      "HOOK@HOST. Everything else needs a session."));
}

gboolean
cmd_report (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    CLI_OPTION_RUN (&options.run),
    { "group", 'g', 0, G_OPTION_ARG_STRING, &options.group,
      N_("Count samples by this field (default: by every field of text and every field whose "
         "numbers have names)"), N_("FIELD") },
    { "stages", 's', 0, G_OPTION_ARG_STRING, &options.stages,
      N_("Study a pipeline with these stages, in the order of the data, e.g. cat,tr,sed,grep"), N_("NAMES") },
    { "no-pipeline", 0, 0, G_OPTION_ARG_NONE, &options.no_pipeline,
      N_("Skip the pipeline study"), NULL },
    { "edges", 'e', 0, G_OPTION_ARG_NONE, &options.edges,
      N_("Show counts of all blocks and edges; with --svg, --png or --pdf, draw them as heat. The "
         "target must have the kernel on which the run was recorded"), NULL },
    { "paths", 0, 0, G_OPTION_ARG_NONE, &options.paths,
      N_("Compare the blocks on the paths of slow and fast calls, for a run of a plan made by "
         "\"gilk plan new --paths\""), NULL },
    { "span", 0, 0, G_OPTION_ARG_NONE, &options.span,
      N_("Show how long calls took, from samples of the instrument \"span\""), NULL },
    { "compare-capture", 0, 0, G_OPTION_ARG_FILENAME, &options.capture_options.capture,
      N_("Compare times between packets with this capture of the same packets (pcap or pcapng)"), N_("FILE") },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &options.capture_options.filter,
      N_("Use only packets of the capture that match this tcpdump filter, e.g. 'tcp port 80'"), N_("EXPRESSION") },
    { "max-delay", 0, 0, G_OPTION_ARG_STRING, &options.capture_options.max_delay,
      N_("With a capture: maximum delay of a packet between hook and capture (default: 100ms)"), N_("TIME") },
    { "hook", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.capture_options.hooks,
      N_("Select a hook (repeatable); HOOK@RUN or HOOK@FILE:RUN selects another run (default: the one with most "
         "samples; with a capture, all)"), N_("HOOK") },
    CLI_PICTURE_ENTRIES (options.capture_options.picture),
    { "quantiles", 0, 0, G_OPTION_ARG_NONE, &options.figures.quantiles,
      N_("Show quantiles of a field, with bounds that account for loss"), NULL },
    { "ecdf", 0, 0, G_OPTION_ARG_NONE, &options.figures.ecdf,
      N_("Show the cumulative distribution (ECDF)"), NULL },
    { "spectrum", 0, 0, G_OPTION_ARG_NONE, &options.figures.spectrum,
      N_("Show peaks and slope of the power spectrum of hits or of a field, and the Hurst exponent"), NULL },
    { "compare", 0, 0, G_OPTION_ARG_STRING, &options.figures.compare,
      N_("Compare two hooks or sets of runs, e.g. HOOK@1,3,5,7 HOOK@2,4,6,8: differences of quantiles, Cliff's delta, p"), N_("A B") },
    { "outliers", 0, 0, G_OPTION_ARG_INT, &options.figures.outliers,
      N_("Show the COUNT largest values and what ran just before them on that CPU"), N_("COUNT") },
    { "histogram", 0, 0, G_OPTION_ARG_NONE, &options.figures.histogram,
      N_("Show a histogram of a field"), NULL },
    { "bins", 0, 0, G_OPTION_ARG_INT, &options.figures.bins,
      N_("Set the number of bins (default: chosen from the data)"), N_("COUNT") },
    { "rate", 0, 0, G_OPTION_ARG_NONE, &options.figures.rate,
      N_("Show a counter's hits per second, from each reading to the next"), NULL },
    { "log-x", 0, 0, G_OPTION_ARG_NONE, &options.figures.log_x, N_("Use bins of equal width on a logarithmic axis"), NULL },
    { "coverage", 0, 0, G_OPTION_ARG_NONE, &options.coverage,
      N_("Show which blocks of the hooked functions ran"), NULL },
    { "map", 0, 0, G_OPTION_ARG_STRING, &options.maps,
      N_("Show every key, bucket and CPU of the map NAME, which programs filled"), N_("NAME") },
    { "accesses", 0, 0, G_OPTION_ARG_NONE, &options.accesses,
      N_("Show who accessed watched data: blocks, values, processes"), NULL },
    { "store", 0, 0, G_OPTION_ARG_STRING, &options.store,
      N_("Read a store that many hosts push to: list its runs and hooks, or report figures of its runs"), N_("URL") },
    { "prometheus", 0, 0, G_OPTION_ARG_FILENAME, &options.prometheus,
      N_("Write counts, losses and a histogram of the field to a file for Prometheus's textfile collector"), N_("FILE") },
    { "perturbation", 0, 0, G_OPTION_ARG_NONE, &options.perturbation,
      N_("Show the effect of the other hooks on what a control hook measured, for a run recorded "
         "with --interleave"), NULL },
    { "outcomes", 0, 0, G_OPTION_ARG_FILENAME, &options.outcomes,
      N_("Read measurements of the workload from FILE: one \"TIME VALUE\" per line, TIME in "
         "seconds of CLOCK_MONOTONIC"), N_("FILE") },
    CLI_OPTION_FIELD (&options.figures.field),
    { "by", 0, 0, G_OPTION_ARG_STRING, &options.figures.by,
      N_("Report for each value of this field, or for each cpu"), N_("FIELD") },
    { "subtract-cost", 0, 0, G_OPTION_ARG_NONE, &options.figures.subtract_cost,
      N_("Subtract the measured cost of a hit from each interval and span"), NULL },
    CLI_OPTION_IF (&options.conditions),
    { NULL },
  };
  g_auto(CliSession) session = { 0 };
  const char *path = NULL;
  char **words;
  gboolean ok;

  ok = cli_parse (cli, argc, argv, entries,
                  _("Hits count every time that a hook was passed; stored and lost samples add up "
                    "to the samples produced; hits within another hit are missed and run nothing. "
                    "A run with hooks in pipe_write and pipe_read whose samples name the process "
                    "is also studied as a pipeline, to find its bottleneck. --quantiles, "
                    "--histogram, --ecdf, --spectrum, --rate, --compare, --outliers, --coverage, "
                    "--map and --accesses replace this report."),
                  0, 2, &words, error);
  options.figures.condition = cli_sources_join_conditions (options.conditions);
  ok = ok && check_arguments (&options, words, &path, error) &&
    (options.store != NULL ? report_store (cli, &options, error)
                           : cli_session_open (cli, path, options.run, &session, error) &&
                             report_all (cli, &session, &options, error));

  cli_options_free (entries);
  g_free (options.figures.condition);
  return ok;
}
