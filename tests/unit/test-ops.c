/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-ops.c - violates each rule of operations once, and checks the names of operations
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/emit/gilk-ops.h"
#include "ilk/ilk-abi.h"

enum { NONE = GILK_NO_VALUE };

static const GilkOpsArea cpu_area = { 16, TRUE, 0, 0 }, shared_area = { 16, FALSE, 0, 0 };
static const GilkOpsArea map_area = { 24, TRUE, 8, 1 };

/* Makes operations with four values, four labels, three areas, a gate, and samples of 16 bytes. */
static GilkOps *
make_ops (const GilkOp *list, guint n)
{
  GilkOps *ops = gilk_ops_new ();

  g_array_append_val (ops->areas, cpu_area);
  g_array_append_val (ops->areas, shared_area);
  g_array_append_val (ops->areas, map_area);
  for (guint i = 0; i < 4; i++)
    {
      gilk_ops_value (ops);
      gilk_ops_label (ops);
    }
  ops->n_gates = 1;
  ops->payload = 16;
  for (guint i = 0; i < n; i++)
    gilk_ops_add (ops, &list[i]);

  return ops;
}

#define NUMBER(v)      { .kind = GILK_OP_CONST, .to = v, .imm = 5 }
#define LABEL(l)       { .kind = GILK_OP_LABEL, .label = l }
#define JUMP(l)        { .kind = GILK_OP_JUMP, .label = l }
#define BRANCH(v, l)   { .kind = GILK_OP_BRANCH, .a = v, .b = NONE, .imm = 1, .label = l }
#define ENTER          { .kind = GILK_OP_ENTER }
#define GUARD(l)       { .kind = GILK_OP_ENTER, .imm = GILK_OPS_GUARD, .label = l }
#define LEAVE          { .kind = GILK_OP_LEAVE }
#define LOAD(v, at, l) { .kind = GILK_OP_LOAD, .to = v, .a = v, .size = 8, .imm = at, .label = l }
#define USER(s, text, l) { .kind = GILK_OP_LOAD, .to = 0, .a = 0, .size = s, .label = l, .is_user = TRUE, .is_text = text }
#define STORE(x, e)    { .kind = GILK_OP_AREA_STORE, .a = 0, .area = x, .imm = e, .index = NONE }
#define ADD(x, e, v, m) { .kind = GILK_OP_AREA_ADD, .a = NONE, .imm2 = 1, .area = x, .imm = e, .index = v, .mask = m }
#define CLAIM(x)       { .kind = GILK_OP_AREA_CLAIM, .to = 0, .area = x, .index = NONE }
#define SLOT(x, l)     { .kind = GILK_OP_MAP_SLOT, .to = 1, .a = 0, .area = x, .label = l }
#define RESERVE(l)     { .kind = GILK_OP_RESERVE, .imm = 16, .label = l }
#define FIELD(at, s)   { .kind = GILK_OP_FIELD, .a = 0, .imm = at, .size = s }
#define COMMIT         { .kind = GILK_OP_COMMIT }

typedef struct {
  const char *name;
  const char *wrong;         /* expected part of the error message; NULL: the operations are
                                valid */
  GilkOp      ops[10];
  guint       n;
} Case;

static const Case cases[] = {
  { "empty", NULL, { { 0 } }, 0 },
  { "whole", NULL, { NUMBER (0), GUARD (0), LOAD (0, 8, 1), RESERVE (1), FIELD (0, 8), FIELD (8, 8), COMMIT,
                     LABEL (1), LEAVE, LABEL (0) }, 10 },
  { "kind", "unknown operation", { { .kind = GILK_OP_KINDS } }, 1 },
  { "value", "unknown value", { NUMBER (4) }, 1 },
  { "unwritten", "value may be uninitialized", { BRANCH (0, 0), LABEL (0) }, 2 },
  { "unwritten-on-a-way", "value may be uninitialized",
    { NUMBER (0), BRANCH (0, 0), NUMBER (1), LABEL (0), BRANCH (1, 1), LABEL (1) }, 6 },
  { "fact", "unknown watchpoint field", { { .kind = GILK_OP_FACT, .to = 0, .imm = GILK_FACTS } }, 1 },
  { "register", "unknown register", { { .kind = GILK_OP_REGISTER, .to = 0, .imm = 16 } }, 1 },
  { "size", "invalid size", { NUMBER (0), { .kind = GILK_OP_EXTEND, .to = 0, .a = 0, .size = 3 } }, 2 },
  { "number", "exceeds 32 bits",
    { NUMBER (0), { .kind = GILK_OP_ADD, .to = 0, .a = 0, .b = NONE, .imm = INT64_C (1) << 31 } }, 2 },
  { "bucket", "buckets", { NUMBER (0), { .kind = GILK_OP_BUCKET, .to = 0, .a = 0, .b = NONE, .imm = 5 } }, 2 },
  { "compare", "unknown comparison",
    { NUMBER (0),
      { .kind = GILK_OP_BRANCH, .compare = GILK_IF_NO_BITS + 1, .a = 0, .b = NONE, .label = 0 }, LABEL (0) }, 3 },
  { "label", "unknown label", { JUMP (4) }, 1 },
  { "back", "backward branch", { LABEL (0), JUMP (0) }, 2 },
  { "placed-twice", "placed twice", { LABEL (0), LABEL (0) }, 2 },
  { "nowhere", "not placed", { JUMP (0) }, 1 },
  { "enter-twice", "alternate", { ENTER, ENTER }, 2 },
  { "leave-alone", "alternate", { LEAVE }, 1 },
  { "no-leave", "end within", { ENTER }, 1 },
  { "enter", "invalid ENTER", { { .kind = GILK_OP_ENTER, .imm = 2 }, LEAVE }, 2 },
  { "meet", "joining paths", { NUMBER (0), BRANCH (0, 0), ENTER, LABEL (0), LEAVE }, 5 },
  { "load-alone", "outside of a guarded", { NUMBER (0), LOAD (0, 0, 0), LABEL (0) }, 3 },
  { "load-unguarded", "outside of a guarded", { NUMBER (0), ENTER, LOAD (0, 0, 0), LABEL (0), LEAVE }, 5 },
  { "load-far", "out of range", { NUMBER (0), GUARD (0), LOAD (0, GILK_OPS_REACH, 1), LABEL (1), LEAVE, LABEL (0) }, 6 },
  { "user", NULL, { NUMBER (0), GUARD (0), USER (4, FALSE, 1), USER (8, TRUE, 1), LABEL (1), LEAVE, LABEL (0) }, 7 },
  { "user-unguarded", "outside of a guarded", { NUMBER (0), ENTER, USER (4, FALSE, 0), LABEL (0), LEAVE }, 5 },
  { "user-text", "text of another size", { NUMBER (0), GUARD (0), USER (4, TRUE, 1), LABEL (1), LEAVE, LABEL (0) }, 6 },
  { "user-in-sample", "read within a sample",
    { NUMBER (0), GUARD (0), RESERVE (1), USER (8, FALSE, 1), FIELD (0, 8), FIELD (8, 8), COMMIT, LABEL (1), LEAVE, LABEL (0) }, 10 },
  { "user-store", "stored to",
    { NUMBER (0), GUARD (0), { .kind = GILK_OP_STORE, .a = 0, .b = 0, .size = 8, .is_user = TRUE, .label = 1 }, LABEL (1), LEAVE,
      LABEL (0) }, 6 },
  { "kernel-text", "text of another size",
    { NUMBER (0), GUARD (0), { .kind = GILK_OP_LOAD, .to = 0, .a = 0, .size = 8, .is_text = TRUE, .label = 1 }, LABEL (1), LEAVE,
      LABEL (0) }, 6 },
  { "store-alone", "per-CPU element accessed outside of a critical section", { NUMBER (0), STORE (0, 0) }, 2 },
  { "store-shared", NULL, { NUMBER (0), STORE (1, 15), ADD (0, 0, NONE, 0) }, 3 },
  { "area", "unknown area", { NUMBER (0), STORE (3, 0) }, 2 },
  { "element", "outside of its area", { NUMBER (0), STORE (1, 16) }, 2 },
  { "element-below", "outside of its area", { NUMBER (0), STORE (1, -1) }, 2 },
  { "index", "outside of its area", { NUMBER (0), ADD (0, 1, 0, 15) }, 2 },
  { "mask", "power of two", { NUMBER (0), ADD (0, 0, 0, 14) }, 2 },
  { "claim", "claim in a per-CPU area", { ENTER, CLAIM (0), LEAVE }, 3 },
  { "slot-alone", "map access outside of a critical section", { NUMBER (0), SLOT (2, 0), LABEL (0) }, 3 },
  { "slot-no-map", "not a map", { NUMBER (0), ENTER, SLOT (0, 0), LABEL (0), LEAVE }, 5 },
  { "sample-alone", "sample outside of a critical section", { NUMBER (0), RESERVE (0), LABEL (0) }, 3 },
  { "sample-size", "sample size differs", { ENTER, { .kind = GILK_OP_RESERVE, .imm = 8, .label = 0 }, LABEL (0), LEAVE }, 4 },
  { "reserve-twice", "alternate", { ENTER, RESERVE (0), RESERVE (0), LABEL (0), LEAVE }, 5 },
  { "leave-in-sample", "within a sample", { ENTER, RESERVE (0), LEAVE, LABEL (0) }, 4 },
  { "field-alone", "outside of a sample", { NUMBER (0), ENTER, FIELD (0, 8), LEAVE }, 4 },
  { "field-beyond", "past the end of the sample",
    { NUMBER (0), ENTER, RESERVE (0), FIELD (16, 8), COMMIT, LABEL (0), LEAVE }, 7 },
  { "field-askew", "past the end of the sample",
    { NUMBER (0), ENTER, RESERVE (0), FIELD (4, 8), COMMIT, LABEL (0), LEAVE }, 7 },
  { "left-out", "sample byte",
    { NUMBER (0), ENTER, RESERVE (0), FIELD (0, 8), FIELD (8, 4), COMMIT, LABEL (0), LEAVE }, 8 },
  { "left-out-on-a-way", "sample byte",
    { NUMBER (0), ENTER, RESERVE (0), FIELD (0, 8), BRANCH (0, 1), FIELD (8, 8), LABEL (1), COMMIT,
      LABEL (0), LEAVE }, 10 },
  { "gate", "unknown gate", { { .kind = GILK_OP_GATE, .imm = 1 } }, 1 },
};

static void
test_rule (gconstpointer data)
{
  const Case *c = data;
  g_autoptr(GilkOps) ops = make_ops (c->ops, c->n);
  g_autoptr(GError) error = NULL;
  gboolean fine = gilk_ops_check (ops, &error);

  if (c->wrong == NULL)
    {
      g_assert_no_error (error);
      g_assert_true (fine);
      return;
    }
  g_assert_false (fine);
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FAILED);
  if (strstr (error->message, c->wrong) == NULL)
    g_error ("%s: \"%s\" is not in \"%s\"", c->name, c->wrong, error->message);
}

static void
assert_refused (const GilkOps *ops, const char *wrong)
{
  g_autoptr(GError) error = NULL;

  g_assert_false (gilk_ops_check (ops, &error));
  g_assert_nonnull (strstr (error->message, wrong));
}

static void
test_bounds (void)
{
  const GilkOp number = NUMBER (0);
  g_autoptr(GilkOps) ops = make_ops (NULL, 0);

  for (guint i = 0; i <= GILK_OPS_MAX; i++)
    gilk_ops_add (ops, &number);
  assert_refused (ops, "too many operations");
  g_array_set_size (ops->ops, 1);
  ops->n_values = GILK_OPS_VALUES + 1;
  assert_refused (ops, "too many values");
  ops->n_values = 4;
  ops->payload = ILK_SAMPLE_MAX + 8;
  assert_refused (ops, "invalid sample size");
  ops->payload = 12;
  assert_refused (ops, "invalid sample size");
  ops->payload = 16;
  g_array_index (ops->areas, GilkOpsArea, 0).elements = GILK_OPS_AREA_MAX + 1;
  assert_refused (ops, "empty or too large");
  g_array_index (ops->areas, GilkOpsArea, 0).elements = 16;
  g_array_index (ops->areas, GilkOpsArea, 2).map_values = 2;
  assert_refused (ops, "does not fit its area");
  for (guint i = 0; i < GILK_OPS_AREAS; i++)
    g_array_append_val (ops->areas, cpu_area);
  assert_refused (ops, "too many areas");
}

static void
test_text (void)
{
  const GilkOp list[] = {
    NUMBER (0), { .kind = GILK_OP_REGISTER, .to = 1, .imm = 7 }, GUARD (0),
    { .kind = GILK_OP_LOAD, .to = 3, .a = 1, .size = 4, .imm = 0x38, .label = 2 },
    { .kind = GILK_OP_BRANCH, .compare = GILK_IF_NOT_ABOVE, .a = 3, .b = NONE, .imm = 4096, .label = 2 },
    { .kind = GILK_OP_DIV, .to = 2, .a = 3, .b = 0, .is_signed = TRUE, .label = 2 },
    ADD (0, 3, 2, 7), USER (2, FALSE, 2), USER (8, TRUE, 2), RESERVE (2), FIELD (8, 4), LABEL (2),
  };
  g_autoptr(GilkOps) ops = make_ops (list, G_N_ELEMENTS (list));
  g_autofree char *text = gilk_ops_text (ops);

  g_assert_cmpstr (text, ==,
                   "v0 = 5\n"
                   "v1 = %rdi\n"
                   "enter guarded else L0\n"
                   "v3 = load u32 v1 + 0x38 else L2\n"
                   "if v3 <= 0x1000 goto L2\n"
                   "v2 = v3 s/ v0 else L2\n"
                   "area0[3 + (v2 & 0x7)] += 1\n"
                   "v0 = load user u16 v0 else L2\n"
                   "v0 = load user text u64 v0 else L2\n"
                   "reserve 16 else L2\n"
                   "field32 8 = v0\n"
                   "L2:\n");
}

static void
test_buckets (void)
{
  for (guint bits = 0; bits <= GILK_OPS_BUCKET_BITS; bits++)
    {
      guint n = gilk_ops_buckets (bits);

      g_assert_cmpuint (gilk_ops_bucket_least (0, bits), ==, 0);
      for (guint i = 0; i < n; i++)
        {
          uint64_t least = gilk_ops_bucket_least (i, bits);

          g_assert_cmpuint (gilk_ops_bucket (least, bits), ==, i);
          if (i > 0)
            g_assert_cmpuint (gilk_ops_bucket (least - 1, bits), ==, i - 1);
        }
      for (guint i = 0; i < 1u << bits; i++)
        g_assert_cmpuint (gilk_ops_bucket (i, bits), ==, i);
      g_assert_cmpuint (gilk_ops_bucket (G_MAXUINT64, bits), ==, n - 1);
    }
  g_assert_cmpuint (gilk_ops_buckets (0), ==, 65);
  g_assert_cmpuint (gilk_ops_bucket (4096, 2), ==, 44);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/ops/check/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_rule);
    }
  g_test_add_func ("/ops/check/bounds", test_bounds);
  g_test_add_func ("/ops/text", test_text);
  g_test_add_func ("/ops/buckets", test_buckets);

  return g_test_run ();
}
