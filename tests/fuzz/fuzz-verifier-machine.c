/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-verifier-machine.c - checks the rules of gilk-verify.h during one run
 */
#include "tests/fuzz/fuzz-verifier-machine.h"

#include <capstone/capstone.h>
#include <string.h>

enum { STACK_BYTES = 8 * 320, RING_BYTES = 65536 };

void
machine_break (Machine    *m,
               const char *rule)
{
  if (m->broken == NULL)
    m->broken = rule;
}

uint64_t
machine_random (Machine *m)
{
  uint64_t bits = (uint64_t) g_rand_int (m->rand) << 32 | g_rand_int (m->rand);

  switch (bits & 7)
    {
    case 0: return bits >> 8 & 15;
    case 1: return UINT64_C (1) << (bits >> 8 & 63);
    case 2: return (uint64_t) -(int64_t) (bits >> 8 & 3);
    case 3: return UINT64_C (0xffffffffff600000) + (bits >> 8 & 31) - 16;
    case 4: return UINT64_C (0xffff888000000000) | bits >> 30;
    case 5: return m->begin_regs[bits >> 8 & 15];
    case 6: return bits >> 40;
    default: return bits;
    }
}

/* ---- the words of the simulated memory ---- */

static MachineWord *
get_word (Machine *m, uint64_t address, gboolean per_cpu)
{
  guint at = (guint) ((address * UINT64_C (0x9e3779b97f4a7c15)) >> 50) % MACHINE_WORDS;

  for (;; at = (at + 1) % MACHINE_WORDS)
    {
      MachineWord *word = &m->words[at];

      if (word->run == m->run && word->address == address && word->per_cpu == per_cpu)
        return word;
      if (word->run != m->run)
        {
          *word = (MachineWord) { address, per_cpu, m->run, machine_random (m) };
          return word;
        }
    }
}

static uint64_t
get_bytes (Machine *m, const Access *access)
{
  uint64_t value = 0;

  for (guint i = 0; i < access->size; i++)
    {
      uint64_t at = access->address + i;

      value |= (get_word (m, at & ~UINT64_C (7), access->per_cpu)->value >> (8 * (at & 7)) & 0xff) << (8 * i);
    }

  return value;
}

static void
set_bytes (Machine *m, const Access *access, uint64_t value)
{
  for (guint i = 0; i < access->size; i++)
    {
      uint64_t at = access->address + i;
      guint shift = 8 * (guint) (at & 7);
      uint64_t *word = &get_word (m, at & ~UINT64_C (7), access->per_cpu)->value;

      *word = (*word & ~(UINT64_C (0xff) << shift)) | (value >> (8 * i) & 0xff) << shift;
    }
}

/* ---- ownership of memory ---- */

static gboolean
is_in (const Access *access, const GilkVerifyRange *ranges, guint n)
{
  for (guint i = 0; i < n; i++)
    if (ranges[i].per_cpu == access->per_cpu && access->address - ranges[i].begin < ranges[i].end - ranges[i].begin &&
        access->address + access->size - 1 - ranges[i].begin < ranges[i].end - ranges[i].begin)
      return TRUE;

  return FALSE;
}

static gboolean
is_gate (const Machine *m, const Access *access, gboolean written)
{
  uint64_t iid = access->address - m->what->info->gates;
  gboolean known = !written && iid == m->what->iid;

  for (guint i = 0; i < m->what->n_gates; i++)
    known |= iid == m->what->gates[i];

  return known && !access->per_cpu && access->size == 1;
}

/* Returns whether the access is to words that the hook pushed on the stack. */
static gboolean
is_stack (const Machine *m, const Access *access)
{
  uint64_t begin = m->begin_regs[4], bytes = begin - m->regs[4];

  return !access->per_cpu && bytes <= STACK_BYTES && access->address - m->regs[4] < bytes &&
         access->size <= begin - access->address;
}

/* If the access is to a per-CPU word of the driver, returns 1 + the word's index, otherwise 0. */
static guint
find_word (const Machine *m, const Access *access)
{
  const struct ilk_info *info = m->what->info;
  const int32_t at[] = {
    info->gs_preempt_count, info->gs_guard, info->gs_ring_head, info->gs_ring_limit, info->gs_ring_base,
    info->gs_ring_mask, info->gs_ring_lost,
  };

  for (guint i = 0; access->per_cpu && i < G_N_ELEMENTS (at); i++)
    {
      uint64_t from = access->address - (uint64_t) (int64_t) at[i];

      if (from < 8 || -from < access->size)
        return i + 1;
    }

  return 0;
}

static gboolean
is_whole_word (const Machine *m, const Access *access, guint word)
{
  const struct ilk_info *info = m->what->info;
  const int32_t at[] = {
    info->gs_preempt_count, info->gs_guard, info->gs_ring_head, info->gs_ring_limit, info->gs_ring_base,
    info->gs_ring_mask, info->gs_ring_lost,
  };

  return access->address == (uint64_t) (int64_t) at[word - 1] &&
         access->size <= (word == 1 ? 4 : 8) && access->size >= 4;
}

/* ---- access to the record of a sample ---- */

/* Returns the offset of @address in the open record, or -1 if it is outside of the record. */
static int
record_byte (const Machine *m, uint64_t address)
{
  for (guint k = 0; m->open && k < ILK_RECORD_CELLS (m->what->payload); k++)
    {
      uint64_t from = address - m->ring_base - ((m->record + ILK_CELL * k) & m->ring_mask);

      if (from < ILK_CELL)
        return (int) (ILK_CELL * k + from);
    }

  return -1;
}

static void
commit_access (Machine *m, const Access *access, uint64_t value)
{
  Access name = { .address = access->address + 16, .size = 8 };

  if (access->size != 8 || value != m->record)
    machine_break (m, "a record is committed as what it is not");
  for (guint i = 8; i < 24 + m->what->payload; i++)
    if (!m->written[i])
      machine_break (m, "a record is committed that is not whole");
  if (get_bytes (m, &name) != (m->what->iid | (uint64_t) m->what->payload << 32))
    machine_break (m, "a record is committed that is another's");
  m->open = FALSE;
}

static gboolean
write_record (Machine *m, const Access *access, uint64_t value)
{
  if (access->per_cpu || access->address - m->ring_base + 8 >= RING_BYTES + 16)
    return FALSE;
  for (guint i = 0; i < access->size; i++)
    {
      int byte = record_byte (m, access->address + i);

      if (byte < 0)
        machine_break (m, "the ring is written beyond the record");
      else
        m->written[byte] = TRUE;
    }
  if (record_byte (m, access->address) == 0)
    commit_access (m, access, value);
  else if (record_byte (m, access->address) < 8 && m->open)
    machine_break (m, "a record is committed in pieces");
  set_bytes (m, access, value);

  return TRUE;
}

/* ---- checking reads of memory ---- */

static void
check_load (Machine *m, const Access *access)
{
  const uint64_t first = (UINT64_C (1) << 63) - (UINT64_C (1) << 31);
  uint64_t end = (uint64_t) (int64_t) m->what->kernel_end;

  if (access->per_cpu || access->address < first || access->address > end - access->size)
    machine_break (m, "memory is read that is not the kernel's");
  if (m->guard == m->begin_guard)
    machine_break (m, "memory is read outside of a guarded stretch");
  for (guint i = 0; i < m->what->n_faults; i++)
    if (m->what->faults[i].offset == access->offset)
      {
        m->faulted = g_rand_boolean (m->rand);
        m->fixup = m->what->faults[i].fixup;
        return;
      }
  machine_break (m, "memory is read without an entry for its fault");
}

uint64_t
machine_read (Machine      *m,
              const Access *access)
{
  guint word = find_word (m, access);
  uint64_t values[] = { m->preempt, m->guard, m->head, m->limit, m->ring_base, m->ring_mask, 0 };

  if (word > 0)
    {
      if (!is_whole_word (m, access, word))
        machine_break (m, "some of the driver's bytes are read");
      return access->size == 4 ? (uint32_t) values[word - 1] : values[word - 1];
    }
  if (!is_stack (m, access) && !is_in (access, m->what->own, m->what->n_own) && !is_gate (m, access, FALSE) &&
      !is_in (access, m->what->readable, m->what->n_readable) &&
      (access->per_cpu || record_byte (m, access->address) < 0))
    check_load (m, access);

  return get_bytes (m, access);
}

/* ---- checking writes to memory ---- */

static void
write_head (Machine *m, const Access *access, uint64_t value)
{
  if (access->insn != X86_INS_XADD || m->open || value != m->head + ILK_CELL * ILK_RECORD_CELLS (m->what->payload) ||
      m->preempt == m->begin_preempt)
    machine_break (m, "the head goes where it must not");
  if (m->head >= m->limit)
    machine_break (m, "a full ring is written to");
  m->record = m->head;
  m->head = value;
  m->open = TRUE;
  memset (m->written, 0, sizeof m->written);
}

static void
write_word (Machine *m, const Access *access, guint word, uint64_t value)
{
  if (!is_whole_word (m, access, word))
    machine_break (m, "some of the driver's bytes are written");

  switch (word)
    {
    case 1:
      if ((access->insn != X86_INS_INC && access->insn != X86_INS_DEC) || (uint32_t) value - m->begin_preempt > 8)
        machine_break (m, "the preempt count goes where it must not");
      m->preempt = (uint32_t) value;
      if (m->preempt == m->begin_preempt && (m->open || m->guard != m->begin_guard))
        machine_break (m, "the CPU may be left with a guard or a record");
      break;
    case 2:
      if (m->preempt == m->begin_preempt || access->size != 8 ||
          (m->guard == m->begin_guard ? value != (m->preempt & m->what->info->context_mask) || value == m->guard
                                      : value != m->begin_guard))
        machine_break (m, "the guard becomes what it must not be");
      m->guard = value;
      break;
    case 3:
      write_head (m, access, value);
      break;
    case 7:
      if (access->insn != X86_INS_INC || value != 1)
        machine_break (m, "the counter of lost samples is changed");
      break;
    default:
      machine_break (m, "the driver's words are written");
    }
}

static void
write_own (Machine *m, const Access *access, uint64_t value)
{
  gboolean at_once = access->locked || access->insn == X86_INS_XCHG || access->insn == X86_INS_MOV ||
                     access->insn == X86_INS_POP;

  if (!is_in (access, m->what->own, m->what->n_own))
    machine_break (m, "memory is written that is not the hook's");
  if (access->address % access->size != 0)
    machine_break (m, "a word is written that is not at a multiple of its size");
  if (!access->per_cpu && !at_once)
    machine_break (m, "memory of all CPUs is changed in two steps");
  set_bytes (m, access, value);
}

/* Checks a store to the kernel's memory, for which the same rules hold as for a load. Returns FALSE
 * if the code declares no store at this instruction. */
static gboolean
check_store (Machine *m, const Access *access)
{
  gboolean is_told = FALSE;

  for (guint i = 0; i < m->what->n_faults; i++)
    is_told |= m->what->faults[i].offset == access->offset;
  if (!is_told || access->insn != X86_INS_MOV || !(m->what->store_sizes & access->size))
    return FALSE;
  if (is_stack (m, access))
    machine_break (m, "the hook's stack is written as the kernel's memory");
  check_load (m, access);

  return TRUE;
}

void
machine_write (Machine      *m,
               const Access *access,
               uint64_t      value)
{
  guint word = find_word (m, access);

  if (check_store (m, access))
    return;
  if (word > 0)
    write_word (m, access, word, value);
  else if (is_stack (m, access))
    set_bytes (m, access, value);
  else if (is_gate (m, access, TRUE))
    {
      if (value > 1)
        machine_break (m, "a gate is neither open nor closed");
      set_bytes (m, access, value);
    }
  else if (!write_record (m, access, value))
    write_own (m, access, value);
}

/* ---- state at the start and the end of a run ---- */

/* KEPT: callee-saved registers. ARGUMENTS: registers of arguments. */
enum { KEPT = 1 << 3 | 1 << 5 | 0xf000, ARGUMENTS = 1 << 1 | 1 << 2 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9 };

void
machine_begin (Machine               *m,
               const GilkVerifyInput *what,
               GRand                 *rand)
{
  guint run = m->run + 1;

  memset (m, 0, offsetof (Machine, run));
  m->run = run;
  m->what = what;
  m->rand = rand;
  m->rip = what->address;
  for (guint i = 0; i < 16; i++)
    m->regs[i] = m->begin_regs[i] = machine_random (m);
  m->regs[4] = m->begin_regs[4] = UINT64_C (0xffffc90000102000) + 8 * (guint) g_rand_int_range (rand, 0, 32);
  m->flags = m->begin_flags = 0x202 | (g_rand_int (rand) & (FLAGS_ALL | (what->backward ? FLAG_D : 0)));
  m->ring_base = UINT64_C (0xffffc90000200000);
  m->ring_mask = RING_BYTES - ILK_CELL;
  m->head = 1 + ILK_CELL * (uint64_t) (g_rand_int (rand) >> g_rand_int_range (rand, 0, 20));
  m->limit = m->head + (g_rand_int_range (rand, 0, 6) == 0 ? 0 : ILK_CELL * 100);
  m->preempt = m->begin_preempt = (uint32_t) g_rand_int_range (rand, 0, 3) << 16 | (g_rand_boolean (rand) ? 5 : 0);
  m->guard = g_rand_int_range (rand, 0, 4) == 0 ? m->preempt & what->info->context_mask : 1;
  m->begin_guard = m->guard;
}

static uint64_t
get_bits (guint flags)
{
  static const uint16_t bits[] = { FLAG_C, FLAG_P, FLAG_A, FLAG_Z, FLAG_S, FLAG_O };
  uint64_t all = 0;

  for (guint i = 0; i < G_N_ELEMENTS (bits); i++)
    all |= flags >> i & 1 ? bits[i] : 0;

  return all;
}

static void
check_balance (Machine *m)
{
  if (m->preempt != m->begin_preempt)
    machine_break (m, "the preempt count is not as it was");
  if (m->guard != m->begin_guard)
    machine_break (m, "the guard is not as it was");
  if (m->open)
    machine_break (m, "a record is not committed");
  if (m->regs[4] != m->begin_regs[4])
    machine_break (m, "the stack pointer is not as it was");
}

static void
check_registers (Machine *m, guint needed)
{
  for (guint i = 0; i < 16; i++)
    if (needed >> i & 1 && !(m->what->sets >> i & 1) && m->regs[i] != m->begin_regs[i])
      machine_break (m, "a register is not as it was");
}

void
machine_end (Machine *m)
{
  check_balance (m);
  if ((m->flags ^ m->begin_flags) & ~get_bits (m->what->flags_dead))
    machine_break (m, "a flag is not as it was");
  check_registers (m, (uint16_t) ~m->what->may_change);
}

void
machine_leave (Machine *m, GilkVerifyExitKind how)
{
  m->left = TRUE;
  if (how == GILK_VERIFY_CONTINUES)
    {
      machine_end (m);
      return;
    }
  check_balance (m);
  check_registers (m, KEPT);
}

void
machine_call (Machine *m)
{
  check_balance (m);
  check_registers (m, KEPT | ARGUMENTS);
  for (guint i = 0; i < 16; i++)
    if (!(KEPT >> i & 1) && i != 4)
      m->regs[i] = machine_random (m);
  m->flags ^= machine_random (m) & FLAGS_ALL;
}

static void
do_jump (Machine *m, uint64_t to, uint64_t *next)
{
  const GilkVerifyInput *what = m->what;

  *next = to;
  for (guint i = 0; i < what->n_exits && to - what->address > what->length; i++)
    if (what->exits[i].address == to)
      {
        machine_leave (m, (GilkVerifyExitKind) what->exits[i].how);
        return;
      }
}

gboolean
machine_ways (Machine *m, const cs_insn *insn, uint64_t *next)
{
  const GilkVerifyInput *what = m->what;
  gboolean known = FALSE;

  switch (insn->id)
    {
    case X86_INS_JMP:
      if (insn->detail->x86.operands[0].type != X86_OP_IMM)
        return FALSE;
      do_jump (m, (uint64_t) insn->detail->x86.operands[0].imm, next);
      return TRUE;
    case X86_INS_RET:
      if (!what->may_return || insn->size != 1)
        machine_break (m, "a return that is not to be");
      machine_leave (m, GILK_VERIFY_RETURNS);
      return TRUE;
    case X86_INS_CALL:
      for (guint i = 0; insn->detail->x86.operands[0].type == X86_OP_IMM && i < what->n_calls; i++)
        known |= what->calls[i] == (uint64_t) insn->detail->x86.operands[0].imm;
      if (known)
        machine_call (m);
      return known;
    default:
      return FALSE;
    }
}
