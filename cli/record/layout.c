/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout.c - computes the new code layout of functions, and its effect
 */
#include "cli/record/layout.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/wait.h"
#include "core/splice/gilk-clone.h"
#include "core/splice/gilk-code-layout.h"

static void
function_free (gpointer data)
{
  CliLayoutFunction *func = data;

  g_free (func->name);
  gilk_cfg_unref (func->cfg);
  gilk_code_layout_free (func->layout);
  g_free (func);
}

void
cli_layout_clear (CliLayout *layout)
{
  g_clear_pointer (&layout->functions, g_ptr_array_unref);
  g_clear_pointer (&layout->refused, g_ptr_array_unref);
  g_clear_pointer (&layout->decoder, gilk_decoder_free);
  g_clear_pointer (&layout->times.why_not, g_free);
}

static gboolean
has_function (const CliLayout *layout, const GilkFunction *function)
{
  for (guint i = 0; i < layout->functions->len; i++)
    if (cli_layout_function (layout, i)->function == function)
      return TRUE;

  return FALSE;
}

static CliLayoutFunction *
add_function (CliLayout *layout, const GilkCallee *reached, gboolean inner)
{
  CliLayoutFunction *func = g_new0 (CliLayoutFunction, 1);

  func->function = reached->function;
  func->name = gilk_functions_name (layout->kernel->functions, reached->function);
  func->cfg = gilk_cfg_ref (reached->cfg);
  func->inner = inner;
  g_ptr_array_add (layout->functions, func);

  return func;
}

static gboolean
add_root (CliLayout *layout, const char *name, GError **error)
{
  const GilkFunction *function = gilk_functions_lookup (layout->kernel->functions, name, error);
  g_autoptr(GArray) reached = NULL;
  const GilkCallee *root;

  if (function == NULL)
    return FALSE;
  if (has_function (layout, function))
    return gilk_fail (error, GILK_ERROR_USAGE, _("%s is named twice. Name it once."), name);
  reached = gilk_callees_find (layout->kernel->functions, layout->kernel->image, function, 0, layout->decoder, NULL, NULL, error);
  if (reached == NULL)
    return FALSE;
  root = &g_array_index (reached, GilkCallee, 0);
  if (root->refusal != 0)
    {
      layout->cli->refusal = root->refusal;
      return gilk_fail (error, GILK_ERROR_REFUSED, _("Cannot clone %s: %s %s"), name,
                        gilk_refusal_cause (root->refusal), gilk_refusal_remedy (root->refusal));
    }
  add_function (layout, root, FALSE);
  layout->n_roots = layout->functions->len;

  return TRUE;
}

gboolean
cli_layout_add_functions (CliLayout *layout, char *const *names, GError **error)
{
  layout->decoder = gilk_decoder_new ();
  layout->functions = g_ptr_array_new_with_free_func (function_free);
  layout->refused = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; names[i] != NULL; i++)
    if (!add_root (layout, names[i], error))
      return FALSE;

  return TRUE;
}

/* ---- adding callees ---- */

/* A callee of the counted functions. */
typedef struct {
  GilkCallee reached;          /* a callee; this struct owns a reference to its cfg */
  uint64_t    calls;
} Candidate;

static void
candidate_clear (gpointer data)
{
  g_clear_pointer (&((Candidate *) data)->reached.cfg, gilk_cfg_unref);
}

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  uint64_t x = ((const Candidate *) a)->calls, y = ((const Candidate *) b)->calls;

  return x > y ? -1 : x < y;
}

static void
note_refused (CliLayout *layout, const char *name)
{
  if (!g_ptr_array_find_with_equal_func (layout->refused, name, g_str_equal, NULL))
    g_ptr_array_add (layout->refused, g_strdup (name));
}

static void
weigh_callee (CliLayout *layout, const CliLayoutFunction *caller, const GilkCallee *callee, GArray *candidates)
{
  uint64_t calls = gilk_code_layout_calls (caller->layout, callee->function->hot.start);

  if (calls == 0 || has_function (layout, callee->function))
    return;
  if (callee->refusal != 0)
    {
      if (calls >= caller->layout->calls / GILK_ORDER_SELDOM)
        note_refused (layout, callee->function->name);
      return;
    }
  for (guint i = 0; i < candidates->len; i++)
    if (g_array_index (candidates, Candidate, i).reached.function == callee->function)
      {
        g_array_index (candidates, Candidate, i).calls += calls;
        return;
      }

  Candidate candidate = { *callee, calls };

  gilk_cfg_ref (candidate.reached.cfg);
  g_array_append_val (candidates, candidate);
}

guint
cli_layout_add_callees (CliLayout *layout, GError **error)
{
  g_autoptr(GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  guint n_known = layout->functions->len, added = 0;

  g_array_set_clear_func (candidates, candidate_clear);
  for (guint i = 0; i < n_known; i++)
    {
      const CliLayoutFunction *caller = cli_layout_function (layout, i);
      g_autoptr(GArray) reached = NULL;

      if (caller->layout == NULL || caller->layout->calls == 0)
        continue;
      reached = gilk_callees_find (layout->kernel->functions, layout->kernel->image, caller->function, 1,
                                   layout->decoder, NULL, NULL, error);
      if (reached == NULL)
        return 0;
      for (guint k = 1; k < reached->len; k++)
        weigh_callee (layout, caller, &g_array_index (reached, GilkCallee, k), candidates);
    }

  g_array_sort (candidates, compare_candidates);
  for (guint i = 0; i < candidates->len && n_known - layout->n_roots + added < layout->n_callees; i++)
    if (g_array_index (candidates, Candidate, i).calls >=
        cli_layout_function (layout, 0)->layout->calls / GILK_ORDER_SELDOM)
      {
        add_function (layout, &g_array_index (candidates, Candidate, i).reached, TRUE);
        added++;
      }

  return added;
}

/* ---- computing the expected effect ---- */

/* Returns how many calls enter the clone (the copy with the new layout) through the jump at the
 * original function's entry. Calls between clones do not use that jump. */
static uint64_t
count_entries (const CliLayout *layout, const CliLayoutFunction *func)
{
  uint64_t calls = func->layout->calls;

  if (func->inner)
    return 0;
  for (guint i = 0; layout->joined && i < layout->functions->len; i++)
    {
      const CliLayoutFunction *caller = cli_layout_function (layout, i);
      uint64_t linked = caller->left_out || caller == func ? 0 :
                        gilk_code_layout_calls (caller->layout, func->function->hot.start);

      calls -= MIN (calls, linked);
    }

  return calls;
}

static GilkSplicePlan *
make_clone (const CliLayout *layout, const CliLayoutFunction *func, GError **error)
{
  guint refusal;
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new_bare (func->cfg, layout->decoder, func->inner, &refusal);

  if (plan != NULL && !gilk_clone_set_order (plan, func->layout->order))
    {
      refusal = GILK_REFUSAL_CLONE_TOO_LARGE;
      g_clear_pointer (&plan, gilk_splice_plan_free);
    }
  if (plan != NULL)
    return g_steal_pointer (&plan);

  layout->cli->refusal = refusal;
  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("Cannot clone %s: %s %s"), func->name,
               gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
  return NULL;
}

/* Computes the figures of the new layout, such as taken branches and touched cache lines, as if the
 * clone were at the address of the original function. */
static gboolean
compute_figures (const CliLayout *layout, CliLayoutFunction *func, GError **error)
{
  uint64_t slot = func->function->hot.start & ~(uint64_t) (GILK_CACHE_LINE - 1);
  const struct ilk_info info = { .ring_bytes = 1 << 20, .gates = slot };
  const GilkBinding none = { 0 };
  g_autoptr(GilkSplicePlan) plan = make_clone (layout, func, error);
  g_auto(GilkCode) code = { NULL };

  if (plan == NULL || !gilk_emit_code (plan, 0, slot, &info, &none, &code, error))
    return FALSE;
  gilk_code_layout_after (func->layout, &code, slot, count_entries (layout, func), &func->after);

  return TRUE;
}

static void
add_figures (GilkLayoutFigures *sum, const GilkLayoutFigures *of, double share)
{
  sum->taken += of->taken * share;
  sum->insns += of->insns * share;
  sum->lines += of->lines * share;
  sum->hot_bytes += of->hot_bytes;
  sum->hot_lines += of->hot_lines;
  sum->span += of->span;
}

gboolean
cli_layout_compute_figures (CliLayout *layout, GError **error)
{
  uint64_t most = 0, calls;

  for (guint i = 0; i < layout->functions->len; i++)
    {
      CliLayoutFunction *func = cli_layout_function (layout, i);

      func->left_out = func->layout->calls == 0;
      if (i < layout->n_roots && func->left_out)
        return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                          _("%s was not called while its blocks were counted, so no layout can be chosen. Run work that "
                            "calls it, or count for longer with --for."), func->name);
      most = MAX (most, func->layout->calls);
    }

  calls = cli_layout_function (layout, 0)->layout->calls;
  for (guint i = 0; i < layout->functions->len; i++)
    {
      CliLayoutFunction *func = cli_layout_function (layout, i);
      double share = (double) func->layout->calls / (double) calls;

      if (func->left_out)
        continue;
      if (!compute_figures (layout, func, error))
        return FALSE;
      add_figures (&layout->before, &func->layout->before, share);
      add_figures (&layout->after, &func->after, share);
    }

  return TRUE;
}

/* ---- binding clones with their new layouts ---- */

gboolean
cli_layout_bind_into (const CliLayout *layout, GilkBoundPlan *bound, GError **error)
{
  bound->joined = layout->joined;
  for (guint i = 0; i < layout->functions->len; i++)
    {
      const CliLayoutFunction *func = cli_layout_function (layout, i);
      GilkSplicePlan *plan = NULL;

      for (guint p = 0; p < bound->splice_plans->len && plan == NULL; p++)
        if (((GilkSplicePlan *) bound->splice_plans->pdata[p])->cfg->function == func->function)
          plan = bound->splice_plans->pdata[p];
      if (func->left_out)
        continue;
      if (plan != NULL)
        {
          if (plan->n_patches != 1 || plan->patches[0].tactic != ILK_TACTIC_CLONE ||
              !gilk_clone_set_order (plan, func->layout->order))
            return gilk_fail (error, GILK_ERROR_REFUSED, _("Cannot clone %s: %s %s"), func->name,
                              gilk_refusal_cause (GILK_REFUSAL_CLONE_TOO_LARGE),
                              gilk_refusal_remedy (GILK_REFUSAL_CLONE_TOO_LARGE));
          continue;
        }
      plan = make_clone (layout, func, error);
      if (plan == NULL)
        return FALSE;
      gilk_bound_plan_add_bare (bound, plan);
    }

  return TRUE;
}

GilkBoundPlan *
cli_layout_bind (const CliLayout *layout, GError **error)
{
  g_autoptr(GString) title = g_string_new ("layout:");
  g_autoptr(GilkBoundPlan) bound = NULL;

  for (guint i = 0; i < layout->n_roots; i++)
    g_string_append_printf (title, " %s", cli_layout_function (layout, i)->name);
  bound = gilk_bound_plan_new_bare (title->str);
  if (!cli_layout_bind_into (layout, bound, error))
    return NULL;

  return g_steal_pointer (&bound);
}

/* ---- running a bound plan ---- */

typedef struct {
  const CliLayout *layout;
  const char *doing;
} Monitor;

static void
on_changed (GilkRun *run, gpointer user_data)
{
  const Monitor *monitor = user_data;
  GilkRunFigures figures = { 0 };
  g_autofree char *line = NULL;

  if (!cli_progress_enabled (monitor->layout->cli->progress))
    return;
  gilk_run_figures (run, &figures);
  line = figures.duration > 0 ? g_strdup_printf (_("%s: %.1f of %.0f s"), monitor->doing, figures.elapsed, figures.duration)
                              : g_strdup_printf (_("%s: %.1f s"), monitor->doing, figures.elapsed);
  cli_progress_show (monitor->layout->cli->progress, line);
  gilk_run_figures_clear (&figures);
}

gboolean
cli_layout_run (const CliLayout *layout, GilkBoundPlan *bound, uint64_t duration_ns, const char *doing,
                GilkRunFigures *figures, gint64 *id, GError **error)
{
  Monitor monitor = { .layout = layout, .doing = doing };
  g_autoptr(GilkRun) run = gilk_run_new (bound, layout->kernel->image, layout->store, duration_ns, GILK_CONSENT_NONE);

  g_signal_connect (run, "changed", G_CALLBACK (on_changed), &monitor);
  cli_wait_for_run (layout->cli, run, _("Already stopping: restoring kernel text. Please wait."));
  g_signal_handlers_disconnect_by_data (run, &monitor);
  if (!cli_wait_check_run (run, error))
    return FALSE;
  if (figures != NULL)
    gilk_run_figures (run, figures);
  if (id != NULL)
    *id = gilk_run_session_run_id (run);

  return TRUE;
}
