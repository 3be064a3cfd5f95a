/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-order.c - changes the order of the blocks in clones of functions
 */
#include "core/splice/gilk-clone.h"

#include "core/splice/gilk-splice-size.h"

guint
gilk_clone_order_length (const GilkCfg *cfg)
{
  g_autofree gboolean *reached = gilk_cfg_reached (cfg);
  guint n = 0;

  for (guint i = 0; i < cfg->n_blocks; i++)
    n += reached[i];

  return n;
}

gboolean
gilk_clone_order_check (const GilkCfg *cfg,
                        const guint   *order,
                        guint          n)
{
  g_autofree gboolean *left = gilk_cfg_reached (cfg);

  if (n == 0 || n != gilk_clone_order_length (cfg) || order[0] != cfg->entry)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (order[i] >= cfg->n_blocks || !left[order[i]])
        return FALSE;
      left[order[i]] = FALSE;
    }

  return TRUE;
}

gboolean
gilk_clone_set_order (GilkSplicePlan *plan,
                      const guint    *order)
{
  guint n = gilk_clone_order_length (plan->cfg), bytes;
  GilkPatchPlan *patch = &plan->patches[0], trial = *patch;

  g_assert (plan->n_patches == 1 && patch->tactic == ILK_TACTIC_CLONE &&
            gilk_clone_order_check (plan->cfg, order, n));
  trial.order = (guint *) order;
  bytes = gilk_clone_bound_code (plan, &trial);
  if (bytes > ILK_SLOT_MAX)
    return FALSE;
  patch->code_bound = bytes;
  g_free (patch->order);
  patch->order = g_memdup2 (order, n * sizeof *order);

  return TRUE;
}

guint *
gilk_clone_stress_order (const GilkCfg *cfg)
{
  const char *seed = g_getenv ("GILK_CLONE_ORDER");
  g_autofree gboolean *reached = NULL;
  g_autoptr(GRand) rand = NULL;
  guint *order, n = 0;

  if (seed == NULL)
    return NULL;
  reached = gilk_cfg_reached (cfg);
  order = g_new (guint, cfg->n_blocks + 1);
  order[n++] = cfg->entry;
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (reached[i] && i != cfg->entry)
      order[n++] = i;
  rand = g_rand_new_with_seed ((guint32) (g_ascii_strtoull (seed, NULL, 10) ^ cfg->function->hot.start));
  for (guint i = n - 1; i > 1; i--)
    {
      guint k = (guint) g_rand_int_range (rand, 1, (gint) i + 1), other = order[k];

      order[k] = order[i];
      order[i] = other;
    }

  return order;
}
