/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-mem-ref.c - verifier: computes the addresses of memory operands, and finds which kind
 * of memory they refer to
 */
#include "core/verify/gilk-verify-step.h"

GilkValue
gilk_mem_ref_address (const GilkState   *state,
                      const GilkStepMem *mem,
                      uint64_t           next)
{
  GilkValue sum = gilk_value_number ((uint64_t) (int64_t) mem->disp + (mem->relative ? next : 0));
  const GilkValue *base = mem->base >= 0 ? &state->regs[mem->base] : NULL;

  if (base != NULL)
    sum = gilk_value_add (sum, *base);
  if (mem->index >= 0)
    return gilk_value_add (sum, gilk_value_shift_left (gilk_value_plain (state->regs[mem->index]), mem->scale));
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
      return sum;
    }
}

/* Returns whether the access @ref may touch a byte of [first, first + n). */
static gboolean
may_touch (const GilkMemRef *ref,
           uint64_t          first,
           uint64_t          n)
{
  return ref->address.lo - first < n || first - ref->address.lo <= ref->address.span ||
         first - ref->address.lo - ref->address.span < ref->size;
}

static gboolean
is_in_ranges (const GilkMemRef      *ref,
              const GilkVerifyRange *ranges,
              guint                  n)
{
  for (guint i = 0; i < n; i++)
    {
      uint64_t from = ref->address.lo - ranges[i].begin, length = ranges[i].end - ranges[i].begin;

      if (ranges[i].per_cpu == ref->per_cpu && ref->size <= length && from <= length - ref->size &&
          ref->address.span <= length - ref->size - from)
        return TRUE;
    }

  return FALSE;
}

/* Returns which per-CPU variable @ref accesses: the preempt count or one of the driver's
 * variables. */
static GilkMemRefKind
classify_word (const struct ilk_info *info,
               const GilkMemRef      *ref)
{
  const struct { int32_t at; uint8_t size, least, kind; } words[] = {
    { info->gs_preempt_count, info->preempt_bytes == 8 ? 8 : 4, 4, GILK_MEM_REF_PREEMPT },
    { info->gs_guard,         8, 8, GILK_MEM_REF_GUARD },
    { info->gs_ring_head,     8, 8, GILK_MEM_REF_HEAD },
    { info->gs_ring_limit,    8, 8, GILK_MEM_REF_LIMIT },
    { info->gs_ring_base,     8, 8, GILK_MEM_REF_BASE },
    { info->gs_ring_mask,     8, 4, GILK_MEM_REF_MASK },
    { info->gs_ring_lost,     8, 8, GILK_MEM_REF_LOST },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      uint64_t at = (uint64_t) (int64_t) words[i].at;

      if (!may_touch (ref, at, words[i].size))
        continue;
      if (ref->address.span == 0 && ref->address.lo == at && ref->size >= words[i].least &&
          ref->size <= words[i].size)
        return (GilkMemRefKind) words[i].kind;
      return GILK_MEM_REF_SPLIT;
    }

  return GILK_MEM_REF_OTHER;
}

static gboolean
is_gate (const GilkVerifyInput *what,
         const GilkMemRef      *ref)
{
  uint64_t iid = ref->address.lo - what->info->gates;
  gboolean known = iid == what->iid;

  for (guint i = 0; i < what->n_gates; i++)
    known = known || iid == what->gates[i];

  return known && ref->address.span == 0 && ref->size == 1;
}

static GilkMemRefKind
classify_ref (const GilkVerifyInput *what,
              const GilkMemRef      *ref)
{
  GilkMemRefKind word = ref->per_cpu ? classify_word (what->info, ref) : GILK_MEM_REF_OTHER;

  if (word != GILK_MEM_REF_OTHER)
    return word;
  if (is_in_ranges (ref, what->own, what->n_own))
    return GILK_MEM_REF_OWN;
  if (!ref->per_cpu && is_gate (what, ref))
    return GILK_MEM_REF_GATE;

  return is_in_ranges (ref, what->readable, what->n_readable) ? GILK_MEM_REF_READABLE : GILK_MEM_REF_OTHER;
}

GilkMemRef
gilk_mem_ref_classify (const GilkVerifyInput *what,
                       const GilkState       *state,
                       const GilkStepMem     *mem,
                       uint64_t               next,
                       guint                  size)
{
  GilkMemRef ref = { .size = (uint8_t) size, .per_cpu = mem->gs, .address = gilk_mem_ref_address (state, mem, next) };

  if (!mem->gs && (ref.address.tag == GILK_VALUE_STACK || ref.address.tag == GILK_VALUE_CELL))
    {
      ref.kind = ref.address.tag == GILK_VALUE_STACK ? GILK_MEM_REF_STACK : GILK_MEM_REF_CELL;
      ref.n = ref.address.n;
      ref.cell = ref.address.which;
      return ref;
    }

  ref.kind = (uint8_t) classify_ref (what, &ref);

  return ref;
}

gboolean
gilk_mem_ref_is_aligned (const GilkMemRef *ref)
{
  return ref->address.lo % ref->size == 0 &&
         (ref->address.zeros >= 3 || UINT64_C (1) << ref->address.zeros >= ref->size);
}
