/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-span.c - how long the calls of functions took that were recorded as spans
 *
 * Samples before a function's first instruction are its entries, those behind the
 * end of a block its exits, as "gilk plan new FUNCTION --span" lays the hooks.
 */
#include "cli/report-span.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/output.h"
#include "core/analysis/gilk-hook-elapsed.h"
#include "core/analysis/gilk-hook-spans.h"
#include "core/run/gilk-plan.h"

typedef struct {
  const GilkStoredHook *first;
  GilkHookSpans         spans;
} Function;

/* Of the function that hook @first is the first one of. */
static gboolean
pair_function (const CliSession *session, guint first, gboolean subtract_cost, Function *function, GError **error)
{
  g_autoptr(GArray) hooks = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));
  g_autoptr(GArray) ends = NULL;

  function->first = cli_session_hook (session, first);
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    g_array_append_vals (hooks, cli_session_hook (session, i), 1);
  ends = gilk_hook_span_ends (function->first, hooks);

  return gilk_hook_spans (session->store, (const GilkStoredHook *) (const void *) ends->data, ends->len, subtract_cost,
                          &function->spans, error);
}

static void
duration_cell (CliTable *table, const Function *function, uint64_t ns)
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
  duration_cell (table, function, spans->min);
  duration_cell (table, function, spans->median);
  duration_cell (table, function, spans->p90);
  duration_cell (table, function, spans->p99);
  duration_cell (table, function, spans->max);
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
    cli_json_uint (json, "clamped", spans->counts.clamped);
  cli_json_uint (json, "open", spans->counts.open);
  cli_json_uint (json, "stray", spans->counts.stray);
  cli_json_uint (json, "cut", spans->counts.cut);
  cli_json_uint (json, "lost", spans->lost);
  cli_json_end (json);
}

static gboolean
is_first (const CliSession *session, guint i)
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
  gboolean any = FALSE;
  uint64_t clamped = 0;

  if (cli->doc != NULL)
    cli_json_array (cli->doc, "spans");
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      Function function;

      if (!is_first (session, i))
        continue;
      if (!pair_function (session, i, subtract_cost, &function, error))
        return FALSE;
      if (cli->doc != NULL)
        add_json (cli->doc, &function, subtract_cost);
      else
        add_row (table, &function);
      clamped += function.spans.counts.clamped;
      any = TRUE;
    }

  if (cli->doc != NULL)
    {
      cli_json_end (cli->doc);
      return TRUE;
    }
  if (!any)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("This run has no hooks of the instrument span. "
                             "\"gilk plan new FUNCTION --span\" makes them."));
      return FALSE;
    }
  cli_print (cli, "\n");
  cli_print_table (cli, table);
  if (subtract_cost)
    cli_print (cli, _("Half of what its entry's and its exit's hooks cost is taken off each call; %lu that were shorter "
                      "count as 0.\n"), (gulong) clamped);
  return TRUE;
}
