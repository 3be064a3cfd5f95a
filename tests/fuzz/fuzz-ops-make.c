/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-ops-make.c - draws random operations that pass gilk_ops_check()
 *
 * Operations have the structure of a program: nested statements, with conditions, and failures
 * that are handled in place or exit the enclosing statements. For each open label the generator
 * knows which values are written on all paths to it.
 */
#include <string.h>

#include "ilk/ilk-abi.h"
#include "tests/fuzz/fuzz-ops-make.h"

static void make_statements (Make *make, guint depth);

/* ---- labels, to which operations jump ---- */

static guint
open_label (Make *make)
{
  Open *open = &make->open[make->n_open++];

  *open = (Open) { gilk_ops_label (make->ops), FALSE, ~UINT64_C (0), make->inside, make->guarded };

  return make->n_open - 1;
}

/* Records that the next operation may jump to the label; returns the label. */
static guint
make_path_to (Make *make, guint index)
{
  Open *open = &make->open[index];

  open->used = TRUE;
  open->written &= make->written;

  return open->label;
}

/* Places the label that was opened last at the next operation. */
static void
place_label (Make *make)
{
  Open *open = &make->open[--make->n_open];
  GilkOp op = make_blank_op (GILK_OP_LABEL);

  op.label = open->label;
  add_op (make, op);
  if (open->used)
    make->written = make->reached ? make->written & open->written : open->written;
  make->reached |= open->used;
}

/* Returns an open label to which the next operation may jump: a label in the same critical section.
 * Returns -1 if there is none. Must not be called while a sample is open. */
static int
make_exit (Make *make)
{
  guint first = draw_die (make, make->n_open + 1);

  for (guint i = first; i < make->n_open; i++)
    if (make->open[i].inside == make->inside && make->open[i].guarded == make->guarded)
      return (int) i;

  return -1;
}

static void
make_jump (Make *make, guint index)
{
  GilkOp op = make_blank_op (GILK_OP_JUMP);

  op.label = make_path_to (make, index);
  add_op (make, op);
  make->reached = FALSE;
}

/* ---- making operations that may fail ---- */

/* Adds @op with a label for its failure path: the label of an enclosing statement, or a new label
 * with code that handles the failure. */
static void
add_failing (Make *make, GilkOp op, guint depth)
{
  int out = make->reserved ? -1 : make_exit (make);
  uint64_t before;
  guint bad, on;

  if (out >= 0 && draw_die (make, 2) == 0)
    {
      op.label = make_path_to (make, (guint) out);
      add_op (make, op);
      note_written (make, op.to);
      return;
    }

  on = open_label (make);
  bad = open_label (make);
  op.label = make_path_to (make, bad);
  before = make->written;
  add_op (make, op);
  note_written (make, op.to);
  if (draw_die (make, 2) == 0 && !make->reserved && depth < DEPTH)
    make_statements (make, depth + 1);
  if (make->reached)
    make_jump (make, on);
  place_label (make);
  if (op.to != GILK_NO_VALUE && (!(before >> op.to & 1) || draw_die (make, 2) == 0))
    {
      GilkOp zero = make_blank_op (GILK_OP_CONST);

      zero.to = op.to;
      add_op (make, zero);
      note_written (make, op.to);
    }
  place_label (make);
}

static void
make_load (Make *make, guint depth)
{
  GilkOp op = make_blank_op (GILK_OP_LOAD);

  op.a = draw_source (make);
  op.to = draw_target (make);
  op.size = 1 << draw_die (make, 4);
  op.is_signed = draw_die (make, 2);
  op.is_user = !make->reserved && draw_die (make, 3) == 0;
  op.is_text = op.is_user && op.size == 8 && draw_die (make, 2);
  op.imm = draw_die (make, 8) == 0 ? draw_number (make) : (int64_t) draw_die (make, 64) - 8;
  op.imm = CLAMP (op.imm, -GILK_OPS_REACH, GILK_OPS_REACH - 8);
  add_failing (make, op, depth);
}

static void
make_divide (Make *make, guint depth)
{
  GilkOp op = make_blank_op (draw_die (make, 2) ? GILK_OP_DIV : GILK_OP_MOD);

  op.a = draw_source (make);
  op.b = draw_die (make, 2) ? draw_source (make) : GILK_NO_VALUE;
  op.imm = op.b == GILK_NO_VALUE ? draw_number (make) : 0;
  op.is_signed = draw_die (make, 2);
  op.to = draw_target (make);
  add_failing (make, op, depth);
}

/* Adds an operation that frees the slot that a key has in a map. */
static void
give_up (Make *make, const GilkOp *slot)
{
  GilkOp none = make_blank_op (GILK_OP_CONST), op = make_blank_op (GILK_OP_AREA_STORE);

  do
    none.to = draw_target (make);
  while (none.to == slot->to && make->n_values > 1);
  if (none.to == slot->to)
    return;
  none.imm = GILK_OPS_SLOT_FREE;
  add_op (make, none);
  note_written (make, none.to);
  op.a = none.to;
  op.index = slot->to;
  op.area = slot->area;
  op.mask = FUZZ_MAP_SLOTS - 1;
  add_op (make, op);
}

static void
make_map (Make *make, guint depth)
{
  GilkOp key = make_blank_op (GILK_OP_AND), op = make_blank_op (draw_die (make, 2) ? GILK_OP_MAP_SLOT : GILK_OP_MAP_FIND);
  GilkOp adds = make_blank_op (GILK_OP_AREA_ADD);

  key.a = draw_source (make);
  key.to = draw_target (make);
  key.imm = draw_die (make, 4) ? 7 : 31;
  add_op (make, key);
  note_written (make, key.to);
  op.a = key.to;
  op.to = draw_target (make);
  op.area = draw_die (make, 2) ? FUZZ_AREA_MAP : FUZZ_AREA_TABLE;
  add_failing (make, op, depth);
  adds.index = op.to;
  if (!make->reached || !(make->written >> op.to & 1))
    return;
  if (draw_die (make, 3) == 0)
    {
      give_up (make, &op);
      return;
    }
  adds.area = op.area;
  adds.imm = 2 * FUZZ_MAP_SLOTS;
  adds.mask = FUZZ_MAP_SLOTS - 1;
  adds.imm2 = 1;
  add_op (make, adds);
}

/* ---- making operations that set registers, write memory, or set where execution continues ---- */

static void
set_register (Make *make)
{
  GilkOp op = make_blank_op (GILK_OP_REGISTER_SET);

  op.a = draw_source (make);
  do
    op.imm = (int64_t) draw_die (make, 16);
  while (op.imm == 4 || op.imm == 5);
  add_op (make, op);
}

/* Adds an operation that stores into a mapped page, or into the unmapped page after it. */
static void
make_store (Make *make, guint depth)
{
  GilkOp low = make_blank_op (GILK_OP_AND), at = make_blank_op (GILK_OP_ADD), op = make_blank_op (GILK_OP_STORE);

  op.b = draw_source (make);
  low.a = draw_source (make);
  low.imm = 0x1fff;
  low.to = at.a = at.to = op.a = draw_target (make);
  at.imm = FUZZ_HEAP;
  add_op (make, low);
  note_written (make, low.to);
  add_op (make, at);
  op.size = 1 << draw_die (make, 4);
  add_failing (make, op, depth);
}

static void
make_leave (Make *make)
{
  GilkOp op = make_blank_op (GILK_OP_EXIT);

  op.imm = (int64_t) draw_die (make, GILK_EXITS);
  op.imm2 = draw_die (make, 3) == 0 ? FUZZ_FUNCTION : 0;
  add_op (make, op);
  make->reached = FALSE;
}

static void
make_change (Make *make, guint depth)
{
  if (make->guarded && !make->reserved && draw_die (make, 2) && make->ops->n_labels + 40 < GILK_OPS_LABELS)
    make_store (make, depth);
  else if (!make->inside && depth > 0 && draw_die (make, 3) == 0)
    make_leave (make);
  else
    set_register (make);
}

/* ---- making nested statements ---- */

static void
make_branch (Make *make, guint index)
{
  GilkOp op = make_blank_op (GILK_OP_BRANCH);

  op.compare = (uint8_t) draw_die (make, GILK_IF_NO_BITS + 1);
  op.a = draw_source (make);
  op.b = draw_die (make, 3) == 0 ? draw_source (make) : GILK_NO_VALUE;
  op.imm = op.b == GILK_NO_VALUE ? draw_number (make) : 0;
  op.label = make_path_to (make, index);
  add_op (make, op);
}

static void
make_condition (Make *make, guint depth)
{
  gboolean has_else = draw_die (make, 2);
  int out = make_exit (make);

  if (out >= 0 && draw_die (make, 4) == 0)
    {
      make_branch (make, (guint) out);
      return;
    }
  if (has_else)
    open_label (make);
  make_branch (make, open_label (make));
  make_statements (make, depth + 1);
  if (has_else && make->reached)
    make_jump (make, make->n_open - 2);
  place_label (make);
  if (!has_else)
    return;
  if (make->reached)
    make_statements (make, depth + 1);
  place_label (make);
}

static void
make_critical_section (Make *make, guint depth)
{
  GilkOp op = make_blank_op (GILK_OP_ENTER);
  guint out = open_label (make);

  if (draw_die (make, 4) > 0)
    {
      op.imm = GILK_OPS_GUARD;
      op.label = make_path_to (make, out);
    }
  add_op (make, op);
  make->inside = TRUE;
  make->guarded = op.imm == GILK_OPS_GUARD;
  open_label (make);
  make_statements (make, depth + 1);
  place_label (make);
  if (make->reached)
    add_op (make, make_blank_op (GILK_OP_LEAVE));
  make->inside = make->guarded = FALSE;
  place_label (make);
}

/* Adds operations that write all bytes of a sample's payload, as fields of random sizes in random
 * order. */
static void
make_fields (Make *make)
{
  gboolean done[ILK_SAMPLE_MAX] = { FALSE };
  guint payload = make->ops->payload;

  for (guint at = 0; at < payload; at++)
    {
      GilkOp op = make_blank_op (GILK_OP_FIELD);
      guint from = draw_die (make, payload / 8) * 8;

      for (guint i = 0; i < payload && done[from]; i++)
        from = (from + 1) % payload;
      if (done[from])
        return;
      if (draw_die (make, 6) == 0 && make->guarded)
        make_load (make, DEPTH);
      op.size = 8 >> draw_die (make, 4);
      while (from % op.size != 0)
        op.size /= 2;
      op.a = draw_source (make);
      op.imm = from;
      add_op (make, op);
      memset (done + from, TRUE, op.size * sizeof *done);
    }
}

static void
make_sample (Make *make)
{
  GilkOp op = make_blank_op (GILK_OP_RESERVE);
  guint full = open_label (make);

  op.imm = make->ops->payload;
  op.label = make_path_to (make, full);
  add_op (make, op);
  make->reserved = TRUE;
  make_fields (make);
  make->reserved = FALSE;
  add_op (make, make_blank_op (GILK_OP_COMMIT));
  place_label (make);
}

static void
make_compound (Make *make, guint depth)
{
  gboolean has_room = depth < DEPTH && make->n_open + 16 < MOST_OPEN && make->ops->n_labels + 40 < GILK_OPS_LABELS;

  if (!has_room)
    fuzz_arithmetic (make);
  else if (!make->inside && draw_die (make, 2))
    make_critical_section (make, depth);
  else if (make->inside && draw_die (make, 3) == 0)
    make_sample (make);
  else if (make->inside && draw_die (make, 3) == 0)
    make_map (make, depth);
  else
    make_condition (make, depth);
}

static void
make_statement (Make *make, guint depth)
{
  switch (draw_die (make, 13))
    {
    case 0: case 1: case 2:
      make_compound (make, depth);
      break;
    case 3: case 4:
      fuzz_arithmetic (make);
      break;
    case 5:
      fuzz_plain (make);
      break;
    case 6:
      new_number (make, draw_target (make));
      break;
    case 7:
      fuzz_area (make);
      break;
    case 8:
      draw_die (make, 2) ? fuzz_cpu_load (make) : fuzz_read_clock (make);
      break;
    case 9:
      fuzz_gate_or_count (make);
      break;
    case 11:
      if (make->changes)
        make_change (make, depth);
      break;
    case 10:
      if (make->guarded && draw_die (make, 3) == 0)
        fuzz_call (make);
      else if (make->guarded && make->ops->n_labels + 40 < GILK_OPS_LABELS)
        make_load (make, depth);
      break;
    default:
      if (draw_die (make, 3) == 0 && make->ops->n_labels + 40 < GILK_OPS_LABELS)
        make_divide (make, depth);
    }
}

static void
make_statements (Make *make, guint depth)
{
  for (guint i = draw_die (make, 7) + 1; i > 0 && make->reached && make->ops->ops->len < MOST_OPS; i--)
    make_statement (make, depth);
}

/* Adds operations that add each value to an element of an area, so that the final values can be
 * compared. */
static void
show_values (Make *make)
{
  GilkOp op = make_blank_op (GILK_OP_AREA_ADD);

  for (guint value = 0; value < make->n_values; value++)
    if (make->written >> value & 1)
      {
        op.a = (uint16_t) value;
        op.area = FUZZ_AREA_SHARED;
        op.imm = value;
        add_op (make, op);
      }
}

GilkOps *
fuzz_ops_make (GRand *rand, int64_t cpu)
{
  const GilkOpsArea areas[] = {
    { FUZZ_ELEMENTS, TRUE, 0, 0 }, { FUZZ_ELEMENTS, FALSE, 0, 0 }, { 3 * FUZZ_MAP_SLOTS, TRUE, FUZZ_MAP_SLOTS, 1 },
    { 3 * FUZZ_MAP_SLOTS, FALSE, FUZZ_MAP_SLOTS, 1 }, { FUZZ_ELEMENTS, FALSE, 0, 0, TRUE },
  };
  Make make = { .rand = rand, .ops = gilk_ops_new (), .cpu = cpu, .reached = TRUE };

  g_array_append_vals (make.ops->areas, areas, G_N_ELEMENTS (areas));
  make.changes = draw_die (&make, 3) == 0;
  make.n_values = 1 + draw_die (&make, draw_die (&make, 4) == 0 ? MOST_VALUES : 10);
  for (guint i = 0; i < make.n_values; i++)
    gilk_ops_value (make.ops);
  make.ops->n_gates = FUZZ_GATES;
  make.ops->payload = 8 * draw_die (&make, ILK_SAMPLE_MAX / 8 + 1);
  if (draw_die (&make, 2))
    make.ops->payload = MIN (make.ops->payload, 24);

  open_label (&make);
  for (guint i = draw_die (&make, 5) + 1; i > 0; i--)
    make_statements (&make, 0);
  place_label (&make);
  if (make.reached && draw_die (&make, 2))
    show_values (&make);

  return make.ops;
}
