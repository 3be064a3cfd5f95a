/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bpf-service.c - writes BPF code that does what the driver's services do
 *
 * As in gilk-bpf-code.c, r6 has the address of pt_regs, and r7 the CPU's number.
 */
#include "core/emit/gilk-bpf-service.h"

#include "agent/gilk-wire.h"
#include "core/emit/gilk-bpf-insns.h"

enum {
  WORD = 8,
  HASH = 0, LENGTH = WORD, ADDRESSES = 2 * WORD,       /* offsets in an entry of an area of stack
                                                        * traces: hash, length, addresses */
  ENTRY_SHIFT = 9,
  LOOKS = 8,                     /* maximum number of entries that are searched for a stack trace */
};

G_STATIC_ASSERT (1 << ENTRY_SHIFT == WORD * ILK_STACK_WORDS);
G_STATIC_ASSERT (offsetof (struct gilk_bpf_stack, busy) == HASH);
G_STATIC_ASSERT (offsetof (struct gilk_bpf_stack, length) == LENGTH);
G_STATIC_ASSERT (offsetof (struct gilk_bpf_stack, addresses) == ADDRESSES);

/* Writes code that puts the address of this CPU's copy of map @handle into @to; copies are @stride
 * bytes apart. Changes @scratch. */
static void
put_own (GArray *insns, const GilkBpfPlace *place, guint to, guint scratch, uint32_t handle, uint64_t stride)
{
  gilk_bpf_put_map (insns, to, handle, 0);
  gilk_bpf_add_cpu (insns, place->n_cpus, to, scratch, stride);
}

/* ---- code of the service STACK ---- */

typedef struct {
  GArray             *insns;
  const GilkBpfPlace *place;
  uint32_t            area;      /* handle */
  guint               entries, looks;
  guint               found[2 * LOOKS], n_found;       /* jumps */
  guint               claimed[LOOKS], n_claimed;
} Stack;

static void
put_buffer (const Stack *stack, guint to, guint scratch)
{
  put_own (stack->insns, stack->place, to, scratch, GILK_BPF_HANDLE (GILK_BPF_STACK, 0), sizeof (struct gilk_bpf_stack));
}

/* Writes code that puts the address of the entry (of an area of stack traces) whose number is in r4
 * into r2. Changes r1. */
static void
put_entry (const Stack *stack)
{
  gilk_bpf_put_move (stack->insns, BPF_REG_1, BPF_REG_4);
  gilk_bpf_put_alu_imm (stack->insns, BPF_LSH, BPF_REG_1, ENTRY_SHIFT);
  gilk_bpf_put_map (stack->insns, BPF_REG_2, stack->area, 1 << ENTRY_SHIFT);
  gilk_bpf_put_alu (stack->insns, BPF_ADD, BPF_REG_2, BPF_REG_1);
}

/* Writes code that takes this CPU's buffer. Returns the jump that is taken if the buffer is in use,
 * because this hit has interrupted another hit that uses it. */
static guint
put_take_buffer (const Stack *stack)
{
  put_buffer (stack, BPF_REG_2, BPF_REG_1);
  gilk_bpf_put_constant (stack->insns, BPF_REG_1, 1);
  gilk_bpf_put_atomic (stack->insns, BPF_XCHG, BPF_REG_2, HASH, BPF_REG_1);

  return gilk_bpf_put_jump (stack->insns, BPF_JNE | BPF_K, BPF_REG_1, 0, 0);
}

/* Writes code that reads the stack trace into the buffer; the kernel fills the rest of the buffer
 * with zeros. At a kprobe, the first address that the kernel stores is the one after the
 * breakpoint; the code replaces it by @place->point. The code leaves the buffer's address in r2.
 * Returns the jump that is taken if the stack cannot be read. */
static guint
put_read_stack (const Stack *stack)
{
  GArray *insns = stack->insns;
  guint none;

  gilk_bpf_put_alu_imm (insns, BPF_ADD, BPF_REG_2, ADDRESSES);
  gilk_bpf_put_move (insns, BPF_REG_1, BPF_REG_6);
  gilk_bpf_put_constant (insns, BPF_REG_3, WORD * ILK_STACK_DEPTH);
  gilk_bpf_put_constant (insns, BPF_REG_4, 0);
  gilk_bpf_put_call (insns, BPF_FUNC_get_stack);
  put_buffer (stack, BPF_REG_2, BPF_REG_1);
  none = gilk_bpf_put_jump (insns, BPF_JSLT | BPF_K, BPF_REG_0, 0, WORD);
  gilk_bpf_put_alu_imm (insns, BPF_RSH, BPF_REG_0, 3);
  gilk_bpf_put_store (insns, 8, BPF_REG_2, LENGTH, BPF_REG_0);
  if (stack->place->point == 0)
    return none;
  gilk_bpf_put_constant (insns, BPF_REG_1, (int64_t) stack->place->point);
  gilk_bpf_put_store (insns, 8, BPF_REG_2, ADDRESSES, BPF_REG_1);

  return none;
}

/* Writes code that hashes the addresses in the buffer at r2. Puts the hash into r3, the number of
 * the first entry to search into r4, and the address of that entry into r2. Returns a jump that is
 * never taken, by which the verifier learns the bounds of r4. */
static guint
put_hash (const Stack *stack)
{
  GArray *insns = stack->insns;
  const int32_t firsts = (int32_t) (stack->entries - stack->looks + 1);
  guint loop, some, beyond;

  gilk_bpf_put_constant (insns, BPF_REG_3, 0);
  gilk_bpf_put_constant (insns, BPF_REG_4, ILK_STACK_DEPTH);
  gilk_bpf_put_wide (insns, BPF_REG_5, 0, 0x7f4a7c15, 0x9e3779b9);
  loop = insns->len;
  gilk_bpf_put_load (insns, 8, BPF_REG_1, BPF_REG_2, ADDRESSES);
  gilk_bpf_put_alu (insns, BPF_XOR, BPF_REG_3, BPF_REG_1);
  gilk_bpf_put_alu (insns, BPF_MUL, BPF_REG_3, BPF_REG_5);
  gilk_bpf_put_alu_imm (insns, BPF_ADD, BPF_REG_2, WORD);
  gilk_bpf_put_loop (insns, BPF_REG_4, loop);

  some = gilk_bpf_put_jump (insns, BPF_JNE | BPF_K, BPF_REG_3, 0, 0);
  gilk_bpf_put_constant (insns, BPF_REG_3, 1);
  gilk_bpf_land (insns, some);
  gilk_bpf_put_move (insns, BPF_REG_4, BPF_REG_3);
  gilk_bpf_put_alu_imm (insns, BPF_RSH, BPF_REG_4, 32);
  gilk_bpf_put_alu_imm (insns, BPF_MOD, BPF_REG_4, firsts);
  beyond = gilk_bpf_put_jump (insns, BPF_JGE | BPF_K, BPF_REG_4, 0, firsts);
  put_entry (stack);

  return beyond;
}

/* Writes code that checks entry number r4 of the area of stack traces, whose address is in r2. If
 * the entry has the hash in r3, or is free and could be claimed for this hash, the code jumps;
 * otherwise it sets r4 and r2 to the next entry. */
static void
put_look (Stack *stack)
{
  GArray *insns = stack->insns;
  guint other;

  gilk_bpf_put_load (insns, 8, BPF_REG_0, BPF_REG_2, HASH);
  stack->found[stack->n_found++] = gilk_bpf_put_jump (insns, BPF_JEQ | BPF_X, BPF_REG_0, BPF_REG_3, 0);
  other = gilk_bpf_put_jump (insns, BPF_JNE | BPF_K, BPF_REG_0, 0, 0);
  gilk_bpf_put_atomic (insns, BPF_CMPXCHG, BPF_REG_2, HASH, BPF_REG_3);
  stack->claimed[stack->n_claimed++] = gilk_bpf_put_jump (insns, BPF_JEQ | BPF_K, BPF_REG_0, 0, 0);
  stack->found[stack->n_found++] = gilk_bpf_put_jump (insns, BPF_JEQ | BPF_X, BPF_REG_0, BPF_REG_3, 0);
  gilk_bpf_land (insns, other);
  gilk_bpf_put_alu_imm (insns, BPF_ADD, BPF_REG_2, 1 << ENTRY_SHIFT);
  gilk_bpf_put_alu_imm (insns, BPF_ADD, BPF_REG_4, 1);
}

/* Writes code that hides r4, the number of the claimed entry, from the verifier. Otherwise the
 * verifier would follow the rest of the program once for each entry that can be claimed. Returns a
 * jump that is never taken, by which the verifier learns the bounds of r4 again. */
static guint
put_forget_look (const Stack *stack)
{
  GArray *insns = stack->insns;
  guint beyond;

  gilk_bpf_put_load (insns, 8, BPF_REG_1, BPF_REG_2, HASH);
  gilk_bpf_put_alu (insns, BPF_XOR, BPF_REG_4, BPF_REG_1);
  gilk_bpf_put_alu (insns, BPF_XOR, BPF_REG_4, BPF_REG_1);
  beyond = gilk_bpf_put_jump (insns, BPF_JGE | BPF_K, BPF_REG_4, 0, (int32_t) stack->entries);
  put_entry (stack);

  return beyond;
}

/* Writes code that copies the stack trace in the buffer to the entry at r2. The length is copied
 * last: it marks the entry as complete. */
static void
put_fill (const Stack *stack)
{
  GArray *insns = stack->insns;
  guint loop;

  put_buffer (stack, BPF_REG_5, BPF_REG_1);
  gilk_bpf_put_constant (insns, BPF_REG_0, ILK_STACK_DEPTH);
  loop = insns->len;
  gilk_bpf_put_load (insns, 8, BPF_REG_1, BPF_REG_5, ADDRESSES);
  gilk_bpf_put_store (insns, 8, BPF_REG_2, ADDRESSES, BPF_REG_1);
  gilk_bpf_put_alu_imm (insns, BPF_ADD, BPF_REG_5, WORD);
  gilk_bpf_put_alu_imm (insns, BPF_ADD, BPF_REG_2, WORD);
  gilk_bpf_put_loop (insns, BPF_REG_0, loop);
  gilk_bpf_put_load (insns, 8, BPF_REG_1, BPF_REG_5, LENGTH - WORD * ILK_STACK_DEPTH);
  gilk_bpf_put_store (insns, 8, BPF_REG_2, LENGTH - WORD * ILK_STACK_DEPTH, BPF_REG_1);
}

/* Writes code that counts a stack trace that could not be stored. The result of the service is then
 * 0. */
static void
put_full (const Stack *stack)
{
  gilk_bpf_put_map (stack->insns, BPF_REG_2, stack->area, 0);
  gilk_bpf_put_constant (stack->insns, BPF_REG_1, 1);
  gilk_bpf_put_atomic (stack->insns, BPF_ADD, BPF_REG_2, 0, BPF_REG_1);
  gilk_bpf_put_constant (stack->insns, BPF_REG_0, 0);
}

static void
put_stack (GArray *insns, const GilkBpfPlace *place, const GilkOps *ops, const GilkOp *op)
{
  Stack stack = {
    .insns = insns, .place = place, .area = GILK_BPF_HANDLE (GILK_BPF_AREA, (uint32_t) place->areas[op->area]),
    .entries = g_array_index (ops->areas, GilkOpsArea, op->area).elements / ILK_STACK_WORDS - 1,
  };
  guint busy, none[4], done, end;

  stack.looks = MIN (LOOKS, stack.entries);
  busy = put_take_buffer (&stack);
  none[0] = put_read_stack (&stack);
  none[1] = put_hash (&stack);
  for (guint i = 0; i < stack.looks; i++)
    put_look (&stack);
  none[2] = gilk_bpf_put_jump (insns, BPF_JA, 0, 0, 0);

  for (guint i = 0; i < stack.n_claimed; i++)
    gilk_bpf_land (insns, stack.claimed[i]);
  none[3] = put_forget_look (&stack);
  put_fill (&stack);
  for (guint i = 0; i < stack.n_found; i++)
    gilk_bpf_land (insns, stack.found[i]);
  gilk_bpf_put_move (insns, BPF_REG_0, BPF_REG_4);
  gilk_bpf_put_alu_imm (insns, BPF_ADD, BPF_REG_0, 1);
  done = gilk_bpf_put_jump (insns, BPF_JA, 0, 0, 0);

  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    gilk_bpf_land (insns, none[i]);
  put_full (&stack);
  gilk_bpf_land (insns, done);
  put_buffer (&stack, BPF_REG_2, BPF_REG_1);
  gilk_bpf_put_store_imm (insns, 8, BPF_REG_2, HASH, 0);
  end = gilk_bpf_put_jump (insns, BPF_JA, 0, 0, 0);
  gilk_bpf_land (insns, busy);
  put_full (&stack);
  gilk_bpf_land (insns, end);
}

/* ---- code of the service EVENT ---- */

/* Writes a call of the helper that reads an event counter. A result from -4095 to -1 is an error
 * number, because no counter reaches such values. */
static void
put_event (GArray *insns, uint64_t key)
{
  guint good;

  gilk_bpf_put_wide (insns, BPF_REG_1, BPF_PSEUDO_MAP_FD, (uint32_t) key, (uint32_t) (key >> 32));
  gilk_bpf_put (insns, BPF_ALU | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, (int32_t) BPF_F_CURRENT_CPU);
  gilk_bpf_put_call (insns, BPF_FUNC_perf_event_read);
  good = gilk_bpf_put_jump (insns, BPF_JLT | BPF_K, BPF_REG_0, 0, -4095);
  gilk_bpf_put_constant (insns, BPF_REG_0, (int64_t) GILK_EVENT_BAD);
  gilk_bpf_land (insns, good);
}

/* ---- code of the service FREEZE ---- */

/* Writes code that sets the limits of all rings to 0. The code does nothing if this CPU's limit is
 * 0 already (the rings are frozen or not claimed), so that hits after the first one do not write to
 * other CPUs' memory. */
static void
put_freeze (GArray *insns, const GilkBpfPlace *place)
{
  const uint64_t stride = GILK_BPF_RING_STRIDE (place->ring_bytes);
  const uint32_t handle = GILK_BPF_HANDLE (GILK_BPF_RING, 0);
  const int limit = offsetof (struct gilk_bpf_ring, limit);
  guint is_frozen, loop;

  put_own (insns, place, BPF_REG_2, BPF_REG_1, handle, stride);
  gilk_bpf_put_load (insns, 8, BPF_REG_1, BPF_REG_2, limit);
  is_frozen = gilk_bpf_put_jump (insns, BPF_JEQ | BPF_K, BPF_REG_1, 0, 0);
  gilk_bpf_put_map (insns, BPF_REG_2, handle, 0);
  gilk_bpf_put_constant (insns, BPF_REG_1, place->n_cpus);
  loop = insns->len;
  gilk_bpf_put_store_imm (insns, 8, BPF_REG_2, limit, 0);
  gilk_bpf_put_alu_imm (insns, BPF_ADD, BPF_REG_2, (int32_t) stride);
  gilk_bpf_put_loop (insns, BPF_REG_1, loop);
  gilk_bpf_land (insns, is_frozen);
}

/* ---- code of any service ---- */

gboolean
gilk_bpf_service_exists (guint service)
{
  return service == ILK_SERVICE_STACK || service == GILK_SERVICE_EVENT || service == ILK_SERVICE_FREEZE;
}

gboolean
gilk_bpf_service_uses_regs (guint service)
{
  return service == ILK_SERVICE_STACK;
}

gboolean
gilk_bpf_service_uses_cpu (guint service)
{
  return service == ILK_SERVICE_STACK || service == ILK_SERVICE_FREEZE;
}

void
gilk_bpf_service_put (GArray             *insns,
                      const GilkBpfPlace *place,
                      const GilkOps      *ops,
                      const GilkOp       *op)
{
  switch (op->imm)
    {
    case ILK_SERVICE_STACK:
      put_stack (insns, place, ops, op);
      break;
    case GILK_SERVICE_EVENT:
      put_event (insns, (uint64_t) op->imm2);
      break;
    case ILK_SERVICE_FREEZE:
    default:
      put_freeze (insns, place);
    }
}
