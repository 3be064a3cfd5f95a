/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-call.c - calls of the driver's services: ilk-abi-services.h
 *
 * What a call may change is this operation's: values that are needed behind it are elsewhere.
 */
#include "core/emit/gilk-ops-private.h"

#include "ilk/ilk-abi.h"

static void
name_stacks (GilkOpsWriter *w)
{
  const GilkOpsArea *area = &g_array_index (w->frame->ops->areas, GilkOpsArea, w->op->area);

  gilk_asm_mov_imm (w->as, GILK_RDI, w->frame->place->binding->areas[w->op->area]);
  gilk_asm_mov_imm (w->as, GILK_RSI, area->elements);
  gilk_asm_mov_imm (w->as, GILK_RDX, w->frame->place->point);
}

static void
name_marker (GilkOpsWriter *w)
{
  gilk_asm_mov (w->as, GILK_RSI, gilk_ops_in_a (w));
  gilk_asm_mov_imm (w->as, GILK_RDX, w->op->text[0]);
  gilk_asm_mov_imm (w->as, GILK_RCX, w->op->text[1]);
}

void
gilk_ops_step_call (GilkOpsWriter *w)
{
  guint to;

  if (w->op->imm == ILK_SERVICE_STACK)
    name_stacks (w);
  else
    {
      if (w->op->imm == ILK_SERVICE_MARKER)
        name_marker (w);
      gilk_asm_mov_imm (w->as, GILK_RDI, w->frame->place->binding->iid);
    }
  if (w->frame->place->backward)
    gilk_asm_raw (w->as, (const uint8_t[]) { 0xfc }, 1);
  gilk_asm_call (w->as, w->frame->place->info->services[w->op->imm]);
  if (w->has->to < 0)
    return;
  to = gilk_ops_out (w);
  if (to != GILK_RAX)
    gilk_asm_mov (w->as, to, GILK_RAX);
}

gboolean
gilk_ops_calls (const GilkOps *ops)
{
  for (guint i = 0; i < ops->ops->len; i++)
    if (g_array_index (ops->ops, GilkOp, i).kind == GILK_OP_CALL)
      return TRUE;

  return FALSE;
}
