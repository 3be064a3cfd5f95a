/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-alternate.c - records a plan after each of two commands in turn, and compares the two sides
 */
#include "cli/record/run.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "cli/base/output.h"
#include "cli/base/reports.h"
#include "core/base/gilk-error.h"
#include "core/emit/gilk-inline.h"

static const char *const sides[] = { "A", "B" };

typedef struct {
  Cli                *cli;
  const CliAlternate *options;
  GilkPlan           *plan;
  GString            *runs[2];       /* numbers of each side's runs in the session,
                                      * comma-separated */
} Alternation;

gboolean
cli_alternate_check (char   **commands,
                     int      rounds,
                     uint64_t run_length_ns,
                     GError **error)
{
  guint n = commands != NULL ? g_strv_length (commands) : 0;

  if (n == 0 && rounds == 0)
    return TRUE;
  if (n != 2)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--alternate takes two commands: --alternate COMMAND --alternate COMMAND. Give both."));
  else if (rounds < 0 || rounds > CLI_ALTERNATE_ROUNDS_MAX)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("--rounds takes a number from 1 to %d."), CLI_ALTERNATE_ROUNDS_MAX);
  else if (run_length_ns == 0)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE, _("--alternate needs --for, so that each run ends."));
  else
    return TRUE;

  return FALSE;
}

/* Runs the command of @side. Its output goes to standard error, because standard output has our own
 * results. */
static gboolean
run_command (Alternation *alternation, guint side, GError **error)
{
  const char *command = alternation->options->commands[side];
  g_autofree char *aside = g_strdup_printf ("exec 1>&2\n%s", command);
  g_autoptr(GSubprocess) shell = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_INHERIT, error, "/bin/sh", "-c", aside, NULL);

  if (shell == NULL)
    return FALSE;
  if (!g_subprocess_wait (shell, alternation->cli->cancellable, error))
    {
      g_subprocess_force_exit (shell);
      return FALSE;
    }
  if (g_subprocess_get_if_exited (shell) && g_subprocess_get_exit_status (shell) == 0)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_FAILED,
                    _("The command of side %s failed, so that side was not measured: %s"), sides[side], command);
}

static gboolean
record_side (Alternation *alternation, guint side, guint number, GError **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_copy (alternation->plan);

  g_free (plan->title);
  plan->title = g_strdup_printf ("%s: %s", sides[side], alternation->options->commands[side]);
  cli_interrupts_may_end (FALSE);       /* Ctrl-C must not kill the program during recording;
                                         * reading the previous run has allowed that */
  if (!run_command (alternation, side, error))
    return FALSE;
  cli_print (alternation->cli, _("Run %u, %s\n"), number, plan->title);
  if (alternation->cli->doc != NULL)
    {
      cli_json_row (alternation->cli->doc, NULL);
      cli_json_string (alternation->cli->doc, "side", sides[side]);
    }
  if (!alternation->options->record (plan, alternation->options->data, error))
    return FALSE;
  if (alternation->cli->doc != NULL)
    cli_json_end (alternation->cli->doc);
  g_string_append_printf (alternation->runs[side], "%s%u", alternation->runs[side]->len > 0 ? "," : "", number);

  return !g_cancellable_set_error_if_cancelled (alternation->cli->cancellable, error);
}

static gboolean
record_all (Alternation *alternation, guint before, GError **error)
{
  const guint n = 2 * alternation->options->rounds;
  guint first = 0;

  if (alternation->cli->doc != NULL)
    cli_json_array (alternation->cli->doc, "runs");
  for (guint i = 0; i < n; i++)
    {
      first = i % 2 == 0 ? (guint) g_random_int_range (0, 2) : first;
      if (!record_side (alternation, i % 2 == 0 ? first : !first, before + i + 1, error))
        return FALSE;
    }
  if (alternation->cli->doc != NULL)
    cli_json_end (alternation->cli->doc);

  return TRUE;
}

/* Prints a note that the hook @label cannot be compared, and the reason @why. */
static void
report_not_compared (Cli *cli, const char *label, const char *why)
{
  cli_json_string (cli->doc, "hook", label);
  cli_json_string (cli->doc, "not_compared", why);
  cli_print (cli, _("%s is not compared. %s\n"), label, why);
}

static gboolean
compare_hook (Alternation *alternation, const CliSession *session, const char *label, GError **error)
{
  g_autofree char *a = g_strdup_printf ("%s@%s", label, alternation->runs[0]->str), *b = g_strdup_printf ("%s@%s", label, alternation->runs[1]->str);
  const CliFigures figures = { .compare = a, .with = b };
  g_autoptr(GError) why = NULL;
  gboolean ok;

  if (alternation->cli->doc != NULL)
    cli_json_row (alternation->cli->doc, NULL);
  ok = cli_report_compare (alternation->cli, session, &figures, &why);
  if (!ok && g_error_matches (why, GILK_ERROR, GILK_ERROR_NOT_FOUND))
    {
      ok = TRUE;
      report_not_compared (alternation->cli, label, why->message);
    }
  if (alternation->cli->doc != NULL)
    cli_json_end (alternation->cli->doc);
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&why));

  return ok;
}

static gboolean
takes_samples (const GilkPlanHook *hook)
{
  const GilkInline *known = gilk_inline_by_name (hook->instrument);

  return !hook->is_program && (known == NULL || known->samples);
}

static gboolean
compare_all (Alternation *alternation, GError **error)
{
  g_auto(CliSession) session = { 0 };
  guint n = 0;

  if (!cli_session_open (alternation->cli, alternation->options->session, 0, &session, error))
    return FALSE;
  if (alternation->cli->doc != NULL)
    cli_json_array (alternation->cli->doc, "compared");
  for (guint i = 0; i < alternation->plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (alternation->plan->hooks, i);

      if (takes_samples (hook) && (n++, !compare_hook (alternation, &session, hook->label, error)))
        return FALSE;
    }
  if (alternation->cli->doc != NULL)
    cli_json_end (alternation->cli->doc);
  if (n == 0)
    cli_note (alternation->cli, _("No hook of the plan takes samples, so there is nothing to compare: \"gilk runs %s\" and \"gilk report %s --run N\" "
                                  "show the counts of each run."), alternation->options->session, alternation->options->session);

  return TRUE;
}

/* Prints which runs are of side A, and which of side B; if the series ended early, only the runs
 * recorded until then. */
static void
note_sides (const Alternation *alternation)
{
  const char *a = alternation->runs[0]->str, *b = alternation->runs[1]->str;

  if (a[0] != '\0' && b[0] != '\0')
    cli_note (alternation->cli, _("Runs %s are of side A, runs %s of side B. To compare another field: gilk report %s --compare HOOK@%s HOOK@%s "
                                  "--field FIELD"), a, b, alternation->options->session, a, b);
  else if (a[0] != '\0' || b[0] != '\0')
    cli_note (alternation->cli, _("Runs %s of %s, all of side %s, were recorded."), a[0] != '\0' ? a : b, alternation->options->session,
              sides[a[0] == '\0']);
}

static guint
count_runs (const char *path, GError **error)
{
  /* gilk_store_open() would create the file. Do not create it yet: a command may fail. */
  const gboolean exists = g_file_test (path, G_FILE_TEST_EXISTS);
  g_autoptr(GilkStore) store = exists ? gilk_store_open (path, error) : NULL;
  g_autoptr(GArray) runs = store != NULL ? gilk_store_runs (store, error) : NULL;
  guint n = runs != NULL ? runs->len : exists ? G_MAXUINT : 0;

  if (store != NULL && !gilk_store_close (g_steal_pointer (&store), n != G_MAXUINT ? error : NULL))
    return G_MAXUINT;
  return n;
}

gboolean
cli_alternate (Cli                *cli,
               const CliAlternate *alternate,
               GilkPlan           *plan,
               GError            **error)
{
  Alternation alternation = { cli, alternate, plan, { g_string_new (NULL), g_string_new (NULL) } };
  guint before = count_runs (alternate->session, error);
  gboolean ok = before != G_MAXUINT && record_all (&alternation, before, error) && compare_all (&alternation, error);

  note_sides (&alternation);
  g_string_free (alternation.runs[0], TRUE);
  g_string_free (alternation.runs[1], TRUE);

  return ok;
}
