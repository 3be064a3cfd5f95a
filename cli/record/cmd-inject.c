/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-inject.c - gilk inject: runs a command under each fault injection of a plan, one at a
 * time
 *
 * The command is run once without hooks, then once for each hook, armed alone. The outcome is the
 * exit code, the duration, the number of hits and new lines of the kernel's log. Each trial with a
 * hook is a run in the session.
 */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/base/bound.h"
#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/run/gilk-run.h"

#define LIMIT_NS     (UINT64_C (60) * 1000000000)
#define OUTPUT       "inject.gilk"
#define KEY_BYTES    200           /* number of bytes at the end of a kernel log by which the new
                                    * lines in a later copy of the log are found */
#define LOG_SHOWN    60

typedef struct {
  char    *limit, *output;
  gboolean allow_changes;
} Options;

typedef struct {
  char    *label;                  /* label of the armed hook; NULL: none was armed */
  int      status;                 /* the command's wait status, as for
                                    * g_spawn_check_wait_status() */
  gboolean ended, started;
  double   seconds;
  gboolean hits_known;
  uint64_t hits;
  char    *kernel_log;             /* new lines of the kernel's log, or "" */
} Outcome;

typedef struct {
  Cli        *cli;
  GMainLoop  *loop;
  GilkRun    *run;                 /* (nullable) */
  char      **words;
  Outcome    *outcome;
  GPid        pid;
  gint64      start_us;
  guint       timeout;
  gboolean    over;                /* TRUE once the trial has ended */
} Trial;

static void
clear_outcome (gpointer data)
{
  Outcome *outcome = data;

  g_free (outcome->label);
  g_free (outcome->kernel_log);
}

/* ---- running the user's command ---- */

static void
finish_trial (Trial *trial)
{
  if (trial->run != NULL)
    {
      gilk_run_stop (trial->run);
      return;
    }
  trial->over = TRUE;
  g_main_loop_quit (trial->loop);
}

static void
on_command_end (GPid pid, int status, gpointer data)
{
  Trial *trial = data;

  trial->pid = 0;
  trial->outcome->status = status;
  trial->outcome->seconds = (double) (g_get_monotonic_time () - trial->start_us) / 1e6;
  g_spawn_close_pid (pid);
  finish_trial (trial);
}

static gboolean
on_limit (gpointer data)
{
  Trial *trial = data;

  trial->timeout = 0;
  trial->outcome->ended = FALSE;
  if (trial->pid != 0)
    kill (-trial->pid, SIGKILL);
  return G_SOURCE_REMOVE;
}

static void
set_own_group (gpointer data)
{
  setpgid (0, 0);
}

static void
start_command (Trial *trial, uint64_t limit_ns)
{
  g_autoptr(GError) error = NULL;

  trial->outcome->started = TRUE;
  trial->outcome->ended = TRUE;
  trial->start_us = g_get_monotonic_time ();
  if (!g_spawn_async (NULL, trial->words, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL |
                      G_SPAWN_STDERR_TO_DEV_NULL, set_own_group, NULL, &trial->pid, &error))
    {
      cli_note (trial->cli, _("Cannot start %s: %s"), trial->words[0], error->message);
      trial->outcome->started = trial->outcome->ended = FALSE;
      finish_trial (trial);
      return;
    }
  g_child_watch_add (trial->pid, on_command_end, trial);
  trial->timeout = g_timeout_add ((guint) (limit_ns / 1000000), on_limit, trial);
}

/* ---- running one trial ---- */

typedef struct {
  Trial   *trial;
  uint64_t limit_ns;
} PendingCommand;

static void
on_changed (GilkRun *run, gpointer data)
{
  const PendingCommand *pending = data;

  if (!pending->trial->outcome->started && gilk_run_state (run) == GILK_RUN_RUNNING)
    start_command (pending->trial, pending->limit_ns);
}

static void
on_ended (GilkRun *run, gpointer data)
{
  const PendingCommand *pending = data;

  pending->trial->over = TRUE;
  if (pending->trial->pid != 0)
    kill (-pending->trial->pid, SIGKILL);
  g_main_loop_quit (pending->trial->loop);
}

static gboolean
on_interrupt (GCancellable *cancellable, gpointer data)
{
  Trial *trial = data;

  if (trial->pid != 0)
    kill (-trial->pid, SIGKILL);
  finish_trial (trial);
  return G_SOURCE_REMOVE;
}

static void
wait_for_trial (Trial *trial)
{
  g_autoptr(GSource) interrupt = g_cancellable_source_new (trial->cli->cancellable);

  g_source_set_callback (interrupt, G_SOURCE_FUNC (on_interrupt), trial, NULL);
  g_source_attach (interrupt, NULL);
  if (!trial->over)
    g_main_loop_run (trial->loop);
  g_source_destroy (interrupt);
  while (trial->pid != 0)
    g_main_context_iteration (NULL, TRUE);
  if (trial->timeout != 0)
    g_source_remove (trial->timeout);
}

static void
sum_hits (GilkRun *run, Outcome *outcome)
{
  GilkRunFigures figures = { 0 };

  gilk_run_figures (run, &figures);
  for (guint i = 0; i < figures.n_hooks; i++)
    {
      outcome->hits_known = figures.hooks[i].hits_known;
      outcome->hits += figures.hooks[i].hits;
    }
  gilk_run_figures_clear (&figures);
}

/* Runs the command once. @bound: (transfer full) (nullable): the hook to arm; NULL: no hook */
static gboolean
run_trial (Cli *cli, CliKernel *kernel, GilkBoundPlan *bound, const char *path, char **words, uint64_t limit_ns,
           GilkConsent granted, Outcome *outcome, GError **error)
{
  g_autoptr(GilkStore) store = NULL;
  Trial trial = { .cli = cli, .words = words, .outcome = outcome };
  const PendingCommand pending = { &trial, limit_ns };
  const GError *failed = NULL;
  gboolean good = TRUE;

  if (bound != NULL && (store = gilk_store_open (path, error)) == NULL)
    {
      gilk_bound_plan_free (bound);
      return FALSE;
    }
  trial.loop = g_main_loop_new (NULL, FALSE);
  if (bound != NULL)
    {
      trial.run = gilk_run_new (bound, kernel->image, store, 2 * limit_ns, granted);
      g_signal_connect (trial.run, "changed", G_CALLBACK (on_changed), (gpointer) &pending);
      g_signal_connect (trial.run, "ended", G_CALLBACK (on_ended), (gpointer) &pending);
      gilk_run_start (trial.run);
    }
  else
    start_command (&trial, limit_ns);
  wait_for_trial (&trial);
  if (trial.run != NULL)
    {
      g_signal_handlers_disconnect_by_data (trial.run, (gpointer) &pending);
      sum_hits (trial.run, outcome);
      failed = gilk_run_error (trial.run);
      if (failed != NULL)
        g_propagate_error (error, g_error_copy (failed));
      good = failed == NULL;
      g_object_unref (trial.run);
    }
  g_main_loop_unref (trial.loop);
  if (store != NULL && !gilk_store_close (g_steal_pointer (&store), good ? error : NULL))
    good = FALSE;
  return good && !g_cancellable_set_error_if_cancelled (cli->cancellable, error);
}

/* ---- reading the kernel's log ---- */

/* Returns the lines of @after that follow the end of @before, without the driver's messages about
 * patches. (transfer full) */
static char *
extract_new_lines (const char *before, const char *after)
{
  gsize length = strlen (before);
  const char *key = before + (length > KEY_BYTES ? length - KEY_BYTES : 0);
  const char *found = *key != '\0' ? g_strrstr (after, key) : NULL;
  g_auto(GStrv) lines = g_strsplit (found != NULL ? found + strlen (key) : after, "\n", -1);
  GString *said = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && strstr (lines[i], "] ilk: patches ") == NULL)
      g_string_append_printf (said, "%s%s", said->len > 0 ? "\n" : "", lines[i]);
  return g_string_free (said, FALSE);
}

/* ---- running all trials ---- */

/* Returns a copy of the plan with only hook @index. */
static GilkPlan *
make_single_plan (const GilkPlan *plan, guint index, uint64_t run_length_ns, GError **error)
{
  g_autofree char *text = gilk_plan_to_text (plan);
  GilkPlan *one = gilk_plan_parse (text, strlen (text), _("the plan"), error);

  if (one == NULL)
    return NULL;
  for (guint i = one->hooks->len; i-- > 0;)
    if (i != index)
      g_ptr_array_remove_index (one->hooks, i);
  gilk_plan_remove_unused_programs (one);
  one->run_length_ns = run_length_ns;
  g_free (one->title);
  one->title = g_strdup (((const GilkPlanHook *) g_ptr_array_index (one->hooks, 0))->label);
  return one;
}

/* (transfer full) */
static GilkBoundPlan *
bind_single_plan (Cli *cli, CliKernel *kernel, GilkPlan *one, GError **error)
{
  GilkBoundPlan *bound = cli_bind (cli, kernel, one, error);

  if (bound != NULL && !cli_bound_check (cli, bound, FALSE, error))
    g_clear_pointer (&bound, gilk_bound_plan_free);
  return bound;
}

/* Checks all trials before the command first runs, so that errors appear early, even if the command
 * takes long. */
static gboolean
check_all_trials (Cli *cli, CliKernel *kernel, const GilkPlan *plan, const char *path, uint64_t run_length_ns, GError **error)
{
  GilkStore *store = gilk_store_open (path, error);

  if (store == NULL || !gilk_store_close (store, error))
    return FALSE;
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      g_autoptr(GilkPlan) one = make_single_plan (plan, i, run_length_ns, error);
      GilkBoundPlan *bound = one != NULL ? bind_single_plan (cli, kernel, one, error) : NULL;

      if (bound == NULL)
        return FALSE;
      gilk_bound_plan_free (bound);
    }
  return TRUE;
}

/* Fails before anything runs unless the user has consented to all changes of the plan. */
static gboolean
check_consent (Cli *cli, CliKernel *kernel, GilkPlan *plan, GilkConsent granted, uint64_t run_length_ns, GError **error)
{
  g_autoptr(GilkBoundPlan) bound = NULL;

  plan->run_length_ns = run_length_ns;
  bound = cli_bind (cli, kernel, plan, error);
  return bound != NULL && gilk_consent_check (bound, granted, error);
}

static gboolean
add_trial (Cli *cli, CliKernel *kernel, GilkPlan *one, const char *path, char **words, uint64_t limit_ns, GilkConsent granted,
           GArray *outcomes, GError **error)
{
  g_autofree char *before = NULL, *after = NULL;
  GilkBoundPlan *bound = NULL;
  Outcome outcome = { .label = one != NULL ? g_strdup (one->title) : NULL };
  gboolean good;

  if (one != NULL && (bound = bind_single_plan (cli, kernel, one, error)) == NULL)
    {
      clear_outcome (&outcome);
      return FALSE;
    }
  before = gilk_target_kernel_log (kernel->target, cli->cancellable, NULL);
  good = run_trial (cli, kernel, bound, path, words, limit_ns, granted, &outcome, error);
  after = gilk_target_kernel_log (kernel->target, NULL, NULL);
  outcome.kernel_log = before != NULL && after != NULL ? extract_new_lines (before, after) : g_strdup ("");
  g_array_append_val (outcomes, outcome);
  return good;
}

static char *
format_exit (const Outcome *outcome)
{
  if (!outcome->started)
    return g_strdup (_("not run"));
  if (!outcome->ended)
    return g_strdup (_("timed out"));
  if (WIFSIGNALED (outcome->status))
    return g_strdup_printf (_("signal %d"), WTERMSIG (outcome->status));
  return g_strdup_printf ("%d", WEXITSTATUS (outcome->status));
}

static void
outcomes_to_json (CliJson *json, const GArray *outcomes)
{
  cli_json_array (json, "outcomes");
  for (guint i = 0; i < outcomes->len; i++)
    {
      const Outcome *outcome = &g_array_index (outcomes, Outcome, i);

      cli_json_row (json, NULL);
      cli_json_string (json, "hook", outcome->label);
      cli_json_bool (json, "ended", outcome->ended);
      if (outcome->ended && WIFEXITED (outcome->status))
        cli_json_int (json, "exit", WEXITSTATUS (outcome->status));
      if (outcome->ended && WIFSIGNALED (outcome->status))
        cli_json_int (json, "signal", WTERMSIG (outcome->status));
      cli_json_double (json, "seconds", outcome->seconds);
      if (outcome->hits_known)
        cli_json_uint (json, "hits", outcome->hits);
      cli_json_string (json, "kernel_log", outcome->kernel_log);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
print_outcomes (Cli *cli, const GArray *outcomes)
{
  g_autoptr(CliTable) table = cli_table_new (_("<CHANGE|>EXIT|>SECONDS|>HITS|<KERNEL LOG"));

  for (guint i = 0; i < outcomes->len; i++)
    {
      const Outcome *outcome = &g_array_index (outcomes, Outcome, i);
      g_autofree char *ended = format_exit (outcome);
      g_autofree char *said = g_strdup (outcome->kernel_log);

      cli_table_cell (table, outcome->label != NULL ? outcome->label : _("(none)"));
      cli_table_cell (table, ended);
      if (i > 0 && outcome->status != g_array_index (outcomes, Outcome, 0).status)
        cli_table_tint (table, CLI_TINT_WARN);
      cli_table_cellf (table, "%.2f", outcome->seconds);
      if (outcome->hits_known)
        cli_table_cellf (table, "%" PRIu64, outcome->hits);
      else
        cli_table_cell (table, "-");
      said[strcspn (said, "\n")] = '\0';
      cli_table_cellf (table, "%.*s", LOG_SHOWN, said);
    }
  cli_print_table (cli, table);
}

static gboolean
is_installed (const char *program, GError **error)
{
  g_autofree char *path = g_find_program_in_path (program);

  if (path == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("Program %s not found. Name one that is installed, or give "
                                                            "its path; run shell commands with sh -c '...'."), program);
  return path != NULL;
}

static gboolean
run_injections (Cli *cli, const char *file, char **command, const Options *options, GError **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_load (file, error);
  g_autoptr(GArray) outcomes = g_array_new (FALSE, TRUE, sizeof (Outcome));
  g_auto(CliKernel) kernel = { 0 };
  const char *path = options->output != NULL ? options->output : OUTPUT;
  uint64_t limit_ns = LIMIT_NS;
  const GilkConsent granted = options->allow_changes ? GILK_CONSENT_CHANGES : GILK_CONSENT_NONE;
  gboolean good;

  g_array_set_clear_func (outcomes, clear_outcome);
  if (plan == NULL || (options->limit != NULL && !gilk_parse_length (options->limit, &limit_ns, error)))
    return FALSE;
  if (!plan->may_change || plan->hooks->len == 0)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("The plan %s does not allow its hooks to change what the kernel does. Write "
                        "changes=yes into the plan's group [gilk-plan]."), file);
  if (!is_installed (command[0], error) || !gilk_check_writable (path, error) || !cli_kernel_open (cli, &kernel, error) ||
      !check_consent (cli, &kernel, plan, granted, 2 * limit_ns, error) || !check_all_trials (cli, &kernel, plan, path, 2 * limit_ns, error))
    return FALSE;

  good = add_trial (cli, &kernel, NULL, path, command, limit_ns, granted, outcomes, error);
  for (guint i = 0; good && i < plan->hooks->len; i++)
    {
      g_autoptr(GilkPlan) one = make_single_plan (plan, i, 2 * limit_ns, error);

      good = one != NULL && add_trial (cli, &kernel, one, path, command, limit_ns, granted, outcomes, error);
    }
  if (cli->doc != NULL)
    outcomes_to_json (cli->doc, outcomes);
  else
    print_outcomes (cli, outcomes);
  return good;
}

/* Skips "--", which GOption leaves in place if the command has options. (transfer none) */
static char **
skip_separator (char **words)
{
  char **command = words + 1;

  return g_str_equal (command[0], "--") && command[1] != NULL ? command + 1 : command;
}

gboolean
cmd_inject (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "for", 0, 0, G_OPTION_ARG_STRING, &options.limit,
      N_("Kill the command if one execution of it takes longer than "
         "this (default: 60s)"), N_("TIME") },
    { "allow-changes", 0, 0, G_OPTION_ARG_NONE, &options.allow_changes,
      N_("Allow hooks to change what the kernel does, each while it is armed. Use a machine whose loss you can afford"),
       NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_("Record into this session, one run per change; existing runs are kept (default: inject.gilk)"), N_("SESSION") },
    { NULL },
  };
  char **words;
  gboolean ok;

  ok = cli_parse (cli, argc, argv, entries,
                  _("Runs a command once with no hook armed, then once for each of the plan's "
                    "hooks that change the kernel's behaviour, with only that hook armed. Example: "
                    "\"gilk inject --allow-changes faults.plan -- make check\". Reports how the "
                    "command ended, how long it took, how often the hook was hit and what the "
                    "kernel logged."),
                  2, -1, &words, error) &&
    run_injections (cli, words[0], skip_separator (words), &options, error);

  cli_options_free (entries);
  return ok;
}
