/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-ops-plain.c - draws operations of statements that contain no other statements
 */
#include "ilk/ilk-abi.h"
#include "tests/fuzz/fuzz-ops-make.h"

void
fuzz_arithmetic (Make *make)
{
  GilkOp op = make_blank_op (GILK_OP_ADD + (int) draw_die (make, GILK_OP_SAR - GILK_OP_ADD + 1));

  op.a = draw_source (make);
  op.b = draw_die (make, 2) ? draw_source (make) : GILK_NO_VALUE;
  op.imm = op.b == GILK_NO_VALUE ? draw_number (make) : 0;
  op.to = draw_target (make);
  add_op (make, op);
  note_written (make, op.to);
}

void
fuzz_plain (Make *make)
{
  GilkOp op = make_blank_op (draw_die (make, 3) == 0 ? GILK_OP_BUCKET : draw_die (make, 2) ? GILK_OP_MOVE : GILK_OP_EXTEND);

  op.a = draw_source (make);
  op.to = draw_target (make);
  op.size = op.kind == GILK_OP_EXTEND ? 1 << draw_die (make, 4) : 0;
  op.is_signed = op.kind == GILK_OP_EXTEND ? (uint8_t) draw_die (make, 2) : 0;
  op.imm = op.kind == GILK_OP_BUCKET ? (int64_t) draw_die (make, GILK_OPS_BUCKET_BITS + 1) : 0;
  add_op (make, op);
  note_written (make, op.to);
}

/* Adds an operation that reads the clock and an operation that clears the result, because a model
 * cannot predict the time. */
void
fuzz_read_clock (Make *make)
{
  GilkOp op = make_blank_op (GILK_OP_CLOCK), none = make_blank_op (GILK_OP_AND);

  op.to = none.a = none.to = draw_target (make);
  add_op (make, op);
  add_op (make, none);
  note_written (make, op.to);
}

void
fuzz_cpu_load (Make *make)
{
  GilkOp op = make_blank_op (GILK_OP_CPU_LOAD);

  op.size = 1 << draw_die (make, 4);
  op.is_signed = draw_die (make, 2);
  op.imm = make->cpu + (int64_t) draw_die (make, FUZZ_CPU_BYTES - 8);
  op.to = draw_target (make);
  add_op (make, op);
  note_written (make, op.to);
}

void
fuzz_area (Make *make)
{
  GilkOp op = make_blank_op (GILK_OP_AREA_LOAD + (int) draw_die (make, 4));

  op.area = op.kind == GILK_OP_AREA_CLAIM || draw_die (make, 2) ? FUZZ_AREA_SHARED : FUZZ_AREA_CPU;
  if (op.area == FUZZ_AREA_CPU && !make->inside)
    op.kind = GILK_OP_AREA_ADD;
  op.mask = (1u << draw_die (make, 9)) - 1;
  if (op.kind != GILK_OP_AREA_CLAIM && draw_die (make, 2))
    op.index = draw_source (make);
  else
    op.mask = 0;
  op.imm = (int64_t) draw_die (make, FUZZ_ELEMENTS - op.mask);
  if (op.kind == GILK_OP_AREA_STORE || (op.kind == GILK_OP_AREA_ADD && draw_die (make, 2)))
    op.a = draw_source (make);
  else if (op.kind == GILK_OP_AREA_ADD)
    op.imm2 = draw_die (make, 2) ? 1 : (int32_t) g_rand_int (make->rand);
  else
    op.to = draw_target (make);
  add_op (make, op);
  if (op.to != GILK_NO_VALUE)
    note_written (make, op.to);
}

void
fuzz_gate_or_count (Make *make)
{
  GilkOp op = make_blank_op (draw_die (make, 2) ? GILK_OP_GATE : GILK_OP_COUNT);

  if (op.kind == GILK_OP_GATE)
    {
      op.imm = (int64_t) draw_die (make, FUZZ_GATES);
      op.imm2 = (int64_t) draw_die (make, 2);
    }
  add_op (make, op);
}

void
fuzz_call (Make *make)
{
  GilkOp op = make_blank_op (GILK_OP_CALL);

  op.imm = (int64_t) draw_die (make, ILK_SERVICE_USER);
  if (op.imm == ILK_SERVICE_MARKER)
    {
      op.a = draw_source (make);
      op.text[0] = g_rand_int (make->rand);
      op.text[1] = g_rand_int (make->rand) >> draw_die (make, 32);
    }
  if (op.imm == ILK_SERVICE_CRASH)
    {
      for (guint i = 0; i < ILK_CRASH_WORDS; i++)
        op.text[i] = (uint64_t) g_rand_int (make->rand) << draw_die (make, 24);
    }
  if (op.imm == ILK_SERVICE_STACK)
    {
      op.area = FUZZ_AREA_STACKS;
      op.to = draw_target (make);
    }
  add_op (make, op);
  if (op.to != GILK_NO_VALUE)
    note_written (make, op.to);
}
