/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-regs.c - register allocation: chooses a register or stack slot for each live range
 *
 * The value that a register has at the probe point is read in place while no other value owns the
 * register. Other values get registers that are dead there, and then registers that are saved
 * first. If there are too few registers, the value with the longest live range is spilled to the
 * stack, the operations that read or write that value get short live ranges of their own, and
 * allocation starts again.
 */
#include "core/emit/gilk-ops-frame.h"

/* Registers in the order in which they are allocated. rsp is never allocated; rbp comes last,
 * because stack traces rely on it. */
static const uint8_t order[] = {
  10, 11, 9, 8, GILK_RDI, GILK_RSI, GILK_RCX, GILK_RDX, GILK_RAX, GILK_RBX, 12, 13, 14, 15, GILK_RBP,
};

typedef struct {
  GilkOpsFrame *frame;
  guint         own_ranges;  /* number of live ranges before those of operations on spilled values
                              * are added */
  uint16_t     *busy;        /* for each time (2i and 2i + 1 for operation i): set of the registers
                              * in use */
  uint16_t      ever;        /* set of the registers that are in use at any time */
} Assign;

static uint16_t
get_live_registers (const GilkOpsFrame *frame)
{
  return frame->place->live.regs | frame->keep | GILK_REG_BIT (GILK_RSP);
}

static uint16_t
get_busy (const Assign *assign, guint begin, guint end)
{
  uint16_t busy = 0;

  for (guint time = begin; time <= end; time++)
    busy |= assign->busy[time];

  return busy;
}

static void
assign_register (Assign *assign, GilkLiveRange *range, guint reg)
{
  range->reg = (int8_t) reg;
  for (guint time = range->begin; time <= range->end; time++)
    assign->busy[time] |= GILK_REG_BIT (reg);
  if (!range->held)
    assign->ever |= GILK_REG_BIT (reg);
}

/* ---- registers of the probe point that are read in place ---- */

/* Returns whether an operation up to time @end needs @reg, because its machine instruction always
 * uses that register (rdtsc, shifts, divisions). */
static gboolean
is_lost_by (const GilkOpsFrame *frame, guint reg, guint end)
{
  for (guint i = 0; i < frame->ranges->len; i++)
    {
      const GilkLiveRange *range = gilk_ops_range (frame, (int) i);

      if (!range->held && range->value == GILK_NO_VALUE && range->fixed == (int) reg && range->begin <= end)
        return TRUE;
    }

  return FALSE;
}

/* Reserves @reg, which still has the value that it had at the probe point, until operation @i has
 * read that value. */
static void
hold_register_until (Assign *assign, guint reg, guint i)
{
  int range = gilk_ops_add_range (assign->frame, GILK_NO_VALUE, 0, 2 * i);

  gilk_ops_range (assign->frame, range)->held = TRUE;
  gilk_ops_range (assign->frame, range)->fixed = (int8_t) reg;
}

static void
hold_register (Assign *assign, guint i)
{
  GilkOpsFrame *frame = assign->frame;
  const GilkOp *op = gilk_ops_op (frame, i);
  guint reg = (guint) op->imm;
  GilkLiveRange *range = gilk_ops_range (frame, frame->has[i].to);

  if (frame->defs[op->to] == 1 && !(frame->sets & GILK_REG_BIT (reg)) && !range->evicted && range->slot < 0 && !is_lost_by (frame, reg, range->end))
    {
      range->held = TRUE;
      range->fixed = (int8_t) reg;
      range->begin = 0;
      return;
    }
  if (is_lost_by (frame, reg, 2 * i))
    frame->keep |= GILK_REG_BIT (reg);
  if (!(frame->keep & GILK_REG_BIT (reg)))
    hold_register_until (assign, reg, i);
}

static void
hold_registers (Assign *assign)
{
  for (guint i = 0; i < assign->frame->n; i++)
    {
      const GilkOp *op = gilk_ops_op (assign->frame, i);

      if (op->kind == GILK_OP_REGISTER && op->imm != GILK_RSP)
        hold_register (assign, i);
    }
}

/* ---- temporary registers for values without a register ---- */

static gboolean
fits_32 (const GilkOpsFrame *frame, const GilkLiveRange *range)
{
  int64_t number = gilk_ops_op (frame, frame->written_by[range->value])->imm;

  return number == (int32_t) number;
}

/* Returns whether @op can encode operand @a, a constant with live range @range, as an immediate. */
static gboolean
takes_immediate (const GilkOpsFrame *frame, const GilkOp *op, const GilkLiveRange *range)
{
  switch (op->kind)
    {
    case GILK_OP_MOVE:
      return TRUE;
    case GILK_OP_FIELD:
      return op->size >= 4 && fits_32 (frame, range);
    case GILK_OP_AREA_STORE:
    case GILK_OP_AREA_ADD:
    case GILK_OP_REGISTER_SET:
      return fits_32 (frame, range);
    default:
      return FALSE;
    }
}

static int
add_stand_in (Assign *assign, guint i, int range, gboolean takes)
{
  const GilkLiveRange *of = range >= 0 ? gilk_ops_range (assign->frame, range) : NULL;

  if (of == NULL || (of->slot < 0 && !of->constant) || takes)
    return GILK_OPS_NONE;

  return gilk_ops_add_range (assign->frame, GILK_NO_VALUE, 2 * i, 2 * i + 1);
}

static void
add_stand_ins (Assign *assign)
{
  GilkOpsFrame *frame = assign->frame;

  for (guint i = 0; i < frame->n; i++)
    {
      GilkOpsOperands *has = &frame->has[i];
      const GilkOp *op = gilk_ops_op (frame, i);
      const GilkLiveRange *a = has->a >= 0 ? gilk_ops_range (frame, has->a) : NULL;
      gboolean constant = has->to >= 0 && gilk_ops_range (frame, has->to)->constant;

      has->in_a = add_stand_in (assign, i, has->a, a != NULL && a->constant && takes_immediate (frame, op, a));
      has->in_b = add_stand_in (assign, i, has->b, FALSE);
      has->in_index = add_stand_in (assign, i, has->index, FALSE);
      has->out = add_stand_in (assign, i, has->to, constant);
    }
}

/* ---- allocation of registers to live ranges ---- */

/* Returns a register whose choice makes a move unnecessary: that of the value to which the
 * operation writes, or that of an operand. */
static int
find_hint (const GilkOpsFrame *frame, const GilkLiveRange *range)
{
  guint i = range->begin / 2;
  const GilkOp *op = gilk_ops_op (frame, i);
  const GilkOpsOperands *has = &frame->has[i];

  if (range->value == GILK_NO_VALUE || range->begin % 2 == 0)
    return GILK_OPS_NONE;
  if (op->kind == GILK_OP_CLOCK || op->kind == GILK_OP_DIV || op->kind == GILK_OP_CALL ||
      gilk_op_is_user_load (op))
    return GILK_RAX;
  if (op->kind == GILK_OP_MOD)
    return GILK_RDX;

  return has->a >= 0 ? gilk_ops_range (frame, has->a)->reg : GILK_OPS_NONE;
}

static int
choose_register (const Assign *assign, const GilkLiveRange *range)
{
  uint16_t live = get_live_registers (assign->frame);
  uint16_t taken = get_busy (assign, range->begin, range->end) | range->forbidden | GILK_REG_BIT (GILK_RSP);
  uint16_t no_rbp = live & GILK_REG_BIT (GILK_RBP);
  const uint16_t not[] = { taken | live, taken | no_rbp | (uint16_t) ~assign->ever, taken | no_rbp };
  int hint = find_hint (assign->frame, range);

  if (hint >= 0 && !(not[0] & GILK_REG_BIT (hint)))
    return hint;
  for (gsize pass = 0; pass < G_N_ELEMENTS (not); pass++)
    for (gsize i = 0; i < G_N_ELEMENTS (order); i++)
      if (!(not[pass] & GILK_REG_BIT (order[i])))
        return order[i];

  return GILK_OPS_NONE;
}

static int
compare_begin (gconstpointer a, gconstpointer b, gpointer data)
{
  const GilkOpsFrame *frame = data;
  const GilkLiveRange *x = gilk_ops_range (frame, *(const int *) a), *y = gilk_ops_range (frame, *(const int *) b);

  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;

  return (x->end > y->end) - (x->end < y->end);
}

/* Allocates registers to all live ranges. Returns the first live range for which no register is
 * left; GILK_OPS_NONE: each has a register. */
static int
assign_registers (Assign *assign)
{
  GilkOpsFrame *frame = assign->frame;
  g_autoptr(GArray) rest = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = 0; i < (int) frame->ranges->len; i++)
    {
      GilkLiveRange *range = gilk_ops_range (frame, i);

      range->reg = GILK_OPS_NONE;
      if (range->fixed >= 0)
        assign_register (assign, range, (guint) range->fixed);
      else if (range->slot < 0 && !range->constant)
        g_array_append_val (rest, i);
    }
  g_array_sort_with_data (rest, compare_begin, frame);

  for (guint i = 0; i < rest->len; i++)
    {
      int index = g_array_index (rest, int, i);
      int reg = choose_register (assign, gilk_ops_range (frame, index));

      if (reg < 0)
        return index;
      assign_register (assign, gilk_ops_range (frame, index), (guint) reg);
    }

  return GILK_OPS_NONE;
}

/* ---- spilling to the stack ---- */

static gboolean
may_spill (const GilkOpsFrame *frame, const GilkLiveRange *range, const GilkLiveRange *to)
{
  if (range->end < to->begin || range->begin > to->end || range->constant || range->slot >= 0)
    return FALSE;
  if (range->held)
    return !(frame->keep & GILK_REG_BIT (range->fixed)) || range->value != GILK_NO_VALUE;

  return range->value < GILK_OPS_VALUES;
}

/* Spills the longest live range that conflicts with @wanting, a live range that needs a
 * register. */
static void
spill_longest (Assign *assign, const GilkLiveRange *wanting)
{
  GilkOpsFrame *frame = assign->frame;
  GilkLiveRange *longest = NULL;

  for (guint i = 0; i < frame->ranges->len; i++)
    {
      GilkLiveRange *range = gilk_ops_range (frame, (int) i);

      if (may_spill (frame, range, wanting) &&
          (longest == NULL || range->end - range->begin > longest->end - longest->begin))
        longest = range;
    }

  g_assert (longest != NULL);
  if (!longest->held)
    longest->slot = 0;
  else if (longest->value != GILK_NO_VALUE)
    longest->evicted = TRUE;
  else
    frame->keep |= GILK_REG_BIT (longest->fixed);
}

static void
evict_held (GilkOpsFrame *frame)
{
  for (guint i = 0; i < frame->ranges->len; i++)
    {
      GilkLiveRange *range = gilk_ops_range (frame, (int) i);

      if (!range->held)
        continue;
      range->held = FALSE;
      range->fixed = GILK_OPS_NONE;
      range->begin = 2 * frame->written_by[range->value] + 1;
    }
}

static void
number_slots (GilkOpsFrame *frame)
{
  for (guint i = 0; i < frame->ranges->len; i++)
    {
      GilkLiveRange *range = gilk_ops_range (frame, (int) i);
      gboolean again = range->slot >= 0;

      while (again)
        {
          again = FALSE;
          for (guint k = 0; k < i && !again; k++)
            {
              const GilkLiveRange *other = gilk_ops_range (frame, (int) k);

              again = other->slot == range->slot && other->begin <= range->end && range->begin <= other->end;
            }
          if (again)
            range->slot++;
        }
    }
}

/* ---- regions (GilkOpsRegion): where registers are pushed and popped ---- */

/* Marks, in @in, the operations in each live range whose value is in a saved register or a stack
 * slot. */
static void
mark_needed (const GilkOpsFrame *frame, gboolean *in)
{
  for (guint i = 0; i < frame->ranges->len; i++)
    {
      const GilkLiveRange *range = gilk_ops_range (frame, (int) i);
      gboolean saves = range->reg >= 0 && !range->held && (get_live_registers (frame) & GILK_REG_BIT (range->reg));

      for (guint k = range->begin / 2; (saves || range->slot >= 0) && k <= range->end / 2; k++)
        in[k] = TRUE;
    }
}

static gboolean
mark_range (gboolean *in, guint from, guint to)
{
  gboolean changed = FALSE;

  for (guint i = from; i < to; i++)
    {
      changed |= !in[i];
      in[i] = TRUE;
    }

  return changed;
}

/* Widens the regions of saved registers so that no branch enters a region from outside, and each
 * branch out of a region leads to the region's end. */
static gboolean
widen_regions (const GilkOpsFrame *frame, gboolean *in)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < frame->n; i++)
    {
      const GilkOp *op = gilk_ops_op (frame, i);
      int to = gilk_ops_has_label (op) ? frame->label_at[op->label] : -1;

      if (to < 0)
        continue;
      if (in[to])
        changed |= mark_range (in, i, (guint) to + 1);
      else if (in[i])
        changed |= mark_range (in, i, (guint) to);
    }

  return changed;
}

static void
measure_region (const GilkOpsFrame *frame, GilkOpsRegion *region)
{
  for (guint i = 0; i < frame->ranges->len; i++)
    {
      const GilkLiveRange *range = gilk_ops_range (frame, (int) i);

      if (range->begin / 2 > region->last || range->end / 2 < region->first)
        continue;
      if (range->slot >= 0)
        region->slots = MAX (region->slots, (guint) range->slot + 1);
      else if (range->reg >= 0 && !range->held)
        region->saved |= get_live_registers (frame) & GILK_REG_BIT (range->reg);
    }
}

static void
find_regions (GilkOpsFrame *frame)
{
  g_autofree gboolean *in = g_new0 (gboolean, frame->n + 1);

  mark_needed (frame, in);
  while (widen_regions (frame, in))
    ;

  for (guint i = 0; i < frame->n; i++)
    {
      GilkOpsRegion region = { .first = i };

      if (!in[i])
        continue;
      while (in[i + 1])
        i++;
      region.last = i;
      measure_region (frame, &region);
      g_array_append_val (frame->regions, region);
    }
}

/* ---- the whole hook ---- */

void
gilk_ops_assign (GilkOpsFrame *frame)
{
  Assign assign = { .frame = frame, .own_ranges = frame->ranges->len, .busy = g_new (uint16_t, 2 * frame->n + 2) };
  int wanting;

  do
    {
      g_array_set_size (frame->ranges, assign.own_ranges);
      evict_held (frame);
      assign.ever = 0;
      for (guint i = 0; i < 2 * frame->n + 2; i++)
        assign.busy[i] = 0;
      hold_registers (&assign);
      add_stand_ins (&assign);
      wanting = assign_registers (&assign);
      if (wanting >= 0)
        spill_longest (&assign, gilk_ops_range (frame, wanting));
    }
  while (wanting >= 0);

  g_free (assign.busy);
  number_slots (frame);
  find_regions (frame);
}

int
gilk_ops_region_of (const GilkOpsFrame *frame,
                    guint               i)
{
  for (guint k = 0; k < frame->regions->len; k++)
    {
      const GilkOpsRegion *region = &g_array_index (frame->regions, GilkOpsRegion, k);

      if (region->first <= i && i <= region->last)
        return (int) k;
    }

  return -1;
}

guint
gilk_ops_depth (const GilkOpsFrame *frame,
                guint               i)
{
  int index = gilk_ops_region_of (frame, i);
  const GilkOpsRegion *region = index >= 0 ? &g_array_index (frame->regions, GilkOpsRegion, index) : NULL;

  return region != NULL ? 8 * ((guint) __builtin_popcount (region->saved) + region->slots) : 0;
}
