/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-run.c - reports the accuracy of a run's times, the measured cost of its hooks, and
 * their effect on the machine
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/analysis/gilk-run-facts.h"
#include "core/base/gilk-error.h"
#include "core/store/gilk-store.h"

static void
cpus_to_json (CliJson *json, const GilkStoredClock *clock)
{
  g_autoptr(GilkFacts) facts = gilk_facts_of_cpus (clock);

  cli_json_array (json, "cpus");
  for (guint i = 0; i < clock->cpus->len; i++)
    {
      cli_json_row (json, NULL);
      cli_json_fact (json, gilk_facts_at (facts, i));
      cli_json_bool (json, "corrected", g_array_index (clock->cpus, GilkStoredCpuClock, i).subtracted_offset);
      cli_json_end (json);
    }
  cli_json_end (json);
}

gboolean
cli_clock_report (Cli              *cli,
                  const CliSession *session,
                  GError          **error)
{
  g_auto(GilkStoredClock) clock = { 0 };
  g_autoptr(GilkFacts) facts = NULL;

  if (!gilk_store_clock (session->store, session->run->id, &clock, error))
    return FALSE;
  facts = gilk_facts_of_clock (&clock, TRUE);
  if (cli->doc != NULL)
    {
      cli_json_object (cli->doc, "clock");
      cli_json_bool (cli->doc, "measured", clock.measured);
      cli_json_facts (cli->doc, facts);
      cpus_to_json (cli->doc, &clock);
      cli_json_end (cli->doc);
    }
  cli_print_facts (cli, facts);

  return TRUE;
}

static void
costs_to_json (CliJson *json, const GArray *costs, const GilkFacts *facts)
{
  cli_json_array (json, "costs");
  for (guint i = 0; i < costs->len; i++)
    {
      cli_json_row (json, NULL);
      cli_json_string (json, "instrument", g_array_index (costs, GilkStoredCost, i).instrument);
      cli_json_string (json, "tactic", g_array_index (costs, GilkStoredCost, i).tactic);
      cli_json_fact (json, gilk_facts_at (facts, i));
      cli_json_end (json);
    }
  cli_json_end (json);
}

gboolean
cli_cost_report (Cli              *cli,
                 const CliSession *session,
                 GError          **error)
{
  g_autoptr(GArray) costs = gilk_store_costs (session->store, session->run->id, error);
  g_autoptr(GilkFacts) facts = costs != NULL ? gilk_facts_of_costs (costs) : NULL;

  if (facts == NULL)
    return FALSE;
  if (cli->doc != NULL)
    costs_to_json (cli->doc, costs, facts);
  cli_print_facts (cli, facts);

  return TRUE;
}

/* ---- gilk report --perturbation: reports the measured effect of hooks on the machine ---- */

#define OUTCOMES_MAX (64 << 20)       /* maximum size of the file of measurements, bytes */

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
        return gilk_fail (error, GILK_ERROR_FORMAT,
                          _("Line %u of %s is invalid. Write \"TIME VALUE\" in each line, with TIME "
                            "in seconds of the target's CLOCK_MONOTONIC."), i + 1, file);
      time -= zero;
      g_array_append_val (times, time);
      g_array_append_val (values, value);
    }
  if (lines == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT, _("%s is larger than %d MiB. Average the values over intervals."),
                 file, OUTCOMES_MAX >> 20);

  return lines != NULL;
}

static GilkEffect *
measure_outcomes (const CliSession *session, const char *file, GError **error)
{
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto(GilkStoredOrigin) origin = { NULL };

  if (!gilk_store_origin (session->store, session->run->id, &origin, error) ||
      !read_outcomes (file, (double) origin.zero_mono_ns / 1e9, times, values, error))
    return NULL;

  return gilk_effect_of_workload (session->store, session->run->id, file, (const double *) (const void *) times->data,
                                  (const double *) (const void *) values->data, times->len, error);
}

/* ---- effect seen by a control hook ---- */

/* Measures the effect of the other hooks on the control hook @label (nullable). Checks @label and
 * @field (nullable) first, to report better errors than measuring would. */
static GilkEffect *
measure_control_hook (const CliSession *session, const char *label, const char *field, GError **error)
{
  const GilkStoredHook *hook = label != NULL ? cli_session_pick_hook (session, label, error)
                                             : gilk_perturbation_control_hook (session->hooks);
  g_autoptr(GArray) fields = NULL;

  if (hook == NULL && label != NULL)
    return NULL;
  if (hook != NULL && field != NULL && strcmp (field, "interval") != 0)
    {
      fields = cli_session_fields (session, hook, error);
      if (fields == NULL || cli_session_find_field (fields, hook, field, error) == NULL)
        return NULL;
    }

  return gilk_effect_of_hook (session->store, session->run->id, hook != NULL ? hook->id : 0, field, error);
}

/* ---- reporting the effect ---- */

static void
effect_to_json (CliJson *json, const GilkEffect *effect, const GilkFacts *facts)
{
  cli_json_object (json, "perturbation");
  cli_json_string (json, "measured", effect->measured_by);
  cli_json_string (json, "field", effect->field);
  cli_json_string (json, "unit", effect->unit);
  cli_json_facts (json, facts);
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
  g_autoptr(GilkEffect) effect = file != NULL ? measure_outcomes (session, file, error)
                                              : measure_control_hook (session, label, field, error);
  g_autoptr(GilkFacts) facts = effect != NULL ? gilk_facts_of_effect (effect) : NULL;
  g_autofree char *caveat = effect != NULL ? gilk_effect_caveat (effect) : NULL;

  if (effect == NULL)
    return FALSE;
  if (cli->doc != NULL)
    effect_to_json (cli->doc, effect, facts);
  cli_print_facts (cli, facts);
  if (caveat != NULL)
    cli_print_tinted (cli, CLI_TINT_WARN, "%s\n", caveat);

  return TRUE;
}
