/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-emit.c - runs the code of hooks, and checks their effects and costs
 *
 * The test enters the patch where the splice or trap would enter it. The patch must leave the same
 * state as the unhooked code: each register, flag and byte if nothing is known to be dead,
 * otherwise whatever the caller of a C function may use. Per-CPU data is a buffer addressed through
 * %gs.
 */
#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "splice-fixture.h"
#include "splice-run.h"

#define PERCPU_BYTES 4096
#define RING_BYTES   1024
#define FN           (RUN_SLOT + 2048)
#define GATES        (RUN_SLOT + 3072)
#define IID          7
#define RESCHEDULE   (RUN_SLOT + 3600)

enum {
  PREEMPT = 0x100, HEAD = 0x200, LIMIT = 0x208, BASE = 0x210, GUARD = 0x218, MASK = 0x220, RING_LOST = 0x228,
  COUNTER = 0x300, LOST = 0x308, DROPPED = 0x310, RESCHEDULED = 0x318,
};

static uint8_t percpu[PERCPU_BYTES], ring[RING_BYTES];
static uint8_t *far_counters;           /* counters more than 2 GiB away from percpu */
static uint8_t before[RUN_BYTES], after[2][RUN_BYTES];

static struct ilk_info info = {
  .ring_bytes = RING_BYTES, .gates = GATES, .context_mask = 0x00ffff00,
  .gs_preempt_count = PREEMPT, .gs_ring_head = HEAD, .gs_ring_limit = LIMIT,
  .gs_ring_base = BASE, .gs_ring_mask = MASK, .gs_ring_lost = RING_LOST, .gs_guard = GUARD,
};

/* ---- the hooked code ---- */

#define BODY \
  0x48, 0x89, 0xf8,                     /* 5: mov %rdi,%rax */ \
  0x48, 0x01, 0xf0,                     /* 8: add %rsi,%rax */ \
  0x48, 0x89, 0xc1,                     /* b: mov %rax,%rcx */ \
  0x79, 0x05,                           /* e: jns 15 */ \
  0x48, 0xff, 0xc3,                     /* 10: inc %rbx */ \
  0x31, 0xf6,                           /* 13: xor %esi,%esi */ \
  0x48, 0x83, 0xd3, 0x03,               /* 15: adc $3,%rbx */ \
  0x90,                                 /* 19: nop */ \
  0xc3,                                 /* 1a: ret */

static const uint8_t code_c[] = { FENTRY, BODY };
/* The same code without the mark that it is compiled C: everything is live at its return. */
static const uint8_t code_asm[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00, BODY };

enum { ENTRY = 0, MIDDLE = 0x10, LAST = 0x15 };

typedef struct {
  const char        *name;
  gboolean           is_c;
  guint              block;              /* offset of the hooked block */
  GilkWhere          where;
  GilkInstrumentKind kind;
  gboolean           needs_regs, gated, far;
  guint              added;              /* expected number of instructions that the hook adds */
} Case;

static const Case cases[] = {
  /* The patch adds three instructions: the jump to it, the inc, and the jump back. */
  { "count/dead",          TRUE,  ENTRY, GILK_WHERE_PRE,  GILK_INLINE_COUNT, 0, 0, 0, 3 },
  { "count/carry-live",    TRUE,  LAST,  GILK_WHERE_PRE,  GILK_INLINE_COUNT, 0, 0, 0, 3 },
  /* The footprint includes the return, so there is no jump back. */
  { "count/post-return",   TRUE,  LAST,  GILK_WHERE_POST, GILK_INLINE_COUNT, 0, 0, 0, 2 },
  { "count/far",           TRUE,  ENTRY, GILK_WHERE_PRE,  GILK_INLINE_COUNT, 0, 0, 1, 4 },
  { "count/far-all-live",  FALSE, LAST,  GILK_WHERE_PRE,  GILK_INLINE_COUNT, 0, 0, 1, 6 },
  /* The footprint starts before the add, whose flags the branch needs. */
  { "count/flags-live",    FALSE, ENTRY, GILK_WHERE_POST, GILK_INLINE_COUNT, 0, 0, 0, 3 },
  { "count/flags-far",     FALSE, ENTRY, GILK_WHERE_POST, GILK_INLINE_COUNT, 0, 0, 1, 4 },
  { "count/gated",         FALSE, LAST,  GILK_WHERE_PRE,  GILK_INLINE_COUNT, 0, 1, 0, 7 },
  { "stamp/dead",          TRUE,  ENTRY, GILK_WHERE_PRE,  GILK_INLINE_STAMP, 0, 0, 0, 19 },
  { "stamp/one-dead",      FALSE, MIDDLE, GILK_WHERE_PRE, GILK_INLINE_STAMP, 0, 0, 0, 23 },
  { "stamp/worst",         FALSE, ENTRY, GILK_WHERE_POST, GILK_INLINE_STAMP, 0, 0, 1, 27 },
  { "stamp/worst-gated",   FALSE, LAST,  GILK_WHERE_PRE,  GILK_INLINE_STAMP, 0, 1, 1, 29 },
  { "span/entry",          TRUE,  ENTRY, GILK_WHERE_PRE,  GILK_INLINE_SPAN, 0, 0, 0, 22 },
  { "span/return",         TRUE,  LAST,  GILK_WHERE_POST, GILK_INLINE_SPAN, 0, 0, 0, 23 },
  { "span/worst",          FALSE, ENTRY, GILK_WHERE_POST, GILK_INLINE_SPAN, 0, 0, 1, 30 },
  { "module/plain",        TRUE,  ENTRY, GILK_WHERE_PRE,  GILK_INSTRUMENT_MODULE, 0, 0, 0, 19 },
  { "module/all-live",     FALSE, LAST,  GILK_WHERE_PRE,  GILK_INSTRUMENT_MODULE, 0, 0, 1, 33 },
  { "module/regs",         TRUE,  ENTRY, GILK_WHERE_PRE,  GILK_INSTRUMENT_MODULE, 1, 0, 0, 30 },
  { "module/regs-worst",   FALSE, LAST,  GILK_WHERE_PRE,  GILK_INSTRUMENT_MODULE, 1, 0, 1, 34 },
  { "module/regs-gated",   FALSE, ENTRY, GILK_WHERE_POST, GILK_INSTRUMENT_MODULE, 1, 1, 1, 36 },
};

/* ---- the instrument, which the code of hooks calls ---- */

static struct {
  guint    calls;
  uint32_t iid, preempt, guard;
  uint64_t regs[10];                     /* the hit's registers, in the layout of struct ilk_regs */
} seen;

void emit_test_fn (uint32_t iid, const uint64_t *regs);
void emit_test_fn_entry (void);

/* Clobbers all caller-saved registers. */
__asm__ (
  ".text\n"
  "emit_test_fn_entry:\n"
  "push %rbp\n mov %rsp, %rbp\n and $-16, %rsp\n"
  "call emit_test_fn\n"
  "mov %rbp, %rsp\n pop %rbp\n"
  "mov $0x1111, %eax\n mov %rax, %rcx\n mov %rax, %rdx\n mov %rax, %rsi\n mov %rax, %rdi\n"
  "mov %rax, %r8\n mov %rax, %r9\n mov %rax, %r10\n mov %rax, %r11\n"
  "cmp $1, %rax\n"
  "ret\n"
);

static uint64_t
percpu_u64 (guint offset)
{
  uint64_t value;

  memcpy (&value, percpu + offset, sizeof value);

  return value;
}

static void
set_percpu_u64 (guint offset, uint64_t value)
{
  memcpy (percpu + offset, &value, sizeof value);
}

void
emit_test_fn (uint32_t iid, const uint64_t *regs)
{
  seen.calls++;
  seen.iid = iid;
  seen.preempt = (uint32_t) percpu_u64 (PREEMPT);
  seen.guard = (uint32_t) percpu_u64 (GUARD);
  if (regs != NULL && (uint64_t) (uintptr_t) regs - RUN_MEMORY < RUN_BYTES - sizeof seen.regs)
    memcpy (seen.regs, regs, sizeof seen.regs);
}

/* ---- setup and execution of one case ---- */

typedef struct {
  Fixture         fixture;
  GilkSplicePlan *plan;
  const Case     *c;
  uint64_t        site;
  /* Registers that are compared after the hit, because the hook must not change them. */
  guint           compare;
} Bench;

static uint64_t
counter_value (const Case *c, guint offset)
{
  uint64_t value;

  if (!c->far)
    return percpu_u64 (offset);
  memcpy (&value, far_counters + offset - COUNTER, sizeof value);

  return value;
}

static GilkBinding
binding_of (const Case *c)
{
  const uint64_t base = c->far ? (uint64_t) (far_counters - percpu) - COUNTER : 0;

  return (GilkBinding) {
    .iid = IID, .fn = FN,
    .counter = base + COUNTER, .lost = base + LOST, .missed = base + DROPPED,
  };
}

static void
bench_plan (Bench *bench, const Case *c)
{
  const uint8_t *bytes = c->is_c ? code_c : code_asm;
  const GilkSite site = { RUN_CODE, 0, GILK_SITE_FENTRY };

  memcpy ((void *) RUN_CODE, bytes, sizeof code_c);
  fixture_init_at (&bench->fixture, RUN_CODE, bytes, sizeof code_c, &site, c->is_c ? 1 : 0);
  const GilkWant want = {
    .block = (guint) gilk_cfg_block_at (bench->fixture.cfg, RUN_CODE + c->block),
    .where = c->where, .kind = c->kind, .needs_regs = c->needs_regs, .gated = c->gated,
  };

  bench->c = c;
  bench->compare = c->is_c ? 0xf03d : GILK_REGS_ALL;      /* rax, rdx, rbx, rsp, rbp, r12-r15:
                                                             registers that a C function's caller
                                                             may use */
  bench->plan = gilk_splice_plan_new (bench->fixture.cfg, bench->fixture.decoder, &want, 1);
  g_assert_cmpuint (bench->plan->choices[0].refusal, ==, 0);
  g_assert_cmpuint (bench->plan->choices[0].tactic, ==, ILK_TACTIC_SPLICE);
  bench->site = bench->plan->patches[0].site;
}

/* Returns the number of instructions that the patch adds. */
static guint
bench_emit (const Bench *bench)
{
  const GilkBinding binding = binding_of (bench->c);
  g_auto(GilkCode) code = { NULL };
  g_autoptr(GError) error = NULL;

  g_assert_true (gilk_emit_code (bench->plan, 0, RUN_SLOT, &info, &binding, &code, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (code.code->len, <=, bench->plan->patches[0].code_bound);
  g_assert_cmpuint (code.code->len, <, 2048);
  memcpy ((void *) RUN_SLOT, code.code->data, code.code->len);
  ((uint8_t *) GATES)[IID] = 1;

  return code.added[0];
}

static void
bench_clear (Bench *bench)
{
  gilk_splice_plan_free (bench->plan);
  fixture_clear (&bench->fixture);
}

static void
reset_percpu (void)
{
  const uint64_t base = (uint64_t) (uintptr_t) ring;

  memset (percpu, 0xa5, sizeof percpu);
  memset (far_counters, 0, 64);
  memset (&seen, 0, sizeof seen);
  memset (ring, 0xff, sizeof ring);
  set_percpu_u64 (PREEMPT, 0x00010005);
  set_percpu_u64 (HEAD, 1 + 3 * RING_BYTES + 64);
  set_percpu_u64 (LIMIT, 1 + 3 * RING_BYTES + 65);
  set_percpu_u64 (BASE, base);
  set_percpu_u64 (MASK, RING_BYTES - ILK_CELL);
  set_percpu_u64 (RING_LOST, 0);
  set_percpu_u64 (GUARD, 1);
  set_percpu_u64 (COUNTER, 0);
  set_percpu_u64 (LOST, 0);
  set_percpu_u64 (DROPPED, 0);
}

/* Runs the site unhooked and hooked from the same random state and compares the results. */
static void
run_both (const Bench *bench, GRand *rand, RunState *from)
{
  const uint64_t exit_address = RUN_EXIT;
  const guint stack = RUN_STACK - RUN_MEMORY;
  RunState was, is;

  run_random (rand, from, before);
  memcpy (before + stack, &exit_address, sizeof exit_address);
  run_code (from, before, bench->site, &was, after[0]);
  run_code (from, before, RUN_SLOT, &is, after[1]);

  g_assert_cmpuint (was.fault, ==, 0);
  g_assert_cmpuint (is.fault, ==, 0);
  for (guint i = 0; i < 16; i++)
    if (bench->compare & GILK_REG_BIT (i))
      g_assert_cmphex (was.regs[i], ==, is.regs[i]);
  if (!bench->c->is_c)
    g_assert_cmphex (was.flags, ==, is.flags);
  else
    g_assert_cmphex (was.flags & 0x700, ==, is.flags & 0x700);
  /* Memory is equal at and above the stack pointer; below that the patch may push. */
  g_assert_cmpmem (after[0] + stack, RUN_BYTES - stack, after[1] + stack, RUN_BYTES - stack);
  g_assert_cmphex (percpu_u64 (PREEMPT), ==, 0x00010005);
}

/* ---- tests of the effects of a hook ---- */

static void
assert_stamped (const Bench *bench)
{
  const struct ilk_record *record = (const struct ilk_record *) (ring + 64);
  uint64_t frame;

  g_assert_cmphex (percpu_u64 (HEAD), ==, 1 + 3 * RING_BYTES + 96);
  g_assert_cmphex (record->commit, ==, 1 + 3 * RING_BYTES + 64);
  g_assert_cmpuint (record->iid, ==, IID);
  if (bench->c->kind == GILK_INLINE_SPAN)
    {
      g_assert_cmpuint (record->len, ==, 8);
      memcpy (&frame, record->data, sizeof frame);
      g_assert_cmphex (frame, ==, RUN_STACK);
    }
  else
    {
      g_assert_cmpuint (record->len, ==, 0);
    }
  g_assert_cmpuint (record->tsc - 1, <, G_MAXUINT64 - 1);
  g_assert_cmpuint (counter_value (bench->c, LOST), ==, 0);
}

static void
assert_called (const Bench *bench, const RunState *from)
{
  g_assert_cmpuint (seen.calls, ==, 1);
  g_assert_cmpuint (seen.iid, ==, IID);
  g_assert_cmphex (seen.preempt, ==, 0x00010006);
  g_assert_cmphex (seen.guard, ==, 0x00010000);
  g_assert_cmphex (percpu_u64 (GUARD), ==, 1);
  g_assert_cmpuint (counter_value (bench->c, DROPPED), ==, 0);

  if (bench->c->needs_regs && bench->c->where == GILK_WHERE_PRE)
    {
      static const guint order[] = { 11, 10, 9, 8, 7, 6, 2, 1, 0 };

      for (guint i = 0; i < G_N_ELEMENTS (order); i++)
        g_assert_cmphex (seen.regs[i], ==, from->regs[order[i]]);
      g_assert_cmphex (seen.regs[9] & 0xcd5, ==, from->flags & 0xcd5);
    }
}

static void
assert_hit (const Bench *bench, const RunState *from)
{
  switch (bench->c->kind)
    {
    case GILK_INLINE_COUNT:
      g_assert_cmpuint (counter_value (bench->c, COUNTER), ==, 1);
      break;
    case GILK_INLINE_STAMP:
    case GILK_INLINE_SPAN:
      assert_stamped (bench);
      break;
    case GILK_INSTRUMENT_MODULE:
      assert_called (bench, from);
      break;
    case GILK_INLINE_PROGRAM:    /* is tested in test-program-exec.c */
    default:
      g_assert_not_reached ();
    }
}

static void
assert_nothing (const Bench *bench)
{
  g_assert_cmpuint (counter_value (bench->c, COUNTER), ==, 0);
  g_assert_cmphex (percpu_u64 (HEAD), ==, 1 + 3 * RING_BYTES + 64);
  g_assert_cmpuint (seen.calls, ==, 0);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autoptr(GRand) rand = g_rand_new_with_seed (1);
  RunState from = { { 0 } };
  Bench bench;

  bench_plan (&bench, c);
  g_assert_cmpuint (bench_emit (&bench), ==, c->added);
  if (!c->far)
    g_assert_cmpuint (bench.plan->choices[0].cost, ==, c->added);
  for (guint round = 0; round < 500; round++)
    {
      reset_percpu ();
      run_both (&bench, rand, &from);
      assert_hit (&bench, &from);
    }

  /* The ring is full, and an instrument is already running in this context. So inline samples count
   * as lost, and calls of a module as missed. */
  reset_percpu ();
  set_percpu_u64 (LIMIT, percpu_u64 (HEAD));
  set_percpu_u64 (GUARD, 0x00010000);
  run_both (&bench, rand, &from);
  if (c->kind != GILK_INLINE_COUNT)
    assert_nothing (&bench);
  g_assert_cmpuint (counter_value (c, LOST), ==,
                    c->kind == GILK_INLINE_STAMP || c->kind == GILK_INLINE_SPAN);
  g_assert_cmpuint (percpu_u64 (RING_LOST), ==, counter_value (c, LOST));
  g_assert_cmpuint (counter_value (c, DROPPED), ==, c->kind == GILK_INSTRUMENT_MODULE);
  g_assert_cmphex (percpu_u64 (GUARD), ==, 0x00010000);

  if (c->gated)
    {
      ((uint8_t *) GATES)[IID] = 0;
      reset_percpu ();
      run_both (&bench, rand, &from);
      assert_nothing (&bench);
    }
  bench_clear (&bench);
}

/* Returns how many times a hit reschedules if the preempt count is @preempt when the hit starts. */
static uint64_t
count_rescheduled (const Bench *bench, uint64_t preempt)
{
  const uint64_t exit_address = RUN_EXIT;
  g_autoptr(GRand) rand = g_rand_new_with_seed (1);
  RunState from = { { 0 } }, is;

  reset_percpu ();
  set_percpu_u64 (PREEMPT, preempt);
  set_percpu_u64 (RESCHEDULED, 0);
  run_random (rand, &from, before);
  memcpy (before + (RUN_STACK - RUN_MEMORY), &exit_address, sizeof exit_address);
  run_code (&from, before, RUN_SLOT, &is, after[0]);
  g_assert_cmpuint (is.fault, ==, 0);
  g_assert_cmphex (percpu_u64 (PREEMPT), ==, preempt);

  return percpu_u64 (RESCHEDULED);
}

/* Tests that a hit reschedules only if preemption is enabled and a reschedule is due. If none is
 * due, the highest bit of the preempt count is set. */
static void
test_reschedule (gconstpointer bytes)
{
  const uint64_t none_due = G_GUINT64_CONSTANT (1) << (8 * GPOINTER_TO_UINT (bytes) - 1);
  const uint8_t stub[] = { 0x65, 0x48, 0xff, 0x04, 0x25, RESCHEDULED & 0xff, RESCHEDULED >> 8, 0, 0, 0xc3 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Bench bench;
      guint added;

      bench_plan (&bench, &cases[i]);
      info.reschedule = RESCHEDULE;
      info.preempt_bytes = GPOINTER_TO_UINT (bytes);
      added = bench_emit (&bench);
      info.reschedule = 0;
      memcpy ((void *) RESCHEDULE, stub, sizeof stub);
      g_assert_cmpuint (added, ==, cases[i].added + (cases[i].kind != GILK_INLINE_COUNT));
      g_assert_cmpuint (count_rescheduled (&bench, 0), ==, cases[i].kind != GILK_INLINE_COUNT);
      g_assert_cmpuint (count_rescheduled (&bench, 1), ==, 0);
      g_assert_cmpuint (count_rescheduled (&bench, none_due), ==, 0);
      g_assert_cmpuint (count_rescheduled (&bench, none_due | 1), ==, 0);
      bench_clear (&bench);
    }
}

/* Tests random sets of live registers. The hooked block itself needs only rbx, rsp and the carry
 * flag, so the plan may declare any other register live or dead. */
static void
test_any_liveness (void)
{
  static const GilkInstrumentKind kinds[] = {
    GILK_INLINE_COUNT, GILK_INLINE_STAMP, GILK_INLINE_SPAN, GILK_INSTRUMENT_MODULE,
  };
  g_autoptr(GRand) rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 4000; round++)
    {
      const Case c = {
        .block = LAST, .where = GILK_WHERE_PRE,
        .kind = kinds[g_rand_int_range (rand, 0, G_N_ELEMENTS (kinds))],
        .needs_regs = g_rand_boolean (rand), .gated = g_rand_boolean (rand),
        .far = g_rand_boolean (rand),
      };
      RunState from = { { 0 } };
      GilkLive *live;
      Bench bench;

      bench_plan (&bench, &c);
      live = &bench.plan->liveness->before[bench.plan->patches[0].first_insn];
      live->regs = (g_rand_int (rand) | g_rand_int (rand)) & GILK_REGS_ALL;
      live->regs |= GILK_REG_BIT (GILK_RBX) | GILK_REG_BIT (GILK_RSP);
      live->flags |= g_rand_int (rand) & GILK_FLAGS_ARITH;
      bench.compare = live->regs;
      bench.plan->patches[0].code_bound = 1024;
      g_assert_cmpuint (bench_emit (&bench), <=, 40);

      reset_percpu ();
      run_both (&bench, rand, &from);
      assert_hit (&bench, &from);
      bench_clear (&bench);
    }
}

/* ---- tests that do not execute code ---- */

static void
test_orc_shift (void)
{
  /* ORC entry: frame at rsp + 16, bp at cfa - 16. */
  uint8_t entry[] = { 0x10, 0x00, 0xf0, 0xff, 0x15, 0x00 };
  const uint8_t unmoved[] = { 0x10, 0x00, 0xf0, 0xff, 0x15, 0x00 };

  g_assert_true (gilk_orc_shift (entry, GILK_FRAME_BP, 24));
  g_assert_true (gilk_orc_shift (entry, GILK_FRAME_BP_INDIRECT, 24));
  g_assert_false (gilk_orc_shift (entry, GILK_FRAME_OTHER, 24));
  g_assert_cmpmem (entry, 6, unmoved, 6);
  g_assert_true (gilk_orc_shift (entry, GILK_FRAME_SP, 24));
  g_assert_cmpmem (entry, 6, ((const uint8_t[]) { 0x28, 0x00, 0xf0, 0xff, 0x15, 0x00 }), 6);
}

static void
test_out_of_reach (void)
{
  g_auto(Fixture) fixture = FIXTURE (code_c, FIXTURE_C);
  g_auto(GilkCode) code = { NULL };
  g_autoptr(GError) error = NULL;
  const GilkBinding binding = { .iid = IID };
  const GilkWant want = { .block = 0 };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, &want, 1);

  g_assert_false (gilk_emit_code (plan, 0, 0x7f0000000000ull, &info, &binding, &code, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FAILED);
  g_assert_null (code.code);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  run_map_all (4096);
  run_catch_faults ();
  run_put_stub (FN, emit_test_fn_entry);
  far_counters = run_map (0x200000000000ull, 4096, PROT_READ | PROT_WRITE);
  g_assert_cmpint (syscall (SYS_arch_prctl, ARCH_SET_GS, percpu), ==, 0);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/emit/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_data_func ("/emit/reschedule-of-32-bits", GUINT_TO_POINTER (4), test_reschedule);
  g_test_add_data_func ("/emit/reschedule-of-64-bits", GUINT_TO_POINTER (8), test_reschedule);
  g_test_add_func ("/emit/any-liveness", test_any_liveness);
  g_test_add_func ("/emit/orc-shift", test_orc_shift);
  g_test_add_func ("/emit/out-of-reach", test_out_of_reach);

  return g_test_run ();
}
