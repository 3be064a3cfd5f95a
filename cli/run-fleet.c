/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-fleet.c - records a plan on several targets at the same time, shows progress and results
 */
#include "cli/run-fleet.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>

#include "cli/bound.h"
#include "cli/follow.h"
#include "cli/output.h"
#include "cli/run-figures.h"
#include "core/base/gilk-refusal.h"
#include "core/run/gilk-fleet.h"
#include "core/store/gilk-store-ended.h"
#include "core/target/gilk-lab.h"

#define REFRESH_MS 200

typedef struct {
  Cli               *cli;
  const CliFleetRun *how;
  GilkFleet         *fleet;
  GMainLoop         *loop;
  GError            *error;          /* why it was not started */
  char              *folder;         /* temporary folder if sessions are not kept; else NULL */
} Watch;

static guint
n_members (const Watch *watch)
{
  return gilk_fleet_n_members (watch->fleet);
}

static GilkFleetMember
member_at (const Watch *watch, guint i)
{
  GilkFleetMember member;

  gilk_fleet_member (watch->fleet, i, &member);

  return member;
}

/* ---- during the run ---- */

static void
add_preparing (const Watch *watch, GString *line, guint i)
{
  const GilkFleetMember member = member_at (watch, i);
  double fraction;
  g_autofree char *doing = gilk_fleet_doing (watch->fleet, i, &fraction);

  if (member.state == GILK_MEMBER_READY)
    g_string_append (line, _("ready"));
  else if (member.state == GILK_MEMBER_FAILED)
    g_string_append (line, _("failed"));
  else
    g_string_append_printf (line, "%s…", doing != NULL ? doing : _("Connecting"));
}

static void
add_running (GilkRun *run, GString *line)
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
  Watch *watch = data;
  g_autoptr(GString) line = g_string_new (NULL);

  for (guint i = 0; i < n_members (watch); i++)
    {
      const GilkFleetMember member = member_at (watch, i);

      g_string_append_printf (line, "%s%s: ", i > 0 ? "  " : "", member.spec);
      if (member.run != NULL)
        add_running (member.run, line);
      else
        add_preparing (watch, line, i);
    }
  cli_progress_show (watch->cli->progress, line->str);

  return G_SOURCE_CONTINUE;
}

static void
on_prepared (GilkFleet *fleet, Watch *watch)
{
  if ((!watch->how->partial && !gilk_fleet_check_whole (fleet, &watch->error)) ||
      !gilk_fleet_check_consent (fleet, watch->how->granted, &watch->error))
    {
      gilk_fleet_stop (fleet);
      return;
    }
  cli_interrupts_hold (_("Already stopping: restoring the kernels' text and storing the last samples. Please wait."));
  gilk_fleet_start (fleet, watch->how->granted);
}

static void
on_ended (GilkFleet *fleet, Watch *watch)
{
  g_main_loop_quit (watch->loop);
}

static gboolean
on_interrupt (GCancellable *cancellable, gpointer data)
{
  gilk_fleet_stop (((Watch *) data)->fleet);

  return G_SOURCE_REMOVE;
}

/* Called in a member's thread, one at a time. */
static gboolean
find_places (GilkPlan *plan, GilkTarget *target, GilkImage *image, GilkFunctions *functions, gpointer data, GError **error)
{
  Watch *watch = data;
  CliKernel kernel = { target, image, functions };

  return cli_follow_find_places (watch->cli, plan, watch->how->hooks, &kernel, error);
}

static void
watch_fleet (Watch *watch)
{
  g_autoptr(GSource) interrupt = g_cancellable_source_new (watch->cli->cancellable);
  const guint refresh = cli_progress_enabled (watch->cli->progress) ? g_timeout_add (REFRESH_MS, show_progress, watch) : 0;

  g_source_set_callback (interrupt, G_SOURCE_FUNC (on_interrupt), watch, NULL);
  g_source_attach (interrupt, NULL);
  g_signal_connect (watch->fleet, "prepared", G_CALLBACK (on_prepared), watch);
  g_signal_connect (watch->fleet, "ended", G_CALLBACK (on_ended), watch);
  gilk_fleet_prepare (watch->fleet);
  g_main_loop_run (watch->loop);
  cli_interrupts_hold (NULL);
  g_source_destroy (interrupt);
  if (refresh != 0)
    g_source_remove (refresh);
  cli_progress_clear (watch->cli->progress);
}

/* ---- result ---- */

static const char *
end_of (const Watch *watch, const GilkFleetMember *member)
{
  if (watch->error != NULL)
    return member->release == NULL ? _("failed") : member->refusals->len > 0 ? _("refused") : _("not started");
  if (member->error == NULL)
    return C_("end of a target", "ok");

  return g_error_matches (member->error, GILK_ERROR, GILK_ERROR_CANCELLED) ? _("not started") : _("failed");
}

static void
began_cell (CliTable *table, const Watch *watch, guint i)
{
  double after, off;

  if (!gilk_fleet_began (watch->fleet, i, &after, &off))
    cli_table_cell (table, "");
  else if (after == 0 && off == 0)
    cli_table_cell (table, C_("begin", "first"));
  else
    cli_table_cellf (table, _("%+.2f ms ±%.2f"), 1e3 * after, 1e3 * off);
}

static void
add_target (CliTable *table, const Watch *watch, guint i)
{
  const GilkFleetMember member = member_at (watch, i);
  GilkRunFigures figures = { 0 };
  const char *end = end_of (watch, &member);

  if (member.run != NULL)
    gilk_run_figures (member.run, &figures);
  cli_table_cell (table, member.spec);
  cli_table_cell (table, member.release != NULL ? member.release : "");
  began_cell (table, watch, i);
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
  cli_table_tint (table, watch->error == NULL && member.error == NULL ? CLI_TINT_GOOD : CLI_TINT_BAD);
  gilk_run_figures_clear (&figures);
}

/* Adds the hits of the member's hook with that label. */
static void
hits_cell (CliTable *table, const GilkFleetMember *member, const char *label)
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

/* Returns the labels of all members' hooks without duplicates, in order of first occurrence.
 * (element-type utf8), owned by the runs */
static GPtrArray *
labels_of (const Watch *watch, GHashTable *points)
{
  GPtrArray *labels = g_ptr_array_new ();

  for (guint i = 0; i < n_members (watch); i++)
    {
      const GilkFleetMember member = member_at (watch, i);

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

/* Prints the hooks' hits, with a column for each target. */
static void
print_hits (const Watch *watch)
{
  g_autoptr(GHashTable) points = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr(GPtrArray) labels = labels_of (watch, points);
  g_autoptr(GString) columns = g_string_new (_("<HOOK|^POINT"));
  g_autoptr(CliTable) table = NULL;

  if (labels->len == 0)
    return;
  for (guint i = 0; i < n_members (watch); i++)
    if (member_at (watch, i).run != NULL)
      g_string_append_printf (columns, "|>%s", member_at (watch, i).spec);
  table = cli_table_new (columns->str);
  for (guint l = 0; l < labels->len; l++)
    {
      cli_table_cell (table, labels->pdata[l]);
      cli_table_cell (table, g_hash_table_lookup (points, labels->pdata[l]));
      for (guint i = 0; i < n_members (watch); i++)
        {
          const GilkFleetMember member = member_at (watch, i);

          if (member.run != NULL)
            hits_cell (table, &member, labels->pdata[l]);
        }
    }
  cli_print (watch->cli, _("\nHits by target:\n"));
  cli_print_table (watch->cli, table);
}

/* Prints why the run ended, unless as planned, and the last message of a kernel that died. */
static void
print_end (const Watch *watch, const GilkFleetMember *member)
{
  g_autofree char *died_of = member->error != NULL ? gilk_lab_died_of (member->spec) : NULL;
  g_autofree char *words = NULL;
  const char *ended = member->run != NULL && member->error == NULL ? gilk_run_ended (member->run) : NULL;

  if (ended != NULL && !gilk_store_ended_plainly (ended))
    {
      words = gilk_store_ended_words (ended);
      cli_print (watch->cli, _("\n%s ended: %s.\n"), member->spec, words);
    }
  if (died_of != NULL)
    cli_print (watch->cli, _("Last kernel message: %s\n"), died_of);
}

static void
print_refusals (const Watch *watch, const GilkFleetMember *member)
{
  for (guint i = 0; i < member->refusals->len; i++)
    {
      const GilkFleetRefusal *refusal = member->refusals->pdata[i];

      cli_print_tinted (watch->cli, CLI_TINT_BAD, _("\n%s refuses %s, %s:"), member->spec, refusal->label, refusal->point);
      cli_print (watch->cli, " %s\n", refusal->text);
    }
}

static void
print_result (const Watch *watch)
{
  g_autoptr(CliTable) table = cli_table_new (_("<TARGET|<KERNEL|>START|>SECONDS|>SAMPLES|>LOST|>REFUSED|<END"));

  for (guint i = 0; i < n_members (watch); i++)
    add_target (table, watch, i);
  cli_print_table (watch->cli, table);
  for (guint i = 0; i < n_members (watch); i++)
    {
      const GilkFleetMember member = member_at (watch, i);

      print_refusals (watch, &member);
      if (member.error != NULL && !g_error_matches (member.error, GILK_ERROR, GILK_ERROR_CANCELLED))
        {
          cli_print_tinted (watch->cli, CLI_TINT_BAD, "\n%s:", member.spec);
          cli_print (watch->cli, " %s\n", member.error->message);
        }
      print_end (watch, &member);
    }
  print_hits (watch);
}

/* Notes moved hooks, the sessions, and how to compare them. */
static void
note_sessions (const Watch *watch)
{
  g_autoptr(GPtrArray) kept = g_ptr_array_new ();

  for (guint i = 0; i < n_members (watch); i++)
    {
      const GilkFleetMember member = member_at (watch, i);
      g_autofree char *moved = member.run != NULL ? gilk_bound_plan_moved (gilk_run_plan (member.run)) : NULL;

      if (moved != NULL)
        cli_note (watch->cli, "%s: %s", member.spec, moved);
      if (watch->folder == NULL && member.run_number > 0)
        {
          cli_note (watch->cli, _("Recorded %s as run %u of %s."), member.spec, member.run_number, member.path);
          g_ptr_array_add (kept, (gpointer) member.path);
        }
    }
  if (kept->len > 1)
    cli_note (watch->cli, _("To compare: \"gilk report %s --compare HOOK HOOK@%s\"."), (char *) kept->pdata[0],
              (char *) kept->pdata[1]);
}

/* ---- JSON ---- */

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
target_to_json (const Watch *watch, guint i)
{
  CliJson *json = watch->cli->doc;
  const GilkFleetMember member = member_at (watch, i);
  GilkRunFigures figures = { 0 };
  double after = NAN, off = NAN;

  cli_json_object (json, NULL);
  cli_json_string (json, "target", member.spec);
  cli_json_string (json, "hostname", member.hostname);
  cli_json_string (json, "release", member.release);
  cli_json_string (json, "build_id", member.build_id);
  cli_json_string (json, "session", watch->folder == NULL && member.run_number > 0 ? member.path : NULL);
  cli_json_uint_if (json, "run", member.run_number, watch->folder == NULL && member.run_number > 0);
  gilk_fleet_began (watch->fleet, i, &after, &off);
  cli_json_double (json, "began_after_s", after);
  cli_json_double (json, "began_error_s", off);
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
      cli_json_string (json, "ended", gilk_run_ended (member.run));
      cli_run_figures_json (json, &figures, gilk_run_plan (member.run));
      gilk_run_figures_clear (&figures);
    }
  cli_json_end (json);
}

static void
tell (const Watch *watch)
{
  if (watch->cli->doc == NULL)
    {
      print_result (watch);
      note_sessions (watch);
      return;
    }
  watch->cli->keep_doc = TRUE;
  cli_json_array (watch->cli->doc, "targets");
  for (guint i = 0; i < n_members (watch); i++)
    target_to_json (watch, i);
  cli_json_end (watch->cli->doc);
}

/* ---- the command ---- */

static gboolean
add_targets (Watch *watch, GError **error)
{
  if (watch->how->output == NULL)
    {
      watch->folder = g_dir_make_tmp ("gilk-XXXXXX", error);
      if (watch->folder == NULL)
        return FALSE;
    }
  for (guint i = 0; watch->cli->targets[i] != NULL; i++)
    {
      const char *spec = watch->cli->targets[i];
      g_autofree char *base = watch->folder != NULL ? g_build_filename (watch->folder, "run.gilk", NULL)
                                                    : g_strdup (watch->how->output);
      g_autofree char *path = gilk_fleet_path (base, spec);

      if (!gilk_fleet_add (watch->fleet, spec, path, error))
        return FALSE;
    }

  return TRUE;
}

static void
forget (Watch *watch)
{
  if (watch->folder == NULL)
    return;
  for (guint i = 0; i < n_members (watch); i++)
    g_unlink (member_at (watch, i).path);
  g_rmdir (watch->folder);
  g_clear_pointer (&watch->folder, g_free);
}

gboolean
cli_run_fleet (Cli *cli, const CliFleetRun *how, GError **error)
{
  Watch watch = { .cli = cli, .how = how };
  gboolean good;

  watch.fleet = gilk_fleet_new (how->plan, how->duration_ns);
  watch.loop = g_main_loop_new (NULL, FALSE);
  gilk_fleet_set_plan_func (watch.fleet, find_places, &watch);
  gilk_fleet_set_compress (watch.fleet, how->compress);
  good = add_targets (&watch, error);
  if (good)
    {
      watch_fleet (&watch);
      tell (&watch);
      good = watch.error == NULL && gilk_fleet_check_ended (watch.fleet, error);
      if (watch.error != NULL)
        g_propagate_error (error, g_steal_pointer (&watch.error));
    }
  forget (&watch);
  g_main_loop_unref (watch.loop);
  g_object_unref (watch.fleet);

  return good;
}
