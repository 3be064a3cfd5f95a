/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-others.c - finds hooks that other clients of the driver have in a function
 */
#include "core/bind/gilk-bound-others.h"

static gboolean
is_listed (const GArray *patches, const struct ilk_patch_status *patch)
{
  for (guint i = 0; i < patches->len; i++)
    {
      const struct ilk_patch_status *p = &g_array_index (patches, struct ilk_patch_status, i);

      if (p->id == patch->id && p->site == patch->site)
        return TRUE;
    }

  return FALSE;
}

static gboolean
is_live_or_scheduled (const struct ilk_patch_status *patch)
{
  return patch->state == ILK_STATE_PREPARED || patch->state == ILK_STATE_TRAPPED ||
         patch->state == ILK_STATE_ARMED;
}

GArray *
gilk_bound_others_new (GilkTarget   *target,
                       guint        *n_own,
                       GCancellable *cancellable,
                       GError      **error)
{
  GArray *others = g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));
  g_autoptr(GArray) all = NULL;
  g_autoptr(GArray) own = NULL;

  if (n_own != NULL)
    *n_own = 0;
  if (target == NULL || !gilk_target_has_driver (target))
    return others;

  own = gilk_target_status (target, FALSE, NULL, cancellable, error);
  if (own != NULL)
    all = gilk_target_status (target, TRUE, NULL, cancellable, error);
  if (all == NULL)
    {
      g_array_unref (others);
      return NULL;
    }
  for (guint i = 0; i < all->len; i++)
    {
      const struct ilk_patch_status *patch = &g_array_index (all, struct ilk_patch_status, i);

      if (is_live_or_scheduled (patch) && !is_listed (own, patch))
        g_array_append_val (others, *patch);
    }
  for (guint i = 0; n_own != NULL && i < own->len; i++)
    *n_own += is_live_or_scheduled (&g_array_index (own, struct ilk_patch_status, i));

  return others;
}

static gboolean
is_in_range (const GilkRange *range, uint64_t addr)
{
  return addr >= range->start && addr < range->end;
}

GilkOthers
gilk_bound_others_in_function (const GArray       *others,
                               const GilkFunction *function)
{
  GilkOthers found = GILK_OTHERS_NONE;

  for (guint i = 0; i < others->len; i++)
    {
      const struct ilk_patch_status *patch =
        &g_array_index (others, struct ilk_patch_status, i);

      if (is_in_range (&function->hot, patch->site) || is_in_range (&function->cold, patch->site))
        found = MAX (found, patch->tactic == ILK_TACTIC_CLONE ? GILK_OTHERS_CLONE
                                                              : GILK_OTHERS_HOOKS);
    }

  return found;
}

const struct ilk_patch_status *
gilk_bound_others_in_range (const GArray *others,
                            uint64_t      start,
                            uint64_t      end)
{
  for (guint i = 0; i < others->len; i++)
    {
      const struct ilk_patch_status *patch = &g_array_index (others, struct ilk_patch_status, i);

      if ((patch->site < end && patch->site + patch->len > start) ||
          (patch->aux != 0 && patch->aux < end && patch->aux + ILK_BOUNCE_BYTES > start))
        return patch;
    }

  return NULL;
}

const struct ilk_patch_status *
gilk_bound_others_at_point (const GArray  *others,
                            const GilkCfg *cfg,
                            guint          block,
                            GilkWhere      where)
{
  const guint boundary = gilk_point_boundary (cfg, block, where);

  for (guint i = 0; i < others->len; i++)
    {
      const struct ilk_patch_status *patch = &g_array_index (others, struct ilk_patch_status, i);

      if (patch->tactic == ILK_TACTIC_CLONE && is_in_range (&cfg->function->hot, patch->site))
        return patch;
    }

  return boundary < cfg->n_insns
         ? gilk_bound_others_in_range (others, cfg->insns[boundary].addr, cfg->insns[boundary].addr + 1) : NULL;
}
