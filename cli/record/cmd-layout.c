/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-layout.c - gilk layout: changes the code layout (block order) of functions by their
 * counts
 *
 *   count:    counts blocks and edges, or takes the counts from a session
 *   judge:    predicts the benefit of another order; if there is none, nothing is changed
 *   measure:  compares the duration of calls in alternating intervals of time
 *   keep:     keeps the new layout for the given time if calls did not become slower; then
 *             restores the old one
 *
 * Every step but "judge" is a run in the same session, with a journal, and ends with the original
 * text.
 */
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cli/base/output.h"
#include "cli/record/layout.h"
#include "core/base/gilk-error.h"
#include "core/plan/gilk-plan.h"
#include "core/stats/gilk-perturbation.h"

#define FOR_NS     (10 * G_GUINT64_CONSTANT (1000000000))
#define INTERVAL_NS   G_GUINT64_CONSTANT (1000000000)
#define CALLEES_MAX 64
#define PAIRS_MAX  512

typedef struct {
  char  *from, *duration, *keep_layout, *interval, *output;
  int    run, callees, pairs;
  gboolean group, anyway;
  uint64_t for_ns, keep_ns, interval_ns;
} Options;

/* ---- judging a new layout ---- */

#define GAIN_MIN 0.02         /* minimum relative decrease of taken branches or cache lines */

/* Judges the new layout by counts alone, before anything is changed. Returns NULL if it may
 * help; else an identifier of the reason, with a sentence in @why. */
static const char *
check_gain (const CliLayout *layout, const char **why)
{
  const GilkLayoutFigures *before = &layout->before, *after = &layout->after;

  if (after->taken <= before->taken * (1 - GAIN_MIN) || after->lines <= before->lines * (1 - GAIN_MIN))
    return NULL;
  *why = N_("By the counts, the new layout would reduce neither taken branches nor touched cache lines, so nothing was "
            "changed.");
  return "nothing-to-gain";
}

/* Judges the new layout by the measured durations of calls. Returns NULL if calls did not become
 * measurably slower; else an identifier of the reason, with a sentence in @why. */
static const char *
check_slowdown (const CliLayout *layout, const char **why)
{
  if (!layout->times.known || layout->times.low <= 0)
    return NULL;
  *why = N_("Calls take longer than before, so everything was restored.");
  return "slower";
}

/* ---- the result as text ---- */

static void
add_change_cell (CliTable *table, const char *format, double before, double after)
{
  g_autofree char *from = g_strdup_printf (format, before);
  g_autofree char *to = g_strdup_printf (format, after);

  cli_table_cellf (table, "%s → %s", from, to);
}

static void
add_figures_cells (CliTable *table, const GilkLayoutFigures *before, const GilkLayoutFigures *after)
{
  add_change_cell (table, "%.2f", before->taken, after->taken);
  add_change_cell (table, "%.1f", before->insns, after->insns);
  add_change_cell (table, "%.1f", before->lines, after->lines);
  add_change_cell (table, "%.0f", before->hot_bytes, after->hot_bytes);
  add_change_cell (table, "%.0f", before->span, after->span);
}

static void
print_times (const CliLayout *layout)
{
  const CliLayoutTimes *times = &layout->times;

  if (times->known)
    cli_print (layout->cli,
               _("A call of %s takes %.0f ns with the original layout and %.0f ns with the new one: %+.1f %% (%+.1f to "
                 "%+.1f %%; %u pairs of intervals, %lu calls).\n"),
               cli_layout_function (layout, 0)->name, times->before_ns, times->after_ns,
               100 * times->difference, 100 * times->low, 100 * times->high, times->pairs, (gulong) times->calls);
  else if (times->why_not != NULL)
    cli_print (layout->cli, _("The time of calls was not measured: %s\n"), times->why_not);
}

static void
note_refused (const CliLayout *layout)
{
  g_autoptr(GString) names = g_string_new (NULL);

  for (guint i = 0; i < layout->refused->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", (const char *) layout->refused->pdata[i]);
  if (layout->refused->len > 0)
    cli_note (layout->cli, ngettext ("%u function keeps its layout: it cannot be cloned, or was not counted "
                                     "(%s).",
                                     "%u functions keep their layout: they cannot be cloned, or were not counted "
                                     "(%s).", layout->refused->len), layout->refused->len, names->str);
}

static void
print_layout (const CliLayout *layout)
{
  g_autoptr(CliTable) table =
    cli_table_new (_("<FUNCTION|>CALLS|>TAKEN BRANCHES|>INSTRUCTIONS|>CACHE LINES|>HOT BYTES|>SPAN"));
  guint placed = 0;

  for (guint i = 0; i < layout->functions->len; i++)
    {
      const CliLayoutFunction *func = cli_layout_function (layout, i);

      if (func->left_out)
        continue;
      placed++;
      cli_table_cellf (table, "%s%s", func->inner ? "  " : "", func->name);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, func->layout->calls);
      add_figures_cells (table, &func->layout->before, &func->after);
    }
  if (placed > 1)
    {
      cli_table_cell (table, _("total, per call of the first function"));
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, cli_layout_function (layout, 0)->layout->calls);
      add_figures_cells (table, &layout->before, &layout->after);
    }
  cli_print_table (layout->cli, table);
  note_refused (layout);
  print_times (layout);
}

/* ---- the result as JSON ---- */

static void
figures_to_json (CliJson *json, const char *key, const GilkLayoutFigures *figures)
{
  cli_json_row (json, key);
  cli_json_double (json, "taken_branches", figures->taken);
  cli_json_double (json, "instructions", figures->insns);
  cli_json_double (json, "cache_lines", figures->lines);
  cli_json_uint (json, "hot_bytes", figures->hot_bytes);
  cli_json_uint (json, "hot_lines", figures->hot_lines);
  cli_json_uint (json, "span_bytes", figures->span);
  cli_json_end (json);
}

static void
times_to_json (CliJson *json, const CliLayoutTimes *times)
{
  cli_json_object (json, "call_time");
  cli_json_bool (json, "known", times->known);
  cli_json_string (json, "reason_unknown", times->why_not);
  if (times->known)
    {
      cli_json_uint (json, "pairs", times->pairs);
      cli_json_uint (json, "calls", times->calls);
      cli_json_double (json, "before_ns", times->before_ns);
      cli_json_double (json, "after_ns", times->after_ns);
      cli_json_double (json, "difference", times->difference);
      cli_json_double (json, "low", times->low);
      cli_json_double (json, "high", times->high);
    }
  cli_json_end (json);
}

static void
layout_to_json (const CliLayout *layout)
{
  CliJson *json = layout->cli->doc;

  cli_json_array (json, "functions");
  for (guint i = 0; i < layout->functions->len; i++)
    {
      const CliLayoutFunction *func = cli_layout_function (layout, i);

      if (func->left_out)
        continue;
      cli_json_object (json, NULL);
      cli_json_string (json, "function", func->name);
      cli_json_address (json, "address", func->function->hot.start);
      cli_json_bool (json, "callee", func->inner);
      cli_json_uint (json, "calls", func->layout->calls);
      cli_json_uint (json, "blocks", func->cfg->n_blocks);
      figures_to_json (json, "before", &func->layout->before);
      figures_to_json (json, "after", &func->after);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_array (json, "not_cloned");
  for (guint i = 0; i < layout->refused->len; i++)
    cli_json_string (json, NULL, layout->refused->pdata[i]);
  cli_json_end (json);
  figures_to_json (json, "before", &layout->before);
  figures_to_json (json, "after", &layout->after);
  times_to_json (json, &layout->times);
}

/* Shows the functions, the figures of both layouts, and the durations. */
static void
show_layout (const CliLayout *layout)
{
  if (layout->cli->doc != NULL)
    layout_to_json (layout);
  else
    print_layout (layout);
}

/* Prints the verdict and the reason. @word: identifier of the verdict, such as "kept",
 * "nothing-to-gain" or "slower" */
static void
print_verdict (const CliLayout *layout, const char *word, const char *why, double kept_s)
{
  if (layout->cli->doc != NULL)
    {
      cli_json_string (layout->cli->doc, "verdict", word);
      cli_json_string (layout->cli->doc, "reason", why != NULL ? _(why) : NULL);
      cli_json_double (layout->cli->doc, "kept_seconds", kept_s);
      return;
    }
  if (why != NULL)
    cli_print (layout->cli, "%s\n", _(why));
  else
    cli_note (layout->cli, _("The new layout was kept for %.1f s; everything is restored."), kept_s);
}

static gboolean
check_options (Options *options, GError **error)
{
  if (options->from != NULL && options->duration != NULL)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--from uses the counts of a recorded session, --for measures new ones. Give only one of them."));
  else if (options->run != 0 && options->from == NULL)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--run selects a run of the session given by --from. Give both, or "
                           "leave out --run."));
  else if (options->callees < 0 || options->callees > CALLEES_MAX)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("--callees takes a number from 0 to %d."), CALLEES_MAX);
  else if (options->pairs != 0 && (options->pairs < GILK_PERTURBATION_PAIRS_MIN || options->pairs > PAIRS_MAX))
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("--pairs takes a number from %d to %d, or 0 to skip timing calls."),
                 GILK_PERTURBATION_PAIRS_MIN, PAIRS_MAX);
  else if ((options->duration == NULL || gilk_parse_duration (options->duration, &options->for_ns, error)) &&
           (options->interval == NULL || gilk_parse_duration (options->interval, &options->interval_ns, error)) &&
           (options->keep_layout == NULL || gilk_parse_duration (options->keep_layout, &options->keep_ns, error)))
    {
      if (options->for_ns != 0 && options->interval_ns != 0)
        return TRUE;
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                           _("--for and --interval must be longer than 0."));
    }

  return FALSE;
}

static gboolean
count_blocks (CliLayout *layout, const Options *options, GError **error)
{
  g_auto(CliSession) session = { 0 };
  gboolean good;

  if (options->from == NULL)
    return cli_layout_count (layout, options->for_ns, error);
  good = cli_session_open (layout->cli, options->from, options->run, &session, error) &&
         cli_layout_read_counts (layout, &session, error);
  cli_interrupts_may_end (FALSE);

  return good;
}

/* Records a run with the new layout. The kernel text is restored before this function returns. */
static gboolean
keep_layout (CliLayout *layout, const Options *options, double *seconds, GError **error)
{
  GilkBoundPlan *bound = cli_layout_bind (layout, error);
  GilkRunFigures figures = { 0 };

  if (bound == NULL)
    return FALSE;
  if (options->keep_ns == 0)
    cli_note (layout->cli, _("The new layout stays until Ctrl-C."));
  if (!cli_layout_run (layout, bound, options->keep_ns, _("kept"), &figures, NULL, error))
    return FALSE;
  *seconds = figures.elapsed;
  gilk_run_figures_clear (&figures);

  return TRUE;
}

static gboolean
reorder_and_measure (CliLayout *layout, const Options *options, GError **error)
{
  const char *word, *why = NULL;
  double seconds = 0;

  if (!count_blocks (layout, options, error) || !cli_layout_compute_figures (layout, error))
    return FALSE;
  word = check_gain (layout, &why);
  if (word == NULL && options->pairs > 0)
    {
      if (!cli_layout_measure (layout, (guint) options->pairs, options->interval_ns, error))
        return FALSE;
      word = check_slowdown (layout, &why);
    }
  show_layout (layout);
  if ((word == NULL || options->anyway) && !keep_layout (layout, options, &seconds, error))
    return FALSE;
  print_verdict (layout, word == NULL || options->anyway ? "kept" : word, options->anyway ? NULL : why, seconds);

  return TRUE;
}

static gboolean
run_layout (Cli *cli, char **functions, const Options *options, const char *path, GError **error)
{
  g_auto(CliKernel) kernel = { 0 };
  g_auto(CliLayout) layout = {
    .cli = cli, .kernel = &kernel, .joined = options->group, .n_callees = (guint) options->callees,
  };
  g_autoptr(GError) close_error = NULL;
  gboolean good;

  if (!gilk_check_writable (path, error) || !cli_kernel_open (cli, &kernel, error) || !cli_layout_add_functions (&layout, functions, error))
    return FALSE;
  layout.store = gilk_store_open (path, error);
  if (layout.store == NULL)
    return FALSE;
  cli_kernel_to_json (cli, kernel.target);
  good = reorder_and_measure (&layout, options, error);
  if (!gilk_store_close (layout.store, &close_error) && good)
    {
      g_propagate_error (error, g_steal_pointer (&close_error));
      good = FALSE;
    }

  return good;
}

/* Runs all steps for a command without --output: keeps the session in a temporary folder, and
 * deletes it afterwards. */
static gboolean
run_without_session (Cli *cli, char **functions, const Options *options, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("gilk-XXXXXX", error);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "layout.gilk", NULL) : NULL;
  gboolean good;

  if (folder == NULL)
    return FALSE;
  good = run_layout (cli, functions, options, path, error);
  g_unlink (path);
  g_rmdir (folder);

  return good;
}

gboolean
cmd_layout (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { .pairs = GILK_PERTURBATION_PAIRS_MIN, .for_ns = FOR_NS, .interval_ns = INTERVAL_NS };
  const GOptionEntry entries[] = {
    { "for", 0, 0, G_OPTION_ARG_STRING, &options.duration,
      N_("Count blocks for this long, and as long again for each level of callees, at most 4 (default: 10s)"), N_("TIME") },
    { "from", 0, 0, G_OPTION_ARG_FILENAME, &options.from,
      N_("Use the counts of a recorded run, e.g. of \"gilk plan new --edges\", instead of counting"), N_("SESSION") },
    { "run", 0, 0, G_OPTION_ARG_INT, &options.run,
      N_("With --from: select the run of the session (default: the last)"), N_("NUMBER") },
    { "callees", 0, 0, G_OPTION_ARG_INT, &options.callees,
      N_("Also reorder this many of the most-called callees (default: none)"), N_("NUMBER") },
    { "group", 0, 0, G_OPTION_ARG_NONE, &options.group,
      N_("Let the reordered copies of the named functions call each other directly"), NULL },
    { "pairs", 0, 0, G_OPTION_ARG_INT, &options.pairs,
      N_("Time calls in this many pairs of intervals (default: 8; 0: none)"), N_("NUMBER") },
    { "interval", 0, 0, G_OPTION_ARG_STRING, &options.interval,
      N_("Set the length of one interval of --pairs (default: 1s)"), N_("TIME") },
    { "keep", 0, 0, G_OPTION_ARG_STRING, &options.keep_layout,
      N_("Keep the new layout for this long (default: until Ctrl-C)"), N_("TIME") },
    { "anyway", 0, 0, G_OPTION_ARG_NONE, &options.anyway,
      N_("Keep the new layout even if it does not help"), NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_("Record everything into this session (default: record nothing)"), N_("SESSION") },
    { NULL },
  };
  char **words;
  gboolean ok;

  ok = cli_parse (cli, argc, argv, entries,
                  _("Counts which blocks of FUNCTION run under the current load, then runs a copy "
                    "of the function whose blocks are laid out in the order in which they run, "
                    "with cold blocks moved out of the way. Reports the effect, predicted and "
                    "measured: taken branches, instructions and cache lines per call, and the time "
                    "of calls. If the new layout does not help, everything is restored at once; "
                    "otherwise it is restored when the time of --keep is up, on Ctrl-C, or however "
                    "the program ends."),
                  1, -1, &words, error) &&
    check_options (&options, error) &&
    (options.output != NULL ? run_layout (cli, words, &options, options.output, error)
                            : run_without_session (cli, words, &options, error));

  cli_options_free (entries);
  return ok;
}
