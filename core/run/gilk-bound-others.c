/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-others.c - hooks that other clients of the driver have in a function
 */
#include "core/run/gilk-bound-others.h"

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
is_at_work (const struct ilk_patch_status *patch)
{
  return patch->state == ILK_STATE_PREPARED || patch->state == ILK_STATE_TRAPPED ||
         patch->state == ILK_STATE_ARMED;
}

GArray *
gilk_bound_others_new (GilkTarget   *target,
                       GCancellable *cancellable,
                       GError      **error)
{
  GArray *others = g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));
  g_autoptr(GArray) all = NULL;
  g_autoptr(GArray) own = NULL;

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

      if (is_at_work (patch) && !is_listed (own, patch))
        g_array_append_val (others, *patch);
    }

  return others;
}

static gboolean
is_in (const GilkRange *range, uint64_t addr)
{
  return addr >= range->start && addr < range->end;
}

GilkOthers
gilk_bound_others_in (const GArray       *others,
                      const GilkFunction *function)
{
  GilkOthers found = GILK_OTHERS_NONE;

  for (guint i = 0; i < others->len; i++)
    {
      const struct ilk_patch_status *patch =
        &g_array_index (others, struct ilk_patch_status, i);

      if (is_in (&function->hot, patch->site) || is_in (&function->cold, patch->site))
        found = MAX (found, patch->tactic == ILK_TACTIC_CLONE ? GILK_OTHERS_CLONE
                                                              : GILK_OTHERS_HOOKS);
    }

  return found;
}
