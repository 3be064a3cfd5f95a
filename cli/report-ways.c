/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-ways.c - reports the blocks that slow calls reach and fast ones do not
 *
 * A call's path has a bit for each block; sessions hold the number of calls by path. The report
 * lists, for each block, the share of slow and of fast calls that reached it, the greatest
 * difference first.
 */
#include "cli/report-ways.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kept.h"
#include "cli/output.h"
#include "cli/plan-ways.h"
#include "core/analysis/gilk-kept-sums.h"
#include "core/base/gilk-number.h"
#include "core/plot/gilk-plot.h"

typedef struct {
  const GilkStoredHook *hook;
  guint                 bit;
  uint64_t              slow, fast;   /* calls that reached it */
} Way;

typedef struct {
  GArray  *ways;
  uint64_t slow, fast;                /* all calls except learnt ones */
  gboolean learns;                    /* the bound was learnt */
  uint64_t learnt;                    /* number of calls it was learnt from, which are neither */
} Ways;

static void
take_map (Ways *ways, const GilkStoredKept *map, gboolean slow)
{
  g_autoptr(GArray) sums = gilk_kept_sums (map);

  for (guint i = 0; i < sums->len; i++)
    {
      const GilkKeptSum *sum = &g_array_index (sums, GilkKeptSum, i);

      *(slow ? &ways->slow : &ways->fast) += (uint64_t) sum->value;
      for (guint w = 0; w < ways->ways->len; w++)
        {
          Way *way = &g_array_index (ways->ways, Way, w);

          if ((uint64_t) sum->key >> way->bit & 1)
            *(slow ? &way->slow : &way->fast) += (uint64_t) sum->value;
        }
    }
}

static double
share (uint64_t part, uint64_t all)
{
  return all > 0 ? (double) part / (double) all : 0.0;
}

static int
by_difference (gconstpointer a, gconstpointer b, gpointer data)
{
  const Way *one = a, *other = b;
  const Ways *ways = data;
  double x = fabs (share (one->slow, ways->slow) - share (one->fast, ways->fast));
  double y = fabs (share (other->slow, ways->slow) - share (other->fast, ways->fast));

  return x > y ? -1 : x < y ? 1 : (one->bit > other->bit) - (one->bit < other->bit);
}

static GArray *
list_ways (const CliSession *session)
{
  GArray *list = g_array_new (FALSE, TRUE, sizeof (Way));

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      const char *number = hook->instrument + strlen (CLI_WAY_PREFIX);
      guint64 bit;

      if (g_str_has_prefix (hook->instrument, CLI_WAY_PREFIX) &&
          gilk_parse_unsigned (number, 10, 0, CLI_WAYS_MAX - 1, &bit))
        g_array_append_vals (list, &(Way) { hook, (guint) bit, 0, 0 }, 1);
    }
  return list;
}

static void
ways_to_json (CliJson *json, const Ways *ways)
{
  cli_json_object (json, "ways");
  cli_json_uint (json, "slow_calls", ways->slow);
  cli_json_uint (json, "fast_calls", ways->fast);
  cli_json_double (json, "slow_share", share (ways->slow, ways->slow + ways->fast));
  if (ways->learns)
    cli_json_uint (json, "learnt_calls", ways->learnt);
  cli_json_array (json, "blocks");
  for (guint i = 0; i < ways->ways->len; i++)
    {
      const Way *way = &g_array_index (ways->ways, Way, i);

      cli_json_row (json, NULL);
      cli_json_string (json, "hook", way->hook->label);
      cli_json_string (json, "function", way->hook->function);
      cli_json_string (json, "block", way->hook->block);
      cli_json_uint (json, "slow", way->slow);
      cli_json_uint (json, "fast", way->fast);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_end (json);
}

static void
print_ways (Cli *cli, const Ways *ways)
{
  g_autoptr(CliTable) table = cli_table_new (_("<BLOCK|>OF SLOW CALLS|>OF FAST CALLS|>DIFFERENCE"));
  g_autofree char *slow = gilk_format_count ((double) ways->slow), *fast = gilk_format_count ((double) ways->fast);

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nPaths of %s slow and %s fast calls\n"), slow, fast);
  if (ways->slow + ways->fast > 0)
    cli_print (cli, _("%.2g %% of these calls were slow.\n"), 100.0 * share (ways->slow, ways->slow + ways->fast));
  if (ways->learns)
    cli_print (cli, ngettext ("The threshold for slow was learned from the first call, which counts as neither.\n",
                              "The threshold for slow was learned from the first %lu calls, which count as neither.\n",
                            ways->learnt), ways->learnt);
  for (guint i = 0; i < ways->ways->len; i++)
    {
      const Way *way = &g_array_index (ways->ways, Way, i);
      double of_slow = 100.0 * share (way->slow, ways->slow), of_fast = 100.0 * share (way->fast, ways->fast);

      if (way->slow == 0 && way->fast == 0)
        continue;
      cli_table_cellf (table, "%s%s", way->hook->function, way->hook->block);
      cli_table_cellf (table, "%.1f %%", of_slow);
      cli_table_cellf (table, "%.1f %%", of_fast);
      cli_table_cellf (table, "%+.1f %%", of_slow - of_fast);
    }
  if (cli_table_n_rows (table) > 0)
    cli_print_table (cli, table);
}

gboolean
cli_ways_report (Cli *cli, const CliSession *session, GError **error)
{
  g_autoptr(GArray) all = cli_kept_read (session, NULL, error);
  g_autoptr(GArray) list = list_ways (session);
  Ways ways = { .ways = list };

  if (all == NULL)
    return FALSE;
  if (list->len == 0)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("No hook of this run compares the paths of calls. Record a plan made by \"gilk plan new "
                             "FUNCTION --ways\"."));
      return FALSE;
    }
  for (guint i = 0; i < all->len; i++)
    {
      const GArray *kept = g_array_index (all, CliKept, i).kept;

      for (guint k = 0; k < kept->len; k++)
        {
          const GilkStoredKept *one = &g_array_index (kept, GilkStoredKept, k);

          if (one->kind == GILK_KEPT_MAP && (strcmp (one->name, CLI_WAYS_SLOW) == 0 || strcmp (one->name, CLI_WAYS_FAST) == 0))
            take_map (&ways, one, strcmp (one->name, CLI_WAYS_SLOW) == 0);
          else if (one->kind == GILK_KEPT_GLOBAL && strcmp (one->name, CLI_WAYS_LEARNING) == 0)
            {
              ways.learns = TRUE;
              ways.learnt = (uint64_t) gilk_kept_number (one);
            }
        }
    }
  g_array_sort_with_data (list, by_difference, &ways);
  if (cli->doc != NULL)
    ways_to_json (cli->doc, &ways);
  else
    print_ways (cli, &ways);
  return TRUE;
}
