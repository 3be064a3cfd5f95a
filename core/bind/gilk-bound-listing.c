/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-listing.c - lists the code of a bound plan's hook as text
 */
#include "core/bind/gilk-bound-listing.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

typedef struct {
  const GilkBoundPlan *bound;
  guint                splice_plan;
} Wants;

static const GilkBoundHook *
find_hook (const Wants *wants, guint want)
{
  for (guint i = 0; i < wants->bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = &g_array_index (wants->bound->hooks, GilkBoundHook, i);

      if (hook->error == NULL && hook->splice_plan == wants->splice_plan && hook->want_index == want && hook->program != NULL)
        return hook;
    }

  return NULL;
}

/*
 * Returns the name of the map that is at @offset in memory area @area or, if a map does not start
 * exactly there, the last map before it and the distance, such as "name+0x8". NULL: all maps of the
 * area start later.
 */
static char *
find_map_name (guint want, guint area, guint offset, gpointer data)
{
  const GilkBoundHook *hook = find_hook (data, want);
  const GilkProgramMap *maps, *found = NULL;
  guint n = 0;

  if (hook == NULL)
    return NULL;
  maps = gilk_program_maps (hook->program, &n);
  for (guint i = 0; i < n; i++)
    if (maps[i].area == area && 8 * maps[i].element <= offset && (found == NULL || maps[i].element >= found->element))
      found = &maps[i];
  if (found == NULL)
    return NULL;
  if (offset == 8 * found->element)
    return g_strdup (found->name);

  return g_strdup_printf ("%s+0x%x", found->name, offset - 8 * found->element);
}

GilkPatchListing *
gilk_bound_listing_new (const GilkBoundPlan *bound,
                        guint                number,
                        GilkDecoder         *decoder,
                        GError             **error)
{
  const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, number);
  Wants wants = { bound, hook->splice_plan };

  if (hook->error != NULL)
    {
      g_propagate_error (error, g_error_copy (hook->error));
      return NULL;
    }
  if (hook->cfg == NULL || hook->choice.patch == G_MAXUINT || hook->choice.tactic == GILK_TACTIC_UPROBE)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Hook %s is not on a kernel instruction, and has no patch to show."), hook->hook->label);
      return NULL;
    }
  if (hook->choice.tactic == GILK_TACTIC_KPROBE || hook->choice.tactic == GILK_TACTIC_FENTRY)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The kernel itself places hook %s (%s), so there is no patch to show. Choose the driver to see a patch."),
                   hook->hook->label, gilk_tactic_name (hook->choice.tactic));
      return NULL;
    }
  if (hook->choice.tactic == ILK_TACTIC_CLONE)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Hook %s would be in a clone of the whole function, not in a patch. Choose "
                     "another tactic to see a patch."),
                   hook->hook->label);
      return NULL;
    }

  return gilk_patch_listing_new (g_ptr_array_index (bound->splice_plans, hook->splice_plan), hook->choice.patch, decoder, 0,
                                 NULL, find_map_name, &wants, error);
}
