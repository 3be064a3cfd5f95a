/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-count.c - counts blocks and edges of functions whose code layout is to change
 *
 * Functions are counted in clones (instrumented copies), with as few counters as are needed to
 * derive all counts. Callees are counted in clones that only the clones of these functions call,
 * because calls from other functions must not be counted.
 */
#include "cli/record/layout.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/bound.h"
#include "core/emit/gilk-inline.h"
#include "core/splice/gilk-clone.h"

#define ROUNDS_MAX 4            /* maximum number of rounds; each discovers one more level of
                                 * callees */

/* ---- counting blocks and edges in runs ---- */

static void
add_counters (GilkPlan *plan, const CliLayoutFunction *func, const GilkCirculation *circulation)
{
  for (guint i = 0; i < circulation->cfg->n_blocks; i++)
    {
      g_autofree char *block = NULL;
      g_autofree char *label = NULL;
      GilkPlanHook *hook;

      if (!circulation->hooked[i])
        continue;
      block = gilk_cfg_offset_name (circulation->cfg, circulation->cfg->blocks[i].start);
      label = gilk_plan_make_label (plan, func->function->name, block, GILK_WHERE_PRE);
      hook = gilk_plan_hook_new (label, func->name, GILK_WHERE_PRE, gilk_inline_name (GILK_INLINE_COUNT));
      hook->block = g_steal_pointer (&block);
      hook->tactic = ILK_TACTIC_CLONE;
      hook->inner = func->inner;
      gilk_cfg_fingerprint (circulation->cfg, i, hook->fingerprint);
      g_ptr_array_add (plan->hooks, hook);
    }
}

static void
set_layout (CliLayoutFunction *func, const GilkCirculation *circulation, const uint64_t *measured)
{
  g_autoptr(GilkCirculationCounts) counts = gilk_circulation_solve (circulation, measured);

  g_clear_pointer (&func->layout, gilk_code_layout_free);
  func->layout = gilk_code_layout_new (circulation, counts);
}

/* Reads the counts of all hooks; @figures has them in the order in which the hooks were added. */
static void
read_hits (CliLayout *layout, const GPtrArray *circulations, const GilkRunFigures *figures)
{
  guint hook = 0;

  for (guint i = 0; i < circulations->len; i++)
    {
      const GilkCirculation *circulation = g_ptr_array_index (circulations, i);
      g_autofree uint64_t *measured = g_new0 (uint64_t, circulation->cfg->n_blocks + 1);

      for (guint b = 0; b < circulation->cfg->n_blocks; b++)
        if (circulation->hooked[b])
          measured[b] = figures->hooks[hook++].hits;
      set_layout (cli_layout_function (layout, i), circulation, measured);
    }
}

static gboolean
count_round (CliLayout *layout, uint64_t for_ns, GError **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  g_autoptr(GPtrArray) circulations = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_circulation_free);
  g_autoptr(GilkBoundPlan) bound = NULL;
  GilkRunFigures figures = { 0 };

  plan->title = g_strdup (_("counts before reordering"));
  for (guint i = 0; i < layout->functions->len; i++)
    {
      CliLayoutFunction *func = cli_layout_function (layout, i);

      g_ptr_array_add (circulations, gilk_callees_circulation (func->cfg, TRUE));
      add_counters (plan, func, g_ptr_array_index (circulations, i));
    }
  bound = cli_bind (layout->cli, layout->kernel, plan, error);
  if (bound == NULL || !cli_bound_check (layout->cli, bound, FALSE, error))
    return FALSE;
  bound->joined = layout->joined;
  if (!cli_layout_run (layout, g_steal_pointer (&bound), for_ns, _("counting"), &figures, NULL, error))
    return FALSE;
  read_hits (layout, circulations, &figures);
  gilk_run_figures_clear (&figures);

  return !g_cancellable_set_error_if_cancelled (layout->cli->cancellable, error);
}

gboolean
cli_layout_count (CliLayout *layout, uint64_t for_ns, GError **error)
{
  g_autoptr(GError) local = NULL;

  for (guint round = 0; round < ROUNDS_MAX; round++)
    {
      guint added;

      if (!count_round (layout, for_ns, error))
        return FALSE;
      if (cli_layout_function (layout, 0)->layout->calls == 0)
        return TRUE;
      added = cli_layout_add_callees (layout, &local);
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      if (added == 0)
        return TRUE;
    }

  return count_round (layout, for_ns, error);
}

/* ---- reading counts from a session ---- */

static gboolean
counts_whole_run (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT) && hook->hits_known && hook->start_ns == 0 &&
         hook->stop_ns == 0;
}

/* Derives the counts of the function's blocks and edges from the session, and sets the new layout.
 * Returns FALSE if the session has too few counts for that. */
static gboolean
read_function_counts (CliLayoutFunction *func, const CliSession *session)
{
  const GilkCfg *cfg = func->cfg;
  g_autofree GilkCirculationPoint *points = g_new0 (GilkCirculationPoint, cfg->n_blocks + 1);
  g_autofree uint64_t *measured = g_new0 (uint64_t, cfg->n_blocks + 1);
  g_autoptr(GilkCirculation) circulation = NULL;
  guint found = 0;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      uint64_t addr;
      int block;

      if (strcmp (hook->function, func->name) != 0 || !counts_whole_run (hook) ||
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
  circulation = gilk_circulation_new (func->cfg, points, GILK_CIRCULATION_ALL);
  if (circulation->refusal != 0 || circulation->block_statuses[cfg->entry] != GILK_COUNT_STATUS_FOLLOWS)
    return FALSE;
  set_layout (func, circulation, measured);

  return TRUE;
}

static gboolean
check_session (const CliLayout *layout, const CliSession *session, GError **error)
{
  const char *build_id = gilk_target_build_id (layout->kernel->target);

  if (build_id == NULL || session->run->build_id == NULL || strcmp (build_id, session->run->build_id) == 0)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_STALE,
                    _("The counts are of another kernel (%s, build %.12s; this is %s, build %.12s), which has other blocks. "
                      "Leave out --from to count "
                      "here."), session->run->release, session->run->build_id,
                    gilk_target_release (layout->kernel->target), build_id);
}

gboolean
cli_layout_read_counts (CliLayout *layout, const CliSession *session, GError **error)
{
  g_autoptr(GError) local = NULL;
  guint added = 0;

  if (!check_session (layout, session, error))
    return FALSE;
  for (guint i = 0; i < layout->functions->len; i++)
    if (!read_function_counts (cli_layout_function (layout, i), session))
      return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                        _("The session has too few counts of %s to derive the counts of all its "
                          "blocks. Count with \"gilk plan new --edges %s\", or "
                          "leave out --from."), cli_layout_function (layout, i)->name,
                        cli_layout_function (layout, i)->name);
  do
    {
      guint before = layout->functions->len;

      added = cli_layout_add_callees (layout, &local);
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      /* Callees that the session did not count keep their layout: remove them from the list. */
      for (guint i = layout->functions->len; i > before; i--)
        if (!read_function_counts (cli_layout_function (layout, i - 1), session))
          {
            g_ptr_array_add (layout->refused, g_strdup (cli_layout_function (layout, i - 1)->name));
            g_ptr_array_remove_index (layout->functions, i - 1);
            added--;
          }
    }
  while (added > 0);

  return TRUE;
}
