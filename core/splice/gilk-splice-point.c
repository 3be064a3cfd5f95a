/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice-point.c - chooses footprints for the two points of a block
 *
 * If hooks are requested at both the start and the end of a block, one patch for the whole block is
 * cheapest (one jump to the patch, one back), followed by two splices, bounces as long as there is
 * room for their jumps, and traps. This file plans nothing: choices are stored in the points.
 */
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-emit.h"
#include "core/splice/gilk-splice-private.h"

void
gilk_point_collect (GilkSplicePlan *plan, guint block, GilkWhere where, GilkPoint *point)
{
  for (guint i = 0; i < plan->n_wants; i++)
    {
      const GilkWant *want = &plan->wants[i];

      if (want->block != block || want->where != where || plan->choices[i].refusal != 0 ||
          plan->choices[i].tactic != 0)
        continue;
      if (want->force != 0 && point->force != 0 && want->force != point->force)
        {
          gilk_splice_refuse (plan, i, GILK_REFUSAL_SHARES_BYTES, 0);
          continue;
        }
      if (want->force != 0)
        point->force = want->force;
      point->wants[point->n++] = i;
    }
}

/* Drops the footprints that do not belong to the tactic which the user requires. */
static void
apply_force (GilkPoint *point)
{
  GilkFootprints *footprints = &point->footprints;
  guint kept = 0;

  if (point->force == 0)
    return;

  for (guint i = 0; i < footprints->n; i++)
    if (footprints->footprints[i].tactic == point->force)
      footprints->footprints[kept++] = footprints->footprints[i];

  footprints->n = kept;
  if (kept == 0 && footprints->refusal == 0)
    footprints->refusal = footprints->why_not_splice;
  if (point->force == ILK_TACTIC_TRAP)
    footprints->why_not_splice = 0;
}

/* Returns whether two footprints can be live together: either they are disjoint, or they are the
 * same trap, which serves both points. */
static gboolean
are_compatible (const GilkFootprint *a, const GilkFootprint *b)
{
  if (!gilk_footprint_overlap (a, b))
    return TRUE;

  return a->tactic == ILK_TACTIC_TRAP && b->tactic == ILK_TACTIC_TRAP && a->first == b->first;
}

static guint
get_cost (const GilkFootprint *footprint)
{
  return footprint->tactic == ILK_TACTIC_TRAP ? GILK_TRAP_COST :
         footprint->tactic == ILK_TACTIC_BOUNCE ? GILK_BOUNCE_COST : GILK_SPLICE_COST;
}

static GilkRooms *
get_rooms (GilkSplicePlan *plan)
{
  if (plan->rooms != NULL)
    return plan->rooms;

  plan->rooms = gilk_rooms_new (plan);
  for (guint i = 0; i < plan->n_wants; i++)
    if (plan->wants[i].block < plan->cfg->n_blocks && !plan->done[plan->wants[i].block])
      gilk_rooms_keep (plan->rooms, plan->wants[i].block);

  return plan->rooms;
}

/*
 * Checks that a footprint can be planned together with @other (nullable). For a bounce, finds a
 * location for its jump that overlaps neither @other nor, if @other is a bounce, the jump of
 * @other. For other tactics, checks that the footprint's bytes are still free.
 */
static gboolean
find_room (GilkSplicePlan *plan, GilkFootprint *footprint, const GilkFootprint *other)
{
  if (!gilk_splice_is_free (plan, footprint))
    return FALSE;
  if ((plan->rooms != NULL || footprint->tactic == ILK_TACTIC_BOUNCE) &&
      !gilk_rooms_allow (get_rooms (plan), footprint, other))
    return FALSE;
  if (footprint->tactic != ILK_TACTIC_BOUNCE)
    return TRUE;

  return gilk_rooms_find (get_rooms (plan), footprint, other, &footprint->room);
}

/* Chooses the first footprint that is available. Footprints are sorted by cost, the cheapest
 * first. */
static void
choose_footprint (GilkSplicePlan *plan, GilkPoint *point)
{
  for (guint i = 0; i < point->footprints.n && point->chosen.n == 0; i++)
    if (find_room (plan, &point->footprints.footprints[i], NULL))
      point->chosen = point->footprints.footprints[i];
}

/* Chooses the cheapest pair of footprints for the two points of a block; if no pair is possible,
 * chooses a footprint only for the pre-hooks or, if that fails, only for the post-hooks. */
static guint
choose_pair (GilkSplicePlan *plan, GilkPoint *pre, GilkPoint *post)
{
  guint best = G_MAXUINT;

  for (guint i = 0; i < pre->footprints.n; i++)
    for (guint j = 0; j < post->footprints.n; j++)
      {
        GilkFootprint a = pre->footprints.footprints[i], b = post->footprints.footprints[j];

        if (get_cost (&a) + get_cost (&b) >= best || !are_compatible (&a, &b) ||
            !find_room (plan, &a, &b) || !find_room (plan, &b, &a))
          continue;
        best = get_cost (&a) + get_cost (&b);
        pre->chosen = a;
        post->chosen = b;
      }

  if (best == G_MAXUINT)
    choose_footprint (plan, pre);
  if (best == G_MAXUINT && pre->chosen.n == 0)
    choose_footprint (plan, post);

  return best;
}

static gboolean
allows_tactic (const GilkPoint *pre, const GilkPoint *post, guint tactic)
{
  return (pre->force == 0 || pre->force == tactic) && (post->force == 0 || post->force == tactic);
}

static void
choose_both (GilkSplicePlan *plan, guint block, GilkPoint *pre, GilkPoint *post)
{
  GilkFootprint whole;

  if (allows_tactic (pre, post, ILK_TACTIC_SPLICE) &&
      gilk_footprint_whole (plan->cfg, block, ILK_TACTIC_SPLICE, &whole) &&
      find_room (plan, &whole, NULL))
    pre->chosen = post->chosen = whole;
  else if (choose_pair (plan, pre, post) > GILK_BOUNCE_COST &&
           allows_tactic (pre, post, ILK_TACTIC_BOUNCE) &&
           gilk_footprint_whole (plan->cfg, block, ILK_TACTIC_BOUNCE, &whole) &&
           find_room (plan, &whole, NULL))
    pre->chosen = post->chosen = whole;
}

/* Returns whether the hooks at a block's end may run a few instructions early, because they only
 * count or sample. */
static gboolean
may_be_early (const GilkSplicePlan *plan, const GilkPoint *post)
{
  for (guint i = 0; i < post->n; i++)
    if (plan->wants[post->wants[i]].kind == GILK_INSTRUMENT_MODULE ||
        plan->wants[post->wants[i]].kind == GILK_INLINE_PROGRAM)
      return FALSE;

  return TRUE;
}

void
gilk_points_list (const GilkSplicePlan *plan, guint block, GilkPoint *pre, GilkPoint *post)
{
  const GilkCfg *cfg = plan->cfg;

  if (pre->n > 0)
    gilk_footprints_pre (cfg, block, &pre->footprints);
  if (post->n > 0)
    gilk_footprints_post (cfg, block, may_be_early (plan, post), &post->footprints);
  apply_force (pre);
  apply_force (post);
}

void
gilk_points_choose (GilkSplicePlan *plan, guint block, GilkPoint *pre, GilkPoint *post)
{
  if (pre->n > 0 && post->n > 0)
    {
      choose_both (plan, block, pre, post);
      return;
    }

  choose_footprint (plan, pre);
  choose_footprint (plan, post);
}

/*
 * Extends a footprint, if possible, to an instruction before which flags are dead, so that a
 * counter need not save them.
 */
static void
widen_footprint (const GilkSplicePlan *plan, guint block, GilkPoint *point, const GilkPoint *other)
{
  gboolean forward = point->n > 0 && plan->wants[point->wants[0]].where == GILK_WHERE_PRE;
  GilkFootprint wide = point->chosen;

  if (point->chosen.tactic != ILK_TACTIC_SPLICE || (point->chosen.tail > 0 && forward))
    return;

  for (guint i = 0; i < point->n; i++)
    {
      guint flags = gilk_emit_clobbered_flags (plan, point->chosen.first, point->chosen.n,
                                               point->wants[i]);

      if (plan->wants[point->wants[i]].kind == GILK_INLINE_COUNT && flags != 0 &&
          gilk_footprint_widen (plan->cfg, plan->liveness, block, forward, flags, &wide) &&
          gilk_emit_clobbered_flags (plan, wide.first, wide.n, point->wants[i]) == 0 &&
          gilk_splice_is_free (plan, &wide) &&
          (other->chosen.n == 0 || !gilk_footprint_overlap (&wide, &other->chosen)))
        point->chosen = wide;
      wide = point->chosen;
    }
}

gboolean
gilk_points_choose_splices (GilkSplicePlan *plan, guint block, GilkPoint *pre, GilkPoint *post)
{
  GilkPoint *const points[] = { pre, post };
  guint n[2];

  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    {
      GilkFootprints *footprints = &points[i]->footprints;

      n[i] = footprints->n;
      footprints->n = 0;
      while (footprints->n < n[i] && footprints->footprints[footprints->n].tactic == ILK_TACTIC_SPLICE)
        footprints->n++;
    }
  gilk_points_choose (plan, block, pre, post);
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    points[i]->footprints.n = n[i];

  if ((pre->n == 0 || pre->chosen.tactic == ILK_TACTIC_SPLICE) &&
      (post->n == 0 || post->chosen.tactic == ILK_TACTIC_SPLICE))
    return TRUE;

  pre->chosen = post->chosen = (GilkFootprint) { .n = 0 };
  return FALSE;
}

void
gilk_points_widen (const GilkSplicePlan *plan,
                   guint                 block,
                   GilkPoint            *pre,
                   GilkPoint            *post)
{
  widen_footprint (plan, block, pre, post);
  widen_footprint (plan, block, post, pre);
}
