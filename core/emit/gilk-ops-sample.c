/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-sample.c - writes the code of critical sections, and the producer's steps of
 * ilk-abi-ring.h
 *
 * A record is a sequence of cells in a ring. It may wrap around the end of the ring, so the address
 * of each cell after the first is computed separately. Consecutive fields in one cell share that
 * address.
 */
#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-ops-writer.h"
#include "ilk/ilk-abi.h"

enum { TSC = 8, IID = 16, LEN = 20, DATA = 24 };

static GilkMem
make_gs_mem (int32_t offset)
{
  return gilk_mem_gs (GILK_NO_BASE, offset);
}

static void
emit_increment (GilkOpsWriter *w, uint64_t counter, guint temp)
{
  gilk_asm_mem (w->as, TRUE, 0xff, 0, gilk_ops_mem_gs (w, counter, temp));
}

/* ---- code of ENTER and LEAVE ---- */

static void
enter_guarded (GilkOpsWriter *w)
{
  const struct ilk_info *info = w->frame->place->info;
  guint context = gilk_ops_temp (w, 0), old = gilk_ops_hidden (w, GILK_OPS_OLD_GUARD);

  gilk_asm_mem (w->as, FALSE, 0x8b, context, make_gs_mem (info->gs_preempt_count));
  gilk_asm_imm (w->as, FALSE, GILK_AND, context, (int32_t) info->context_mask);
  gilk_asm_mem (w->as, TRUE, 0x8b, old, make_gs_mem (info->gs_guard));
  gilk_asm_reg (w->as, TRUE, 0x39, context, old);
  gilk_ops_add_cold_path (w, gilk_asm_jcc_ahead (w->as, GILK_CC_E), 0, 0);
  gilk_asm_mem (w->as, TRUE, 0x89, context, make_gs_mem (info->gs_guard));
}

void
gilk_ops_step_critical (GilkOpsWriter *w)
{
  const struct ilk_info *info = w->frame->place->info;
  gboolean enters = w->op->kind == GILK_OP_ENTER;

  if (!enters && w->frame->guarded[w->i])
    gilk_asm_mem (w->as, TRUE, 0x89, gilk_ops_hidden (w, GILK_OPS_OLD_GUARD), make_gs_mem (info->gs_guard));
  if (!enters)
    gilk_emit_preempt_enable (w->as, info, w->frame->place->backward);
  else
    gilk_emit_preempt_disable (w->as, info);
  if (enters && w->op->imm == GILK_OPS_GUARD)
    enter_guarded (w);
}

void
gilk_ops_cold_enter (GilkOpsWriter *w)
{
  emit_increment (w, w->frame->place->binding->missed, gilk_ops_temp (w, 0));
  gilk_emit_preempt_enable (w->as, w->frame->place->info, w->frame->place->backward);
  gilk_ops_goto (w, gilk_asm_jmp_ahead (w->as));
}

/* ---- code of RESERVE, FIELD and COMMIT ---- */

static void
find_cell (GilkOpsWriter *w, guint cell)
{
  const struct ilk_info *info = w->frame->place->info;

  gilk_asm_mem (w->as, FALSE, 0x23, cell, make_gs_mem (info->gs_ring_mask));
  gilk_asm_mem (w->as, TRUE, 0x03, cell, make_gs_mem (info->gs_ring_base));
}

static void
emit_reserve (GilkOpsWriter *w)
{
  const struct ilk_info *info = w->frame->place->info;
  guint payload = (guint) w->op->imm;
  guint head = gilk_ops_hidden (w, GILK_OPS_HEAD), cell = gilk_ops_hidden (w, GILK_OPS_CELL);

  gilk_asm_mem (w->as, TRUE, 0x8b, head, make_gs_mem (info->gs_ring_head));
  gilk_asm_mem (w->as, TRUE, 0x3b, head, make_gs_mem (info->gs_ring_limit));
  gilk_ops_add_cold_path (w, gilk_asm_jcc_ahead (w->as, GILK_CC_AE), 0, 0);
  gilk_asm_mov_imm (w->as, head, ILK_CELL * (uint64_t) ILK_RECORD_CELLS (payload));
  gilk_asm_mem (w->as, TRUE, 0x0fc1, head, make_gs_mem (info->gs_ring_head));
  gilk_asm_reg (w->as, FALSE, 0x89, head, cell);
  find_cell (w, cell);

  gilk_asm_raw (w->as, (const uint8_t[]) { 0x0f, 0x31 }, 2);
  gilk_asm_mem (w->as, FALSE, 0x89, GILK_RAX, gilk_mem ((int) cell, TSC));
  gilk_asm_mem (w->as, FALSE, 0x89, GILK_RDX, gilk_mem ((int) cell, TSC + 4));
  /* The 64-bit store of the iid also clears the length, which is next to it. */
  gilk_asm_store_imm (w->as, TRUE, (int32_t) w->frame->place->binding->iid, gilk_mem ((int) cell, IID));
  if (payload > 0)
    gilk_asm_store_imm (w->as, FALSE, (int32_t) payload, gilk_mem ((int) cell, LEN));
}

void
gilk_ops_cold_sample (GilkOpsWriter *w)
{
  guint temp = gilk_ops_temp (w, 0);

  emit_increment (w, w->frame->place->binding->lost, temp);
  emit_increment (w, (uint64_t) (int64_t) w->frame->place->info->gs_ring_lost, temp);
  gilk_ops_goto (w, gilk_asm_jmp_ahead (w->as));
}

static GilkMem
get_field_mem (GilkOpsWriter *w)
{
  guint number = gilk_ops_cell (w->op), further;

  if (number == 0)
    return gilk_mem ((int) gilk_ops_hidden (w, GILK_OPS_CELL), DATA + (int32_t) w->op->imm);

  further = gilk_ops_hidden (w, GILK_OPS_OTHER_CELL);
  if (w->frame->cell_in_use[w->i] != (int) number)
    {
      gilk_asm_mem (w->as, FALSE, 0x8d, further,
                    gilk_mem ((int) gilk_ops_hidden (w, GILK_OPS_HEAD), (int32_t) number * ILK_CELL));
      find_cell (w, further);
    }

  return gilk_mem ((int) further, (int32_t) (w->op->imm - 8) % ILK_CELL);
}

static void
emit_field (GilkOpsWriter *w)
{
  GilkMem mem = get_field_mem (w);
  int64_t number;

  if (w->op->size >= 4 && gilk_ops_constant (w, w->has->a, &number) && number == (int32_t) number)
    gilk_asm_store_imm (w->as, w->op->size == 8, (int32_t) number, mem);
  else
    gilk_asm_store (w->as, w->op->size, gilk_ops_in_a (w), mem);
}

void
gilk_ops_step_sample (GilkOpsWriter *w)
{
  switch (w->op->kind)
    {
    case GILK_OP_RESERVE:
      emit_reserve (w);
      break;
    case GILK_OP_FIELD:
      emit_field (w);
      break;
    case GILK_OP_COMMIT:
    default:
      gilk_asm_mem (w->as, TRUE, 0x89, gilk_ops_hidden (w, GILK_OPS_HEAD),
                    gilk_mem ((int) gilk_ops_hidden (w, GILK_OPS_CELL), 0));
    }
}

/* ---- writes code that disables and enables preemption around a hit ---- */

enum { INC = 0, DEC = 1 };

static void
adjust_count (GilkAsm *as, const struct ilk_info *info, guint step, gboolean wide)
{
  gilk_asm_mem (as, wide, 0xff, step, gilk_mem_gs (GILK_NO_BASE, info->gs_preempt_count));
}

void
gilk_emit_preempt_disable (GilkAsm               *as,
                           const struct ilk_info *info)
{
  adjust_count (as, info, INC, FALSE);
}

void
gilk_emit_preempt_enable (GilkAsm               *as,
                          const struct ilk_info *info,
                          gboolean               backward)
{
  const gboolean looks = info->reschedule != 0 && !backward;
  gsize over;

  adjust_count (as, info, DEC, looks && info->preempt_bytes == 8);
  if (!looks)
    return;

  /*
   * The highest bit of the preempt count is the inverted "need resched" flag. So the count is 0 if
   * preemption is enabled and a reschedule is needed.
   */
  over = gilk_asm_jcc_ahead (as, GILK_CC_NE);
  gilk_asm_call (as, info->reschedule);
  as->insns--;                                   /* do not count the call, because it runs only
                                                  * after an interrupt */
  gilk_asm_land (as, over);
}
