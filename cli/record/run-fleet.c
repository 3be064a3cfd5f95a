/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-fleet.c - records a plan on several targets at the same time, shows progress and results
 */
#include "cli/record/run.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>

#include "cli/base/bound.h"
#include "cli/base/follow.h"
#include "cli/base/output.h"
#include "cli/base/wait.h"
#include "core/base/gilk-refusal.h"
#include "core/fleet/gilk-fleet.h"
#include "core/link/gilk-lab.h"
#include "core/store/gilk-store.h"

#define REFRESH_MS 200

typedef struct {
  Cli               *cli;
  const CliFleetRun *options;
  GilkFleet         *fleet;
  GError            *error;          /* why the run was not started */
  char              *folder;         /* temporary folder if sessions are not kept; else NULL */
} Monitor;

static guint
count_members (const Monitor *monitor)
{
  return gilk_fleet_n_members (monitor->fleet);
}

static GilkFleetMember
get_member (const Monitor *monitor, guint i)
{
  GilkFleetMember member;

  gilk_fleet_member (monitor->fleet, i, &member);

  return member;
}

/* ---- starting and watching the runs ---- */

static void
append_preparing (const Monitor *monitor, GString *line, guint i)
{
  const GilkFleetMember member = get_member (monitor, i);
  double fraction;
  g_autofree char *doing = gilk_fleet_progress_text (monitor->fleet, i, &fraction);

  if (member.state == GILK_MEMBER_READY)
    g_string_append (line, _("ready"));
  else if (member.state == GILK_MEMBER_FAILED)
    g_string_append (line, _("failed"));
  else
    g_string_append_printf (line, "%s…", doing != NULL ? doing : _("Connecting"));
}

static void
append_running (GilkRun *run, GString *line)
{
  GilkRunFigures figures = { 0 };
  g_autofree char *rate = NULL;

  gilk_run_figures (run, &figures);
  rate = cli_format_rate (figures.samples_per_second);
  if (figures.state == GILK_RUN_RUNNING)
    g_string_append_printf (line, _("%.1f s, %s/s, %lu lost"), figures.elapsed, rate, (guint64) figures.lost);
  else if (figures.state == GILK_RUN_ARMING)
    g_string_append (line, _("arming"));
  else
    g_string_append (line, figures.state == GILK_RUN_STOPPING ? _("stopping") : _("ended"));
  gilk_run_figures_clear (&figures);
}

static gboolean
show_progress (gpointer data)
{
  Monitor *monitor = data;
  g_autoptr(GString) line = g_string_new (NULL);

  for (guint i = 0; i < count_members (monitor); i++)
    {
      const GilkFleetMember member = get_member (monitor, i);

      g_string_append_printf (line, "%s%s: ", i > 0 ? "  " : "", member.spec);
      if (member.run != NULL)
        append_running (member.run, line);
      else
        append_preparing (monitor, line, i);
    }
  cli_progress_show (monitor->cli->progress, line->str);

  return G_SOURCE_CONTINUE;
}

static void
on_prepared (GilkFleet *fleet, Monitor *monitor)
{
  if ((!monitor->options->partial && !gilk_fleet_check_complete (fleet, &monitor->error)) ||
      !gilk_fleet_check_consent (fleet, monitor->options->granted, &monitor->error))
    {
      gilk_fleet_stop (fleet);
      return;
    }
  cli_interrupts_hold (_("Already stopping: restoring the kernels' text and storing the last samples. Please wait."));
  gilk_fleet_start (fleet, monitor->options->granted);
}

static void
start_fleet (gpointer fleet)
{
  gilk_fleet_prepare (fleet);
}

static void
stop_fleet (gpointer fleet)
{
  gilk_fleet_stop (fleet);
}

/* Finds the addresses of @plan's hooks on one target. Each target has a thread, which calls this
 * function; only one thread calls it at a time. */
static gboolean
find_points (GilkPlan *plan, GilkTarget *target, GilkImage *image, GilkFunctions *functions, gpointer data, GError **error)
{
  Monitor *monitor = data;
  CliKernel kernel = { target, image, functions };

  return cli_follow_find_points (monitor->cli, plan, monitor->options->hooks, &kernel, error);
}

static void
watch_fleet (Monitor *monitor)
{
  const guint refresh = cli_progress_enabled (monitor->cli->progress) ? g_timeout_add (REFRESH_MS, show_progress, monitor) : 0;

  g_signal_connect (monitor->fleet, "prepared", G_CALLBACK (on_prepared), monitor);
  cli_wait (monitor->cli, monitor->fleet, start_fleet, stop_fleet);
  if (refresh != 0)
    g_source_remove (refresh);
}

/* ---- printing the results ---- */

static const char *
describe_end (const Monitor *monitor, const GilkFleetMember *member)
{
  if (monitor->error != NULL)
    return member->release == NULL ? _("failed") : member->refusals->len > 0 ? _("refused") : _("not started");
  if (member->error == NULL)
    return C_("end of a target", "ok");

  return g_error_matches (member->error, GILK_ERROR, GILK_ERROR_CANCELLED) ? _("not started") : _("failed");
}

static void
add_start_cell (CliTable *table, const Monitor *monitor, guint i)
{
  double after, off;

  if (!gilk_fleet_start_delay (monitor->fleet, i, &after, &off))
    cli_table_cell (table, "");
  else if (after == 0 && off == 0)
    cli_table_cell (table, C_("begin", "first"));
  else
    cli_table_cellf (table, _("%+.2f ms ±%.2f"), 1e3 * after, 1e3 * off);
}

static void
add_target (CliTable *table, const Monitor *monitor, guint i)
{
  const GilkFleetMember member = get_member (monitor, i);
  GilkRunFigures figures = { 0 };
  const char *end = describe_end (monitor, &member);

  if (member.run != NULL)
    gilk_run_figures (member.run, &figures);
  cli_table_cell (table, member.spec);
  cli_table_cell (table, member.release != NULL ? member.release : "");
  add_start_cell (table, monitor, i);
  if (member.run == NULL)
    for (guint k = 0; k < 3; k++)
      cli_table_cell (table, "");
  else
    {
      cli_table_cellf (table, "%.1f", figures.elapsed);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) figures.samples);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) figures.lost);
      if (figures.lost > 0)
        cli_table_tint (table, CLI_TINT_WARN);
    }
  cli_table_cellf (table, "%u", member.refusals->len);
  if (member.refusals->len > 0)
    cli_table_tint (table, CLI_TINT_WARN);
  cli_table_cell (table, end);
  cli_table_tint (table, monitor->error == NULL && member.error == NULL ? CLI_TINT_GOOD : CLI_TINT_BAD);
  gilk_run_figures_clear (&figures);
}

/* Adds a cell with the number of hits of the hook @label on one target, @member. */
static void
add_hits_cell (CliTable *table, const GilkFleetMember *member, const char *label)
{
  GilkRunFigures figures = { 0 };
  const char *text = "";

  gilk_run_figures (member->run, &figures);
  for (guint i = 0; i < figures.n_hooks; i++)
    if (g_str_equal (g_array_index (gilk_run_plan (member->run)->hooks, GilkBoundHook, i).hook->label, label))
      {
        if (figures.hooks[i].hits_known)
          cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) figures.hooks[i].hits);
        else
          cli_table_cell (table, "-");
        gilk_run_figures_clear (&figures);
        return;
      }
  for (guint i = 0; i < member->refusals->len; i++)
    if (g_str_equal (((GilkFleetRefusal *) member->refusals->pdata[i])->label, label))
      text = _("refused");
  cli_table_cell (table, text);
  gilk_run_figures_clear (&figures);
}

/* Returns the labels of the hooks of all targets, without duplicates, in order of first occurrence.
 * The runs own the strings. (element-type utf8) */
static GPtrArray *
list_labels (const Monitor *monitor, GHashTable *points)
{
  GPtrArray *labels = g_ptr_array_new ();

  for (guint i = 0; i < count_members (monitor); i++)
    {
      const GilkFleetMember member = get_member (monitor, i);

      for (guint k = 0; member.run != NULL && k < gilk_run_plan (member.run)->hooks->len; k++)
        {
          const GilkBoundHook *hook = &g_array_index (gilk_run_plan (member.run)->hooks, GilkBoundHook, k);

          if (!g_hash_table_contains (points, hook->hook->label))
            {
              g_hash_table_insert (points, hook->hook->label, cli_bound_point (hook));
              g_ptr_array_add (labels, hook->hook->label);
            }
        }
    }

  return labels;
}

/* Prints a table of the hooks' hits, with a column for each target. */
static void
print_hits (const Monitor *monitor)
{
  g_autoptr(GHashTable) points = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr(GPtrArray) labels = list_labels (monitor, points);
  g_autoptr(GString) columns = g_string_new (_("<HOOK|^POINT"));
  g_autoptr(CliTable) table = NULL;

  if (labels->len == 0)
    return;
  for (guint i = 0; i < count_members (monitor); i++)
    if (get_member (monitor, i).run != NULL)
      g_string_append_printf (columns, "|>%s", get_member (monitor, i).spec);
  table = cli_table_new (columns->str);
  for (guint l = 0; l < labels->len; l++)
    {
      cli_table_cell (table, labels->pdata[l]);
      cli_table_cell (table, g_hash_table_lookup (points, labels->pdata[l]));
      for (guint i = 0; i < count_members (monitor); i++)
        {
          const GilkFleetMember member = get_member (monitor, i);

          if (member.run != NULL)
            add_hits_cell (table, &member, labels->pdata[l]);
        }
    }
  cli_print (monitor->cli, _("\nHits by target:\n"));
  cli_print_table (monitor->cli, table);
}

/* Prints why each run ended unless it ended as planned, and the last message of a kernel that
 * crashed. */
static void
print_end (const Monitor *monitor, const GilkFleetMember *member)
{
  g_autofree char *died_of = member->error != NULL ? gilk_lab_cause_of_death (member->spec) : NULL;
  g_autofree char *words = NULL;
  const char *ended = member->run != NULL && member->error == NULL ? gilk_run_end_reason (member->run) : NULL;

  if (ended != NULL && !gilk_store_ended_as_planned (ended))
    {
      words = gilk_store_end_reason_text (ended);
      cli_print (monitor->cli, _("\n%s ended: %s.\n"), member->spec, words);
    }
  if (died_of != NULL)
    cli_print (monitor->cli, _("Last kernel message: %s\n"), died_of);
}

static void
print_refusals (const Monitor *monitor, const GilkFleetMember *member)
{
  for (guint i = 0; i < member->refusals->len; i++)
    {
      const GilkFleetRefusal *refusal = member->refusals->pdata[i];

      cli_print_tinted (monitor->cli, CLI_TINT_BAD, _("\n%s refuses %s, %s:"), member->spec, refusal->label, refusal->point);
      cli_print (monitor->cli, " %s\n", refusal->text);
    }
}

static void
print_result (const Monitor *monitor)
{
  g_autoptr(CliTable) table = cli_table_new (_("<TARGET|<KERNEL|>START|>SECONDS|>SAMPLES|>LOST|>REFUSED|<END"));

  for (guint i = 0; i < count_members (monitor); i++)
    add_target (table, monitor, i);
  cli_print_table (monitor->cli, table);
  for (guint i = 0; i < count_members (monitor); i++)
    {
      const GilkFleetMember member = get_member (monitor, i);

      print_refusals (monitor, &member);
      if (member.error != NULL && !g_error_matches (member.error, GILK_ERROR, GILK_ERROR_CANCELLED))
        {
          cli_print_tinted (monitor->cli, CLI_TINT_BAD, "\n%s:", member.spec);
          cli_print (monitor->cli, " %s\n", member.error->message);
        }
      print_end (monitor, &member);
    }
  print_hits (monitor);
}

/* Prints notes on moved hooks, the names of the sessions, and how to compare the sessions. */
static void
note_sessions (const Monitor *monitor)
{
  g_autoptr(GPtrArray) kept = g_ptr_array_new ();

  for (guint i = 0; i < count_members (monitor); i++)
    {
      const GilkFleetMember member = get_member (monitor, i);
      g_autofree char *moved = member.run != NULL ? gilk_bound_plan_describe_moved (gilk_run_plan (member.run)) : NULL;

      if (moved != NULL)
        cli_note (monitor->cli, "%s: %s", member.spec, moved);
      if (monitor->folder == NULL && member.run_number > 0)
        {
          cli_note (monitor->cli, _("Recorded %s as run %u of %s."), member.spec, member.run_number, member.path);
          g_ptr_array_add (kept, (gpointer) member.path);
        }
    }
  if (kept->len > 1)
    cli_note (monitor->cli, _("To compare: \"gilk report %s --compare HOOK HOOK@%s\"."), (char *) kept->pdata[0],
              (char *) kept->pdata[1]);
}

/* ---- writing the results as JSON ---- */

static void
refusals_to_json (CliJson *json, const GilkFleetMember *member)
{
  cli_json_array (json, "refusals");
  for (guint i = 0; i < member->refusals->len; i++)
    {
      const GilkFleetRefusal *refusal = member->refusals->pdata[i];

      cli_json_row (json, NULL);
      cli_json_string (json, "hook", refusal->label);
      cli_json_string (json, "point", refusal->point);
      cli_json_string (json, "error", refusal->text);
      cli_json_string (json, "refusal", refusal->refusal != 0 ? gilk_refusal_name (refusal->refusal) : NULL);
      cli_json_string (json, "remedy", refusal->refusal != 0 ? gilk_refusal_remedy (refusal->refusal) : NULL);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
target_to_json (const Monitor *monitor, guint i)
{
  CliJson *json = monitor->cli->doc;
  const GilkFleetMember member = get_member (monitor, i);
  GilkRunFigures figures = { 0 };
  double after = NAN, off = NAN;

  cli_json_object (json, NULL);
  cli_json_string (json, "target", member.spec);
  cli_json_string (json, "hostname", member.hostname);
  cli_json_string (json, "release", member.release);
  cli_json_string (json, "build_id", member.build_id);
  cli_json_string (json, "session", monitor->folder == NULL && member.run_number > 0 ? member.path : NULL);
  cli_json_uint_if (json, "run", member.run_number, monitor->folder == NULL && member.run_number > 0);
  gilk_fleet_start_delay (monitor->fleet, i, &after, &off);
  cli_json_double (json, "start_delay_s", after);
  cli_json_double (json, "start_delay_error_s", off);
  refusals_to_json (json, &member);
  if (member.error != NULL)
    {
      cli_json_row (json, "error");
      cli_json_string (json, "code", member.error->domain == GILK_ERROR ? gilk_error_code_name (member.error->code) : "failed");
      cli_json_string (json, "message", member.error->message);
      cli_json_end (json);
    }
  if (member.run != NULL)
    {
      gilk_run_figures (member.run, &figures);
      cli_json_string (json, "ended", gilk_run_end_reason (member.run));
      cli_run_figures_json (json, &figures, gilk_run_plan (member.run));
      gilk_run_figures_clear (&figures);
    }
  cli_json_end (json);
}

static void
report_result (const Monitor *monitor)
{
  if (monitor->cli->doc == NULL)
    {
      print_result (monitor);
      note_sessions (monitor);
      return;
    }
  monitor->cli->keep_doc = TRUE;
  cli_json_array (monitor->cli->doc, "targets");
  for (guint i = 0; i < count_members (monitor); i++)
    target_to_json (monitor, i);
  cli_json_end (monitor->cli->doc);
}

/* ---- running on several targets ---- */

static gboolean
add_targets (Monitor *monitor, GError **error)
{
  if (monitor->options->output == NULL)
    {
      monitor->folder = g_dir_make_tmp ("gilk-XXXXXX", error);
      if (monitor->folder == NULL)
        return FALSE;
    }
  for (guint i = 0; monitor->cli->targets[i] != NULL; i++)
    {
      const char *spec = monitor->cli->targets[i];
      g_autofree char *base = monitor->folder != NULL ? g_build_filename (monitor->folder, "run.gilk", NULL)
                                                    : g_strdup (monitor->options->output);
      g_autofree char *path = gilk_fleet_path (base, spec);

      if (!gilk_fleet_add (monitor->fleet, spec, path, error))
        return FALSE;
    }

  return TRUE;
}

static void
remove_sessions (Monitor *monitor)
{
  if (monitor->folder == NULL)
    return;
  for (guint i = 0; i < count_members (monitor); i++)
    g_unlink (get_member (monitor, i).path);
  g_rmdir (monitor->folder);
  g_clear_pointer (&monitor->folder, g_free);
}

gboolean
cli_run_fleet (Cli *cli, const CliFleetRun *how, GError **error)
{
  Monitor monitor = { .cli = cli, .options = how };
  gboolean good;

  monitor.fleet = gilk_fleet_new (how->plan, how->duration_ns);
  gilk_fleet_set_plan_func (monitor.fleet, find_points, &monitor);
  gilk_fleet_set_compress (monitor.fleet, how->compress);
  good = add_targets (&monitor, error);
  if (good)
    {
      watch_fleet (&monitor);
      report_result (&monitor);
      good = monitor.error == NULL && gilk_fleet_check_results (monitor.fleet, error);
      if (monitor.error != NULL)
        g_propagate_error (error, g_steal_pointer (&monitor.error));
    }
  remove_sessions (&monitor);
  g_object_unref (monitor.fleet);

  return good;
}
