/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-one-shot.c - removes hooks of a run once they have been hit
 */
#include "core/run/gilk-one-shot.h"

#include <string.h>

struct _GilkOneShot {
  GilkRun       *run;             /* (unowned) */
  GilkFunctions *functions;       /* (unowned) */
  GilkImage     *image;           /* (unowned) */
  GHashTable    *hit;             /* set of the labels of hooks with hits; the run's plan owns
                                   * them */
  GHashTable    *stuck;           /* set of names of functions whose clones cannot be rebuilt */
};

/* Numbers of hooks in a clone (an instrumented copy of a function): those that are live, and those
 * of them that have been hit. */
typedef struct {
  guint live, hit;
} Tally;

GilkOneShot *
gilk_one_shot_new (GilkRun       *run,
                   GilkFunctions *functions,
                   GilkImage     *image)
{
  GilkOneShot *shot = g_new0 (GilkOneShot, 1);

  shot->run = run;
  shot->functions = functions;
  shot->image = image;
  shot->hit = g_hash_table_new (g_str_hash, g_str_equal);
  shot->stuck = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return shot;
}

void
gilk_one_shot_free (GilkOneShot *shot)
{
  g_hash_table_unref (shot->hit);
  g_hash_table_unref (shot->stuck);
  g_free (shot);
}

/* Adds the labels of hooks with hits to shot->hit. Rows of the run's plan stay until the run ends,
 * so the labels stay valid. */
static void
update_hit_hooks (GilkOneShot *shot)
{
  const GilkBoundPlan *rows = gilk_run_plan (shot->run);
  GilkRunFigures figures = { 0 };

  gilk_run_figures (shot->run, &figures);
  for (guint i = 0; i < figures.n_hooks && i < rows->hooks->len; i++)
    if (figures.hooks[i].hits > 0)
      g_hash_table_add (shot->hit, gilk_bound_hook (rows, i)->hook->label);
  gilk_run_figures_clear (&figures);
}

static gboolean
is_hit (const GilkOneShot *shot, const GilkBoundHook *hook)
{
  return g_hash_table_contains (shot->hit, hook->hook->label);
}

/* Returns a map from each function that has a clone (an instrumented copy) to the clone's Tally. */
static GHashTable *
tally_clones (const GilkOneShot *shot, const GilkBoundPlan *live)
{
  GHashTable *tallies = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < live->hooks->len; i++)
    {
      const GilkBoundHook *hook = gilk_bound_hook (live, i);
      Tally *tally;

      if (hook->removed || hook->choice.tactic != ILK_TACTIC_CLONE)
        continue;
      tally = g_hash_table_lookup (tallies, hook->hook->function);
      if (tally == NULL)
        {
          tally = g_new0 (Tally, 1);
          g_hash_table_insert (tallies, hook->hook->function, tally);
        }
      tally->live++;
      tally->hit += is_hit (shot, hook);
    }

  return tallies;
}

static gboolean
may_remove (const GilkOneShot *shot, GHashTable *tallies, const GilkBoundHook *hook)
{
  const Tally *tally = g_hash_table_lookup (tallies, hook->hook->function);

  if (!is_hit (shot, hook))
    return FALSE;
  if (hook->choice.tactic != ILK_TACTIC_CLONE || tally == NULL || tally->hit == tally->live)
    return TRUE;

  return 2 * tally->hit >= tally->live && !g_hash_table_contains (shot->stuck, hook->hook->function);
}

/* Returns a copy of the live plan with only the hooks that stay. @left: (out): number of hooks left
 * out */
static GilkPlan *
make_next (const GilkOneShot *shot, const GilkBoundPlan *live, guint *left)
{
  g_autoptr(GHashTable) tallies = tally_clones (shot, live);
  GilkPlan *plan = gilk_plan_copy (live->plan);

  g_ptr_array_set_size (plan->hooks, 0);
  *left = 0;
  for (guint i = 0; i < live->hooks->len; i++)
    {
      const GilkBoundHook *hook = gilk_bound_hook (live, i);

      if (hook->removed)
        continue;
      if (may_remove (shot, tallies, hook))
        (*left)++;
      else
        g_ptr_array_add (plan->hooks, gilk_plan_hook_copy (hook->hook));
    }

  return plan;
}

static guint
count_live (const GilkBoundPlan *live)
{
  guint n = 0;

  for (guint i = 0; i < live->hooks->len; i++)
    n += !gilk_bound_hook (live, i)->removed;

  return n;
}

/* Marks functions whose clone (instrumented copy) cannot be rebuilt with the remaining hooks. The
 * hooks of such a function are removed only when all of them were hit. Returns whether a function
 * was newly marked. */
static gboolean
mark_stuck (GilkOneShot *shot, const GilkBoundPlan *next)
{
  gboolean found = FALSE;

  for (guint i = 0; i < next->hooks->len; i++)
    if (gilk_bound_hook (next, i)->error != NULL)
      found |= g_hash_table_add (shot->stuck, g_strdup (gilk_bound_hook (next, i)->hook->function));

  return found;
}

gboolean
gilk_one_shot_remove_hit (GilkOneShot  *shot,
                          guint        *hit,
                          guint        *live,
                          GCancellable *cancellable,
                          GError      **error)
{
  gboolean good = TRUE, again = TRUE;

  update_hit_hooks (shot);
  *hit = g_hash_table_size (shot->hit);
  *live = count_live (gilk_run_live_plan (shot->run));
  while (again && gilk_run_state (shot->run) == GILK_RUN_RUNNING)
    {
      const GilkBoundPlan *now = gilk_run_live_plan (shot->run);
      g_autoptr(GilkBoundPlan) next = NULL;
      g_autoptr(GilkPlan) plan = NULL;
      guint left;

      again = FALSE;
      plan = make_next (shot, now, &left);
      if (left == 0)
        return TRUE;
      if (plan->hooks->len == 0)
        {
          gilk_run_stop (shot->run);
          return TRUE;
        }
      next = gilk_bound_plan_next (plan, now, shot->functions, shot->image, NULL, cancellable, error);
      if (next == NULL)
        return FALSE;
      again = next->n_failed > 0 && mark_stuck (shot, next);
      if (next->n_failed == 0)
        {
          good = gilk_run_change (shot->run, g_steal_pointer (&next), GILK_CONSENT_NONE, error);
          *live = count_live (gilk_run_live_plan (shot->run));
        }
    }

  return good;
}
