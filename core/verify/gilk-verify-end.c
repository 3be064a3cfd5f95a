/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-end.c - verifier: the state required where a hook ends, or leaves its code
 */
#include <glib/gi18n.h>

#include "core/verify/gilk-verify-context.h"

/* Register masks, bit n for register number n: callee-saved registers, and argument registers. */
enum { KEPT_BY_CALLEES = 0xf028, ARGUMENTS = 0x03c6 };

/*
 * Returns whether the hook has restored stack, preempt count, guard and direction flag, and left no
 * record open.
 */
static gboolean
is_balanced (GilkVerifyContext *context)
{
  const GilkState *state = context->state;

  if (state->depth != 0)
    return gilk_verify_refuse (context, N_("pushed values remain on the stack at the end"));
  if (state->preempt != 0)
    return gilk_verify_refuse (context, N_("the preempt count is not balanced at the end"));
  if (state->guarded)
    return gilk_verify_refuse (context, N_("the recursion guard is not restored at the end"));
  if (state->cells != 0)
    return gilk_verify_refuse (context, N_("a record is still open at the end"));
  if ((~state->flags & ~(guint) context->what->flags_dead & GILK_STATE_DIRECTION) != 0)
    return gilk_verify_refuse (context, N_("a live flag is not restored at the end"));

  return TRUE;
}

static gboolean
check_registers (GilkVerifyContext *context,
                 guint       needed)
{
  const GilkState *state = context->state;

  for (guint i = 0; i < G_N_ELEMENTS (state->regs); i++)
    if (i != GILK_STATE_RSP && needed >> i & 1 && !(context->what->sets >> i & 1) &&
        (state->regs[i].tag != GILK_VALUE_INITIAL || state->regs[i].which != i))
      return gilk_verify_refuse (context, N_("a live register is not restored at the end"));

  return TRUE;
}

gboolean
gilk_verify_finish (GilkVerifyContext *context)
{
  const GilkVerifyInput *what = context->what;

  if (!is_balanced (context))
    return FALSE;
  if ((~context->state->flags & ~(guint) what->flags_dead & (GILK_STATE_FLAGS | GILK_STATE_DIRECTION)) != 0)
    return gilk_verify_refuse (context, N_("a live flag is not restored at the end"));

  return check_registers (context, (uint16_t) ~what->may_change);
}

gboolean
gilk_verify_leave (GilkVerifyContext      *context,
                   GilkVerifyExitKind  how)
{
  if (how == GILK_VERIFY_CONTINUES)
    return gilk_verify_finish (context);

  return is_balanced (context) && check_registers (context, KEPT_BY_CALLEES);
}

gboolean
gilk_verify_replace (GilkVerifyContext *context)
{
  if (!is_balanced (context) || !check_registers (context, KEPT_BY_CALLEES | ARGUMENTS))
    return FALSE;
  gilk_state_clobber_flags (context->state, GILK_STATE_FLAGS);
  for (guint i = 0; i < G_N_ELEMENTS (context->state->regs); i++)
    if (i != GILK_STATE_RSP && !(KEPT_BY_CALLEES >> i & 1))
      gilk_state_set_reg (context->state, i, gilk_value_any ());

  return TRUE;
}
