/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-verifier-interpret.c - runs the code of a hook on a simulated CPU and checks its effects
 *
 * The interpreter shares no code with the verifier: Capstone decodes the instructions, values are
 * plain numbers, and memory is a table of words that are random until written. Flags that the
 * manual calls undefined become random.
 */
#include "tests/fuzz/fuzz-verifier-machine.h"

#include <capstone/capstone.h>

static csh decoder;

/* ---- reading and writing the operands of an instruction ---- */

static guint
get_reg_number (x86_reg reg)
{
#define NAMES(a, b, c, d) { X86_REG_##a, X86_REG_##b, X86_REG_##c, X86_REG_##d }
  static const x86_reg names[][4] = {
    NAMES (RAX, EAX, AX, AL), NAMES (RCX, ECX, CX, CL),
    NAMES (RDX, EDX, DX, DL), NAMES (RBX, EBX, BX, BL),
    NAMES (RSP, ESP, SP, SPL), NAMES (RBP, EBP, BP, BPL),
    NAMES (RSI, ESI, SI, SIL), NAMES (RDI, EDI, DI, DIL),
    NAMES (R8, R8D, R8W, R8B), NAMES (R9, R9D, R9W, R9B),
    NAMES (R10, R10D, R10W, R10B), NAMES (R11, R11D, R11W, R11B),
    NAMES (R12, R12D, R12W, R12B), NAMES (R13, R13D, R13W, R13B),
    NAMES (R14, R14D, R14W, R14B), NAMES (R15, R15D, R15W, R15B),
  };
#undef NAMES

  for (guint i = 0; i < 16; i++)
    for (guint k = 0; k < 4; k++)
      if (names[i][k] == reg)
        return i;

  return 16;
}

static uint64_t
get_mask (guint size)
{
  return size >= 8 ? UINT64_MAX : (UINT64_C (1) << (8 * size)) - 1;
}

static uint64_t
get_address (const Machine *m, const cs_insn *insn, const cs_x86_op *op)
{
  uint64_t address = (uint64_t) op->mem.disp;

  if (op->mem.base == X86_REG_RIP)
    address += insn->address + insn->size;
  else if (op->mem.base != X86_REG_INVALID)
    address += m->regs[get_reg_number (op->mem.base) & 15];
  if (op->mem.index != X86_REG_INVALID)
    address += m->regs[get_reg_number (op->mem.index) & 15] * (uint64_t) op->mem.scale;

  return address;
}

static Access
get_access (const Machine *m, const cs_insn *insn, guint i, guint size)
{
  const cs_x86_op *op = &insn->detail->x86.operands[i];

  return (Access) {
    .address = get_address (m, insn, op), .size = size, .per_cpu = op->mem.segment == X86_REG_GS,
    .insn = insn->id, .offset = (guint) (insn->address - m->what->address),
    .locked = insn->detail->x86.prefix[0] == X86_PREFIX_LOCK,
  };
}

static uint64_t
get_operand (Machine *m, const cs_insn *insn, guint i)
{
  const cs_x86_op *op = &insn->detail->x86.operands[i];
  guint number;

  switch (op->type)
    {
    case X86_OP_IMM:
      return (uint64_t) op->imm;
    case X86_OP_REG:
      number = get_reg_number (op->reg);
      if (number > 15)
        return machine_break (m, "a register that no hook has"), 0;
      return m->regs[number] & get_mask (op->size);
    default:
      {
        Access access = get_access (m, insn, i, op->size);

        return machine_read (m, &access);
      }
    }
}

static void
set_reg (Machine *m, guint number, uint64_t value, guint size)
{
  if (number > 15)
    machine_break (m, "a register that no hook has");
  else if (size >= 4)
    m->regs[number] = value & get_mask (size);
  else
    m->regs[number] = (m->regs[number] & ~get_mask (size)) | (value & get_mask (size));
}

static void
set_operand (Machine *m, const cs_insn *insn, guint i, uint64_t value)
{
  const cs_x86_op *op = &insn->detail->x86.operands[i];

  if (m->broken != NULL || m->faulted)
    return;
  if (op->type == X86_OP_REG)
    {
      set_reg (m, get_reg_number (op->reg), value, op->size);
    }
  else
    {
      Access access = get_access (m, insn, i, op->size);

      machine_write (m, &access, value & get_mask (op->size));
    }
}

/* ---- the simulated CPU's flags ---- */

static void
set_flag (Machine *m, uint64_t bit, gboolean on)
{
  m->flags = on ? m->flags | bit : m->flags & ~bit;
}

static void
get_flags (Machine *m, uint64_t result, guint size)
{
  uint64_t top = UINT64_C (1) << (8 * size - 1);

  set_flag (m, FLAG_Z, (result & get_mask (size)) == 0);
  set_flag (m, FLAG_S, (result & top) != 0);
  set_flag (m, FLAG_P, __builtin_popcount ((guint) (result & 0xff)) % 2 == 0);
}

static void
set_undefined (Machine *m, uint64_t bits)
{
  m->flags = (m->flags & ~bits) | (machine_random (m) & bits);
}

static uint64_t
add_with (Machine *m, uint64_t a, uint64_t b, guint carry, guint size)
{
  uint64_t mask = get_mask (size), top = UINT64_C (1) << (8 * size - 1), sum = (a + b + carry) & mask;

  get_flags (m, sum, size);
  set_flag (m, FLAG_C, carry ? sum <= (a & mask) : sum < (a & mask));
  set_flag (m, FLAG_A, ((a ^ b ^ sum) & 16) != 0);
  set_flag (m, FLAG_O, (~(a ^ b) & (a ^ sum) & top) != 0);

  return sum;
}

static uint64_t
subtract_with (Machine *m, uint64_t a, uint64_t b, guint borrow, guint size)
{
  uint64_t mask = get_mask (size), top = UINT64_C (1) << (8 * size - 1), rest = (a - b - borrow) & mask;

  get_flags (m, rest, size);
  set_flag (m, FLAG_C, borrow ? (a & mask) <= (b & mask) : (a & mask) < (b & mask));
  set_flag (m, FLAG_A, ((a ^ b ^ rest) & 16) != 0);
  set_flag (m, FLAG_O, ((a ^ b) & (a ^ rest) & top) != 0);

  return rest;
}

static uint64_t
set_bitwise_flags (Machine *m, uint64_t result, guint size)
{
  get_flags (m, result, size);
  set_flag (m, FLAG_C, FALSE);
  set_flag (m, FLAG_O, FALSE);
  set_undefined (m, FLAG_A);

  return result;
}

/* Evaluates a condition, given by the low four bits of its opcode. */
static gboolean
evaluate_condition (const Machine *m, guint cc)
{
  gboolean c = (m->flags & FLAG_C) != 0, z = (m->flags & FLAG_Z) != 0, s = (m->flags & FLAG_S) != 0;
  gboolean o = (m->flags & FLAG_O) != 0, p = (m->flags & FLAG_P) != 0;
  const gboolean holds[] = { o, c, z, c || z, s, p, s != o, z || s != o };

  return holds[cc >> 1] != (gboolean) (cc & 1);
}

static guint
get_cc (const cs_insn *insn)
{
  guint at = 0;

  while (insn->detail->x86.opcode[at] == 0x0f)
    at++;

  return insn->detail->x86.opcode[at] & 15;
}

/* ---- one function per group of instructions, which returns FALSE for other groups ---- */

static gboolean
do_arithmetic (Machine *m, const cs_insn *insn)
{
  guint size = insn->detail->x86.operands[0].size, carry = m->flags & FLAG_C ? 1 : 0;
  uint64_t a, b, result, kept = m->flags & FLAG_C;

  switch (insn->id)
    {
    case X86_INS_INC:
    case X86_INS_DEC:
      a = get_operand (m, insn, 0);
      result = insn->id == X86_INS_INC ? add_with (m, a, 1, 0, size) : subtract_with (m, a, 1, 0, size);
      set_flag (m, FLAG_C, kept != 0);
      set_operand (m, insn, 0, result);
      return TRUE;
    case X86_INS_NEG:
      set_operand (m, insn, 0, subtract_with (m, 0, get_operand (m, insn, 0), 0, size));
      return TRUE;
    case X86_INS_NOT:
      set_operand (m, insn, 0, ~get_operand (m, insn, 0));
      return TRUE;
    case X86_INS_ADD: case X86_INS_ADC: case X86_INS_SUB: case X86_INS_SBB: case X86_INS_CMP:
    case X86_INS_AND: case X86_INS_OR: case X86_INS_XOR: case X86_INS_TEST:
      break;
    default:
      return FALSE;
    }

  a = get_operand (m, insn, 0);
  b = get_operand (m, insn, 1) & get_mask (size);
  switch (insn->id)
    {
    case X86_INS_ADD: result = add_with (m, a, b, 0, size); break;
    case X86_INS_ADC: result = add_with (m, a, b, carry, size); break;
    case X86_INS_SBB: result = subtract_with (m, a, b, carry, size); break;
    case X86_INS_SUB: case X86_INS_CMP: result = subtract_with (m, a, b, 0, size); break;
    case X86_INS_OR:  result = set_bitwise_flags (m, a | b, size); break;
    case X86_INS_XOR: result = set_bitwise_flags (m, a ^ b, size); break;
    default:          result = set_bitwise_flags (m, a & b, size); break;
    }
  if (insn->id != X86_INS_CMP && insn->id != X86_INS_TEST)
    set_operand (m, insn, 0, result);

  return TRUE;
}

static gboolean
do_shift (Machine *m, const cs_insn *insn)
{
  guint size = insn->detail->x86.operands[0].size, bits = 8 * size, count;
  uint64_t a, result;

  switch (insn->id)
    {
    case X86_INS_SHL: case X86_INS_SAL: case X86_INS_SHR: case X86_INS_SAR:
    case X86_INS_ROL: case X86_INS_ROR: case X86_INS_RCL: case X86_INS_RCR:
      break;
    default:
      return FALSE;
    }

  a = get_operand (m, insn, 0);
  count = insn->detail->x86.op_count > 1 ? (guint) get_operand (m, insn, 1) : 1;
  count &= size == 8 ? 63 : 31;
  switch (insn->id)
    {
    case X86_INS_SHL: case X86_INS_SAL:
      result = a << count;
      break;
    case X86_INS_SHR:
      result = a >> count;
      break;
    case X86_INS_SAR:
      result = (uint64_t) ((int64_t) (a << (64 - bits)) >> (64 - bits) >> count);
      break;
    case X86_INS_ROL: case X86_INS_ROR:
      count = (insn->id == X86_INS_ROL ? count : bits - count % bits) % bits;
      result = count == 0 ? a : a << count | a >> (bits - count);
      break;
    default:
      result = machine_random (m);
    }
  set_undefined (m, FLAGS_ALL);
  set_operand (m, insn, 0, result);

  return TRUE;
}

static void
run_divide (Machine *m, const cs_insn *insn)
{
  uint64_t by = get_operand (m, insn, 0);
  guint size = insn->detail->x86.operands[0].size;
  unsigned __int128 whole = (unsigned __int128) m->regs[2] << 64 | m->regs[0], quotient, rest;
  gboolean fits;

  if (size != 8)
    whole = (m->regs[2] & get_mask (size)) << (8 * size) | (m->regs[0] & get_mask (size));
  if (by == 0 || (insn->id == X86_INS_IDIV && size != 8))
    {
      machine_break (m, "a division by 0");
      return;
    }
  if (insn->id == X86_INS_DIV)
    {
      quotient = whole / by;
      rest = whole % by;
      fits = quotient <= get_mask (size);
    }
  else
    {
      /* -2^127 / -1 is the only quotient that overflows 128 bits. Divide by 1 instead: neither
       * quotient fits into 64 bits. */
      if ((int64_t) by == -1 && whole == (unsigned __int128) 1 << 127)
        by = 1;
      quotient = (unsigned __int128) ((__int128) whole / (int64_t) by);
      rest = (unsigned __int128) ((__int128) whole % (int64_t) by);
      fits = (__int128) quotient == (int64_t) quotient;
    }
  if (!fits)
    machine_break (m, "a quotient that is too large");
  set_reg (m, 0, (uint64_t) quotient, size);
  set_reg (m, 2, (uint64_t) rest, size);
  set_undefined (m, FLAGS_ALL);
}

static gboolean
do_products (Machine *m, const cs_insn *insn)
{
  guint size = insn->detail->x86.operands[0].size, n = insn->detail->x86.op_count;
  uint64_t a, b;
  unsigned __int128 product;

  switch (insn->id)
    {
    case X86_INS_DIV: case X86_INS_IDIV:
      run_divide (m, insn);
      return TRUE;
    case X86_INS_MUL: case X86_INS_IMUL:
      break;
    default:
      return FALSE;
    }

  a = n == 1 ? m->regs[0] & get_mask (size) : get_operand (m, insn, n == 3 ? 1 : 0);
  b = get_operand (m, insn, n == 1 ? 0 : n - 1);
  product = (unsigned __int128) a * b;
  if (insn->id == X86_INS_IMUL && size == 8)
    product = (unsigned __int128) ((__int128) (int64_t) a * (int64_t) b);
  if (n > 1)
    {
      set_operand (m, insn, 0, (uint64_t) product);
    }
  else
    {
      set_reg (m, 0, (uint64_t) product, size);
      set_reg (m, 2, (uint64_t) (product >> (8 * size)), size);
    }
  set_undefined (m, FLAGS_ALL);

  return TRUE;
}

static gboolean
do_moves (Machine *m, const cs_insn *insn)
{
  uint64_t a, b;
  guint size;

  switch (insn->id)
    {
    case X86_INS_MOV: case X86_INS_MOVABS: case X86_INS_MOVZX:
      set_operand (m, insn, 0, get_operand (m, insn, 1));
      return TRUE;
    case X86_INS_MOVSX: case X86_INS_MOVSXD:
      size = insn->detail->x86.operands[1].size;
      a = get_operand (m, insn, 1) << (64 - 8 * size);
      set_operand (m, insn, 0, (uint64_t) ((int64_t) a >> (64 - 8 * size)));
      return TRUE;
    case X86_INS_LEA:
      set_operand (m, insn, 0, get_address (m, insn, &insn->detail->x86.operands[1]));
      return TRUE;
    case X86_INS_XCHG:
      a = get_operand (m, insn, 0);
      b = get_operand (m, insn, 1);
      set_operand (m, insn, 0, b);
      set_operand (m, insn, 1, a);
      return TRUE;
    case X86_INS_XADD:
      a = get_operand (m, insn, 0);
      b = get_operand (m, insn, 1);
      size = insn->detail->x86.operands[0].size;
      set_operand (m, insn, 1, a);
      set_operand (m, insn, 0, add_with (m, a, b, 0, size));
      return TRUE;
    case X86_INS_CMPXCHG:
      size = insn->detail->x86.operands[0].size;
      a = get_operand (m, insn, 0);
      subtract_with (m, m->regs[0], a, 0, size);
      set_operand (m, insn, 0, m->flags & FLAG_Z ? get_operand (m, insn, 1) : a);
      if (!(m->flags & FLAG_Z))
        set_reg (m, 0, a, size);
      return TRUE;
    case X86_INS_CDQ:
      set_reg (m, 2, (uint64_t) ((int32_t) m->regs[0] >> 31), 4);
      return TRUE;
    case X86_INS_CQO:
      set_reg (m, 2, (uint64_t) ((int64_t) m->regs[0] >> 63), 8);
      return TRUE;
    case X86_INS_CDQE:
      set_reg (m, 0, (uint64_t) (int64_t) (int32_t) m->regs[0], 8);
      return TRUE;
    case X86_INS_CWDE:
      set_reg (m, 0, (uint64_t) (int64_t) (int16_t) m->regs[0], 4);
      return TRUE;
    case X86_INS_RDTSC:
      set_reg (m, 0, machine_random (m), 4);
      set_reg (m, 2, machine_random (m), 4);
      return TRUE;
    case X86_INS_BSR: case X86_INS_BSF:
      a = get_operand (m, insn, 1);
      set_undefined (m, FLAGS_ALL);
      if (a == 0)
        set_operand (m, insn, 0, machine_random (m));
      else
        set_operand (m, insn, 0, insn->id == X86_INS_BSR ? 63 - (guint) __builtin_clzll (a) : (guint) __builtin_ctzll (a));
      set_flag (m, FLAG_Z, a == 0);
      return TRUE;
    case X86_INS_NOP:
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
do_stack (Machine *m, const cs_insn *insn)
{
  Access top = { .address = m->regs[4], .size = 8, .insn = insn->id };
  uint64_t value;

  switch (insn->id)
    {
    case X86_INS_PUSH:
    case X86_INS_PUSHFQ:
      value = insn->id == X86_INS_PUSHFQ ? m->flags : get_operand (m, insn, 0);
      m->regs[4] -= 8;
      top.address -= 8;
      machine_write (m, &top, value);
      return TRUE;
    case X86_INS_POP:
      value = machine_read (m, &top);
      m->regs[4] += 8;
      set_operand (m, insn, 0, value);
      return TRUE;
    case X86_INS_POPFQ:
      m->flags = machine_read (m, &top);
      m->regs[4] += 8;
      if ((m->flags ^ m->begin_flags) & ~(uint64_t) (FLAGS_ALL | FLAG_D))
        machine_break (m, "flags are popped that were not pushed");
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
do_conditions (Machine *m, const cs_insn *insn, uint64_t *next)
{
  guint opcode = insn->detail->x86.opcode[0], second = insn->detail->x86.opcode[1];
  gboolean wide = opcode == 0x0f;
  uint64_t value;

  if ((!wide && (opcode & 0xf0) == 0x70) || (wide && (second & 0xf0) == 0x80))
    *next = evaluate_condition (m, get_cc (insn)) ? (uint64_t) insn->detail->x86.operands[0].imm : *next;
  else if (wide && (second & 0xf0) == 0x90)
    set_operand (m, insn, 0, evaluate_condition (m, get_cc (insn)));
  else if (wide && (second & 0xf0) == 0x40)
    {
      value = get_operand (m, insn, 1);
      set_operand (m, insn, 0, evaluate_condition (m, get_cc (insn)) ? value : get_operand (m, insn, 0));
    }
  else
    return FALSE;

  return TRUE;
}

static gboolean
is_stacks (const Machine *m)
{
  for (guint i = 0; i < m->what->n_own; i++)
    if (!m->what->own[i].per_cpu && m->what->own[i].begin == m->regs[7] &&
        m->regs[6] <= (m->what->own[i].end - m->what->own[i].begin) / 8)
      return TRUE;

  return FALSE;
}

static gboolean
do_calls (Machine *m, const cs_insn *insn)
{
  guint service = 0;

  if (insn->id == X86_INS_CLD)
    {
      m->flags &= ~(uint64_t) FLAG_D;
      return TRUE;
    }
  if (insn->id != X86_INS_CALL || insn->detail->x86.operands[0].type != X86_OP_IMM)
    return FALSE;
  while (service < ILK_SERVICES && m->what->info->services[service] != (uint64_t) insn->detail->x86.operands[0].imm)
    service++;
  if (service == ILK_SERVICES)
    machine_break (m, "a call of what is no service");
  if (m->guard == m->begin_guard || m->open)
    machine_break (m, "a call outside of a guarded stretch, or within a record");
  if (m->flags & FLAG_D)
    machine_break (m, "a call while copies go backward");
  if (service == ILK_SERVICE_STACK ? !is_stacks (m) : m->regs[7] != m->what->iid)
    machine_break (m, "a call that writes elsewhere");
  for (guint i = 0; i < 16; i++)
    if (0x0fc7 >> i & 1)
      m->regs[i] = machine_random (m);
  set_undefined (m, FLAGS_ALL);

  return TRUE;
}

static void
run_insn (Machine *m, const cs_insn *insn)
{
  uint64_t next = insn->address + insn->size;

  m->faulted = FALSE;
  if (!machine_ways (m, insn, &next) && !do_conditions (m, insn, &next) && !do_arithmetic (m, insn) && !do_moves (m, insn) &&
      !do_stack (m, insn) && !do_shift (m, insn) && !do_products (m, insn) && !do_calls (m, insn))
    machine_break (m, "an instruction that no hook has");
  m->rip = m->faulted ? m->fixup : next;
}

const char *
fuzz_verifier_interpret (const GilkVerifyInput *what,
                         GRand                 *rand)
{
  static Machine machine;
  static cs_insn *insn;
  guint steps = 0;

  if (decoder == 0)
    {
      g_assert_cmpint (cs_open (CS_ARCH_X86, CS_MODE_64, &decoder), ==, CS_ERR_OK);
      cs_option (decoder, CS_OPT_DETAIL, CS_OPT_ON);
      insn = cs_malloc (decoder);
    }

  machine_begin (&machine, what, rand);
  while (machine.broken == NULL && !machine.left && machine.rip != what->address + what->length)
    {
      uint64_t offset = machine.rip - what->address, address = machine.rip;
      const uint8_t *code = what->code + offset;
      size_t left = what->length - offset;

      if (offset > what->length)
        return "control leaves the code";
      if (++steps > what->longest)
        return "a way is too long";
      if (!cs_disasm_iter (decoder, &code, &left, &address, insn))
        return "these bytes are no instruction";
      run_insn (&machine, insn);
    }
  if (machine.broken == NULL && !machine.left)
    machine_end (&machine);

  return machine.broken;
}
