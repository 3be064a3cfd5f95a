/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-match.c - finds the hooks of a plan that already exist in the live plan it replaces
 *
 * Two hooks count as the same if they have the same probe point, instrument, parameters, schedule
 * and requested tactic. The programs of two such hooks must have the same text, and start and stop
 * the same hooks. Labels may differ.
 */
#include "core/bind/gilk-bound-event.h"
#include "core/bind/gilk-bound-private.h"
#include "core/bind/gilk-bound-watchpoint.h"

#include <string.h>

static gboolean
is_same_function (const GilkCfg *a, const GilkCfg *b)
{
  return a->image == b->image && a->function->hot.start == b->function->hot.start;
}

static gboolean
has_same_params (GHashTable *params, GHashTable *others)
{
  GHashTableIter iter;
  gpointer name, value;

  if (params == NULL || others == NULL)
    return (params == NULL || g_hash_table_size (params) == 0) &&
           (others == NULL || g_hash_table_size (others) == 0);
  if (g_hash_table_size (params) != g_hash_table_size (others))
    return FALSE;

  g_hash_table_iter_init (&iter, params);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (g_strcmp0 (value, g_hash_table_lookup (others, name)) != 0)
      return FALSE;

  return TRUE;
}

static gboolean
is_same_hook (const GilkBoundHook *hook, const GilkBoundHook *live)
{
  const GilkPlanHook *a = hook->hook, *b = live->hook;

  if (a->watch != NULL || b->watch != NULL)
    return gilk_bound_watchpoint_is_same (hook, live);
  if (a->event.kind != 0 || b->event.kind != 0)
    return gilk_bound_event_is_same (hook, live);

  return g_strcmp0 (hook->code, live->code) == 0 && hook->addr == live->addr && is_same_function (hook->cfg, live->cfg) &&
         a->where == b->where && hook->control == live->control && strcmp (a->instrument, b->instrument) == 0 &&
         a->start_ns == b->start_ns && a->stop_ns == b->stop_ns && a->tactic == b->tactic &&
         has_same_params (a->params, b->params);
}

static GHashTable *
index_hooks_by_addr (const GilkBoundPlan *live)
{
  GHashTable *rows = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < live->hooks->len; i++)
    {
      gpointer key = GSIZE_TO_POINTER (gilk_bound_hook (live, i)->addr);
      GArray *at = g_hash_table_lookup (rows, key);

      if (gilk_bound_hook (live, i)->removed)
        continue;
      if (at == NULL)
        {
          at = g_array_new (FALSE, FALSE, sizeof (guint));
          g_hash_table_insert (rows, key, at);
        }
      g_array_append_val (at, i);
    }

  return rows;
}

/* Checks that the program of @hook starts and stops the same hooks as the program of @live. Each
 * program refers to hooks by their index in its own plan. */
static gboolean
has_same_gates (const GilkBoundPlan *bound, const GilkBoundHook *hook, const GilkBoundHook *live)
{
  guint n, n_live;
  const int *gates = gilk_program_gates (hook->program, &n), *before = gilk_program_gates (live->program, &n_live);

  for (guint i = 0; i < n; i++)
    if (n != n_live || gilk_bound_hook (bound, (guint) gates[i])->live_index != (guint) before[i])
      return FALSE;

  return n == n_live;
}

/* A hook whose program starts or stops a new hook is new as well. Marks such hooks as new until all
 * are found. */
static void
unmatch_changed_gates (GilkBoundPlan *bound, const GilkBoundPlan *live)
{
  gboolean changed = TRUE;

  while (changed)
    {
      changed = FALSE;
      for (guint i = 0; i < bound->hooks->len; i++)
        {
          GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);

          if (hook->program == NULL || hook->live_index == G_MAXUINT || has_same_gates (bound, hook, gilk_bound_hook (live, hook->live_index)))
            continue;
          hook->live_index = G_MAXUINT;
          changed = TRUE;
        }
    }
}

void
gilk_bound_match_live (GilkBoundPlan *bound, const GilkBoundPlan *live)
{
  g_autoptr(GHashTable) rows = index_hooks_by_addr (live);

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);
      GArray *at = g_hash_table_lookup (rows, GSIZE_TO_POINTER (hook->addr));

      for (guint k = 0; at != NULL && hook->error == NULL && k < at->len; k++)
        {
          guint row = g_array_index (at, guint, k);

          if (!is_same_hook (hook, gilk_bound_hook (live, row)))
            continue;
          hook->live_index = row;
          hook->watch.slot = gilk_bound_hook (live, row)->watch.slot;
          g_array_remove_index (at, k);
          break;
        }
    }
  unmatch_changed_gates (bound, live);
}

guint
gilk_bound_live_plan (const GilkBoundPlan *live, const GilkCfg *cfg)
{
  for (guint i = 0; live != NULL && i < live->splice_plans->len; i++)
    {
      const GilkSplicePlan *plan = g_ptr_array_index (live->splice_plans, i);

      if (is_same_function (plan->cfg, cfg))
        return i;
    }

  return G_MAXUINT;
}

guint
gilk_bound_live_want (const GilkBoundPlan *live, const GilkBoundHook *hook)
{
  return live != NULL && hook->live_index != G_MAXUINT ? gilk_bound_hook (live, hook->live_index)->want_index : G_MAXUINT;
}

void
gilk_bound_plan_count_changes (const GilkBoundPlan *bound,
                               const GilkBoundPlan *live,
                               guint               *added,
                               guint               *removed)
{
  *added = 0;
  *removed = 0;
  for (guint i = 0; i < live->hooks->len; i++)
    *removed += !g_array_index (live->hooks, GilkBoundHook, i).removed;
  for (guint i = 0; i < bound->hooks->len; i++)
    if (g_array_index (bound->hooks, GilkBoundHook, i).live_index == G_MAXUINT)
      (*added)++;
    else
      (*removed)--;
}
