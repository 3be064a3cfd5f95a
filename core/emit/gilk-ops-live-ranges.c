/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-live-ranges.c - computes the live ranges of the values of operations
 *
 * One backward pass is enough to find live values, because all branches go forward. Operations
 * between a branch and its label must preserve all values that are live at the label, because the
 * branch may skip these operations. So each live range is contiguous.
 */
#include "core/emit/gilk-ops-frame.h"

#include <string.h>

#include "ilk/ilk-abi.h"

enum {
  WORDS = 5,
  ARGUMENTS = GILK_REG_BIT (GILK_RDI) | GILK_REG_BIT (GILK_RSI) | GILK_REG_BIT (GILK_RDX) | GILK_REG_BIT (GILK_RCX) |
              GILK_REG_BIT (8) | GILK_REG_BIT (9),
  CALLEE_SAVED = GILK_REG_BIT (GILK_RBX) | GILK_REG_BIT (GILK_RBP) | 0xf000,
};

G_STATIC_ASSERT (GILK_OPS_ALL_VALUES <= WORDS * 64);

guint
gilk_ops_cell (const GilkOp *op)
{
  return op->imm < 8 ? 0 : 1 + (guint) (op->imm - 8) / ILK_CELL;
}

/* ---- sets of values ---- */

static gboolean
has_value (const uint64_t *set, guint value)
{
  return set[value / 64] >> (value % 64) & 1;
}

static void
add_value (uint64_t *set, guint value)
{
  set[value / 64] |= UINT64_C (1) << (value % 64);
}

static void
add_values (uint64_t *set, const uint64_t *others)
{
  for (guint i = 0; i < WORDS; i++)
    set[i] |= others[i];
}

/* Returns whether operation @i changes the internal value GILK_OPS_OTHER_CELL. It does if it is a
 * FIELD in a cell after the record's first one, and GILK_OPS_OTHER_CELL does not hold the address
 * of that cell yet. */
static gboolean
changes_cell (const GilkOpsFrame *frame, guint i)
{
  const GilkOp *op = gilk_ops_op (frame, i);

  return op->kind == GILK_OP_FIELD && gilk_ops_cell (op) > 0 && (int) gilk_ops_cell (op) != frame->cell_in_use[i];
}

static void
collect_defined (const GilkOpsFrame *frame, guint i, uint64_t *set)
{
  const GilkOp *op = gilk_ops_op (frame, i);

  if (gilk_ops_makes_value (op))
    add_value (set, op->to);
  if (op->kind == GILK_OP_ENTER && op->imm == GILK_OPS_GUARD)
    add_value (set, GILK_OPS_OLD_GUARD);
  if (op->kind == GILK_OP_RESERVE)
    {
      add_value (set, GILK_OPS_HEAD);
      add_value (set, GILK_OPS_CELL);
    }
  if (changes_cell (frame, i))
    add_value (set, GILK_OPS_OTHER_CELL);
}

static void
collect_used (const GilkOpsFrame *frame, guint i, uint64_t *set)
{
  const GilkOp *op = gilk_ops_op (frame, i);

  if (gilk_ops_reads_a (op))
    add_value (set, op->a);
  if (gilk_ops_reads_b (op))
    add_value (set, op->b);
  if (gilk_ops_reads_index (op))
    add_value (set, op->index);
  if (op->kind == GILK_OP_LEAVE && frame->guarded[i])
    add_value (set, GILK_OPS_OLD_GUARD);
  if (op->kind == GILK_OP_COMMIT || op->kind == GILK_OP_FIELD)
    {
      add_value (set, GILK_OPS_CELL);
      add_value (set, GILK_OPS_HEAD);
    }
  if (op->kind == GILK_OP_FIELD && gilk_ops_cell (op) > 0 && !changes_cell (frame, i))
    add_value (set, GILK_OPS_OTHER_CELL);
}

/* ---- which cell's address GILK_OPS_OTHER_CELL holds ---- */

static int
join_cells (int a, int b)
{
  return a == b ? a : a == -2 ? b : b == -2 ? a : -1;
}

/* Finds, for each operation, the record's cell whose address the internal value GILK_OPS_OTHER_CELL
 * holds; -2: the operation is unreachable. */
static void
find_cells (GilkOpsFrame *frame)
{
  g_autofree int *at = g_new (int, GILK_OPS_LABELS);
  int now = -1;

  for (guint i = 0; i < GILK_OPS_LABELS; i++)
    at[i] = -2;

  for (guint i = 0; i < frame->n; i++)
    {
      const GilkOp *op = gilk_ops_op (frame, i);

      if (op->kind == GILK_OP_LABEL)
        now = join_cells (now, at[op->label]);
      frame->cell_in_use[i] = (int8_t) now;
      if (op->kind == GILK_OP_FIELD && gilk_ops_cell (op) > 0)
        now = (int) gilk_ops_cell (op);
      if (op->kind == GILK_OP_RESERVE)
        now = -1;
      if (gilk_ops_has_label (op))
        at[op->label] = join_cells (at[op->label], now);
      if (gilk_ops_ends_path (op))
        now = -2;
    }
}

/* ---- liveness at each time (2i and 2i + 1 for operation i) ---- */

static void
find_guarded (GilkOpsFrame *frame)
{
  g_autofree gboolean *at = g_new0 (gboolean, GILK_OPS_LABELS);
  gboolean now = FALSE;

  for (guint i = 0; i < frame->n; i++)
    {
      const GilkOp *op = gilk_ops_op (frame, i);

      if (op->kind == GILK_OP_LABEL)
        now |= at[op->label];
      frame->guarded[i] = now;
      if (gilk_ops_has_label (op))
        at[op->label] |= now;
      if (op->kind == GILK_OP_ENTER)
        now = op->imm == GILK_OPS_GUARD;
      if (op->kind == GILK_OP_LEAVE || gilk_ops_ends_path (op))
        now = FALSE;
    }
}

static void
find_live (GilkOpsFrame *frame)
{
  g_autofree uint64_t (*at)[WORDS] = g_malloc0_n (GILK_OPS_LABELS, sizeof *at);
  uint64_t now[WORDS] = { 0 };

  for (guint i = frame->n; i-- > 0;)
    {
      const GilkOp *op = gilk_ops_op (frame, i);
      uint64_t defined[WORDS] = { 0 };

      if (op->kind == GILK_OP_LABEL)
        memcpy (at[op->label], now, sizeof now);
      if (gilk_ops_ends_path (op))
        memset (now, 0, sizeof now);
      collect_defined (frame, i, defined);
      add_values (frame->covered[2 * i + 1], now);
      add_values (frame->covered[2 * i + 1], defined);
      for (guint v = 0; v < WORDS; v++)
        now[v] &= ~defined[v];
      if (gilk_ops_has_label (op))
        {
          add_values (now, at[op->label]);
          add_values (frame->covered[2 * i + 1], at[op->label]);
        }
      collect_used (frame, i, now);
      add_values (frame->covered[2 * i], now);
      /* The operation's code computes the cell's address before it reads the value to store
       * there. */
      if (changes_cell (frame, i))
        add_value (frame->covered[2 * i], GILK_OPS_OTHER_CELL);
    }
}

/* Makes all operations between a label and the first branch to it preserve the values that are live
 * at the label. */
static void
cover_branches (GilkOpsFrame *frame)
{
  g_autofree gboolean *seen = g_new0 (gboolean, GILK_OPS_LABELS);

  for (guint i = 0; i < frame->n; i++)
    {
      const GilkOp *op = gilk_ops_op (frame, i);
      int label_at = gilk_ops_has_label (op) && !seen[op->label] ? frame->label_at[op->label] : -1;

      if (label_at < 0)
        continue;
      seen[op->label] = TRUE;
      for (guint time = 2 * i + 1; time < 2 * (guint) label_at; time++)
        add_values (frame->covered[time], frame->covered[2 * label_at]);
    }
}

/* ---- live ranges of the program's values ---- */

int
gilk_ops_add_range (GilkOpsFrame *frame,
                    guint         value,
                    guint         first,
                    guint         end)
{
  const GilkLiveRange range = {
    .value = value, .begin = first, .end = end, .fixed = GILK_OPS_NONE, .reg = GILK_OPS_NONE, .slot = GILK_OPS_NONE,
  };

  g_array_append_val (frame->ranges, range);

  return (int) frame->ranges->len - 1;
}

static void
collect_ranges (GilkOpsFrame *frame)
{
  for (guint value = 0; value < GILK_OPS_ALL_VALUES; value++)
    for (guint time = 0, begin; time < 2 * frame->n; time++)
      {
        if (!has_value (frame->covered[time], value))
          continue;
        for (begin = time; time + 1 < 2 * frame->n && has_value (frame->covered[time + 1], value);)
          time++;
        gilk_ops_add_range (frame, value, begin, time);
      }
}

static int
find_range (const GilkOpsFrame *frame, guint value, guint time)
{
  for (guint i = 0; i < frame->ranges->len; i++)
    {
      const GilkLiveRange *range = gilk_ops_range (frame, (int) i);

      if (range->value == value && range->begin <= time && time <= range->end)
        return (int) i;
    }

  return GILK_OPS_NONE;
}

static void
find_values (GilkOpsFrame *frame, guint i)
{
  const GilkOp *op = gilk_ops_op (frame, i);
  GilkOpsOperands *has = &frame->has[i];

  *has = (GilkOpsOperands) { -1, -1, -1, -1, -1, -1, -1, -1, { -1, -1, -1, -1, -1, -1, -1, -1, -1 } };
  if (gilk_ops_reads_a (op))
    has->a = find_range (frame, op->a, 2 * i);
  if (gilk_ops_reads_b (op))
    has->b = find_range (frame, op->b, 2 * i);
  if (gilk_ops_reads_index (op))
    has->index = find_range (frame, op->index, 2 * i);
  if (gilk_ops_makes_value (op))
    has->to = find_range (frame, op->to, 2 * i + 1);
}

static void
mark_constants (GilkOpsFrame *frame)
{
  for (guint i = 0; i < frame->n; i++)
    if (gilk_ops_op (frame, i)->kind == GILK_OP_CONST && frame->defs[gilk_ops_op (frame, i)->to] == 1)
      gilk_ops_range (frame, frame->has[i].to)->constant = TRUE;
}

/* ---- registers that operations need in addition to those of their values ---- */

/*
 * Adds temporary register number @number to operation @i, live from the operation's start to time
 * @end (2i or 2i + 1). @fixed: register of the temporary; GILK_OPS_NONE: any
 */
static void
add_temp (GilkOpsFrame *frame, guint i, guint number, int fixed, guint end, guint forbidden)
{
  int range = gilk_ops_add_range (frame, GILK_NO_VALUE, 2 * i, end);

  gilk_ops_range (frame, range)->fixed = (int8_t) fixed;
  gilk_ops_range (frame, range)->forbidden = (uint16_t) forbidden;
  frame->has[i].temp[number] = range;
}

/* Returns whether a part of the operation's memory area is out of reach of a 32-bit
 * displacement. */
static gboolean
is_far (const GilkOpsFrame *frame, const GilkOp *op)
{
  const GilkOpsArea *area = &g_array_index (frame->ops->areas, GilkOpsArea, op->area);
  uint64_t base = frame->place->binding->areas[op->area];

  return !gilk_ops_is_near (base) || !gilk_ops_is_near (base + 8 * (uint64_t) area->elements);
}

/* Returns TRUE if operation @i is the last one that uses its index value, so that the operation may
 * overwrite the register of that value. */
static gboolean
may_mask_in_place (const GilkOpsFrame *frame, guint i)
{
  const GilkOp *op = gilk_ops_op (frame, i);
  gboolean plain = gilk_ops_op (frame, frame->written_by[op->index])->kind != GILK_OP_REGISTER;

  return plain && gilk_ops_range (frame, frame->has[i].index)->end == 2 * i && op->a != op->index &&
         op->kind != GILK_OP_AREA_CLAIM;
}

static void
add_element_temps (GilkOpsFrame *frame, guint i)
{
  const GilkOp *op = gilk_ops_op (frame, i);

  if (is_far (frame, op))
    add_temp (frame, i, 0, GILK_OPS_NONE, 2 * i + 1, 0);
  if (op->index != GILK_NO_VALUE && !may_mask_in_place (frame, i))
    add_temp (frame, i, 1, GILK_OPS_NONE, 2 * i + 1, 0);
}

static void
add_map_temps (GilkOpsFrame *frame, guint i)
{
  const GilkOp *op = gilk_ops_op (frame, i);

  add_temp (frame, i, 0, GILK_OPS_NONE, 2 * i + 1, GILK_REG_BIT (GILK_RAX));
  if (op->kind == GILK_OP_MAP_SLOT)
    add_temp (frame, i, 1, GILK_OPS_NONE, 2 * i + 1, GILK_REG_BIT (GILK_RAX));
  if (is_far (frame, op))
    add_temp (frame, i, 2, GILK_OPS_NONE, 2 * i + 1, GILK_REG_BIT (GILK_RAX));
}

/* Reserves all caller-saved registers for a call. The operand of the call must be in another
 * register; the result is in rax. */
static void
add_call_temps (GilkOpsFrame *frame, guint i)
{
  static const uint8_t changed[] = { GILK_RAX, GILK_RCX, GILK_RDX, GILK_RSI, GILK_RDI, 8, 9, 10, 11 };

  G_STATIC_ASSERT (G_N_ELEMENTS (changed) == GILK_OPS_TEMPS);
  for (guint k = 0; k < G_N_ELEMENTS (changed); k++)
    add_temp (frame, i, k, changed[k], changed[k] == GILK_RAX ? 2 * i : 2 * i + 1, 0);
}

static void
add_temps (GilkOpsFrame *frame, guint i)
{
  const GilkOp *op = gilk_ops_op (frame, i);
  guint now = 2 * i, after = 2 * i + 1;

  switch (op->kind)
    {
    case GILK_OP_CLOCK:
      add_temp (frame, i, 0, GILK_RAX, now, 0);
      add_temp (frame, i, 1, GILK_RDX, now, 0);
      break;
    case GILK_OP_RESERVE:
      add_temp (frame, i, 0, GILK_RAX, after, 0);
      add_temp (frame, i, 1, GILK_RDX, after, 0);
      break;
    case GILK_OP_SHL: case GILK_OP_SHR: case GILK_OP_SAR:
      if (op->b != GILK_NO_VALUE)
        add_temp (frame, i, 0, GILK_RCX, after, 0);
      break;
    case GILK_OP_BUCKET:
      add_temp (frame, i, 0, GILK_RCX, after, 0);
      break;
    case GILK_OP_DIV: case GILK_OP_MOD:
      add_temp (frame, i, 0, GILK_RAX, now, 0);
      add_temp (frame, i, 1, GILK_RDX, now, 0);
      if (op->b == GILK_NO_VALUE)
        add_temp (frame, i, 2, GILK_OPS_NONE, now, 0);
      break;
    case GILK_OP_ENTER:
      if (op->imm == GILK_OPS_GUARD)
        add_temp (frame, i, 0, GILK_OPS_NONE, after, 0);
      break;
    case GILK_OP_AREA_LOAD: case GILK_OP_AREA_STORE: case GILK_OP_AREA_ADD: case GILK_OP_AREA_CLAIM:
      add_element_temps (frame, i);
      break;
    case GILK_OP_MAP_SLOT: case GILK_OP_MAP_FIND:
      add_map_temps (frame, i);
      break;
    case GILK_OP_CALL:
      add_call_temps (frame, i);
      break;
    case GILK_OP_LOAD:
      if (op->is_user)
        add_call_temps (frame, i);
      break;
    case GILK_OP_CPU_LOAD:
      if (!gilk_ops_is_near ((uint64_t) op->imm))
        add_temp (frame, i, 0, GILK_OPS_NONE, after, 0);
      break;
    case GILK_OP_COUNT:
      if (!gilk_ops_is_near (frame->place->binding->counter))
        add_temp (frame, i, 0, GILK_OPS_NONE, after, 0);
      break;
    default:
      break;
    }
}

/* ---- the whole frame ---- */

static void
find_definitions (GilkOpsFrame *frame)
{
  for (guint i = 0; i < frame->ops->n_labels; i++)
    frame->label_at[i] = -1;
  for (guint i = 0; i < frame->n; i++)
    {
      const GilkOp *op = gilk_ops_op (frame, i);

      if (op->kind == GILK_OP_LABEL)
        frame->label_at[op->label] = (int) i;
      if (gilk_ops_makes_value (op))
        {
          frame->defs[op->to]++;
          frame->written_by[op->to] = i;
        }
    }
}

/*
 * Returns the registers that must be restored at EXIT operations, even if they are not live:
 * callee-saved registers, and the arguments of functions that an EXIT calls.
 */
static guint
collect_exit_registers (const GilkOps *ops)
{
  guint needed = 0;

  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (op->kind != GILK_OP_EXIT)
        continue;
      if (op->imm != GILK_EXIT_TARGET)
        needed |= CALLEE_SAVED;
      if (op->imm2 != 0)
        needed |= CALLEE_SAVED | ARGUMENTS;
    }

  return needed;
}

void
gilk_ops_frame_init (GilkOpsFrame       *frame,
                     const GilkOps      *ops,
                     const GilkOpsPlace *place)
{
  *frame = (GilkOpsFrame) {
    .ops = ops, .place = place, .n = ops->ops->len,
    .label_at = g_new (int, GILK_OPS_LABELS),
    .guarded = g_new0 (gboolean, ops->ops->len + 1),
    .cell_in_use = g_new0 (int8_t, ops->ops->len + 1),
    .covered = g_malloc0_n (2 * (gsize) ops->ops->len + 2, sizeof *frame->covered),
    .ranges = g_array_new (FALSE, TRUE, sizeof (GilkLiveRange)),
    .has = g_new0 (GilkOpsOperands, ops->ops->len + 1),
    .regions = g_array_new (FALSE, TRUE, sizeof (GilkOpsRegion)), .sets = gilk_ops_sets (ops),
  };
  frame->keep = frame->sets | collect_exit_registers (ops);

  find_definitions (frame);
  find_cells (frame);
  find_guarded (frame);
  find_live (frame);
  cover_branches (frame);
  collect_ranges (frame);
  for (guint i = 0; i < frame->n; i++)
    find_values (frame, i);
  mark_constants (frame);
  for (guint i = 0; i < frame->n; i++)
    add_temps (frame, i);
}

void
gilk_ops_frame_clear (GilkOpsFrame *frame)
{
  g_free (frame->label_at);
  g_free (frame->guarded);
  g_free (frame->cell_in_use);
  g_free (frame->covered);
  g_array_unref (frame->ranges);
  g_free (frame->has);
  g_array_unref (frame->regions);
}
