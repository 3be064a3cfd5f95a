/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-call.c - writes calls of driver services: ilk-abi-services.h
 *
 * A call may clobber all caller-saved registers, so values that are needed after the call are in
 * callee-saved registers or on the stack.
 */
#include "core/emit/gilk-ops-writer.h"

#include "ilk/ilk-abi.h"

static void
pass_stacks (GilkOpsWriter *w)
{
  const GilkOpsArea *area = &g_array_index (w->frame->ops->areas, GilkOpsArea, w->op->area);

  gilk_asm_mov_imm (w->as, GILK_RDI, w->frame->place->binding->areas[w->op->area]);
  gilk_asm_mov_imm (w->as, GILK_RSI, area->elements);
  gilk_asm_mov_imm (w->as, GILK_RDX, w->frame->place->point);
}

static void
pass_marker (GilkOpsWriter *w)
{
  gilk_asm_mov (w->as, GILK_RSI, gilk_ops_in_a (w));
  gilk_asm_mov_imm (w->as, GILK_RDX, w->op->text[0]);
  gilk_asm_mov_imm (w->as, GILK_RCX, w->op->text[1]);
}

/* Writes code that passes the words of a string as the second and later arguments of a service. */
static void
pass_text (GilkOpsWriter *w)
{
  static const uint8_t arguments[ILK_CRASH_WORDS] = { GILK_RSI, GILK_RDX, GILK_RCX, 8, 9 };

  for (guint i = 0; i < ILK_CRASH_WORDS; i++)
    gilk_asm_mov_imm (w->as, arguments[i], w->op->text[i]);
}

static void
put_call (GilkOpsWriter *w, guint service)
{
  g_assert (service < ILK_SERVICES);
  if (w->frame->place->backward)
    gilk_asm_raw (w->as, (const uint8_t[]) { 0xfc }, 1);
  gilk_asm_call (w->as, w->frame->place->info->services[service]);
}

/* Writes a load of user memory by a service of the driver, which returns the value in rax, and a
 * number other than 0 in rdx if the load failed. */
void
gilk_ops_step_user_load (GilkOpsWriter *w)
{
  const guint a = gilk_ops_in_a (w);

  if (w->op->imm != 0)
    gilk_asm_mem (w->as, TRUE, 0x8d, GILK_RSI, gilk_mem ((int) a, (int32_t) w->op->imm));
  else
    gilk_asm_mov (w->as, GILK_RSI, a);
  gilk_asm_mov_imm (w->as, GILK_RDX, w->op->size | (w->op->is_text ? ILK_USER_TEXT : 0u));
  gilk_asm_mov_imm (w->as, GILK_RDI, w->frame->place->binding->iid);
  put_call (w, ILK_SERVICE_USER);
  gilk_asm_reg (w->as, TRUE, 0x85, GILK_RDX, GILK_RDX);
  gilk_ops_goto (w, gilk_asm_jcc_ahead (w->as, GILK_CC_NE));
  if (w->op->is_signed && w->op->size < 8)
    gilk_asm_extend (w->as, w->op->size, TRUE, gilk_ops_out (w), GILK_RAX);
  else if (gilk_ops_out (w) != GILK_RAX)
    gilk_asm_mov (w->as, gilk_ops_out (w), GILK_RAX);
}

void
gilk_ops_step_call (GilkOpsWriter *w)
{
  guint to;

  if (w->op->imm == ILK_SERVICE_STACK)
    pass_stacks (w);
  else
    {
      if (w->op->imm == ILK_SERVICE_MARKER)
        pass_marker (w);
      else if (w->op->imm == ILK_SERVICE_CRASH)
        pass_text (w);
      gilk_asm_mov_imm (w->as, GILK_RDI, w->frame->place->binding->iid);
    }
  put_call (w, (guint) w->op->imm);
  if (w->has->to < 0)
    return;
  to = gilk_ops_out (w);
  if (to != GILK_RAX)
    gilk_asm_mov (w->as, to, GILK_RAX);
}

gboolean
gilk_ops_calls_service (const GilkOps *ops,
                        guint          service)
{
  for (guint i = 0; i < ops->ops->len; i++)
    if (g_array_index (ops->ops, GilkOp, i).kind == GILK_OP_CALL && g_array_index (ops->ops, GilkOp, i).imm == (int64_t) service)
      return TRUE;

  return FALSE;
}

static gboolean
has_key (const GArray *keys, uint64_t key)
{
  for (guint i = 0; i < keys->len; i++)
    if (g_array_index (keys, uint64_t, i) == key)
      return TRUE;

  return FALSE;
}

GArray *
gilk_ops_events (const GilkOps *ops)
{
  GArray *keys = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);
      const uint64_t key = (uint64_t) op->imm2;

      if (op->kind == GILK_OP_CALL && op->imm == GILK_SERVICE_EVENT && !has_key (keys, key))
        g_array_append_val (keys, key);
    }

  return keys;
}

gboolean
gilk_ops_calls (const GilkOps *ops)
{
  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_CALL || gilk_op_is_user_load (op))
        return TRUE;
    }

  return FALSE;
}
