/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-spot.c - verifier: addresses of memory operands, and whose memory they are in
 */
#include "core/program/gilk-proof-spot.h"

GilkValue
gilk_spot_address (const GilkState   *state,
                   const GilkStepMem *mem,
                   uint64_t           next)
{
  GilkValue sum = gilk_value_number ((uint64_t) (int64_t) mem->disp + (mem->relative ? next : 0));
  const GilkValue *base = mem->base >= 0 ? &state->regs[mem->base] : NULL;

  if (base != NULL)
    sum = gilk_value_add (sum, *base);
  if (mem->index >= 0)
    return gilk_value_add (sum, gilk_value_left (gilk_value_plain (state->regs[mem->index]), mem->scale));
  if (base == NULL || ABS ((int64_t) mem->disp) > 65536 || ABS (base->n) > 65536)
    return sum;

  switch (base->tag)
    {
    case GILK_VALUE_STACK:
    case GILK_VALUE_HEAD:
    case GILK_VALUE_CELL:
      sum.tag = base->tag;
      sum.which = base->which;
      sum.n = base->n + mem->disp;
      return sum;
    default:
      return gilk_value_given (sum, base->tag == GILK_VALUE_GIVEN);
    }
}

/* Returns whether @spot may include a byte of [first, first + n). */
static gboolean
touches (const GilkSpot *spot,
         uint64_t        first,
         uint64_t        n)
{
  return spot->address.lo - first < n || first - spot->address.lo <= spot->address.span ||
         first - spot->address.lo - spot->address.span < spot->size;
}

static gboolean
is_in (const GilkSpot       *spot,
       const GilkProofRange *ranges,
       guint                 n)
{
  for (guint i = 0; i < n; i++)
    {
      uint64_t from = spot->address.lo - ranges[i].begin, length = ranges[i].end - ranges[i].begin;

      if (ranges[i].per_cpu == spot->per_cpu && spot->size <= length && from <= length - spot->size &&
          spot->address.span <= length - spot->size - from)
        return TRUE;
    }

  return FALSE;
}

/* Classifies per-CPU variables of the driver, and the preempt count. */
static GilkSpotKind
word_of (const struct ilk_info *info,
         const GilkSpot        *spot)
{
  const struct { int32_t at; uint8_t size, least, kind; } words[] = {
    { info->gs_preempt_count, info->preempt_bytes == 8 ? 8 : 4, 4, GILK_SPOT_PREEMPT },
    { info->gs_guard,         8, 8, GILK_SPOT_GUARD },
    { info->gs_ring_head,     8, 8, GILK_SPOT_HEAD },
    { info->gs_ring_limit,    8, 8, GILK_SPOT_LIMIT },
    { info->gs_ring_base,     8, 8, GILK_SPOT_BASE },
    { info->gs_ring_mask,     8, 4, GILK_SPOT_MASK },
    { info->gs_ring_lost,     8, 8, GILK_SPOT_LOST },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      uint64_t at = (uint64_t) (int64_t) words[i].at;

      if (!touches (spot, at, words[i].size))
        continue;
      if (spot->address.span == 0 && spot->address.lo == at && spot->size >= words[i].least &&
          spot->size <= words[i].size)
        return (GilkSpotKind) words[i].kind;
      return GILK_SPOT_SPLIT;
    }

  return GILK_SPOT_OTHER;
}

static gboolean
is_gate (const GilkProofCase *what,
         const GilkSpot      *spot)
{
  uint64_t iid = spot->address.lo - what->info->gates;
  gboolean known = iid == what->iid;

  for (guint i = 0; i < what->n_gates; i++)
    known = known || iid == what->gates[i];

  return known && spot->address.span == 0 && spot->size == 1;
}

static GilkSpotKind
kind_of (const GilkProofCase *what,
         const GilkSpot      *spot)
{
  GilkSpotKind word = spot->per_cpu ? word_of (what->info, spot) : GILK_SPOT_OTHER;

  if (word != GILK_SPOT_OTHER)
    return word;
  if (is_in (spot, what->own, what->n_own))
    return GILK_SPOT_OWN;
  if (!spot->per_cpu && is_gate (what, spot))
    return GILK_SPOT_GATE;

  return is_in (spot, what->readable, what->n_readable) ? GILK_SPOT_READABLE : GILK_SPOT_OTHER;
}

GilkSpot
gilk_spot_of (const GilkProofCase *what,
              const GilkState     *state,
              const GilkStepMem   *mem,
              uint64_t             next,
              guint                size)
{
  GilkSpot spot = { .size = (uint8_t) size, .per_cpu = mem->gs, .address = gilk_spot_address (state, mem, next) };

  if (!mem->gs && (spot.address.tag == GILK_VALUE_STACK || spot.address.tag == GILK_VALUE_CELL))
    {
      spot.kind = spot.address.tag == GILK_VALUE_STACK ? GILK_SPOT_STACK : GILK_SPOT_CELL;
      spot.n = spot.address.n;
      spot.cell = spot.address.which;
      return spot;
    }

  spot.kind = (uint8_t) kind_of (what, &spot);

  return spot;
}

gboolean
gilk_spot_is_aligned (const GilkSpot *spot)
{
  return spot->address.lo % spot->size == 0 &&
         (spot->address.zeros >= 3 || UINT64_C (1) << spot->address.zeros >= spot->size);
}
