/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-figures.c - reports the hits and samples of a run's hooks, and how its watchpoints fared, as
 * a table or as JSON
 */
#include "cli/record/run.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "cli/base/bound.h"
#include "cli/base/names.h"
#include "core/base/gilk-format.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-function.h"
#include "core/plan/gilk-plan-point.h"

#define LABELS_LISTED 3       /* maximum number of hooks that a note names */

void
cli_run_figures_json (CliJson *json, const GilkRunFigures *figures, const GilkBoundPlan *bound)
{
  cli_json_double (json, "seconds", figures->elapsed);
  cli_json_uint (json, "samples", figures->samples);
  cli_json_uint (json, "lost", figures->lost);
  cli_json_uint (json, "bytes", figures->bytes);
  if (figures->ring_bytes != 0)
    {
      cli_json_uint (json, "ring_bytes", figures->ring_bytes);
      cli_json_uint (json, "ring_used_max", figures->ring_used_max);
    }
  cli_json_array (json, "hooks");
  for (guint i = 0; i < figures->n_hooks; i++)
    {
      const GilkHookFigures *hook = &figures->hooks[i];
      const GilkBoundHook *planned = &g_array_index (bound->hooks, GilkBoundHook, i);

      cli_json_row (json, NULL);
      cli_json_string (json, "hook", planned->hook->label);
      cli_bound_place_to_json (json, planned);
      cli_json_string (json, "instrument", planned->hook->instrument);
      cli_json_string (json, "tactic", gilk_tactic_name (hook->tactic));
      cli_json_uint_if (json, "hits", hook->hits, hook->hits_known);
      cli_json_uint (json, "stored", hook->stored);
      cli_json_uint (json, "lost", hook->lost);
      cli_json_uint (json, "missed", hook->missed);
      if (planned->program != NULL)
        cli_json_uint (json, "failed_reads", hook->failed_reads);
      cli_run_watchpoint_json (json, hook);
      cli_json_end (json);
    }
  cli_json_end (json);
}

/* Adds a cell with the number of samples, or with "-" if the hook takes none. */
static void
add_sample_cell (CliTable *table, const GilkBoundHook *planned, uint64_t samples, gboolean is_bad)
{
  if (!planned->takes_samples)
    cli_table_cell (table, "-");
  else
    cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) samples);
  if (is_bad && samples > 0)
    cli_table_tint (table, CLI_TINT_WARN);
}

/* Prints a note on why some hooks have "-" in the column of hits. */
static void
note_uncounted (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound)
{
  g_autoptr(GPtrArray) labels = g_ptr_array_new ();
  g_autofree char *names = NULL;

  for (guint i = 0; i < figures->n_hooks; i++)
    if (!figures->hooks[i].hits_known && g_array_index (bound->hooks, GilkBoundHook, i).program != NULL)
      g_ptr_array_add (labels, g_array_index (bound->hooks, GilkBoundHook, i).hook->label);
  names = gilk_list_names (labels, LABELS_LISTED);
  if (labels->len > 0)
    cli_note (cli, _("Hits of %s are not counted: a program counts where it calls count()."), names);
}

void
cli_run_figures_print (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound)
{
  g_autoptr(CliTable) table =
    cli_table_new (_("<HOOK|^POINT|<INSTRUMENT|<TACTIC|>HITS|>STORED|>LOST|>MISSED"));

  for (guint i = 0; i < figures->n_hooks; i++)
    {
      const GilkHookFigures *hook = &figures->hooks[i];
      const GilkBoundHook *planned = &g_array_index (bound->hooks, GilkBoundHook, i);
      g_autofree char *point = cli_bound_point (planned);

      cli_table_cell (table, planned->hook->label);
      cli_table_cell (table, point);
      cli_table_cell (table, planned->hook->instrument);
      cli_table_cell (table, gilk_tactic_name (hook->tactic));
      if (hook->hits_known)
        cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) hook->hits);
      else
        cli_table_cell (table, "-");
      add_sample_cell (table, planned, hook->stored, FALSE);
      add_sample_cell (table, planned, hook->lost, TRUE);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) hook->missed);
      if (hook->missed > 0)
        cli_table_tint (table, CLI_TINT_WARN);
    }
  cli_print_table (cli, table);
  note_uncounted (cli, figures, bound);
}

/* Warns that all memory reads of a hook's program failed. The cause and the remedy depend on
 * whether the hook is in the kernel or in a user-space program. */
static void
print_failed_reads (Cli *cli, const GilkPlanHook *hook, uint64_t bad)
{
  cli_print_tinted (cli, CLI_TINT_WARN,
                    gilk_function_is_user (hook->function)
                    ? _("%s: all %" PRIu64 " of its memory reads failed. A hook in a program can "
                        "read only its own process's memory that is resident at that moment, and "
                        "kernel data reachable through \"task\" and the like. Hook where the "
                        "process has already used that memory.\n")
                    : _("%s: all %" PRIu64 " of its memory reads failed. A hook in the kernel reads "
                        "kernel memory. Write user() around an address of a process, such as the file "
                        "name passed to a system call: string(user(filename), 64). User memory must be "
                        "resident at that moment.\n"),
                      hook->label, bad);
}

void
cli_run_print_failed_reads (Cli *cli, const GilkRunFigures *figures, const GilkBoundPlan *bound)
{
  for (guint i = 0; i < figures->n_hooks; i++)
    if (figures->hooks[i].failed_reads > 0 && figures->hooks[i].failed_reads >= figures->hooks[i].hits)
      print_failed_reads (cli, g_array_index (bound->hooks, GilkBoundHook, i).hook, figures->hooks[i].failed_reads);
}

/* ---- reports on a run's watchpoints: moves, refused addresses, pauses ---- */

static void
note_moves (Cli *cli, const char *label, const struct gilk_watch_status *watch)
{
  g_autofree char *last = gilk_format_si ((double) watch->move_ns / 1e9, "s", 3), *most = gilk_format_si ((double) watch->move_ns_max / 1e9, "s", 3);

  if (watch->moves > 0)
    cli_note (cli, ngettext ("Watchpoint %s was moved to another address %" PRIu64 " time: the last move took %s, "
                             "the longest %s.",
                             "Watchpoint %s was moved to another address %" PRIu64 " times: the last move took %s, "
                             "the longest %s.",
                             (gulong) watch->moves),
              label, (uint64_t) watch->moves, last, most);
  else if (watch->moves_refused == 0)
    cli_note (cli, _("Watchpoint %s never got an address, so it recorded nothing. Check that the hook whose program "
                     "calls watch(%s, ADDRESS) is hit."), label, label);
  if (watch->moves_refused > 0)
    cli_note (cli, ngettext ("Watchpoint %s was given an unwatchable address %" PRIu64 " time: %#" PRIx64 ". %s %s",
                             "Watchpoint %s was given unwatchable addresses %" PRIu64 " times, last %#" PRIx64 ". %s "
                             "%s",
                             (gulong) watch->moves_refused),
              label, (uint64_t) watch->moves_refused, (uint64_t) watch->refused_address,
              gilk_refusal_cause (watch->move_refusal), gilk_refusal_remedy (watch->move_refusal));
}

static void
note_pauses (Cli *cli, const char *label, const struct gilk_watch_status *watch)
{
  g_autofree char *took = gilk_format_duration (watch->paused_ns);

  if (watch->pauses > 0)
    cli_note (cli, ngettext ("Watchpoint %s made %" PRIu64 " pause of %s and missed the accesses during the pause. "
                             "Raise the limit with limit=N.",
                             "Watchpoint %s made %" PRIu64 " pauses of %s in all and missed the accesses during the "
                             "pauses. Raise the limit with limit=N.",
                             (gulong) watch->pauses),
              label, (uint64_t) watch->pauses, took);
}

void
cli_run_watchpoints_note (Cli                  *cli,
                          const GilkRunFigures *figures,
                          const GilkBoundPlan  *bound)
{
  for (guint i = 0; i < figures->n_hooks; i++)
    {
      const GilkPlanHook *planned = g_array_index (bound->hooks, GilkBoundHook, i).hook;

      if (figures->hooks[i].watch.iid == 0)
        continue;
      if (planned->watch->is_movable)
        note_moves (cli, planned->label, &figures->hooks[i].watch);
      note_pauses (cli, planned->label, &figures->hooks[i].watch);
    }
}

void
cli_run_watchpoint_json (CliJson               *json,
                         const GilkHookFigures *hook)
{
  const struct gilk_watch_status *watch = &hook->watch;

  if (watch->iid == 0)
    return;
  cli_json_uint (json, "pauses", watch->pauses);
  cli_json_uint (json, "paused_ns", watch->paused_ns);
  cli_json_uint (json, "moves", watch->moves);
  cli_json_uint (json, "moves_refused", watch->moves_refused);
  cli_json_uint (json, "move_ns", watch->move_ns);
  cli_json_uint (json, "move_ns_max", watch->move_ns_max);
}
