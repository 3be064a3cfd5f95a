/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-member-names.c - members are named if it is certain which struct the pointer points to
 */
#include "core/dataflow/gilk-liveness.h"

#include "btf-fixture.h"
#include "splice-fixture.h"

typedef struct {
  guint       offset;
  const char *name;
} Named;

/* Checks that the instructions in @named get these member names, and that the others get none. The
 * arguments of the function are a struct file * and a struct holder *. */
static void
assert_named (const uint8_t *code, gsize length, const Named *named, guint n_named)
{
  const GilkSite sites[] = { FIXTURE_C };
  g_autoptr (BtfFile) file = btf_file_new ();
  g_autoptr (GilkBtf) btf = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GilkMemberNames) names = NULL;
  g_auto (Fixture) fixture = fixture_make (code, length, sites, G_N_ELEMENTS (sites));
  GilkPrototype prototype;
  guint found = 0, own;

  btf_small_kernel (file);
  own = btf_to (file, BTF_KIND_PTR, NULL, file->next + 1);
  btf_struct (file, "holder", 24, { "number", 4, 0 }, { "list", 9, 64 }, { "self", own, 128 });
  bytes = btf_bytes (file);
  btf = gilk_btf_new (bytes, NULL, NULL);
  g_assert_true (gilk_btf_function (btf, "done", &prototype));
  prototype.arguments[1] = own;
  names = gilk_member_names_new (fixture.cfg, fixture.decoder, btf, &prototype);

  for (guint i = 0; i < n_named; i++)
    g_assert_cmpstr (gilk_member_names_at (names, fixture_insn (&fixture, named[i].offset)), ==, named[i].name);
  for (guint i = 0; i < fixture.cfg->n_insns; i++)
    found += gilk_member_names_at (names, i) != NULL;
  g_assert_cmpuint (found, ==, n_named);
  g_assert_null (gilk_member_names_at (names, fixture.cfg->n_insns));
}

#define ASSERT_NAMED(code, ...) \
  do { \
    const Named named_[] = { __VA_ARGS__ }; \
    assert_named (code, sizeof code, named_, G_N_ELEMENTS (named_)); \
  } while (0)

static void
test_straight (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x8b, 0x47, 0x18,                   /* 5: mov 0x18(%rdi),%eax */
    0x48, 0x8b, 0x57, 0x10,             /* 8: mov 0x10(%rdi),%rdx */
    0xf6, 0x47, 0x1a, 0x01,             /* c: testb $1,0x1a(%rdi) */
    0xff, 0x47, 0x10,                   /* 10: incl 0x10(%rdi) */
    0x0f, 0xb6, 0x47, 0x28,             /* 13: movzbl 0x28(%rdi),%eax */
    0x8b, 0x44, 0x87, 0x18,             /* 17: mov 0x18(%rdi,%rax,4),%eax */
    0x65, 0x8b, 0x47, 0x18,             /* 1b: mov %gs:0x18(%rdi),%eax */
    0x8b, 0x47, 0xf8,                   /* 1f: mov -8(%rdi),%eax: in front of the struct */
    0xc3,                               /* 22: ret */
  };

  ASSERT_NAMED (code, { 5, "file.f_flags" }, { 8, "file.id" }, { 0xc, "file.f_flags+2" }, { 0x10, "file.low" },
                { 0x13, "file.items[0].tag[0]" });
}

static void
test_followed (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x49, 0x89, 0xf4,                   /* 5: mov %rsi,%r12 */
    0x49, 0x8b, 0x44, 0x24, 0x10,       /* 8: mov 0x10(%r12),%rax */
    0x48, 0x8b, 0x50, 0x08,             /* d: mov 8(%rax),%rdx */
    0x48, 0x8d, 0x4f, 0x50,             /* 11: lea 0x50(%rdi),%rcx */
    0x48, 0x8b, 0x41, 0x08,             /* 15: mov 8(%rcx),%rax */
    0x48, 0x8b, 0x40, 0x08,             /* 19: mov 8(%rax),%rax: a list_head */
    0xc3,                               /* 1d: ret */
  };

  ASSERT_NAMED (code, { 8, "holder.self" }, { 0xd, "holder.list" }, { 0x11, "file.list" },
                { 0x15, "file.list.prev" }, { 0x19, "list_head.prev" });
}

/* Several nested members may start at one address: the outermost is named. */
static void
test_addresses (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x48, 0x8d, 0x47, 0x50,             /* 5: lea 0x50(%rdi),%rax */
    0x48, 0x8d, 0x47, 0x58,             /* 9: lea 0x58(%rdi),%rax */
    0x48, 0x8d, 0x47, 0x24,             /* d: lea 0x24(%rdi),%rax */
    0x48, 0x8d, 0x47, 0x2c,             /* 11: lea 0x2c(%rdi),%rax */
    0x48, 0x8d, 0x47, 0x31,             /* 15: lea 0x31(%rdi),%rax */
    0xc3,                               /* 19: ret */
  };

  ASSERT_NAMED (code, { 5, "file.list" }, { 9, "file.list.prev" }, { 0xd, "file.items" }, { 0x11, "file.items[1]" },
                { 0x15, "file.items[1].tag[1]" });
}

static void
test_lost (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x48, 0x83, 0xc7, 0x08,             /* 5: add $8,%rdi: no longer points to the file */
    0x8b, 0x47, 0x18,                   /* 9: mov 0x18(%rdi),%eax */
    0x89, 0xf6,                         /* c: mov %esi,%esi */
    0x48, 0x8b, 0x46, 0x08,             /* e: mov 8(%rsi),%rax */
    0xc3,                               /* 12: ret */
  };

  assert_named (code, sizeof code, NULL, 0);
}

static void
test_call (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x53,                               /* 5: push %rbx */
    0x48, 0x89, 0xfb,                   /* 6: mov %rdi,%rbx */
    0xe8, 0xf2, 0xff, 0xff, 0xff,       /* 9: call 0 */
    0x8b, 0x47, 0x18,                   /* e: mov 0x18(%rdi),%eax: this member gets no name */
    0x8b, 0x43, 0x18,                   /* 11: mov 0x18(%rbx),%eax */
    0x5b,                               /* 14: pop %rbx */
    0xc3,                               /* 15: ret */
  };

  ASSERT_NAMED (code, { 0x11, "file.f_flags" });
}

/* One path changes %rsi and the other does not; neither path changes %rdi. */
static void
test_meet (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x85, 0xd2,                         /* 5: test %edx,%edx */
    0x74, 0x03,                         /* 7: je c */
    0x48, 0x89, 0xfe,                   /* 9: mov %rdi,%rsi */
    0x8b, 0x06,                         /* c: mov (%rsi),%eax */
    0x8b, 0x47, 0x18,                   /* e: mov 0x18(%rdi),%eax */
    0xc3,                               /* 11: ret */
  };

  ASSERT_NAMED (code, { 0xe, "file.f_flags" });
}

/* A pointer that walks a list has the same type in each iteration; a pointer that is otherwise
 * changed in the loop loses its type. */
static void
test_loop (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x8b, 0x47, 0x18,                   /* 5: mov 0x18(%rdi),%eax: only in the first iteration */
    0x48, 0x8b, 0x76, 0x10,             /* 8: mov 0x10(%rsi),%rsi */
    0x48, 0xff, 0xc7,                   /* c: inc %rdi */
    0x48, 0x85, 0xf6,                   /* f: test %rsi,%rsi */
    0x75, 0xf1,                         /* 12: jne 5 */
    0xc3,                               /* 14: ret */
  };

  ASSERT_NAMED (code, { 8, "holder.self" });
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/member-names/straight", test_straight);
  g_test_add_func ("/member-names/followed", test_followed);
  g_test_add_func ("/member-names/addresses", test_addresses);
  g_test_add_func ("/member-names/lost", test_lost);
  g_test_add_func ("/member-names/call", test_call);
  g_test_add_func ("/member-names/meet", test_meet);
  g_test_add_func ("/member-names/loop", test_loop);

  return g_test_run ();
}
