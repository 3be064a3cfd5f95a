/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Promise: BPF programs do exactly what the probe language says
 *
 * fuzz-bpf.c - runs random operations as a BPF program and in the model, and compares the results
 *
 * An interpreter executes the program. Each access must be within the program's stack, its context
 * or a map, so that the program does nothing that the kernel's verifier would refuse for its bounds.
 *
 *   fuzz-bpf [--count N] [--seconds N] [--seed N] [--write FILE]
 *
 * With --write, the programs are also written to FILE, for the verifiers of real kernels
 * (tests/lab/bpf-verifier.py): for each program the number of its instructions, 32 bits, then the
 * instructions.
 */
#include <stdio.h>

#include "agent/gilk-wire.h"
#include "core/emit/gilk-bpf-code.h"
#include "core/emit/gilk-ops-code.h"
#include "tests/fuzz/fuzz-ops.h"
#include "tests/unit/ops-model.h"

#define HEAP UINT64_C (0xffff888000001000)
#define TASK UINT64_C (0xffff888000001040)
#define POINT UINT64_C (0xffffffff81234560)
#define USER UINT64_C (0x00007ffff7001000)

enum {
  HEAP_BYTES = 4096, RING_BYTES = 65536, N_CPUS = 2, CPU = 1, IID = 77, CLOCK = 0x123456789a, STACK_BYTES = 512,
  GATE_IID = 12, KEYS = 3,
};

static const uint32_t gates[FUZZ_GATES] = { 3, 9, 4, 8 };
/* Keys of event counters that every kernel has; bpf-verifier.py creates counters with the same
 * keys. */
static const uint64_t keys[KEYS] = { GILK_EVENT_KEY (1, 2), GILK_EVENT_KEY (1, 3), GILK_EVENT_KEY (1, 4) };
static const uint64_t area_ids[FUZZ_AREAS] = { 11, 12, 13, 14, 15 };

typedef struct {
  GRand    *rand;
  GilkOps  *ops;
  GArray   *insns;
  uint8_t   heap[HEAP_BYTES];
  uint64_t  areas[FUZZ_AREAS][N_CPUS * FUZZ_ELEMENTS], was[FUZZ_AREAS][N_CPUS * FUZZ_ELEMENTS];
  struct gilk_bpf_counter counters[N_CPUS][GILK_BPF_BLOCK];
  uint8_t   gates[GILK_BPF_HOOKS_MAX + 1];
  uint8_t   ring[N_CPUS * GILK_BPF_RING_STRIDE (RING_BYTES)];
  uint64_t  guards[N_CPUS];
  uint64_t  head;
  GArray   *stolen;             /* guint64: positions in the ring at which other hits have taken
                                   cells */
  gboolean  steals, always;     /* another hit takes cells of the ring at the next read of the
                                   clock, or at each */
  struct gilk_bpf_stack buffers[N_CPUS];
  uint64_t  addresses[ILK_STACK_DEPTH];
  uint64_t  limit;
  guint     depth;              /* number of @addresses; 0: the kernel returns no stack */
  uint64_t  context[21];
  uint64_t  stack[STACK_BYTES / 8];
  OpsModel  model;
  gboolean  is_shared;          /* other hooks have the same program */
  gboolean  is_off;             /* the hook is switched off: its program does not run */
  gboolean  is_busy;            /* another program uses the CPU's buffer for stack traces */
  gboolean  is_guarded;         /* another program is in a guarded critical section */
} Case;

/* ---- replacement of operations that BPF does not have ---- */

/* Replaces an operation that programs at a function's entry must not contain by one that they may
 * contain. */
static void
make_entry (GilkOp *op)
{
  static const guint8 arguments[] = { GILK_RDI, GILK_RSI, GILK_RDX, GILK_RCX, GILK_R8, GILK_R9 };

  if (op->kind == GILK_OP_REGISTER)
    op->imm = arguments[op->imm % 6];
  if (op->kind == GILK_OP_FACT || op->kind == GILK_OP_CONTEXT)
    *op = (GilkOp) { .kind = GILK_OP_CONST, .to = op->to, .a = GILK_NO_VALUE, .b = GILK_NO_VALUE, .index = GILK_NO_VALUE,
                     .label = GILK_NO_LABEL, .imm = op->imm };
  if (op->kind == GILK_OP_CALL && op->imm == ILK_SERVICE_STACK)
    {
      op->imm = GILK_SERVICE_EVENT;
      op->imm2 = (int64_t) keys[op->to % KEYS];
    }
}

/* Replaces an operation that BPF programs cannot execute by one that they can. */
static void
make_possible (GilkOps *ops, GilkOp *op, guint end)
{
  const guint to = op->to, label = op->label, a = op->a, b = op->b;

  switch (op->kind)
    {
    case GILK_OP_CPU_LOAD:
      op->imm = op->imm & 8 ? GILK_BPF_GS_CURRENT : GILK_BPF_GS_CPU;
      op->size = 8;
      op->is_signed = 0;
      break;
    case GILK_OP_FACT:
      op->kind = GILK_OP_CONTEXT;
      op->imm *= 5;
      break;
    case GILK_OP_CALL:
      if (op->imm == ILK_SERVICE_STACK && to % 2 != 0)
        {
          op->imm = GILK_SERVICE_EVENT;
          op->imm2 = (int64_t) keys[to % KEYS];
        }
      if (op->imm == ILK_SERVICE_STACK || op->imm == ILK_SERVICE_FREEZE || op->imm == GILK_SERVICE_EVENT)
        break;
      *op = (GilkOp) { .kind = to != GILK_NO_VALUE ? GILK_OP_CONST : GILK_OP_COUNT, .to = (uint16_t) to, .a = GILK_NO_VALUE,
                       .b = GILK_NO_VALUE, .index = GILK_NO_VALUE, .label = GILK_NO_LABEL, .imm = to != GILK_NO_VALUE ? 7 : 0 };
      break;
    case GILK_OP_REGISTER_SET:
      *op = (GilkOp) { .kind = GILK_OP_COUNT, .to = GILK_NO_VALUE, .a = GILK_NO_VALUE, .b = GILK_NO_VALUE,
                       .index = GILK_NO_VALUE, .label = GILK_NO_LABEL };
      break;
    case GILK_OP_STORE:
      *op = (GilkOp) { .kind = GILK_OP_BRANCH, .compare = GILK_IF_ABOVE, .to = GILK_NO_VALUE, .a = (uint16_t) a,
                       .b = (uint16_t) b, .index = GILK_NO_VALUE, .label = (uint16_t) label };
      break;
    case GILK_OP_EXIT:
      *op = (GilkOp) { .kind = GILK_OP_JUMP, .to = GILK_NO_VALUE, .a = GILK_NO_VALUE, .b = GILK_NO_VALUE,
                       .index = GILK_NO_VALUE, .label = (uint16_t) end };
      break;
    default:
      break;
    }
}

/* Replaces some constants by the address of the function, which programs that hooks share get from
 * the kernel. */
static void
make_function (GRand *rand, GilkOp *op)
{
  if (op->kind == GILK_OP_CONST && g_rand_int_range (rand, 0, 8) == 0)
    op->imm = (int64_t) POINT;
}

static gboolean
has_exit (const GilkOps *ops)
{
  for (guint i = 0; i < ops->ops->len; i++)
    if (g_array_index (ops->ops, GilkOp, i).kind == GILK_OP_EXIT)
      return TRUE;

  return FALSE;
}

static GilkOps *
make_ops (GRand *rand)
{
  GilkOps *ops = fuzz_ops_make (rand, 0);
  const gboolean is_entry = g_rand_boolean (rand);
  const guint end = has_exit (ops) ? gilk_ops_label (ops) : GILK_NO_LABEL;
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < ops->ops->len; i++)
    {
      if (is_entry)
        make_entry (&g_array_index (ops->ops, GilkOp, i));
      make_possible (ops, &g_array_index (ops->ops, GilkOp, i), end);
      make_function (rand, &g_array_index (ops->ops, GilkOp, i));
    }
  if (end != GILK_NO_LABEL)
    gilk_ops_add (ops, &(GilkOp) { .kind = GILK_OP_LABEL, .to = GILK_NO_VALUE, .a = GILK_NO_VALUE, .b = GILK_NO_VALUE,
                                   .index = GILK_NO_VALUE, .label = (uint16_t) end });
  if (!gilk_ops_check (ops, &error))
    {
      g_clear_pointer (&ops, gilk_ops_free);
    }

  return ops;
}

/* ---- the interpreter of BPF programs ---- */

typedef struct { uint64_t at, bytes; } Region;

static gboolean
is_within (const void *base, gsize size, uint64_t at, guint bytes)
{
  return at >= (uint64_t) (uintptr_t) base && at + bytes <= (uint64_t) (uintptr_t) base + size;
}

static void
check_access (Case *c, uint64_t at, guint bytes)
{
  gboolean good = is_within (c->stack, sizeof c->stack, at, bytes) || is_within (c->context, sizeof c->context, at, bytes) ||
                  is_within (c->counters, sizeof c->counters, at, bytes) || is_within (c->gates, sizeof c->gates, at, bytes) ||
                  is_within (c->ring, sizeof c->ring, at, bytes) || is_within (c->guards, sizeof c->guards, at, bytes) ||
                  is_within (c->buffers, sizeof c->buffers, at, bytes);

  for (guint i = 0; i < FUZZ_AREAS; i++)
    good |= is_within (c->areas[i], sizeof c->areas[i], at, bytes);
  g_assert_true (good);
}

static void *
find_map (Case *c, uint32_t handle)
{
  const guint index = handle & 0xffffff;

  switch (handle >> 24)
    {
    case GILK_BPF_COUNTERS:
      g_assert_cmpuint (index, ==, 0);
      return c->counters;
    case GILK_BPF_GATES:
      return c->gates;
    case GILK_BPF_GUARDS:
      return c->guards;
    case GILK_BPF_RING:
      return c->ring;
    case GILK_BPF_AREA:
      g_assert_cmpuint (index - 11, <, FUZZ_AREAS);
      return c->areas[index - 11];
    case GILK_BPF_STACK:
      g_assert_cmpuint (index, ==, 0);
      return c->buffers;
    default:
      g_assert_not_reached ();
    }
}

static uint64_t
read_memory (uint64_t at, guint size)
{
  uint64_t value = 0;

  memcpy (&value, (const void *) (uintptr_t) at, size);

  return value;
}

static gboolean
load_heap (uint64_t address, void *to, guint size, gpointer data)
{
  Case *c = data;

  if (address - HEAP > HEAP_BYTES - size)
    return FALSE;
  memcpy (to, c->heap + (address - HEAP), size);

  return TRUE;
}

static struct gilk_bpf_ring *
ring_of (Case *c)
{
  return (struct gilk_bpf_ring *) (void *) (c->ring + CPU * GILK_BPF_RING_STRIDE (RING_BYTES));
}

/* Sometimes lets another hit take cells of the ring, as if it interrupted this hit, but never twice
 * in a row unless c->always is set. */
static void
steal_cells (Case *c)
{
  if (c->always || c->steals)
    {
      g_array_append_val (c->stolen, ring_of (c)->head);
      ring_of (c)->head += ILK_CELL;
    }
  c->steals = !c->steals && g_rand_int_range (c->rand, 0, 4) == 0;
}

static gboolean
is_stolen (const Case *c, uint64_t head)
{
  for (guint i = 0; i < c->stolen->len; i++)
    if (g_array_index (c->stolen, uint64_t, i) == head)
      return TRUE;

  return FALSE;
}

/* Works like bpf_get_stack(): writes the stack, followed by zeros. If there is no stack, writes
 * only zeros and returns -EFAULT. */
static uint64_t
read_stack (Case *c, const uint64_t *r)
{
  const gsize bytes = 8 * (gsize) c->depth;

  g_assert_cmphex (r[1], ==, (uint64_t) (uintptr_t) c->context);
  g_assert_cmpuint (r[3], ==, sizeof c->addresses);
  g_assert_cmpuint (r[4], ==, 0);
  check_access (c, r[2], sizeof c->addresses);
  memset ((void *) (uintptr_t) r[2], 0, sizeof c->addresses);
  memcpy ((void *) (uintptr_t) r[2], c->addresses, bytes);

  return bytes != 0 ? bytes : (uint64_t) -14;
}

static uint64_t
get_argument (const Case *c, guint number)
{
  static const guint8 registers[] = { GILK_RDI, GILK_RSI, GILK_RDX, GILK_RCX, GILK_R8, GILK_R9 };

  g_assert_cmpuint (number, <, G_N_ELEMENTS (registers));

  return c->model.regs[registers[number]];
}

static uint64_t
read_event (const Case *c, const uint64_t *r)
{
  g_assert_cmphex (r[2], ==, BPF_F_CURRENT_CPU);
  for (guint i = 0; i < KEYS; i++)
    if (r[1] == (uint64_t) (uintptr_t) &keys[i])
      return c->model.is_blind ? (uint64_t) -2 : keys[i];
  g_assert_not_reached ();
}

static const uint64_t *
find_event (uint64_t key)
{
  for (guint i = 0; i < KEYS; i++)
    if (keys[i] == key)
      return &keys[i];
  g_assert_not_reached ();
}

/* Reads simulated user memory. The page after the heap is not present. */
static gboolean
load_user (uint64_t address, void *to, guint size, gpointer data)
{
  Case *c = data;

  if (address - USER > HEAP_BYTES - size)
    return FALSE;
  memcpy (to, c->heap + (address - USER), size);

  return TRUE;
}

/* Works like bpf_probe_read_user_str(): reads up to the first 0. Returns the number of bytes, or an
 * error. */
static int64_t
read_user_string (Case *c, uint8_t *to, guint size, uint64_t address)
{
  memset (to, 0, size);
  for (guint i = 0; i < size; i++)
    {
      if (!load_user (address + i, to + i, 1, c))
        return -14;
      if (to[i] == 0)
        return i + 1;
    }
  to[size - 1] = 0;

  return size;
}

static void
call_helper (Case *c, uint64_t *r, int32_t helper)
{
  switch (helper)
    {
    case BPF_FUNC_ktime_get_ns:
      steal_cells (c);
      r[0] = CLOCK;
      break;
    case BPF_FUNC_get_attach_cookie:
      g_assert_cmphex (r[1], ==, (uint64_t) (uintptr_t) c->context);
      r[0] = IID;
      break;
    case BPF_FUNC_get_func_ip:
      g_assert_cmphex (r[1], ==, (uint64_t) (uintptr_t) c->context);
      r[0] = POINT;
      break;
    case BPF_FUNC_get_func_arg:
      g_assert_cmphex (r[1], ==, (uint64_t) (uintptr_t) c->context);
      check_access (c, r[3], 8);
      *(uint64_t *) (uintptr_t) r[3] = get_argument (c, (guint) r[2]);
      r[0] = 0;
      break;
    case BPF_FUNC_get_smp_processor_id:
      r[0] = CPU;
      break;
    case BPF_FUNC_get_current_task:
      r[0] = TASK;
      break;
    case BPF_FUNC_probe_read_user_str:
      check_access (c, r[1], (guint) r[2]);
      r[0] = (uint64_t) read_user_string (c, (void *) (uintptr_t) r[1], (guint) r[2], r[3]);
      break;
    case BPF_FUNC_probe_read_user:
    case BPF_FUNC_probe_read_kernel:
      check_access (c, r[1], (guint) r[2]);
      if ((helper == BPF_FUNC_probe_read_user ? load_user : load_heap) (r[3], (void *) (uintptr_t) r[1], (guint) r[2], c))
        {
          r[0] = 0;
          break;
        }
      memset ((void *) (uintptr_t) r[1], 0, (gsize) r[2]);
      r[0] = (uint64_t) -14;
      break;
    case BPF_FUNC_get_stack:
      r[0] = read_stack (c, r);
      break;
    case BPF_FUNC_perf_event_read:
      r[0] = read_event (c, r);
      break;
    default:
      g_assert_not_reached ();
    }
  for (guint i = 1; i <= 5; i++)
    r[i] = 0xdeadbeefdeadbeef;
}

static uint64_t
compute (guint code, uint64_t a, uint64_t b)
{
  switch (BPF_OP (code))
    {
    case BPF_ADD: return a + b;
    case BPF_SUB: return a - b;
    case BPF_MUL: return a * b;
    case BPF_DIV: return b != 0 ? a / b : 0;
    case BPF_MOD: return b != 0 ? a % b : a;
    case BPF_OR:  return a | b;
    case BPF_AND: return a & b;
    case BPF_XOR: return a ^ b;
    case BPF_MOV: return b;
    case BPF_NEG: return -a;
    case BPF_LSH: g_assert_cmpuint (b, <, 64); return a << b;
    case BPF_RSH: g_assert_cmpuint (b, <, 64); return a >> b;
    case BPF_ARSH: g_assert_cmpuint (b, <, 64); return (uint64_t) ((int64_t) a >> b);
    default: g_assert_not_reached ();
    }
}

static gboolean
is_jump_taken (guint code, uint64_t a, uint64_t b)
{
  switch (BPF_OP (code))
    {
    case BPF_JA:   return TRUE;
    case BPF_JEQ:  return a == b;
    case BPF_JNE:  return a != b;
    case BPF_JLT:  return a < b;
    case BPF_JLE:  return a <= b;
    case BPF_JGT:  return a > b;
    case BPF_JGE:  return a >= b;
    case BPF_JSLT: return (int64_t) a < (int64_t) b;
    case BPF_JSLE: return (int64_t) a <= (int64_t) b;
    case BPF_JSGT: return (int64_t) a > (int64_t) b;
    case BPF_JSGE: return (int64_t) a >= (int64_t) b;
    case BPF_JSET: return (a & b) != 0;
    default: g_assert_not_reached ();
    }
}

static guint
size_of (guint code)
{
  return BPF_SIZE (code) == BPF_B ? 1 : BPF_SIZE (code) == BPF_H ? 2 : BPF_SIZE (code) == BPF_W ? 4 : 8;
}

static void
do_atomic (Case *c, uint64_t *r, const struct bpf_insn *insn)
{
  const uint64_t at = r[insn->dst_reg] + (uint64_t) (int64_t) insn->off;
  uint64_t old = read_memory (at, 8), value = r[insn->src_reg];

  check_access (c, at, 8);
  g_assert_cmpuint (at % 8, ==, 0);
  switch (insn->imm)
    {
    case BPF_ADD:
      value += old;
      break;
    case BPF_XCHG:
      r[insn->src_reg] = old;
      break;
    case BPF_CMPXCHG:
    default:
      g_assert_cmpint (insn->imm, ==, BPF_CMPXCHG);
      value = old == r[0] ? value : old;
      r[0] = old;
    }
  memcpy ((void *) (uintptr_t) at, &value, 8);
}

static void
do_memory (Case *c, uint64_t *r, const struct bpf_insn *insn)
{
  const guint size = size_of (insn->code);
  const gboolean loads = BPF_CLASS (insn->code) == BPF_LDX;
  const uint64_t at = r[loads ? insn->src_reg : insn->dst_reg] + (uint64_t) (int64_t) insn->off;
  const uint64_t imm = (uint64_t) (int64_t) insn->imm;

  if (BPF_MODE (insn->code) == BPF_ATOMIC)
    {
      do_atomic (c, r, insn);
      return;
    }
  check_access (c, at, size);
  if (loads)
    r[insn->dst_reg] = read_memory (at, size);
  else if (BPF_CLASS (insn->code) == BPF_STX)
    memcpy ((void *) (uintptr_t) at, &r[insn->src_reg], size);
  else
    memcpy ((void *) (uintptr_t) at, &imm, size);
}

static void
interpret (Case *c)
{
  const struct bpf_insn *insns = (const void *) c->insns->data;
  uint64_t r[11] = { 0 };

  r[1] = (uint64_t) (uintptr_t) c->context;
  r[10] = (uint64_t) (uintptr_t) (c->stack + STACK_BYTES / 8);
  for (guint pc = 0; ; pc++)
    {
      const struct bpf_insn *insn = &insns[pc];
      const uint64_t b = insn->code & BPF_X ? r[insn->src_reg] : (uint64_t) (int64_t) insn->imm;

      g_assert_cmpuint (pc, <, c->insns->len);
      switch (BPF_CLASS (insn->code))
        {
        case BPF_ALU64:
          r[insn->dst_reg] = compute (insn->code, r[insn->dst_reg], b);
          break;
        case BPF_ALU:
          r[insn->dst_reg] = (uint32_t) compute (insn->code, (uint32_t) r[insn->dst_reg], (uint32_t) b);
          break;
        case BPF_LD:
          g_assert_cmpuint (insn->code, ==, BPF_LD | BPF_DW | BPF_IMM);
          r[insn->dst_reg] = (uint32_t) insn->imm | (uint64_t) (uint32_t) insn[1].imm << 32;
          if (insn->src_reg == BPF_PSEUDO_MAP_VALUE)
            r[insn->dst_reg] = (uint64_t) (uintptr_t) find_map (c, (uint32_t) insn->imm) + (uint32_t) insn[1].imm;
          else if (insn->src_reg == BPF_PSEUDO_MAP_FD)
            r[insn->dst_reg] = (uint64_t) (uintptr_t) find_event (r[insn->dst_reg]);
          pc++;
          break;
        case BPF_JMP:
          if (BPF_OP (insn->code) == BPF_EXIT)
            return;
          if (BPF_OP (insn->code) == BPF_CALL)
            call_helper (c, r, insn->imm);
          else if (is_jump_taken (insn->code, r[insn->dst_reg], b))
            pc += (guint) insn->off;
          break;
        default:
          do_memory (c, r, insn);
        }
    }
}

/* ---- random values of registers ---- */

static uint64_t
draw_register (GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 10))
    {
    case 0: return (uint64_t) g_rand_int_range (rand, 0, 20);
    case 1: return (uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand);
    case 2: return UINT64_C (1) << g_rand_int_range (rand, 0, 64);
    case 7: return USER + HEAP_BYTES - (uint64_t) g_rand_int_range (rand, 0, 16);
    case 8: return USER + 64 + (uint64_t) g_rand_int_range (rand, 0, HEAP_BYTES - 200);
    case 3: return HEAP + HEAP_BYTES - (uint64_t) g_rand_int_range (rand, 0, 16);
    case 4: return (uint64_t) (int64_t) (int32_t) g_rand_int (rand);
    case 5: return (uint64_t) GILK_OPS_KERNEL_END - (uint64_t) g_rand_int_range (rand, -16, 16);
    default: return HEAP + 64 + (uint64_t) g_rand_int_range (rand, 0, HEAP_BYTES - 200);
    }
}

/* ---- the model's table of stacks ---- */

static uint64_t
hash_stack (const Case *c)
{
  uint64_t hash = 0;

  for (guint i = 0; i < ILK_STACK_DEPTH; i++)
    hash = (hash ^ (i == 0 ? POINT : i < c->depth ? c->addresses[i] : 0)) * UINT64_C (0x9e3779b97f4a7c15);

  return hash != 0 ? hash : 1;
}

/* Returns the index of the stack's entry in @area, a hash table of stacks, and adds the entry if it
 * is missing. Returns 0 if the stack cannot be stored. The area is so small that all searches start
 * at the same entry. */
static uint64_t
keep_stack (uint64_t *area, guint elements, gpointer data)
{
  const Case *c = data;
  const uint64_t hash = hash_stack (c);

  g_assert_cmpuint (elements / ILK_STACK_WORDS - 1, <=, 8);
  for (guint i = 1; i < elements / ILK_STACK_WORDS && c->depth > 0 && !c->is_busy; i++)
    {
      uint64_t *entry = area + i * ILK_STACK_WORDS;

      if (entry[0] == hash)
        return i;
      if (entry[0] != 0)
        continue;
      entry[0] = hash;
      entry[1] = c->depth;
      for (guint k = 0; k < ILK_STACK_DEPTH; k++)
        entry[2 + k] = k == 0 ? POINT : k < c->depth ? c->addresses[k] : 0;
      return i;
    }
  area[0]++;

  return 0;
}

static void
draw_stack (Case *c)
{
  uint64_t *area = c->areas[FUZZ_AREA_STACKS];
  const guint filled = (guint) g_rand_int_range (c->rand, 0, FUZZ_ELEMENTS / ILK_STACK_WORDS);

  c->depth = g_rand_int_range (c->rand, 0, 8) == 0 ? 0 : (guint) g_rand_int_range (c->rand, 1, ILK_STACK_DEPTH + 1);
  memset (c->addresses, 0, sizeof c->addresses);
  for (guint i = 0; i < c->depth; i++)
    c->addresses[i] = draw_register (c->rand);
  memset (c->buffers, 0, sizeof c->buffers);
  c->is_busy = g_rand_int_range (c->rand, 0, 16) == 0;
  c->buffers[CPU].busy = c->is_busy;
  memset (area, 0, sizeof c->areas[FUZZ_AREA_STACKS]);
  for (guint i = 1; i <= filled; i++)
    area[i * ILK_STACK_WORDS] = i == filled && g_rand_boolean (c->rand) ? hash_stack (c) : 1 + g_rand_int (c->rand);
}

/* ---- setup and comparison of the state of a case ---- */

/* Returns the index at which the CPU's copy of area @i starts. */
static guint
copy_of (const Case *c, guint i)
{
  return fuzz_area_is_shared (i) ? 0 : CPU * g_array_index (c->ops->areas, GilkOpsArea, i).elements;
}

static void
draw_areas (Case *c)
{
  for (guint i = 0; i < FUZZ_AREAS; i++)
    for (guint k = 0; k < N_CPUS * FUZZ_ELEMENTS; k++)
      c->areas[i][k] = i >= FUZZ_AREA_MAP || g_rand_boolean (c->rand) ? 0 : draw_register (c->rand);
  for (guint map = FUZZ_AREA_MAP; map <= FUZZ_AREA_TABLE; map++)
    for (guint k = 0; k < FUZZ_MAP_SLOTS; k++)
      {
        c->areas[map][copy_of (c, map) + k] = (uint64_t) g_rand_int_range (c->rand, 0, 3);
        c->areas[map][copy_of (c, map) + FUZZ_MAP_SLOTS + k] = (uint64_t) g_rand_int_range (c->rand, 0, 8);
      }
  draw_stack (c);
  memcpy (c->was, c->areas, sizeof c->was);
  for (guint i = 0; i < FUZZ_AREAS; i++)
    c->model.areas[i] = c->was[i] + copy_of (c, i);
}

static gboolean
needs_guard (const GilkOps *ops)
{
  for (guint i = 0; i < ops->ops->len; i++)
    if (g_array_index (ops->ops, GilkOp, i).kind == GILK_OP_AREA_STORE)
      return TRUE;

  return FALSE;
}

static void
draw_state (Case *c)
{
  c->head = 1 + ILK_CELL * (g_rand_boolean (c->rand) ? 0 : (uint64_t) g_rand_int_range (c->rand, 1, 100000));
  c->always = g_rand_int_range (c->rand, 0, 16) == 0;
  c->model.is_full = c->always || g_rand_int_range (c->rand, 0, 8) == 0;
  g_array_set_size (c->stolen, 0);
  c->model.clock = CLOCK;
  memset (c->ring, 0xff, sizeof c->ring);
  *ring_of (c) = (struct gilk_bpf_ring) {
    .head = c->head, .limit = c->model.is_full && !c->always ? c->head - (uint64_t) g_rand_int_range (c->rand, 0, 2) : c->head + RING_BYTES / 2,
  };
  c->limit = ring_of (c)->limit;
  memset (c->counters, 0, sizeof c->counters);
  memset (c->gates, 7, sizeof c->gates);
  c->is_off = g_rand_int_range (c->rand, 0, 16) == 0;
  c->gates[c->is_shared ? IID : GATE_IID] = !c->is_off;
  c->is_guarded = needs_guard (c->ops) && g_rand_int_range (c->rand, 0, 16) == 0;
  c->guards[CPU] = c->is_guarded;
  memset (c->stack, 0xa5, sizeof c->stack);
  for (guint i = 0; i < HEAP_BYTES; i++)
    c->heap[i] = (uint8_t) g_rand_int (c->rand);
}

static void
draw_registers (Case *c)
{
  static const uint8_t offsets[16] = { 80, 88, 96, 40, 152, 32, 104, 112, 72, 64, 56, 48, 24, 16, 8, 0 };

  for (guint i = 0; i < 16; i++)
    {
      c->model.regs[i] = draw_register (c->rand);
      c->context[offsets[i] / 8] = c->model.regs[i];
    }
  memcpy (c->model.context, c->context, sizeof c->model.context);
}

static void
read_cpu (int64_t offset, void *to, guint size, gpointer data)
{
  const uint64_t value = offset == GILK_BPF_GS_CPU ? CPU : TASK;

  memcpy (to, &value, size);
}

static void
compare (Case *c)
{
  const struct gilk_bpf_counter *counter = &c->counters[CPU][IID - 1];
  const uint8_t *cells = (const uint8_t *) (ring_of (c) + 1);
  const guint payload = c->ops->payload;
  uint64_t head = c->head;

  g_assert_cmpmem (c->areas, sizeof c->areas, c->was, sizeof c->was);
  g_assert_cmpuint (counter->count, ==, c->model.count);
  g_assert_cmpuint (counter->lost, ==, c->model.lost);
  g_assert_cmpuint (ring_of (c)->lost, ==, c->model.lost);
  for (guint i = 0; i < FUZZ_GATES; i++)
    g_assert_cmpuint (c->gates[gates[i]], ==, c->model.gates[i]);
  g_assert_cmpuint (counter->missed, ==, c->is_guarded && !c->is_off);
  g_assert_cmpuint (c->guards[CPU], ==, c->is_guarded);
  for (guint i = 0; i < c->model.n_samples; i++)
    {
      const struct ilk_record *record;

      while (is_stolen (c, head))
        head += ILK_CELL;
      record = (const void *) (cells + (head & (RING_BYTES - ILK_CELL)));
      g_assert_cmphex (record->commit, ==, head);
      g_assert_cmphex (record->tsc, ==, CLOCK);
      g_assert_cmpuint (record->iid, ==, IID);
      g_assert_cmpuint (record->len, ==, payload);
      g_assert_cmpmem (record->data, payload, c->model.samples->data + i * payload, payload);
      head += ILK_CELL * ILK_RECORD_CELLS (payload);
    }
  while (is_stolen (c, head))
    head += ILK_CELL;
  g_assert_cmphex (ring_of (c)->head, ==, head);
  g_assert_cmpuint (c->buffers[CPU].busy, ==, c->is_busy);
  g_assert_cmpuint (c->buffers[!CPU].busy, ==, 0);
  for (guint i = 0; i < N_CPUS && c->model.freezes > 0 && c->limit != 0; i++)
    g_assert_cmpuint (((struct gilk_bpf_ring *) (void *) (c->ring + i * GILK_BPF_RING_STRIDE (RING_BYTES)))->limit, ==, 0);
}

static void
run_once (Case *c)
{
  uint8_t now_gates[FUZZ_GATES];

  c->model = (OpsModel) {
    .samples = g_byte_array_new (), .gates = now_gates, .iids = gates, .kernel_end = GILK_OPS_KERNEL_END,
    .load = load_heap, .user = load_user, .cpu = read_cpu, .stack = keep_stack, .freezes_ring = TRUE,
    .is_blind = g_rand_boolean (c->rand), .data = c,
  };
  memset (now_gates, 7, sizeof now_gates);
  draw_areas (c);
  draw_state (c);
  draw_registers (c);
  if (!c->is_off && !c->is_guarded)
    ops_model_run (&c->model, c->ops);
  interpret (c);
  compare (c);
  g_byte_array_unref (c->model.samples);
}

#define AT_ENTRY 0x80000000u    /* flag in the file of programs: the program is for a function's
                                   entry */

static void
write_program (FILE *file, const GArray *insns, gboolean is_entry)
{
  const uint32_t head = insns->len | (is_entry ? AT_ENTRY : 0);

  if (file == NULL)
    return;
  fwrite (&head, sizeof head, 1, file);
  fwrite (insns->data, sizeof (struct bpf_insn), insns->len, file);
}

int
main (int argc, char **argv)
{
  int count = 0, seconds = 2, seed = 0;
  g_autofree char *path = NULL;
  const GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "programs", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "time", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "seed", "N" },
    { "write", 0, 0, G_OPTION_ARG_FILENAME, &path, "file", "FILE" },
    { NULL },
  };
  g_autoptr(GOptionContext) options = g_option_context_new (NULL);
  g_autofree Case *c = g_new0 (Case, 1);
  guint64 programs = 0, at_entries = 0, unfit = 0, too_long = 0, instructions = 0, longest = 0;
  gint64 end;
  FILE *file;

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, NULL))
    return 2;
  file = path != NULL ? fopen (path, "wb") : NULL;
  seed = seed != 0 ? seed : (int) g_random_int_range (1, G_MAXINT);
  c->rand = g_rand_new_with_seed ((guint32) seed);
  c->insns = g_array_new (FALSE, TRUE, sizeof (struct bpf_insn));
  c->stolen = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_print ("TAP version 13\n# seed %d\n", seed);
  end = g_get_monotonic_time () + seconds * G_USEC_PER_SEC;
  while (count != 0 ? programs < (guint64) count : g_get_monotonic_time () < end)
    {
      GilkBpfPlace place = {
        .iid = IID, .n_cpus = N_CPUS, .ring_bytes = RING_BYTES, .areas = area_ids, .gates = gates, .gate = GATE_IID,
        .is_shared = g_rand_boolean (c->rand), .point = POINT, .function = POINT,
      };
      g_autoptr(GError) error = NULL;
      guint arguments;

      c->is_shared = place.is_shared;
      c->ops = make_ops (c->rand);
      if (c->ops == NULL)
        {
          unfit++;
          continue;
        }
      place.is_entry = !place.is_shared && gilk_bpf_reads_arguments (c->ops, &arguments);
      g_array_set_size (c->insns, 0);
      g_assert_cmpuint (gilk_bpf_refusal (c->ops), ==, 0);
      if (!gilk_bpf_code (c->ops, &place, c->insns, &error))
        {
          too_long++;
        }
      else
        {
          write_program (file, c->insns, place.is_entry);
          at_entries += place.is_entry;
          for (guint i = 0; i < 3; i++)
            run_once (c);
          programs++;
          instructions += c->insns->len;
          longest = MAX (longest, c->insns->len);
        }
      gilk_ops_free (c->ops);
    }
  if (file != NULL)
    fclose (file);
  g_array_unref (c->insns);
  g_array_unref (c->stolen);
  g_rand_free (c->rand);
  g_print ("# %" G_GUINT64_FORMAT " programs, %" G_GUINT64_FORMAT " of them at entries, %" G_GUINT64_FORMAT " do not fit, %" G_GUINT64_FORMAT " unfit, %" G_GUINT64_FORMAT
           " instructions each, longest %" G_GUINT64_FORMAT "\n", programs, at_entries, too_long, unfit, instructions / MAX (programs, 1), longest);
  g_assert_true (at_entries > 0 || programs < 1000);
  g_print ("ok 1 - programs of BPF and of the model agree\n1..1\n");

  return 0;
}
