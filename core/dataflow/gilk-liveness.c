/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-liveness.c - finds registers and flags whose values are still needed
 *
 * Every instruction has a pair of masks (gen, kill), every block has the composition of its
 * instructions' masks, and the masks are propagated through the graph until nothing changes. The
 * result decides which registers and flags a hook may clobber, and thus what a hit costs; a single
 * error would corrupt the running kernel. So the C calling convention is assumed only where there
 * is evidence of C:
 *
 * - A function with an ftrace site was compiled with -pg, which disables GCC's -fipa-ra for the
 *   whole file. So does -fpatchable-function-entry, which pads function entries in Linux 6.12.
 *   Without that evidence a caller may rely on scratch registers that this very function preserves,
 *   so all registers are live at its returns.
 * - A call kills no register at all: helpers such as __get_user_*, __sw_hweight* and the
 *   callee-save paravirt thunks preserve most registers, and their callers rely on it. Everything
 *   is live before a call, with one exception: if the callee has an ftrace site, r10 and r11 are
 *   live only if they are live after the call, because they carry no arguments in C.
 * - A call to C kills the arithmetic flags, other calls do not. No callee reads them: the
 *   convention leaves them undefined at entry, and the compiler cannot pass any to a helper in
 *   assembly. Only assembly could pass flags to assembly: if neither side shows evidence of C, the
 *   flags count as read.
 * - A static call is a call, or a tail call, of an unknown function, whatever its bytes are now.
 * - DF, AC and IF are system state and never dead.
 */
#include "core/dataflow/gilk-liveness.h"

#include "core/base/gilk-memory.h"
#include "core/cfg/gilk-point.h"

enum {
  RAX = GILK_REG_BIT (0), RDX = GILK_REG_BIT (2), RSP = GILK_REG_BIT (4),
  ARGUMENTS = GILK_REG_BIT (7) | GILK_REG_BIT (6) | RDX | GILK_REG_BIT (1) |
              GILK_REG_BIT (8) | GILK_REG_BIT (9),
  CALLEE_SAVED = GILK_REG_BIT (3) | GILK_REG_BIT (5) | GILK_REG_BIT (12) |
                 GILK_REG_BIT (13) | GILK_REG_BIT (14) | GILK_REG_BIT (15),
  SYSTEM_FLAGS = GILK_FLAG_DF | GILK_FLAG_IF | GILK_FLAG_AC,
};

#define ENTRY_BYTES 16   /* maximum distance of an ftrace site from a function's start */

/* The transfer function of an instruction or block: live before = (live after & ~kill) | gen. */
typedef struct {
  GilkLive gen, kill;
} Transfer;

typedef struct {
  const GilkCfg *cfg;
  GilkDecoder   *decoder;
  gboolean       is_c;       /* there is evidence that the function was compiled from C, so that the
                              * calling convention holds */
  Transfer      *insns;      /* transfer function of each instruction */
  Transfer      *blocks;     /* transfer function of each block, ignoring edges that leave from its
                              * middle */
  GilkLive      *in;         /* registers and flags live at the start of each block */
  GilkLive      *out;        /* live registers and flags after each block's last instruction */
  GilkLive      *side;       /* registers and flags live at the targets of each block's fixups and
                              * static keys */
} Analysis;

static const GilkLive all_live = { GILK_REGS_ALL, GILK_FLAGS_ALL };

/* Functions that are called with access to user memory enabled (after stac). objtool permits this
 * only for a few functions. */
static const char *const open_at_entry[] = {
  "clear_user_erms", "clear_user_original", "clear_user_rep_good",
  "copy_mc_enhanced_fast_string", "copy_mc_fragile", "copy_mc_fragile_handle_tail",
  "copy_user_enhanced_fast_string", "copy_user_generic_string",
  "copy_user_generic_unrolled", "rep_movs_alternative", "rep_stos_alternative",
  "__copy_user_nocache",
};

static void
join_live (GilkLive *live, GilkLive other)
{
  live->regs |= other.regs;
  live->flags |= other.flags;
}

static GilkLive
apply_transfer (const Transfer *transfer, GilkLive after)
{
  return (GilkLive) {
    .regs = (after.regs & ~transfer->kill.regs) | transfer->gen.regs,
    .flags = (after.flags & ~transfer->kill.flags) | transfer->gen.flags,
  };
}

static gboolean
has_ftrace_site (GilkImage *image, uint64_t addr)
{
  guint count = 0;
  const GilkSite *sites = gilk_image_sites (image, addr, addr + ENTRY_BYTES, &count);

  for (guint i = 0; i < count; i++)
    if (sites[i].kind == GILK_SITE_FENTRY)
      return TRUE;

  return FALSE;
}

static void
transfer_call (const Analysis *analysis, const GilkInsn *insn, Transfer *transfer)
{
  gboolean callee_is_c = insn->branch == GILK_BRANCH_CALL &&
                         has_ftrace_site (analysis->cfg->image, insn->target);

  if (callee_is_c)
    {
      transfer->gen.regs |= ARGUMENTS | RAX | CALLEE_SAVED | RSP;
      transfer->kill.flags = GILK_FLAGS_ARITH;
    }
  else
    {
      transfer->gen.regs = GILK_REGS_ALL;
      transfer->gen.flags |= analysis->is_c ? 0 : GILK_FLAGS_ARITH;
    }
}

static void
transfer_insn (const Analysis *analysis, guint index, Transfer *transfer)
{
  const GilkInsn *insn = &analysis->cfg->insns[index];
  GilkEffects effects;

  gilk_insn_effects (analysis->decoder, gilk_cfg_bytes (analysis->cfg, insn), insn, &effects);
  *transfer = (Transfer) {
    .gen = { effects.regs_read, effects.flags_read },
    .kill = { effects.regs_written, effects.flags_written },
  };

  switch ((GilkBranch) insn->branch)
    {
    case GILK_BRANCH_CALL:
    case GILK_BRANCH_CALL_INDIRECT:
      transfer->gen.flags = 0;
      transfer->kill = (GilkLive) { 0, 0 };
      transfer_call (analysis, insn, transfer);
      break;
    case GILK_BRANCH_UD:
      /* The kernel's report of a BUG or WARN shows all registers, so they must be preserved. */
      *transfer = (Transfer) { .gen = { GILK_REGS_ALL, 0 } };
      break;
    default:
      break;
    }
  if (gilk_image_is_static_call (analysis->cfg->image, insn->addr))
    {
      guint condition = insn->branch == GILK_BRANCH_JCC ? effects.flags_read : 0;

      *transfer = (Transfer) {
        .gen = { GILK_REGS_ALL, analysis->is_c ? condition : GILK_FLAGS_ARITH },
      };
    }

  transfer->gen.regs |= RSP;
  transfer->gen.flags |= SYSTEM_FLAGS;
}

static void
transfer_block (Analysis *analysis, guint block)
{
  const GilkBlock *b = &analysis->cfg->blocks[block];
  Transfer whole = { { 0, 0 }, { 0, 0 } };

  for (guint i = b->n_insns; i-- > 0;)
    {
      const Transfer *one = &analysis->insns[b->first_insn + i];

      whole.gen = apply_transfer (one, whole.gen);
      whole.kill.regs |= one->kill.regs;
      whole.kill.flags |= one->kill.flags;
    }

  analysis->blocks[block] = whole;
}

static GilkLive
get_live_at_return (const Analysis *analysis)
{
  if (!analysis->is_c)
    return all_live;

  return (GilkLive) { RAX | RDX | CALLEE_SAVED | RSP, SYSTEM_FLAGS };
}

static GilkLive
get_live_at_tail_call (const Analysis *analysis, uint64_t target)
{
  if (gilk_image_is_return_thunk (analysis->cfg->image, target))
    return get_live_at_return (analysis);
  if (!analysis->is_c || !has_ftrace_site (analysis->cfg->image, target))
    return all_live;

  return (GilkLive) { ARGUMENTS | RAX | CALLEE_SAVED | RSP, SYSTEM_FLAGS };
}

/* Returns the registers and flags that are live where the block leaves the function; none if the
 * block does not leave the function. */
static GilkLive
get_live_outside (const Analysis *analysis, guint block)
{
  const GilkCfg *cfg = analysis->cfg;
  const GilkBlock *b = &cfg->blocks[block];
  const GilkInsn *last;

  if (b->n_insns == 0)
    return all_live;

  last = &cfg->insns[b->first_insn + b->n_insns - 1];
  switch ((GilkBlockEnd) b->ending)
    {
    case GILK_END_RETURN:
      return get_live_at_return (analysis);
    case GILK_END_TAIL_CALL:
      return get_live_at_tail_call (analysis, last->target);
    case GILK_END_JCC:
      if (b->n_out > 0 && gilk_cfg_block_at (cfg, last->target) < 0)
        return get_live_at_tail_call (analysis, last->target);
      return b->n_out < 2 ? all_live : (GilkLive) { 0, 0 };
    case GILK_END_NORETURN:
    case GILK_END_TRAP:
      return (GilkLive) { RSP, SYSTEM_FLAGS };
    case GILK_END_FALL:
    case GILK_END_JUMP:
      return b->n_out == 0 ? all_live : (GilkLive) { 0, 0 };
    case GILK_END_INDIRECT:
    default:
      return all_live;
    }
}

static gboolean
update_block (Analysis *analysis, guint block)
{
  const GilkBlock *b = &analysis->cfg->blocks[block];
  GilkLive out = get_live_outside (analysis, block), side = { 0, 0 }, in;
  gboolean changed;

  for (guint i = 0; i < b->n_out; i++)
    {
      const GilkEdge *edge = &analysis->cfg->edges[b->first_out + i];
      gboolean aside = edge->kind == GILK_EDGE_FIXUP || edge->kind == GILK_EDGE_STATIC_KEY;

      join_live (aside ? &side : &out, analysis->in[edge->to]);
    }

  in = apply_transfer (&analysis->blocks[block], out);
  join_live (&in, side);
  changed = in.regs != analysis->in[block].regs || in.flags != analysis->in[block].flags;
  analysis->in[block] = in;
  analysis->out[block] = out;
  analysis->side[block] = side;

  return changed;
}

static void
store_block (const Analysis *analysis, guint block, GilkLiveness *liveness)
{
  const GilkBlock *b = &analysis->cfg->blocks[block];
  int terminator = gilk_point_terminator (analysis->cfg, block);
  GilkLive live = analysis->out[block];

  /* A side edge, such as one to a fixup, leaves from the middle of a block: whatever is live at its
   * target counts as live in the whole block. */
  join_live (&live, analysis->side[block]);
  liveness->after[block] = live;
  for (guint i = b->first_insn + b->n_insns; i-- > b->first_insn;)
    {
      live = apply_transfer (&analysis->insns[i], live);
      join_live (&live, analysis->side[block]);
      liveness->before[i] = live;
    }

  if (terminator >= 0)
    liveness->after[block] = liveness->before[terminator];
}

static gboolean
may_start_open (const GilkCfg *cfg)
{
  const char *name = cfg->function->name;

  for (gsize i = 0; name != NULL && i < G_N_ELEMENTS (open_at_entry); i++)
    if (g_strcmp0 (name, open_at_entry[i]) == 0)
      return TRUE;

  return FALSE;
}

/*
 * Finds whether user access may be enabled (between stac and clac) before each instruction, in a
 * forward pass.
 */
static void
find_uaccess (const GilkCfg *cfg, gboolean *uaccess)
{
  g_autofree gboolean *open = g_new0 (gboolean, cfg->n_blocks + 1);
  gboolean changed = TRUE;

  if (cfg->n_blocks > 0)
    open[cfg->entry] = may_start_open (cfg);

  while (changed)
    {
      changed = FALSE;
      for (guint block = 0; block < cfg->n_blocks; block++)
        {
          const GilkBlock *b = &cfg->blocks[block];
          gboolean now = open[block], ever = now;

          for (guint i = b->first_insn; i < b->first_insn + b->n_insns; i++)
            {
              uaccess[i] = now;
              if (cfg->insns[i].flags & GILK_INSN_STAC)
                now = ever = TRUE;
              else if (cfg->insns[i].flags & GILK_INSN_CLAC)
                now = FALSE;
            }

          for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
            {
              const GilkEdge *edge = &cfg->edges[i];
              gboolean leaves = edge->kind == GILK_EDGE_FIXUP ? ever : now;

              if (leaves && !open[edge->to])
                open[edge->to] = changed = TRUE;
            }
        }
    }
}

static void
analysis_clear (Analysis *analysis)
{
  gilk_free_all (analysis->insns, analysis->blocks, analysis->in, analysis->out, analysis->side);
}

GilkLiveness *
gilk_liveness_new (const GilkCfg *cfg,
                   GilkDecoder   *decoder)
{
  GilkLiveness *liveness = g_new0 (GilkLiveness, 1);
  Analysis analysis = {
    .cfg = cfg,
    .decoder = decoder,
    .is_c = has_ftrace_site (cfg->image, cfg->function->hot.start),
    .insns = g_new0 (Transfer, cfg->n_insns),
    .blocks = g_new0 (Transfer, cfg->n_blocks),
    .in = g_new0 (GilkLive, cfg->n_blocks),
    .out = g_new0 (GilkLive, cfg->n_blocks),
    .side = g_new0 (GilkLive, cfg->n_blocks),
  };
  gboolean changed = TRUE;

  liveness->n_insns = cfg->n_insns;
  liveness->n_blocks = cfg->n_blocks;
  liveness->before = g_new0 (GilkLive, cfg->n_insns);
  liveness->after = g_new0 (GilkLive, cfg->n_blocks);
  liveness->uaccess = g_new0 (gboolean, cfg->n_insns);

  for (guint i = 0; i < cfg->n_insns; i++)
    transfer_insn (&analysis, i, &analysis.insns[i]);
  for (guint block = 0; block < cfg->n_blocks; block++)
    transfer_block (&analysis, block);

  while (changed)
    {
      changed = FALSE;
      for (guint block = cfg->n_blocks; block-- > 0;)
        changed |= update_block (&analysis, block);
    }

  for (guint block = 0; block < cfg->n_blocks; block++)
    store_block (&analysis, block, liveness);
  find_uaccess (cfg, liveness->uaccess);
  analysis_clear (&analysis);

  return liveness;
}

void
gilk_liveness_free (GilkLiveness *liveness)
{
  if (liveness == NULL)
    return;

  gilk_free_all (liveness->before, liveness->after, liveness->uaccess, liveness);
}
