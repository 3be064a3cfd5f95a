/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-reloc.c - relocation: rewrites instructions so that they can run at another address
 *
 * Most instructions are copied. Instructions that depend on their address are rewritten so that
 * they do the same from the patch: rip-relative operands get a new displacement, branches get their
 * long form, and loop and jcxz get a trampoline.
 *
 * A call must be the last instruction of a footprint, because callees that are running while the
 * footprint is written return to the byte after it. The call's copy pushes the original return
 * address and jumps, so that the callee never returns to the patch. Otherwise the patch could not
 * be freed while a task sleeps in the callee. The copy makes a real call, which returns to the
 * patch, only if a hook follows the call (ILK_PATCH_RETURNS).
 *
 * The exception-table entry of an instruction that may fault is copied, too; its fixup stays
 * where it is.
 *
 * The address of a plain return or indirect branch may matter for the ITS mitigation: such an
 * instruction is safe only in the upper half of a cache line, and the kernel leaves it plain only
 * there. So the copy of such an instruction is put in an upper half, too.
 */
#include "core/emit/gilk-reloc.h"

#include <string.h>

#include "core/base/gilk-refusal.h"
#include "ilk/ilk-abi.h"

enum { UPPER_HALF = 0x20 };     /* bit of an address that is set in the upper half of a cache
                                 * line */

/* Returns the offset of the ModRM byte of an ff /n branch, after prefixes, REX and opcode. */
static guint
find_branch_modrm (const uint8_t *bytes, guint len)
{
  guint i = 0;

  while (i < len && bytes[i] != 0xff)
    i++;

  return i + 1;
}

static gboolean
uses_rsp (const uint8_t *bytes, guint len)
{
  guint modrm = find_branch_modrm (bytes, len);
  gboolean extended = modrm >= 2 && (bytes[modrm - 2] & 0xf1) == 0x41;

  if (modrm >= len || (bytes[modrm] & 7) != GILK_RSP || extended)
    return FALSE;
  if (bytes[modrm] >> 6 == 3)
    return TRUE;

  return modrm + 1 < len && (bytes[modrm + 1] & 7) == GILK_RSP;
}

/* Returns whether the kernel has removed the instruction's lock prefix, which it does by replacing
 * the prefix with a ds prefix; it may write the lock prefix back later. */
gboolean
gilk_reloc_lost_lock (const GilkCfg *cfg,
                      guint          index)
{
  return gilk_cfg_bytes (cfg, &cfg->insns[index])[0] == 0x3e;
}

static guint
check_insn (const GilkCfg *cfg, guint index, gboolean last)
{
  const GilkInsn *insn = &cfg->insns[index];

  if (insn->flags & (GILK_INSN_PINNED | GILK_INSN_ENDBR))
    return GILK_REFUSAL_NOT_RELOCATABLE;
  if (gilk_reloc_lost_lock (cfg, index))
    return ILK_REFUSAL_SMP_LOCK;

  switch ((GilkBranch) insn->branch)
    {
    case GILK_BRANCH_UD:
      return GILK_REFUSAL_SITE_BUG;
    case GILK_BRANCH_INT3:
    case GILK_BRANCH_HLT:
      return GILK_REFUSAL_NOT_RELOCATABLE;
    case GILK_BRANCH_CALL:
      return last ? 0 : GILK_REFUSAL_CALL_INSIDE;
    case GILK_BRANCH_CALL_INDIRECT:
      if (uses_rsp (gilk_cfg_bytes (cfg, insn), insn->len))
        return GILK_REFUSAL_NOT_RELOCATABLE;
      return last ? 0 : GILK_REFUSAL_CALL_INSIDE;
    case GILK_BRANCH_NONE:
      /* Refuse an instruction that has a relative target but is not a known branch, such as
       * xbegin. */
      return insn->rel_offset >= 0 ? GILK_REFUSAL_NOT_RELOCATABLE : 0;
    default:
      return last ? 0 : GILK_REFUSAL_NOT_RELOCATABLE;
    }
}

static guint
check_sites (GilkImage *image, uint64_t start, uint64_t end)
{
  guint count = 0;
  const GilkSite *sites = gilk_image_sites (image, start, end, &count);

  for (guint i = 0; i < count; i++)
    switch (sites[i].kind)
      {
      case GILK_SITE_FENTRY:
        return GILK_REFUSAL_FENTRY;
      case GILK_SITE_JUMP_LABEL:
        return GILK_REFUSAL_SITE_JUMP_LABEL;
      case GILK_SITE_STATIC_CALL:
        return GILK_REFUSAL_SITE_STATIC_CALL;
      case GILK_SITE_BUG:
      case GILK_SITE_WARN:
        return GILK_REFUSAL_SITE_BUG;
      default:
        break;
      }

  return 0;
}

static const GilkSite *
find_fixup (const GilkCfg *cfg, const GilkInsn *insn)
{
  guint count = 0;
  const GilkSite *sites = gilk_image_sites (cfg->image, insn->addr, insn->addr + insn->len, &count);

  for (guint i = 0; i < count; i++)
    if (sites[i].kind == GILK_SITE_EXTABLE)
      return &sites[i];

  return NULL;
}

guint
gilk_reloc_check (const GilkCfg *cfg,
                  guint          first,
                  guint          n)
{
  const GilkInsn *start = &cfg->insns[first], *end = &cfg->insns[first + n - 1];
  guint refusal = check_sites (cfg->image, start->addr, end->addr + end->len);

  for (guint i = 0; i < n && refusal == 0; i++)
    {
      refusal = check_insn (cfg, first + i, i == n - 1);
      if (refusal == 0 && !gilk_orc_usable (cfg->image, cfg->insns[first + i].addr))
        refusal = GILK_REFUSAL_STACK_UNKNOWN;
    }

  return refusal;
}

gboolean
gilk_reloc_may_fault (const GilkCfg *cfg,
                      guint          index)
{
  return find_fixup (cfg, &cfg->insns[index]) != NULL;
}

/* Writes a copy of the instruction. With @modrm_to_jmp, turns an indirect call (ff /2) into an
 * indirect jump (ff /4). */
static void
emit_copy (GilkAsm *as, const GilkCfg *cfg, const GilkInsn *insn, gboolean modrm_to_jmp)
{
  uint8_t bytes[16];

  memcpy (bytes, gilk_cfg_bytes (cfg, insn), insn->len);

  if (insn->flags & GILK_INSN_RIP_RELATIVE)
    {
      int32_t disp;
      int64_t moved;

      memcpy (&disp, bytes + insn->disp_offset, sizeof disp);
      moved = (int64_t) (insn->addr + (uint64_t) (int64_t) disp - gilk_asm_here (as));
      disp = (int32_t) moved;
      if (disp != moved)
        as->too_far = TRUE;
      memcpy (bytes + insn->disp_offset, &disp, sizeof disp);
    }
  if (modrm_to_jmp)
    bytes[find_branch_modrm (bytes, insn->len)] ^= (2 ^ 4) << 3;

  gilk_asm_raw (as, bytes, insn->len);
}

/* Returns whether it matters in which half of a cache line a return or indirect branch is. A plain
 * return in a lower half shows that this kernel does not use the ITS mitigation. */
static gboolean
halves_matter (const GilkCfg *cfg)
{
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);

  if (symbols == NULL || gilk_symbols_address (symbols, "its_return_thunk") == 0)
    return FALSE;

  for (guint i = 0; i < cfg->n_insns; i++)
    {
      const GilkInsn *insn = &cfg->insns[i];

      if (insn->branch == GILK_BRANCH_RET && !((insn->addr + insn->len - 1) & UPPER_HALF))
        return FALSE;
    }

  return TRUE;
}

static gboolean
needs_upper_half (const GilkCfg *cfg, const GilkInsn *insn)
{
  return (insn->addr + insn->len - 1) & UPPER_HALF && halves_matter (cfg);
}

guint
gilk_reloc_slack (const GilkCfg *cfg,
                  guint          index)
{
  const GilkInsn *insn = &cfg->insns[index];

  switch ((GilkBranch) insn->branch)
    {
    case GILK_BRANCH_RET:
    case GILK_BRANCH_JUMP_INDIRECT:
    case GILK_BRANCH_CALL_INDIRECT:
      return needs_upper_half (cfg, insn) ? UPPER_HALF + 1 : 0;
    default:
      return 0;
    }
}

static void
emit_half_padding (GilkAsm *as, const GilkCfg *cfg, const GilkInsn *insn)
{
  static const uint8_t nop = 0x90;
  uint64_t to = gilk_asm_here (as) + insn->len - 1;
  guint skipped = UPPER_HALF - (to & (UPPER_HALF - 1));

  if (to & UPPER_HALF || !needs_upper_half (cfg, insn))
    return;

  if (skipped == 1)
    {
      gilk_asm_raw (as, &nop, 1);
    }
  else
    {
      const uint8_t skip[] = { 0xeb, skipped - 2 };

      gilk_asm_raw (as, skip, sizeof skip);
      gilk_asm_filler (as, skipped - 2);
    }
}

void
gilk_reloc_copy (GilkAsm       *as,
                 const GilkCfg *cfg,
                 guint          index)
{
  const GilkInsn *insn = &cfg->insns[index];

  if (gilk_reloc_slack (cfg, index) > 0)
    emit_half_padding (as, cfg, insn);
  emit_copy (as, cfg, insn, FALSE);
}

void
gilk_reloc_note_fault (GilkAsm       *as,
                       const GilkCfg *cfg,
                       guint          index)
{
  const GilkSite *site = as->faults != NULL ? find_fixup (cfg, &cfg->insns[index]) : NULL;
  struct ilk_fault fault = { .offset = as->code->len };

  if (site == NULL)
    return;
  fault.data = site->data;
  fault.fixup = site->other;
  g_array_append_val (as->faults, fault);
}

/* Writes the copy of a loop or jcxz instruction, which has only a short form: two near jumps follow
 * it, one for each case. */
static void
emit_loop (GilkAsm *as, const GilkCfg *cfg, const GilkInsn *insn)
{
  uint8_t bytes[16];

  memcpy (bytes, gilk_cfg_bytes (cfg, insn), insn->len);
  bytes[insn->len - 1] = 5;
  gilk_asm_raw (as, bytes, insn->len);
  gilk_asm_jmp (as, insn->addr + insn->len);
  gilk_asm_jmp (as, insn->target);
}

static void
emit_call (GilkAsm *as, const GilkCfg *cfg, const GilkInsn *insn)
{
  gilk_asm_push_addr (as, insn->addr + insn->len);
  if (insn->branch == GILK_BRANCH_CALL)
    {
      gilk_asm_jmp (as, insn->target);
    }
  else
    {
      emit_half_padding (as, cfg, insn);
      emit_copy (as, cfg, insn, TRUE);
    }
  as->depth -= 8;
}

gboolean
gilk_reloc_emit (GilkAsm       *as,
                 const GilkCfg *cfg,
                 guint          index)
{
  const GilkInsn *insn = &cfg->insns[index];

  switch ((GilkBranch) insn->branch)
    {
    case GILK_BRANCH_JUMP:
      gilk_asm_jmp (as, insn->target);
      return FALSE;
    case GILK_BRANCH_JCC:
      if (insn->flags & GILK_INSN_LOOP)
        {
          emit_loop (as, cfg, insn);
          return FALSE;
        }
      gilk_asm_jcc (as, insn->opcode_hint, insn->target);
      return TRUE;
    case GILK_BRANCH_CALL:
    case GILK_BRANCH_CALL_INDIRECT:
      emit_call (as, cfg, insn);
      return FALSE;
    case GILK_BRANCH_RET:
    case GILK_BRANCH_JUMP_INDIRECT:
      gilk_reloc_copy (as, cfg, index);
      return FALSE;
    default:
      if (!(insn->flags & GILK_INSN_NOP))
        emit_copy (as, cfg, insn, FALSE);
      return TRUE;
    }
}

static gboolean
is_return (const GilkCfg *cfg, const GilkInsn *insn)
{
  if (insn->branch == GILK_BRANCH_RET)
    return !(insn->flags & GILK_INSN_PINNED) && gilk_cfg_bytes (cfg, insn)[0] == 0xc3;

  return insn->branch == GILK_BRANCH_JUMP && gilk_image_is_return_thunk (cfg->image, insn->target);
}

int
gilk_reloc_return (const GilkCfg *cfg)
{
  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      const GilkBlock *b = &cfg->blocks[i];
      guint last = b->first_insn + b->n_insns - 1;

      if (b->ending == GILK_END_RETURN && b->n_insns > 0 && is_return (cfg, &cfg->insns[last]))
        return (int) last;
    }

  return -1;
}

/* Names of functions that switch stacks, or from which idle tasks never return. */
static const char *const never_left[] = {
  "__schedule", "__switch_to", "context_switch", "cpu_idle_poll", "cpu_startup_entry",
  "default_idle_call", "do_exit", "do_idle", "do_task_dead", "finish_task_switch",
  "make_task_dead", "play_dead", "preempt_schedule_irq", "rest_init", "ret_from_fork",
  "schedule_idle", "schedule_tail", "start_secondary",
};

gboolean
gilk_reloc_never_left (const char *name)
{
  /* A compiler may add a suffix to the name: ".isra.0", ".constprop.0". */
  gsize length = name != NULL ? strcspn (name, ".") : 0;

  for (gsize i = 0; i < G_N_ELEMENTS (never_left); i++)
    if (length == strlen (never_left[i]) && strncmp (name, never_left[i], length) == 0)
      return TRUE;

  return FALSE;
}

gboolean
gilk_reloc_may_call (const GilkCfg *cfg,
                     guint          index)
{
  const GilkInsn *insn = &cfg->insns[index];

  if (gilk_reloc_never_left (cfg->function->name))
    return FALSE;
  if (insn->branch != GILK_BRANCH_CALL)
    return insn->branch == GILK_BRANCH_CALL_INDIRECT;

  /* Refuse a call into the middle of its own function, because such code reads its own return
   * address. */
  return gilk_cfg_block_around (cfg, insn->target) < 0 ||
         insn->target == cfg->function->hot.start;
}

void
gilk_reloc_call (GilkAsm       *as,
                 const GilkCfg *cfg,
                 guint          index)
{
  const GilkInsn *insn = &cfg->insns[index];

  if (insn->branch == GILK_BRANCH_CALL)
    {
      gilk_asm_call (as, insn->target);
      return;
    }

  emit_half_padding (as, cfg, insn);
  emit_copy (as, cfg, insn, FALSE);
}
