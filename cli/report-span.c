/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-span.c - how long the calls of functions took that were recorded as spans
 *
 * Samples before a function's first instruction are its entries, those behind the
 * end of a block its exits, as "gilk plan new FUNCTION --span" lays the hooks.
 */
#include "cli/report-span.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/output.h"
#include "core/analysis/gilk-hook-cost.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-span.h"
#include "core/emit/gilk-inline.h"
#include "core/run/gilk-plan.h"
#include "core/store/gilk-samples.h"

typedef struct {
  const GilkStoredHook *first;
  uint64_t              lost;
  GilkSpans             spans;
} Function;

static gboolean
is_span (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_SPAN);
}

static gboolean
same_function (const GilkStoredHook *a, const GilkStoredHook *b)
{
  return strcmp (a->function, b->function) == 0 && g_strcmp0 (a->module, b->module) == 0;
}

static gboolean
add_losses (const CliSession *session, const GilkStoredHook *hook, GArray *gaps, GError **error)
{
  g_autoptr(GArray) losses = gilk_store_losses (session->store, hook, error);

  for (guint i = 0; losses != NULL && i < losses->len; i++)
    {
      const GilkStoredLoss *loss = &g_array_index (losses, GilkStoredLoss, i);
      const GilkGap gap = {
        .from = (double) loss->from_ns / 1e9, .to = (double) loss->to_ns / 1e9,
        .kind = GILK_GAP_LOST, .lost = (double) (loss->lost + loss->dropped),
      };

      g_array_append_val (gaps, gap);
    }

  /* A call of which the one end was seen, and the other was off, is none that can be told. */
  return losses != NULL && gilk_hook_gaps_add_off (gaps, session->store, hook, error);
}

/* NULL: a damaged session. */
static const GilkStoredHook *
hook_of (const GArray *hooks, gint64 id)
{
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      if (hook->id == id)
        return hook;
    }

  return NULL;
}

/* @hooks: GilkStoredHook, of one function; @costs: double, of each, ns; nullable */
static gboolean
add_marks (const CliSession *session, const GArray *hooks, const GArray *costs, GArray *marks, GError **error)
{
  g_autoptr(GilkSamples) samples =
    gilk_samples_new (session->store, (const GilkStoredHook *) (const void *) hooks->data, hooks->len,
                      error);
  GilkSampleBlock block;
  guint frame, type;
  GError *local = NULL;

  if (samples == NULL || !gilk_samples_add_field (samples, "frame", &frame, &type, error))
    return FALSE;
  if (type == ILK_FIELD_TEXT)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   "%s is damaged: the frames of %s are texts. Use a copy of it.",
                   gilk_store_path (session->store),
                   g_array_index (hooks, GilkStoredHook, 0).function);
      return FALSE;
    }
  gilk_samples_in_order (samples);
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      {
        const GilkStoredHook *hook = hook_of (hooks, block.hook[i]);
        GilkSpanMark mark = {
          .frame = (uint64_t) block.values[frame][i], .t_ns = block.t_ns[i], .order = marks->len,
          .is_exit = hook != NULL && strcmp (hook->where, "post") == 0,
        };

        if (costs != NULL && hook != NULL)
          mark.cost_ns = g_array_index (costs, double, hook - (const GilkStoredHook *) (const void *) hooks->data);
        g_array_append_val (marks, mark);
      }
  if (local != NULL)
    g_propagate_error (error, local);

  return local == NULL;
}

static gboolean
add_cost (const CliSession *session, const GilkStoredHook *hook, GArray *costs, GError **error)
{
  GilkHookCost cost;
  double ns;

  if (!gilk_hook_cost_of (session->store, hook, &cost, error))
    return FALSE;
  ns = cost.seconds * 1e9;
  g_array_append_val (costs, ns);

  return TRUE;
}

/* Pairs the samples of the function that hook @first is the first one of. */
static gboolean
pair_function (const CliSession *session, guint first, gboolean subtract_cost, Function *function, GError **error)
{
  g_autoptr(GArray) hooks = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));
  g_autoptr(GArray) marks = g_array_new (FALSE, FALSE, sizeof (GilkSpanMark));
  g_autoptr(GArray) gaps = g_array_new (FALSE, FALSE, sizeof (GilkGap));
  g_autoptr(GArray) costs = subtract_cost ? g_array_new (FALSE, FALSE, sizeof (double)) : NULL;

  *function = (Function) { .first = cli_session_hook (session, first) };
  for (guint i = first; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if (!is_span (hook) || !same_function (hook, function->first))
        continue;
      function->lost += hook->lost;
      g_array_append_vals (hooks, hook, 1);
      if (!add_losses (session, hook, gaps, error) || (costs != NULL && !add_cost (session, hook, costs, error)))
        return FALSE;
    }
  if (!add_marks (session, hooks, costs, marks, error))
    return FALSE;
  gilk_gaps_tidy (gaps, INFINITY);
  gilk_spans_pair ((GilkSpanMark *) marks->data, marks->len, gaps, &function->spans);

  return TRUE;
}

static void
duration_cell (CliTable *table, const Function *function, uint64_t ns)
{
  g_autofree char *text = gilk_format_duration (ns);

  cli_table_cell (table, function->spans.calls > 0 ? text : "-");
}

static void
add_row (CliTable *table, const Function *function)
{
  const GilkSpans *spans = &function->spans;

  cli_table_cell (table, function->first->function);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) spans->calls);
  duration_cell (table, function, spans->min);
  duration_cell (table, function, spans->median);
  duration_cell (table, function, spans->p90);
  duration_cell (table, function, spans->p99);
  duration_cell (table, function, spans->max);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) spans->open);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) spans->stray);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) spans->cut);
  if (spans->cut > 0)
    cli_table_tint (table, CLI_TINT_WARN);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) function->lost);
  if (function->lost > 0)
    cli_table_tint (table, CLI_TINT_WARN);
}

static void
add_json (CliJson *json, const Function *function, gboolean subtract_cost)
{
  const GilkSpans *spans = &function->spans;
  const struct { const char *name; uint64_t ns; } figures[] = {
    { "min_ns", spans->min }, { "median_ns", spans->median }, { "p90_ns", spans->p90 },
    { "p99_ns", spans->p99 }, { "max_ns", spans->max },
  };

  cli_json_row (json, NULL);
  cli_json_string (json, "function", function->first->function);
  cli_json_string (json, "module", function->first->module);
  cli_json_uint (json, "calls", spans->calls);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    cli_json_uint_if (json, figures[i].name, figures[i].ns, spans->calls > 0);
  if (subtract_cost)
    cli_json_uint (json, "clamped", spans->clamped);
  cli_json_uint (json, "open", spans->open);
  cli_json_uint (json, "stray", spans->stray);
  cli_json_uint (json, "cut", spans->cut);
  cli_json_uint (json, "lost", function->lost);
  cli_json_end (json);
}

static gboolean
is_first (const CliSession *session, guint i)
{
  const GilkStoredHook *hook = cli_session_hook (session, i);

  for (guint j = 0; j < i; j++)
    if (is_span (cli_session_hook (session, j)) &&
        same_function (cli_session_hook (session, j), hook))
      return FALSE;

  return is_span (hook);
}

gboolean
cli_span_report (Cli *cli, const CliSession *session, gboolean subtract_cost, GError **error)
{
  g_autoptr(CliTable) table =
    cli_table_new ("<CALLS OF|>CALLS|>MIN|>MEDIAN|>P90|>P99|>MAX|>OPEN|>STRAY|>CUT|>LOST");
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
      clamped += function.spans.clamped;
      gilk_spans_clear (&function.spans);
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
