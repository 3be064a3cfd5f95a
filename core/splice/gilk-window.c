/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window.c - footprints that would serve a point, cheapest first
 *
 * Footprints lie within one block, so no branch ever lands inside one: static
 * key and fix-up targets are leaders too.
 *
 *   pre    begins at the block's first instruction that may carry a hook
 *   post   ends with the block, its branch relocated too (saves the jump back),
 *          or ends where the branch begins, without a call in it; or ends with
 *          the block's last call, which then returns to the patch
 *   bounce as these, but two bytes will do
 *   trap   one instruction: the one a pre-hook stands before, the branch a
 *          post-hook stands before, or the last one it stands behind
 *
 * A block that ends in a return or jump may be too short and yet have room: the
 * filler behind it, such as the int3 that the kernel leaves where it makes a jump
 * to the return thunk a bare return. It is taken by whole instructions, for those
 * who decode the text in order, as kprobes does.
 */
#include "core/splice/gilk-window.h"

#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/splice/gilk-emit.h"
#include "core/splice/gilk-gap.h"
#include "core/splice/gilk-reloc.h"

typedef struct {
  const GilkCfg *cfg;
  const GilkBlock *block;
  guint first, end;        /* instructions of the block that may be moved */
  int   terminator;
} Span;

static Span
span_of (const GilkCfg *cfg, guint block)
{
  const GilkBlock *b = &cfg->blocks[block];

  return (Span) {
    .cfg = cfg,
    .block = b,
    .first = gilk_emit_first (cfg, block),
    .end = b->first_insn + b->n_insns,
    .terminator = gilk_block_terminator (cfg, block),
  };
}

guint
gilk_window_bytes (const GilkCfg    *cfg,
                   const GilkWindow *window)
{
  const GilkInsn *last = &cfg->insns[window->first + window->n - 1];

  return (guint) (last->addr + last->len - cfg->insns[window->first].addr) + window->tail;
}

void
gilk_window_copy (const GilkCfg    *cfg,
                  const GilkWindow *window,
                  uint8_t           bytes[ILK_FOOTPRINT_MAX])
{
  const GilkInsn *first = &cfg->insns[window->first], *last = first + window->n - 1;

  for (const GilkInsn *insn = first; insn <= last; insn++)
    memcpy (bytes + (insn->addr - first->addr), gilk_cfg_bytes (cfg, insn), insn->len);

  /* The filler was looked at when the footprint was chosen, so that its bytes are there. */
  if (window->tail > 0)
    memcpy (bytes + (last->addr + last->len - first->addr),
            gilk_image_bytes (cfg->image, last->addr + last->len, window->tail, NULL),
            window->tail);
}

gboolean
gilk_window_covers (const GilkCfg    *cfg,
                    const GilkWindow *window,
                    uint64_t          addr,
                    guint             length)
{
  uint64_t start = cfg->insns[window->first].addr;

  return start < addr + length && addr < start + gilk_window_bytes (cfg, window);
}

gboolean
gilk_window_overlap (const GilkWindow *a,
                     const GilkWindow *b)
{
  return a->first < b->first + b->n && b->first < a->first + a->n;
}

static gboolean
is_call (const GilkInsn *insn)
{
  return insn->flow == GILK_FLOW_CALL || insn->flow == GILK_FLOW_CALL_INDIRECT;
}

/* Adds the window if it may be moved; else keeps the first reason that says why not. */
static void
offer (const Span *span, GilkWindow window, guint refusal, GilkWindows *windows)
{
  if (refusal == 0)
    refusal = gilk_reloc_check (span->cfg, window.first, window.n);
  if (refusal == 0)
    windows->windows[windows->n++] = window;
  else if (windows->refusal == 0 || windows->refusal == GILK_REFUSAL_TOO_SHORT)
    windows->refusal = refusal;
  if (refusal != 0 && window.tactic == ILK_TACTIC_SPLICE && windows->why_not_splice == 0)
    windows->why_not_splice = refusal;
}

static GilkWindow
trap_at (guint insn)
{
  return (GilkWindow) { .first = insn, .n = 1, .tactic = ILK_TACTIC_TRAP };
}

static guint
bytes_for (guint tactic)
{
  return tactic == ILK_TACTIC_BOUNCE ? GILK_HOP_BYTES : GILK_JUMP_BYTES;
}

/* Where the bytes behind the block end that belong to nobody else; its own end if none do. */
static uint64_t
dead_until (const GilkCfg *cfg, const GilkBlock *block)
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

/* Lengthens a window that reaches the block's end by filler until the jump fits. */
static gboolean
grow_into_filler (const Span *span, GilkWindow *window)
{
  const GilkInsn *last = &span->cfg->insns[span->end - 1];
  uint64_t start = last->addr + last->len;
  gsize room = dead_until (span->cfg, span->block) - start;
  const uint8_t *bytes = room > 0 ? gilk_image_bytes (span->cfg->image, start, room, NULL) : NULL;
  gsize step;

  while (bytes != NULL && gilk_window_bytes (span->cfg, window) < bytes_for (window->tactic))
    {
      step = window->tail < room
             ? gilk_filler_length (bytes + window->tail, room - window->tail,
                                   start + window->tail) : 0;
      if (step == 0)
        return FALSE;
      window->tail += step;
    }

  return gilk_window_bytes (span->cfg, window) >= bytes_for (window->tactic);
}

gboolean
gilk_window_fill (const GilkCfg *cfg,
                  guint          block,
                  GilkWindow    *window)
{
  Span span = span_of (cfg, block);

  return grow_into_filler (&span, window);
}

/* Shortest run of whole instructions from @first that the jump fits, then of filler. */
static gboolean
grow_forward (const Span *span, guint first, guint tactic, GilkWindow *window)
{
  *window = (GilkWindow) { .first = first, .n = 1, .tactic = tactic };
  while (gilk_window_bytes (span->cfg, window) < bytes_for (tactic))
    {
      if (window->first + window->n >= span->end)
        return grow_into_filler (span, window);
      window->n++;
    }

  return TRUE;
}

/* What is to be said of a window that cannot grow backward any more. */
static guint
last_resort (const Span *span, guint end, GilkWindow *window, guint refusal)
{
  gboolean at_end = window->n > 0 && end == span->end;

  return at_end && grow_into_filler (span, window) ? 0 : refusal;
}

/* Likewise backward, to end before @end. A call stops it unless it is the terminator. */
static guint
grow_backward (const Span *span, guint end, guint tactic, GilkWindow *window)
{
  *window = (GilkWindow) { .first = end, .n = 0, .tactic = tactic };
  do
    {
      guint next = window->first - 1;

      if (window->first <= span->first)
        return last_resort (span, end, window, GILK_REFUSAL_TOO_SHORT);
      if (is_call (&span->cfg->insns[next]) && (int) next != span->terminator)
        return last_resort (span, end, window, GILK_REFUSAL_POST_AFTER_CALL);
      window->first = next;
      window->n++;
    }
  while (gilk_window_bytes (span->cfg, window) < bytes_for (tactic));

  return 0;
}

/* Reasons against what was tried are of no interest once something better will do. */
static void
settle (GilkWindows *windows)
{
  if (windows->n > 0 && windows->windows[0].tactic == ILK_TACTIC_SPLICE)
    windows->why_not_splice = 0;
  if (windows->n > 0)
    windows->refusal = 0;
}

void
gilk_windows_pre (const GilkCfg *cfg,
                  guint          block,
                  GilkWindows   *windows)
{
  Span span = span_of (cfg, block);
  GilkWindow window;

  *windows = (GilkWindows) { .n = 0 };
  if (span.first >= span.end)
    {
      windows->refusal = windows->why_not_splice = GILK_REFUSAL_FENTRY;
      return;
    }

  if (grow_forward (&span, span.first, ILK_TACTIC_SPLICE, &window))
    offer (&span, window, 0, windows);
  else
    windows->why_not_splice = GILK_REFUSAL_TOO_SHORT;
  if (grow_forward (&span, span.first, ILK_TACTIC_BOUNCE, &window))
    offer (&span, window, 0, windows);
  offer (&span, trap_at (span.first), 0, windows);
  settle (windows);
}

/* Footprints that end with call @call: the hook comes right behind it. */
static void
offer_behind_call (const Span *span, int call, guint tactic, GilkWindows *windows)
{
  GilkWindow window = { .first = (guint) call, .n = 1, .tactic = tactic, .returns = TRUE };

  if (call < 0 || !gilk_reloc_may_call (span->cfg, (guint) call))
    return;
  while (tactic != ILK_TACTIC_TRAP && gilk_window_bytes (span->cfg, &window) < bytes_for (tactic))
    {
      if (window.first <= span->first || is_call (&span->cfg->insns[window.first - 1]))
        return;
      window.first--;
      window.n++;
    }

  offer (span, window, 0, windows);
}

/* The call that a post-hook may run right behind, -1 if there is none. */
static int
last_call (const Span *span, guint behind, gboolean early)
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
offer_post (const Span *span, guint behind, guint tactic, GilkWindows *windows)
{
  GilkWindow window;
  guint refusal;

  if (span->terminator >= 0)
    {
      refusal = grow_backward (span, span->end, tactic, &window);
      offer (span, window, refusal, windows);
    }
  refusal = grow_backward (span, behind, tactic, &window);
  if (refusal != GILK_REFUSAL_TOO_SHORT || span->terminator < 0)
    offer (span, window, refusal, windows);
}

void
gilk_windows_post (const GilkCfg *cfg,
                   guint          block,
                   gboolean       early,
                   GilkWindows   *windows)
{
  Span span = span_of (cfg, block);
  guint behind = span.terminator >= 0 ? (guint) span.terminator : span.end;
  gboolean after_call;
  int call;

  *windows = (GilkWindows) { .n = 0 };
  if (span.first >= span.end)
    {
      windows->refusal = windows->why_not_splice = GILK_REFUSAL_FENTRY;
      return;
    }

  after_call = behind > span.first && is_call (&cfg->insns[behind - 1]);
  call = last_call (&span, behind, early);
  offer_post (&span, behind, ILK_TACTIC_SPLICE, windows);
  offer_behind_call (&span, call, ILK_TACTIC_SPLICE, windows);
  offer_post (&span, behind, ILK_TACTIC_BOUNCE, windows);
  offer_behind_call (&span, call, ILK_TACTIC_BOUNCE, windows);
  if (span.terminator >= 0)
    offer (&span, trap_at ((guint) span.terminator), 0, windows);
  if (behind > span.first && !after_call)
    offer (&span, trap_at (behind - 1), 0, windows);
  offer_behind_call (&span, call, ILK_TACTIC_TRAP, windows);
  settle (windows);
}

/* May all from the first instruction to before @end move, with hooks at both ends? */
static gboolean
whole_until (const Span *span, guint end, guint tactic, GilkWindow *window)
{
  gboolean calls;

  if (end <= span->first || end - span->first > ILK_FOOTPRINT_MAX)
    return FALSE;
  calls = is_call (&span->cfg->insns[end - 1]) && (int) end - 1 != span->terminator;
  if (calls && !gilk_reloc_may_call (span->cfg, end - 1))
    return FALSE;

  *window = (GilkWindow) { .first = span->first, .n = end - span->first, .tactic = tactic,
                           .returns = calls };
  if (gilk_window_bytes (span->cfg, window) < bytes_for (tactic) &&
      (end != span->end || !grow_into_filler (span, window)))
    return FALSE;

  return gilk_window_bytes (span->cfg, window) <= ILK_FOOTPRINT_MAX &&
         gilk_reloc_check (span->cfg, window->first, window->n) == 0;
}

gboolean
gilk_window_whole (const GilkCfg *cfg,
                   guint          block,
                   guint          tactic,
                   GilkWindow    *window)
{
  Span span = span_of (cfg, block);

  if (whole_until (&span, span.end, tactic, window))
    return TRUE;

  return span.terminator >= 0 && whole_until (&span, (guint) span.terminator, tactic, window);
}

gboolean
gilk_window_widen (const GilkCfg      *cfg,
                   const GilkLiveness *liveness,
                   guint               block,
                   gboolean            forward,
                   guint               flags,
                   GilkWindow         *window)
{
  Span span = span_of (cfg, block);
  GilkWindow wide = *window;

  while (forward ? wide.first + wide.n < span.end : wide.first > span.first)
    {
      guint next = forward ? wide.first + wide.n : wide.first - 1;

      wide.first -= !forward;
      wide.n++;
      if (gilk_window_bytes (cfg, &wide) > ILK_FOOTPRINT_MAX ||
          gilk_reloc_check (cfg, wide.first, wide.n) != 0)
        return FALSE;
      if (!(liveness->before[next].flags & flags))
        {
          *window = wide;
          return TRUE;
        }
    }

  return FALSE;
}
