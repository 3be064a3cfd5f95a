/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-end.c - verifier: checks the places where control leaves a hook's code: its end, its
 * exits, and calls of driver services
 */
#include <glib/gi18n.h>

#include "core/verify/gilk-verify-step.h"

/* Register masks, bit n for register number n: callee-saved registers, and argument registers. */
enum { KEPT_BY_CALLEES = 0xf028, ARGUMENTS = 0x03c6 };

/*
 * Checks that the hook has restored the stack, the preempt count, the re-entry guard and the
 * direction flag, and has committed the record that it opened.
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
    return gilk_verify_refuse (context, N_("a sample record is still open at the end"));
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

/* ---- verifies calls of driver services (ilk-abi-services.h) ---- */

enum { RSI = 6, RDI = 7 };

/* Mask of the registers that a call may change: rax, rcx, rdx, rsi, rdi, r8 to r11. */
enum { CHANGED_BY_CALL = 0x0fc7 };

static gboolean
is_reg_number (const GilkVerifyContext *context,
               guint                    reg,
               uint64_t                 number)
{
  uint64_t found;

  return gilk_value_is_number (&context->state->regs[reg], &found) && found == number;
}

/*
 * Checks the arguments of a call that stores a stack trace: the address (rdi) must be that of a
 * memory area of this hook that all CPUs share, and the number of elements (rsi) must not exceed
 * that of the area.
 */
static gboolean
check_stacks_area (GilkVerifyContext *context)
{
  const GilkVerifyInput *what = context->what;
  uint64_t elements;

  for (guint i = 0; i < what->n_own; i++)
    if (!what->own[i].per_cpu && is_reg_number (context, RDI, what->own[i].begin) &&
        gilk_value_is_number (&context->state->regs[RSI], &elements) &&
        elements <= (what->own[i].end - what->own[i].begin) / sizeof (uint64_t))
      return TRUE;

  return gilk_verify_refuse (context, N_("a stack trace is stored outside of the hook's memory"));
}

static int
find_service (const GilkVerifyContext *context,
              uint64_t                 address)
{
  for (guint i = 0; i < ILK_SERVICES; i++)
    if (address != 0 && context->what->info->services[i] == address)
      return (int) i;

  return -1;
}

/*
 * Checks a call of the kernel's reschedule function. The hook may be preempted there and continue
 * on another CPU, so it must not be in a critical section. The call preserves all registers.
 */
static gboolean
check_reschedule (GilkVerifyContext *context)
{
  GilkState *state = context->state;

  if (state->preempt > 0 || state->guarded || state->cells > 0)
    return gilk_verify_refuse (context, N_("the code reschedules within a critical section"));
  if (context->what->backward && !state->forward)
    return gilk_verify_refuse (context, N_("the code reschedules while the direction flag may be set"));
  gilk_state_clobber_flags (state, GILK_STATE_FLAGS);
  state->room = FALSE;

  return TRUE;
}

gboolean
gilk_verify_call (GilkVerifyContext *context)
{
  GilkState *state = context->state;
  uint64_t target = context->next + (uint64_t) context->step->imm;
  int service = find_service (context, target);

  if (context->what->info->reschedule != 0 && target == context->what->info->reschedule)
    return check_reschedule (context);
  if (service < 0)
    return gilk_verify_refuse (context, N_("the code calls something that is not a service of the driver"));
  if (!state->guarded || state->cells > 0)
    return gilk_verify_refuse (context, N_("the code calls a service of the driver outside of a critical section, or "
                                           "while a record is open"));
  if (context->what->backward && !state->forward)
    return gilk_verify_refuse (context, N_("the code calls a service of the driver while the direction flag may be "
                                           "set"));
  if (service == ILK_SERVICE_STACK && !check_stacks_area (context))
    return FALSE;
  if (service != ILK_SERVICE_STACK && !is_reg_number (context, RDI, context->what->iid))
    return gilk_verify_refuse (context, N_("the code calls a service of the driver with another hook's id"));

  for (guint i = 0; i < G_N_ELEMENTS (state->regs); i++)
    if (CHANGED_BY_CALL >> i & 1)
      gilk_state_set_reg (state, i, gilk_value_any ());
  gilk_state_clobber_flags (state, GILK_STATE_FLAGS);
  state->room = FALSE;

  return TRUE;
}
