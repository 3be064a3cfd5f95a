/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-alternate.c - records a plan alternately after two commands, and compares the two sides
 */
#include "cli/run-alternate.h"

#include <glib/gi18n.h>

#include "cli/output.h"
#include "cli/report-figures.h"
#include "core/base/gilk-error.h"
#include "core/emit/gilk-inline.h"

static const char *const sides[] = { "A", "B" };

typedef struct {
  Cli                *cli;
  const CliAlternate *asked;
  GilkPlan           *plan;
  GString            *runs[2];       /* numbers of runs in the session, comma-separated */
} Turns;

gboolean
cli_alternate_check (char     **commands,
                     int        rounds,
                     uint64_t   lasts_ns,
                     GError   **error)
{
  guint n = commands != NULL ? g_strv_length (commands) : 0;

  if (n == 0 && rounds == 0)
    return TRUE;
  if (n != 2)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--alternate takes two commands: --alternate COMMAND --alternate COMMAND. Give both."));
  else if (rounds < 0 || rounds > CLI_ALTERNATE_ROUNDS_MAX)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("--rounds takes a number from 1 to %d."), CLI_ALTERNATE_ROUNDS_MAX);
  else if (lasts_ns == 0)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE, _("--alternate needs --for, so that each run ends."));
  else
    return TRUE;

  return FALSE;
}

/* Runs the command of @side. Its output goes to standard error, because standard output has our own
 * results. */
static gboolean
run_command (Turns *turns, guint side, GError **error)
{
  const char *command = turns->asked->commands[side];
  g_autofree char *aside = g_strdup_printf ("exec 1>&2\n%s", command);
  g_autoptr(GSubprocess) shell = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_INHERIT, error, "/bin/sh", "-c", aside, NULL);

  if (shell == NULL)
    return FALSE;
  if (!g_subprocess_wait (shell, turns->cli->cancellable, error))
    {
      g_subprocess_force_exit (shell);
      return FALSE;
    }
  if (g_subprocess_get_if_exited (shell) && g_subprocess_get_exit_status (shell) == 0)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
               _("The command of side %s failed, so that side was not measured: %s"), sides[side], command);

  return FALSE;
}

static gboolean
record_side (Turns *turns, guint side, guint number, GError **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_copy (turns->plan);

  g_free (plan->title);
  plan->title = g_strdup_printf ("%s: %s", sides[side], turns->asked->commands[side]);
  cli_interrupts_may_end (FALSE);       /* allowed while the last run was read */
  if (!run_command (turns, side, error))
    return FALSE;
  cli_print (turns->cli, _("Run %u, %s\n"), number, plan->title);
  if (turns->cli->doc != NULL)
    {
      cli_json_row (turns->cli->doc, NULL);
      cli_json_string (turns->cli->doc, "side", sides[side]);
    }
  if (!turns->asked->record (plan, turns->asked->data, error))
    return FALSE;
  if (turns->cli->doc != NULL)
    cli_json_end (turns->cli->doc);
  g_string_append_printf (turns->runs[side], "%s%u", turns->runs[side]->len > 0 ? "," : "", number);

  return !g_cancellable_set_error_if_cancelled (turns->cli->cancellable, error);
}

static gboolean
record_all (Turns *turns, guint before, GError **error)
{
  const guint n = 2 * turns->asked->rounds;
  guint first = 0;

  if (turns->cli->doc != NULL)
    cli_json_array (turns->cli->doc, "runs");
  for (guint i = 0; i < n; i++)
    {
      first = i % 2 == 0 ? (guint) g_random_int_range (0, 2) : first;
      if (!record_side (turns, i % 2 == 0 ? first : !first, before + i + 1, error))
        return FALSE;
    }
  if (turns->cli->doc != NULL)
    cli_json_end (turns->cli->doc);

  return TRUE;
}

/* Notes a hook that cannot be compared, because one side never hit it; the others are still
 * compared. */
static void
say_not_compared (Cli *cli, const char *label, const char *why)
{
  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "hook", label);
      cli_json_string (cli->doc, "not_compared", why);
    }
  else
    cli_print (cli, _("%s is not compared. %s\n"), label, why);
}

static gboolean
compare_hook (Turns *turns, const CliSession *session, const char *label, GError **error)
{
  g_autofree char *a = g_strdup_printf ("%s@%s", label, turns->runs[0]->str), *b = g_strdup_printf ("%s@%s", label, turns->runs[1]->str);
  const CliFigures figures = { .compare = a, .with = b };
  g_autoptr(GError) why = NULL;
  gboolean ok;

  if (turns->cli->doc != NULL)
    cli_json_row (turns->cli->doc, NULL);
  ok = cli_report_compare (turns->cli, session, &figures, &why);
  if (!ok && g_error_matches (why, GILK_ERROR, GILK_ERROR_NOT_FOUND))
    {
      ok = TRUE;
      say_not_compared (turns->cli, label, why->message);
    }
  if (turns->cli->doc != NULL)
    cli_json_end (turns->cli->doc);
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
compare_all (Turns *turns, GError **error)
{
  g_auto(CliSession) session = { 0 };
  guint n = 0;

  if (!cli_session_open (turns->cli, turns->asked->session, 0, &session, error))
    return FALSE;
  if (turns->cli->doc != NULL)
    cli_json_array (turns->cli->doc, "compared");
  for (guint i = 0; i < turns->plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (turns->plan->hooks, i);

      if (takes_samples (hook) && (n++, !compare_hook (turns, &session, hook->label, error)))
        return FALSE;
    }
  if (turns->cli->doc != NULL)
    cli_json_end (turns->cli->doc);
  if (n == 0)
    cli_note (turns->cli, _("No hook of the plan takes samples, so there is nothing to compare: \"gilk runs %s\" and \"gilk report %s --run N\" "
                            "show the counts of each run."), turns->asked->session, turns->asked->session);

  return TRUE;
}

/* Also called after an early end, for the runs recorded until then. */
static void
say_sides (const Turns *turns)
{
  const char *a = turns->runs[0]->str, *b = turns->runs[1]->str;

  if (a[0] != '\0' && b[0] != '\0')
    cli_note (turns->cli, _("Runs %s are of side A, runs %s of side B. To compare another field: gilk report %s --compare HOOK@%s HOOK@%s "
                            "--field FIELD"), a, b, turns->asked->session, a, b);
  else if (a[0] != '\0' || b[0] != '\0')
    cli_note (turns->cli, _("Runs %s of %s, all of side %s, were recorded."), a[0] != '\0' ? a : b, turns->asked->session,
              sides[a[0] == '\0']);
}

static guint
count_runs (const char *path, GError **error)
{
  /* Do not create the session yet: the command may fail. */
  const gboolean exists = g_file_test (path, G_FILE_TEST_EXISTS);
  g_autoptr(GilkStore) store = exists ? gilk_store_open (path, error) : NULL;
  g_autoptr(GArray) runs = store != NULL ? gilk_store_runs (store, error) : NULL;
  guint n = runs != NULL ? runs->len : exists ? G_MAXUINT : 0;

  if (store != NULL && !gilk_store_close (g_steal_pointer (&store), n != G_MAXUINT ? error : NULL))
    return G_MAXUINT;
  return n;
}

gboolean
cli_alternate (Cli                 *cli,
               const CliAlternate  *alternate,
               GilkPlan            *plan,
               GError             **error)
{
  Turns turns = { cli, alternate, plan, { g_string_new (NULL), g_string_new (NULL) } };
  guint before = count_runs (alternate->session, error);
  gboolean ok = before != G_MAXUINT && record_all (&turns, before, error) && compare_all (&turns, error);

  say_sides (&turns);
  g_string_free (turns.runs[0], TRUE);
  g_string_free (turns.runs[1], TRUE);

  return ok;
}
