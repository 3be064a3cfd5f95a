/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-regs.c - register allocation: a register or stack slot for each live range
 *
 * A register's value at the point is read in place while no other value owns the register. Other
 * values get dead registers, then saved ones. If there are too few, the value with the longest live
 * range goes to the stack, and the operations that read and wrote it get short live ranges of their
 * own. Then allocation starts again.
 */
#include "core/emit/gilk-ops-private.h"

/* Order of preference, without rsp. rbp, which stack traces rely on, is last. */
static const uint8_t order[] = {
  10, 11, 9, 8, GILK_RDI, GILK_RSI, GILK_RCX, GILK_RDX, GILK_RAX, GILK_RBX, 12, 13, 14, 15, GILK_RBP,
};

typedef struct {
  GilkOpsFrame *frame;
  guint         own_lives;   /* live ranges without stand-ins for values that have no register */
  uint16_t     *busy;        /* by time: registers in use */
  uint16_t      ever;        /* registers in use at any time */
} Assign;

static uint16_t
live_registers (const GilkOpsFrame *frame)
{
  return frame->place->live.regs | frame->keep | GILK_REG_BIT (GILK_RSP);
}

static uint16_t
busy_in (const Assign *assign, guint begin, guint end)
{
  uint16_t busy = 0;

  for (guint time = begin; time <= end; time++)
    busy |= assign->busy[time];

  return busy;
}

static void
give (Assign *assign, GilkOpsLife *life, guint reg)
{
  life->reg = (int8_t) reg;
  for (guint time = life->begin; time <= life->end; time++)
    assign->busy[time] |= GILK_REG_BIT (reg);
  if (!life->held)
    assign->ever |= GILK_REG_BIT (reg);
}

/* ---- registers read in place ---- */

/* Returns whether an operation up to @end needs @reg itself (rdtsc, shifts, divisions). */
static gboolean
is_lost_by (const GilkOpsFrame *frame, guint reg, guint end)
{
  for (guint i = 0; i < frame->lives->len; i++)
    {
      const GilkOpsLife *life = gilk_ops_life (frame, (int) i);

      if (!life->held && life->value == GILK_NO_VALUE && life->fixed == (int) reg && life->begin <= end)
        return TRUE;
    }

  return FALSE;
}

/* Keeps @reg from all other values until operation @i has read it. */
static void
hold_until (Assign *assign, guint reg, guint i)
{
  int life = gilk_ops_add_life (assign->frame, GILK_NO_VALUE, 0, 2 * i);

  gilk_ops_life (assign->frame, life)->held = TRUE;
  gilk_ops_life (assign->frame, life)->fixed = (int8_t) reg;
}

static void
hold (Assign *assign, guint i)
{
  GilkOpsFrame *frame = assign->frame;
  const GilkOp *op = gilk_ops_op (frame, i);
  guint reg = (guint) op->imm;
  GilkOpsLife *life = gilk_ops_life (frame, frame->has[i].to);

  if (frame->defs[op->to] == 1 && !(frame->sets & GILK_REG_BIT (reg)) && !life->unheld && life->slot < 0 && !is_lost_by (frame, reg, life->end))
    {
      life->held = TRUE;
      life->fixed = (int8_t) reg;
      life->begin = 0;
      return;
    }
  if (is_lost_by (frame, reg, 2 * i))
    frame->keep |= GILK_REG_BIT (reg);
  if (!(frame->keep & GILK_REG_BIT (reg)))
    hold_until (assign, reg, i);
}

static void
hold_registers (Assign *assign)
{
  for (guint i = 0; i < assign->frame->n; i++)
    {
      const GilkOp *op = gilk_ops_op (assign->frame, i);

      if (op->kind == GILK_OP_REGISTER && op->imm != GILK_RSP)
        hold (assign, i);
    }
}

/* ---- stand-ins: registers for values that have none ---- */

static gboolean
fits_32 (const GilkOpsFrame *frame, const GilkOpsLife *life)
{
  int64_t number = gilk_ops_op (frame, frame->written_by[life->value])->imm;

  return number == (int32_t) number;
}

/* Returns whether @op can have constant @life, its operand @a, as an immediate. */
static gboolean
takes_number (const GilkOpsFrame *frame, const GilkOp *op, const GilkOpsLife *life)
{
  switch (op->kind)
    {
    case GILK_OP_MOVE:
      return TRUE;
    case GILK_OP_FIELD:
      return op->size >= 4 && fits_32 (frame, life);
    case GILK_OP_AREA_STORE:
    case GILK_OP_AREA_ADD:
    case GILK_OP_REGISTER_SET:
      return fits_32 (frame, life);
    default:
      return FALSE;
    }
}

static int
stand_in (Assign *assign, guint i, int life, gboolean takes)
{
  const GilkOpsLife *of = life >= 0 ? gilk_ops_life (assign->frame, life) : NULL;

  if (of == NULL || (of->slot < 0 && !of->constant) || takes)
    return GILK_OPS_NONE;

  return gilk_ops_add_life (assign->frame, GILK_NO_VALUE, 2 * i, 2 * i + 1);
}

static void
add_stand_ins (Assign *assign)
{
  GilkOpsFrame *frame = assign->frame;

  for (guint i = 0; i < frame->n; i++)
    {
      GilkOpsHas *has = &frame->has[i];
      const GilkOp *op = gilk_ops_op (frame, i);
      const GilkOpsLife *a = has->a >= 0 ? gilk_ops_life (frame, has->a) : NULL;
      gboolean constant = has->to >= 0 && gilk_ops_life (frame, has->to)->constant;

      has->in_a = stand_in (assign, i, has->a, a != NULL && a->constant && takes_number (frame, op, a));
      has->in_b = stand_in (assign, i, has->b, FALSE);
      has->in_index = stand_in (assign, i, has->index, FALSE);
      has->out = stand_in (assign, i, has->to, constant);
    }
}

/* ---- allocation ---- */

/* Returns the register that would save a move: an operand's, or the one the operation writes. */
static int
hint_for (const GilkOpsFrame *frame, const GilkOpsLife *life)
{
  guint i = life->begin / 2;
  const GilkOp *op = gilk_ops_op (frame, i);
  const GilkOpsHas *has = &frame->has[i];

  if (life->value == GILK_NO_VALUE || life->begin % 2 == 0)
    return GILK_OPS_NONE;
  if (op->kind == GILK_OP_CLOCK || op->kind == GILK_OP_DIV || op->kind == GILK_OP_CALL)
    return GILK_RAX;
  if (op->kind == GILK_OP_MOD)
    return GILK_RDX;

  return has->a >= 0 ? gilk_ops_life (frame, has->a)->reg : GILK_OPS_NONE;
}

static int
choose (const Assign *assign, const GilkOpsLife *life)
{
  uint16_t live = live_registers (assign->frame);
  uint16_t taken = busy_in (assign, life->begin, life->end) | life->forbidden | GILK_REG_BIT (GILK_RSP);
  uint16_t no_rbp = live & GILK_REG_BIT (GILK_RBP);
  const uint16_t not[] = { taken | live, taken | no_rbp | (uint16_t) ~assign->ever, taken | no_rbp };
  int hint = hint_for (assign->frame, life);

  if (hint >= 0 && !(not[0] & GILK_REG_BIT (hint)))
    return hint;
  for (gsize pass = 0; pass < G_N_ELEMENTS (not); pass++)
    for (gsize i = 0; i < G_N_ELEMENTS (order); i++)
      if (!(not[pass] & GILK_REG_BIT (order[i])))
        return order[i];

  return GILK_OPS_NONE;
}

static int
by_begin (gconstpointer a, gconstpointer b, gpointer data)
{
  const GilkOpsFrame *frame = data;
  const GilkOpsLife *x = gilk_ops_life (frame, *(const int *) a), *y = gilk_ops_life (frame, *(const int *) b);

  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;

  return (x->end > y->end) - (x->end < y->end);
}

/* Allocates registers. Returns the first live range without one; GILK_OPS_NONE if all have one. */
static int
give_all (Assign *assign)
{
  GilkOpsFrame *frame = assign->frame;
  g_autoptr(GArray) rest = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = 0; i < (int) frame->lives->len; i++)
    {
      GilkOpsLife *life = gilk_ops_life (frame, i);

      life->reg = GILK_OPS_NONE;
      if (life->fixed >= 0)
        give (assign, life, (guint) life->fixed);
      else if (life->slot < 0 && !life->constant)
        g_array_append_val (rest, i);
    }
  g_array_sort_with_data (rest, by_begin, frame);

  for (guint i = 0; i < rest->len; i++)
    {
      int index = g_array_index (rest, int, i);
      int reg = choose (assign, gilk_ops_life (frame, index));

      if (reg < 0)
        return index;
      give (assign, gilk_ops_life (frame, index), (guint) reg);
    }

  return GILK_OPS_NONE;
}

/* ---- too few registers ---- */

static gboolean
may_yield (const GilkOpsFrame *frame, const GilkOpsLife *life, const GilkOpsLife *to)
{
  if (life->end < to->begin || life->begin > to->end || life->constant || life->slot >= 0)
    return FALSE;
  if (life->held)
    return !(frame->keep & GILK_REG_BIT (life->fixed)) || life->value != GILK_NO_VALUE;

  return life->value < GILK_OPS_VALUES;
}

/* Takes the register from the longest live range that conflicts with @wanting. */
static void
yield (Assign *assign, const GilkOpsLife *wanting)
{
  GilkOpsFrame *frame = assign->frame;
  GilkOpsLife *longest = NULL;

  for (guint i = 0; i < frame->lives->len; i++)
    {
      GilkOpsLife *life = gilk_ops_life (frame, (int) i);

      if (may_yield (frame, life, wanting) &&
          (longest == NULL || life->end - life->begin > longest->end - longest->begin))
        longest = life;
    }

  g_assert (longest != NULL);
  if (!longest->held)
    longest->slot = 0;
  else if (longest->value != GILK_NO_VALUE)
    longest->unheld = TRUE;
  else
    frame->keep |= GILK_REG_BIT (longest->fixed);
}

static void
unhold (GilkOpsFrame *frame)
{
  for (guint i = 0; i < frame->lives->len; i++)
    {
      GilkOpsLife *life = gilk_ops_life (frame, (int) i);

      if (!life->held)
        continue;
      life->held = FALSE;
      life->fixed = GILK_OPS_NONE;
      life->begin = 2 * frame->written_by[life->value] + 1;
    }
}

static void
number_slots (GilkOpsFrame *frame)
{
  for (guint i = 0; i < frame->lives->len; i++)
    {
      GilkOpsLife *life = gilk_ops_life (frame, (int) i);
      gboolean again = life->slot >= 0;

      while (again)
        {
          again = FALSE;
          for (guint k = 0; k < i && !again; k++)
            {
              const GilkOpsLife *other = gilk_ops_life (frame, (int) k);

              again = other->slot == life->slot && other->begin <= life->end && life->begin <= other->end;
            }
          if (again)
            life->slot++;
        }
    }
}

/* ---- regions ---- */

/* Marks operations that need something on the stack: those within live ranges that do. */
static void
mark_needed (const GilkOpsFrame *frame, gboolean *in)
{
  for (guint i = 0; i < frame->lives->len; i++)
    {
      const GilkOpsLife *life = gilk_ops_life (frame, (int) i);
      gboolean saves = life->reg >= 0 && !life->held && (live_registers (frame) & GILK_REG_BIT (life->reg));

      for (guint k = life->begin / 2; (saves || life->slot >= 0) && k <= life->end / 2; k++)
        in[k] = TRUE;
    }
}

static gboolean
fill (gboolean *in, guint from, guint to)
{
  gboolean changed = FALSE;

  for (guint i = from; i < to; i++)
    {
      changed |= !in[i];
      in[i] = TRUE;
    }

  return changed;
}

/* Widens regions so that branches into a region start in it, and branches out lead to its end. */
static gboolean
widen (const GilkOpsFrame *frame, gboolean *in)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < frame->n; i++)
    {
      const GilkOp *op = gilk_ops_op (frame, i);
      int to = gilk_ops_has_label (op) ? frame->label_at[op->label] : -1;

      if (to < 0)
        continue;
      if (in[to])
        changed |= fill (in, i, (guint) to + 1);
      else if (in[i])
        changed |= fill (in, i, (guint) to);
    }

  return changed;
}

static void
measure (const GilkOpsFrame *frame, GilkOpsRegion *region)
{
  for (guint i = 0; i < frame->lives->len; i++)
    {
      const GilkOpsLife *life = gilk_ops_life (frame, (int) i);

      if (life->begin / 2 > region->last || life->end / 2 < region->first)
        continue;
      if (life->slot >= 0)
        region->slots = MAX (region->slots, (guint) life->slot + 1);
      else if (life->reg >= 0 && !life->held)
        region->saved |= live_registers (frame) & GILK_REG_BIT (life->reg);
    }
}

static void
find_regions (GilkOpsFrame *frame)
{
  g_autofree gboolean *in = g_new0 (gboolean, frame->n + 1);

  mark_needed (frame, in);
  while (widen (frame, in))
    ;

  for (guint i = 0; i < frame->n; i++)
    {
      GilkOpsRegion region = { .first = i };

      if (!in[i])
        continue;
      while (in[i + 1])
        i++;
      region.last = i;
      measure (frame, &region);
      g_array_append_val (frame->regions, region);
    }
}

/* ---- the whole hook ---- */

void
gilk_ops_assign (GilkOpsFrame *frame)
{
  Assign assign = { .frame = frame, .own_lives = frame->lives->len, .busy = g_new (uint16_t, 2 * frame->n + 2) };
  int wanting;

  do
    {
      g_array_set_size (frame->lives, assign.own_lives);
      unhold (frame);
      assign.ever = 0;
      for (guint i = 0; i < 2 * frame->n + 2; i++)
        assign.busy[i] = 0;
      hold_registers (&assign);
      add_stand_ins (&assign);
      wanting = give_all (&assign);
      if (wanting >= 0)
        yield (&assign, gilk_ops_life (frame, wanting));
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
