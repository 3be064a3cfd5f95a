/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * position-count.c - counts blocks and edges of functions whose code layout is to change
 *
 * Functions are counted in clones, with the fewest counters from which all counts follow. Callees
 * are counted in clones that only the other clones call, because their behaviour for other callers
 * is irrelevant.
 */
#include "cli/position-count.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/bound.h"
#include "cli/output.h"
#include "core/emit/gilk-inline.h"
#include "core/splice/gilk-reach.h"

#define ROUNDS_MAX 4            /* each round discovers one more level of callees */

/* ---- counting ---- */

static void
add_counters (GilkPlan *plan, const CliPositioned *positioned, const GilkCirculation *circulation)
{
  for (guint i = 0; i < circulation->cfg->n_blocks; i++)
    {
      g_autofree char *block = NULL;
      g_autofree char *label = NULL;
      GilkPlanHook *hook;

      if (!circulation->hooked[i])
        continue;
      block = gilk_cfg_offset_name (circulation->cfg, circulation->cfg->blocks[i].start);
      label = gilk_plan_make_label (plan, positioned->function->name, block, GILK_WHERE_PRE);
      hook = gilk_plan_hook_new (label, positioned->name, GILK_WHERE_PRE, gilk_inline_name (GILK_INLINE_COUNT));
      hook->block = g_steal_pointer (&block);
      hook->tactic = ILK_TACTIC_CLONE;
      hook->inner = positioned->inner;
      gilk_cfg_fingerprint (circulation->cfg, i, hook->fingerprint);
      g_ptr_array_add (plan->hooks, hook);
    }
}

static void
take_position (CliPositioned *positioned, const GilkCirculation *circulation, const uint64_t *measured)
{
  g_autoptr(GilkCirculationCounts) counts = gilk_circulation_solve (circulation, measured);

  g_clear_pointer (&positioned->position, gilk_position_free);
  positioned->position = gilk_position_new (circulation, counts);
}

/* Relies on hits being in the order in which hooks were added. */
static void
take_hits (CliPositions *positions, const GPtrArray *circulations, const GilkRunFigures *figures)
{
  guint hook = 0;

  for (guint i = 0; i < circulations->len; i++)
    {
      const GilkCirculation *circulation = g_ptr_array_index (circulations, i);
      g_autofree uint64_t *measured = g_new0 (uint64_t, circulation->cfg->n_blocks + 1);

      for (guint b = 0; b < circulation->cfg->n_blocks; b++)
        if (circulation->hooked[b])
          measured[b] = figures->hooks[hook++].hits;
      take_position (cli_positioned_at (positions, i), circulation, measured);
    }
}

static gboolean
count_round (CliPositions *positions, uint64_t for_ns, GError **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  g_autoptr(GPtrArray) circulations = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_circulation_free);
  g_autoptr(GilkBoundPlan) bound = NULL;
  GilkRunFigures figures = { 0 };

  plan->title = g_strdup (_("counts before reordering"));
  for (guint i = 0; i < positions->functions->len; i++)
    {
      CliPositioned *positioned = cli_positioned_at (positions, i);

      g_ptr_array_add (circulations, gilk_reach_circulation (positioned->cfg, TRUE));
      add_counters (plan, positioned, g_ptr_array_index (circulations, i));
    }
  bound = cli_bind (positions->cli, positions->kernel, plan, error);
  if (bound == NULL || !cli_bound_check (positions->cli, bound, FALSE, error))
    return FALSE;
  bound->joined = positions->joined;
  if (!cli_positions_run (positions, g_steal_pointer (&bound), for_ns, _("counting"), &figures, NULL, error))
    return FALSE;
  take_hits (positions, circulations, &figures);
  gilk_run_figures_clear (&figures);

  return !g_cancellable_set_error_if_cancelled (positions->cli->cancellable, error);
}

gboolean
cli_position_count (CliPositions *positions, uint64_t for_ns, GError **error)
{
  g_autoptr(GError) local = NULL;

  for (guint round = 0; round < ROUNDS_MAX; round++)
    {
      guint added;

      if (!count_round (positions, for_ns, error))
        return FALSE;
      if (cli_positioned_at (positions, 0)->position->calls == 0)
        return TRUE;
      added = cli_positions_add_callees (positions, &local);
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      if (added == 0)
        return TRUE;
    }

  return count_round (positions, for_ns, error);
}

/* ---- stored counts ---- */

static gboolean
counts_all_the_time (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT) && hook->hits_known && hook->start_ns == 0 &&
         hook->stop_ns == 0;
}

/* Takes the function's counts from the session; FALSE if there are none, or too few to derive any
 * edge. */
static gboolean
recall (CliPositioned *positioned, const CliSession *session)
{
  const GilkCfg *cfg = positioned->cfg;
  g_autofree GilkCirculationPoint *points = g_new0 (GilkCirculationPoint, cfg->n_blocks + 1);
  g_autofree uint64_t *measured = g_new0 (uint64_t, cfg->n_blocks + 1);
  g_autoptr(GilkCirculation) circulation = NULL;
  guint found = 0;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      uint64_t addr;
      int block;

      if (strcmp (hook->function, positioned->name) != 0 || !counts_all_the_time (hook) ||
          !gilk_cfg_parse_offset (cfg, hook->block, &addr))
        continue;
      block = gilk_cfg_block_at (cfg, addr);
      if (block < 0 || (strcmp (hook->where, "post") == 0 && !gilk_circulation_runs_through (cfg, (guint) block)))
        continue;
      points[block] = (GilkCirculationPoint) { TRUE, GILK_WHERE_PRE, 1 };
      measured[block] = hook->hits;
      found++;
    }
  if (found == 0)
    return FALSE;
  circulation = gilk_circulation_new (positioned->cfg, points, GILK_CIRCULATION_ALL);
  if (circulation->refusal != 0 || circulation->block_fates[cfg->entry] != GILK_CIRCULATION_FOLLOWS)
    return FALSE;
  take_position (positioned, circulation, measured);

  return TRUE;
}

static gboolean
check_session (const CliPositions *positions, const CliSession *session, GError **error)
{
  const char *build_id = gilk_target_build_id (positions->kernel->target);

  if (build_id == NULL || session->run->build_id == NULL || strcmp (build_id, session->run->build_id) == 0)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_STALE,
               _("The counts are of another kernel (%s, build %.12s; this is %s, build %.12s), which has other blocks. "
                 "Leave out --from to count here."), session->run->release, session->run->build_id,
               gilk_target_release (positions->kernel->target), build_id);
  return FALSE;
}

gboolean
cli_position_recall (CliPositions *positions, const CliSession *session, GError **error)
{
  g_autoptr(GError) local = NULL;
  guint added = 0;

  if (!check_session (positions, session, error))
    return FALSE;
  for (guint i = 0; i < positions->functions->len; i++)
    if (!recall (cli_positioned_at (positions, i), session))
      {
        g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                     _("The session lacks counts of %s from which those of all its blocks can be derived. Count with "
                       "\"gilk plan new --edges %s\", or leave out --from."), cli_positioned_at (positions, i)->name,
                     cli_positioned_at (positions, i)->name);
        return FALSE;
      }
  do
    {
      guint before = positions->functions->len;

      added = cli_positions_add_callees (positions, &local);
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      /* Functions that were not counted keep their layout. */
      for (guint i = positions->functions->len; i > before; i--)
        if (!recall (cli_positioned_at (positions, i - 1), session))
          {
            g_ptr_array_add (positions->refused, g_strdup (cli_positioned_at (positions, i - 1)->name));
            g_ptr_array_remove_index (positions->functions, i - 1);
            added--;
          }
    }
  while (added > 0);

  return TRUE;
}
