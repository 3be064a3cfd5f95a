/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-state.c - verifier: what is known about registers, stack, flags, the preempt count
 * and the ring buffer
 */
#include "core/verify/gilk-verify-state.h"

#include <glib/gi18n.h>
#include <string.h>

#define LEAST (UINT64_C (1) << 63)      /* the smallest signed number, INT64_MIN */

/* Condition codes: the lowest four bits of a conditional branch's opcode. */
enum {
  CC_O, CC_NO, CC_B, CC_AE, CC_E, CC_NE, CC_BE, CC_A, CC_S, CC_NS, CC_L = 12, CC_GE, CC_LE, CC_G,
};

GilkState *
gilk_state_new (void)
{
  GilkState *state = g_new (GilkState, 1);

  memset (state, 0, offsetof (GilkState, slots));
  for (guint i = 0; i < G_N_ELEMENTS (state->regs); i++)
    state->regs[i] = gilk_value_tagged (GILK_VALUE_INITIAL, i, 0);
  state->regs[GILK_STATE_RSP] = gilk_value_tagged (GILK_VALUE_STACK, 0, 0);
  state->flags = GILK_STATE_FLAGS | GILK_STATE_DIRECTION;
  state->copy = state->copied = -1;

  return state;
}

GilkState *
gilk_state_copy (const GilkState *state)
{
  GilkState *copy = g_new (GilkState, 1);

  memcpy (copy, state, offsetof (GilkState, slots) + state->depth * sizeof state->slots[0]);

  return copy;
}

void
gilk_state_free (GilkState *state)
{
  g_free (state);
}

static gboolean
is_same_fact (const GilkFlagsFact *a,
              const GilkFlagsFact *b)
{
  return a->kind == b->kind && a->size == b->size && a->swapped == b->swapped &&
         a->where == b->where && a->number == b->number;
}

static void
join_record (GilkState       *state,
             const GilkState *other)
{
  for (guint i = 0; i < GILK_STATE_CELLS; i++)
    state->written[i] &= other->written[i];
  state->name_known &= other->name_known;
  for (guint i = 0; i < sizeof state->name; i++)
    if (state->name[i] != other->name[i])
      state->name_known &= (uint8_t) ~(1u << i);
}

/* ---- tracks which divisions cannot overflow, as INT64_MIN / -1 does ---- */

static const uint64_t nevers[] = { 0, UINT64_MAX, LEAST };

gboolean
gilk_state_is_never (const GilkState *state,
                     guint            reg,
                     GilkNever        never)
{
  return state->never[never] >> reg & 1 || !gilk_value_may_be (&state->regs[reg], nevers[never]);
}

static gboolean
fits_quotient (const GilkState *state,
               guint            dividend,
               guint            divisor)
{
  return gilk_state_is_never (state, divisor, GILK_NEVER_MINUS_1) ||
         gilk_state_is_never (state, dividend, GILK_NEVER_LEAST) ||
         state->fits[dividend] >> divisor & 1;
}

static void
join_nevers (GilkState       *state,
             const GilkState *other)
{
  for (guint never = 0; never < GILK_NEVERS; never++)
    {
      guint both = 0;

      for (guint i = 0; i < G_N_ELEMENTS (state->regs); i++)
        if (gilk_state_is_never (state, i, (GilkNever) never) && gilk_state_is_never (other, i, (GilkNever) never))
          both |= 1u << i;
      state->never[never] = (uint16_t) both;
    }
}

/* Records that the value at @where cannot be @number, if @where is a register and not a stack
 * slot. */
static void
record_never (GilkState *state,
              guint      where,
              uint64_t   number)
{
  for (guint i = 0; i < GILK_NEVERS && where < 16; i++)
    if (nevers[i] == number)
      state->never[i] |= (uint16_t) (1u << where);
}

/*
 * Joins what two paths know about quotients: keeps the pairs of dividend and divisor whose quotient
 * fits into 64 bits on both paths. The reasons may differ: on one path the dividend is not
 * INT64_MIN, on the other the divisor is not -1.
 */
static void
join_fits (GilkState       *state,
           const GilkState *other)
{
  for (guint i = 0; i < G_N_ELEMENTS (state->regs); i++)
    {
      guint both = 0;

      if (((state->never[GILK_NEVER_LEAST] | other->never[GILK_NEVER_LEAST]) >> i & 1) ||
          (state->fits[i] | other->fits[i]) != 0)
        for (guint k = 0; k < G_N_ELEMENTS (state->regs); k++)
          if (fits_quotient (state, i, k) && fits_quotient (other, i, k))
            both |= 1u << k;
      state->fits[i] = (uint16_t) both;
    }
}

gboolean
gilk_state_quotient_fits (const GilkState *state,
                          guint            dividend,
                          guint            divisor)
{
  return fits_quotient (state, dividend, divisor) ||
         (state->copy == (int) dividend && fits_quotient (state, (guint) state->copied, divisor));
}

/* ---- joining paths ---- */

const char *
gilk_state_join (GilkState       *state,
                 const GilkState *other)
{
  if (state->depth != other->depth)
    return N_("the stack depth differs between the paths that join here");
  if (state->preempt != other->preempt)
    return N_("the preempt count differs between the paths that join here");
  if (state->guarded != other->guarded)
    return N_("the recursion guard differs between the paths that join here");
  if (state->cells != other->cells)
    return N_("a record is open on only some of the paths that join here");

  join_fits (state, other);
  join_nevers (state, other);
  for (guint i = 0; i < G_N_ELEMENTS (state->regs); i++)
    state->regs[i] = gilk_value_join (state->regs[i], other->regs[i]);
  for (guint i = 0; i < state->depth; i++)
    state->slots[i] = gilk_value_join (state->slots[i], other->slots[i]);
  join_record (state, other);
  state->flags &= other->flags;
  state->longest = MAX (state->longest, other->longest);
  state->guard_free = state->guard_free && other->guard_free;
  state->forward = state->forward && other->forward;
  state->room = state->room && other->room;
  state->extended = state->extended && other->extended;
  if (state->copy != other->copy || state->copied != other->copied)
    state->copy = state->copied = -1;
  if (!is_same_fact (&state->fact, &other->fact))
    state->fact.kind = GILK_FLAGS_FACT_NONE;

  return NULL;
}

static void
drop_fact (GilkState *state,
           guint      where)
{
  if ((state->fact.kind == GILK_FLAGS_FACT_NUMBER || state->fact.kind == GILK_FLAGS_FACT_NEGATED) &&
      state->fact.where == where)
    state->fact.kind = GILK_FLAGS_FACT_NONE;
}

void
gilk_state_set_reg (GilkState *state,
                    guint      reg,
                    GilkValue  value)
{
  state->regs[reg] = value;
  drop_fact (state, reg);
  if (reg == GILK_STATE_RAX || reg == GILK_STATE_RDX)
    state->extended = FALSE;
  if ((int) reg == state->copy || (int) reg == state->copied)
    state->copy = state->copied = -1;
  state->fits[reg] = 0;
  for (guint i = 0; i < G_N_ELEMENTS (state->fits); i++)
    state->fits[i] &= (uint16_t) ~(1u << reg);
  for (guint i = 0; i < GILK_NEVERS; i++)
    state->never[i] &= (uint16_t) ~(1u << reg);
}

void
gilk_state_set_slot (GilkState *state,
                     guint      slot,
                     GilkValue  value)
{
  state->slots[slot] = value;
  drop_fact (state, 16 + slot);
}

void
gilk_state_set_depth (GilkState *state,
                      guint      depth)
{
  for (guint i = state->depth; i < depth; i++)
    gilk_state_set_slot (state, i, gilk_value_any ());
  for (guint i = depth; i < state->depth; i++)
    drop_fact (state, 16 + i);
  state->depth = depth;
  state->regs[GILK_STATE_RSP] = gilk_value_tagged (GILK_VALUE_STACK, 0, -8 * (int32_t) depth);
}

void
gilk_state_clobber_flags (GilkState *state,
                          guint      flags)
{
  state->flags &= ~flags;
  state->fact.kind = GILK_FLAGS_FACT_NONE;
}

static void
drop_tag (GilkValue   *value,
          GilkValueTag first,
          GilkValueTag last)
{
  if (value->tag >= first && value->tag <= last)
    *value = gilk_value_plain (*value);
}

void
gilk_state_drop_tags (GilkState   *state,
                      GilkValueTag first,
                      GilkValueTag last)
{
  for (guint i = 0; i < G_N_ELEMENTS (state->regs); i++)
    drop_tag (&state->regs[i], first, last);
  for (guint i = 0; i < state->depth; i++)
    drop_tag (&state->slots[i], first, last);
}

/* ---- conditions ---- */

/*
 * Finds the numbers that meet condition @cc when they are compared with @number: sets @lo and @hi
 * to the first and the last. The range may wrap around. Returns FALSE if @cc does not imply a
 * range, or if no number meets @cc.
 */
static gboolean
find_range (guint     cc,
            uint64_t  number,
            uint64_t *lo,
            uint64_t *hi)
{
  const struct { uint8_t cc; uint64_t lo, hi, but; } table[] = {
    { CC_B,  0,          number - 1, 0 },
    { CC_AE, number,     UINT64_MAX, number + 1 },
    { CC_E,  number,     number,     number + 1 },
    { CC_NE, number + 1, number - 1, number + 1 },
    { CC_BE, 0,          number,     number + 1 },
    { CC_A,  number + 1, UINT64_MAX, UINT64_MAX },
    { CC_L,  LEAST,      number - 1, LEAST },
    { CC_GE, number,     LEAST - 1,  number + 1 },
    { CC_LE, LEAST,      number,     number + 1 },
    { CC_G,  number + 1, LEAST - 1,  LEAST - 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].cc == cc)
      {
        *lo = table[i].lo;
        *hi = table[i].hi;
        return number != table[i].but;
      }

  return FALSE;
}

/* Returns the condition that is equivalent to @cc when the operands of the comparison are
 * swapped. */
static guint
swap_condition (guint cc)
{
  switch (cc)
    {
    case CC_B: return CC_A;
    case CC_A: return CC_B;
    case CC_AE: return CC_BE;
    case CC_BE: return CC_AE;
    case CC_L: return CC_G;
    case CC_G: return CC_L;
    case CC_GE: return CC_LE;
    case CC_LE: return CC_GE;
    case CC_E: case CC_NE: return cc;
    default: return 0;
    }
}

static gboolean
assume_number (GilkState *state,
               guint      cc)
{
  const GilkFlagsFact *fact = &state->fact;
  GilkValue *value = fact->where < 16 ? &state->regs[fact->where] : &state->slots[fact->where - 16];
  uint64_t lo, hi, number = fact->number;

  if (number == 0 && !fact->swapped && fact->size == 8 && (cc == CC_S || cc == CC_NS))
    cc = cc == CC_S ? CC_L : CC_GE;
  if (fact->size < 8)
    {
      uint64_t positive = (UINT64_C (1) << (8 * fact->size - 1)) - 1;

      /* The fact is used only if a comparison of 64 bits would have the same result as this
       * narrower one. */
      number &= 2 * positive + 1;
      if (!gilk_value_is_within (value, 0, cc >= CC_L ? positive : 2 * positive + 1) ||
          (cc >= CC_L && number > positive))
        return TRUE;
    }

  if (cc == CC_NE)
    record_never (state, fact->where, number);

  return !find_range (fact->swapped ? swap_condition (cc) : cc, number, &lo, &hi) || gilk_value_restrict (value, lo, hi);
}

gboolean
gilk_state_assume (GilkState *state,
                   guint      cc,
                   gboolean   holds)
{
  if (!holds)
    cc ^= 1;

  switch (state->fact.kind)
    {
    case GILK_FLAGS_FACT_NUMBER:
      return assume_number (state, cc);
    case GILK_FLAGS_FACT_ROOM:
      state->room = state->room || cc == (state->fact.swapped ? CC_A : CC_B);
      return TRUE;
    case GILK_FLAGS_FACT_CONTEXT:
      state->guard_free = state->guard_free || cc == CC_NE;
      return TRUE;
    case GILK_FLAGS_FACT_NEGATED:
      if (cc == CC_NO)
        record_never (state, state->fact.where, LEAST);
      return TRUE;
    default:
      return TRUE;
    }
}
