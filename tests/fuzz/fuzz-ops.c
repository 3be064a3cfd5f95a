/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-ops.c - runs random operations as code in this process and in the model, and compares the
 * results
 *
 * Per-CPU data is a buffer addressed through %gs; a faulting load raises a signal, whose handler
 * continues at the fix-up. Maps, samples and counts must be equal, and each live register and flag
 * and the stack must be unchanged.
 *
 *   fuzz-ops [--count N] [--seconds N] [--seed N]
 */
#include <asm/prctl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RUN_SLOT 0x60000000ull
#define RUN_CODE 0x20000000ull
#define RUN_EXIT 0x24000000ull

#include "core/emit/gilk-ops-code.h"
#include "tests/fuzz/fuzz-ops.h"
#include "tests/unit/ops-model.h"
#include "tests/unit/splice-run.h"

#define HEAP        ((uint64_t) FUZZ_HEAP)
#define GATES       0x61000000ull
#define PERCPU      0x38000000ull
#define SHARED      0x39000000ull
/* Address of the code of simulated services. The counts of their calls are at MARKED and
 * FREEZES. */
#define SERVICES    0x62000000ull
#define MARKED      (SERVICES + 4096)
#define USER_WORD   UINT64_C (0x8182848890a0c0ff)
/* Offset in the tested memory of the word to which the stack pointer points. */
#define FRAME       (RUN_STACK - RUN_MEMORY)
#define FREEZES     (MARKED + 8)
#define POINT       UINT64_C (0xffffffff81000123)
#define KERNEL_END  0x7fff0000
#define IID         77

enum {
  SPOILT = GILK_REG_BIT (0) | GILK_REG_BIT (1) | GILK_REG_BIT (2) | GILK_REG_BIT (6) | GILK_REG_BIT (7) |
           GILK_REG_BIT (8) | GILK_REG_BIT (9) | GILK_REG_BIT (10) | GILK_REG_BIT (11),
  SLOT_BYTES = 1 << 18, HEAP_BYTES = 4096, RING_BYTES = 8192, PERCPU_BYTES = 65536,
  PREEMPT = 0x100, HEAD = 0x200, LIMIT = 0x208, BASE = 0x210, GUARD = 0x218, MASK = 0x220, RING_LOST = 0x228,
  WENT = 0x80, CALLED = 0x84, COUNTER = 0x300, LOST = 0x308, DROPPED = 0x310, VARIABLES = 0x400, AREAS = 0x1000,
};

static const struct ilk_info info = {
  .ring_bytes = RING_BYTES, .gates = GATES, .context_mask = 0x00ffff00,
  .gs_preempt_count = PREEMPT, .gs_ring_head = HEAD, .gs_ring_limit = LIMIT,
  .gs_ring_base = BASE, .gs_ring_mask = MASK, .gs_ring_lost = RING_LOST, .gs_guard = GUARD,
  .services = { SERVICES, SERVICES + 512, SERVICES + 1024, SERVICES + 1536, SERVICES + 2048 },
};
static const uint32_t gates[FUZZ_GATES] = { 3, 9, 4, 8 };

static uint8_t *const percpu = (uint8_t *) PERCPU;
static uint8_t *far_percpu, *far_shared;     /* buffers over 2 GiB away from percpu and SHARED */
static uint8_t heap_behind[HEAP_BYTES];      /* contents of the heap after the model ran */
static uint8_t ring[RING_BYTES] __attribute__ ((aligned (32)));
static GArray *faults;

/* ---- state of one case, and the model's access to its memory ---- */

typedef struct {
  GRand          *rand;
  GilkOps        *ops;
  gboolean        far;
  GilkOpsBinding  binding;
  GilkLive        live;
  uint64_t        areas[FUZZ_AREAS];
  uint8_t        *place[FUZZ_AREAS], *counters;
  uint64_t        was[FUZZ_AREAS][FUZZ_ELEMENTS];
  OpsModel        model;
  RunState        from, to;
  uint64_t        head;
  guint           sets;          /* bit mask of the registers that the program sets */
  gboolean        unknown;       /* TRUE: the program read unpredictable memory */
  guint           least, bytes;
  uint64_t       frame;
} Case;

static void
on_fault (int number, siginfo_t *signal_info, void *context)
{
  ucontext_t *uc = context;
  uint64_t rip = (uint64_t) uc->uc_mcontext.gregs[REG_RIP];

  for (guint i = 0; faults != NULL && i < faults->len; i++)
    {
      const struct ilk_fault *fault = &g_array_index (faults, struct ilk_fault, i);

      if (RUN_SLOT + fault->offset == rip)
        {
          uc->uc_mcontext.gregs[REG_RIP] = (greg_t) fault->fixup;
          return;
        }
    }
  signal (number, SIG_DFL);
}

static void
catch_faults (void)
{
  static uint8_t stack[65536];
  const stack_t alternative = { .ss_sp = stack, .ss_size = sizeof stack };
  const struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

  g_assert_cmpint (sigaltstack (&alternative, NULL), ==, 0);
  g_assert_cmpint (sigaction (SIGSEGV, &action, NULL), ==, 0);
  g_assert_cmpint (sigaction (SIGBUS, &action, NULL), ==, 0);
}

static uint64_t
read_word (const uint8_t *at)
{
  uint64_t value;

  memcpy (&value, at, sizeof value);

  return value;
}

static void
write_word (uint8_t *at, uint64_t value)
{
  memcpy (at, &value, sizeof value);
}

static gboolean
model_load (uint64_t address, void *to, guint size, gpointer data)
{
  Case *c = data;

  if (address - HEAP <= HEAP_BYTES - size)
    {
      memcpy (to, (const void *) address, size);
      return TRUE;
    }
  /* These addresses belong to other memory of this process, so the load does not fault, but the
   * model cannot predict its value. */
  c->unknown |= address - 0x1fff0000 < 0x45000000;

  return FALSE;
}

/* Reads user memory like the service of put_user_service(): the value depends on the address, and
 * every second block of 64 bytes cannot be read. */
static gboolean
model_user (uint64_t address, void *to, guint size, gpointer data)
{
  const uint64_t value = address ^ USER_WORD;

  memcpy (to, &value, size);

  return (address & 64) == 0;
}

static gboolean
model_store (uint64_t address, const void *from, guint size, gpointer data)
{
  if (address - HEAP > HEAP_BYTES - size)
    return FALSE;
  memcpy ((void *) address, from, size);

  return TRUE;
}

static void
model_cpu (int64_t offset, void *to, guint size, gpointer data)
{
  memcpy (to, (const void *) (PERCPU + (uint64_t) offset), size);
}

/* ---- random initial state of a case ---- */

static uint64_t
draw_register (GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 7))
    {
    case 0: return (uint64_t) g_rand_int_range (rand, 0, 20);
    case 1: return (uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand);
    case 2: return UINT64_C (1) << g_rand_int_range (rand, 0, 64);
    case 3: return HEAP + HEAP_BYTES - (uint64_t) g_rand_int_range (rand, 0, 16);
    case 4: return (uint64_t) (int64_t) (int32_t) g_rand_int (rand);
    default: return HEAP + 64 + (uint64_t) g_rand_int_range (rand, 0, HEAP_BYTES - 200);
    }
}

static void
set_areas (Case *c)
{
  for (guint i = 0; i < FUZZ_AREAS; i++)
    {
      gboolean shared = fuzz_area_is_shared (i);
      uint8_t *base = c->far ? (shared ? far_shared : far_percpu) : (shared ? (uint8_t *) SHARED : percpu);

      c->place[i] = base + AREAS + i * 0x2000;
      c->areas[i] = (uint64_t) (uintptr_t) c->place[i] - (shared ? 0 : PERCPU);
      for (guint k = 0; k < FUZZ_ELEMENTS; k++)
        c->was[i][k] = i >= FUZZ_AREA_MAP || g_rand_boolean (c->rand) ? 0 : draw_register (c->rand);
    }
  for (guint k = 0; k < FUZZ_MAP_SLOTS; k++)
    for (guint map = FUZZ_AREA_MAP; map <= FUZZ_AREA_TABLE; map++)
      {
        c->was[map][k] = (uint64_t) g_rand_int_range (c->rand, 0, 3);
        c->was[map][FUZZ_MAP_SLOTS + k] = (uint64_t) g_rand_int_range (c->rand, 0, 8);
      }
  for (guint i = 0; i < FUZZ_AREAS; i++)
    {
      memcpy (c->place[i], c->was[i], sizeof c->was[i]);
      c->model.areas[i] = c->was[i];
    }
}

static void
set_percpu (Case *c)
{
  uint64_t cells = g_rand_boolean (c->rand) ? 0 : (uint64_t) g_rand_int_range (c->rand, 1, 100000);

  c->head = 1 + ILK_CELL * cells;
  c->model.is_full = g_rand_int_range (c->rand, 0, 8) == 0;
  c->model.is_taken = g_rand_int_range (c->rand, 0, 8) == 0;
  write_word (percpu + PREEMPT, 0xa5a5a5a500010005);
  write_word (percpu + HEAD, c->head);
  write_word (percpu + LIMIT, c->model.is_full ? c->head : c->head + RING_BYTES * 2);
  write_word (percpu + BASE, (uint64_t) (uintptr_t) ring);
  write_word (percpu + MASK, RING_BYTES - ILK_CELL);
  write_word (percpu + RING_LOST, 0);
  write_word (percpu + GUARD, c->model.is_taken ? 0x00010000 : g_rand_boolean (c->rand) ? 1 : 0);
  c->counters = c->far ? far_percpu : percpu;
  for (guint at = COUNTER; at <= DROPPED; at += 8)
    write_word (c->counters + at, 0);
  for (guint i = 0; i < FUZZ_GATES; i++)
    ((uint8_t *) GATES)[gates[i]] = 7;
  memset (ring, 0xff, sizeof ring);
  memset ((void *) MARKED, 0, 16);
}

static void
set_registers (Case *c)
{
  for (guint i = 0; i < 16; i++)
    c->from.regs[i] = draw_register (c->rand);
  c->from.regs[GILK_RSP] = c->frame = RUN_STACK;
  c->from.flags = 0x202 | (g_rand_int (c->rand) & 0x8d5);
  switch (g_rand_int_range (c->rand, 0, 4))
    {
    case 0:
      c->live = (GilkLive) { GILK_REG_BIT (GILK_RSP), 0 };
      break;
    case 1:
      c->live = (GilkLive) { GILK_REGS_ALL, GILK_FLAGS_ALL };
      break;
    default:
      c->live.regs = (g_rand_int (c->rand) & GILK_REGS_ALL) | GILK_REG_BIT (GILK_RSP);
      c->live.flags = g_rand_boolean (c->rand) ? 0 : g_rand_int (c->rand) & GILK_FLAGS_ARITH;
    }
}

/* ---- emitting and running the code of a case ---- */

/* Emits code that records which exit was taken. Used as GilkOpsExits.leave. */
static void
emit_leave (GilkAsm *as, GilkExit where, gpointer data)
{
  gilk_asm_store_imm (as, FALSE, 1 + (int32_t) where, gilk_mem (GILK_NO_BASE, (int32_t) (PERCPU + WENT)));
  gilk_asm_jmp (as, RUN_EXIT);
}

/* Writes the function that programs may call: it counts calls and clobbers caller-saved
 * registers. */
static void
put_function (void)
{
  GilkAsm as = { .base = FUZZ_FUNCTION, .code = g_byte_array_new () };
  static const uint8_t spoilt[] = { GILK_RAX, GILK_RCX, GILK_RDX, GILK_RSI, GILK_RDI, 8, 9, 10, 11 };

  gilk_asm_mem (&as, FALSE, 0xff, 0, gilk_mem (GILK_NO_BASE, (int32_t) (PERCPU + CALLED)));
  for (guint i = 0; i < G_N_ELEMENTS (spoilt); i++)
    gilk_asm_mov_imm32 (&as, spoilt[i], 0xdead0000 + i);
  gilk_asm_raw (&as, (const uint8_t[]) { 0xc3 }, 1);
  memcpy ((void *) FUZZ_FUNCTION, as.code->data, as.code->len);
  g_byte_array_unref (as.code);
}

static void
emit_case (Case *c)
{
  static const GilkOpsExits ways = { emit_leave, NULL };
  const uint64_t counters = (uint64_t) (uintptr_t) c->counters - PERCPU;
  const GilkOpsPlace place = {
    .live = c->live, .info = &info, .binding = &c->binding, .point = POINT, .backward = g_rand_boolean (c->rand),
    .exits = &ways,
  };
  GilkAsm as = { .base = RUN_SLOT, .code = g_byte_array_new (), .faults = faults };

  c->binding = (GilkOpsBinding) {
    .counter = counters + COUNTER, .lost = counters + LOST, .missed = counters + DROPPED,
    .iid = IID, .areas = c->areas, .gates = gates, .kernel_end = KERNEL_END,
  };
  g_array_set_size (faults, 0);
  c->least = gilk_ops_code (&as, c->ops, &place);
  c->bytes = as.code->len;
  g_assert_false (as.too_far);
  g_assert_cmpuint (as.depth, ==, 0);
  g_assert_cmpuint (as.code->len, <=, gilk_ops_code_bound (c->ops));
  g_assert_cmpuint (faults->len, <=, gilk_ops_code_bound (c->ops) / ILK_GRANULE * ILK_FAULTS_PER_GRANULE);
  gilk_asm_jmp (&as, RUN_EXIT);
  g_assert_cmpuint (as.code->len, <=, SLOT_BYTES);
  memcpy ((void *) RUN_SLOT, as.code->data, as.code->len);
  g_byte_array_unref (as.code);
}

static void
execute_case (Case *c)
{
  memset (run_memory, 0x5a, RUN_BYTES);
  memcpy (run_memory + FRAME, &c->frame, sizeof c->frame);
  run_state = c->from;
  run_state.target = RUN_SLOT;
  run_enter ();
  c->to = run_state;
}

/* ---- comparing the results of code and model ---- */

static void
compare_samples (Case *c)
{
  uint64_t head = c->head;
  guint payload = c->ops->payload;

  for (guint i = 0; i < c->model.n_samples; i++)
    {
      uint8_t bytes[ILK_CELL * 5];
      const struct ilk_record *record = (const struct ilk_record *) bytes;

      for (guint k = 0; k < ILK_RECORD_CELLS (payload); k++)
        memcpy (bytes + ILK_CELL * k, ring + ((head + ILK_CELL * k) & (RING_BYTES - ILK_CELL)), ILK_CELL);
      if (c->model.n_samples * ILK_RECORD_CELLS (payload) * ILK_CELL <= RING_BYTES)
        {
          g_assert_cmphex (record->commit, ==, head);
          g_assert_cmpuint (record->iid, ==, IID);
          g_assert_cmpuint (record->len, ==, payload);
          g_assert_cmphex (record->tsc >> 62, ==, 0);
          g_assert_cmpmem (bytes + 24, payload, c->model.samples->data + i * payload, payload);
        }
      head += ILK_CELL * ILK_RECORD_CELLS (payload);
    }
  g_assert_cmphex (read_word (percpu + HEAD), ==, head);
}

static void
compare_machine (const Case *c)
{
  static const uint16_t bits[][2] = {
    { GILK_FLAG_CF, 1 }, { GILK_FLAG_PF, 4 }, { GILK_FLAG_AF, 16 }, { GILK_FLAG_ZF, 64 }, { GILK_FLAG_SF, 128 },
    { GILK_FLAG_OF, 2048 },
  };

  gboolean called = c->model.called != 0;

  for (guint i = 0; i < 16; i++)
    if (c->live.regs & GILK_REG_BIT (i) && !(c->sets & GILK_REG_BIT (i)) && !(called && SPOILT & GILK_REG_BIT (i)))
      g_assert_cmphex (c->to.regs[i], ==, c->from.regs[i]);
    else if (c->sets & GILK_REG_BIT (i) && !c->unknown && !(called && SPOILT & GILK_REG_BIT (i)))
      g_assert_cmphex (c->to.regs[i], ==, c->model.regs[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (bits); i++)
    if (!called && c->live.flags & bits[i][0])
      g_assert_cmphex (c->to.flags & bits[i][1], ==, c->from.flags & bits[i][1]);
  g_assert_cmpmem (run_memory + FRAME, sizeof c->frame, &c->frame, sizeof c->frame);
  for (guint at = FRAME + sizeof c->frame; at < RUN_BYTES; at++)
    g_assert_cmphex (run_memory[at], ==, 0x5a);
}

static void
compare_kept (const Case *c)
{
  for (guint i = 0; i < FUZZ_AREAS; i++)
    for (guint k = 0; k < FUZZ_ELEMENTS; k++)
      g_assert_cmphex (read_word (c->place[i] + 8 * k), ==, c->was[i][k]);
  g_assert_cmpuint (read_word (c->counters + COUNTER), ==, c->model.count);
  g_assert_cmpuint (read_word (c->counters + LOST), ==, c->model.lost);
  g_assert_cmpuint (read_word (c->counters + DROPPED), ==, c->model.missed);
  g_assert_cmpuint (read_word (percpu + RING_LOST), ==, c->model.lost);
  g_assert_cmphex (read_word (percpu + PREEMPT), ==, 0xa5a5a5a500010005);
  g_assert_cmphex (read_word ((uint8_t *) MARKED), ==, c->model.marked);
  g_assert_cmpuint (read_word ((uint8_t *) FREEZES), ==, c->model.freezes);
  for (guint i = 0; i < FUZZ_GATES; i++)
    g_assert_cmpuint (((uint8_t *) GATES)[gates[i]], ==, c->model.gates[i]);
  g_assert_cmpuint ((uint32_t) read_word (percpu + WENT), ==, c->model.exit);
  g_assert_cmpuint (read_word (percpu + WENT) >> 32, ==, c->model.called != 0);
  g_assert_cmpmem ((void *) HEAP, HEAP_BYTES, heap_behind, HEAP_BYTES);
}

/* ---- running whole cases ---- */

static void
run_model (Case *c)
{
  memcpy (c->model.regs, c->from.regs, sizeof c->model.regs);
  c->model.kernel_end = KERNEL_END;
  c->model.load = model_load;
  c->model.user = model_user;
  c->model.store = model_store;
  c->model.cpu = model_cpu;
  c->model.data = c;
  c->model.point = POINT;
  ops_model_run (&c->model, c->ops);
}

typedef struct {
  guint64 programs, runs, unknown, samples, operations, bytes, exits;
} Totals;

static void
run_once (Case *c, Totals *totals)
{
  static uint8_t heap_before[HEAP_BYTES];
  uint8_t now_gates[FUZZ_GATES];
  uint64_t guard;

  c->model = (OpsModel) { .samples = g_byte_array_new (), .gates = now_gates, .iids = gates };
  c->unknown = FALSE;
  set_areas (c);
  set_percpu (c);
  set_registers (c);
  emit_case (c);
  guard = read_word (percpu + GUARD);
  memset (now_gates, 7, sizeof now_gates);
  memcpy (heap_before, (void *) HEAP, HEAP_BYTES);
  write_word (percpu + WENT, 0);
  run_model (c);
  memcpy (heap_behind, (void *) HEAP, HEAP_BYTES);
  memcpy ((void *) HEAP, heap_before, HEAP_BYTES);
  execute_case (c);
  compare_machine (c);
  g_assert_cmphex (read_word (percpu + GUARD), ==, guard);
  if (!c->unknown)
    {
      compare_kept (c);
      compare_samples (c);
    }
  totals->runs++;
  totals->unknown += c->unknown;
  totals->samples += c->model.n_samples;
  totals->exits += c->model.exit != 0;
  totals->bytes += c->bytes;
  g_byte_array_unref (c->model.samples);
}

static void
run_program (guint32 seed, Totals *totals)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr(GError) error = NULL;
  static Case c;

  memset (&c, 0, sizeof c);
  c.rand = rand;
  c.far = g_rand_boolean (rand);
  c.ops = fuzz_ops_make (rand, c.far ? (int64_t) (far_percpu + VARIABLES - percpu) : VARIABLES);
  if (!gilk_ops_check (c.ops, &error))
    {
      g_autofree char *text = gilk_ops_text (c.ops);

      printf ("%s", text);
      g_error ("seed %u: %s", seed, error->message);
    }
  c.sets = gilk_ops_sets (c.ops);
  for (guint i = 0; i < 2; i++)
    run_once (&c, totals);
  totals->programs++;
  totals->operations += c.ops->ops->len;
  gilk_ops_free (c.ops);
}

/* Emits the service that reads user memory. rdx is the size, perhaps with the bit ILK_USER_TEXT. */
static void
put_user_service (GilkAsm *as)
{
  gilk_asm_mov (as, GILK_RCX, GILK_RDX);
  gilk_asm_imm (as, FALSE, GILK_AND, GILK_RCX, 15);
  gilk_asm_shift (as, FALSE, GILK_SHL, GILK_RCX, 3);
  gilk_asm_unary (as, GILK_NEG, GILK_RCX);          /* rcx: number of bits to clear in the last
                                                       word, modulo 64 */
  gilk_asm_mov_imm (as, GILK_RAX, USER_WORD);
  gilk_asm_reg (as, TRUE, 0x31, GILK_RSI, GILK_RAX);
  gilk_asm_shift_cl (as, GILK_SHL, GILK_RAX);
  gilk_asm_shift_cl (as, GILK_SHR, GILK_RAX);
  gilk_asm_mov (as, GILK_RDX, GILK_RSI);
  gilk_asm_imm (as, TRUE, GILK_AND, GILK_RDX, 64);
}

/* Writes a service that clobbers all caller-saved registers. A service that adds numbers clobbers
 * the flags, too. */
static void
put_service (guint service)
{
  static const uint8_t changed[] = { GILK_RCX, GILK_RDX, GILK_RSI, GILK_RDI, 8, 9, 10, 11 };
  GilkAsm as = { .base = info.services[service], .code = g_byte_array_new () };

  gilk_asm_mov_imm (&as, GILK_RAX, service == ILK_SERVICE_FREEZE ? FREEZES : MARKED);
  if (service == ILK_SERVICE_STACK)
    {
      gilk_asm_mov (&as, GILK_RAX, GILK_RSI);
      gilk_asm_reg (&as, TRUE, 0x01, GILK_RDX, GILK_RAX);
    }
  else if (service == ILK_SERVICE_USER)
    put_user_service (&as);
  else if (service == ILK_SERVICE_FREEZE)
    gilk_asm_mem (&as, TRUE, 0xff, 0, gilk_mem (GILK_RAX, 0));
  else
    for (guint i = 0; i < (service == ILK_SERVICE_CRASH ? 5 : 3); i++)
      gilk_asm_mem (&as, TRUE, 0x01, (const uint8_t[]) { GILK_RSI, GILK_RDX, GILK_RCX, 8, 9 }[i], gilk_mem (GILK_RAX, 0));
  for (guint i = 0; i < G_N_ELEMENTS (changed); i++)
    if (service != ILK_SERVICE_USER || changed[i] != GILK_RDX)
      gilk_asm_mov_imm (&as, changed[i], 0x5eed00 + i);
  if (service != ILK_SERVICE_STACK && service != ILK_SERVICE_USER)
    gilk_asm_mov_imm (&as, GILK_RAX, 0x5eed);
  gilk_asm_raw (&as, (const uint8_t[]) { 0xc3 }, 1);
  memcpy ((void *) info.services[service], as.code->data, as.code->len);
  g_byte_array_unref (as.code);
}

static void *
map_far (void)
{
  void *got = mmap (NULL, PERCPU_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  g_assert_true (got != MAP_FAILED);

  return got;
}

static void
map_all (void)
{
  GRand *rand = g_rand_new_with_seed (2000);

  run_map (RUN_EXIT, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
  run_put_stub (RUN_EXIT, run_leave);
  put_function ();
  run_map (RUN_SLOT, SLOT_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC);
  run_memory = run_map (RUN_MEMORY, RUN_BYTES, PROT_READ | PROT_WRITE);
  run_map (HEAP, HEAP_BYTES, PROT_READ | PROT_WRITE);
  run_map (GATES, 4096, PROT_READ | PROT_WRITE);
  run_map (PERCPU, PERCPU_BYTES, PROT_READ | PROT_WRITE);
  run_map (SHARED, PERCPU_BYTES, PROT_READ | PROT_WRITE);
  run_map (SERVICES, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
  for (guint i = 0; i < ILK_SERVICES; i++)
    if (info.services[i] != 0)
      put_service (i);
  far_percpu = map_far ();
  far_shared = map_far ();
  for (guint i = 0; i < HEAP_BYTES; i += 8)
    write_word ((uint8_t *) HEAP + i, draw_register (rand));
  for (guint i = 0; i < FUZZ_CPU_BYTES; i += 8)
    {
      write_word (percpu + VARIABLES + i, draw_register (rand));
      write_word (far_percpu + VARIABLES + i, draw_register (rand));
    }
  g_rand_free (rand);
  g_assert_cmpint (syscall (SYS_arch_prctl, ARCH_SET_GS, percpu), ==, 0);
}

int
main (int argc, char **argv)
{
  int count = 0, seconds = 0, seed = 1;
  const GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "Programs", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "Time", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "Of the first program", "N" },
    { NULL },
  };
  g_autoptr(GOptionContext) options = g_option_context_new (NULL);
  gint64 end;
  Totals totals = { 0 };

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, NULL))
    return 2;
  end = g_get_monotonic_time () + (seconds > 0 ? seconds : 2) * G_USEC_PER_SEC;
  faults = g_array_new (FALSE, TRUE, sizeof (struct ilk_fault));
  map_all ();
  catch_faults ();
  printf ("1..1\n");
  for (int i = 0; count > 0 ? i < count : g_get_monotonic_time () < end; i++)
    run_program ((guint32) (seed + i), &totals);
  printf ("# %" G_GUINT64_FORMAT " programs from seed %d, of %" G_GUINT64_FORMAT " operations\n",
          totals.programs, seed, totals.operations);
  printf ("# %" G_GUINT64_FORMAT " runs, %" G_GUINT64_FORMAT " of unknown memory, %" G_GUINT64_FORMAT " samples, %"
          G_GUINT64_FORMAT " bytes, %" G_GUINT64_FORMAT " exits\n", totals.runs, totals.unknown, totals.samples,
          totals.bytes, totals.exits);
  printf ("ok 1 - what the code does is what the model says\n");
  g_array_unref (faults);

  return 0;
}
