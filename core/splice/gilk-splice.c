/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice.c - planning the patches of one function
 *
 * Footprints never leave their block, so blocks are planned one by one. A block
 * has two points, its edges; all hooks wanted at a point share a patch. Where
 * both edges are wanted, one patch for the whole block is cheapest (one jump
 * there, one back), then two splices, then bounces while there is room for them,
 * then traps. All that can be spliced is planned first: the room that the others
 * need is made from what is left (gilk-room.c), in order of address.
 *
 * The size and cost of a patch are found by writing it: for cost as if counters
 * were near, for size as if they were far.
 */
#include "core/splice/gilk-splice.h"

#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/splice/gilk-clone.h"
#include "core/splice/gilk-emit.h"
#include "core/splice/gilk-reloc.h"
#include "core/splice/gilk-room.h"
#include "core/splice/gilk-splice-private.h"
#include "core/splice/gilk-window.h"

/* What is wanted at one edge of the block in hand. */
typedef struct {
  guint       *wants;          /* indices */
  guint        n;
  guint        force;          /* enum ilk_tactic, 0 = ours to choose */
  GilkWindows  windows;
  GilkWindow   chosen;         /* n 0: none */
} Point;

/* ---- which wants can be met at all ---- */

static guint
boundary_uaccess (const GilkSplicePlan *plan, const GilkWant *want)
{
  const GilkCfg *cfg = plan->cfg;
  const GilkBlock *b = &cfg->blocks[want->block];
  guint index = gilk_emit_boundary (cfg, want), last = b->first_insn + b->n_insns - 1;

  if (index <= last)
    return plan->liveness->uaccess[index];
  if (cfg->insns[last].flags & (GILK_INSN_STAC | GILK_INSN_CLAC))
    return (cfg->insns[last].flags & GILK_INSN_STAC) != 0;

  return plan->liveness->uaccess[last];
}

static gboolean
boundary_has_frame (const GilkSplicePlan *plan, const GilkWant *want)
{
  const GilkCfg *cfg = plan->cfg;
  const GilkBlock *b = &cfg->blocks[want->block];
  guint index = gilk_emit_boundary (cfg, want), reg;
  uint64_t addr = index < b->first_insn + b->n_insns ? cfg->insns[index].addr : b->end;
  int32_t offset;

  return gilk_orc_return_slot (cfg->image, addr, 0, &reg, &offset);
}

guint
gilk_splice_check (const GilkSplicePlan *plan, const GilkWant *want)
{
  const GilkCfg *cfg = plan->cfg;
  const GilkBlock *b;

  if (cfg->refusal != 0)
    return cfg->refusal;
  if (cfg->function->refusal != 0)
    return cfg->function->refusal;
  if (want->block >= cfg->n_blocks)
    return GILK_REFUSAL_UNREACHED;

  b = &cfg->blocks[want->block];
  if (b->n_insns == 0 || (b->n_in == 0 && want->block != cfg->entry))
    return GILK_REFUSAL_UNREACHED;
  if (want->force > ILK_TACTIC_TRAP)
    return ILK_REFUSAL_UNSUPPORTED;
  if (want->kind != GILK_INLINE_COUNT && boundary_uaccess (plan, want))
    return GILK_REFUSAL_UACCESS;
  if (want->kind == GILK_INLINE_SPAN && !boundary_has_frame (plan, want))
    return GILK_REFUSAL_STACK_UNKNOWN;

  return 0;
}

static void
refuse (GilkSplicePlan *plan, guint want, guint refusal, guint why_not_splice)
{
  plan->choices[want] = (GilkChoice) {
    .patch = G_MAXUINT,
    .refusal = refusal,
    .why_not_splice = why_not_splice,
  };
}

/* ---- one block ---- */

/* Wants of @block at the edge @where that may join @point; others are refused. */
static void
collect (GilkSplicePlan *plan, guint block, GilkWhere where, Point *point)
{
  for (guint i = 0; i < plan->n_wants; i++)
    {
      const GilkWant *want = &plan->wants[i];

      if (want->block != block || want->where != where || plan->choices[i].refusal != 0 ||
          plan->choices[i].tactic != 0)
        continue;
      if (want->force != 0 && point->force != 0 && want->force != point->force)
        {
          refuse (plan, i, GILK_REFUSAL_SHARES_BYTES, 0);
          continue;
        }
      if (want->force != 0)
        point->force = want->force;
      point->wants[point->n++] = i;
    }
}

/* Leaves only what the user's choice of tactic allows. */
static void
apply_force (Point *point)
{
  GilkWindows *windows = &point->windows;
  guint kept = 0;

  if (point->force == 0)
    return;

  for (guint i = 0; i < windows->n; i++)
    if (windows->windows[i].tactic == point->force)
      windows->windows[kept++] = windows->windows[i];

  windows->n = kept;
  if (kept == 0 && windows->refusal == 0)
    windows->refusal = windows->why_not_splice;
  if (point->force == ILK_TACTIC_TRAP)
    windows->why_not_splice = 0;
}

/* Two footprints may be live together: apart, or one trap for both. */
static gboolean
compatible (const GilkWindow *a, const GilkWindow *b)
{
  if (!gilk_window_overlap (a, b))
    return TRUE;

  return a->tactic == ILK_TACTIC_TRAP && b->tactic == ILK_TACTIC_TRAP && a->first == b->first;
}

static guint
weight (const GilkWindow *window)
{
  return window->tactic == ILK_TACTIC_TRAP ? GILK_TRAP_COST :
         window->tactic == ILK_TACTIC_BOUNCE ? GILK_BOUNCE_COST : GILK_SPLICE_COST;
}

static GilkRooms *
rooms_of (GilkSplicePlan *plan)
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
 * Gives a bounce its room without taking it, neither that of @other nor its bytes
 * (nullable); TRUE for other tactics if their filler is still to be had.
 */
static gboolean
find_room (GilkSplicePlan *plan, GilkWindow *window, const GilkWindow *other)
{
  if (!gilk_splice_is_free (plan, window))
    return FALSE;
  if ((plan->rooms != NULL || window->tactic == ILK_TACTIC_BOUNCE) &&
      !gilk_rooms_allow (rooms_of (plan), window, other))
    return FALSE;
  if (window->tactic != ILK_TACTIC_BOUNCE)
    return TRUE;

  return gilk_rooms_find (rooms_of (plan), window, other, &window->room);
}

/* The first that will do; they come cheapest first. */
static void
choose_one (GilkSplicePlan *plan, Point *point)
{
  for (guint i = 0; i < point->windows.n && point->chosen.n == 0; i++)
    if (find_room (plan, &point->windows.windows[i], NULL))
      point->chosen = point->windows.windows[i];
}

/* Cheapest pair of footprints; with none, the pre-hooks have precedence. */
static guint
choose_pair (GilkSplicePlan *plan, Point *pre, Point *post)
{
  guint best = G_MAXUINT;

  for (guint i = 0; i < pre->windows.n; i++)
    for (guint j = 0; j < post->windows.n; j++)
      {
        GilkWindow a = pre->windows.windows[i], b = post->windows.windows[j];

        if (weight (&a) + weight (&b) >= best || !compatible (&a, &b) ||
            !find_room (plan, &a, &b) || !find_room (plan, &b, &a))
          continue;
        best = weight (&a) + weight (&b);
        pre->chosen = a;
        post->chosen = b;
      }

  if (best == G_MAXUINT)
    choose_one (plan, pre);
  if (best == G_MAXUINT && pre->chosen.n == 0)
    choose_one (plan, post);

  return best;
}

static gboolean
allows (const Point *pre, const Point *post, guint tactic)
{
  return (pre->force == 0 || pre->force == tactic) && (post->force == 0 || post->force == tactic);
}

static void
choose_both (GilkSplicePlan *plan, guint block, Point *pre, Point *post)
{
  GilkWindow whole;

  if (allows (pre, post, ILK_TACTIC_SPLICE) &&
      gilk_window_whole (plan->cfg, block, ILK_TACTIC_SPLICE, &whole) &&
      find_room (plan, &whole, NULL))
    pre->chosen = post->chosen = whole;
  else if (choose_pair (plan, pre, post) > GILK_BOUNCE_COST &&
           allows (pre, post, ILK_TACTIC_BOUNCE) &&
           gilk_window_whole (plan->cfg, block, ILK_TACTIC_BOUNCE, &whole) &&
           find_room (plan, &whole, NULL))
    pre->chosen = post->chosen = whole;
}

/* Nobody can tell a hook that only counts or samples from one a few instructions later. */
static gboolean
may_be_early (const GilkSplicePlan *plan, const Point *post)
{
  for (guint i = 0; i < post->n; i++)
    if (plan->wants[post->wants[i]].kind == GILK_INSTRUMENT_MODULE)
      return FALSE;

  return TRUE;
}

static void
list_windows (const GilkSplicePlan *plan, guint block, Point *pre, Point *post)
{
  const GilkCfg *cfg = plan->cfg;

  if (pre->n > 0)
    gilk_windows_pre (cfg, block, &pre->windows);
  if (post->n > 0)
    gilk_windows_post (cfg, block, may_be_early (plan, post), &post->windows);
  apply_force (pre);
  apply_force (post);
}

static void
choose_tactic (GilkSplicePlan *plan, guint block, Point *pre, Point *post)
{
  if (pre->n > 0 && post->n > 0)
    {
      choose_both (plan, block, pre, post);
      return;
    }

  choose_one (plan, pre);
  choose_one (plan, post);
}

/*
 * A count that would have to save the flags goes a little further, to where nobody
 * needs them, if the footprint can be made to reach there.
 */
static void
widen (const GilkSplicePlan *plan, guint block, Point *point, const Point *other)
{
  gboolean forward = point->n > 0 && plan->wants[point->wants[0]].where == GILK_WHERE_PRE;
  GilkWindow wide = point->chosen;

  if (point->chosen.tactic != ILK_TACTIC_SPLICE || (point->chosen.tail > 0 && forward))
    return;

  for (guint i = 0; i < point->n; i++)
    {
      guint flags = gilk_emit_flags_in_the_way (plan, point->chosen.first, point->chosen.n,
                                                point->wants[i]);

      if (plan->wants[point->wants[i]].kind == GILK_INLINE_COUNT && flags != 0 &&
          gilk_window_widen (plan->cfg, plan->liveness, block, forward, flags, &wide) &&
          gilk_emit_flags_in_the_way (plan, wide.first, wide.n, point->wants[i]) == 0 &&
          gilk_splice_is_free (plan, &wide) &&
          (other->chosen.n == 0 || !gilk_window_overlap (&wide, &other->chosen)))
        point->chosen = wide;
      wide = point->chosen;
    }
}

/* As above, but only if splices will do for all that is wanted. */
static gboolean
choose_splices (GilkSplicePlan *plan, guint block, Point *pre, Point *post)
{
  Point *const points[] = { pre, post };
  guint n[2];

  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    {
      GilkWindows *windows = &points[i]->windows;

      n[i] = windows->n;
      windows->n = 0;
      while (windows->n < n[i] && windows->windows[windows->n].tactic == ILK_TACTIC_SPLICE)
        windows->n++;
    }
  choose_tactic (plan, block, pre, post);
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    points[i]->windows.n = n[i];

  if ((pre->n == 0 || pre->chosen.tactic == ILK_TACTIC_SPLICE) &&
      (post->n == 0 || post->chosen.tactic == ILK_TACTIC_SPLICE))
    return TRUE;

  pre->chosen = post->chosen = (GilkWindow) { .n = 0 };
  return FALSE;
}

/* ---- patches ---- */

/* A made-up driver: counters far away or near, everything within reach of @site. */
static void
write_trial (const GilkSplicePlan *plan, const GilkPatchPlan *patch, gboolean far,
             GilkAsm *as, guint *added)
{
  const struct ilk_info info = { .ring_bytes = 1 << 20, .gates = patch->site };
  g_autofree GilkBinding *bindings = g_new0 (GilkBinding, plan->n_wants);
  uint64_t offset = far ? G_GUINT64_CONSTANT (1) << 40 : 0;

  for (guint i = 0; i < patch->n_hooks; i++)
    bindings[patch->hooks[i]] = (GilkBinding) {
      .counter = offset, .lost = offset, .dropped = offset, .fn = patch->site,
    };

  *as = (GilkAsm) {
    .base = patch->site & ~(uint64_t) (ILK_GRANULE - 1),
    .code = g_byte_array_new (),
    .orc = g_array_new (FALSE, TRUE, sizeof (struct ilk_orc)),
    .faults = g_array_new (FALSE, TRUE, sizeof (struct ilk_fault)),
  };
  gilk_emit_patch (as, plan, patch, &info, bindings, added);
  if (gilk_emit_has_bare (patch))
    gilk_emit_bare (as, plan, patch);
}

static void
clear_trial (GilkAsm *as)
{
  g_byte_array_unref (as->code);
  g_array_unref (as->orc);
  g_array_unref (as->faults);
}

static guint
bound_code (const GilkSplicePlan *plan, const GilkPatchPlan *patch)
{
  guint bytes, for_orc, for_faults;
  GilkAsm as;

  write_trial (plan, patch, TRUE, &as, NULL);
  bytes = as.code->len +
          gilk_reloc_slack (plan->cfg, patch->first_insn + patch->n_insns - 1) *
          (gilk_emit_has_bare (patch) ? 2 : 1);
  for_orc = as.orc->len * ILK_GRANULE / ILK_ORC_PER_GRANULE;
  for_faults = as.faults->len * ILK_GRANULE / ILK_FAULTS_PER_GRANULE;
  clear_trial (&as);

  return (MAX (MAX (bytes, for_orc), for_faults) + ILK_GRANULE - 1) & ~(guint) (ILK_GRANULE - 1);
}

static void
cost_patch (const GilkSplicePlan *plan, GilkPatchPlan *patch)
{
  g_autofree guint *added = g_new0 (guint, patch->n_hooks);
  GilkAsm as;

  write_trial (plan, patch, FALSE, &as, added);
  for (guint i = 0; i < patch->n_hooks; i++)
    {
      plan->choices[patch->hooks[i]].cost = added[i];
      patch->cost += added[i];
    }
  clear_trial (&as);
}

void
gilk_splice_size_patch (const GilkSplicePlan *plan, GilkPatchPlan *patch)
{
  patch->code_bound = bound_code (plan, patch);
  patch->cost = 0;
  cost_patch (plan, patch);
}

static void
add_hooks (GilkPatchPlan *patch, const Point *point)
{
  patch->hooks = g_renew (guint, patch->hooks, patch->n_hooks + point->n);
  memcpy (patch->hooks + patch->n_hooks, point->wants, point->n * sizeof *point->wants);
  patch->n_hooks += point->n;
}

/* Fills in what follows from the footprint. */
static void
finish_patch (GilkSplicePlan *plan, GilkPatchPlan *patch)
{
  GilkWindow window = { .first = patch->first_insn, .n = patch->n_insns };

  patch->code_bound = bound_code (plan, patch);
  patch->cost = 0;
  window.tail = patch->len - gilk_window_bytes (plan->cfg, &window);
  gilk_window_copy (plan->cfg, &window, patch->old);
  cost_patch (plan, patch);
}

static GilkPatchPlan
patch_at (const GilkSplicePlan *plan, const GilkWindow *window)
{
  return (GilkPatchPlan) {
    .site = plan->cfg->insns[window->first].addr,
    .len = gilk_window_bytes (plan->cfg, window),
    .tactic = window->tactic,
    .first_insn = window->first,
    .n_insns = window->n,
    .bounce = window->room.addr,
    .flags = window->returns ? ILK_PATCH_RETURNS : 0,
  };
}

/* Returns: its index */
static guint
append_patch (GilkSplicePlan *plan, const GilkPatchPlan *patch)
{
  plan->patches = g_renew (GilkPatchPlan, plan->patches, plan->n_patches + 1);
  plan->patches[plan->n_patches] = *patch;
  if (plan->rooms != NULL)
    gilk_rooms_enter (plan->rooms, plan->n_patches);

  return plan->n_patches++;
}

/* Has the splice that a bounce found its room in grown, or planned. */
static void
provide_room (GilkSplicePlan *plan, const GilkRoom *room)
{
  guint host = room->patch;

  if (room->kind != GILK_ROOM_TAIL)
    {
      const GilkWindow window = { .first = room->first, .n = room->n, .tactic = ILK_TACTIC_SPLICE };
      GilkPatchPlan patch = patch_at (plan, &window);

      if (room->kind == GILK_ROOM_MADE)
        host = append_patch (plan, &patch);
      plan->patches[host].site = patch.site;
      plan->patches[host].len = patch.len;
      plan->patches[host].first_insn = patch.first_insn;
      plan->patches[host].n_insns = patch.n_insns;
      gilk_rooms_enter (plan->rooms, host);
    }
  plan->patches[host].houses = TRUE;
  finish_patch (plan, &plan->patches[host]);
}

/* The gap was read when it was found, so that its bytes are there; a splice leaves int3. */
static void
take_room (GilkSplicePlan *plan, GilkPatchPlan *patch, const GilkRoom *room)
{
  if (room->kind == GILK_ROOM_GAP)
    {
      memcpy (patch->bounce_old,
              gilk_image_bytes (plan->cfg->image, room->addr, ILK_BOUNCE_BYTES, NULL),
              ILK_BOUNCE_BYTES);
      return;
    }

  memset (patch->bounce_old, 0xcc, ILK_BOUNCE_BYTES);
  provide_room (plan, room);
}

/* One patch at the footprint of @point, for its hooks and those of @other (nullable). */
static void
add_patch (GilkSplicePlan *plan, const Point *point, const Point *other)
{
  const GilkWindow *window = &point->chosen;
  GilkPatchPlan patch = patch_at (plan, window);
  guint index;

  add_hooks (&patch, point);
  if (other != NULL)
    add_hooks (&patch, other);

  patch.code_bound = bound_code (plan, &patch);
  if (patch.code_bound > ILK_SLOT_MAX)
    {
      for (guint i = 0; i < patch.n_hooks; i++)
        refuse (plan, patch.hooks[i], GILK_REFUSAL_SHARES_BYTES, 0);
      g_free (patch.hooks);
      return;
    }

  if (window->tactic == ILK_TACTIC_BOUNCE)
    take_room (plan, &patch, &window->room);
  index = append_patch (plan, &patch);
  for (guint i = 0; i < patch.n_hooks; i++)
    plan->choices[patch.hooks[i]] = (GilkChoice) { .patch = index, .tactic = window->tactic };
  finish_patch (plan, &plan->patches[index]);
}

/* Do live footprints stand in the way of all that would do? */
static gboolean
is_held (const GilkSplicePlan *plan, const Point *point)
{
  for (guint i = 0; i < point->windows.n; i++)
    if (gilk_splice_is_free (plan, &point->windows.windows[i]))
      return FALSE;

  return plan->n_live > 0;
}

static void
refuse_point (GilkSplicePlan *plan, const Point *point)
{
  guint refusal = point->windows.n == 0 ? point->windows.refusal :
                  is_held (plan, point) ? GILK_REFUSAL_LIVE_BYTES :
                  point->force == ILK_TACTIC_BOUNCE ? GILK_REFUSAL_NO_ROOM :
                  GILK_REFUSAL_SHARES_BYTES;

  for (guint i = 0; i < point->n; i++)
    refuse (plan, point->wants[i], refusal, point->windows.why_not_splice);
}

static void
note_why_not_splice (GilkSplicePlan *plan, const Point *point)
{
  for (guint i = 0; i < point->n && point->chosen.tactic == ILK_TACTIC_TRAP; i++)
    plan->choices[point->wants[i]].why_not_splice =
      point->windows.why_not_splice != 0 || point->force == ILK_TACTIC_TRAP
      ? point->windows.why_not_splice : GILK_REFUSAL_SHARES_BYTES;
}

/* Returns: FALSE if not all can be had by splice, and nothing is planned */
static gboolean
plan_block (GilkSplicePlan *plan, guint block, gboolean by_splice)
{
  g_autofree guint *pre_wants = g_new (guint, plan->n_wants);
  g_autofree guint *post_wants = g_new (guint, plan->n_wants);
  Point pre = { .wants = pre_wants }, post = { .wants = post_wants };
  gboolean shared;

  collect (plan, block, GILK_WHERE_PRE, &pre);
  collect (plan, block, GILK_WHERE_POST, &post);
  list_windows (plan, block, &pre, &post);
  if (by_splice && !choose_splices (plan, block, &pre, &post))
    return FALSE;
  if (plan->rooms != NULL)
    gilk_rooms_release (plan->rooms, block);
  plan->done[block] = TRUE;
  if (!by_splice)
    choose_tactic (plan, block, &pre, &post);
  shared = pre.chosen.n > 0 && post.chosen.n > 0 &&
           gilk_window_overlap (&pre.chosen, &post.chosen);

  /* What is left of other blocks may be somebody's room by now. */
  if (!shared && by_splice)
    {
      widen (plan, block, &pre, &post);
      widen (plan, block, &post, &pre);
    }

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

/* What is long enough for a splice has other uses for its bytes; the short come last. */
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
        refuse (plan, i, refusal, 0);
      else
        wanted[plan->wants[i].block] = TRUE;
    }

  plan->done = g_new0 (gboolean, plan->cfg->n_blocks + 1);
  for (guint turn = 0; turn < 3; turn++)
    for (guint block = 0; block < plan->cfg->n_blocks; block++)
      if (wanted[block] && !plan->done[block] && is_turn_of (plan, block, turn))
        plan_block (plan, block, turn == 0);
}

/* Nothing is planned yet. */
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

static void
free_patches (GilkSplicePlan *plan)
{
  for (guint i = 0; i < plan->n_patches; i++)
    g_free (plan->patches[i].hooks);
  g_free (plan->patches);
}

void
gilk_splice_plan_refuse (GilkSplicePlan *plan,
                         guint           refusal)
{
  free_patches (plan);
  plan->patches = NULL;
  plan->n_patches = 0;
  for (guint i = 0; i < plan->n_wants; i++)
    if (plan->choices[i].refusal == 0)
      refuse (plan, i, refusal, 0);
}

void
gilk_splice_plan_free (GilkSplicePlan *plan)
{
  if (plan == NULL)
    return;

  free_patches (plan);
  gilk_rooms_free (plan->rooms);
  g_free (plan->done);
  gilk_liveness_free (plan->liveness);
  gilk_cfg_unref (plan->cfg);
  g_free (plan->wants);
  g_free (plan->choices);
  g_free (plan);
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
  plan_all (&plan);

  if (patch != NULL)
    {
      *patch = choice->refusal == 0 ? plan.patches[choice->patch]
                                    : (GilkPatchPlan) { .site = 0 };
      patch->hooks = NULL;
      patch->n_hooks = 0;
    }
  free_patches (&plan);
  gilk_rooms_free (plan.rooms);
  g_free (plan.done);
}
