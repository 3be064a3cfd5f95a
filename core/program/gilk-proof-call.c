/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-call.c - verifier: calls of driver services, as in ilk-abi-services.h
 */
#include <glib/gi18n.h>

#include "core/program/gilk-proof-walker.h"

enum { RSI = 6, RDI = 7 };

/* Caller-saved registers: rax, rcx, rdx, rsi, rdi, r8 to r11. */
enum { CHANGED_BY_CALL = 0x0fc7 };

static gboolean
is_number (const GilkWalker *walker,
           guint             reg,
           uint64_t          number)
{
  uint64_t found;

  return gilk_value_is_number (&walker->state->regs[reg], &found) && found == number;
}

/* Returns whether the stack traces go to an area of this hook that is for all CPUs. */
static gboolean
names_stacks (GilkWalker *walker)
{
  const GilkProofCase *what = walker->what;
  uint64_t elements;

  for (guint i = 0; i < what->n_own; i++)
    if (!what->own[i].per_cpu && is_number (walker, RDI, what->own[i].begin) &&
        gilk_value_is_number (&walker->state->regs[RSI], &elements) &&
        elements <= (what->own[i].end - what->own[i].begin) / sizeof (uint64_t))
      return TRUE;

  return gilk_walker_refuse (walker, N_("a stack trace is stored outside of the hook's memory"));
}

static gboolean
names_watch (GilkWalker *walker)
{
  for (guint i = 0; i < walker->what->n_gates; i++)
    if (is_number (walker, RDI, walker->what->gates[i]))
      return TRUE;

  return gilk_walker_refuse (walker, N_("a watchpoint is moved that does not belong to the hook"));
}

static int
service_at (const GilkWalker *walker,
            uint64_t          address)
{
  for (guint i = 0; i < ILK_SERVICES; i++)
    if (address != 0 && walker->what->info->services[i] == address)
      return (int) i;

  return -1;
}

/*
 * With the preempt count at 0 the hook may be preempted here and continue on another CPU. All
 * registers are preserved.
 */
static gboolean
reschedule (GilkWalker *walker)
{
  GilkState *state = walker->state;

  if (state->preempt > 0 || state->guarded || state->cells > 0)
    return gilk_walker_refuse (walker, N_("it reschedules within a critical section"));
  if (walker->what->backward && !state->forward)
    return gilk_walker_refuse (walker, N_("it reschedules while the direction flag may be set"));
  gilk_state_lose_flags (state, GILK_STATE_FLAGS);
  state->room = FALSE;

  return TRUE;
}

gboolean
gilk_walker_call (GilkWalker *walker)
{
  GilkState *state = walker->state;
  uint64_t target = walker->next + (uint64_t) walker->step->imm;
  int service = service_at (walker, target);

  if (walker->what->info->reschedule != 0 && target == walker->what->info->reschedule)
    return reschedule (walker);
  if (service < 0)
    return gilk_walker_refuse (walker, N_("it calls something that is not a service of the driver"));
  if (!state->guarded || state->cells > 0)
    return gilk_walker_refuse (walker, N_("it calls a service outside of a critical section, or while a record is open"));
  if (walker->what->backward && !state->forward)
    return gilk_walker_refuse (walker, N_("it calls a service while the direction flag may be set"));
  if (service == ILK_SERVICE_STACK && !names_stacks (walker))
    return FALSE;
  if (service == ILK_SERVICE_WATCH && !names_watch (walker))
    return FALSE;
  if (service != ILK_SERVICE_STACK && service != ILK_SERVICE_WATCH && !is_number (walker, RDI, walker->what->iid))
    return gilk_walker_refuse (walker, N_("it calls a service with another hook's iid"));

  for (guint i = 0; i < G_N_ELEMENTS (state->regs); i++)
    if (CHANGED_BY_CALL >> i & 1)
      gilk_state_set_reg (state, i, gilk_value_any ());
  gilk_state_lose_flags (state, GILK_STATE_FLAGS);
  state->room = FALSE;

  return TRUE;
}
