/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-ops-code.c - checks the code emitted for typical programs, and its number of instructions
 *
 * tests/fuzz/fuzz-ops.c checks the effect of the code; this test checks that the code does not
 * become longer.
 */
#include "core/emit/gilk-ops-code.h"

enum { NONE = GILK_NO_VALUE };

/* State at the entry of a function with four arguments: other caller-saved registers are dead. */
enum {
  LIVE = GILK_REG_BIT (GILK_RDI) | GILK_REG_BIT (GILK_RSI) | GILK_REG_BIT (GILK_RDX) | GILK_REG_BIT (GILK_RCX) |
         GILK_REG_BIT (GILK_RBX) | GILK_REG_BIT (GILK_RSP) | GILK_REG_BIT (GILK_RBP) | 0xf000,
};

static const struct ilk_info info = {
  .gates = 0x10000000, .context_mask = 0x00ffff00,
  .gs_preempt_count = 0x100, .gs_ring_head = 0x200, .gs_ring_limit = 0x208,
  .gs_ring_base = 0x210, .gs_ring_mask = 0x220, .gs_ring_lost = 0x228, .gs_guard = 0x218,
};

#define REGISTER(v, r)    { .kind = GILK_OP_REGISTER, .to = v, .imm = r }
#define UNLESS_ABOVE(v, n, l) \
  { .kind = GILK_OP_BRANCH, .compare = GILK_IF_NOT_ABOVE, .a = v, .b = NONE, .imm = n, .label = l }
#define GUARD(l)          { .kind = GILK_OP_ENTER, .imm = GILK_OPS_GUARD, .label = l }
#define LOAD(v, s, p, at, l) { .kind = GILK_OP_LOAD, .to = v, .a = p, .size = s, .imm = at, .label = l }
#define FIELD(v, s, at)   { .kind = GILK_OP_FIELD, .a = v, .size = s, .imm = at }
#define LABEL(l)          { .kind = GILK_OP_LABEL, .label = l }
#define ADD(e, v, m)      { .kind = GILK_OP_AREA_ADD, .a = NONE, .imm2 = 1, .index = v, .imm = e, .mask = m }
#define PLAIN(k)          { .kind = k }

typedef struct {
  const char *name;
  GilkOp      ops[20];
  guint       n;
  gboolean    far, flags_live;
  guint       least;          /* number of instructions executed on the shortest path */
} Case;

static const Case cases[] = {
  { "count", { PLAIN (GILK_OP_COUNT) }, 1, FALSE, FALSE, 1 },
  { "count/far", { PLAIN (GILK_OP_COUNT) }, 1, TRUE, FALSE, 2 },
  { "counter", { ADD (3, NONE, 0) }, 1, FALSE, FALSE, 1 },
  { "counter/far", { ADD (3, NONE, 0) }, 1, TRUE, FALSE, 2 },
  /* if (arg2 > 4096) count (); */
  { "condition",
    { REGISTER (0, GILK_RDX), UNLESS_ABOVE (0, 4096, 0), PLAIN (GILK_OP_COUNT), LABEL (0) }, 4, FALSE, FALSE, 2 },
  { "condition/flags",
    { REGISTER (0, GILK_RDX), UNLESS_ABOVE (0, 4096, 0), PLAIN (GILK_OP_COUNT), LABEL (0) }, 4, FALSE, TRUE, 4 },
  /* sample (arg2) of one cell */
  { "sample/1",
    { REGISTER (0, GILK_RDX), PLAIN (GILK_OP_ENTER), { .kind = GILK_OP_RESERVE, .imm = 8, .label = 0 },
      FIELD (0, 8, 0), PLAIN (GILK_OP_COMMIT), LABEL (0), PLAIN (GILK_OP_LEAVE) }, 7, FALSE, FALSE, 21 },
  /* sample (pid, count, file->f_flags) */
  { "sample/3",
    { GUARD (0), { .kind = GILK_OP_CPU_LOAD, .to = 0, .size = 8, .imm = 0x400 }, LOAD (1, 4, 0, 0x9a0, 1),
      REGISTER (2, GILK_RDX), REGISTER (3, GILK_RDI), LOAD (4, 4, 3, 0x40, 1),
      { .kind = GILK_OP_RESERVE, .imm = 24, .label = 1 }, FIELD (1, 8, 0), FIELD (2, 8, 8), FIELD (4, 8, 16),
      PLAIN (GILK_OP_COMMIT), LABEL (1), PLAIN (GILK_OP_LEAVE), LABEL (0) }, 14, FALSE, FALSE, 44 },
  /* h (arg2), with four buckets per octave */
  { "histogram",
    { REGISTER (0, GILK_RDX), { .kind = GILK_OP_BUCKET, .to = 1, .a = 0, .b = NONE, .imm = 2 }, ADD (0, 1, 255) },
    3, FALSE, FALSE, 12 },
  /* m[arg0]++ */
  { "map",
    { PLAIN (GILK_OP_ENTER), REGISTER (0, GILK_RDI),
      { .kind = GILK_OP_MAP_SLOT, .to = 1, .a = 0, .area = 1, .label = 0 },
      { .kind = GILK_OP_AREA_ADD, .a = NONE, .imm2 = 1, .area = 1, .index = 1, .imm = 32, .mask = 15 },
      LABEL (0), PLAIN (GILK_OP_LEAVE) }, 6, FALSE, FALSE, 14 },
};

static GilkOps *
make_ops (const Case *c)
{
  const GilkOpsArea areas[] = { { 512, TRUE, 0, 0 }, { 48, TRUE, 16, 1 } };
  GilkOps *ops = gilk_ops_new ();
  g_autoptr(GError) error = NULL;

  g_array_append_vals (ops->areas, areas, G_N_ELEMENTS (areas));
  for (guint i = 0; i < 5; i++)
    gilk_ops_value (ops);
  for (guint i = 0; i < 2; i++)
    gilk_ops_label (ops);
  for (guint i = 0; i < c->n; i++)
    {
      gilk_ops_add (ops, &c->ops[i]);
      if (c->ops[i].kind == GILK_OP_RESERVE)
        ops->payload = (guint) c->ops[i].imm;
    }
  gilk_ops_check (ops, &error);
  g_assert_no_error (error);

  return ops;
}

static void
test_length (gconstpointer data)
{
  const Case *c = data;
  const uint64_t far = c->far ? UINT64_C (1) << 40 : 0, areas[] = { far + 0x1000, far + 0x3000 };
  const GilkOpsBinding binding = {
    .counter = far + 0x300, .lost = far + 0x308, .missed = far + 0x310, .iid = 7, .areas = areas,
    .kernel_end = GILK_OPS_KERNEL_END,
  };
  const GilkOpsPlace place = { { LIVE, c->flags_live ? GILK_FLAGS_ARITH : 0 }, &info, &binding };
  g_autoptr(GilkOps) ops = make_ops (c);
  g_autoptr(GByteArray) code = g_byte_array_new ();
  GilkAsm as = { .base = 0x1000, .code = code };

  g_assert_cmpuint (gilk_ops_code (&as, ops, &place), ==, c->least);
  g_assert_cmpuint (as.depth, ==, 0);
  g_assert_cmpuint (code->len, <=, gilk_ops_code_bound (ops));
  g_assert_false (as.too_far);
}

/* Tests that the comparison uses the argument's register directly, and no register is saved. */
static void
test_condition (void)
{
  static const uint8_t expected[] = {
    0x48, 0x81, 0xfa, 0x00, 0x10, 0x00, 0x00,                /* cmp $4096,%rdx */
    0x0f, 0x86, 0x09, 0x00, 0x00, 0x00,                      /* jbe */
    0x65, 0x48, 0xff, 0x04, 0x25, 0x00, 0x03, 0x00, 0x00,    /* incq %gs:0x300 */
  };
  const GilkOpsBinding binding = { .counter = 0x300 };
  const GilkOpsPlace place = { { LIVE, 0 }, &info, &binding };
  g_autoptr(GilkOps) ops = make_ops (&cases[4]);
  g_autoptr(GByteArray) code = g_byte_array_new ();
  GilkAsm as = { .base = 0x1000, .code = code };

  gilk_ops_code (&as, ops, &place);
  g_assert_cmpmem (code->data, code->len, expected, sizeof expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/ops-code/length/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_length);
    }
  g_test_add_func ("/ops-code/condition", test_condition);

  return g_test_run ();
}
