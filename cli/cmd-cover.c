/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-cover.c - gilk cover: block coverage of functions, at a vanishing cost
 *
 * Runs counters that are removed once they were hit. Polls often at first, when most blocks are
 * hit.
 */
#include <glib/gi18n.h>

#include "cli/cover-plan.h"
#include "cli/output.h"
#include "cli/report-cover.h"
#include "core/base/gilk-file-error.h"
#include "core/export/gilk-export.h"
#include "core/run/gilk-one-shot.h"

#define LOOK_FIRST_MS 250
#define LOOK_LAST_MS  4000
#define OUTPUT        "coverage.gilk"

typedef struct {
  char *duration, *output, *lcov, *title;
} Options;

typedef struct {
  Cli          *cli;
  CliKernel    *kernel;
  GilkRun      *run;
  GMainLoop    *loop;
  GilkOneShot  *shot;
  guint         pause_ms, timeout;
  guint         hooks, hit, live;
  gboolean      warned;
} Watch;

/* ---- during the run ---- */

static gboolean look (gpointer data);

static void
look_later (Watch *watch, gboolean changed)
{
  watch->pause_ms = changed ? MAX (watch->pause_ms / 2, LOOK_FIRST_MS) : MIN (watch->pause_ms * 2, LOOK_LAST_MS);
  watch->timeout = g_timeout_add (watch->pause_ms, look, watch);
}

static gboolean
look (gpointer data)
{
  Watch *watch = data;
  guint hit = watch->hit;
  g_autoptr(GError) error = NULL;
  g_autofree char *line = NULL;

  watch->timeout = 0;
  if (gilk_run_state (watch->run) == GILK_RUN_RUNNING &&
      !gilk_one_shot_step (watch->shot, &watch->hit, &watch->live, watch->cli->cancellable, &error) && !watch->warned &&
      gilk_run_state (watch->run) == GILK_RUN_RUNNING && !g_cancellable_is_cancelled (watch->cli->cancellable))
    {
      watch->warned = TRUE;
      cli_note (watch->cli, _("Cannot remove counters that were hit; they keep counting: %s"), error->message);
    }
  line = g_strdup_printf (_("%u of %u blocks covered, %u hooks live"), watch->hit, watch->hooks, watch->live);
  cli_progress_show (watch->cli->progress, line);
  look_later (watch, watch->hit != hit);
  return G_SOURCE_REMOVE;
}

static void
on_ended (GilkRun *run, gpointer user_data)
{
  g_main_loop_quit (((Watch *) user_data)->loop);
}

static gboolean
on_interrupt (GCancellable *cancellable, gpointer user_data)
{
  gilk_run_stop (((Watch *) user_data)->run);
  return G_SOURCE_REMOVE;
}

static void
watch_run (Watch *watch)
{
  g_autoptr(GSource) interrupt = g_cancellable_source_new (watch->cli->cancellable);

  g_source_set_callback (interrupt, G_SOURCE_FUNC (on_interrupt), watch, NULL);
  g_source_attach (interrupt, NULL);
  g_signal_connect (watch->run, "ended", G_CALLBACK (on_ended), watch);
  cli_interrupts_hold (_("Already stopping: restoring kernel text and storing the last samples. Please wait."));
  gilk_run_start (watch->run);
  look_later (watch, TRUE);
  g_main_loop_run (watch->loop);
  cli_interrupts_hold (NULL);
  if (watch->timeout != 0)
    g_source_remove (watch->timeout);
  g_source_destroy (interrupt);
  g_signal_handlers_disconnect_by_data (watch->run, watch);
  cli_progress_clear (watch->cli->progress);
}

/* ---- the command ---- */

static gboolean
record (Cli *cli, CliKernel *kernel, GilkBoundPlan *bound, const char *path, uint64_t duration_ns, GError **error)
{
  g_autoptr(GilkStore) store = gilk_store_open (path, error);
  Watch watch = { .cli = cli, .kernel = kernel, .pause_ms = LOOK_FIRST_MS, .hooks = bound->hooks->len };
  g_autoptr(GError) failed = NULL;

  if (store == NULL)
    {
      gilk_bound_plan_free (bound);
      return FALSE;
    }
  watch.loop = g_main_loop_new (NULL, FALSE);
  watch.run = gilk_run_new (bound, kernel->image, store, duration_ns, GILK_CONSENT_NONE);
  watch.shot = gilk_one_shot_new (watch.run, kernel->functions, kernel->image);
  watch_run (&watch);
  g_cancellable_reset (cli->cancellable);       /* the run has ended; its results are read next */
  if (gilk_run_error (watch.run) != NULL)
    failed = g_error_copy (gilk_run_error (watch.run));
  else if (gilk_run_cut_short (watch.run) != NULL)
    failed = g_error_new_literal (GILK_ERROR, GILK_ERROR_FAILED, gilk_run_cut_short (watch.run));
  gilk_one_shot_free (watch.shot);
  g_object_unref (watch.run);
  g_main_loop_unref (watch.loop);
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
report (Cli *cli, const char *path, const char *lcov, GError **error)
{
  g_auto(CliSession) session = { 0 };

  if (!cli_session_open (cli, path, 0, &session, error))
    return FALSE;
  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "session", path);
      cli_json_uint (cli->doc, "run", cli_session_run_number (&session));
      cli_json_string (cli->doc, "lcov", lcov);
    }
  if (!cli_cover_report (cli, &session, error) || (lcov != NULL && !write_lcov (&session, lcov, error)))
    return FALSE;
  cli_note (cli, _("Recorded as run %u of %s. See \"gilk report --coverage %s\"."), cli_session_run_number (&session), path,
            path);
  return TRUE;
}

static gboolean
cover (Cli *cli, char **names, const Options *options, GError **error)
{
  g_auto(CliKernel) kernel = { 0 };
  const char *path = options->output != NULL ? options->output : OUTPUT;
  uint64_t duration_ns = 0;
  GilkBoundPlan *bound;

  if ((options->duration != NULL && !gilk_parse_length (options->duration, &duration_ns, error)) ||
      !gilk_check_writable (path, error) || !cli_kernel_open (cli, &kernel, error))
    return FALSE;
  bound = cli_cover_bind (cli, &kernel, names, options->title != NULL ? options->title : _("Block coverage"), error);
  return bound != NULL && record (cli, &kernel, bound, path, duration_ns, error) && report (cli, path, options->lcov, error);
}

gboolean
cmd_cover (Cli *cli, int argc, char **argv, GError **error)
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
                  _("Counts the blocks of functions, and removes each counter after its first hit, so that hot code "
                    "soon runs at full speed. FUNCTION is a name or a quoted glob such as 'vfs_*' or 'ext4:*', which "
                    "is a whole module. Run your test while this records, and stop it with Ctrl-C."),
                  1, -1, &words, error) &&
    cover (cli, words, &options, error);

  g_free (options.duration);
  g_free (options.output);
  g_free (options.lcov);
  g_free (options.title);
  return ok;
}
