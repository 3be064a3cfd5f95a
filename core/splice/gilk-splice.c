/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice.c - plans the patches of one function
 *
 * A footprint (the bytes that a jump overwrites) never leaves its block, so blocks are planned one
 * by one. A block has two points, its start and its end (gilk-splice-point.c); all hooks at a point
 * share a patch. Splices are planned first. Then the remaining bytes are used for other patches
 * (gilk-room.c), in order of address.
 */
#include "core/splice/gilk-splice.h"

#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-emit.h"
#include "core/splice/gilk-clone.h"
#include "core/splice/gilk-splice-private.h"
#include "core/splice/gilk-splice-size.h"

/* ---- patches ---- */

static void
add_hooks (GilkPatchPlan *patch, const GilkPoint *point)
{
  patch->hooks = g_renew (guint, patch->hooks, patch->n_hooks + point->n);
  memcpy (patch->hooks + patch->n_hooks, point->wants, point->n * sizeof *point->wants);
  patch->n_hooks += point->n;
}

/* Sets the members of a patch that depend only on its footprint. */
static void
finish_patch (GilkSplicePlan *plan, GilkPatchPlan *patch)
{
  GilkFootprint footprint = { .first = patch->first_insn, .n = patch->n_insns };

  footprint.tail = patch->len - gilk_footprint_bytes (plan->cfg, &footprint);
  gilk_footprint_copy (plan->cfg, &footprint, patch->old);
  gilk_splice_size_patch (plan, patch);
}

static GilkPatchPlan
make_patch (const GilkSplicePlan *plan, const GilkFootprint *footprint)
{
  return (GilkPatchPlan) {
    .site = plan->cfg->insns[footprint->first].addr,
    .len = gilk_footprint_bytes (plan->cfg, footprint),
    .tactic = footprint->tactic,
    .first_insn = footprint->first,
    .n_insns = footprint->n,
    .bounce = footprint->room.addr,
    .after_call = footprint->returns,
    .flags = footprint->returns ? ILK_PATCH_RETURNS : 0,
  };
}

/* Appends a copy of @patch to the plan. Returns its index. */
static guint
append_patch (GilkSplicePlan *plan, const GilkPatchPlan *patch)
{
  plan->patches = g_renew (GilkPatchPlan, plan->patches, plan->n_patches + 1);
  plan->patches[plan->n_patches] = *patch;
  if (plan->rooms != NULL)
    gilk_rooms_enter (plan->rooms, plan->n_patches);

  return plan->n_patches++;
}

/* Makes the space for a bounce's 5-byte jump after the jump of a splice: extends the footprint of
 * that splice, or plans a new splice. */
static void
provide_room (GilkSplicePlan *plan, const GilkRoom *room)
{
  guint host = room->patch;

  if (room->kind != GILK_ROOM_TAIL)
    {
      const GilkFootprint footprint = {
        .first = room->first, .n = room->n, .tactic = ILK_TACTIC_SPLICE,
      };
      GilkPatchPlan patch = make_patch (plan, &footprint);

      if (room->kind == GILK_ROOM_DEDICATED)
        host = append_patch (plan, &patch);
      plan->patches[host].site = patch.site;
      plan->patches[host].len = patch.len;
      plan->patches[host].first_insn = patch.first_insn;
      plan->patches[host].n_insns = patch.n_insns;
      gilk_rooms_enter (plan->rooms, host);
    }
  plan->patches[host].has_bounces = TRUE;
  finish_patch (plan, &plan->patches[host]);
}

/*
 * Stores the bytes that a bounce's 5-byte jump replaces: either filler, which was read when it was
 * found, or the int3s after the jump of a splice.
 */
static void
take_room (GilkSplicePlan *plan, GilkPatchPlan *patch, const GilkRoom *room)
{
  if (room->kind == GILK_ROOM_FILLER)
    {
      memcpy (patch->bounce_old,
              gilk_image_bytes (plan->cfg->image, room->addr, ILK_BOUNCE_BYTES, NULL),
              ILK_BOUNCE_BYTES);
      return;
    }

  memset (patch->bounce_old, 0xcc, ILK_BOUNCE_BYTES);
  provide_room (plan, room);
}

/*
 * Adds one patch at the footprint of @point. The patch has the hooks of @point and those of @other
 * (nullable), whose footprint covers the same bytes. The call at the footprint's end returns to the
 * patch if either point requires that.
 */
static void
add_patch (GilkSplicePlan *plan, const GilkPoint *point, const GilkPoint *other)
{
  GilkFootprint shared = point->chosen;
  const GilkFootprint *footprint = &shared;
  GilkPatchPlan patch;
  guint index;

  if (other != NULL)
    shared.returns |= other->chosen.returns;
  patch = make_patch (plan, footprint);
  add_hooks (&patch, point);
  if (other != NULL)
    add_hooks (&patch, other);

  patch.code_bound = gilk_splice_bound_code (plan, &patch);
  if (patch.code_bound > ILK_SLOT_MAX)
    {
      for (guint i = 0; i < patch.n_hooks; i++)
        gilk_splice_refuse (plan, patch.hooks[i], GILK_REFUSAL_SHARES_BYTES, 0);
      gilk_patch_plan_clear (&patch);
      return;
    }

  if (footprint->tactic == ILK_TACTIC_BOUNCE)
    take_room (plan, &patch, &footprint->room);
  index = append_patch (plan, &patch);
  for (guint i = 0; i < patch.n_hooks; i++)
    plan->choices[patch.hooks[i]] = (GilkChoice) { .patch = index, .tactic = footprint->tactic };
  finish_patch (plan, &plan->patches[index]);
}

/* Returns whether every footprint that could serve the point overlaps the footprint of a live
 * patch. */
static gboolean
is_held (const GilkSplicePlan *plan, const GilkPoint *point)
{
  for (guint i = 0; i < point->footprints.n; i++)
    if (gilk_splice_is_free (plan, &point->footprints.footprints[i]))
      return FALSE;

  return plan->n_live > 0;
}

static void
refuse_point (GilkSplicePlan *plan, const GilkPoint *point)
{
  guint refusal = point->footprints.n == 0 ? point->footprints.refusal :
                  is_held (plan, point) ? GILK_REFUSAL_LIVE_BYTES :
                  point->force == ILK_TACTIC_BOUNCE ? GILK_REFUSAL_NO_ROOM :
                  GILK_REFUSAL_SHARES_BYTES;

  for (guint i = 0; i < point->n; i++)
    gilk_splice_refuse (plan, point->wants[i], refusal, point->footprints.why_not_splice);
}

static void
note_why_not_splice (GilkSplicePlan *plan, const GilkPoint *point)
{
  for (guint i = 0; i < point->n && point->chosen.tactic == ILK_TACTIC_TRAP; i++)
    plan->choices[point->wants[i]].why_not_splice =
      point->footprints.why_not_splice != 0 || point->force == ILK_TACTIC_TRAP
      ? point->footprints.why_not_splice : GILK_REFUSAL_SHARES_BYTES;
}

/* Plans the hooks of a block. With @by_splice, uses only splices, and returns FALSE, with nothing
 * planned, if these cannot serve all hooks of the block. */
static gboolean
plan_block (GilkSplicePlan *plan, guint block, gboolean by_splice)
{
  g_autofree guint *pre_wants = g_new (guint, plan->n_wants);
  g_autofree guint *post_wants = g_new (guint, plan->n_wants);
  GilkPoint pre = { .wants = pre_wants }, post = { .wants = post_wants };
  gboolean shared;

  gilk_point_collect (plan, block, GILK_WHERE_PRE, &pre);
  gilk_point_collect (plan, block, GILK_WHERE_POST, &post);
  gilk_points_list (plan, block, &pre, &post);
  if (by_splice && !gilk_points_choose_splices (plan, block, &pre, &post))
    return FALSE;
  if (plan->rooms != NULL)
    gilk_rooms_release (plan->rooms, block);
  plan->done[block] = TRUE;
  if (!by_splice)
    gilk_points_choose (plan, block, &pre, &post);
  shared = pre.chosen.n > 0 && post.chosen.n > 0 &&
           gilk_footprint_overlap (&pre.chosen, &post.chosen);

  /* Extend splices now, because bounces may use the remaining bytes of blocks later. */
  if (!shared && by_splice)
    gilk_points_widen (plan, block, &pre, &post);

  if (pre.chosen.n == 0)
    refuse_point (plan, &pre);
  else
    add_patch (plan, &pre, shared ? &post : NULL);
  if (post.chosen.n == 0)
    refuse_point (plan, &post);
  else if (!shared)
    add_patch (plan, &post, NULL);

  note_why_not_splice (plan, &pre);
  note_why_not_splice (plan, &post);

  return TRUE;
}

/* ---- the plan ---- */

/* Returns whether @block is planned in @turn. Turn 0: all blocks, by splices only. Turn 1: the
 * other blocks that are long enough for a splice. Turn 2: short blocks, whose bounces need bytes
 * that are left in the long ones. */
static gboolean
is_turn_of (const GilkSplicePlan *plan, guint block, guint turn)
{
  const GilkBlock *b = &plan->cfg->blocks[block];

  return turn == 0 || (b->end - b->start >= GILK_JUMP_BYTES) == (turn == 1);
}

static void
plan_all (GilkSplicePlan *plan)
{
  g_autofree gboolean *wanted = g_new0 (gboolean, plan->cfg->n_blocks + 1);

  for (guint i = 0; i < plan->n_wants; i++)
    {
      guint refusal = gilk_splice_check (plan, &plan->wants[i]);

      if (refusal != 0)
        gilk_splice_refuse (plan, i, refusal, 0);
      else
        wanted[plan->wants[i].block] = TRUE;
    }

  plan->done = g_new0 (gboolean, plan->cfg->n_blocks + 1);
  for (guint turn = 0; turn < 3; turn++)
    for (guint block = 0; block < plan->cfg->n_blocks; block++)
      if (wanted[block] && !plan->done[block] && is_turn_of (plan, block, turn))
        plan_block (plan, block, turn == 0);
}

/* Returns a plan without patches. */
static GilkSplicePlan *
plan_alloc (GilkCfg        *cfg,
            GilkDecoder    *decoder,
            const GilkWant *wants,
            guint           n_wants)
{
  GilkSplicePlan *plan = g_new0 (GilkSplicePlan, 1);

  plan->cfg = gilk_cfg_ref (cfg);
  plan->liveness = gilk_liveness_new (cfg, decoder);
  plan->wants = g_new0 (GilkWant, n_wants + 1);
  plan->n_wants = n_wants;
  plan->choices = g_new0 (GilkChoice, n_wants + 1);
  if (n_wants > 0)
    memcpy (plan->wants, wants, n_wants * sizeof *wants);

  return plan;
}

static GilkSplicePlan *
plan_new (GilkCfg        *cfg,
          GilkDecoder    *decoder,
          const GilkWant *wants,
          guint           n_wants,
          gboolean        may_clone)
{
  GilkSplicePlan *plan = plan_alloc (cfg, decoder, wants, n_wants);

  plan_all (plan);
  gilk_clone_plan (plan, may_clone);

  return plan;
}

GilkSplicePlan *
gilk_splice_plan_next (GilkCfg              *cfg,
                       GilkDecoder          *decoder,
                       const GilkWant       *wants,
                       guint                 n_wants,
                       const GilkSplicePlan *live,
                       const guint          *was)
{
  GilkSplicePlan *plan = plan_alloc (cfg, decoder, wants, n_wants);

  if (gilk_splice_is_cloned (live))
    {
      plan_all (plan);
      gilk_splice_clone_again (plan, live, was);
    }
  else
    {
      gilk_splice_seed (plan, live, was);
      plan_all (plan);
    }

  return plan;
}

GilkSplicePlan *
gilk_splice_plan_new (GilkCfg        *cfg,
                      GilkDecoder    *decoder,
                      const GilkWant *wants,
                      guint           n_wants)
{
  return plan_new (cfg, decoder, wants, n_wants, FALSE);
}

GilkSplicePlan *
gilk_splice_plan_new_any (GilkCfg        *cfg,
                          GilkDecoder    *decoder,
                          const GilkWant *wants,
                          guint           n_wants)
{
  return plan_new (cfg, decoder, wants, n_wants, TRUE);
}

GilkSplicePlan *
gilk_splice_plan_new_bare (GilkCfg     *cfg,
                           GilkDecoder *decoder,
                           gboolean     inner,
                           guint       *refusal)
{
  GilkSplicePlan *plan = plan_alloc (cfg, decoder, NULL, 0);

  *refusal = gilk_clone_plan_bare (plan, inner);
  if (*refusal != 0)
    g_clear_pointer (&plan, gilk_splice_plan_free);

  return plan;
}

void
gilk_splice_plan_refuse (GilkSplicePlan *plan,
                         guint           refusal)
{
  gilk_splice_plan_free_patches (plan);
  plan->patches = NULL;
  plan->n_patches = 0;
  for (guint i = 0; i < plan->n_wants; i++)
    if (plan->choices[i].refusal == 0)
      gilk_splice_refuse (plan, i, refusal, 0);
}

void
gilk_splice_plan_refuse_patch (GilkSplicePlan *plan,
                               guint           index,
                               guint           refusal)
{
  GilkPatchPlan *patch = &plan->patches[index];

  for (guint i = 0; i < patch->n_hooks; i++)
    gilk_splice_refuse (plan, patch->hooks[i], refusal, 0);
  for (guint i = 0; i < plan->n_wants; i++)
    if (plan->choices[i].refusal == 0 && plan->choices[i].patch > index)
      plan->choices[i].patch--;
  gilk_patch_plan_clear (patch);
  plan->n_patches--;
  memmove (patch, patch + 1, (plan->n_patches - index) * sizeof *patch);
}

void
gilk_splice_preview (GilkCfg            *cfg,
                     const GilkLiveness *liveness,
                     GilkDecoder        *decoder,
                     guint               block,
                     GilkWhere           where,
                     GilkInstrumentKind  kind,
                     GilkChoice         *choice,
                     GilkPatchPlan      *patch)
{
  GilkWant want = { .block = block, .where = where, .kind = kind };
  GilkSplicePlan plan = {
    .cfg = cfg,
    .liveness = (GilkLiveness *) liveness,
    .wants = &want,
    .n_wants = 1,
    .choices = choice,
  };

  *choice = (GilkChoice) { .refusal = 0 };
  if (gilk_bpf_plan_is (cfg))
    {
      gilk_bpf_plan_preview (cfg, &want, choice);
      if (patch != NULL)
        *patch = (GilkPatchPlan) { .site = 0 };
      return;
    }
  plan_all (&plan);

  if (patch != NULL)
    {
      *patch = choice->refusal == 0 ? plan.patches[choice->patch]
                                    : (GilkPatchPlan) { .site = 0 };
      patch->hooks = NULL;
      patch->n_hooks = 0;
    }
  gilk_splice_plan_free_patches (&plan);
  gilk_rooms_free (plan.rooms);
  g_free (plan.done);
}

/* ---- finds the point at which each block of a function is counted, and its cost ---- */

#define TRAP_COST   500    /* cost of an exception and the return from it, in instructions */

GilkCirculationPoint *
gilk_count_points (GilkCfg *cfg, GilkDecoder *decoder)
{
  GilkCirculationPoint *points = g_new0 (GilkCirculationPoint, cfg->n_blocks + 1);
  g_autoptr(GilkLiveness) liveness = NULL;

  if (!gilk_bpf_plan_is (cfg))
    {
      if (cfg->refusal != 0 || cfg->function->refusal != 0)
        return points;
      liveness = gilk_liveness_new (cfg, decoder);
    }
  for (guint i = 0; i < cfg->n_blocks; i++)
    for (int where = GILK_WHERE_PRE; where <= GILK_WHERE_POST && !points[i].possible; where++)
      {
        GilkChoice choice;

        if (where == GILK_WHERE_POST && !gilk_circulation_runs_through (cfg, i))
          break;
        gilk_splice_preview (cfg, liveness, decoder, i, where, GILK_INLINE_COUNT, &choice, NULL);
        points[i] = (GilkCirculationPoint) {
          .possible = choice.refusal == 0,
          .where = where,
          .cost = 1 + choice.cost + (choice.tactic == ILK_TACTIC_TRAP ? TRAP_COST : 0),
        };
      }

  return points;
}
