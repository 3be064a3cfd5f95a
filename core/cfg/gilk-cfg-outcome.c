/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-outcome.c - control flow after an instruction, from its bytes and side tables
 *
 * Used both to follow control flow and to connect blocks, so that these steps agree.
 */
#include "core/cfg/gilk-cfg-builder.h"

GilkBuildPart *
gilk_builder_part (GilkBuilder *b, uint64_t addr)
{
  for (guint i = 0; i < b->n_parts; i++)
    if (addr - b->parts[i].text->start < b->parts[i].text->length)
      return &b->parts[i];

  return NULL;
}

const GilkSite *
gilk_builder_site (GilkBuilder *b, uint64_t addr, GilkSiteKind kind)
{
  const GilkBuildPart *part = gilk_builder_part (b, addr);
  guint low = 0, high;

  if (part == NULL || !(part->map[addr - part->text->start] & GILK_BYTE_SITE))
    return NULL;

  for (high = part->n_sites; low < high; )
    {
      guint middle = (low + high) / 2;

      if (part->sites[middle].addr < addr)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < part->n_sites && part->sites[low].addr == addr; low++)
    if (part->sites[low].kind == kind)
      return &part->sites[low];

  return NULL;
}

gboolean
gilk_builder_only_filler (GilkBuilder *b, uint64_t addr)
{
  const GilkBuildPart *part = gilk_builder_part (b, addr);
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

/* ---- control flow ---- */

/* Handles a jump to a target outside the function. */
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
  if (gilk_builder_part (b, insn->target) == NULL)
    {
      set_leaving (b, insn, out);
      return;
    }

  out->ends = TRUE;
  out->ending = GILK_END_JUMP;
  out->to = insn->target;
  out->to_kind = GILK_EDGE_JUMP;
  if (gilk_builder_site (b, insn->addr, GILK_SITE_JUMP_LABEL))
    {
      out->falls = TRUE;
      out->fall_kind = GILK_EDGE_STATIC_KEY;
    }
}

static void
set_conditional (GilkBuilder *b, const GilkInsn *insn, GilkOutcome *out)
{
  out->ends = out->falls = TRUE;
  out->ending = GILK_END_JCC;
  out->fall_kind = GILK_EDGE_NOT_TAKEN;
  if (gilk_builder_part (b, insn->target))
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

GilkOutcome
gilk_builder_outcome (GilkBuilder *b, const GilkInsn *insn)
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
          gilk_builder_only_filler (b, next))
        set_ending (&out, GILK_END_NORETURN);
      break;
    case GILK_BRANCH_JUMP_INDIRECT:
      set_ending (&out, GILK_END_INDIRECT);
      break;
    case GILK_BRANCH_RET:
      set_ending (&out, GILK_END_RETURN);
      break;
    case GILK_BRANCH_UD:
      if ((!(insn->flags & GILK_INSN_WARN) && !gilk_builder_site (b, insn->addr, GILK_SITE_WARN)) ||
          gilk_builder_only_filler (b, next))
        set_ending (&out, GILK_END_TRAP);
      break;
    case GILK_BRANCH_INT3:
      set_ending (&out, GILK_END_TRAP);
      break;
    case GILK_BRANCH_NONE:
    case GILK_BRANCH_HLT:
      key = gilk_builder_site (b, insn->addr, GILK_SITE_JUMP_LABEL);
      if (key != NULL && gilk_builder_part (b, key->other))
        {
          out.ends = TRUE;
          out.to = key->other;
          out.to_kind = GILK_EDGE_STATIC_KEY;
        }
      break;
    }

  return out;
}
