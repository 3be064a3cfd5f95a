/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-coverage.c - gilk coverage: records the block coverage of functions, at almost no cost
 *
 * Each block has a counter, which is removed soon after its first hit. The counters are read often
 * at the start of a run, because most blocks are first hit then.
 */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/bound.h"
#include "cli/base/output.h"
#include "cli/base/reports.h"
#include "cli/base/wait.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-inline.h"
#include "core/export/gilk-export.h"
#include "core/run/gilk-one-shot.h"
#include "core/splice/gilk-splice.h"

#define POLL_MIN_MS 250
#define POLL_MAX_MS  4000
#define OUTPUT        "coverage.gilk"

typedef struct {
  char *duration, *output, *lcov, *title;
} Options;

typedef struct {
  Cli          *cli;
  CliKernel    *kernel;
  GilkRun      *run;
  GilkOneShot  *shot;
  guint         pause_ms, timeout;
  guint         hooks, hit, live;
  gboolean      warned;
} Monitor;

/* ---- reading the counters during the run ---- */

static gboolean poll_counters (gpointer data);

/* ---- making the plan ---- */

#define FUNCTIONS_MAX 20000
#define NAMES_SHOWN   8

typedef struct {
  Cli         *cli;
  CliKernel   *kernel;
  GilkPlan    *plan;
  GilkDecoder *decoder;
  GHashTable  *known;               /* set of the functions (GilkFunction) added so far */
  GString     *refused;             /* names of functions that cannot be hooked */
  guint        n_refused;
} CoveragePlan;

static void
note_refused (CoveragePlan *coverage, const GilkFunction *function, guint refusal)
{
  if (coverage->n_refused++ < NAMES_SHOWN)
    g_string_append_printf (coverage->refused, "%s%s (%s)", coverage->n_refused > 1 ? ", " : "", function->name,
                            gilk_refusal_name (refusal));
}

static gboolean
is_reached (const GilkCfg *cfg, guint block)
{
  return cfg->blocks[block].n_in > 0 || block == cfg->entry;
}

static void
add_block (CoveragePlan *coverage, const GilkCfg *cfg, const char *function, guint block, GilkWhere where)
{
  g_autofree char *label = g_strdup_printf ("block-%u", coverage->plan->hooks->len + 1);
  GilkPlanHook *hook = gilk_plan_hook_new (label, function, where, gilk_inline_name (GILK_INLINE_COUNT));

  hook->block = gilk_cfg_offset_name (cfg, cfg->blocks[block].start);
  gilk_cfg_fingerprint (cfg, block, hook->fingerprint);
  g_ptr_array_add (coverage->plan->hooks, hook);
}

static gboolean
add_function (CoveragePlan *coverage, const GilkFunction *function, GError **error)
{
  g_autoptr(GilkCfg) cfg = NULL;
  g_autofree GilkCirculationPoint *points = NULL;
  g_autofree char *name = NULL;
  guint refusal = function->refusal;

  if (!g_hash_table_add (coverage->known, (gpointer) function))
    return TRUE;
  if (refusal == 0)
    {
      cfg = gilk_cfg_new (coverage->kernel->functions, function, coverage->decoder, error);
      if (cfg == NULL)
        return FALSE;
      refusal = cfg->refusal;
    }
  if (refusal != 0)
    {
      note_refused (coverage, function, refusal);
      return TRUE;
    }
  name = gilk_functions_name (coverage->kernel->functions, function);
  points = gilk_count_points (cfg, coverage->decoder);
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (is_reached (cfg, i))
      add_block (coverage, cfg, name, i, points[i].possible ? points[i].where : GILK_WHERE_PRE);
  return TRUE;
}

static gboolean
add_name (CoveragePlan *coverage, const char *name, GError **error)
{
  const GilkFunction *function;
  g_autoptr(GArray) found = NULL;

  if (strpbrk (name, "*?") == NULL)
    {
      function = gilk_functions_lookup (coverage->kernel->functions, name, error);
      return function != NULL && add_function (coverage, function, error);
    }
  found = gilk_functions_find (coverage->kernel->functions, name, FUNCTIONS_MAX);
  if (found->len == 0)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                      _("No function of the target matches %s. \"gilk find\" lists "
                        "functions."), name);
  for (guint i = 0; i < found->len; i++)
    if (!add_function (coverage, g_array_index (found, GilkMatch, i).function, error))
      return FALSE;
  return TRUE;
}

/* Removes hooks that could not be bound together with the others. Returns whether it removed
 * any. */
static gboolean
remove_unbound (GilkPlan *plan, const GilkBoundPlan *bound)
{
  for (guint i = bound->hooks->len; i-- > 0;)
    if (g_array_index (bound->hooks, GilkBoundHook, i).error != NULL)
      g_ptr_array_remove_index (plan->hooks, i);
  return bound->n_failed > 0;
}

static GilkBoundPlan *
bind_blocks (CoveragePlan *coverage, GError **error)
{
  guint wanted = coverage->plan->hooks->len;
  GilkBoundPlan *bound;

  for (;;)
    {
      /* Give each attempt a copy, because binding takes ownership of the plan. */
      g_autoptr(GilkPlan) plan = gilk_plan_copy (coverage->plan);

      bound = cli_bind (coverage->cli, coverage->kernel, plan, error);
      if (bound == NULL || !remove_unbound (coverage->plan, bound))
        break;
      gilk_bound_plan_free (bound);
    }
  if (bound != NULL && coverage->plan->hooks->len < wanted)
    cli_note (coverage->cli, ngettext ("%u block cannot be counted, and is not in the figures.",
                                       "%u blocks cannot be counted, and are not in the figures.",
                                  wanted - coverage->plan->hooks->len),
              wanted - coverage->plan->hooks->len);
  return bound;
}

static GilkBoundPlan *
bind_functions (CoveragePlan *coverage, char **names, GError **error)
{
  for (; *names != NULL; names++)
    if (!add_name (coverage, *names, error))
      return NULL;
  if (coverage->n_refused > 0)
    cli_note (coverage->cli, ngettext ("%u function cannot be hooked: %s%s.", "%u functions cannot be hooked: %s%s.",
                                       coverage->n_refused),
              coverage->n_refused, coverage->refused->str, coverage->n_refused > NAMES_SHOWN ? ", …" : "");
  if (coverage->plan->hooks->len > ILK_BATCH_MAX)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("These functions have %u blocks, and a run has at most %d hooks. Cover fewer functions at a time."),
                   coverage->plan->hooks->len, ILK_BATCH_MAX);
      return NULL;
    }
  if (coverage->plan->hooks->len == 0)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("None of these functions can be hooked. Name others."));
      return NULL;
    }
  return bind_blocks (coverage, error);
}

/**
 * bind_coverage:
 * @names: functions as for gilk_functions_lookup(), or globs: "vfs_*", "ext4:*". Binds a plan with
 * a counter in each block of these functions: finds how to place the counters. Omits functions that
 * cannot be hooked, and blocks that cannot be hooked together with the other blocks; prints notes
 * on the omitted functions and blocks.
 */
static GilkBoundPlan *
bind_coverage (Cli *cli, CliKernel *kernel, char **names, const char *title, GError **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr(GString) refused = g_string_new (NULL);
  CoveragePlan coverage = { cli, kernel, plan, decoder, known, refused, 0 };

  plan->title = g_strdup (title);
  gilk_plan_set_origin (plan, gilk_target_release (kernel->target), gilk_target_build_id (kernel->target));
  return bind_functions (&coverage, names, error);
}

static void
schedule_poll (Monitor *monitor, gboolean changed)
{
  monitor->pause_ms = changed ? MAX (monitor->pause_ms / 2, POLL_MIN_MS) : MIN (monitor->pause_ms * 2, POLL_MAX_MS);
  monitor->timeout = g_timeout_add (monitor->pause_ms, poll_counters, monitor);
}

static gboolean
poll_counters (gpointer data)
{
  Monitor *monitor = data;
  guint hit = monitor->hit;
  g_autoptr(GError) error = NULL;
  g_autofree char *line = NULL;

  monitor->timeout = 0;
  if (gilk_run_state (monitor->run) == GILK_RUN_RUNNING &&
      !gilk_one_shot_remove_hit (monitor->shot, &monitor->hit, &monitor->live, monitor->cli->cancellable, &error) && !monitor->warned &&
      gilk_run_state (monitor->run) == GILK_RUN_RUNNING && !g_cancellable_is_cancelled (monitor->cli->cancellable))
    {
      monitor->warned = TRUE;
      cli_note (monitor->cli, _("Cannot remove counters that were hit; they keep counting: %s"), error->message);
    }
  line = g_strdup_printf (_("%u of %u blocks covered, %u hooks live"), monitor->hit, monitor->hooks, monitor->live);
  cli_progress_show (monitor->cli->progress, line);
  schedule_poll (monitor, monitor->hit != hit);
  return G_SOURCE_REMOVE;
}

static void
watch_run (Monitor *monitor)
{
  schedule_poll (monitor, TRUE);
  cli_wait_for_run (monitor->cli, monitor->run,
                    _("Already stopping: restoring kernel text and storing the last samples. Please wait."));
  if (monitor->timeout != 0)
    g_source_remove (monitor->timeout);
}

/* ---- running the command ---- */

static gboolean
record_run (Cli *cli, CliKernel *kernel, GilkBoundPlan *bound, const char *path, uint64_t duration_ns, GError **error)
{
  g_autoptr(GilkStore) store = gilk_store_open (path, error);
  Monitor monitor = { .cli = cli, .kernel = kernel, .pause_ms = POLL_MIN_MS, .hooks = bound->hooks->len };
  g_autoptr(GError) failed = NULL;

  if (store == NULL)
    {
      gilk_bound_plan_free (bound);
      return FALSE;
    }
  monitor.run = gilk_run_new (bound, kernel->image, store, duration_ns, GILK_CONSENT_NONE);
  monitor.shot = gilk_one_shot_new (monitor.run, kernel->functions, kernel->image);
  watch_run (&monitor);
  g_cancellable_reset (cli->cancellable);       /* Ctrl-C has ended only the run; its results are
                                                 * read next */
  cli_wait_check_run (monitor.run, &failed);
  gilk_one_shot_free (monitor.shot);
  g_object_unref (monitor.run);
  if (!gilk_store_close (g_steal_pointer (&store), failed == NULL ? &failed : NULL) || failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  return TRUE;
}

static gboolean
write_lcov (const CliSession *session, const char *path, GError **error)
{
  GilkExportJob job;

  gilk_export_job_init (&job, session->store, session->run, session->hooks);
  job.replace = TRUE;
  return gilk_export_to_path (gilk_export_format_by_name ("lcov"), &job, path, error);
}

static gboolean
report_run (Cli *cli, const char *path, const char *lcov, GError **error)
{
  g_auto(CliSession) session = { 0 };

  if (!cli_session_open (cli, path, 0, &session, error))
    return FALSE;
  cli_json_string (cli->doc, "session", path);
  cli_json_uint (cli->doc, "run", cli_session_run_number (&session));
  cli_json_string (cli->doc, "lcov", lcov);
  if (!cli_coverage_report (cli, &session, error) || (lcov != NULL && !write_lcov (&session, lcov, error)))
    return FALSE;
  cli_note (cli, _("Recorded as run %u of %s. See \"gilk report --coverage %s\"."), cli_session_run_number (&session), path,
            path);
  return TRUE;
}

static gboolean
run_coverage (Cli *cli, char **names, const Options *options, GError **error)
{
  g_auto(CliKernel) kernel = { 0 };
  const char *path = options->output != NULL ? options->output : OUTPUT;
  uint64_t duration_ns = 0;
  GilkBoundPlan *bound;

  if ((options->duration != NULL && !gilk_parse_length (options->duration, &duration_ns, error)) ||
      !gilk_check_writable (path, error) || !cli_kernel_open (cli, &kernel, error))
    return FALSE;
  bound = bind_coverage (cli, &kernel, names, options->title != NULL ? options->title : _("Block coverage"), error);
  return bound != NULL && record_run (cli, &kernel, bound, path, duration_ns, error) && report_run (cli, path, options->lcov, error);
}

gboolean
cmd_coverage (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "for", 0, 0, G_OPTION_ARG_STRING, &options.duration,
      N_("Stop after this time, e.g. 30s or 2m (default: on Ctrl-C, or when all blocks are covered)"), N_("TIME") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_("Record into this session as a new run (default: coverage.gilk)"), N_("SESSION") },
    { "lcov", 0, 0, G_OPTION_ARG_FILENAME, &options.lcov,
      N_("Also write an lcov tracefile for genhtml"), N_("FILE") },
    { "title", 0, 0, G_OPTION_ARG_STRING, &options.title, N_("Set the title of the run"), N_("TEXT") },
    { NULL },
  };
  char **words;
  gboolean ok;

  ok = cli_parse (cli, argc, argv, entries,
                  _("Counts the blocks of functions, and removes each counter after its first hit, "
                    "so that hot code soon runs at full speed. FUNCTION is a name or a quoted "
                    "glob, for example 'vfs_*', or 'ext4:*' for a whole module. Run your test "
                    "during the recording, then stop the recording with Ctrl-C."),
                  1, -1, &words, error) &&
    run_coverage (cli, words, &options, error);

  cli_options_free (entries);
  return ok;
}
