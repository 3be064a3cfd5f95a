/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * position.c - functions whose code layout is changed, and the effect
 */
#include "cli/position.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/output.h"
#include "core/splice/gilk-clone-order.h"
#include "core/splice/gilk-order.h"
#include "core/splice/gilk-reach.h"

static void
positioned_free (gpointer data)
{
  CliPositioned *positioned = data;

  g_free (positioned->name);
  gilk_cfg_unref (positioned->cfg);
  gilk_position_free (positioned->position);
  g_free (positioned);
}

void
cli_positions_clear (CliPositions *positions)
{
  g_clear_pointer (&positions->functions, g_ptr_array_unref);
  g_clear_pointer (&positions->refused, g_ptr_array_unref);
  g_clear_pointer (&positions->decoder, gilk_decoder_free);
  g_clear_pointer (&positions->times.why_not, g_free);
}

static gboolean
is_known (const CliPositions *positions, const GilkFunction *function)
{
  for (guint i = 0; i < positions->functions->len; i++)
    if (cli_positioned_at (positions, i)->function == function)
      return TRUE;

  return FALSE;
}

static CliPositioned *
add (CliPositions *positions, const GilkReached *reached, gboolean inner)
{
  CliPositioned *positioned = g_new0 (CliPositioned, 1);

  positioned->function = reached->function;
  positioned->name = gilk_functions_name (positions->kernel->functions, reached->function);
  positioned->cfg = gilk_cfg_ref (reached->cfg);
  positioned->inner = inner;
  g_ptr_array_add (positions->functions, positioned);

  return positioned;
}

static gboolean
add_root (CliPositions *positions, const char *name, GError **error)
{
  const GilkFunction *function = gilk_functions_lookup (positions->kernel->functions, name, error);
  g_autoptr(GArray) reached = NULL;
  const GilkReached *root;

  if (function == NULL)
    return FALSE;
  if (is_known (positions, function))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("%s is named twice. Name it once."), name);
      return FALSE;
    }
  reached = gilk_reach (positions->kernel->functions, positions->kernel->image, function, 0, positions->decoder, NULL, NULL, error);
  if (reached == NULL)
    return FALSE;
  root = &g_array_index (reached, GilkReached, 0);
  if (root->refusal != 0)
    {
      positions->cli->refusal = root->refusal;
      g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("Cannot clone %s: %s %s"), name,
                   gilk_refusal_cause (root->refusal), gilk_refusal_remedy (root->refusal));
      return FALSE;
    }
  add (positions, root, FALSE);
  positions->n_roots = positions->functions->len;

  return TRUE;
}

gboolean
cli_positions_begin (CliPositions *positions, char *const *names, GError **error)
{
  positions->decoder = gilk_decoder_new ();
  positions->functions = g_ptr_array_new_with_free_func (positioned_free);
  positions->refused = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; names[i] != NULL; i++)
    if (!add_root (positions, names[i], error))
      return FALSE;

  return TRUE;
}

/* ---- callees ---- */

/* A callee of the counted functions. */
typedef struct {
  GilkReached reached;          /* cfg: a reference */
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
note_refused (CliPositions *positions, const char *name)
{
  if (!g_ptr_array_find_with_equal_func (positions->refused, name, g_str_equal, NULL))
    g_ptr_array_add (positions->refused, g_strdup (name));
}

static void
weigh (CliPositions *positions, const CliPositioned *caller, const GilkReached *callee, GArray *candidates)
{
  uint64_t calls = gilk_position_calls (caller->position, callee->function->hot.start);

  if (calls == 0 || is_known (positions, callee->function))
    return;
  if (callee->refusal != 0)
    {
      if (calls >= caller->position->calls / GILK_ORDER_SELDOM)
        note_refused (positions, callee->function->name);
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
cli_positions_add_callees (CliPositions *positions, GError **error)
{
  g_autoptr(GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  guint n_known = positions->functions->len, added = 0;

  g_array_set_clear_func (candidates, candidate_clear);
  for (guint i = 0; i < n_known; i++)
    {
      const CliPositioned *caller = cli_positioned_at (positions, i);
      g_autoptr(GArray) reached = NULL;

      if (caller->position == NULL || caller->position->calls == 0)
        continue;
      reached = gilk_reach (positions->kernel->functions, positions->kernel->image, caller->function, 1,
                            positions->decoder, NULL, NULL, error);
      if (reached == NULL)
        return 0;
      for (guint k = 1; k < reached->len; k++)
        weigh (positions, caller, &g_array_index (reached, GilkReached, k), candidates);
    }

  g_array_sort (candidates, compare_candidates);
  for (guint i = 0; i < candidates->len && n_known - positions->n_roots + added < positions->n_callees; i++)
    if (g_array_index (candidates, Candidate, i).calls >=
        cli_positioned_at (positions, 0)->position->calls / GILK_ORDER_SELDOM)
      {
        add (positions, &g_array_index (candidates, Candidate, i).reached, TRUE);
        added++;
      }

  return added;
}

/* ---- expected effect ---- */

/* Returns how many calls enter the clone through the jump at the function's entry; calls between
 * clones do not. */
static uint64_t
entered (const CliPositions *positions, const CliPositioned *positioned)
{
  uint64_t calls = positioned->position->calls;

  if (positioned->inner)
    return 0;
  for (guint i = 0; positions->joined && i < positions->functions->len; i++)
    {
      const CliPositioned *caller = cli_positioned_at (positions, i);
      uint64_t linked = caller->left_out || caller == positioned ? 0 :
                        gilk_position_calls (caller->position, positioned->function->hot.start);

      calls -= MIN (calls, linked);
    }

  return calls;
}

static GilkSplicePlan *
clone_of (const CliPositions *positions, const CliPositioned *positioned, GError **error)
{
  guint refusal;
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new_bare (positioned->cfg, positions->decoder, positioned->inner, &refusal);

  if (plan != NULL && !gilk_clone_set_order (plan, positioned->position->order))
    {
      refusal = GILK_REFUSAL_CLONE_TOO_LARGE;
      g_clear_pointer (&plan, gilk_splice_plan_free);
    }
  if (plan != NULL)
    return g_steal_pointer (&plan);

  positions->cli->refusal = refusal;
  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("Cannot clone %s: %s %s"), positioned->name,
               gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
  return NULL;
}

/* Computes the figures of the new layout, as if the clone were at the original's address. */
static gboolean
figure (const CliPositions *positions, CliPositioned *positioned, GError **error)
{
  uint64_t slot = positioned->function->hot.start & ~(uint64_t) (GILK_POSITION_LINE - 1);
  const struct ilk_info info = { .ring_bytes = 1 << 20, .gates = slot };
  const GilkBinding none = { 0 };
  g_autoptr(GilkSplicePlan) plan = clone_of (positions, positioned, error);
  g_auto(GilkCode) code = { NULL };

  if (plan == NULL || !gilk_emit_code (plan, 0, slot, &info, &none, &code, error))
    return FALSE;
  gilk_position_after (positioned->position, &code, slot, entered (positions, positioned), &positioned->after);

  return TRUE;
}

static void
sum_up (GilkPositionFigures *sum, const GilkPositionFigures *of, double share)
{
  sum->taken += of->taken * share;
  sum->insns += of->insns * share;
  sum->lines += of->lines * share;
  sum->hot_bytes += of->hot_bytes;
  sum->hot_lines += of->hot_lines;
  sum->span += of->span;
}

gboolean
cli_positions_judge (CliPositions *positions, GError **error)
{
  uint64_t most = 0, calls;

  for (guint i = 0; i < positions->functions->len; i++)
    {
      CliPositioned *positioned = cli_positioned_at (positions, i);

      positioned->left_out = positioned->position->calls == 0;
      if (i < positions->n_roots && positioned->left_out)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                       _("%s was not called while its blocks were counted, so no layout can be chosen. Run work that "
                         "calls it, or count for longer with --for."), positioned->name);
          return FALSE;
        }
      most = MAX (most, positioned->position->calls);
    }

  calls = cli_positioned_at (positions, 0)->position->calls;
  for (guint i = 0; i < positions->functions->len; i++)
    {
      CliPositioned *positioned = cli_positioned_at (positions, i);
      double share = (double) positioned->position->calls / (double) calls;

      if (positioned->left_out)
        continue;
      if (!figure (positions, positioned, error))
        return FALSE;
      sum_up (&positions->before, &positioned->position->before, share);
      sum_up (&positions->after, &positioned->after, share);
    }

  return TRUE;
}

/* ---- binding ---- */

gboolean
cli_positions_bind_in (const CliPositions *positions, GilkBoundPlan *bound, GError **error)
{
  bound->joined = positions->joined;
  for (guint i = 0; i < positions->functions->len; i++)
    {
      const CliPositioned *positioned = cli_positioned_at (positions, i);
      GilkSplicePlan *plan = NULL;

      for (guint p = 0; p < bound->splice_plans->len && plan == NULL; p++)
        if (((GilkSplicePlan *) bound->splice_plans->pdata[p])->cfg->function == positioned->function)
          plan = bound->splice_plans->pdata[p];
      if (positioned->left_out)
        continue;
      if (plan != NULL)
        {
          if (plan->n_patches != 1 || plan->patches[0].tactic != ILK_TACTIC_CLONE ||
              !gilk_clone_set_order (plan, positioned->position->order))
            {
              g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("Cannot clone %s: %s %s"), positioned->name,
                           gilk_refusal_cause (GILK_REFUSAL_CLONE_TOO_LARGE),
                           gilk_refusal_remedy (GILK_REFUSAL_CLONE_TOO_LARGE));
              return FALSE;
            }
          continue;
        }
      plan = clone_of (positions, positioned, error);
      if (plan == NULL)
        return FALSE;
      gilk_bound_plan_add_bare (bound, plan);
    }

  return TRUE;
}

GilkBoundPlan *
cli_positions_bind (const CliPositions *positions, GError **error)
{
  g_autoptr(GString) title = g_string_new ("positioned:");
  g_autoptr(GilkBoundPlan) bound = NULL;

  for (guint i = 0; i < positions->n_roots; i++)
    g_string_append_printf (title, " %s", cli_positioned_at (positions, i)->name);
  bound = gilk_bound_plan_new_bare (title->str);
  if (!cli_positions_bind_in (positions, bound, error))
    return NULL;

  return g_steal_pointer (&bound);
}

/* ---- a run ---- */

typedef struct {
  const CliPositions *positions;
  GilkRun    *run;
  GMainLoop  *loop;
  const char *doing;
} Watch;

static void
on_changed (GilkRun *run, gpointer user_data)
{
  const Watch *watch = user_data;
  GilkRunFigures figures = { 0 };
  g_autofree char *line = NULL;

  if (!cli_progress_enabled (watch->positions->cli->progress))
    return;
  gilk_run_figures (run, &figures);
  line = figures.duration > 0 ? g_strdup_printf (_("%s: %.1f of %.0f s"), watch->doing, figures.elapsed, figures.duration)
                              : g_strdup_printf (_("%s: %.1f s"), watch->doing, figures.elapsed);
  cli_progress_show (watch->positions->cli->progress, line);
  gilk_run_figures_clear (&figures);
}

static void
on_ended (GilkRun *run, gpointer user_data)
{
  g_main_loop_quit (((Watch *) user_data)->loop);
}

static gboolean
on_interrupt (GCancellable *cancellable, gpointer user_data)
{
  gilk_run_stop (((Watch *) user_data)->run);
  return G_SOURCE_REMOVE;
}

static void
watch_run (Watch *watch)
{
  g_autoptr(GSource) interrupt = g_cancellable_source_new (watch->positions->cli->cancellable);

  g_source_set_callback (interrupt, G_SOURCE_FUNC (on_interrupt), watch, NULL);
  g_source_attach (interrupt, NULL);
  g_signal_connect (watch->run, "changed", G_CALLBACK (on_changed), watch);
  g_signal_connect (watch->run, "ended", G_CALLBACK (on_ended), watch);
  cli_interrupts_hold (_("Already stopping: restoring kernel text. Please wait."));
  gilk_run_start (watch->run);
  g_main_loop_run (watch->loop);
  cli_interrupts_hold (NULL);
  g_source_destroy (interrupt);
  g_signal_handlers_disconnect_by_data (watch->run, watch);
  cli_progress_clear (watch->positions->cli->progress);
}

gboolean
cli_positions_run (const CliPositions *positions, GilkBoundPlan *bound, uint64_t duration_ns, const char *doing,
                   GilkRunFigures *figures, gint64 *id, GError **error)
{
  Watch watch = { .positions = positions, .doing = doing };
  gboolean good;

  watch.loop = g_main_loop_new (NULL, FALSE);
  watch.run = gilk_run_new (bound, positions->kernel->image, positions->store, duration_ns, GILK_CONSENT_NONE);
  watch_run (&watch);
  good = gilk_run_error (watch.run) == NULL && gilk_run_cut_short (watch.run) == NULL;
  if (gilk_run_error (watch.run) != NULL)
    g_propagate_error (error, g_error_copy (gilk_run_error (watch.run)));
  else if (!good)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FAILED, gilk_run_cut_short (watch.run));
  if (good && figures != NULL)
    gilk_run_figures (watch.run, figures);
  if (good && id != NULL)
    *id = gilk_run_store_id (watch.run);
  g_object_unref (watch.run);
  g_main_loop_unref (watch.loop);

  return good;
}
