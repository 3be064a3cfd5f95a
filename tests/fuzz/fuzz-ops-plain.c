/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-ops-plain.c - statements without nested ones
 */
#include <string.h>

#include "ilk/ilk-abi.h"
#include "tests/fuzz/fuzz-ops-make.h"

void
fuzz_arithmetic (Make *make)
{
  GilkOp op = blank (GILK_OP_ADD + (int) roll (make, GILK_OP_SAR - GILK_OP_ADD + 1));

  op.a = source (make);
  op.b = roll (make, 2) ? source (make) : GILK_NO_VALUE;
  op.imm = op.b == GILK_NO_VALUE ? number (make) : 0;
  op.to = target (make);
  add (make, op);
  written (make, op.to);
}

void
fuzz_plain (Make *make)
{
  GilkOp op = blank (roll (make, 3) == 0 ? GILK_OP_BUCKET : roll (make, 2) ? GILK_OP_MOVE : GILK_OP_EXTEND);

  op.a = source (make);
  op.to = target (make);
  op.size = op.kind == GILK_OP_EXTEND ? 1 << roll (make, 4) : 0;
  op.is_signed = op.kind == GILK_OP_EXTEND ? (uint8_t) roll (make, 2) : 0;
  op.imm = op.kind == GILK_OP_BUCKET ? (int64_t) roll (make, GILK_OPS_BUCKET_BITS + 1) : 0;
  add (make, op);
  written (make, op.to);
}

/* Reads the clock and clears the result, since no model can predict it. */
void
fuzz_look_at_clock (Make *make)
{
  GilkOp op = blank (GILK_OP_CLOCK), none = blank (GILK_OP_AND);

  op.to = none.a = none.to = target (make);
  add (make, op);
  add (make, none);
  written (make, op.to);
}

void
fuzz_cpu_load (Make *make)
{
  GilkOp op = blank (GILK_OP_CPU_LOAD);

  op.size = 1 << roll (make, 4);
  op.is_signed = roll (make, 2);
  op.imm = make->cpu + (int64_t) roll (make, FUZZ_CPU_BYTES - 8);
  op.to = target (make);
  add (make, op);
  written (make, op.to);
}

void
fuzz_area (Make *make)
{
  GilkOp op = blank (GILK_OP_AREA_LOAD + (int) roll (make, 4));

  op.area = op.kind == GILK_OP_AREA_CLAIM || roll (make, 2) ? FUZZ_AREA_SHARED : FUZZ_AREA_CPU;
  if (op.area == FUZZ_AREA_CPU && !make->inside)
    op.kind = GILK_OP_AREA_ADD;
  op.mask = (1u << roll (make, 9)) - 1;
  if (op.kind != GILK_OP_AREA_CLAIM && roll (make, 2))
    op.index = source (make);
  else
    op.mask = 0;
  op.imm = (int64_t) roll (make, FUZZ_ELEMENTS - op.mask);
  if (op.kind == GILK_OP_AREA_STORE || (op.kind == GILK_OP_AREA_ADD && roll (make, 2)))
    op.a = source (make);
  else if (op.kind == GILK_OP_AREA_ADD)
    op.imm2 = roll (make, 2) ? 1 : (int32_t) g_rand_int (make->rand);
  else
    op.to = target (make);
  add (make, op);
  if (op.to != GILK_NO_VALUE)
    written (make, op.to);
}

void
fuzz_gate_or_count (Make *make)
{
  GilkOp op = blank (roll (make, 2) ? GILK_OP_GATE : GILK_OP_COUNT);

  if (op.kind == GILK_OP_GATE)
    {
      op.imm = (int64_t) roll (make, FUZZ_GATES);
      op.imm2 = (int64_t) roll (make, 2);
    }
  add (make, op);
}

void
fuzz_call (Make *make)
{
  GilkOp op = blank (GILK_OP_CALL);

  op.imm = (int64_t) roll (make, ILK_SERVICES);
  if (op.imm == ILK_SERVICE_WATCH)
    {
      op.a = source (make);
      op.imm2 = (int64_t) roll (make, FUZZ_GATES);
    }
  if (op.imm == ILK_SERVICE_MARKER)
    {
      op.a = source (make);
      op.text[0] = g_rand_int (make->rand);
      op.text[1] = g_rand_int (make->rand) >> roll (make, 32);
    }
  if (op.imm == ILK_SERVICE_CRASH)
    {
      for (guint i = 0; i < ILK_CRASH_WORDS; i++)
        op.text[i] = (uint64_t) g_rand_int (make->rand) << roll (make, 24);
    }
  if (op.imm == ILK_SERVICE_EVENT)
    {
      op.imm2 = (int64_t) ILK_EVENT (roll (make, 5), g_rand_int (make->rand) >> roll (make, 32));
      op.to = target (make);
    }
  if (op.imm == ILK_SERVICE_STACK)
    {
      op.area = FUZZ_AREA_STACKS;
      op.to = target (make);
    }
  add (make, op);
  if (op.to != GILK_NO_VALUE)
    written (make, op.to);
}
