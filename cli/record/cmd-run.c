/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-run.c - gilk run: arms a plan, records, restores everything
 *
 * The run has its own thread; this file watches it from a main loop. The first Ctrl-C asks the run
 * to stop. Until the run has stopped, another Ctrl-C does nothing, because kernel text is being
 * restored.
 */
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/bound.h"
#include "cli/base/follow.h"
#include "cli/base/output.h"
#include "cli/base/reports.h"
#include "cli/base/wait.h"
#include "cli/record/run.h"
#include "core/base/gilk-error.h"
#include "core/emit/gilk-inline.h"
#include "core/metrics/gilk-endpoint.h"
#include "core/metrics/gilk-metrics.h"
#include "core/plan/gilk-plan-schedule.h"
#include "core/run/gilk-run.h"
#include "core/store/gilk-store-write.h"
#include "core/store/gilk-store.h"

typedef struct {
  char  *duration, *output, *title;
  char **hooks, **watchpoints;
  char  *ring, *ring_mode, *ring_window, *interleave;
  char  *metrics;
  char **until, **alternate;
  int    rounds;
  gboolean follow, compress, allow_changes, allow_crash, allow_crash_without_dump, partial;
} Options;

/* Data for reloading a run's plan file when it changes, and options of recording. @path: the plan
 * file; NULL: do not reload it */
typedef struct {
  const char *path;
  CliKernel  *kernel;
  char      **hooks, **watchpoints, **until;
  gboolean    compress;         /* compress the session */
  GilkConsent granted;
  CliRunMetrics *metrics;       /* metrics for Prometheus; NULL: not requested */
} Follow;

typedef struct {
  Cli        *cli;
  GilkRun    *run;
  const Follow *follow;
  CliFollow  *file;
  gboolean    told_start;       /* the start was printed */
} Monitor;

/* ---- metrics for Prometheus ---- */

#define PERIOD_MS 1000

struct _CliRunMetrics {
  GilkEndpoint *endpoint;
  GilkRun      *run;              /* the current run, borrowed; NULL: not started, or already
                                   * ended */
  GSource      *timer;
};

/* Opens the port at which Prometheus requests the metrics, so that a port in use is an error before
 * anything is armed. If @place is NULL, sets @metrics to NULL and returns TRUE. */
static gboolean
open_metrics (Cli *cli, const char *place, CliRunMetrics **metrics, GError **error)
{
  g_autoptr(CliRunMetrics) made = NULL;

  *metrics = NULL;
  if (place == NULL)
    return TRUE;
  made = g_new0 (CliRunMetrics, 1);
  made->endpoint = gilk_endpoint_new (place, GILK_EXPOSITION_TYPE, GILK_ENDPOINT_SECONDS, error);
  if (made->endpoint == NULL)
    return FALSE;
  cli_note (cli, _("Serving Prometheus metrics at http://%s/metrics."), gilk_endpoint_address (made->endpoint));
  *metrics = g_steal_pointer (&made);
  return TRUE;
}

static gboolean
publish_figures (gpointer data)
{
  CliRunMetrics *metrics = data;
  GilkRunFigures figures = { 0 };

  gilk_run_figures (metrics->run, &figures);
  gilk_endpoint_publish (metrics->endpoint, gilk_metrics_of_run (&figures, gilk_run_plan (metrics->run)));
  gilk_run_figures_clear (&figures);
  return G_SOURCE_CONTINUE;
}

/* Publishes the counts of @run periodically until @metrics is freed; @metrics must be freed before
 * @run. Must be called in the run's main context. Does nothing if @metrics is NULL. */
static void
start_metrics (CliRunMetrics *metrics, GilkRun *run)
{
  if (metrics == NULL)
    return;
  metrics->run = run;
  metrics->timer = g_timeout_source_new (PERIOD_MS);
  g_source_set_callback (metrics->timer, publish_figures, metrics, NULL);
  g_source_attach (metrics->timer, g_main_context_get_thread_default ());
  publish_figures (metrics);
}

/* Publishes the final counts of the run, which has ended, and detaches @metrics from the run. */
static void
publish_final_metrics (CliRunMetrics *metrics)
{
  if (metrics == NULL || metrics->run == NULL)
    return;
  publish_figures (metrics);
  g_source_destroy (metrics->timer);
  g_clear_pointer (&metrics->timer, g_source_unref);
  metrics->run = NULL;
}

void
cli_run_metrics_free (CliRunMetrics *metrics)
{
  if (metrics == NULL)
    return;
  publish_final_metrics (metrics);
  gilk_endpoint_free (metrics->endpoint);
  g_free (metrics);
}

static uint64_t
sum_hits (const GilkRunFigures *figures)
{
  uint64_t hits = 0;

  for (guint i = 0; i < figures->n_hooks; i++)
    hits += figures->hooks[i].hits;

  return hits;
}

static void
show_progress (Monitor *monitor)
{
  GilkRunFigures figures = { 0 };
  g_autofree char *size = NULL;
  g_autofree char *rate = NULL;
  g_autofree char *line = NULL;
  g_autofree char *of = NULL;
  g_autofree char *fill = NULL;

  gilk_run_figures (monitor->run, &figures);
  size = cli_format_bytes (figures.bytes);
  rate = cli_format_rate (figures.samples_per_second);
  if (figures.ring_bytes != 0)
    fill = g_strdup_printf (_("  rings %.0f %% full, peak %.0f %%"),
                            100.0 * (double) figures.ring_used / (double) figures.ring_bytes,
                            100.0 * (double) figures.ring_used_max / (double) figures.ring_bytes);
  else
    fill = g_strdup ("");
  of = figures.duration > 0 ? g_strdup_printf (_(" of %.0f"), figures.duration) : g_strdup ("");
  if (figures.state == GILK_RUN_RUNNING && figures.ring_bytes == 0)
    line = g_strdup_printf (_("%5.1f%s s  %u of %u hooks live  %" PRIu64 " hits"), figures.elapsed, of,
                            figures.hooks_live, figures.n_hooks, (guint64) sum_hits (&figures));
  else if (figures.state == GILK_RUN_RUNNING)
    line = g_strdup_printf (_("%5.1f%s s  %u of %u hooks live  %lu samples  %s/s  "
                              "%lu lost  %s%s"),
                            figures.elapsed, of, figures.hooks_live, figures.n_hooks,
                            (guint64) figures.samples, rate, (guint64) figures.lost, size, fill);
  else if (figures.state == GILK_RUN_ARMING)
    line = g_strdup (_("Arming the hooks…"));
  else
    line = g_strdup (_("Stopping: restoring kernel text and storing the last samples…"));
  cli_progress_show (monitor->cli->progress, line);
  gilk_run_figures_clear (&figures);
}

static void
on_changed (GilkRun *run, gpointer user_data)
{
  Monitor *monitor = user_data;

  if (cli_progress_enabled (monitor->cli->progress))
    show_progress (monitor);
  else if (!monitor->told_start && gilk_run_state (run) == GILK_RUN_RUNNING)
    {
      cli_note (monitor->cli, _("The run has started."));
      monitor->told_start = TRUE;
    }
}

static void
on_notice (GilkRun *run, const char *text, gpointer user_data)
{
  Monitor *monitor = user_data;

  cli_progress_clear (monitor->cli->progress);
  cli_note (monitor->cli, _("A program reports: %s"), text);
}

/* Iterates the thread-default main context until the run has ended. */
static void
watch_run (Monitor *monitor)
{
  g_signal_connect (monitor->run, "changed", G_CALLBACK (on_changed), monitor);
  g_signal_connect (monitor->run, "notice", G_CALLBACK (on_notice), monitor);

  if (monitor->follow->path != NULL)
    monitor->file = cli_follow_new (monitor->cli, monitor->follow->kernel, monitor->run,
                                    monitor->follow->path, monitor->follow->hooks, monitor->follow->watchpoints, monitor->follow->until,
                                    monitor->follow->granted);
  start_metrics (monitor->follow->metrics, monitor->run);
  cli_wait_for_run (monitor->cli, monitor->run,
                    _("Already stopping: restoring kernel text and storing the last samples. Please wait."));
  publish_final_metrics (monitor->follow->metrics);

  g_clear_pointer (&monitor->file, cli_follow_free);
  g_signal_handlers_disconnect_by_data (monitor->run, monitor);
}

/* If the run ended by itself, earlier than planned, prints the reason. */
static void
note_end (Monitor *monitor)
{
  const char *ended = gilk_run_end_reason (monitor->run);
  g_autofree char *words = gilk_store_end_reason_text (ended);

  if (ended != NULL && gilk_run_error (monitor->run) == NULL && !gilk_store_ended_as_planned (ended))
    cli_note (monitor->cli, _("The run ended: %s."), words);
}

static void
show_result (Monitor *monitor, const char *output, guint run_number)
{
  Cli *cli = monitor->cli;
  GilkRunFigures figures = { 0 };
  GilkBoundPlan *bound = gilk_run_plan (monitor->run);

  gilk_run_figures (monitor->run, &figures);
  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "session", output);
      if (output != NULL)
        cli_json_uint (cli->doc, "run", run_number);
      cli_json_string (cli->doc, "ended", gilk_run_end_reason (monitor->run));
      cli_run_figures_json (cli->doc, &figures, bound);
    }
  else
    {
      cli_run_figures_print (cli, &figures, bound);
      cli_run_watchpoints_note (cli, &figures, bound);
      cli_run_print_failed_reads (cli, &figures, bound);
      note_end (monitor);
      if (output != NULL)
        cli_note (cli, _("Recorded %.1f s as run %u of %s. See \"gilk report %s\"."), figures.elapsed,
                  run_number, output, output);
      else
        cli_note (cli, _("Counted for %.1f s; nothing was recorded. -o FILE records a session."),
                  figures.elapsed);
    }
  gilk_run_figures_clear (&figures);
}

/* Reports the maps of the run's programs, usually the purpose of the run. Ignores errors,
 * because the run itself succeeded. */
static void
show_maps (Cli *cli, const char *path, guint run_number)
{
  g_auto(CliSession) session = { 0 };
  g_autoptr(GArray) maps = NULL;
  GCancellable *cancellable = cli->cancellable;

  /* Ctrl-C may have ended the run, but must not cancel the report of its results. */
  cli->cancellable = NULL;
  if (cli_session_open (cli, path, (int) run_number, &session, NULL))
    maps = cli_maps_read (&session, NULL, NULL);
  cli->cancellable = cancellable;
  if (maps != NULL && maps->len > 0)
    cli_programs_report (cli, maps);
}

static guint
count_runs (GilkStore *store)
{
  g_autoptr(GArray) runs = gilk_store_runs (store, NULL);

  return runs != NULL ? runs->len : 0;
}

/* Records one run into the session at @path. If @output is NULL, @path is temporary and is deleted
 * afterwards. */
static gboolean
record_run (Cli *cli, const Follow *follow, GilkBoundPlan *bound, const char *path, const char *output,
            uint64_t duration_ns, GError **error)
{
  g_autoptr(GilkStore) store = gilk_store_open (path, error);
  Monitor monitor = { .cli = cli, .follow = follow };
  g_autoptr(GError) run_error = NULL;
  g_autoptr(GError) close_error = NULL;
  guint run_number;

  if (store == NULL)
    {
      gilk_bound_plan_free (bound);
      return FALSE;
    }
  if (follow->compress)
    gilk_store_enable_compression (store);
  monitor.run = gilk_run_new (bound, follow->kernel->image, store, duration_ns, follow->granted);
  watch_run (&monitor);

  cli_wait_check_run (monitor.run, &run_error);
  run_number = count_runs (store);
  if (run_error == NULL || gilk_run_session_run_id (monitor.run) > 0)
    {
      cli->keep_doc = TRUE;
      show_result (&monitor, output, run_number);
    }
  g_object_unref (monitor.run);

  if (!gilk_store_close (g_steal_pointer (&store), &close_error) && run_error == NULL)
    run_error = g_steal_pointer (&close_error);
  if (run_error == NULL)
    {
      show_maps (cli, path, run_number);
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&run_error));
  return FALSE;
}

static gboolean
has_only_counters (const GilkPlan *plan)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    if (!gilk_inline_is (((const GilkPlanHook *) plan->hooks->pdata[i])->instrument,
                         GILK_INLINE_COUNT))
      return FALSE;
  return TRUE;
}

/* Returns the default of --output: a file in the current folder, named after the plan. */
static char *
get_default_output (const char *plan_path, const GilkPlan *plan)
{
  g_autofree char *base = NULL;
  char *dot;

  if (plan_path == NULL)
    base = g_strdup (((const GilkPlanHook *) plan->hooks->pdata[0])->function);
  else
    base = g_path_get_basename (plan_path);
  g_strcanon (base, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._+-", '-');
  if (*base == '-')                      /* a file name that starts with "-" would look like an
                                          * option; the name made for a watchpoint also starts with
                                          * "-", because its function "?" was replaced by "-" */
    {
      g_free (base);
      base = g_strdup ("run");
    }
  dot = strrchr (base, '.');
  if (plan_path != NULL && dot != NULL && dot != base)
    *dot = '\0';
  return g_strconcat (base, ".gilk", NULL);
}

/* Records without --output: the session is in a temporary folder, and is deleted afterwards. */
static gboolean
record_temporarily (Cli *cli, const Follow *follow, GilkBoundPlan *bound, uint64_t duration_ns,
                    GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("gilk-XXXXXX", error);
  g_autofree char *path = NULL;
  gboolean ok;

  if (folder == NULL)
    {
      gilk_bound_plan_free (bound);
      return FALSE;
    }
  path = g_build_filename (folder, "run.gilk", NULL);
  ok = record_run (cli, follow, bound, path, NULL, duration_ns, error);
  g_unlink (path);
  g_rmdir (folder);
  return ok;
}

/* Overrides the plan's settings of sample rings (the buffers of each CPU) and of interleaving
 * (intervals with and without hooks) with those of the options. */
static gboolean
set_ring (GilkPlan *plan, const Options *options, GError **error)
{
  return (options->ring == NULL || gilk_parse_ring_bytes (options->ring, &plan->ring.bytes, error)) &&
         (options->ring_mode == NULL ||
          gilk_parse_ring_mode (options->ring_mode, &plan->ring.mode, error)) &&
         (options->ring_window == NULL ||
          gilk_parse_length (options->ring_window, &plan->ring.window_ns, error)) &&
         gilk_plan_check_ring (plan, error) &&
         (options->interleave == NULL || gilk_parse_interleave (options->interleave, &plan->interleave, error)) && gilk_plan_check_interleave (plan, error);
}

/* Makes the plan permit the kernel changes (fault injection) and the crashes that the options
 * allow. */
static void
request_consent (GilkPlan *plan, const Options *options)
{
  plan->may_change |= options->allow_changes;
  if (options->allow_crash)
    plan->crash = MAX (plan->crash, GILK_CRASH_WITH_DUMP);
  if (options->allow_crash_without_dump)
    plan->crash = GILK_CRASH_WITHOUT_DUMP;
}

static GilkConsent
get_consent (const Options *options)
{
  return (GilkConsent) ((options->allow_changes ? GILK_CONSENT_CHANGES : 0) | (options->allow_crash ? GILK_CONSENT_CRASH : 0) |
                        (options->allow_crash_without_dump ? GILK_CONSENT_CRASH_WITHOUT_DUMP : 0));
}

static void
note_changes (Cli *cli, const GilkPlan *plan)
{
  g_autofree char *text = plan->may_change ? gilk_plan_to_text (plan) : NULL;

  cli_changes_print (cli, text, FALSE);
}

/* Makes the plan from file and options, independent of the kernel. (transfer full) */
static GilkPlan *
make_plan (const char *path, const Options *options, uint64_t duration_ns, GError **error)
{
  g_autoptr(GilkPlan) plan = cli_follow_plan (path, options->hooks, options->watchpoints, error);

  if (plan == NULL || !gilk_plan_check_schedule (plan, duration_ns, error))
    return NULL;
  plan->run_length_ns = duration_ns;
  if (options->title != NULL)
    {
      g_free (plan->title);
      plan->title = g_strdup (options->title);
    }
  if (!set_ring (plan, options, error) || !cli_follow_until (plan, options->until, error))
    return NULL;
  request_consent (plan, options);

  return g_steal_pointer (&plan);
}

/* Context of recording one or several runs. */
typedef struct {
  Cli           *cli;
  CliKernel     *kernel;
  const Options *options;
  const Follow  *follow;
  const char    *output;          /* path of the session given with --output; NULL: the session
                                   * is not kept */
  uint64_t       duration_ns;
} Recording;

/* Binds a copy of the plan @asked and records a run of it. A CliRecordFunc: cli_alternate() calls
 * it for each run. */
static gboolean
record_plan (GilkPlan *asked, gpointer data, GError **error)
{
  const Recording *with = data;
  g_autoptr(GilkPlan) plan = gilk_plan_ref (asked);
  g_autoptr(GilkBoundPlan) bound = with->options->partial ? cli_bind_partial (with->cli, with->kernel, &plan, 0, error)
                                                          : cli_bind (with->cli, with->kernel, plan, error);

  if (bound == NULL || !cli_bound_check (with->cli, bound, FALSE, error) ||
      !gilk_consent_check (bound, with->follow->granted, error))
    return FALSE;
  cli_bound_note_moved (with->cli, bound);
  cli_bound_note_missing_counters (with->cli, bound);
  cli_bound_note_clones (with->cli, bound);
  note_changes (with->cli, plan);
  if (with->output == NULL)
    return record_temporarily (with->cli, with->follow, g_steal_pointer (&bound), with->duration_ns, error);

  return record_run (with->cli, with->follow, g_steal_pointer (&bound), with->output, with->output, with->duration_ns, error);
}

static gboolean
run_plan (Cli *cli, const char *path, const Options *options, uint64_t duration_ns, GError **error)
{
  g_autoptr(GilkPlan) plan = make_plan (path, options, duration_ns, error);
  g_auto(CliKernel) kernel = { 0 };
  g_autoptr(CliRunMetrics) metrics = NULL;
  g_autofree char *output = g_strdup (options->output);
  Follow follow = {
    .path = options->follow ? path : NULL, .kernel = &kernel, .hooks = options->hooks,
    .watchpoints = options->watchpoints, .until = options->until,
    .compress = options->compress, .granted = get_consent (options),
  };
  Recording recording;

  if (plan == NULL || !open_metrics (cli, options->metrics, &metrics, error))
    return FALSE;
  follow.metrics = metrics;
  if (output == NULL && (options->alternate != NULL || !has_only_counters (plan)))
    output = get_default_output (path, plan);
  if (output != NULL && !gilk_check_writable (output, error))
    return FALSE;
  if (cli_has_many_targets (cli))
    {
      note_changes (cli, plan);
      return cli_run_fleet (cli, &(CliFleetRun) { plan, options->hooks, output, duration_ns, options->compress,
                                                  options->partial, follow.granted }, error);
    }
  if (!cli_kernel_open (cli, &kernel, error) ||
      !cli_follow_find_points (cli, plan, options->hooks, &kernel, error) || !gilk_plan_check_until (plan, error))
    return FALSE;
  cli_kernel_to_json (cli, kernel.target);
  recording = (Recording) { cli, &kernel, options, &follow, output, duration_ns };
  if (options->alternate == NULL)
    return record_plan (plan, &recording, error);

  return cli_alternate (cli, &(CliAlternate) { options->alternate, options->rounds > 0 ? (guint) options->rounds : CLI_ALTERNATE_ROUNDS,
                                               output, record_plan, &recording }, plan, error);
}

/* Fails if there are several targets and an option that applies to a single kernel only. */
static gboolean
check_targets (const Cli *cli, const Options *options, GError **error)
{
  const char *alone = options->follow ? "--follow" : options->alternate != NULL ? "--alternate" : options->metrics != NULL ? "--metrics"
                      : cli->debug != NULL ? "--debug" : cli->by != NULL ? "--by" : NULL;

  if (alone != NULL && cli_has_many_targets (cli))
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("%s needs a single --target."), alone);
  else if (options->partial && options->follow)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE, _("--partial and --follow exclude each other: a reload "
                                                                "would bring back the hooks that were left out. Use "
                                                                "only one of them."));
  else if (options->alternate != NULL && options->follow)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE, _("--alternate and --follow exclude each other: all runs "
                                                                "use one plan. Leave out one of them."));
  else
    return TRUE;

  return FALSE;
}

static gboolean
check_follow (const Options *options, const char *path, GError **error)
{
  if (!options->follow || path != NULL)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("No plan file to follow. Name one."));
}

gboolean
cmd_run (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "for", 0, 0, G_OPTION_ARG_STRING, &options.duration,
      N_("Stop after this time, e.g. 30s or 2m (default: on Ctrl-C)"), N_("TIME") },
    { "until", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.until,
      N_("Stop when this condition holds, e.g. 'samples >= 1000000', 'hits HOOK >= 500', 'size >= 100M', 'lost > 1%' "
         "or 'p99 HOOK.FIELD > 2ms'; may be repeated: the first condition that holds stops the run"),
      N_("CONDITION") },
    { "by", 0, 0, G_OPTION_ARG_STRING, &cli->by,
      N_("Hook the kernel by ilk (the driver) or bpf (BPF programs); default: ilk if possible"), N_("WAY") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_("Record into this session as a new run (default: named after the plan)"),
      N_("SESSION") },
    { "compress", 0, 0, G_OPTION_ARG_NONE, &options.compress,
      N_("Compress samples in the session; recording and reading take somewhat longer"), NULL },
    { "hook", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.hooks,
      N_("Add a hook without a plan file, e.g. pipe_write+0x2b1:pre:task or 'vfs_write:entry { sample(pid) }'; may be "
         "repeated"),
      N_("POINT") },
    { "watchpoint", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.watchpoints,
      N_("Watch accesses to data, e.g. jiffies_64:w, 'NAME.MEMBER:rw' or 0xffffffff82a0d040:w8, or execution of an "
         "instruction, FUNCTION+0x10:x; may be repeated"), N_("WHAT") },
    { "follow", 0, 0, G_OPTION_ARG_NONE, &options.follow,
      N_("Reload the plan file when it changes; unchanged hooks stay armed"), NULL },
    { "allow-changes", 0, 0, G_OPTION_ARG_NONE, &options.allow_changes,
      N_("Allow programs to change what the kernel does until the hook or the run ends. Use a machine whose loss you "
         "can afford"),
      NULL },
    { "allow-crash", 0, 0, G_OPTION_ARG_NONE, &options.allow_crash,
      N_("Allow programs to panic the kernel if a crash kernel is loaded, which "
         "saves a dump"), NULL },
    { "allow-crash-without-dump", 0, 0, G_OPTION_ARG_NONE, &options.allow_crash_without_dump,
      N_("Allow programs to panic the kernel even if no crash kernel is loaded"), NULL },
    { "ring", 0, 0, G_OPTION_ARG_STRING, &options.ring,
      N_("Set the size of each CPU's sample ring, e.g. 8M"), N_("SIZE") },
    { "ring-mode", 0, 0, G_OPTION_ARG_STRING, &options.ring_mode,
      N_("Choose what happens when a ring is full: drop, stop or overwrite (keep the newest); fifo leaves samples to "
         "another program"),
      N_("MODE") },
    { "ring-window", 0, 0, G_OPTION_ARG_STRING, &options.ring_window,
      N_("With --ring-mode overwrite: keep this much of the end of the run, e.g. 5s"), N_("TIME") },
    { "interleave", 0, 0, G_OPTION_ARG_STRING, &options.interleave,
      N_("Switch all hooks except control hooks off in a random half of the intervals of length "
         "PERIOD, e.g. 100ms or, with a seed, 100ms,42"), N_("PERIOD[,SEED]") },
    { "alternate", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.alternate,
      N_("Give this option twice: record runs of the length --for alternately, each after one of "
         "the two commands, e.g. 'sysctl -w vm.swappiness=10'; then compare the two sides. The "
         "commands are run by sh on this machine"), N_("COMMAND") },
    { "rounds", 0, 0, G_OPTION_ARG_INT, &options.rounds,
      N_("With --alternate: record N runs for each side (default: 5)"), N_("N") },
    { "metrics", 0, 0, G_OPTION_ARG_STRING, &options.metrics,
      N_("Serve Prometheus metrics of the live run at this port; without ADDRESS, only this "
         "machine can read them"),
      N_("[ADDRESS:]PORT") },
    { "partial", 0, 0, G_OPTION_ARG_NONE, &options.partial,
      N_("Start on the available targets, with the hooks that each target accepts; list what is "
         "left out"), NULL },
    { "title", 0, 0, G_OPTION_ARG_STRING, &options.title, N_("Set the title of the run"), N_("TEXT") },
    { NULL },
  };
  g_autofree char *description = g_strjoin ("\n",
    _("POINT is FUNCTION+OFFSET:WHERE[:INSTRUMENT[:TACTIC]], with the offset of a block as \"gilk "
      "cfg FUNCTION\" shows it, or FUNCTION@call:SYMBOL for the block that calls SYMBOL. WHERE is "
      "pre or post. With FUNCTION alone, WHERE can also be entry, where the function's arguments "
      "are known, or return, for each place at which the function returns. The default instrument "
      "is count.\nA probe program in braces may replace INSTRUMENT, with the whole in quotes: "
      "'POINT { PROGRAM }', e.g. 'vfs_write:entry { if (count > 4096) sample(pid, count) }', where "
      "POINT is FUNCTION+OFFSET:WHERE[:TACTIC] and the like. Programs are described in "
      "gilk-probes(7). POINT can also be tracepoint:SYSTEM:NAME, profile:99hz or interval:1s.\nWHAT is NAME:w for writes, NAME:rw for reads and writes (a number after it "
      "sets the bytes watched), or POINT:x; add ,cpu=N or ,cpu=each for a per-CPU variable, and "
      ",limit=N to limit accesses per second. \"gilk report --accesses\" shows the accesses. At "
      "most four watchpoints fit at once.\nEither all hooks are armed or none. However the run "
      "ends (time, Ctrl-C, an error, even kill -9), kernel text is restored. Ctrl-C keeps what was "
      "recorded. Hooks that only count need no session: without -o their counts are printed and "
      "nothing is recorded.\nWith --follow you can edit the plan file during the run. Unchanged "
      "hooks continue without a missed or doubled hit; a plan with an error is reported and "
      "changes nothing."),
    _("With several --target options, the plan is recorded on all of these kernels at once. Each gets its own session, "
      "named after it: pipe.gilk becomes pipe-lab-6.1.gilk. Nothing starts unless every target accepts every hook, or "
      "--partial is given. One target's failure does not stop the others."), NULL);
  uint64_t duration_ns = 0;
  char **words;
  gboolean ok;

  cli->takes_many_targets = TRUE;
  cli->takes_way = TRUE;
  ok = cli_parse (cli, argc, argv, entries,
                  description, 0, 1, &words, error) &&
    (options.duration == NULL || gilk_parse_length (options.duration, &duration_ns, error)) &&
    check_follow (&options, words[0], error) && check_targets (cli, &options, error) &&
    cli_alternate_check (options.alternate, options.rounds, duration_ns, error) &&
    run_plan (cli, words[0], &options, duration_ns, error);

  cli_options_free (entries);
  return ok;
}
