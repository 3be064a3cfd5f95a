/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-perturbation.c - gilk report --perturbation: the measured effect of hooks on the machine
 */
#include "cli/read/report-perturbation.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-perturbation.h"
#include "core/base/gilk-file-error.h"
#include "core/plot/gilk-plot.h"
#include "core/store/gilk-store.h"

#define OUTCOMES_MAX (64 << 20)       /* maximum size of the file */

typedef struct {
  const char *name;                     /* name of the measured quantity */
  char       *unit;
  GilkHookPerturbation found;
} Outcome;

/* ---- the workload's own measurements ---- */

/* Parses a line "TIME VALUE"; TIME is in seconds of the target's CLOCK_MONOTONIC. */
static gboolean
parse_line (const char *line, double *time, double *value)
{
  char *end;

  *time = g_ascii_strtod (line, &end);
  if (end == line || (*end != ' ' && *end != '\t' && *end != ','))
    return FALSE;
  line = end + 1;
  *value = g_ascii_strtod (line, &end);

  return end != line && end[strspn (end, " \t\r")] == '\0' && isfinite (*time) && isfinite (*value);
}

static gboolean
read_outcomes (const char *file, double zero, GArray *times, GArray *values, GError **error)
{
  g_autofree char *text = NULL;
  g_auto(GStrv) lines = NULL;
  g_autoptr(GError) local = NULL;
  gsize length;

  if (!g_file_get_contents (file, &text, &length, &local))
    return gilk_unreadable_by (file, local, error);
  lines = length <= OUTCOMES_MAX ? g_strsplit (text, "\n", -1) : NULL;
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      double time, value;

      if (*lines[i] == '\0' || *lines[i] == '#')
        continue;
      if (!parse_line (lines[i], &time, &value))
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                       _("Line %u of %s is invalid. Write TIME VALUE in each, TIME in seconds of the target's "
                         "CLOCK_MONOTONIC."), i + 1, file);
          return FALSE;
        }
      time -= zero;
      g_array_append_val (times, time);
      g_array_append_val (values, value);
    }
  if (lines == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT, _("%s is larger than %d MiB. Average the values over intervals."),
                 file, OUTCOMES_MAX >> 20);

  return lines != NULL;
}

static gboolean
read_outcome_file (const CliSession *session, const char *file, Outcome *outcome, GError **error)
{
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto(GilkStoredOrigin) origin = { NULL };

  outcome->name = file;
  outcome->unit = g_strdup ("");

  return gilk_store_origin (session->store, session->run->id, &origin, error) &&
         read_outcomes (file, (double) origin.zero_mono_ns / 1e9, times, values, error) &&
         gilk_outcome_perturbation (session->store, session->run->id, (const double *) (const void *) times->data,
                                    (const double *) (const void *) values->data, times->len, &outcome->found, error);
}

/* ---- control hook ---- */

static const GilkStoredHook *
choose_control_hook (const CliSession *session, const char *label, GError **error)
{
  const GilkStoredHook *best;

  if (label != NULL)
    return cli_session_pick_hook (session, label, error);
  best = gilk_perturbation_control_hook (session->hooks);
  if (best == NULL)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                         _("No control hook: every hook of this run that takes samples was switched. Record with "
                           "witness=yes at one of them, or give workload numbers with --outcomes."));

  return best;
}

static gboolean
measure_control_hook (const CliSession *session, const char *label, const char *field, Outcome *outcome, GError **error)
{
  const GilkStoredHook *hook = choose_control_hook (session, label, error);
  g_autoptr(GArray) gaps = hook != NULL ? gilk_hook_gaps (session->store, hook, session->run->duration, error) : NULL;
  g_autoptr(GArray) fields = NULL;

  if (gaps == NULL)
    return FALSE;
  outcome->name = hook->label;
  if (field == NULL)
    outcome->unit = g_strdup ("hits/s");
  else if (strcmp (field, "interval") == 0)
    outcome->unit = g_strdup ("s");
  else
    {
      const GilkStoredField *found;

      fields = cli_session_fields (session, hook, error);
      found = fields != NULL ? cli_session_find_field (fields, hook, field, error) : NULL;
      if (found == NULL)
        return FALSE;
      outcome->unit = g_strdup (found->unit != NULL ? found->unit : "");
    }

  return gilk_hook_perturbation (session->store, hook, field, gaps, &outcome->found, error);
}

/* ---- output ---- */

static void
print_outcome (Cli *cli, const Outcome *outcome, const char *field)
{
  const GilkPerturbation *found = &outcome->found.found;
  g_autofree char *on = gilk_format_si (found->on, outcome->unit, 4);
  g_autofree char *off = gilk_format_si (found->off, outcome->unit, 4);
  g_autofree char *difference = gilk_format_si (found->difference, outcome->unit, 3);
  g_autofree char *low = gilk_format_si (found->low, outcome->unit, 3);
  g_autofree char *high = gilk_format_si (found->high, outcome->unit, 3);
  g_autofree char *period = gilk_format_si (outcome->found.period, "s", 3);

  cli_print_tinted (cli, CLI_TINT_BOLD, _("Effect of the hooks on %s%s%s\n"), outcome->name, field != NULL ? ", " : "",
                    field != NULL ? field : "");
  cli_print (cli, _("on %s, off %s: %s (%s to %s, 95 %% confidence)"), on, off, difference, low, high);
  if (!isnan (found->relative))
    cli_print (cli, _(", %+.2f %% (%+.2f to %+.2f)"), 100 * found->relative, 100 * found->relative_low,
               100 * found->relative_high);
  cli_print (cli, _("\nPaired t over %u pairs of intervals of %s, on and off in random order, t = %.3g, p = %.2g; "
                    "ratio by Fieller. Pairs are assumed independent.\n"), found->pairs, period, found->t, found->p);
  if (outcome->found.left_out > 0)
    cli_print (cli, ngettext ("%u pair is left out: cut off, without a value, with a loss, or before the last jump was "
                              "in place.\n",
                              "%u pairs are left out: cut off, without a value, with a loss, or before the last jump "
                              "was in place.\n", outcome->found.left_out), outcome->found.left_out);
}

/* A trap's gate takes effect only after the trap. */
static void
print_traps (Cli *cli, const CliSession *session)
{
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if (!hook->switched || strcmp (hook->tactic, "trap") != 0)
        continue;
      cli_print_tinted (cli, CLI_TINT_WARN, _("Hook %s is a trap, which stays in place while it is off: the cost of "
                                              "the trap itself is not in the difference.\n"), hook->label);
    }
}

static void
outcome_to_json (CliJson *json, const Outcome *outcome, const char *field)
{
  const GilkPerturbation *found = &outcome->found.found;

  cli_json_object (json, "perturbation");
  cli_json_string (json, "of", outcome->name);
  cli_json_string (json, "field", field);
  cli_json_string (json, "unit", outcome->unit);
  cli_json_uint (json, "blocks", outcome->found.intervals);
  cli_json_double (json, "period", outcome->found.period);
  cli_json_uint (json, "pairs", found->pairs);
  cli_json_uint (json, "left_out", outcome->found.left_out);
  cli_json_double (json, "on", found->on);
  cli_json_double (json, "off", found->off);
  cli_json_double (json, "difference", found->difference);
  cli_json_double (json, "low", found->low);
  cli_json_double (json, "high", found->high);
  cli_json_double (json, "relative", found->relative);
  cli_json_double (json, "relative_low", found->relative_low);
  cli_json_double (json, "relative_high", found->relative_high);
  cli_json_double (json, "t", found->t);
  cli_json_double (json, "p", found->p);
  cli_json_end (json);
}

gboolean
cli_perturbation_report (Cli              *cli,
                         const CliSession *session,
                         const char       *label,
                         const char       *field,
                         const char       *file,
                         GError          **error)
{
  Outcome outcome = { NULL };
  gboolean ok = file != NULL ? read_outcome_file (session, file, &outcome, error)
                             : measure_control_hook (session, label, field, &outcome, error);

  if (ok && cli->doc != NULL)
    outcome_to_json (cli->doc, &outcome, field);
  else if (ok)
    {
      print_outcome (cli, &outcome, field);
      print_traps (cli, session);
    }
  g_free (outcome.unit);

  return ok;
}
