/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-memory.c - verifier: checks memory accesses, and derives what is known about the
 * values read and written
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/verify/gilk-verify-step.h"

gboolean
gilk_verify_refuse (GilkVerifyContext *context,
                    const char        *rule)
{
  if (context->broken == NULL)
    context->broken = rule;

  return FALSE;
}

GilkMemRef
gilk_verify_mem_ref (const GilkVerifyContext *context,
                     guint                    size)
{
  return gilk_mem_ref_classify (context->what, context->state, &context->step->mem, context->next, size);
}

GilkValue
gilk_verify_narrow (GilkValue value,
                    guint     size)
{
  GilkValue low = gilk_value_low (value, size);

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
check_one_cpu (GilkVerifyContext *context)
{
  return context->state->preempt > 0 ||
         gilk_verify_refuse (context, N_("the code accesses per-CPU memory while the task may migrate"));
}

/* ---- the stack ---- */

/* Finds the stack slots that the access @ref covers. Returns FALSE if the hook did not push one of
 * them. */
static gboolean
find_slots (GilkVerifyContext *context,
            const GilkMemRef  *ref,
            guint             *first,
            guint             *last)
{
  gint64 from = ref->n, to = from + ref->size - 1;

  if (from < -8 * (gint64) context->state->depth || to >= 0)
    return gilk_verify_refuse (context, N_("the code accesses the stack outside of what the hook pushed"));

  *last = (guint) ((-from + 7) / 8 - 1);
  *first = (guint) ((-to + 7) / 8 - 1);

  return TRUE;
}

static gboolean
read_stack (GilkVerifyContext *context,
            const GilkMemRef  *ref,
            GilkValue         *value)
{
  guint first = 0, last = 0;

  if (!find_slots (context, ref, &first, &last))
    return FALSE;
  if (ref->n % 8 == 0)
    *value = gilk_verify_narrow (context->state->slots[last], ref->size);

  return TRUE;
}

static gboolean
write_stack (GilkVerifyContext *context,
             const GilkMemRef  *ref,
             GilkValue          value)
{
  guint first = 0, last = 0;

  if (!find_slots (context, ref, &first, &last))
    return FALSE;
  for (guint i = first; i <= last; i++)
    gilk_state_set_slot (context->state, i, ref->size == 8 && ref->n % 8 == 0 ? value : gilk_value_any ());

  return TRUE;
}

/* ---- records ---- */

static gboolean
check_cell_bounds (GilkVerifyContext *context,
                   const GilkMemRef  *ref)
{
  return (context->state->cells > ref->cell && ref->n >= 0 && ref->n + ref->size <= ILK_CELL) ||
         gilk_verify_refuse (context, N_("the code writes outside of a record's reserved ring space"));
}

static gboolean
is_record_complete (const GilkVerifyContext *context)
{
  const GilkState *state = context->state;
  const struct ilk_record name = { .iid = context->what->iid, .len = context->what->payload };
  const uint8_t *bytes = (const uint8_t *) &name + GILK_STATE_NAME;
  guint length = 24 + context->what->payload;

  for (guint i = 8; i < length; i++)
    if (!(state->written[i / ILK_CELL] >> i % ILK_CELL & 1))
      return FALSE;
  for (guint i = 0; i < sizeof state->name; i++)
    if (!(state->name_known >> i & 1) || state->name[i] != bytes[i])
      return FALSE;

  return TRUE;
}

static gboolean
commit_record (GilkVerifyContext *context,
               const GilkMemRef  *ref,
               GilkValue          value)
{
  if (ref->n != 0 || ref->size != 8 || value.tag != GILK_VALUE_HEAD || value.which != 0 || value.n != 0)
    return gilk_verify_refuse (context, N_("the code commits a record that is incomplete or belongs to another "
                                           "hook"));
  if (!is_record_complete (context))
    return gilk_verify_refuse (context, N_("the code commits a record that is incomplete or another hook's"));

  context->state->cells = 0;
  gilk_state_drop_tags (context->state, GILK_VALUE_HEAD, GILK_VALUE_CELL);

  return TRUE;
}

static gboolean
write_cell (GilkVerifyContext *context,
            const GilkMemRef  *ref,
            GilkValue          value)
{
  GilkState *state = context->state;
  uint64_t number;
  gboolean known = gilk_value_is_number (&value, &number);

  if (!check_cell_bounds (context, ref))
    return FALSE;
  if (ref->cell == 0 && ref->n < 8)
    return commit_record (context, ref, value);

  for (guint i = 0; i < ref->size; i++)
    {
      guint at = (guint) ref->n + i, of_name = at - GILK_STATE_NAME;

      state->written[ref->cell] |= 1u << at;
      if (ref->cell != 0 || of_name >= sizeof state->name)
        continue;
      state->name[of_name] = (uint8_t) (number >> (8 * i));
      state->name_known = (uint8_t) ((state->name_known & ~(1u << of_name)) | (guint) known << of_name);
    }

  return TRUE;
}

/* ---- the driver's variables ---- */

static gboolean
read_word (GilkVerifyContext *context,
           const GilkMemRef  *ref,
           GilkValue         *value)
{
  static const uint8_t tags[] = {
    [GILK_MEM_REF_PREEMPT] = GILK_VALUE_PREEMPT, [GILK_MEM_REF_HEAD] = GILK_VALUE_READ_HEAD,
    [GILK_MEM_REF_LIMIT] = GILK_VALUE_LIMIT, [GILK_MEM_REF_BASE] = GILK_VALUE_BASE, [GILK_MEM_REF_MASK] = GILK_VALUE_MASK,
    [GILK_MEM_REF_GUARD] = GILK_VALUE_GUARD,
  };

  if (!check_one_cpu (context))
    return FALSE;
  if (ref->kind == GILK_MEM_REF_GUARD && context->state->guarded)
    return TRUE;
  value->tag = tags[ref->kind];

  return TRUE;
}

static gboolean
write_guard (GilkVerifyContext *context,
             GilkValue          value)
{
  GilkState *state = context->state;

  if (!check_one_cpu (context))
    return FALSE;
  if (state->guarded ? value.tag != GILK_VALUE_GUARD : value.tag != GILK_VALUE_CONTEXT || !state->guard_free)
    return gilk_verify_refuse (context, N_("the code writes a wrong value to the recursion guard"));

  state->guarded = !state->guarded;
  state->guard_free = FALSE;

  return TRUE;
}

static gboolean
change_preempt (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkState *state = context->state;

  if ((step->kind != GILK_STEP_INC && step->kind != GILK_STEP_DEC) || step->locked)
    return gilk_verify_refuse (context, N_("the code changes the preempt count by something other than an increment "
                                           "or decrement"));
  if (step->kind == GILK_STEP_INC)
    {
      state->preempt++;
      return TRUE;
    }

  if (state->preempt == 0)
    return gilk_verify_refuse (context, N_("the code decrements the preempt count below its initial value"));
  if (state->guarded || state->cells > 0)
    return gilk_verify_refuse (context, N_("the code enables preemption while it holds the recursion guard or an "
                                           "open record"));
  state->preempt--;
  state->guard_free = state->room = FALSE;
  if (state->fact.kind == GILK_FLAGS_FACT_ROOM || state->fact.kind == GILK_FLAGS_FACT_CONTEXT)
    state->fact.kind = GILK_FLAGS_FACT_NONE;
  gilk_state_drop_tags (state, GILK_VALUE_PREEMPT, GILK_VALUE_CELL);

  return TRUE;
}

/* Checks the xadd that reserves space for a record by adding the record's size to the head of the
 * ring buffer. */
static gboolean
reserve_record (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkState *state = context->state;
  guint cells = ILK_RECORD_CELLS (context->what->payload);
  uint64_t number;

  if (!check_one_cpu (context))
    return FALSE;
  if (step->kind != GILK_STEP_XADD || step->locked)
    return gilk_verify_refuse (context, N_("the code changes a ring's head without reserving space"));
  if (!state->room)
    return gilk_verify_refuse (context, N_("the code reserves a record without checking whether the ring is full"));
  if (state->cells > 0)
    return gilk_verify_refuse (context, N_("the code reserves a record while another is open"));
  if (!gilk_value_is_number (&state->regs[step->reg], &number) || number != (uint64_t) ILK_CELL * cells)
    return gilk_verify_refuse (context, N_("the code reserves a record of a wrong size"));

  state->room = FALSE;
  state->cells = cells;
  gilk_state_drop_tags (state, GILK_VALUE_READ_HEAD, GILK_VALUE_LIMIT);
  memset (state->written, 0, sizeof state->written);
  state->name_known = 0;

  return TRUE;
}

/* ---- the kernel's memory ---- */

/* Returns whether all bytes of @ref are in [@first, @end). */
static gboolean
is_within_range (const GilkMemRef *ref,
                 uint64_t          first,
                 uint64_t          end)
{
  uint64_t distance = ref->address.lo - first, most = end - ref->size - first;

  return distance <= most && ref->address.span <= most - distance;
}

/* Checks the address of a load, which must be in the kernel half of the address space. */
static gboolean
check_load (GilkVerifyContext *context,
            const GilkMemRef  *ref)
{
  /* Non-canonical addresses just below the kernel half are allowed as well: a load from there
   * faults, like a load from an unmapped address. */
  const uint64_t half = UINT64_C (1) << 63, reach = UINT64_C (1) << 31;

  if (!context->may_load || ref->per_cpu)
    return gilk_verify_refuse (context, N_("the code reads memory that it must not read"));
  if (!context->state->guarded)
    return gilk_verify_refuse (context, N_("the code reads kernel memory outside of a critical section"));
  context->loads = TRUE;
  if (is_within_range (ref, half - reach, (uint64_t) (int64_t) context->what->kernel_end))
    return TRUE;

  return gilk_verify_refuse (context, N_("the code reads memory at an address that was not compared with the end of "
                                         "the kernel's range"));
}

/* Checks a store to kernel memory: its size must be one that the hook declares, and its address is
 * checked like that of a load. */
static gboolean
check_store (GilkVerifyContext *context,
             const GilkMemRef  *ref)
{
  if (context->step->kind != GILK_STEP_MOV || !(context->what->store_sizes & ref->size))
    return gilk_verify_refuse (context, N_("the code writes kernel memory that it must not write"));
  if (ref->kind == GILK_MEM_REF_CELL || (ref->kind == GILK_MEM_REF_STACK && ref->n < 0))
    return gilk_verify_refuse (context, N_("the code writes the hook's record or stack with an instruction that may write "
                                           "kernel memory only"));
  context->may_load = TRUE;
  context->stores = TRUE;

  return check_load (context, ref);
}

/* ---- all memory ---- */

gboolean
gilk_verify_read (GilkVerifyContext *context,
                  const GilkMemRef  *ref,
                  GilkValue         *value)
{
  *value = gilk_value_low (gilk_value_any (), ref->size);
  if (context->has_fault)
    return check_load (context, ref);

  switch (ref->kind)
    {
    case GILK_MEM_REF_STACK:
      return read_stack (context, ref, value);
    case GILK_MEM_REF_CELL:
      return check_cell_bounds (context, ref);
    case GILK_MEM_REF_OWN:
      return !ref->per_cpu || check_one_cpu (context);
    case GILK_MEM_REF_READABLE:
    case GILK_MEM_REF_GATE:
      return TRUE;
    case GILK_MEM_REF_LOST:
    case GILK_MEM_REF_SPLIT:
      return gilk_verify_refuse (context, N_("the code reads driver memory that hooks must not read"));
    case GILK_MEM_REF_OTHER:
      return check_load (context, ref);
    default:
      return read_word (context, ref, value);
    }
}

gboolean
gilk_verify_write (GilkVerifyContext *context,
                   const GilkMemRef  *ref,
                   GilkValue          value)
{
  if (context->has_fault)
    return check_store (context, ref);

  switch (ref->kind)
    {
    case GILK_MEM_REF_STACK:
      return write_stack (context, ref, value);
    case GILK_MEM_REF_CELL:
      return write_cell (context, ref, value);
    case GILK_MEM_REF_OWN:
      if (!gilk_mem_ref_is_aligned (ref))
        return gilk_verify_refuse (context, N_("the code writes a word that is not naturally aligned"));
      return !ref->per_cpu || check_one_cpu (context);
    case GILK_MEM_REF_GATE:
      for (guint i = 0; i < context->what->n_gates; i++)
        if (ref->address.lo == context->what->info->gates + context->what->gates[i] &&
            gilk_value_is_within (&value, 0, 1))
          return TRUE;
      return gilk_verify_refuse (context, N_("the code writes a gate (on/off switch) that is not the hook's, or a "
                                             "value other than 0 or 1"));
    case GILK_MEM_REF_GUARD:
      return write_guard (context, value);
    default:
      return gilk_verify_refuse (context, N_("the code writes memory that is not the hook's"));
    }
}

gboolean
gilk_verify_change (GilkVerifyContext *context,
                    const GilkMemRef  *ref)
{
  const GilkStep *step = context->step;

  switch (ref->kind)
    {
    case GILK_MEM_REF_STACK:
      return ref->n % ref->size == 0
             ? write_stack (context, ref, gilk_value_any ())
             : gilk_verify_refuse (context, N_("the code writes a word that is not naturally aligned"));
    case GILK_MEM_REF_OWN:
      if (!gilk_mem_ref_is_aligned (ref))
        return gilk_verify_refuse (context, N_("the code writes a word that is not naturally aligned"));
      return ref->per_cpu || step->locked || step->kind == GILK_STEP_XCHG ||
             gilk_verify_refuse (context, N_("the code updates memory shared by all CPUs non-atomically"));
    case GILK_MEM_REF_PREEMPT:
      return change_preempt (context);
    case GILK_MEM_REF_HEAD:
      return reserve_record (context);
    case GILK_MEM_REF_LOST:
      return step->kind == GILK_STEP_INC ||
             gilk_verify_refuse (context, N_("the code changes the counter of lost samples by something other than "
                                             "an increment"));
    default:
      return gilk_verify_refuse (context, N_("the code writes memory that is not the hook's"));
    }
}
