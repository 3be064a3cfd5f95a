/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-end.c - what has to be so where the hook is over
 */
#include <glib/gi18n.h>

#include "core/program/gilk-proof-walker.h"

gboolean
gilk_walker_finish (GilkWalker *walker)
{
  const GilkState *state = walker->state;

  if (state->depth != 0)
    return gilk_walker_refuse (walker, N_("what was pushed is not popped by the end"));
  if (state->preempt != 0)
    return gilk_walker_refuse (walker, N_("the preempt count is not balanced at the end"));
  if (state->guarded)
    return gilk_walker_refuse (walker, N_("the guard is not as it was at the end"));
  if (state->cells != 0)
    return gilk_walker_refuse (walker, N_("a record is not committed by the end"));
  if ((~state->flags & ~(guint) walker->what->flags_dead & (GILK_STATE_FLAGS | GILK_STATE_DIRECTION)) != 0)
    return gilk_walker_refuse (walker, N_("a flag that is needed is not as it was at the end"));

  for (guint i = 0; i < G_N_ELEMENTS (state->regs); i++)
    if (i != GILK_STATE_RSP && !(walker->what->may_change >> i & 1) &&
        (state->regs[i].tag != GILK_VALUE_BEGIN || state->regs[i].which != i))
      return gilk_walker_refuse (walker, N_("a register that is needed is not as it was at the end"));

  return TRUE;
}
