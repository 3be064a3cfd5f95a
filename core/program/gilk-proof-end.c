/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-end.c - verifier: the state required where a hook ends, or leaves its code
 */
#include <glib/gi18n.h>

#include "core/program/gilk-proof-walker.h"

/* Register masks, by machine number: callee-saved registers, and argument registers. */
enum { KEPT_BY_CALLEES = 0xf028, ARGUMENTS = 0x03c6 };

/*
 * Returns whether the hook leaves nothing behind: stack, preempt count, guard, open record,
 * direction flag.
 */
static gboolean
is_balanced (GilkWalker *walker)
{
  const GilkState *state = walker->state;

  if (state->depth != 0)
    return gilk_walker_refuse (walker, N_("pushed values remain on the stack at the end"));
  if (state->preempt != 0)
    return gilk_walker_refuse (walker, N_("the preempt count is not balanced at the end"));
  if (state->guarded)
    return gilk_walker_refuse (walker, N_("the recursion guard is not restored at the end"));
  if (state->cells != 0)
    return gilk_walker_refuse (walker, N_("a record is still open at the end"));
  if ((~state->flags & ~(guint) walker->what->flags_dead & GILK_STATE_DIRECTION) != 0)
    return gilk_walker_refuse (walker, N_("a live flag is not restored at the end"));

  return TRUE;
}

static gboolean
holds_registers (GilkWalker *walker,
                 guint       needed)
{
  const GilkState *state = walker->state;

  for (guint i = 0; i < G_N_ELEMENTS (state->regs); i++)
    if (i != GILK_STATE_RSP && needed >> i & 1 && !(walker->what->sets >> i & 1) &&
        (state->regs[i].tag != GILK_VALUE_BEGIN || state->regs[i].which != i))
      return gilk_walker_refuse (walker, N_("a live register is not restored at the end"));

  return TRUE;
}

gboolean
gilk_walker_finish (GilkWalker *walker)
{
  const GilkProofCase *what = walker->what;

  if (!is_balanced (walker))
    return FALSE;
  if ((~walker->state->flags & ~(guint) what->flags_dead & (GILK_STATE_FLAGS | GILK_STATE_DIRECTION)) != 0)
    return gilk_walker_refuse (walker, N_("a live flag is not restored at the end"));

  return holds_registers (walker, (uint16_t) ~what->may_change);
}

gboolean
gilk_walker_leave (GilkWalker      *walker,
                   GilkProofLeaves  how)
{
  if (how == GILK_PROOF_GOES_ON)
    return gilk_walker_finish (walker);

  return is_balanced (walker) && holds_registers (walker, KEPT_BY_CALLEES);
}

gboolean
gilk_walker_replace (GilkWalker *walker)
{
  if (!is_balanced (walker) || !holds_registers (walker, KEPT_BY_CALLEES | ARGUMENTS))
    return FALSE;
  gilk_state_lose_flags (walker->state, GILK_STATE_FLAGS);
  for (guint i = 0; i < G_N_ELEMENTS (walker->state->regs); i++)
    if (i != GILK_STATE_RSP && !(KEPT_BY_CALLEES >> i & 1))
      gilk_state_set_reg (walker->state, i, gilk_value_any ());

  return TRUE;
}
