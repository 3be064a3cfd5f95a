/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-user.c - binds patches of user-space programs to instructions in their files
 *
 * Sends the bytes that were read from the file, so that the agent or the driver refuses a file
 * that has changed.
 */
#include "core/image/gilk-image-user.h"
#include "core/run/gilk-run-private.h"

#include <string.h>

static const GilkSplicePlan *
plan_at (const GilkArmed *armed, guint i)
{
  return g_ptr_array_index (armed->bound->splice_plans, i);
}

static struct ilk_user_point
make_user_point (const GilkSplicePlan *plan, const GilkPatchPlan *patch, uint32_t id)
{
  const GilkInsn *insn = &plan->cfg->insns[patch->first_insn];
  struct ilk_user_point point = {
    .patch = id, .fd = -1, .offset = gilk_image_user_offset (plan->cfg->image, patch->site), .len = insn->len,
    .flags = plan->wants[patch->hooks[0]].returns ? ILK_USER_RETURNS : 0,
  };

  memcpy (point.old, gilk_cfg_bytes (plan->cfg, insn), insn->len);

  return point;
}

/* Returns the new patches of all functions in one file. */
static GArray *
list_points (const GilkArmed *armed, GilkImage *image)
{
  GArray *points = g_array_new (FALSE, TRUE, sizeof (struct ilk_user_point));

  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    for (guint i = 0; plan_at (armed, p)->cfg->image == image && i < plan_at (armed, p)->n_patches; i++)
      {
        const GilkPatchPlan *patch = &plan_at (armed, p)->patches[i];
        struct ilk_user_point point;

        if (patch->next != GILK_PATCH_NEW)
          continue;
        point = make_user_point (plan_at (armed, p), patch, armed->reserved_patches[armed->first_patch[p] + i].id);
        g_array_append_val (points, point);
      }

  return points;
}

static gboolean
bind_file (const GilkArmed *armed, GilkImage *image, uint32_t *patch, uint32_t *refusal, GCancellable *cancellable,
           GError **error)
{
  g_autoptr(GArray) points = list_points (armed, image);

  if (points->len == 0)
    return TRUE;
  if (!gilk_target_program_bind (armed->target, gilk_image_user_path (image), gilk_image_user_file (image),
                                 (struct ilk_user_point *) points->data, points->len, cancellable, error))
    return FALSE;
  for (guint i = 0; i < points->len && *refusal == 0; i++)
    {
      *patch = g_array_index (points, struct ilk_user_point, i).patch;
      *refusal = g_array_index (points, struct ilk_user_point, i).refusal;
    }

  return TRUE;
}

gboolean
gilk_armed_bind_users (GilkArmed    *armed,
                       uint32_t     *patch,
                       uint32_t     *refusal,
                       GCancellable *cancellable,
                       GError      **error)
{
  g_autoptr(GHashTable) done = g_hash_table_new (NULL, NULL);

  g_assert (armed->reserved);
  for (guint p = 0; p < armed->bound->splice_plans->len && *refusal == 0; p++)
    {
      GilkImage *image = plan_at (armed, p)->cfg->image;

      if (gilk_image_user_path (image) == NULL || !g_hash_table_add (done, image))
        continue;
      if (!bind_file (armed, image, patch, refusal, cancellable, error))
        return FALSE;
    }

  return TRUE;
}
