/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-memory.c - verifier: rules of memory access, and what an access shows about values
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/program/gilk-proof-walker.h"

gboolean
gilk_walker_refuse (GilkWalker *walker,
                    const char *rule)
{
  if (walker->broken == NULL)
    walker->broken = rule;

  return FALSE;
}

GilkSpot
gilk_walker_spot (const GilkWalker *walker,
                  guint             size)
{
  return gilk_spot_of (walker->what, walker->state, &walker->step->mem, walker->next, size);
}

GilkValue
gilk_walker_narrow (GilkValue value,
                    guint     size)
{
  GilkValue low = gilk_value_given (gilk_value_low (value, size), value.tag == GILK_VALUE_GIVEN);

  if (size == 8)
    return value;
  if (size != 4)
    return low;

  switch (value.tag)
    {
    case GILK_VALUE_HEAD:
    case GILK_VALUE_OFFSET:
    case GILK_VALUE_PREEMPT:
    case GILK_VALUE_CONTEXT:
      low.tag = value.tag;
      low.n = value.n;
      low.which = value.tag == GILK_VALUE_HEAD ? 1 : value.which;
      break;
    case GILK_VALUE_MASK:
      low.tag = GILK_VALUE_MASK;
      break;
    default:
      break;
    }

  return low;
}

static gboolean
wants_one_cpu (GilkWalker *walker)
{
  return walker->state->preempt > 0 ||
         gilk_walker_refuse (walker, N_("it accesses per-CPU memory while the task may migrate"));
}

/* ---- the stack ---- */

/* Finds the stack slots that @spot covers. FALSE if one of them was not pushed by the hook. */
static gboolean
slots_of (GilkWalker     *walker,
          const GilkSpot *spot,
          guint          *first,
          guint          *last)
{
  gint64 from = spot->n, to = from + spot->size - 1;

  if (from < -8 * (gint64) walker->state->depth || to >= 0)
    return gilk_walker_refuse (walker, N_("it accesses the stack outside of what the hook pushed"));

  *last = (guint) ((-from + 7) / 8 - 1);
  *first = (guint) ((-to + 7) / 8 - 1);

  return TRUE;
}

static gboolean
read_stack (GilkWalker     *walker,
            const GilkSpot *spot,
            GilkValue      *value)
{
  guint first = 0, last = 0;

  if (spot->n >= 0 && spot->n % 8 == 0 && spot->n / 8 < (gint64) walker->what->above && spot->size == 8)
    return TRUE;
  if (!slots_of (walker, spot, &first, &last))
    return FALSE;
  if (spot->n % 8 == 0)
    *value = gilk_walker_narrow (walker->state->slots[last], spot->size);

  return TRUE;
}

static gboolean
write_stack (GilkWalker     *walker,
             const GilkSpot *spot,
             GilkValue       value)
{
  guint first = 0, last = 0;

  if (!slots_of (walker, spot, &first, &last))
    return FALSE;
  for (guint i = first; i <= last; i++)
    gilk_state_set_slot (walker->state, i, spot->size == 8 && spot->n % 8 == 0 ? value : gilk_value_any ());

  return TRUE;
}

/* ---- records ---- */

static gboolean
is_in_cell (GilkWalker     *walker,
            const GilkSpot *spot)
{
  return (walker->state->cells > spot->cell && spot->n >= 0 && spot->n + spot->size <= ILK_CELL) ||
         gilk_walker_refuse (walker, N_("it writes a record outside of its cells"));
}

static gboolean
is_whole (const GilkWalker *walker)
{
  const GilkState *state = walker->state;
  const struct ilk_record name = { .iid = walker->what->iid, .len = walker->what->payload };
  const uint8_t *bytes = (const uint8_t *) &name + GILK_STATE_NAME;
  guint length = 24 + walker->what->payload;

  for (guint i = 8; i < length; i++)
    if (!(state->written[i / ILK_CELL] >> i % ILK_CELL & 1))
      return FALSE;
  for (guint i = 0; i < sizeof state->name; i++)
    if (!(state->name_known >> i & 1) || state->name[i] != bytes[i])
      return FALSE;

  return TRUE;
}

static gboolean
commit (GilkWalker     *walker,
        const GilkSpot *spot,
        GilkValue       value)
{
  if (spot->n != 0 || spot->size != 8 || value.tag != GILK_VALUE_HEAD || value.which != 0 || value.n != 0)
    return gilk_walker_refuse (walker, N_("it commits a record with a wrong header"));
  if (!is_whole (walker))
    return gilk_walker_refuse (walker, N_("it commits a record that is incomplete or another hook's"));

  walker->state->cells = 0;
  gilk_state_forget (walker->state, GILK_VALUE_HEAD, GILK_VALUE_CELL);

  return TRUE;
}

static gboolean
write_cell (GilkWalker     *walker,
            const GilkSpot *spot,
            GilkValue       value)
{
  GilkState *state = walker->state;
  uint64_t number;
  gboolean known = gilk_value_is_number (&value, &number);

  if (!is_in_cell (walker, spot))
    return FALSE;
  if (spot->cell == 0 && spot->n < 8)
    return commit (walker, spot, value);

  for (guint i = 0; i < spot->size; i++)
    {
      guint at = (guint) spot->n + i, of_name = at - GILK_STATE_NAME;

      state->written[spot->cell] |= 1u << at;
      if (spot->cell != 0 || of_name >= sizeof state->name)
        continue;
      state->name[of_name] = (uint8_t) (number >> (8 * i));
      state->name_known = (uint8_t) ((state->name_known & ~(1u << of_name)) | (guint) known << of_name);
    }

  return TRUE;
}

/* ---- the driver's variables ---- */

static gboolean
read_word (GilkWalker     *walker,
           const GilkSpot *spot,
           GilkValue      *value)
{
  static const uint8_t tags[] = {
    [GILK_SPOT_PREEMPT] = GILK_VALUE_PREEMPT, [GILK_SPOT_HEAD] = GILK_VALUE_SEEN,
    [GILK_SPOT_LIMIT] = GILK_VALUE_LIMIT, [GILK_SPOT_BASE] = GILK_VALUE_BASE, [GILK_SPOT_MASK] = GILK_VALUE_MASK,
    [GILK_SPOT_GUARD] = GILK_VALUE_GUARD,
  };

  if (!wants_one_cpu (walker))
    return FALSE;
  if (spot->kind == GILK_SPOT_GUARD && walker->state->guarded)
    return TRUE;
  value->tag = tags[spot->kind];

  return TRUE;
}

static gboolean
write_guard (GilkWalker *walker,
             GilkValue   value)
{
  GilkState *state = walker->state;

  if (!wants_one_cpu (walker))
    return FALSE;
  if (state->guarded ? value.tag != GILK_VALUE_GUARD : value.tag != GILK_VALUE_CONTEXT || !state->guard_free)
    return gilk_walker_refuse (walker, N_("it writes a wrong value to the recursion guard"));

  state->guarded = !state->guarded;
  state->guard_free = FALSE;

  return TRUE;
}

static gboolean
change_preempt (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkState *state = walker->state;

  if ((step->kind != GILK_STEP_INC && step->kind != GILK_STEP_DEC) || step->locked)
    return gilk_walker_refuse (walker, N_("it changes the preempt count by other than an increment or decrement"));
  if (step->kind == GILK_STEP_INC)
    {
      state->preempt++;
      return TRUE;
    }

  if (state->preempt == 0)
    return gilk_walker_refuse (walker, N_("it decrements the preempt count below its initial value"));
  if (state->guarded || state->cells > 0)
    return gilk_walker_refuse (walker, N_("it enables preemption while it holds the recursion guard or an open record"));
  state->preempt--;
  state->guard_free = state->room = FALSE;
  if (state->fact.kind == GILK_FACT_ROOM || state->fact.kind == GILK_FACT_CONTEXT)
    state->fact.kind = GILK_FACT_NONE;
  gilk_state_forget (state, GILK_VALUE_PREEMPT, GILK_VALUE_CELL);

  return TRUE;
}

/* An xadd of the record's size to the ring's head opens the record. */
static gboolean
reserve (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkState *state = walker->state;
  guint cells = ILK_RECORD_CELLS (walker->what->payload);
  uint64_t number;

  if (!wants_one_cpu (walker))
    return FALSE;
  if (step->kind != GILK_STEP_XADD || step->locked)
    return gilk_walker_refuse (walker, N_("it changes the ring's head other than by a reservation"));
  if (!state->room)
    return gilk_walker_refuse (walker, N_("it reserves a record without checking whether the ring is full"));
  if (state->cells > 0)
    return gilk_walker_refuse (walker, N_("it reserves a record while another is open"));
  if (!gilk_value_is_number (&state->regs[step->reg], &number) || number != (uint64_t) ILK_CELL * cells)
    return gilk_walker_refuse (walker, N_("it reserves a record of a wrong size"));

  state->room = FALSE;
  state->cells = cells;
  gilk_state_forget (state, GILK_VALUE_SEEN, GILK_VALUE_LIMIT);
  memset (state->written, 0, sizeof state->written);
  state->name_known = 0;

  return TRUE;
}

/* ---- the kernel's memory ---- */

/* Returns whether all of @spot lies in [@first, @end). */
static gboolean
lies_in (const GilkSpot *spot,
         uint64_t        first,
         uint64_t        end)
{
  uint64_t distance = spot->address.lo - first, most = end - spot->size - first;

  return distance <= most && spot->address.span <= most - distance;
}

/*
 * A hook in a program may load from the process's half, and from addresses that the kernel gave.
 * Other hooks may load from the kernel's half.
 */
static gboolean
load (GilkWalker     *walker,
      const GilkSpot *spot)
{
  /* Non-canonical addresses between the halves fault like any others. */
  const uint64_t half = UINT64_C (1) << 63, reach = UINT64_C (1) << 31;
  const gboolean is_user = walker->what->is_user, is_given = !is_user || gilk_value_is_given (&spot->address);

  if (!walker->may_load || spot->per_cpu)
    return gilk_walker_refuse (walker, N_("it must not read this memory"));
  if (!walker->state->guarded)
    return gilk_walker_refuse (walker, N_("it reads kernel memory outside of a critical section"));
  walker->loads = TRUE;
  if ((is_user && lies_in (spot, 0, half + reach)) ||
      (is_given && lies_in (spot, half - reach, (uint64_t) (int64_t) walker->what->kernel_end)))
    return TRUE;

  return gilk_walker_refuse (walker, is_given
                             ? N_("it reads memory at an address that was not compared with the end of the kernel's range")
                             : N_("it may read kernel memory at an address chosen by the process"));
}

/* A store must meet the rules of a load, and have a size that the hook declares. */
static gboolean
store (GilkWalker     *walker,
       const GilkSpot *spot)
{
  if (walker->step->kind != GILK_STEP_MOV || !(walker->what->store_sizes & spot->size))
    return gilk_walker_refuse (walker, N_("it writes kernel memory that it must not write"));
  if (spot->kind == GILK_SPOT_CELL || (spot->kind == GILK_SPOT_STACK && spot->n < 0))
    return gilk_walker_refuse (walker, N_("it writes the hook's own memory as if it were the kernel's"));
  walker->may_load = TRUE;
  walker->stores = TRUE;

  return load (walker, spot);
}

/* ---- all memory ---- */

gboolean
gilk_walker_read (GilkWalker     *walker,
                  const GilkSpot *spot,
                  GilkValue      *value)
{
  *value = gilk_value_low (gilk_value_any (), spot->size);
  if (walker->has_fault)
    {
      *value = gilk_value_given (*value, gilk_value_is_given (&spot->address));
      return load (walker, spot);
    }

  switch (spot->kind)
    {
    case GILK_SPOT_STACK:
      return read_stack (walker, spot, value);
    case GILK_SPOT_CELL:
      return is_in_cell (walker, spot);
    case GILK_SPOT_OWN:
      return !spot->per_cpu || wants_one_cpu (walker);
    case GILK_SPOT_READABLE:
      *value = gilk_value_given (*value, TRUE);
      return TRUE;
    case GILK_SPOT_GATE:
      return TRUE;
    case GILK_SPOT_LOST:
    case GILK_SPOT_SPLIT:
      return gilk_walker_refuse (walker, N_("it reads driver memory that hooks must not read"));
    case GILK_SPOT_OTHER:
      return load (walker, spot);
    default:
      return read_word (walker, spot, value);
    }
}

gboolean
gilk_walker_write (GilkWalker     *walker,
                   const GilkSpot *spot,
                   GilkValue       value)
{
  if (walker->has_fault)
    return store (walker, spot);

  switch (spot->kind)
    {
    case GILK_SPOT_STACK:
      return write_stack (walker, spot, value);
    case GILK_SPOT_CELL:
      return write_cell (walker, spot, value);
    case GILK_SPOT_OWN:
      if (!gilk_spot_is_aligned (spot))
        return gilk_walker_refuse (walker, N_("it writes a word that is not naturally aligned"));
      return !spot->per_cpu || wants_one_cpu (walker);
    case GILK_SPOT_GATE:
      for (guint i = 0; i < walker->what->n_gates; i++)
        if (spot->address.lo == walker->what->info->gates + walker->what->gates[i] &&
            gilk_value_is_within (&value, 0, 1))
          return TRUE;
      return gilk_walker_refuse (walker, N_("it writes a gate that is not the hook's, or a value other than 0 or 1"));
    case GILK_SPOT_GUARD:
      return write_guard (walker, value);
    default:
      return gilk_walker_refuse (walker, N_("it writes memory that is not the hook's"));
    }
}

gboolean
gilk_walker_change (GilkWalker     *walker,
                    const GilkSpot *spot)
{
  const GilkStep *step = walker->step;

  switch (spot->kind)
    {
    case GILK_SPOT_STACK:
      return spot->n % spot->size == 0
             ? write_stack (walker, spot, gilk_value_any ())
             : gilk_walker_refuse (walker, N_("it writes a word that is not naturally aligned"));
    case GILK_SPOT_OWN:
      if (!gilk_spot_is_aligned (spot))
        return gilk_walker_refuse (walker, N_("it writes a word that is not naturally aligned"));
      return spot->per_cpu || step->locked || step->kind == GILK_STEP_XCHG ||
             gilk_walker_refuse (walker, N_("it updates memory shared by all CPUs non-atomically"));
    case GILK_SPOT_PREEMPT:
      return change_preempt (walker);
    case GILK_SPOT_HEAD:
      return reserve (walker);
    case GILK_SPOT_LOST:
      return step->kind == GILK_STEP_INC ||
             gilk_walker_refuse (walker, N_("it changes the counter of lost samples other than by an increment"));
    default:
      return gilk_walker_refuse (walker, N_("it writes memory that is not the hook's"));
    }
}
