/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-paths.c - reports the blocks that slow calls reach and fast ones do not
 *
 * A call's path is a number with a bit for each block that the call reached; a session has the
 * number of calls for each path. The report lists, for each block, what share of the slow calls and
 * of the fast calls reached it, with the largest difference first.
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/base/output.h"
#include "cli/base/plan-paths.h"
#include "cli/base/session.h"
#include "core/analysis/gilk-map-sums.h"
#include "core/base/gilk-strings.h"
#include "core/plot/gilk-plot.h"

typedef struct {
  const GilkStoredHook *hook;
  guint                 bit;
  uint64_t              slow, fast;   /* numbers of slow and of fast calls that reached the block */
} PathBlock;

typedef struct {
  GArray  *paths;
  uint64_t slow, fast;                /* numbers of slow and of fast calls, without the calls from
                                       * which the bound between slow and fast was learned */
  gboolean is_learned;                /* the bound between slow and fast was learned, not given */
  uint64_t n_learned;                 /* number of calls from which the bound was learned */
} Paths;

static void
add_map (Paths *paths, const GilkStoredMap *map, gboolean slow)
{
  g_autoptr(GArray) sums = gilk_map_sums (map);

  for (guint i = 0; i < sums->len; i++)
    {
      const GilkMapSum *sum = &g_array_index (sums, GilkMapSum, i);

      *(slow ? &paths->slow : &paths->fast) += (uint64_t) sum->value;
      for (guint w = 0; w < paths->paths->len; w++)
        {
          PathBlock *block = &g_array_index (paths->paths, PathBlock, w);

          if ((uint64_t) sum->key >> block->bit & 1)
            *(slow ? &block->slow : &block->fast) += (uint64_t) sum->value;
        }
    }
}

static double
get_share (uint64_t part, uint64_t all)
{
  return all > 0 ? (double) part / (double) all : 0.0;
}

static int
compare_by_difference (gconstpointer a, gconstpointer b, gpointer data)
{
  const PathBlock *one = a, *other = b;
  const Paths *paths = data;
  double x = fabs (get_share (one->slow, paths->slow) - get_share (one->fast, paths->fast));
  double y = fabs (get_share (other->slow, paths->slow) - get_share (other->fast, paths->fast));

  return x > y ? -1 : x < y ? 1 : (one->bit > other->bit) - (one->bit < other->bit);
}

static GArray *
list_blocks (const CliSession *session)
{
  GArray *list = g_array_new (FALSE, TRUE, sizeof (PathBlock));

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      const char *number = hook->instrument + strlen (CLI_PATH_PREFIX);
      guint64 bit;

      if (g_str_has_prefix (hook->instrument, CLI_PATH_PREFIX) &&
          gilk_parse_unsigned (number, 10, 0, CLI_PATHS_MAX - 1, &bit))
        g_array_append_vals (list, &(PathBlock) { hook, (guint) bit, 0, 0 }, 1);
    }
  return list;
}

static void
paths_to_json (CliJson *json, const Paths *paths)
{
  cli_json_object (json, "paths");
  cli_json_uint (json, "slow_calls", paths->slow);
  cli_json_uint (json, "fast_calls", paths->fast);
  cli_json_double (json, "slow_share", get_share (paths->slow, paths->slow + paths->fast));
  if (paths->is_learned)
    cli_json_uint (json, "learned_calls", paths->n_learned);
  cli_json_array (json, "blocks");
  for (guint i = 0; i < paths->paths->len; i++)
    {
      const PathBlock *block = &g_array_index (paths->paths, PathBlock, i);

      cli_json_row (json, NULL);
      cli_json_string (json, "hook", block->hook->label);
      cli_json_string (json, "function", block->hook->function);
      cli_json_string (json, "block", block->hook->block);
      cli_json_uint (json, "slow", block->slow);
      cli_json_uint (json, "fast", block->fast);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_end (json);
}

static void
print_paths (Cli *cli, const Paths *paths)
{
  g_autoptr(CliTable) table = cli_table_new (_("<BLOCK|>OF SLOW CALLS|>OF FAST CALLS|>DIFFERENCE"));
  g_autofree char *slow = gilk_format_count ((double) paths->slow), *fast = gilk_format_count ((double) paths->fast);

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nPaths of %s slow and %s fast calls\n"), slow, fast);
  if (paths->slow + paths->fast > 0)
    cli_print (cli, _("%.2g %% of these calls were slow.\n"), 100.0 * get_share (paths->slow, paths->slow + paths->fast));
  if (paths->is_learned)
    cli_print (cli, ngettext ("The threshold of slow calls comes from the first call, which "
                              "counts as neither slow nor fast.\n",
                              "The threshold of slow calls comes from the first %lu calls, "
                              "which count as neither slow nor fast.\n",
                            paths->n_learned), paths->n_learned);
  for (guint i = 0; i < paths->paths->len; i++)
    {
      const PathBlock *block = &g_array_index (paths->paths, PathBlock, i);
      double of_slow = 100.0 * get_share (block->slow, paths->slow), of_fast = 100.0 * get_share (block->fast, paths->fast);

      if (block->slow == 0 && block->fast == 0)
        continue;
      cli_table_cellf (table, "%s%s", block->hook->function, block->hook->block);
      cli_table_cellf (table, "%.1f %%", of_slow);
      cli_table_cellf (table, "%.1f %%", of_fast);
      cli_table_cellf (table, "%+.1f %%", of_slow - of_fast);
    }
  if (cli_table_n_rows (table) > 0)
    cli_print_table (cli, table);
}

gboolean
cli_paths_report (Cli *cli, const CliSession *session, GError **error)
{
  g_autoptr(GArray) all = cli_maps_read (session, NULL, error);
  g_autoptr(GArray) list = list_blocks (session);
  Paths paths = { .paths = list };

  if (all == NULL)
    return FALSE;
  if (list->len == 0)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                      _("No hook of this run compares the paths of calls. Record a plan made by \"gilk plan new "
                        "FUNCTION --paths\"."));
  for (guint i = 0; i < all->len; i++)
    {
      const GArray *maps = g_array_index (all, CliHookMaps, i).maps;

      for (guint k = 0; k < maps->len; k++)
        {
          const GilkStoredMap *one = &g_array_index (maps, GilkStoredMap, k);

          if (one->kind == GILK_MAP_HASH && (strcmp (one->name, CLI_PATHS_SLOW) == 0 || strcmp (one->name, CLI_PATHS_FAST) == 0))
            add_map (&paths, one, strcmp (one->name, CLI_PATHS_SLOW) == 0);
          else if (one->kind == GILK_MAP_GLOBAL && strcmp (one->name, CLI_PATHS_LEARNED) == 0)
            {
              paths.is_learned = TRUE;
              paths.n_learned = (uint64_t) gilk_map_number (one);
            }
        }
    }
  g_array_sort_with_data (list, compare_by_difference, &paths);
  if (cli->doc != NULL)
    paths_to_json (cli->doc, &paths);
  else
    print_paths (cli, &paths);
  return TRUE;
}
