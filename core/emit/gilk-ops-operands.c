/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-operands.c - finds the registers and stack slots of an operation's values, and sets the
 * targets of its branches
 */
#include "core/emit/gilk-ops-writer.h"

/* ---- registers and stack slots of values ---- */

gboolean
gilk_ops_saved_at (const GilkOpsWriter *w,
                   guint                reg,
                   GilkMem             *mem)
{
  int index = gilk_ops_region_of (w->frame, w->i);
  const GilkOpsRegion *region = index >= 0 ? &g_array_index (w->frame->regions, GilkOpsRegion, index) : NULL;
  uint16_t behind;

  if (region == NULL || !(region->saved & GILK_REG_BIT (reg)))
    return FALSE;
  behind = (uint16_t) (region->saved & ~((2u << reg) - 1));
  *mem = gilk_mem (GILK_RSP, 8 * (int32_t) (region->slots + (guint) __builtin_popcount (behind)));

  return TRUE;
}

GilkMem
gilk_ops_slot (const GilkLiveRange *range)
{
  return gilk_mem (GILK_RSP, 8 * range->slot);
}

gboolean
gilk_ops_constant (const GilkOpsWriter *w,
                   int                  range,
                   int64_t             *number)
{
  const GilkLiveRange *of = range >= 0 ? gilk_ops_range (w->frame, range) : NULL;

  if (of == NULL || !of->constant)
    return FALSE;
  *number = gilk_ops_op (w->frame, w->frame->written_by[of->value])->imm;

  return TRUE;
}

static guint
load_register (GilkOpsWriter *w, int range, int stand_in)
{
  const GilkLiveRange *of = gilk_ops_range (w->frame, range);
  guint reg = stand_in >= 0 ? (guint) gilk_ops_range (w->frame, stand_in)->reg : (guint) of->reg;
  int64_t number;

  if (gilk_ops_constant (w, range, &number))
    gilk_asm_mov_imm (w->as, reg, (uint64_t) number);
  else if (of->slot >= 0)
    gilk_asm_load (w->as, 8, FALSE, reg, gilk_ops_slot (of));

  return reg;
}

guint
gilk_ops_in_a (GilkOpsWriter *w)
{
  return load_register (w, w->has->a, w->has->in_a);
}

guint
gilk_ops_in_b (GilkOpsWriter *w)
{
  return load_register (w, w->has->b, w->has->in_b);
}

guint
gilk_ops_in_index (GilkOpsWriter *w)
{
  return load_register (w, w->has->index, w->has->in_index);
}

guint
gilk_ops_out (GilkOpsWriter *w)
{
  int range = w->has->out >= 0 ? w->has->out : w->has->to;

  return (guint) gilk_ops_range (w->frame, range)->reg;
}

guint
gilk_ops_temp (const GilkOpsWriter *w,
               guint                number)
{
  int range = w->has->temp[number];

  return range >= 0 ? (guint) gilk_ops_range (w->frame, range)->reg : GILK_RAX;
}

guint
gilk_ops_hidden (const GilkOpsWriter *w,
                 guint                value)
{
  for (guint i = 0; i < w->frame->ranges->len; i++)
    {
      const GilkLiveRange *range = gilk_ops_range (w->frame, (int) i);

      if (range->value == value && range->begin <= 2 * w->i + 1 && 2 * w->i <= range->end)
        return (guint) range->reg;
    }

  return GILK_RAX;
}

GilkMem
gilk_ops_mem_gs (GilkOpsWriter *w,
                 uint64_t       offset,
                 guint          temp)
{
  if (gilk_ops_is_near (offset))
    return gilk_mem_gs (GILK_NO_BASE, (int32_t) offset);

  gilk_asm_mov_imm64 (w->as, temp, offset);

  return gilk_mem_gs ((int) temp, 0);
}

/* ---- branches and rarely executed code ---- */

void
gilk_ops_seek (GilkOpsWriter *w,
               guint          i)
{
  w->i = i;
  w->op = gilk_ops_op (w->frame, i);
  w->has = &w->frame->has[i];
  w->as->depth = w->outer + gilk_ops_depth (w->frame, i);
}

void
gilk_ops_goto (GilkOpsWriter *w,
               gsize          branch)
{
  const GilkOpsBranch to = { .branch = branch, .label = w->op->label, .from = w->i };

  g_array_append_val (w->branches, to);
}

void
gilk_ops_add_cold_path (GilkOpsWriter *w,
                        gsize          branch,
                        gsize          second,
                        gsize          back)
{
  const GilkOpsColdPath aside = { .op = w->i, .branch = { branch, second }, .back = back };

  g_array_append_val (w->cold_paths, aside);
}
