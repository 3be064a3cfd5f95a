/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-build.c - finds a function's blocks and edges by recursive descent
 *
 *  1. Follow control flow from the entry through both parts. The kernel's tables add what the bytes
 *     do not show: a static key may go either way, execution continues after the ud2 of a WARN,
 *     execution ends at a call that never returns, and a fault leads to its fix-up.
 *  2. Addresses to which other functions jump are leaders (starts of blocks), too.
 *  3. Bytes that were not reached and are not filler are followed, because their jumps may lead
 *  into known blocks. No edges lead to the blocks that are made from such bytes.
 *  4. Cut the code into blocks at leaders and at the caller's cuts, and connect the blocks.
 *
 * A conditional jump out of the function (a conditional tail call) leaves its block with only a
 * GILK_EDGE_NOT_TAKEN edge. One that raises #UD when it is taken does not end its block. A
 * GILK_EDGE_FIXUP starts in the middle of a block: a faulting instruction does not end it.
 *
 * The following are refused: unknown instructions, jumps into the middle of an instruction,
 * control flow that runs off the end, an indirect jump in a function with unreached code (which may
 * contain its targets), and text that another tool has patched.
 */
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-cfg-private.h"
#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-function-private.h"

enum {                      /* flags of each byte of a part of the function (hot or cold) */
  GILK_BYTE_START  = 1 << 0,
  GILK_BYTE_INSIDE = 1 << 1,
  GILK_BYTE_LEADER = 1 << 2,
  GILK_BYTE_SITE   = 1 << 3,          /* one of the kernel's tables of static keys, static calls,
                                       * ftrace sites, BUGs and fix-ups has an entry for this
                                       * address */
};

typedef struct {
  const GilkText *text;
  uint8_t        *map;
  uint32_t       *insn_at;  /* for each byte with GILK_BYTE_START: index of the instruction that
                             * starts there */
  const GilkSite *sites;
  guint           n_sites;
} GilkBuildPart;

/* The state of one construction, used by one thread: it is on the stack of gilk_cfg_build(). */
typedef struct {
  GilkCfg       *cfg;
  GilkFunctions *functions;
  GilkImage     *image;
  GilkDecoder   *decoder;
  GilkBuildPart           parts[2];
  guint          n_parts;
  GArray        *insns;     /* decoded instructions, in the order in which control flow reached
                             * them */
  GArray        *work;      /* addresses from which control flow must still be followed */
  uint64_t       indirect;  /* address of an indirect jump in the function; 0: there is none */
} GilkBuilder;

/* Control flow after an instruction. */
typedef struct {
  gboolean ends, falls;
  uint8_t  ending;          /* GilkBlockEnd */
  uint8_t  fall_kind, to_kind;
  uint64_t to;              /* target of a jump within the function; 0: none */
} GilkOutcome;

int
gilk_cfg_block_around (const GilkCfg *cfg, uint64_t addr)
{
  guint low = GILK_BISECT (cfg->n_blocks, i, cfg->blocks[i].start <= addr);

  return low > 0 && addr < cfg->blocks[low - 1].end ? (int) low - 1 : -1;
}

int
gilk_cfg_block_at (const GilkCfg *cfg, uint64_t start)
{
  int block = gilk_cfg_block_around (cfg, start);

  return block >= 0 && cfg->blocks[block].start == start ? block : -1;
}

gboolean *
gilk_cfg_reached (const GilkCfg *cfg)
{
  gboolean *reached = g_new0 (gboolean, cfg->n_blocks + 1);
  g_autofree guint *work = g_new (guint, cfg->n_blocks + 1);
  guint n = 0;

  if (cfg->n_blocks == 0)
    return reached;
  reached[cfg->entry] = TRUE;
  work[n++] = cfg->entry;
  while (n > 0)
    {
      const GilkBlock *b = &cfg->blocks[work[--n]];

      for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
        {
          guint to = cfg->edges[i].to;

          if (!reached[to])
            work[n++] = to;
          reached[to] = TRUE;
        }
    }

  return reached;
}

/* The outcome of an instruction is used both to follow control flow and to connect blocks, so that
 * these two steps always agree. */

/* Returns the part of the function (hot or cold) that contains @addr; NULL if @addr is not in the
 * function. */
static GilkBuildPart *
find_part (GilkBuilder *b, uint64_t addr)
{
  for (guint i = 0; i < b->n_parts; i++)
    if (addr - b->parts[i].text->start < b->parts[i].text->length)
      return &b->parts[i];

  return NULL;
}

/* Returns the entry of @kind that the kernel's tables have for the instruction at @addr, such as a
 * static key or a fix-up; NULL if there is none. */
static const GilkSite *
find_site (GilkBuilder *b, uint64_t addr, GilkSiteKind kind)
{
  const GilkBuildPart *part = find_part (b, addr);
  guint low;

  if (part == NULL || !(part->map[addr - part->text->start] & GILK_BYTE_SITE))
    return NULL;

  low = GILK_BISECT (part->n_sites, i, part->sites[i].addr < addr);
  for (; low < part->n_sites && part->sites[low].addr == addr; low++)
    if (part->sites[low].kind == kind)
      return &part->sites[low];

  return NULL;
}

/* Returns whether the rest of the function's part, from @addr on, consists only of int3, nops and
 * zero bytes. */
static gboolean
is_only_filler (GilkBuilder *b, uint64_t addr)
{
  const GilkBuildPart *part = find_part (b, addr);
  const GilkText *text;
  gsize at;

  if (part == NULL)
    return TRUE;

  text = part->text;
  at = addr - text->start;
  while (at < text->length)
    {
      GilkInsn insn;

      if (text->bytes[at] == 0xcc || text->bytes[at] == 0)
        at++;
      else if (gilk_insn_decode (b->decoder, text->bytes + at, text->length - at,
                                 text->start + at, &insn) && insn.flags & GILK_INSN_NOP)
        at += insn.len;
      else
        return FALSE;
    }

  return TRUE;
}

/*
 * Returns whether the two bytes at offset @at are the conditional jump of a kernel with kCFI, which
 * checks indirect calls: when the check fails, the jump leads into a neighbouring instruction, where
 * it raises #UD:
 *
 *   75 01        jne  .+3            2e 4d 8d 5b f0   cs lea -0x10(%r11),%r11
 *   a8 d6        test $0xd6,%al      75 fd            jne  .-1
 *
 * d6 is UDB; f0, in front of the jump itself, is LOCK. Source: arch/x86/kernel/alternative.c of
 * Linux, "kCFI-OPT" and "fineibt_paranoid_start".
 */
static gboolean
is_check_jump (const GilkText *text, gsize at)
{
  static const uint8_t udb[] = { 0x75, 0x01, 0xa8, 0xd6 }, lock[] = { 0x2e, 0x4d, 0x8d, 0x5b, 0xf0, 0x75, 0xfd };

  return (at + sizeof udb <= text->length && memcmp (text->bytes + at, udb, sizeof udb) == 0) ||
         (at >= 5 && at + 2 <= text->length && memcmp (text->bytes + at - 5, lock, sizeof lock) == 0);
}

/* Returns whether @insn is a part of such a check: the jump, or the neighbour into which it
 * leads. */
static gboolean
is_part_of_check (const GilkText *text, const GilkInsn *insn)
{
  const gsize at = insn->addr - text->start;

  return is_check_jump (text, at) || (insn->len == 2 && at >= 2 && is_check_jump (text, at - 2)) ||
         (insn->len == 5 && is_check_jump (text, at + 5));
}

/* ---- control flow after an instruction ---- */

/* Fills in the outcome of a jump whose target is outside the function. */
static void
set_leaving (GilkBuilder *b, const GilkInsn *insn, GilkOutcome *out)
{
  out->ends = TRUE;
  if (gilk_image_is_return_thunk (b->image, insn->target))
    out->ending = GILK_END_RETURN;
  else if (gilk_image_is_indirect_thunk (b->image, insn->target))
    out->ending = GILK_END_INDIRECT;
  else
    out->ending = GILK_END_TAIL_CALL;
}

static void
set_jump (GilkBuilder *b, const GilkInsn *insn, GilkOutcome *out)
{
  if (find_part (b, insn->target) == NULL)
    {
      set_leaving (b, insn, out);
      return;
    }

  out->ends = TRUE;
  out->ending = GILK_END_JUMP;
  out->to = insn->target;
  out->to_kind = GILK_EDGE_JUMP;
  if (find_site (b, insn->addr, GILK_SITE_JUMP_LABEL))
    {
      out->falls = TRUE;
      out->fall_kind = GILK_EDGE_STATIC_KEY;
    }
}

static void
set_conditional (GilkBuilder *b, const GilkInsn *insn, GilkOutcome *out)
{
  const GilkBuildPart *part = find_part (b, insn->addr);

  if (is_check_jump (part->text, insn->addr - part->text->start))
    return;

  out->ends = out->falls = TRUE;
  out->ending = GILK_END_JCC;
  out->fall_kind = GILK_EDGE_NOT_TAKEN;
  if (find_part (b, insn->target))
    {
      out->to = insn->target;
      out->to_kind = GILK_EDGE_TAKEN;
    }
}

static void
set_ending (GilkOutcome *out, GilkBlockEnd ending)
{
  out->ends = TRUE;
  out->falls = FALSE;
  out->ending = ending;
}

/* Returns the control flow after @insn. */
static GilkOutcome
find_outcome (GilkBuilder *b, const GilkInsn *insn)
{
  uint64_t next = insn->addr + insn->len;
  GilkOutcome out = { .falls = TRUE, .ending = GILK_END_FALL, .fall_kind = GILK_EDGE_FALL };
  const GilkSite *key;

  switch ((GilkBranch) insn->branch)
    {
    case GILK_BRANCH_JUMP:
      out.falls = FALSE;
      set_jump (b, insn, &out);
      break;
    case GILK_BRANCH_JCC:
      set_conditional (b, insn, &out);
      break;
    case GILK_BRANCH_CALL:
    case GILK_BRANCH_CALL_INDIRECT:
      if ((insn->target && gilk_image_is_noreturn (b->image, insn->target)) ||
          is_only_filler (b, next))
        set_ending (&out, GILK_END_NORETURN);
      break;
    case GILK_BRANCH_JUMP_INDIRECT:
      set_ending (&out, GILK_END_INDIRECT);
      break;
    case GILK_BRANCH_RET:
      set_ending (&out, GILK_END_RETURN);
      break;
    case GILK_BRANCH_UD:
      if ((!(insn->flags & GILK_INSN_WARN) && !find_site (b, insn->addr, GILK_SITE_WARN)) ||
          is_only_filler (b, next))
        set_ending (&out, GILK_END_TRAP);
      break;
    case GILK_BRANCH_INT3:
      set_ending (&out, GILK_END_TRAP);
      break;
    case GILK_BRANCH_NONE:
    case GILK_BRANCH_HLT:
      key = find_site (b, insn->addr, GILK_SITE_JUMP_LABEL);
      if (key != NULL && find_part (b, key->other))
        {
          out.ends = TRUE;
          out.to = key->other;
          out.to_kind = GILK_EDGE_STATIC_KEY;
        }
      break;
    }

  return out;
}

static void
set_refusal (GilkBuilder *b, guint refusal, uint64_t addr)
{
  if (b->cfg->refusal != GILK_REFUSAL_NONE)
    return;

  b->cfg->refusal = refusal;
  b->cfg->refusal_addr = addr;
}

/* ---- following control flow ---- */

/* Marks @addr as the start of a block, and queues it unless it was followed already. */
static void
add_leader (GilkBuilder *b, uint64_t addr)
{
  GilkBuildPart *part = find_part (b, addr);
  uint8_t *map = &part->map[addr - part->text->start];

  *map |= GILK_BYTE_LEADER;
  if (!(*map & GILK_BYTE_START))
    g_array_append_val (b->work, addr);
}

/* Refuses the function if another tool has patched it: if it jumps to code outside all functions,
 * or has an int3 in live code. */
static void
check_foreign (GilkBuilder *b, const GilkInsn *insn)
{
  const GilkFunctionPart *part;

  if (insn->branch == GILK_BRANCH_INT3 && !is_only_filler (b, insn->addr))
    set_refusal (b, GILK_REFUSAL_BREAKPOINT, insn->addr);
  if (insn->branch != GILK_BRANCH_JUMP || find_part (b, insn->target) ||
      gilk_image_is_return_thunk (b->image, insn->target) ||
      gilk_image_is_indirect_thunk (b->image, insn->target))
    return;

  part = gilk_functions_part (b->functions, insn->target);
  if (part == NULL && gilk_image_area (b->image, insn->target) == NULL)
    set_refusal (b, ILK_REFUSAL_KPROBE, insn->addr);
  else if (part != NULL &&
           b->functions->all[part->function].refusal == GILK_REFUSAL_OWN_PATH &&
           b->functions->all[part->function].module != b->cfg->function->module &&
           b->functions->all[part->function].module != 0)
    set_refusal (b, ILK_REFUSAL_OVERLAP, insn->addr);
}

/* Adds the leaders (starts of blocks) that @insn implies: its target, its fix-up, and the next
 * instruction if @insn ends a block. */
static void
note_targets (GilkBuilder *b, const GilkInsn *insn, const GilkOutcome *out)
{
  const GilkSite *fault = find_site (b, insn->addr, GILK_SITE_EXTABLE);

  if (out->to != 0)
    add_leader (b, out->to);
  if (out->ends && out->falls && find_part (b, insn->addr + insn->len))
    add_leader (b, insn->addr + insn->len);
  if (fault != NULL && find_part (b, fault->other))
    add_leader (b, fault->other);
  if (insn->branch == GILK_BRANCH_CALL && find_part (b, insn->target))
    add_leader (b, insn->target);
  if (out->ending == GILK_END_INDIRECT)
    b->indirect = insn->addr;
}

/* Decodes the instruction at @addr. Returns FALSE if it is invalid or overlaps another
 * instruction. */
static gboolean
decode_insn (GilkBuilder *b, GilkBuildPart *part, uint64_t addr, GilkInsn *insn)
{
  gsize at = addr - part->text->start;

  if (part->map[at] & GILK_BYTE_INSIDE)
    {
      set_refusal (b, GILK_REFUSAL_ASM, addr);
      return FALSE;
    }
  if (!gilk_insn_decode (b->decoder, part->text->bytes + at, part->text->length - at,
                         addr, insn))
    {
      set_refusal (b, GILK_REFUSAL_UNDECODABLE, addr);
      return FALSE;
    }
  for (guint k = 1; k < insn->len; k++)
    if (part->map[at + k] & GILK_BYTE_START)
      {
        set_refusal (b, GILK_REFUSAL_ASM, addr);
        return FALSE;
      }

  if (is_part_of_check (part->text, insn))
    insn->flags |= GILK_INSN_PINNED;
  part->map[at] |= GILK_BYTE_START;
  for (guint k = 1; k < insn->len; k++)
    {
      if (part->map[at + k] & GILK_BYTE_LEADER)
        set_refusal (b, GILK_REFUSAL_ASM, addr + k);
      part->map[at + k] |= GILK_BYTE_INSIDE;
    }
  part->insn_at[at] = b->insns->len;
  g_array_append_val (b->insns, *insn);
  return TRUE;
}

/* Follows control flow from @addr until it ends or reaches code that was followed already. */
static void
follow_flow (GilkBuilder *b, uint64_t addr)
{
  for (;;)
    {
      GilkBuildPart *part = find_part (b, addr);
      GilkInsn insn;
      GilkOutcome out;

      if (part == NULL)
        {
          set_refusal (b, GILK_REFUSAL_ASM, addr);
          return;
        }
      if (part->map[addr - part->text->start] & GILK_BYTE_START)
        return;
      if (!decode_insn (b, part, addr, &insn))
        return;

      out = find_outcome (b, &insn);
      check_foreign (b, &insn);
      note_targets (b, &insn, &out);
      if (out.ends && !(out.falls && find_part (b, addr + insn.len) == NULL))
        return;
      addr += insn.len;
    }
}

static void
follow_queued (GilkBuilder *b)
{
  while (b->work->len > 0)
    {
      uint64_t addr = g_array_index (b->work, uint64_t, b->work->len - 1);

      g_array_set_size (b->work, b->work->len - 1);
      follow_flow (b, addr);
    }
}

static void
follow_inbound (GilkBuilder *b)
{
  for (guint i = 0; i < b->n_parts; i++)
    {
      const GilkText *text = b->parts[i].text;
      guint count;
      const uint64_t *inbound = gilk_functions_inbound (b->functions, text->start,
                                                        text->start + text->length, &count);

      for (guint k = 0; k < count; k++)
        {
          if (b->parts[i].map[inbound[k] - text->start] & GILK_BYTE_INSIDE)
            set_refusal (b, GILK_REFUSAL_ASM, inbound[k]);
          else
            add_leader (b, inbound[k]);
          follow_queued (b);
        }
    }
}

static void
mark_inbound (GilkBuilder *b)
{
  for (guint i = 0; i < b->n_parts; i++)
    {
      const GilkText *text = b->parts[i].text;
      guint count;
      const uint64_t *inbound = gilk_functions_inbound (b->functions, text->start,
                                                        text->start + text->length, &count);

      for (guint k = 0; k < count; k++)
        {
          int block = gilk_cfg_block_at (b->cfg, inbound[k]);

          if (block >= 0)
            b->cfg->blocks[block].flags |= GILK_BLOCK_INBOUND;
        }
    }
}

/* Follows code that control flow from the entry did not reach: step 3 at the top of this file. */
static void
follow_unreached (GilkBuilder *b, GilkBuildPart *part)
{
  const GilkText *text = part->text;
  gsize at = 0;

  while (at < text->length)
    {
      uint64_t addr = text->start + at;
      GilkInsn insn;

      if (part->map[at] & (GILK_BYTE_START | GILK_BYTE_INSIDE) || text->bytes[at] == 0xcc)
        at++;
      else if (!gilk_insn_decode (b->decoder, text->bytes + at, text->length - at, addr, &insn))
        {
          set_refusal (b, GILK_REFUSAL_ASM, addr);
          at++;
        }
      else if (insn.flags & GILK_INSN_NOP)
        at += insn.len;
      else if (is_only_filler (b, addr))
        return;
      else
        {
          if (b->indirect)
            set_refusal (b, GILK_REFUSAL_INDIRECT_JUMP, b->indirect);
          add_leader (b, addr);
          follow_queued (b);
          if (!(part->map[at] & GILK_BYTE_START))
            at++;                       /* no instruction can start at this byte */
        }
    }
}

/* ---- makes blocks and edges ---- */

/* Sorts the instructions by address and starts a block at each leader. */
static void
cut_blocks (GilkBuilder *b)
{
  GilkCfg *cfg = b->cfg;
  GArray *blocks = g_array_new (FALSE, FALSE, sizeof (GilkBlock));
  guint order[2] = { 0, 1 };

  if (b->n_parts == 2 && b->parts[1].text->start < b->parts[0].text->start)
    order[0] = 1, order[1] = 0;

  cfg->insns = g_new (GilkInsn, b->insns->len + 1);
  for (guint i = 0; i < b->n_parts; i++)
    {
      GilkBuildPart *part = &b->parts[order[i]];
      gboolean open = FALSE;

      for (gsize at = 0; at < part->text->length; )
        {
          const GilkInsn *insn;
          GilkBlock *block;

          if (!(part->map[at] & GILK_BYTE_START))
            {
              open = FALSE;
              at++;
              continue;
            }
          if (!open || part->map[at] & GILK_BYTE_LEADER)
            {
              GilkBlock fresh = { .start = part->text->start + at,
                                  .first_insn = cfg->n_insns,
                                  .flags = part->text == b->parts[0].text ? 0 : GILK_BLOCK_COLD };

              g_array_append_val (blocks, fresh);
            }
          insn = &g_array_index (b->insns, GilkInsn, part->insn_at[at]);
          cfg->insns[cfg->n_insns++] = *insn;
          block = &g_array_index (blocks, GilkBlock, blocks->len - 1);
          block->n_insns++;
          at += insn->len;
          block->end = part->text->start + at;
          open = insn->branch == GILK_BRANCH_NONE || !find_outcome (b, insn).ends;
        }
    }

  cfg->n_blocks = blocks->len;
  cfg->blocks = (GilkBlock *) (void *) g_array_free (blocks, FALSE);
}

static void
add_edge (GilkBuilder *b, GArray *edges, guint from, uint64_t to, GilkEdgeKind kind)
{
  int target = gilk_cfg_block_at (b->cfg, to);
  GilkBlock *block = &b->cfg->blocks[from];
  GilkEdge edge = { .from = from, .to = (uint32_t) target, .kind = kind };

  if (target < 0)
    return;
  for (guint i = block->first_out; i < edges->len && kind == GILK_EDGE_FIXUP; i++)
    if (g_array_index (edges, GilkEdge, i).to == edge.to &&
        g_array_index (edges, GilkEdge, i).kind == kind)
      return;

  g_array_append_val (edges, edge);
  b->cfg->blocks[target].n_in++;
}

static void
connect_block (GilkBuilder *b, GArray *edges, guint index)
{
  GilkBlock *block = &b->cfg->blocks[index];
  const GilkInsn *insns = &b->cfg->insns[block->first_insn];
  GilkOutcome out = find_outcome (b, &insns[block->n_insns - 1]);

  block->first_out = edges->len;
  block->ending = out.ending;
  if (out.falls)
    add_edge (b, edges, index, block->end, out.fall_kind);
  if (out.to)
    add_edge (b, edges, index, out.to, out.to_kind);
  for (guint i = 0; i < block->n_insns; i++)
    {
      const GilkSite *fault = find_site (b, insns[i].addr, GILK_SITE_EXTABLE);

      const GilkSite *key = find_site (b, insns[i].addr, GILK_SITE_JUMP_LABEL);

      if (fault != NULL)
        add_edge (b, edges, index, fault->other, GILK_EDGE_FIXUP);
      if ((fault != NULL && find_part (b, fault->other) == NULL) ||
          (key != NULL && find_part (b, key->other) == NULL))
        block->flags |= GILK_BLOCK_LEAVES;
    }
  block->n_out = edges->len - block->first_out;
}

static void
connect_blocks (GilkBuilder *b)
{
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (GilkEdge));
  int entry = gilk_cfg_block_at (b->cfg, b->cfg->function->hot.start);

  for (guint i = 0; i < b->cfg->n_blocks; i++)
    connect_block (b, edges, i);

  b->cfg->n_edges = edges->len;
  b->cfg->edges = (GilkEdge *) (void *) g_array_free (edges, FALSE);
  if (entry >= 0)
    {
      b->cfg->entry = (guint) entry;
      b->cfg->blocks[entry].flags |= GILK_BLOCK_ENTRY;
    }
}

static void
open_part (GilkBuilder *b, const GilkText *text)
{
  GilkBuildPart *part = &b->parts[b->n_parts++];

  part->text = text;
  part->map = g_malloc0 (text->length + 1);
  part->insn_at = g_new (uint32_t, text->length + 1);
  part->sites = gilk_image_sites (b->image, text->start, text->start + text->length,
                                  &part->n_sites);
  for (guint i = 0; i < part->n_sites; i++)
    part->map[part->sites[i].addr - text->start] |= GILK_BYTE_SITE;
}

/* Starts a block at @addr if an instruction of the function starts there. */
static void
add_cut (GilkBuilder *b, uint64_t addr)
{
  GilkBuildPart *part = find_part (b, addr);

  if (part != NULL && part->map[addr - part->text->start] & GILK_BYTE_START)
    part->map[addr - part->text->start] |= GILK_BYTE_LEADER;
}

void
gilk_cfg_build (GilkCfgFull *full, GilkDecoder *decoder, const uint64_t *cuts, guint n_cuts)
{
  GilkCfg *cfg = &full->cfg;
  GilkBuilder b = {
    .cfg = cfg, .functions = cfg->functions, .image = cfg->image, .decoder = decoder,
    .insns = g_array_sized_new (FALSE, FALSE, sizeof (GilkInsn), 64),
    .work = g_array_sized_new (FALSE, FALSE, sizeof (uint64_t), 16),
  };

  for (guint i = 0; i < full->n_texts; i++)
    open_part (&b, &full->texts[i]);

  if (find_part (&b, cfg->function->hot.start))
    {
      add_leader (&b, cfg->function->hot.start);
      follow_queued (&b);
    }
  follow_inbound (&b);
  for (guint i = 0; i < b.n_parts; i++)
    follow_unreached (&b, &b.parts[i]);
  for (guint i = 0; i < n_cuts; i++)
    add_cut (&b, cuts[i]);

  cut_blocks (&b);
  connect_blocks (&b);
  mark_inbound (&b);

  for (guint i = 0; i < b.n_parts; i++)
    {
      g_free (b.parts[i].map);
      g_free (b.parts[i].insn_at);
    }
  g_array_free (b.insns, TRUE);
  g_array_free (b.work, TRUE);
}
