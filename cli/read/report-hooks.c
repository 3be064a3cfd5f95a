/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-hooks.c - reports the hooks of a run with their counts
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "cli/base/output.h"
#include "cli/base/reports.h"
#include "core/base/gilk-format.h"
#include "core/emit/gilk-inline.h"
#include "core/plan/gilk-plan.h"

#define LABELS_LISTED 3       /* maximum number of hooks that a note names */

static gboolean
has_samples (const GilkStoredHook *hook)
{
  return !gilk_inline_is (hook->instrument, GILK_INLINE_COUNT);
}

static double
get_hit_rate (const GilkStoredHook *hook, double seconds)
{
  if (!hook->hits_known)
    return NAN;
  return seconds > 0 ? (double) hook->hits / seconds : 0;
}

/* Adds a cell with the count, or with "-" if the count is not known. */
static void
add_count_cell (CliTable *table, gboolean is_known, uint64_t count, gboolean is_bad)
{
  if (!is_known)
    {
      cli_table_cell (table, "-");
      return;
    }
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) count);
  if (is_bad && count > 0)
    cli_table_tint (table, CLI_TINT_WARN);
}

/* Adds cells with the numbers of bad accesses and of keys that did not fit into maps. */
static void
add_program_cells (CliTable *table, const CliHookMaps *maps)
{
  static const GilkMapKind kinds[] = { GILK_MAP_BAD, GILK_MAP_MISSED };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      uint64_t count;
      gboolean is_known = cli_maps_sum (maps, kinds[i], &count);

      add_count_cell (table, is_known, count, TRUE);
    }
}

/* Prints a note on why some hooks have "-" in the column of hits. */
static void
note_uncounted (Cli *cli, const CliSession *session, const GArray *maps)
{
  g_autoptr(GPtrArray) programs = g_ptr_array_new (), others = g_ptr_array_new ();
  g_autofree char *counting = NULL, *unknown = NULL;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if (!hook->hits_known)
        g_ptr_array_add (cli_maps_of_hook (maps, hook) != NULL ? programs : others, hook->label);
    }
  counting = gilk_list_names (programs, LABELS_LISTED);
  unknown = gilk_list_names (others, LABELS_LISTED);
  if (programs->len > 0)
    cli_print (cli, _("Hits of %s are not counted: a hook with a program counts only where the "
                      "program calls count().\n"), counting);
  if (others->len > 0)
    cli_print (cli, _("Hits of %s are unknown: the instrument does not count them, or another program read its "
                      "samples.\n"), unknown);
}

void
cli_hooks_print (Cli *cli, const CliSession *session, const GArray *maps)
{
  g_autoptr(CliTable) table =
    cli_table_new (maps->len > 0
                   ? _("<HOOK|^POINT|<INSTRUMENT|<TACTIC|>HITS|>FAILED READS|>FULL|>STORED|>LOST|>MISSED|>HITS/S")
                   : _("<HOOK|^POINT|<INSTRUMENT|<TACTIC|>HITS|>STORED|>LOST|>MISSED|>HITS/S"));

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      double seconds = cli_session_seconds (session, hook);
      g_autofree char *rate = cli_format_rate (get_hit_rate (hook, seconds));
      g_autofree char *point = gilk_stored_hook_point (hook);

      cli_table_cell (table, hook->label);
      cli_table_cell (table, point);
      cli_table_cell (table, hook->instrument);
      cli_table_cell (table, hook->tactic);
      add_count_cell (table, hook->hits_known, hook->hits, FALSE);
      if (maps->len > 0)
        add_program_cells (table, cli_maps_of_hook (maps, hook));
      add_count_cell (table, has_samples (hook), hook->stored, FALSE);
      add_count_cell (table, has_samples (hook), hook->lost, TRUE);
      add_count_cell (table, TRUE, hook->missed, TRUE);
      cli_table_cell (table, rate);
    }
  cli_print_table (cli, table);
  note_uncounted (cli, session, maps);
  cli_changes_print (cli, session->run->plan, TRUE);
  if (session->run->lost > 0 && gilk_plan_text_overwrites (session->run->plan))
    cli_print (cli, _("The oldest %" PRIu64 " samples were overwritten: the plan keeps the newest. "
                      "Hit counts are still exact.\n"), (guint64) session->run->lost);
  else if (session->run->lost > 0)
    cli_print_tinted (cli, CLI_TINT_WARN,
                      _("%" PRIu64 " samples were lost because they came faster than they could be "
                        "stored. Hit counts are still exact.\n"), (guint64) session->run->lost);
}

static void
add_program_members (CliJson *json, const CliHookMaps *maps)
{
  uint64_t count;

  if (cli_maps_sum (maps, GILK_MAP_BAD, &count))
    cli_json_uint (json, "failed_reads", count);
  if (cli_maps_sum (maps, GILK_MAP_MISSED, &count))
    cli_json_uint (json, "full", count);
}

void
cli_hooks_to_json (Cli *cli, const CliSession *session, const GArray *maps)
{
  CliJson *json = cli->doc;

  cli_json_array (json, "hooks");
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      double seconds = cli_session_seconds (session, hook);
      g_autofree char *changes = cli_changes_describe (session->run->plan, hook->label);

      cli_json_row (json, NULL);
      cli_json_string (json, "hook", hook->label);
      cli_json_string (json, "function", hook->function);
      cli_json_string (json, "module", hook->module);
      if (!gilk_stored_hook_is_event (hook))
        {
          cli_json_string (json, "block", hook->block);
          cli_json_string (json, "where", hook->where);
        }
      cli_json_string (json, "instrument", hook->instrument);
      cli_json_string (json, "tactic", hook->tactic);
      if (changes != NULL)
        cli_json_string (json, "changes", changes);
      cli_json_uint (json, "cost", hook->cost);
      cli_json_double (json, "seconds", seconds);
      cli_json_uint_if (json, "hits", hook->hits, hook->hits_known);
      if (!hook->hits_known)
        cli_json_string (json, "hits_unknown", cli_maps_of_hook (maps, hook) != NULL ? "program-does-not-count" : "instrument-does-not-count");
      add_program_members (json, cli_maps_of_hook (maps, hook));
      cli_json_uint (json, "stored", hook->stored);
      cli_json_uint (json, "lost", hook->lost);
      cli_json_uint (json, "missed", hook->missed);
      cli_json_double (json, "hits_per_second", get_hit_rate (hook, seconds));
      cli_json_end (json);
    }
  cli_json_end (json);
}
