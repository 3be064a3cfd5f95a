/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-ops-make.h - state of the generator of operations: the values written and the labels open
 * so far
 */
#pragma once

#include "tests/fuzz/fuzz-ops.h"

enum { MOST_VALUES = 64, MOST_OPEN = 64, MOST_OPS = 300, DEPTH = 5 };

typedef struct {
  guint    label;
  gboolean used;
  uint64_t written;
  gboolean inside, guarded;
} Open;

typedef struct {
  GRand   *rand;
  GilkOps *ops;
  int64_t  cpu;
  guint    n_values;
  gboolean reached;
  uint64_t written;               /* bit mask of the values that operations have written so far */
  gboolean inside, guarded;
  gboolean reserved, changes;
  Open     open[MOST_OPEN];
  guint    n_open;
} Make;

static inline guint
draw_die (Make *make, guint sides)
{
  return (guint) g_rand_int_range (make->rand, 0, (int) sides);
}

static inline int64_t
draw_number (Make *make)
{
  switch (draw_die (make, 6))
    {
    case 0: return (int64_t) draw_die (make, 9) - 4;
    case 1: return (int32_t) g_rand_int (make->rand);
    case 2: return INT64_C (1) << draw_die (make, 31);
    case 3: return -(INT64_C (1) << draw_die (make, 32));
    default: return (int64_t) draw_die (make, 300);
    }
}

static inline GilkOp
make_blank_op (GilkOpKind kind)
{
  return (GilkOp) {
    .kind = kind, .to = GILK_NO_VALUE, .a = GILK_NO_VALUE, .b = GILK_NO_VALUE, .index = GILK_NO_VALUE,
    .label = GILK_NO_LABEL,
  };
}

static inline void
add_op (Make *make, GilkOp op)
{
  gilk_ops_add (make->ops, &op);
}

/* ---- choice of the values that an operation reads and writes ---- */

static inline guint
draw_target (Make *make)
{
  return draw_die (make, make->n_values);
}

static inline void
note_written (Make *make, guint value)
{
  if (value != GILK_NO_VALUE)
    make->written |= UINT64_C (1) << value;
}

static inline void
new_number (Make *make, guint to)
{
  GilkOp op = make_blank_op (draw_die (make, 4) == 0 ? GILK_OP_CONST : GILK_OP_REGISTER);

  op.to = to;
  if (op.kind == GILK_OP_REGISTER)
    op.imm = (int64_t) draw_die (make, 16);
  else
    op.imm = draw_die (make, 3) == 0 ? (int64_t) ((uint64_t) g_rand_int (make->rand) << draw_die (make, 33)) : draw_number (make);
  add_op (make, op);
  note_written (make, to);
}

/* Returns a value that has been written. If there is none, first adds an operation that writes
 * one. */
static inline guint
draw_source (Make *make)
{
  guint value = draw_target (make);

  for (guint i = 0; i < make->n_values; i++, value = (value + 1) % make->n_values)
    if (make->written >> value & 1)
      return value;
  new_number (make, value);

  return value;
}

/* ---- defined in fuzz-ops-plain.c ---- */

void fuzz_arithmetic    (Make *make);
void fuzz_plain         (Make *make);
void fuzz_read_clock    (Make *make);
void fuzz_cpu_load      (Make *make);
void fuzz_area          (Make *make);
void fuzz_gate_or_count (Make *make);
/* Must be called while the operations made so far are in a critical section and have no open
 * sample. */
void fuzz_call          (Make *make);
