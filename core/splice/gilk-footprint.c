/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-footprint.c - finds the footprints that can serve a point, the cheapest first: ranges of
 * instructions that the jump to a hook may overwrite
 *
 * Footprints are within one block, so no branch can land inside one: targets of static keys and
 * fixups start blocks, too.
 *
 *   pre:     starts at the block's first instruction that can be hooked.
 *   post:    ends with the block, so that its branch is relocated, too (saves the jump back); or
 *            ends before the branch, and contains no call; or ends with the block's last call,
 *            which then returns to the patch.
 *   bounce:  like pre or post, but needs only two bytes.
 *   trap:    is one instruction: the one after a pre-hook, the branch after a post-hook, or the
 *            last one before a post-hook.
 *
 * A block that ends in a return or jump may be too short, and still have enough bytes: the filler
 * after it, such as the int3s left where the kernel replaced a jump to the return thunk by a plain
 * return. Filler is taken in whole instructions, for tools that decode the text in order, such as
 * kprobes.
 */
#include "core/splice/gilk-footprint.h"

#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-reloc.h"
#include "core/splice/gilk-splice.h"

typedef struct {
  const GilkCfg *cfg;
  const GilkBlock *block;
  guint first, end;        /* range of the block's instructions that may be moved into a patch: from
                            * @first to before @end */
  int   terminator;
} Span;

static Span
make_span (const GilkCfg *cfg, guint block)
{
  const GilkBlock *b = &cfg->blocks[block];

  return (Span) {
    .cfg = cfg,
    .block = b,
    .first = gilk_point_first (cfg, block),
    .end = b->first_insn + b->n_insns,
    .terminator = gilk_point_terminator (cfg, block),
  };
}

guint
gilk_footprint_bytes (const GilkCfg    *cfg,
                   const GilkFootprint *footprint)
{
  const GilkInsn *last = &cfg->insns[footprint->first + footprint->n - 1];

  return (guint) (last->addr + last->len - cfg->insns[footprint->first].addr) + footprint->tail;
}

void
gilk_footprint_copy (const GilkCfg    *cfg,
                  const GilkFootprint *footprint,
                  uint8_t           bytes[ILK_FOOTPRINT_MAX])
{
  const GilkInsn *first = &cfg->insns[footprint->first], *last = first + footprint->n - 1;

  for (const GilkInsn *insn = first; insn <= last; insn++)
    memcpy (bytes + (insn->addr - first->addr), gilk_cfg_bytes (cfg, insn), insn->len);

  /* The filler was read when the footprint was chosen, so reading its bytes cannot fail. */
  if (footprint->tail > 0)
    memcpy (bytes + (last->addr + last->len - first->addr),
            gilk_image_bytes (cfg->image, last->addr + last->len, footprint->tail, NULL),
            footprint->tail);
}

gboolean
gilk_footprint_covers (const GilkCfg    *cfg,
                    const GilkFootprint *footprint,
                    uint64_t          addr,
                    guint             length)
{
  uint64_t start = cfg->insns[footprint->first].addr;

  return start < addr + length && addr < start + gilk_footprint_bytes (cfg, footprint);
}

gboolean
gilk_footprint_overlap (const GilkFootprint *a,
                     const GilkFootprint *b)
{
  return a->first < b->first + b->n && b->first < a->first + a->n;
}

static gboolean
is_call (const GilkInsn *insn)
{
  return insn->branch == GILK_BRANCH_CALL || insn->branch == GILK_BRANCH_CALL_INDIRECT;
}

/* Adds the footprint to @footprints if its instructions can be relocated. Otherwise stores the
 * reason, a refusal, in @footprints, unless a refusal other than "too short" is stored there
 * already. */
static void
offer_footprint (const Span *span, GilkFootprint footprint, guint refusal, GilkFootprints *footprints)
{
  if (refusal == 0)
    refusal = gilk_reloc_check (span->cfg, footprint.first, footprint.n);
  if (refusal == 0)
    footprints->footprints[footprints->n++] = footprint;
  else if (footprints->refusal == 0 || footprints->refusal == GILK_REFUSAL_TOO_SHORT)
    footprints->refusal = refusal;
  if (refusal != 0 && footprint.tactic == ILK_TACTIC_SPLICE && footprints->why_not_splice == 0)
    footprints->why_not_splice = refusal;
}

static GilkFootprint
make_trap (guint insn)
{
  return (GilkFootprint) { .first = insn, .n = 1, .tactic = ILK_TACTIC_TRAP };
}

static guint
get_jump_bytes (guint tactic)
{
  return tactic == ILK_TACTIC_BOUNCE ? GILK_HOP_BYTES : GILK_JUMP_BYTES;
}

/* Returns the end address of the unused bytes after the block; the block's end if there are
 * none. */
static uint64_t
find_filler_end (const GilkCfg *cfg, const GilkBlock *block)
{
  const GilkFunction *function = cfg->function;
  const GilkRange *range = block->start - function->hot.start <
                           function->hot.end - function->hot.start
                           ? &function->hot : &function->cold;
  uint64_t end = MIN (range->end, block->end + ILK_FOOTPRINT_MAX);
  const GilkBlock *next = block + 1;
  guint count = 0;

  if (next < cfg->blocks + cfg->n_blocks && next->start >= block->end && next->start < end)
    end = next->start;
  if (end <= block->end || !gilk_never_runs_on (block))
    return block->end;
  gilk_image_sites (cfg->image, block->end, end, &count);

  return count > 0 ? block->end : end;
}

/* Adds filler, bytes that never run, to a footprint that ends with the block, until the jump
 * fits. */
static gboolean
grow_into_filler (const Span *span, GilkFootprint *footprint)
{
  const GilkInsn *last = &span->cfg->insns[span->end - 1];
  uint64_t start = last->addr + last->len;
  gsize room = find_filler_end (span->cfg, span->block) - start;
  const uint8_t *bytes = room > 0 ? gilk_image_bytes (span->cfg->image, start, room, NULL) : NULL;
  gsize step;

  while (bytes != NULL &&
         gilk_footprint_bytes (span->cfg, footprint) < get_jump_bytes (footprint->tactic))
    {
      step = footprint->tail < room
             ? gilk_filler_length (bytes + footprint->tail, room - footprint->tail,
                                   start + footprint->tail) : 0;
      if (step == 0)
        return FALSE;
      footprint->tail += step;
    }

  return gilk_footprint_bytes (span->cfg, footprint) >= get_jump_bytes (footprint->tactic);
}

gboolean
gilk_footprint_fill (const GilkCfg *cfg,
                  guint          block,
                  GilkFootprint    *footprint)
{
  Span span = make_span (cfg, block);

  return grow_into_filler (&span, footprint);
}

/* Finds the fewest instructions from @first on that have enough bytes for the jump of @tactic. If
 * the block has too few, adds as little as possible of the filler after it. */
static gboolean
grow_forward (const Span *span, guint first, guint tactic, GilkFootprint *footprint)
{
  *footprint = (GilkFootprint) { .first = first, .n = 1, .tactic = tactic };
  while (gilk_footprint_bytes (span->cfg, footprint) < get_jump_bytes (tactic))
    {
      if (footprint->first + footprint->n >= span->end)
        return grow_into_filler (span, footprint);
      footprint->n++;
    }

  return TRUE;
}

/* Extends a footprint that cannot grow backward by the filler (unused bytes) after its block.
 * Returns 0 if the jump then fits, else @refusal. */
static guint
try_filler (const Span *span, guint end, GilkFootprint *footprint, guint refusal)
{
  gboolean at_end = footprint->n > 0 && end == span->end;

  return at_end && grow_into_filler (span, footprint) ? 0 : refusal;
}

/*
 * Works like grow_forward(), but goes backward from @end. Stops at a call, unless that call ends
 * the block.
 */
static guint
grow_backward (const Span *span, guint end, guint tactic, GilkFootprint *footprint)
{
  *footprint = (GilkFootprint) { .first = end, .n = 0, .tactic = tactic };
  do
    {
      guint next = footprint->first - 1;

      if (footprint->first <= span->first)
        return try_filler (span, end, footprint, GILK_REFUSAL_TOO_SHORT);
      if (is_call (&span->cfg->insns[next]) && (int) next != span->terminator)
        return try_filler (span, end, footprint, GILK_REFUSAL_POST_AFTER_CALL);
      footprint->first = next;
      footprint->n++;
    }
  while (gilk_footprint_bytes (span->cfg, footprint) < get_jump_bytes (tactic));

  return 0;
}

/* Clears the stored refusals once a footprint was found. */
static void
drop_refusals (GilkFootprints *footprints)
{
  if (footprints->n > 0 && footprints->footprints[0].tactic == ILK_TACTIC_SPLICE)
    footprints->why_not_splice = 0;
  if (footprints->n > 0)
    footprints->refusal = 0;
}

void
gilk_footprints_pre (const GilkCfg *cfg,
                  guint          block,
                  GilkFootprints   *footprints)
{
  Span span = make_span (cfg, block);
  GilkFootprint footprint;

  *footprints = (GilkFootprints) { .n = 0 };
  if (span.first >= span.end)
    {
      footprints->refusal = footprints->why_not_splice = GILK_REFUSAL_FENTRY;
      return;
    }

  if (grow_forward (&span, span.first, ILK_TACTIC_SPLICE, &footprint))
    offer_footprint (&span, footprint, 0, footprints);
  else
    footprints->why_not_splice = GILK_REFUSAL_TOO_SHORT;
  if (grow_forward (&span, span.first, ILK_TACTIC_BOUNCE, &footprint))
    offer_footprint (&span, footprint, 0, footprints);
  offer_footprint (&span, make_trap (span.first), 0, footprints);
  drop_refusals (footprints);
}

/* Adds a footprint whose last instruction is the call with index @call, so that the hook runs just
 * after that call. */
static void
offer_after_call (const Span *span, int call, guint tactic, GilkFootprints *footprints)
{
  GilkFootprint footprint = { .first = (guint) call, .n = 1, .tactic = tactic, .returns = TRUE };

  if (call < 0 || !gilk_reloc_may_call (span->cfg, (guint) call))
    return;
  while (tactic != ILK_TACTIC_TRAP &&
         gilk_footprint_bytes (span->cfg, &footprint) < get_jump_bytes (tactic))
    {
      if (footprint.first <= span->first || is_call (&span->cfg->insns[footprint.first - 1]))
        return;
      footprint.first--;
      footprint.n++;
    }

  offer_footprint (span, footprint, 0, footprints);
}

/* Returns the index of the call after which a post-hook can run; -1 if there is none. */
static int
find_last_call (const Span *span, guint behind, gboolean early)
{
  for (guint i = behind; i-- > span->first;)
    {
      if (is_call (&span->cfg->insns[i]))
        return (int) i;
      if (!early || gilk_reloc_may_fault (span->cfg, i))
        return -1;
    }

  return -1;
}

static void
offer_post (const Span *span, guint behind, guint tactic, GilkFootprints *footprints)
{
  GilkFootprint footprint;
  guint refusal;

  if (span->terminator >= 0)
    {
      refusal = grow_backward (span, span->end, tactic, &footprint);
      offer_footprint (span, footprint, refusal, footprints);
    }
  refusal = grow_backward (span, behind, tactic, &footprint);
  if (refusal != GILK_REFUSAL_TOO_SHORT || span->terminator < 0)
    offer_footprint (span, footprint, refusal, footprints);
}

void
gilk_footprints_post (const GilkCfg *cfg,
                   guint          block,
                   gboolean       early,
                   GilkFootprints   *footprints)
{
  Span span = make_span (cfg, block);
  guint behind = span.terminator >= 0 ? (guint) span.terminator : span.end;
  gboolean after_call;
  int call;

  *footprints = (GilkFootprints) { .n = 0 };
  if (span.first >= span.end)
    {
      footprints->refusal = footprints->why_not_splice = GILK_REFUSAL_FENTRY;
      return;
    }

  after_call = behind > span.first && is_call (&cfg->insns[behind - 1]);
  call = find_last_call (&span, behind, early);
  offer_post (&span, behind, ILK_TACTIC_SPLICE, footprints);
  offer_after_call (&span, call, ILK_TACTIC_SPLICE, footprints);
  offer_post (&span, behind, ILK_TACTIC_BOUNCE, footprints);
  offer_after_call (&span, call, ILK_TACTIC_BOUNCE, footprints);
  if (span.terminator >= 0)
    offer_footprint (&span, make_trap ((guint) span.terminator), 0, footprints);
  if (behind > span.first && !after_call)
    offer_footprint (&span, make_trap (behind - 1), 0, footprints);
  offer_after_call (&span, call, ILK_TACTIC_TRAP, footprints);
  drop_refusals (footprints);
}

/*
 * Makes a footprint from the block's first instruction to @end, for hooks at both ends of the
 * block. Returns FALSE if an instruction cannot be moved.
 */
static gboolean
make_whole (const Span *span, guint end, guint tactic, GilkFootprint *footprint)
{
  gboolean calls;

  if (end <= span->first || end - span->first > ILK_FOOTPRINT_MAX)
    return FALSE;
  calls = is_call (&span->cfg->insns[end - 1]) && (int) end - 1 != span->terminator;
  if (calls && !gilk_reloc_may_call (span->cfg, end - 1))
    return FALSE;

  *footprint = (GilkFootprint) { .first = span->first, .n = end - span->first, .tactic = tactic,
                           .returns = calls };
  if (gilk_footprint_bytes (span->cfg, footprint) < get_jump_bytes (tactic) &&
      (end != span->end || !grow_into_filler (span, footprint)))
    return FALSE;

  return gilk_footprint_bytes (span->cfg, footprint) <= ILK_FOOTPRINT_MAX &&
         gilk_reloc_check (span->cfg, footprint->first, footprint->n) == 0;
}

gboolean
gilk_footprint_whole (const GilkCfg *cfg,
                   guint          block,
                   guint          tactic,
                   GilkFootprint    *footprint)
{
  Span span = make_span (cfg, block);

  if (make_whole (&span, span.end, tactic, footprint))
    return TRUE;

  return span.terminator >= 0 && make_whole (&span, (guint) span.terminator, tactic, footprint);
}

gboolean
gilk_footprint_widen (const GilkCfg      *cfg,
                   const GilkLiveness *liveness,
                   guint               block,
                   gboolean            forward,
                   guint               flags,
                   GilkFootprint         *footprint)
{
  Span span = make_span (cfg, block);
  GilkFootprint wide = *footprint;

  while (forward ? wide.first + wide.n < span.end : wide.first > span.first)
    {
      guint next = forward ? wide.first + wide.n : wide.first - 1;

      wide.first -= !forward;
      wide.n++;
      if (gilk_footprint_bytes (cfg, &wide) > ILK_FOOTPRINT_MAX ||
          gilk_reloc_check (cfg, wide.first, wide.n) != 0)
        return FALSE;
      if (!(liveness->before[next].flags & flags))
        {
          *footprint = wide;
          return TRUE;
        }
    }

  return FALSE;
}
