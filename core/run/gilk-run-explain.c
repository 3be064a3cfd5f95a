/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-explain.c - turns refusals of the driver into error messages
 */
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/run/gilk-run-private.h"

static const GilkBoundHook *
hook_at (const GilkArmed *armed, guint i)
{
  return &g_array_index (armed->bound->hooks, GilkBoundHook, i);
}

static const GilkSplicePlan *
plan_at (const GilkArmed *armed, guint i)
{
  return g_ptr_array_index (armed->bound->splice_plans, i);
}

/* Names the given hook, which is the first one of its patch. */
static gboolean
set_refusal (const GilkArmed *armed, guint hook, guint refusal, GError **error)
{
  const GilkBoundHook *h = hook_at (armed, hook);
  g_autofree char *offset = h->cfg == NULL ? g_strdup ("") : gilk_cfg_offset_name (h->cfg, h->addr);

  g_clear_error (error);
  g_set_error (error, GILK_ERROR,
               refusal == ILK_REFUSAL_OVERLAP ? GILK_ERROR_OVERLAP : GILK_ERROR_REFUSED,
               _("Cannot hook %s%s (%s): %s %s"), h->hook->function, offset,
               gilk_where_name (h->hook->where), gilk_refusal_cause (refusal),
               gilk_refusal_remedy (refusal));

  return FALSE;
}

/* Names the function if the patch is without hooks. */
static gboolean
set_function_refusal (const GilkArmed *armed, guint plan, guint refusal, GError **error)
{
  g_clear_error (error);
  g_set_error (error, GILK_ERROR,
               refusal == ILK_REFUSAL_OVERLAP ? GILK_ERROR_OVERLAP : GILK_ERROR_REFUSED,
               _("Cannot clone %s: %s %s"), plan_at (armed, plan)->cfg->function->name,
               gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));

  return FALSE;
}

/* Marks all hooks of the patch, because they share its bytes. */
static void
set_refused (GilkArmed *armed, uint32_t patch, guint refusal)
{
  for (guint i = 0; i < armed->n_hooks; i++)
    if (armed->patch_of[i] == patch)
      armed->refusals[i] = (uint16_t) refusal;
}

gboolean
gilk_armed_explain_patch (GilkArmed *armed, uint32_t id, guint refusal, GError **error)
{
  set_refused (armed, id, refusal);
  for (guint i = 0; i < armed->n_hooks; i++)
    if (armed->patch_of[i] == id)
      return set_refusal (armed, i, refusal, error);
  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    for (guint i = 0; i < plan_at (armed, p)->n_patches; i++)
      if (armed->reserved_patches[armed->first_patch[p] + i].id == id)
        return set_function_refusal (armed, p, refusal, error);

  return FALSE;
}

gboolean
gilk_armed_explain (GilkArmed *armed, GError **error)
{
  for (guint i = 0; i < armed->n_items; i++)
    if (armed->patches[i].refusal != 0)
      set_refused (armed, armed->patches[i].id, armed->patches[i].refusal);
  for (guint i = 0; i < armed->n_items; i++)
    if (armed->patches[i].refusal != 0)
      return gilk_armed_explain_patch (armed, armed->patches[i].id, armed->patches[i].refusal, error);
  for (guint i = 0; i < armed->n_hook_items; i++)
    for (guint h = 0; armed->hooks[i].refusal != 0 && h < armed->n_hooks; h++)
      if (armed->iids[h] == armed->hooks[i].iid)
        {
          armed->refusals[h] = (uint16_t) armed->hooks[i].refusal;
          return set_refusal (armed, h, armed->hooks[i].refusal, error);
        }

  return FALSE;
}
