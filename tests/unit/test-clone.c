/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-clone.c - checks which functions can be cloned, and the clone's code for every special site
 */
/* Promise: only functions that can be cloned are cloned, and special sites work in the clone */
#include "clone-verify.h"
#include "core/splice/gilk-clone.h"
#include "splice-fixture.h"

#define COUNTER(n) 0x65, 0x48, 0xff, 0x04, 0x25, n, 0, 0, 0      /* incq %gs:n */
#define FAR_OFFSET (G_GUINT64_CONSTANT (1) << 40)
/* Offset of a second function, which is the target of jumps out of the first. */
#define OTHER        0x100
#define OTHER_NAME   "ffffffff81000100 t other\n"
#define OTHER_CODE   [OTHER] = FENTRY, 0xc3
#define OTHER_C      { FIXTURE_BASE + OTHER, 0, GILK_SITE_FENTRY }
#define CLONED(offset) (FIXTURE_SLOT + (offset))

static const struct ilk_info info = { .ring_bytes = 1 << 20, .gates = FIXTURE_BASE + 0x100000 };

/* Returns a plan that is forced to reach all hooks by a clone of the function. */
static GilkSplicePlan *
plan_clone (const Fixture *fixture, GilkWant *wants, guint n)
{
  for (guint i = 0; i < n; i++)
    wants[i].force = ILK_TACTIC_CLONE;

  return gilk_splice_plan_new (fixture->cfg, fixture->decoder, wants, n);
}

/* Returns a plan with one counting pre-hook per block, in the order of the blocks. */
static GilkSplicePlan *
plan_blocks (const Fixture *fixture)
{
  g_autofree GilkWant *wants = g_new0 (GilkWant, fixture->cfg->n_blocks);

  for (guint i = 0; i < fixture->cfg->n_blocks; i++)
    wants[i].block = i;

  return plan_clone (fixture, wants, fixture->cfg->n_blocks);
}

/* Emits the clone. The counter of hook i is at address 8 * i + 8, within reach of 32-bit
 * displacements, plus @offset. With FAR_OFFSET as @offset, it is out of reach. */
static void
emit_clone (const Fixture *fixture, const GilkSplicePlan *plan, uint64_t offset, GHashTable *links,
            GilkCode *code)
{
  g_autoptr(GError) error = NULL;
  g_autofree GilkBinding *bindings = g_new0 (GilkBinding, plan->n_wants + 1);
  g_autofree char *wrong = NULL;

  g_assert_cmpuint (plan->n_patches, ==, 1);
  g_assert_cmpuint (plan->patches[0].tactic, ==, ILK_TACTIC_CLONE);
  for (guint i = 0; i < plan->n_wants; i++)
    bindings[i] = (GilkBinding) { .iid = i + 1, .counter = offset + 8 * i + 8 };
  gilk_emit_code_linked (plan, 0, FIXTURE_SLOT, &info, bindings, links, code, &error);
  g_assert_no_error (error);
  wrong = clone_verify (fixture->cfg, fixture->decoder, code, FIXTURE_SLOT);
  g_assert_cmpstr (wrong, ==, NULL);
}

/* Checks the clone's disassembled code, in which addresses in the clone's slot are printed as
 * offsets. */
static void
assert_text (const Fixture *fixture, const GilkCode *code, const char *expected)
{
  g_autofree char *text = fixture_text (fixture->decoder, code->code->data, code->code->len,
                                        FIXTURE_SLOT);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_refusal (const Fixture *fixture, guint refusal)
{
  g_autoptr(GilkSplicePlan) plan = plan_blocks (fixture);

  g_assert_cmpstr (gilk_refusal_name (gilk_clone_check (fixture->cfg, FALSE)), ==,
                   gilk_refusal_name (refusal));
  g_assert_cmpstr (gilk_refusal_name (plan->choices[0].refusal), ==, gilk_refusal_name (refusal));
  g_assert_cmpuint (plan->choices[0].patch, ==, G_MAXUINT);
}

static void
test_plain (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  g_auto(GilkCode) code = { NULL };
  g_autoptr(GilkSplicePlan) plan = plan_blocks (&fixture);
  const GilkPatchPlan *patch = &plan->patches[0];

  g_assert_cmphex (patch->site, ==, FIXTURE_BASE + 5);
  g_assert_cmpuint (patch->len, ==, 6);
  g_assert_cmpmem (patch->old, 6, fixture_typical + 5, 6);
  g_assert_cmpuint (patch->flags, ==, ILK_PATCH_RETURNS);
  /* The first hook's cost includes the jump from the function's entry to the clone. */
  g_assert_cmpuint (plan->choices[0].cost, ==, 2);
  g_assert_cmpuint (plan->choices[1].cost, ==, 1);
  g_assert_cmpuint (plan->choices[2].cost, ==, 1);
  g_assert_cmpuint (patch->cost, ==, 4);

  emit_clone (&fixture, plan, 0, NULL, &code);
  static const uint8_t expected[] = {
    COUNTER (8),
    0x48, 0x89, 0xf8,                 /* 9: mov %rdi,%rax */
    0x48, 0x85, 0xff,                 /* c: test %rdi,%rdi */
    0x0f, 0x84, 0x11, 0, 0, 0,        /* f: je 26 */
    COUNTER (16),                     /* 15 */
    0x48, 0x8b, 0x07,                 /* 1e: mov (%rdi),%rax */
    0x48, 0x83, 0xc0, 0x10,           /* 21: add $0x10,%rax */
    0xc3,                             /* 25: ret */
    COUNTER (24),                     /* 26 */
    0xc3,
  };
  fixture_assert_bytes (fixture.decoder, FIXTURE_SLOT, code.code->data, code.code->len,
                        expected, sizeof expected);
}

/* Tests a counter for a block at whose start flags are live: the counter is placed in the block
 * where flags are dead. */
static void
test_floats (void)
{
  static const uint8_t bytes[] = {
    FENTRY,                             /* 0 */
    0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
    0x74, 0x05,                         /* 8: je f */
    0x19, 0xc0,                         /* a: sbb %eax,%eax: reads only the carry flag */
    0x0f, 0x94, 0xc0,                   /* c: sete %al */
    0x75, 0x03,                         /* f: jne 14: flags are live in front of it */
    0x31, 0xc0,                         /* 11: xor %eax,%eax */
    0xc3,                               /* 13: ret */
    0xc3,                               /* 14: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (bytes, FIXTURE_C);
  g_auto(GilkCode) near = { NULL }, far = { NULL };
  GilkWant wants[] = {
    { .block = fixture_block (&fixture, 0), .where = GILK_WHERE_POST },
    { .block = fixture_block (&fixture, 0xf), .where = GILK_WHERE_PRE },
  };
  g_autoptr(GilkSplicePlan) plan = plan_clone (&fixture, wants, G_N_ELEMENTS (wants));

  emit_clone (&fixture, plan, 0, NULL, &near);
  /* The counter is placed in front of the test, where flags are dead. A block that is only a branch
   * lacks such a place, so its counter saves the flags. */
  g_assert_cmpuint (plan->choices[0].cost, ==, 1);
  g_assert_cmpuint (plan->choices[1].cost, ==, 4);
  emit_clone (&fixture, plan, FAR_OFFSET, NULL, &far);
  g_assert_cmpuint (far.added[0], <=, near.added[0] + 1);
  g_assert_cmpuint (far.added[1], ==, near.added[1] + 1);
}

static void
test_calls (void)
{
  static const uint8_t bytes[] = {
    FENTRY,                             /* 0 */
    0x53,                               /* 5: push %rbx */
    0x48, 0x8b, 0x1d, 0x10, 0, 0, 0,    /* 6: mov 0x10(%rip),%rbx */
    0xe8, 0xee, 0x0f, 0, 0,             /* d: call 1000 */
    0xff, 0xd3,                         /* 12: call *%rbx */
    0x5b,                               /* 14: pop %rbx */
    0xe9, 0xe6, 0, 0, 0,                /* 15: jmp 100 */
    OTHER_CODE,
  };
  const GilkSite sites[] = { FIXTURE_C, OTHER_C };
  g_auto(Fixture) fixture = { NULL };
  g_auto(GilkCode) code = { NULL }, linked = { NULL };
  g_autoptr(GHashTable) links = g_hash_table_new (NULL, NULL);

  fixture_init_named (&fixture, "fixture", FIXTURE_BASE, bytes, sizeof bytes, OTHER_NAME, sites,
                      G_N_ELEMENTS (sites));
  g_autoptr(GilkSplicePlan) plan = plan_blocks (&fixture);

  emit_clone (&fixture, plan, 0, NULL, &code);
  assert_text (&fixture, &code,
               "incq %gs:8\n"
               "push %rbx\n"
               "mov -0x1efffff4(%rip),%rbx\n"
               "call 0xffffffff81001000\n"
               "call *%rbx\n"
               "pop %rbx\n"
               "jmp 0xffffffff81000100\n");
  g_assert_cmpuint (code.faults->len, ==, 0);

  g_hash_table_insert (links, GSIZE_TO_POINTER (FIXTURE_BASE + 0x1000),
                       GSIZE_TO_POINTER (FIXTURE_SLOT + 0x4000));
  g_hash_table_insert (links, GSIZE_TO_POINTER (FIXTURE_BASE + OTHER),
                       GSIZE_TO_POINTER (FIXTURE_SLOT + 0x5000));
  emit_clone (&fixture, plan, 0, links, &linked);
  assert_text (&fixture, &linked,
               "incq %gs:8\n"
               "push %rbx\n"
               "mov -0x1efffff4(%rip),%rbx\n"
               "call 0xffffffffa0004000\n"
               "call *%rbx\n"
               "pop %rbx\n"
               "jmp 0xffffffffa0005000\n");
}

static void
test_static_key (void)
{
  static const uint8_t bytes[] = {
    FENTRY,                             /* 0 */
    0x0f, 0x1f, 0x44, 0x00, 0x00,       /* 5: a static key, off; jumps to 16 if on */
    0x48, 0x85, 0xff,                   /* a: test %rdi,%rdi */
    0xeb, 0x02,                         /* d: a static key, on: jumps to 11 */
    0x31, 0xc0,                         /* f: xor %eax,%eax */
    0x74, 0x03,                         /* 11: je 16, with the flags from a or f */
    0x31, 0xd2,                         /* 13: xor %edx,%edx */
    0xc3,                               /* 15: ret */
    0xc3,                               /* 16: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (bytes, FIXTURE_C,
    { FIXTURE_BASE + 5, FIXTURE_BASE + 0x16, GILK_SITE_JUMP_LABEL },
    { FIXTURE_BASE + 0xd, FIXTURE_BASE + 0x11, GILK_SITE_JUMP_LABEL });
  g_auto(GilkCode) code = { NULL };

  /* The function cannot be cloned, because the jump at its entry would overwrite bytes that the
   * kernel patches. */
  assert_refusal (&fixture, GILK_REFUSAL_CLONE_ENTRY);

  GilkWant want = {
    .block = fixture_block (&fixture, 0), .where = GILK_WHERE_POST, .inner = TRUE,
  };
  g_autoptr(GilkSplicePlan) plan = plan_clone (&fixture, &want, 1);

  g_assert_cmpuint (plan->n_patches, ==, 1);
  g_assert_cmpuint (plan->patches[0].len, ==, 0);
  g_assert_cmpuint (plan->patches[0].flags, ==, ILK_PATCH_RETURNS | ILK_PATCH_INNER);
  emit_clone (&fixture, plan, 0, NULL, &code);
  assert_text (&fixture, &code,
               "incq %gs:8\n"
               "testb $0x80,-0x1f00000b(%rip)\n"
               "jne 0xffffffffa0000033\n"
               "test %rdi,%rdi\n"
               "pushfq\n"
               "testb $0x80,-0x1f000014(%rip)\n"
               "jne 0xffffffffa0000034\n"
               "popfq\n"
               "xor %eax,%eax\n"
               "je 0xffffffffa0000033\n"
               "xor %edx,%edx\n"
               "ret\n"
               "ret\n"
               "popfq\n"
               "jmp 0xffffffffa000002a\n");
}

static const char static_calls[] =
  OTHER_NAME
  "ffffffff82000000 d __SCK__one\n"
  "ffffffff82000010 d __SCK__two\n"
  "ffffffff81900000 t __SCT__one\n"
  "ffffffff81900008 t __SCT__two\n";

static void
test_static_call (void)
{
  static const uint8_t bytes[] = {
    FENTRY,                             /* 0 */
    0x48, 0x83, 0xec, 0x08,             /* 5: sub $8,%rsp */
    0x90,                               /* 9: nop */
    0xe8, 0xf1, 0x0f, 0, 0,             /* a: call 1000 */
    0x0f, 0x1f, 0x44, 0x00, 0x00,       /* f: a static call that does nothing */
    0x2e, 0x2e, 0x2e, 0x31, 0xc0,       /* 14: a static call that returns 0 */
    0x85, 0xc0,                         /* 19: test %eax,%eax */
    0x0f, 0x84, 0xdf, 0, 0, 0,          /* 1b: je 100 */
    0xe9, 0xda, 0, 0, 0,                /* 21: jmp 100 */
    OTHER_CODE,
  };
  const GilkSite sites[] = {
    FIXTURE_C,
    { FIXTURE_BASE + 0xa, 0xffffffff82000000, GILK_SITE_STATIC_CALL },
    { FIXTURE_BASE + 0xf, 0xffffffff82000010, GILK_SITE_STATIC_CALL },
    { FIXTURE_BASE + 0x14, 0xffffffff82000000, GILK_SITE_STATIC_CALL },
    { FIXTURE_BASE + 0x1b, 0xffffffff82000010, GILK_SITE_STATIC_CALL },
    { FIXTURE_BASE + 0x21, 0xffffffff82000000, GILK_SITE_STATIC_CALL },
  };
  g_auto(Fixture) fixture = { NULL }, unknown = { NULL };
  g_auto(GilkCode) code = { NULL };

  fixture_init_named (&fixture, "fixture", FIXTURE_BASE, bytes, sizeof bytes, static_calls, sites,
                      G_N_ELEMENTS (sites));
  GilkWant want = { .block = fixture_block (&fixture, 0) };
  g_autoptr(GilkSplicePlan) plan = plan_clone (&fixture, &want, 1);

  emit_clone (&fixture, plan, 0, NULL, &code);
  assert_text (&fixture, &code,
               "incq %gs:8\n"
               "sub $8,%rsp\n"
               "call 0xffffffff81900000\n"
               "call 0xffffffff81900008\n"
               "call 0xffffffff81900000\n"
               "test %eax,%eax\n"
               "je 0xffffffff81900008\n"
               "jmp 0xffffffff81900000\n");

  fixture_init_named (&unknown, "fixture", FIXTURE_BASE, bytes, sizeof bytes, OTHER_NAME, sites,
                      G_N_ELEMENTS (sites));
  assert_refusal (&unknown, GILK_REFUSAL_CLONE_STATIC_CALL);
}

static void
test_bug (void)
{
  static const uint8_t bytes[] = {
    FENTRY,                             /* 0 */
    0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
    0x74, 0x03,                         /* 8: je d */
    0x31, 0xc0,                         /* a: xor %eax,%eax */
    0xc3,                               /* c: ret */
    0x0f, 0x0b,                         /* d: ud2 of a WARN */
    0xeb, 0xf9,                         /* f: jmp a */
  };
  g_auto(Fixture) fixture = FIXTURE (bytes, FIXTURE_C, { FIXTURE_BASE + 0xd, 0, GILK_SITE_WARN });
  g_auto(GilkCode) code = { NULL };
  GilkWant want = { .block = fixture_block (&fixture, 0xd), .where = GILK_WHERE_POST };
  g_autoptr(GilkSplicePlan) plan = plan_clone (&fixture, &want, 1);

  emit_clone (&fixture, plan, 0, NULL, &code);
  /* The counter is in front of the ud2, because execution continues in the original after the
   * trap. */
  assert_text (&fixture, &code,
               "test %rdi,%rdi\n"
               "je 0xffffffffa000000c\n"
               "xor %eax,%eax\n"
               "ret\n"
               "incq %gs:8\n"
               "jmp 0xffffffff8100000d\n"
               "jmp 0xffffffffa0000009\n");
}

static void
test_faults (void)
{
  static const uint8_t bytes[] = {
    FENTRY,                             /* 0 */
    0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
    0x48, 0x8b, 0x07,                   /* 8: mov (%rdi),%rax, fix-up at 10 */
    0x48, 0x8b, 0x1e,                   /* b: mov (%rsi),%rbx, fix-up outside */
    0x90,                               /* e: nop */
    0xc3,                               /* f: ret */
    0x31, 0xc0,                         /* 10: xor %eax,%eax */
    0xc3,                               /* 12: ret */
  };
  const GilkSite sites[] = {
    FIXTURE_C,
    { FIXTURE_BASE + 8, FIXTURE_BASE + 0x10, GILK_SITE_EXTABLE, 0x123 },
    { FIXTURE_BASE + 0xb, FIXTURE_BASE + 0x9000, GILK_SITE_EXTABLE, 7 },
  };
  g_auto(Fixture) fixture = fixture_make (bytes, sizeof bytes, sites, G_N_ELEMENTS (sites));
  g_auto(GilkCode) code = { NULL };

  /* The function cannot be cloned: if one of its bytes that the entry's jump overwrites faulted, no
   * exception table entry would be found. */
  assert_refusal (&fixture, GILK_REFUSAL_CLONE_ENTRY);
  GilkWant want = { .block = fixture_block (&fixture, 0x10), .inner = TRUE };
  g_autoptr(GilkSplicePlan) plan = plan_clone (&fixture, &want, 1);

  emit_clone (&fixture, plan, 0, NULL, &code);
  static const struct ilk_fault expected[] = {
    { 3, 0x123, CLONED (10) }, { 6, 7, FIXTURE_BASE + 0x9000 },
  };
  g_assert_cmpmem (code.faults->data, code.faults->len * sizeof (struct ilk_fault),
                   expected, sizeof expected);
  g_assert_cmpuint (plan->patches[0].code_bound, >=, 2 * ILK_GRANULE);
}

static void
test_loops (void)
{
  static const uint8_t bytes[] = {
    FENTRY,                             /* 0 */
    0x31, 0xc0,                         /* 5: xor %eax,%eax */
    0x48, 0x89, 0xf9,                   /* 7: mov %rdi,%rcx */
    0xe3, 0x04,                         /* a: jrcxz 10 */
    0xff, 0xc0,                         /* c: inc %eax */
    0xe2, 0xfc,                         /* e: loop c */
    0xc3,                               /* 10: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (bytes, FIXTURE_C);
  g_auto(GilkCode) code = { NULL };
  g_autoptr(GilkSplicePlan) plan = plan_blocks (&fixture);

  emit_clone (&fixture, plan, 0, NULL, &code);
  assert_text (&fixture, &code,
               "incq %gs:8\n"
               "xor %eax,%eax\n"
               "mov %rdi,%rcx\n"
               "jrcxz 0xffffffffa0000015\n"
               "jmp 0xffffffffa000001a\n"
               "jmp 0xffffffffa0000031\n"
               "incq %gs:0x10\n"
               "inc %eax\n"
               "loop 0xffffffffa000002c\n"
               "jmp 0xffffffffa0000031\n"
               "jmp 0xffffffffa000001a\n"
               "incq %gs:0x18\n"
               "ret\n");
}

static void
test_refused (void)
{
  static const uint8_t endless[] = {
    FENTRY,                             /* 0 */
    0x48, 0x83, 0xec, 0x08,             /* 5: sub $8,%rsp */
    0xe8, 0xf2, 0x0f, 0, 0,             /* 9: call 1000 */
    0xeb, 0xf9,                         /* e: jmp 9 */
  };
  static const uint8_t brief[] = { FENTRY, 0x31, 0xc0, 0xc3 };
  static const uint8_t looped[] = {
    FENTRY, 0x31, 0xc0,                 /* xor %eax,%eax */
    0xff, 0xc0, 0x39, 0xf8, 0x75, 0xfa, /* inc %eax; cmp %edi,%eax; jne back to the inc */
    0xc3,
  };
  static const uint8_t early_call[] = {
    FENTRY, 0xff, 0xd7, 0x31, 0xc0, 0x48, 0x85, 0xc0, 0xc3,     /* call *%rdi */
  };
  static const uint8_t pinned[] = {
    FENTRY, 0x31, 0xc0, 0x48, 0x85, 0xc0, 0x0f, 0x22, 0xd8, 0xc3,   /* mov %rax,%cr3 */
  };
  g_auto(Fixture) a = FIXTURE (endless, FIXTURE_C), b = FIXTURE (brief, FIXTURE_C),
                  c = FIXTURE (early_call, FIXTURE_C), d = FIXTURE (pinned, FIXTURE_C),
                  e = { NULL }, f = FIXTURE (looped, FIXTURE_C), g = { NULL };
  const GilkSite sites[] = { FIXTURE_C };

  assert_refusal (&a, GILK_REFUSAL_CLONE_NEVER_RETURNS);
  assert_refusal (&b, GILK_REFUSAL_CLONE_ENTRY);
  g_assert_cmpuint (gilk_clone_check (b.cfg, TRUE), ==, 0);
  assert_refusal (&f, GILK_REFUSAL_CLONE_ENTRY);
  assert_refusal (&c, GILK_REFUSAL_CLONE_ENTRY);
  assert_refusal (&d, GILK_REFUSAL_NOT_RELOCATABLE);
  fixture_init_named (&e, "finish_task_switch.isra.0", FIXTURE_BASE, fixture_typical, sizeof fixture_typical, "",
                      sites, G_N_ELEMENTS (sites));
  assert_refusal (&e, GILK_REFUSAL_CLONE_SWITCHES);
  fixture_init_named (&g, "khugepaged", FIXTURE_BASE, fixture_typical, sizeof fixture_typical, "",
                      sites, G_N_ELEMENTS (sites));
  assert_refusal (&g, GILK_REFUSAL_CLONE_NEVER_RETURNS);
}

/* Tests that the jump at the function's entry can overwrite filler, and can overwrite a second
 * block if the only edge into that block comes from the first block. */
static void
test_entry (void)
{
  static const uint8_t brief[] = { FENTRY, 0x31, 0xc0, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc };
  static const uint8_t two_blocks[] = {
    FENTRY, 0x85, 0xff, 0x74, 0x05,     /* test %edi,%edi; je to the second ret */
    0x48, 0x89, 0xf8,                   /* mov %rdi,%rax */
    0xc3, 0xcc, 0xc3,
  };
  g_auto(Fixture) a = FIXTURE (brief, FIXTURE_C), b = FIXTURE (two_blocks, FIXTURE_C);
  g_autoptr(GilkSplicePlan) first = plan_blocks (&a);
  g_autoptr(GilkSplicePlan) second = plan_blocks (&b);

  g_assert_cmpuint (first->n_patches, ==, 1);
  g_assert_cmpuint (first->patches[0].len, ==, 5);
  g_assert_cmpmem (first->patches[0].old, 5, brief + 5, 5);
  g_assert_cmpuint (second->n_patches, ==, 1);
  g_assert_cmpuint (second->patches[0].len, ==, 7);
  g_assert_cmpmem (second->patches[0].old, 7, two_blocks + 5, 7);
}

static void
assert_tactic (const GilkSplicePlan *plan, guint want, guint tactic)
{
  g_assert_cmpuint (plan->choices[want].refusal, ==, 0);
  g_assert_cmpuint (plan->choices[want].tactic, ==, tactic);
}

/* Tests that without a forced tactic, the planner clones a function if a hook would be a trap, or
 * if hooks are dense. */
static void
test_choice (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const guint first = fixture_block (&fixture, 0), second = fixture_block (&fixture, 0xd),
              last = fixture_block (&fixture, 0x18);
  const GilkWant sparse[] = { { .block = second } };
  const GilkWant short_one[] = { { .block = second }, { .block = last } };
  const GilkWant dense[] = { { .block = first }, { .block = second } };
  const GilkWant mixed[] = { { .block = last }, { .block = second, .force = ILK_TACTIC_SPLICE } };
  g_autoptr(GilkSplicePlan) a = gilk_splice_plan_new_any (fixture.cfg, fixture.decoder, sparse, 1);
  g_autoptr(GilkSplicePlan) b =
    gilk_splice_plan_new_any (fixture.cfg, fixture.decoder, short_one, 2);
  g_autoptr(GilkSplicePlan) c = gilk_splice_plan_new_any (fixture.cfg, fixture.decoder, dense, 2);
  g_autoptr(GilkSplicePlan) d = gilk_splice_plan_new_any (fixture.cfg, fixture.decoder, mixed, 2);

  assert_tactic (a, 0, ILK_TACTIC_SPLICE);
  assert_tactic (b, 0, ILK_TACTIC_CLONE);
  assert_tactic (b, 1, ILK_TACTIC_CLONE);
  g_assert_cmpuint (b->n_patches, ==, 1);
  assert_tactic (c, 0, ILK_TACTIC_CLONE);
  assert_tactic (c, 1, ILK_TACTIC_CLONE);
  assert_tactic (d, 0, ILK_TACTIC_TRAP);
  assert_tactic (d, 1, ILK_TACTIC_SPLICE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clone/plain", test_plain);
  g_test_add_func ("/clone/floats", test_floats);
  g_test_add_func ("/clone/calls", test_calls);
  g_test_add_func ("/clone/static-key", test_static_key);
  g_test_add_func ("/clone/static-call", test_static_call);
  g_test_add_func ("/clone/bug", test_bug);
  g_test_add_func ("/clone/faults", test_faults);
  g_test_add_func ("/clone/loops", test_loops);
  g_test_add_func ("/clone/refused", test_refused);
  g_test_add_func ("/clone/entry", test_entry);
  g_test_add_func ("/clone/choice", test_choice);

  return g_test_run ();
}
