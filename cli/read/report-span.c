/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-span.c - reports the duration of calls recorded with the instrument span
 *
 * A sample of a pre-hook is a function's entry, and a sample of a post-hook is its exit, because
 * "gilk plan new FUNCTION --span" places the hooks so.
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/cost/gilk-hook-cost.h"
#include "core/analysis/gilk-hook-elapsed.h"
#include "core/analysis/gilk-hook-samples.h"
#include "core/plan/gilk-plan.h"

typedef struct {
  const GilkStoredHook *first;
  GilkHookSpans         spans;
  GilkHookCost          cost;           /* time that a hit costs; with --subtract-cost it is
                                         * subtracted from each call's duration */
  guint                 exits, jumps;   /* number of hooked exits; number of tail calls among
                                         * these exits */
} Function;

/* Pairs entries and exits of the function whose first hook is @first. */
static gboolean
pair_function (const CliSession *session, guint first, gboolean subtract_cost, Function *function, GError **error)
{
  g_autoptr(GArray) hooks = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));
  g_autoptr(GArray) ends = NULL;

  function->first = cli_session_hook (session, first);
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    g_array_append_vals (hooks, cli_session_hook (session, i), 1);
  ends = gilk_hook_span_hooks (function->first, hooks);
  if (!gilk_hook_spans (session->store, (const GilkStoredHook *) (const void *) ends->data, ends->len, subtract_cost,
                        &function->spans, error) ||
      (subtract_cost && !gilk_hook_elapsed_cost (session->store, (const GilkStoredHook *) (const void *) ends->data, ends->len,
                                                 &function->cost, error)))
    return FALSE;
  function->cost.clamped = function->spans.counts.clamped;

  return TRUE;
}

static void
add_duration_cell (CliTable *table, const Function *function, uint64_t ns)
{
  g_autofree char *text = gilk_format_duration (ns);

  cli_table_cell (table, function->spans.counts.calls > 0 ? text : "-");
}

static void
add_row (CliTable *table, const Function *function)
{
  const GilkHookSpans *spans = &function->spans;

  cli_table_cell (table, function->first->function);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) spans->counts.calls);
  add_duration_cell (table, function, spans->min);
  add_duration_cell (table, function, spans->median);
  add_duration_cell (table, function, spans->p90);
  add_duration_cell (table, function, spans->p99);
  add_duration_cell (table, function, spans->max);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) spans->counts.open);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) spans->counts.stray);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) spans->counts.cut);
  if (spans->counts.cut > 0)
    cli_table_tint (table, CLI_TINT_WARN);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) spans->lost);
  if (spans->lost > 0)
    cli_table_tint (table, CLI_TINT_WARN);
}

static void
add_json (CliJson *json, const Function *function, gboolean subtract_cost)
{
  const GilkHookSpans *spans = &function->spans;
  const struct { const char *name; uint64_t ns; } figures[] = {
    { "min_ns", spans->min }, { "median_ns", spans->median }, { "p90_ns", spans->p90 },
    { "p99_ns", spans->p99 }, { "max_ns", spans->max },
  };

  cli_json_row (json, NULL);
  cli_json_string (json, "function", function->first->function);
  cli_json_string (json, "module", function->first->module);
  cli_json_uint (json, "calls", spans->counts.calls);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    cli_json_uint_if (json, figures[i].name, figures[i].ns, spans->counts.calls > 0);
  if (subtract_cost)
    {
      cli_json_double (json, "cost_ns", 1e9 * function->cost.seconds);
      cli_json_double (json, "cost_low_ns", 1e9 * function->cost.low);
      cli_json_double (json, "cost_high_ns", 1e9 * function->cost.high);
      cli_json_uint (json, "cost_measurements", function->cost.n_measurements);
      cli_json_uint (json, "clamped", spans->counts.clamped);
    }
  cli_json_uint (json, "open", spans->counts.open);
  cli_json_uint (json, "stray", spans->counts.stray);
  cli_json_uint (json, "cut", spans->counts.cut);
  cli_json_uint (json, "lost", spans->lost);
  cli_json_uint (json, "exits", function->exits);
  cli_json_uint (json, "tail_calls", function->jumps);
  cli_json_end (json);
}

/* Returns whether the block's text ends in a jump out of its function. */
static gboolean
ends_in_jump (const GilkStoredBlock *block)
{
  const char *last = block->text != NULL ? strrchr (block->text, '\n') : NULL;

  last = last != NULL && last[1] != '\0' ? last + 1 : block->text;
  return last != NULL && g_str_has_prefix (last, "jmp");
}

/* Counts the hooked exits of the function of @first, and how many of them are tail calls. */
static gboolean
count_jumps (const CliSession *session, const GilkStoredHook *first, guint *jumps, guint *exits, GError **error)
{
  g_autoptr(GArray) functions = gilk_store_functions (session->store, session->run->id, error);

  *jumps = *exits = 0;
  for (guint f = 0; functions != NULL && f < functions->len; f++)
    {
      const GilkStoredFunction *function = &g_array_index (functions, GilkStoredFunction, f);
      g_autoptr(GArray) blocks = NULL, edges = NULL;

      if (strcmp (function->name, first->function) != 0 || g_strcmp0 (function->module, first->module) != 0)
        continue;
      if (!gilk_store_function (session->store, function, &blocks, &edges, error))
        return FALSE;
      for (guint i = 0; i < cli_session_n_hooks (session); i++)
        {
          const GilkStoredHook *hook = cli_session_hook (session, i);

          if (!gilk_hook_is_span (hook) || !gilk_hook_same_function (hook, first) || strcmp (hook->where, "post") != 0)
            continue;
          ++*exits;
          for (guint b = 0; b < blocks->len; b++)
            {
              const GilkStoredBlock *block = &g_array_index (blocks, GilkStoredBlock, b);

              *jumps += strcmp (block->name, hook->block) == 0 && ends_in_jump (block);
            }
        }
    }

  return functions != NULL;
}

static gboolean
is_first_of_function (const CliSession *session, guint i)
{
  const GilkStoredHook *hook = cli_session_hook (session, i);

  for (guint j = 0; j < i; j++)
    if (gilk_hook_is_span (cli_session_hook (session, j)) &&
        gilk_hook_same_function (cli_session_hook (session, j), hook))
      return FALSE;

  return gilk_hook_is_span (hook);
}

gboolean
cli_span_report (Cli *cli, const CliSession *session, gboolean subtract_cost, GError **error)
{
  g_autoptr(CliTable) table =
    cli_table_new (_("<CALLS OF|>CALLS|>MIN|>MEDIAN|>P90|>P99|>MAX|>OPEN|>STRAY|>CUT|>LOST"));
  g_autoptr(GString) jumps = g_string_new (NULL), costs = g_string_new (NULL);
  gboolean any = FALSE;

  cli_json_array (cli->doc, "spans");
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      Function function;

      if (!is_first_of_function (session, i))
        continue;
      if (!pair_function (session, i, subtract_cost, &function, error) ||
          !count_jumps (session, function.first, &function.jumps, &function.exits, error))
        return FALSE;
      if (function.jumps > 0)
        g_string_append_printf (jumps, _("Not covered: %u of the %u exits of %s jump into another function, whose time "
                                         "is not included.\n"), function.jumps, function.exits, function.first->function);
      if (cli->doc != NULL)
        add_json (cli->doc, &function, subtract_cost);
      else
        add_row (table, &function);
      if (subtract_cost)
        {
          g_autofree char *words = gilk_hook_cost_text (&function.cost);

          g_string_append_printf (costs, "%s: %s.\n", function.first->function, words);
        }
      any = TRUE;
    }

  if (cli->doc != NULL)
    {
      cli_json_end (cli->doc);
      return TRUE;
    }
  if (!any)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                      _("This run has no hooks of the instrument \"span\". \"gilk plan new "
                        "FUNCTION --span\" writes a plan with such hooks."));
  cli_print (cli, "\n");
  cli_print_table (cli, table);
  cli_print_tinted (cli, CLI_TINT_WARN, "%s", jumps->str);
  cli_print (cli, "%s", costs->str);
  return TRUE;
}
