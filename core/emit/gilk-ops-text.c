/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-text.c - prints operations as text
 */
#include <inttypes.h>

#include "core/emit/gilk-ops.h"
#include "ilk/ilk-abi.h"

static const char *const plain[GILK_OP_KINDS] = {
  [GILK_OP_ADD] = "+", [GILK_OP_SUB] = "-", [GILK_OP_MUL] = "*", [GILK_OP_AND] = "&", [GILK_OP_OR] = "|",
  [GILK_OP_XOR] = "^", [GILK_OP_SHL] = "<<", [GILK_OP_SHR] = ">>", [GILK_OP_SAR] = ">>>",
  [GILK_OP_DIV] = "/", [GILK_OP_MOD] = "%",
};

static const char *const compares[] = {
  "==", "!=", "<", "<=", ">", ">=", "s<", "s<=", "s>", "s>=", "&", "!&",
};

static const char *const registers[] = {
  "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
};

static const char *const facts[GILK_FACTS] = { "value", "before", "address", "ip", "context" };

static const char *const exits[GILK_EXITS] = { "return", "continue after it", "continue at the target" };

static void
put_number (GString *out, int64_t number)
{
  if (number > -10 && number < 10)
    g_string_append_printf (out, "%" PRId64, number);
  else if (number < 0 && number > INT64_MIN)
    g_string_append_printf (out, "-%#" PRIx64, (uint64_t) -number);
  else
    g_string_append_printf (out, "%#" PRIx64, (uint64_t) number);
}

static void
put_value (GString *out, guint value, int64_t or_else)
{
  if (value == GILK_NO_VALUE)
    put_number (out, or_else);
  else
    g_string_append_printf (out, "v%u", value);
}

static void
put_type (GString *out, const GilkOp *op)
{
  g_string_append_printf (out, "%c%u", op->is_signed ? 's' : 'u', 8u * op->size);
}

static void
put_address (GString *out, const GilkOp *op)
{
  g_string_append_printf (out, " v%u", op->a);
  if (op->imm != 0)
    {
      g_string_append (out, op->imm < 0 ? " - " : " + ");
      put_number (out, op->imm < 0 ? -op->imm : op->imm);
    }
}

static void
put_element (GString *out, const GilkOp *op)
{
  g_string_append_printf (out, "area%u[%" PRId64, op->area, op->imm);
  if (op->index != GILK_NO_VALUE)
    g_string_append_printf (out, " + (v%u & %#x)", op->index, op->mask);
  g_string_append_c (out, ']');
}

static void
put_memory (GString *out, const GilkOp *op)
{
  switch (op->kind)
    {
    case GILK_OP_LOAD:
      g_string_append (out, op->is_text ? "load user text " : op->is_user ? "load user " : "load ");
      put_type (out, op);
      put_address (out, op);
      break;
    case GILK_OP_STORE:
      g_string_append (out, "store ");
      put_type (out, op);
      put_address (out, op);
      g_string_append_printf (out, " = v%u", op->b);
      break;
    case GILK_OP_CPU_LOAD:
      g_string_append (out, "cpu ");
      put_type (out, op);
      g_string_append_printf (out, " %#" PRIx64, (uint64_t) op->imm);
      break;
    case GILK_OP_AREA_ADD:
      put_element (out, op);
      g_string_append (out, " += ");
      put_value (out, op->a, op->imm2);
      break;
    case GILK_OP_AREA_STORE:
      put_element (out, op);
      g_string_append_printf (out, " = v%u", op->a);
      break;
    case GILK_OP_AREA_CLAIM:
      g_string_append (out, "claim ");
      put_element (out, op);
      break;
    case GILK_OP_MAP_SLOT: case GILK_OP_MAP_FIND:
      g_string_append_printf (out, "%s v%u in area%u", op->kind == GILK_OP_MAP_SLOT ? "slot of" : "find", op->a,
                              op->area);
      break;
    case GILK_OP_AREA_LOAD:
    default:
      put_element (out, op);
    }
}

static void
put_value_op (GString *out, const GilkOp *op)
{
  switch (op->kind)
    {
    case GILK_OP_CONST:
      put_number (out, op->imm);
      break;
    case GILK_OP_REGISTER:
      g_string_append_printf (out, "%%%s", registers[op->imm & 15]);
      break;
    case GILK_OP_CLOCK:
      g_string_append (out, "clock");
      break;
    case GILK_OP_FACT:
      g_string_append (out, (uint64_t) op->imm < GILK_FACTS ? facts[op->imm] : "fact?");
      break;
    case GILK_OP_CONTEXT:
      g_string_append_printf (out, "context[%" PRId64 "]", op->imm);
      break;
    case GILK_OP_MOVE:
      g_string_append_printf (out, "v%u", op->a);
      break;
    case GILK_OP_EXTEND:
      put_type (out, op);
      g_string_append_printf (out, " v%u", op->a);
      break;
    case GILK_OP_BUCKET:
      g_string_append_printf (out, "bucket%" PRId64 " of v%u", op->imm, op->a);
      break;
    default:
      g_string_append_printf (out, "v%u %s%s ", op->a, op->is_signed && op->kind >= GILK_OP_DIV ? "s" : "",
                              plain[op->kind]);
      put_value (out, op->b, op->imm);
    }
}

static void
put_control (GString *out, const GilkOp *op)
{
  switch (op->kind)
    {
    case GILK_OP_LABEL:
      g_string_append_printf (out, "L%u:", op->label);
      break;
    case GILK_OP_JUMP:
      g_string_append_printf (out, "goto L%u", op->label);
      break;
    case GILK_OP_BRANCH:
      g_string_append_printf (out, "if v%u %s ", op->a,
                              op->compare < G_N_ELEMENTS (compares) ? compares[op->compare] : "?");
      put_value (out, op->b, op->imm);
      g_string_append_printf (out, " goto L%u", op->label);
      break;
    case GILK_OP_ENTER:
      g_string_append (out, op->imm == GILK_OPS_GUARD ? "enter guarded" : "enter");
      break;
    case GILK_OP_LEAVE:
    default:
      g_string_append (out, "leave");
    }
}

static void
put_call (GString *out, const GilkOp *op)
{
  switch (op->imm)
    {
    case ILK_SERVICE_STACK:
      g_string_append_printf (out, "stack in area%u", op->area);
      break;
    case ILK_SERVICE_MARKER:
      g_string_append_printf (out, "marker \"%.15s\" v%u", (const char *) op->text, op->a);
      break;
    case ILK_SERVICE_CRASH:
      g_string_append_printf (out, "crash \"%.39s\"", (const char *) op->text);
      break;
    case GILK_SERVICE_EVENT:
      g_string_append_printf (out, "event %#" PRIx64, (uint64_t) op->imm2);
      break;
    case GILK_SERVICE_MOVE:
      g_string_append_printf (out, "watch %" PRId64 " at v%u", op->imm2, op->a);
      break;
    case ILK_SERVICE_FREEZE:
      g_string_append (out, "freeze");
      break;
    default:
      g_string_append_printf (out, "service %" PRId64 "?", op->imm);
    }
}

static void
put_other (GString *out, const GilkOp *op)
{
  switch (op->kind)
    {
    case GILK_OP_RESERVE:
      g_string_append_printf (out, "reserve %" PRId64, op->imm);
      break;
    case GILK_OP_FIELD:
      g_string_append_printf (out, "field%u %" PRId64 " = v%u", 8u * op->size, op->imm, op->a);
      break;
    case GILK_OP_COMMIT:
      g_string_append (out, "commit");
      break;
    case GILK_OP_GATE:
      g_string_append_printf (out, "%s gate %" PRId64, op->imm2 != 0 ? "open" : "close", op->imm);
      break;
    case GILK_OP_COUNT:
      g_string_append (out, "count");
      break;
    case GILK_OP_CALL:
      put_call (out, op);
      break;
    case GILK_OP_REGISTER_SET:
      g_string_append_printf (out, "%%%s = v%u", registers[op->imm & 15], op->a);
      break;
    case GILK_OP_EXIT:
      if (op->imm2 != 0)
        g_string_append_printf (out, "call %#" PRIx64 ", ", (uint64_t) op->imm2);
      g_string_append (out, (uint64_t) op->imm < GILK_EXITS ? exits[op->imm] : "exit?");
      break;
    default:
      g_string_append_printf (out, "operation %u?", op->kind);
    }
}

static void
put_op (GString *out, const GilkOp *op)
{
  gboolean makes = gilk_ops_makes_value (op), fails = gilk_ops_is_rare (op);

  if (makes)
    g_string_append_printf (out, "v%u = ", op->to);
  if (op->kind <= GILK_OP_BUCKET)
    put_value_op (out, op);
  else if (op->kind <= GILK_OP_LEAVE)
    put_control (out, op);
  else if (op->kind <= GILK_OP_MAP_FIND)
    put_memory (out, op);
  else
    put_other (out, op);
  if (fails)
    g_string_append_printf (out, " else L%u", op->label);
}

char *
gilk_ops_text (const GilkOps *ops)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < ops->ops->len; i++)
    {
      put_op (out, &g_array_index (ops->ops, GilkOp, i));
      g_string_append_c (out, '\n');
    }

  return g_string_free (out, FALSE);
}
