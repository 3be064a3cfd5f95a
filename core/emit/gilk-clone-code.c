/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-code.c - writes the code of a clone
 *
 * Blocks have the order of the original, with the cold part last, or the order that the plan gives.
 * Branches within the function lead to the copies of blocks, all other branches to their original
 * targets. A jump to the block written next is left out, and a conditional branch to it is
 * inverted.
 *
 * The kernel patches some kinds of code at run time. A copy of such code does what the original
 * does at that time, without being patched:
 *
 *   static key    testb $0x80 on the first byte of the original, which is 0f or 66
 *                 if the key's site is a nop, and e9, eb or cc if it is a jump
 *   static call   calls the key's trampoline, which the kernel rewrites as well
 *   ud2           jumps to the original, which is in the bug table
 *
 * The code of a counter may precede any instruction that always runs together with the one for
 * which it was requested, so it is put where flags and a register are free. It is never moved
 * across an instruction that may leave the block (call, fault, static key, ud2).
 */
#include "core/emit/gilk-clone-code.h"

#include <string.h>

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-hook-code.h"
#include "core/emit/gilk-reloc.h"

/*
 * The branches of a clone, a copy of a whole function. Blocks are written before the addresses of
 * later blocks are known, so targets are filled in at the end. Distances depend on the lengths of
 * the branches in between: the code is first written with long branches only, and then again with
 * short ones where they reach, until nothing changes. A branch becomes short at most once and long
 * again at most once, so the passes come to an end.
 *
 * Threads: only the plan's thread.
 */
typedef struct {
  GArray *written;        /* all branches of the clone, in the order in which each pass writes
                           * them */
  GArray *forms;          /* for each branch: its form, short or long, in the previous pass; empty:
                           * all are long */
} GilkCloneBranches;

/* A piece of code that restores flags and then jumps to the target of a static key. */
typedef struct {
  gsize    branch;
  uint64_t target, unwind_as;
} KeyPath;

typedef struct {
  GilkAsm             *as;
  const GilkCfg       *cfg;
  const GilkSplicePlan *plan;
  GHashTable          *links;
  GilkHookWriter       hooks;
  gboolean            *reached;    /* for each block: whether the block is reachable */
  gsize               *starts;     /* for each reachable block: offset of its copy */
  gsize               *places;     /* for each instruction: offset of its copy, or of the first hook
                                    * that precedes the copy; G_MAXSIZE: not copied */
  guint               *order;      /* blocks in the order in which they are written */
  guint                n_order;
  int                  next;       /* block written after the current one; -1: none */
  GilkCloneBranches    branches;
  GArray              *key_paths;  /* KeyPath */
} Clone;

/* ---- forms of branches, short or long ---- */

typedef struct {
  gsize    end;            /* offset of the end of the branch instruction, which ends with its
                            * displacement */
  guint    block;
  gboolean is_long;        /* the branch must have the long form */
} Written;

typedef enum {
  FORM_LONG,
  FORM_SHORT,
  FORM_LONG_AGAIN,         /* the branch was short in an earlier pass, but did not reach its target,
                            * and stays long from now on */
} Form;


static void
init_branches (GilkCloneBranches *branches)
{
  branches->written = g_array_new (FALSE, FALSE, sizeof (Written));
  branches->forms = g_array_new (FALSE, TRUE, sizeof (uint8_t));
}

static void
clear_branches (GilkCloneBranches *branches)
{
  g_array_unref (branches->written);
  g_array_unref (branches->forms);
}

static uint8_t *
get_form (const GilkCloneBranches *branches, guint i)
{
  return &g_array_index (branches->forms, uint8_t, i);
}

static gboolean
is_short (const GilkCloneBranches *branches, guint i)
{
  return i < branches->forms->len && *get_form (branches, i) == FORM_SHORT;
}

static void
note_branch (GilkCloneBranches *branches, const GilkAsm *as, guint block, gboolean is_long)
{
  const Written written = { as->code->len, block, is_long };

  g_array_append_val (branches->written, written);
}

/* Write a branch to the copy of @block: conditional, with condition @cc, or unconditional. */
static void
write_jcc (GilkCloneBranches *branches,
           GilkAsm           *as,
           guint              cc,
           guint              block)
{
  if (is_short (branches, branches->written->len))
    gilk_asm_hop (as, 0x70 | cc);
  else
    gilk_asm_jcc (as, cc, gilk_asm_here (as));
  note_branch (branches, as, block, FALSE);
}

static void
write_jmp (GilkCloneBranches *branches,
           GilkAsm           *as,
           guint              block)
{
  if (is_short (branches, branches->written->len))
    gilk_asm_hop (as, 0xeb);
  else
    gilk_asm_jmp (as, gilk_asm_here (as));
  note_branch (branches, as, block, FALSE);
}

/* Writes an unconditional branch, always in the long form. */
static void
write_long_jmp (GilkCloneBranches *branches,
                GilkAsm           *as,
                guint              block)
{
  gilk_asm_jmp (as, gilk_asm_here (as));
  note_branch (branches, as, block, TRUE);
}

static int64_t
get_distance (const Written *written, const gsize *starts)
{
  return (int64_t) starts[written->block] - (int64_t) written->end;
}

/*
 * Chooses the form of each branch, short or long, by its distance. @starts: offset of each block's
 * copy. Returns TRUE if the form of a branch has changed, so that all code must be written again.
 */
static gboolean
shorten_branches (GilkCloneBranches *branches,
                  const gsize       *starts)
{
  gboolean changed = FALSE;

  g_array_set_size (branches->forms, branches->written->len);
  for (guint i = 0; i < branches->written->len; i++)
    {
      const Written *written = &g_array_index (branches->written, Written, i);
      int64_t distance = get_distance (written, starts);
      gboolean reaches = distance == (int8_t) distance && !written->is_long;
      uint8_t *form = get_form (branches, i), was = *form;

      if (was == FORM_LONG && reaches)
        *form = FORM_SHORT;
      else if (was == FORM_SHORT && !reaches)
        *form = FORM_LONG_AGAIN;
      changed |= *form != was;
    }
  if (changed)
    g_array_set_size (branches->written, 0);

  return changed;
}

static void
fill_branches (const GilkCloneBranches *branches,
               GilkAsm                 *as,
               const gsize             *starts)
{
  for (guint i = 0; i < branches->written->len; i++)
    {
      const Written *written = &g_array_index (branches->written, Written, i);
      const int64_t distance = get_distance (written, starts);
      const int32_t wide = (int32_t) distance;

      if (!is_short (branches, i))
        memcpy (as->code->data + written->end - sizeof wide, &wide, sizeof wide);
      else if (distance == (int8_t) distance)
        as->code->data[written->end - 1] = (uint8_t) distance;
      else
        as->too_far = TRUE;
    }
}

static const GilkSite *
find_site (const GilkCfg *cfg, const GilkInsn *insn, GilkSiteKind kind)
{
  guint count = 0;
  const GilkSite *sites = gilk_image_sites (cfg->image, insn->addr, insn->addr + 1, &count);

  for (guint i = 0; i < count; i++)
    if (sites[i].kind == kind)
      return &sites[i];

  return NULL;
}

/* ---- targets of branches ---- */

/* Returns the block whose copy is the target of a branch to @addr; -1: the branch leads to the
 * original. */
static int
find_block (const Clone *clone, uint64_t addr)
{
  const GilkCfg *cfg = clone->cfg;
  int block = gilk_cfg_block_at (cfg, addr);

  if (block < 0 || !clone->reached[block])
    return -1;
  /* A branch to the function's start must lead to the original, so that the function's ftrace site
   * is executed. */
  if ((guint) block == cfg->entry &&
      gilk_point_first (cfg, cfg->entry) != cfg->blocks[cfg->entry].first_insn)
    return -1;

  return block;
}

static void
emit_jmp (Clone *clone, uint64_t addr)
{
  int block = find_block (clone, addr);

  if (block >= 0)
    write_jmp (&clone->branches, clone->as, (guint) block);
  else
    gilk_asm_jmp (clone->as, addr);
}

static void
emit_jcc (Clone *clone, guint cc, uint64_t addr)
{
  int block = find_block (clone, addr);

  if (block >= 0)
    write_jcc (&clone->branches, clone->as, cc, (guint) block);
  else
    gilk_asm_jcc (clone->as, cc, addr);
}

static gboolean
is_next (const Clone *clone, uint64_t addr)
{
  return clone->next >= 0 && find_block (clone, addr) == clone->next;
}

/*
 * Writes the end of a block that continues at @addr on condition @cc, else at @otherwise. Returns:
 * TRUE if control falls through; the caller must then write the continuation at @otherwise
 */
static gboolean
emit_continuation (Clone *clone, guint cc, uint64_t addr, uint64_t otherwise)
{
  if (is_next (clone, addr) && !is_next (clone, otherwise))
    {
      emit_jcc (clone, cc ^ 1, otherwise);
      return FALSE;
    }
  emit_jcc (clone, cc, addr);

  return TRUE;
}

/* Returns the offset of the copy of the instruction at @addr, for gilk_hook_writer_link_exits(). */
static gsize
find_copy (uint64_t addr, gpointer data)
{
  const Clone *clone = data;
  int block = gilk_cfg_block_around (clone->cfg, addr);
  const GilkBlock *b = block >= 0 ? &clone->cfg->blocks[block] : NULL;

  if (b == NULL || (b->start == addr && find_block (clone, addr) < 0))
    return G_MAXSIZE;
  if (b->start == addr)
    return clone->starts[block];
  for (guint i = b->first_insn; i < b->first_insn + b->n_insns; i++)
    if (clone->cfg->insns[i].addr == addr)
      return clone->places[i];

  return G_MAXSIZE;
}

/* ---- code that the kernel patches ---- */

/* Writes the copy of a static key's site. Returns TRUE if control falls through. */
static gboolean
emit_static_key (Clone *clone, guint index, const GilkSite *site)
{
  const GilkInsn *insn = &clone->cfg->insns[index];
  GilkAsm *as = clone->as;
  gboolean inside = gilk_cfg_block_at (clone->cfg, site->other) >= 0;
  /* If the target is outside the function, it is not known what is live there, so keep all
   * flags. */
  gboolean keep = !inside || clone->plan->liveness->before[index].flags & GILK_FLAGS_ARITH;
  KeyPath path = { .target = site->other, .unwind_as = insn->addr };

  if (!keep)
    {
      gilk_asm_test_bits (as, insn->addr, 0x80);
      return emit_continuation (clone, GILK_CC_NE, site->other, insn->addr + insn->len);
    }

  gilk_asm_pushf (as);
  gilk_asm_test_bits (as, insn->addr, 0x80);
  path.branch = gilk_asm_jcc_ahead (as, GILK_CC_NE);
  g_array_append_val (clone->key_paths, path);
  gilk_asm_popf (as);

  return TRUE;
}

static void
emit_key_paths (Clone *clone)
{
  for (guint i = 0; i < clone->key_paths->len; i++)
    {
      const KeyPath *path = &g_array_index (clone->key_paths, KeyPath, i);

      clone->as->unwind_as = path->unwind_as;
      clone->as->depth = 8;
      gilk_asm_land (clone->as, path->branch);
      gilk_asm_popf (clone->as);
      emit_jmp (clone, path->target);
    }
}

/* Writes the copy of a static call. Returns TRUE if control continues after it. */
static gboolean
emit_static_call (Clone *clone, const GilkInsn *insn, const GilkSite *site)
{
  uint64_t trampoline = gilk_clone_trampoline (clone->cfg, site);

  switch ((GilkBranch) insn->branch)
    {
    case GILK_BRANCH_JUMP:
    case GILK_BRANCH_RET:
      gilk_asm_jmp (clone->as, trampoline);
      return FALSE;
    case GILK_BRANCH_JCC:
      gilk_asm_jcc (clone->as, insn->opcode_hint, trampoline);
      return TRUE;
    default:
      gilk_asm_call (clone->as, trampoline);
      return TRUE;
    }
}

/* ---- copies of single instructions ---- */

/* Writes the copy of a loop or jcxz instruction, which has only a short form: two near jumps follow
 * it, one for each case. */
static void
emit_loop (Clone *clone, const GilkInsn *insn)
{
  int otherwise = find_block (clone, insn->addr + insn->len);
  uint8_t bytes[16];

  memcpy (bytes, gilk_cfg_bytes (clone->cfg, insn), insn->len);
  bytes[insn->len - 1] = 5;
  gilk_asm_raw (clone->as, bytes, insn->len);
  if (otherwise >= 0)
    write_long_jmp (&clone->branches, clone->as, (guint) otherwise);
  else
    gilk_asm_jmp (clone->as, insn->addr + insn->len);
  if (!is_next (clone, insn->target))
    emit_jmp (clone, insn->target);
}

/* Returns the address that a call of @target must use: the address of the clone if @links contains
 * it, else @target. */
static uint64_t
find_linked (const Clone *clone, uint64_t target)
{
  gpointer to = clone->links == NULL ? NULL :
                g_hash_table_lookup (clone->links, GSIZE_TO_POINTER (target));

  return to != NULL ? GPOINTER_TO_SIZE (to) : target;
}

static void
note_fault (Clone *clone, const GilkSite *site)
{
  struct ilk_fault fault = {
    .offset = clone->as->code->len, .data = site->data, .fixup = site->other,
  };

  if (clone->as->faults != NULL)
    g_array_append_val (clone->as->faults, fault);
}

/* Replaces each fixup address that is in the function by the address of the copy of the block
 * there. */
static void
fill_faults (Clone *clone)
{
  for (guint i = 0; clone->as->faults != NULL && i < clone->as->faults->len; i++)
    {
      struct ilk_fault *fault = &g_array_index (clone->as->faults, struct ilk_fault, i);
      int block = find_block (clone, fault->fixup);

      if (block >= 0)
        fault->fixup = clone->as->base + clone->starts[block];
    }
}

/* Writes the copy of instruction @index. Returns TRUE if control falls through. */
static gboolean
emit_insn (Clone *clone, guint index)
{
  const GilkInsn *insn = &clone->cfg->insns[index];
  const GilkSite *key = find_site (clone->cfg, insn, GILK_SITE_JUMP_LABEL);
  const GilkSite *call = find_site (clone->cfg, insn, GILK_SITE_STATIC_CALL);
  const GilkSite *fault = find_site (clone->cfg, insn, GILK_SITE_EXTABLE);

  if (key != NULL)
    return emit_static_key (clone, index, key);
  if (call != NULL)
    return emit_static_call (clone, insn, call);
  if (fault != NULL)
    note_fault (clone, fault);
  if (insn->flags & GILK_INSN_ENDBR)
    return TRUE;

  switch ((GilkBranch) insn->branch)
    {
    case GILK_BRANCH_JUMP:
      if (!is_next (clone, insn->target))
        emit_jmp (clone, find_linked (clone, insn->target));
      return FALSE;
    case GILK_BRANCH_JCC:
      if (insn->flags & GILK_INSN_LOOP)
        {
          emit_loop (clone, insn);
          return FALSE;
        }
      return emit_continuation (clone, insn->opcode_hint, find_linked (clone, insn->target), insn->addr + insn->len);
    case GILK_BRANCH_CALL:
      gilk_asm_call (clone->as, find_linked (clone, insn->target));
      return TRUE;
    case GILK_BRANCH_CALL_INDIRECT:
      gilk_reloc_copy (clone->as, clone->cfg, index);
      return TRUE;
    case GILK_BRANCH_UD:
    case GILK_BRANCH_INT3:
      gilk_asm_jmp (clone->as, insn->addr);
      return FALSE;
    default:
      return gilk_reloc_emit (clone->as, clone->cfg, index);
    }
}

/* ---- the instruction that each hook precedes ---- */

/* Returns whether control may leave the block at instruction @insn, for example by a call or a
 * fault. */
static gboolean
may_leave (const GilkCfg *cfg, const GilkInsn *insn)
{
  guint count = 0;

  gilk_image_sites (cfg->image, insn->addr, insn->addr + insn->len, &count);

  return insn->branch != GILK_BRANCH_NONE || count > 0;
}

/*
 * Returns the instruction in front of which the clone has the hook. A hook at the end of a block
 * must come before a static key or ud2 that ends the block: a static key ends the block even while
 * it is off, and after the ud2 of a WARN execution continues in the original function.
 */
static guint
find_boundary (const GilkCfg *cfg, const GilkWant *want)
{
  guint boundary = gilk_point_boundary (cfg, want->block, want->where);

  if (want->where == GILK_WHERE_PRE)
    return boundary;
  for (guint i = gilk_point_first (cfg, want->block); i < boundary; i++)
    if (cfg->insns[i].branch == GILK_BRANCH_UD ||
        find_site (cfg, &cfg->insns[i], GILK_SITE_JUMP_LABEL) != NULL)
      return i;

  return boundary;
}

gboolean
gilk_clone_moves (const GilkCfg  *cfg,
                  const GilkWant *want)
{
  return find_boundary (cfg, want) != gilk_point_boundary (cfg, want->block, want->where);
}

/* Returns the index of the instruction in front of which the hook's code is put; may be one past
 * the hook's block. */
static guint
find_place (const Clone *clone, guint want)
{
  const GilkCfg *cfg = clone->cfg;
  const GilkWant *wanted = &clone->plan->wants[want];
  const GilkBlock *b = &cfg->blocks[wanted->block];
  guint boundary = find_boundary (cfg, wanted), best = boundary, cost;
  guint first = gilk_point_first (cfg, wanted->block), end = b->first_insn + b->n_insns;

  if (wanted->kind != GILK_INLINE_COUNT)
    return boundary;

  cost = gilk_hook_writer_count_cost (&clone->hooks, want, boundary);
  for (guint i = boundary; cost > 1; )
    {
      guint here;

      if (wanted->where == GILK_WHERE_PRE
          ? i >= end || may_leave (cfg, &cfg->insns[i++])
          : i <= first || may_leave (cfg, &cfg->insns[--i]))
        break;
      here = gilk_hook_writer_count_cost (&clone->hooks, want, i);
      if (here < cost)
        {
          cost = here;
          best = i;
        }
    }

  return best;
}

/* ---- the whole clone ---- */

/* A hook of one block, and the instruction in front of which it is. */
typedef struct {
  guint hook, place;
} Placed;

static int
compare_placed (gconstpointer a, gconstpointer b)
{
  const Placed *x = a, *y = b;

  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;

  return x->hook < y->hook ? -1 : x->hook > y->hook;
}

/* Returns, for each block, the patch's hooks in that block, sorted by the instruction in front of
 * which they are, and then in the order in which they were requested. */
static Placed **
place_hooks (const Clone *clone, const GilkPatchPlan *patch, guint **counts)
{
  Placed **placed = g_new0 (Placed *, clone->cfg->n_blocks + 1);
  guint *n = g_new0 (guint, clone->cfg->n_blocks + 1);

  for (guint i = 0; i < patch->n_hooks; i++)
    n[clone->plan->wants[patch->hooks[i]].block]++;
  for (guint b = 0; b < clone->cfg->n_blocks; b++)
    {
      placed[b] = n[b] > 0 ? g_new0 (Placed, n[b]) : NULL;
      n[b] = 0;
    }
  for (guint i = 0; i < patch->n_hooks; i++)
    {
      guint b = clone->plan->wants[patch->hooks[i]].block;

      placed[b][n[b]++] = (Placed) { i, find_place (clone, patch->hooks[i]) };
    }
  for (guint b = 0; b < clone->cfg->n_blocks; b++)
    if (n[b] > 1)
      qsort (placed[b], n[b], sizeof (Placed), compare_placed);
  *counts = n;

  return placed;
}

/*
 * Writes the hooks in front of instruction @index, starting with @placed[@done]. Returns the new
 * @done.
 */
static guint
emit_due_hooks (Clone *clone, const GilkPatchPlan *patch, const Placed *placed, guint n, guint done,
                guint index, guint *added)
{
  for (; done < n && placed[done].place <= index; done++)
    {
      guint insns = gilk_hook_writer_hook (&clone->hooks, patch->hooks[placed[done].hook], index);

      if (added != NULL)
        added[placed[done].hook] = insns;
    }

  return done;
}

static void
emit_block (Clone *clone, const GilkPatchPlan *patch, guint block, const Placed *placed, guint n, guint *added)
{
  const GilkCfg *cfg = clone->cfg;
  const GilkBlock *b = &cfg->blocks[block];
  guint end = b->first_insn + b->n_insns, done = 0;
  gboolean goes_on = TRUE;

  clone->starts[block] = clone->as->code->len;
  for (guint i = block == cfg->entry ? gilk_point_first (cfg, block) : b->first_insn; i < end; i++)
    {
      clone->as->unwind_as = cfg->insns[i].addr;
      clone->places[i] = clone->as->code->len;
      done = emit_due_hooks (clone, patch, placed, n, done, i, added);
      goes_on = emit_insn (clone, i);
    }
  if (gilk_cfg_block_at (cfg, b->end) >= 0)
    clone->as->unwind_as = b->end;
  emit_due_hooks (clone, patch, placed, n, done, end, added);

  if (b->ending == GILK_END_NORETURN)
    gilk_asm_filler (clone->as, 1);
  else if (goes_on && !is_next (clone, b->end))
    emit_jmp (clone, b->end);
}

static void
order_blocks (Clone *clone, const guint *order)
{
  const GilkCfg *cfg = clone->cfg;

  clone->order = g_new (guint, cfg->n_blocks + 1);
  for (guint cold = 0; cold < 2; cold++)
    for (guint i = 0; i < cfg->n_blocks; i++)
      if (clone->reached[i] && !(cfg->blocks[i].flags & GILK_BLOCK_COLD) == !cold)
        clone->order[clone->n_order++] = i;
  if (order != NULL)
    memcpy (clone->order, order, clone->n_order * sizeof *order);
}

static void
write_blocks (Clone *clone, const GilkPatchPlan *patch, Placed *const *placed, const guint *counts, guint *added)
{
  GilkAsm *as = clone->as;

  for (guint i = 0; i < clone->n_order; i++)
    {
      guint block = clone->order[i];
      GilkCodeBlock written = { .block = block, .offset = as->code->len };
      guint insns = as->insns;

      clone->next = i + 1 < clone->n_order ? (int) clone->order[i + 1] : -1;
      emit_block (clone, patch, block, placed[block], counts[block], added);
      written.length = as->code->len - written.offset;
      written.insns = as->insns - insns;
      if (as->blocks != NULL)
        g_array_append_val (as->blocks, written);
    }
  clone->next = -1;
}

/* Discards all code and tables written so far. */
static void
discard_code (Clone *clone)
{
  GilkAsm *as = clone->as;
  GArray *lists[] = { as->orc, as->faults, as->parts, as->programs, as->blocks, clone->key_paths };

  g_byte_array_set_size (as->code, 0);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (lists[i] != NULL)
      g_array_set_size (lists[i], 0);
  as->insns = as->depth = 0;
  as->too_far = FALSE;
}

static void
clone_clear (Clone *clone)
{
  g_free (clone->reached);
  g_free (clone->starts);
  g_free (clone->places);
  g_free (clone->order);
  clear_branches (&clone->branches);
  g_array_unref (clone->key_paths);
}

/*
 * Writes the clone with long branches. If the plan gives an order of blocks, writes it again until
 * every branch that can be short is short.
 */
static void
write_clone (Clone *clone, const GilkPatchPlan *patch, const struct ilk_info *info, const GilkBinding *bindings,
             guint *added)
{
  gboolean may_shorten = patch->order != NULL && !clone->as->only_near;
  g_autofree guint *counts = NULL;
  g_autofree Placed **placed = NULL;

  gilk_hook_writer_init (&clone->hooks, clone->as, clone->plan, info, bindings);
  placed = place_hooks (clone, patch, &counts);
  do
    {
      discard_code (clone);
      g_array_set_size (clone->hooks.rare, 0);
      g_array_set_size (clone->hooks.exits, 0);
      write_blocks (clone, patch, placed, counts, added);
      emit_key_paths (clone);
      gilk_hook_writer_write_rare (&clone->hooks);
    }
  while (may_shorten && shorten_branches (&clone->branches, clone->starts));
  gilk_hook_writer_link_exits (&clone->hooks, find_copy, clone);
  gilk_hook_writer_clear (&clone->hooks);

  for (guint i = 0; i < clone->cfg->n_blocks; i++)
    g_free (placed[i]);
}

void
gilk_clone_code (GilkAsm               *as,
                 const GilkSplicePlan  *plan,
                 const GilkPatchPlan   *patch,
                 const struct ilk_info *info,
                 const GilkBinding     *bindings,
                 GHashTable            *links,
                 guint                 *added)
{
  const GilkCfg *cfg = plan->cfg;
  Clone clone = {
    .as = as, .cfg = cfg, .plan = plan, .links = links, .next = -1,
    .reached = gilk_cfg_reached (cfg),
    .starts = g_new0 (gsize, cfg->n_blocks + 1), .places = g_new (gsize, cfg->n_insns + 1),
    .key_paths = g_array_new (FALSE, FALSE, sizeof (KeyPath)),
  };

  as->image = cfg->image;
  for (guint i = 0; i < cfg->n_insns; i++)
    clone.places[i] = G_MAXSIZE;
  init_branches (&clone.branches);
  order_blocks (&clone, patch->order);
  write_clone (&clone, patch, info, bindings, added);
  fill_branches (&clone.branches, as, clone.starts);
  fill_faults (&clone);
  clone_clear (&clone);
}
