/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-member-names.c - tests that members are named if it is certain which struct the pointer
 * points to
 */
#include "core/dataflow/gilk-liveness.h"

#include "btf-fixture.h"
#include "splice-fixture.h"

typedef struct {
  guint       offset;
  const char *name;
} Named;

/* A function whose arguments are a struct file * and a struct holder *, and its instructions whose
 * operands must get the name of a member. All other instructions must get none. */
typedef struct {
  const uint8_t *code;
  gsize          length;
  Named          named[8];
} Case;

#define CODE(...) (const uint8_t[]) { __VA_ARGS__ }, sizeof ((const uint8_t[]) { __VA_ARGS__ })

static void
test_named (gconstpointer data)
{
  const Case *c = data;
  const GilkSite sites[] = { FIXTURE_C };
  g_autoptr (BtfFile) file = btf_file_new ();
  g_autoptr (GilkBtf) btf = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GilkMemberNames) names = NULL;
  g_auto (Fixture) fixture = fixture_make (c->code, c->length, sites, G_N_ELEMENTS (sites));
  GilkPrototype prototype;
  guint found = 0, n_named, own;

  btf_small_kernel (file);
  own = btf_to (file, BTF_KIND_PTR, NULL, file->next + 1);
  btf_struct (file, "holder", 24, { "number", 4, 0 }, { "list", 9, 64 }, { "self", own, 128 });
  bytes = btf_bytes (file);
  btf = gilk_btf_new (bytes, NULL, NULL);
  g_assert_true (gilk_btf_function (btf, "done", &prototype));
  prototype.arguments[1] = own;
  names = gilk_member_names_new (fixture.cfg, fixture.decoder, btf, &prototype);

  for (n_named = 0; c->named[n_named].name != NULL; n_named++)
    {
      const Named *named = &c->named[n_named];

      g_assert_cmpstr (gilk_member_names_at (names, fixture_insn (&fixture, named->offset)), ==,
                       named->name);
    }
  for (guint i = 0; i < fixture.cfg->n_insns; i++)
    found += gilk_member_names_at (names, i) != NULL;
  g_assert_cmpuint (found, ==, n_named);
  g_assert_null (gilk_member_names_at (names, fixture.cfg->n_insns));
}

static const Case straight = {
  CODE (
    FENTRY,                             /* 0 */
    0x8b, 0x47, 0x18,                   /* 5: mov 0x18(%rdi),%eax */
    0x48, 0x8b, 0x57, 0x10,             /* 8: mov 0x10(%rdi),%rdx */
    0xf6, 0x47, 0x1a, 0x01,             /* c: testb $1,0x1a(%rdi) */
    0xff, 0x47, 0x10,                   /* 10: incl 0x10(%rdi) */
    0x0f, 0xb6, 0x47, 0x28,             /* 13: movzbl 0x28(%rdi),%eax */
    0x8b, 0x44, 0x87, 0x18,             /* 17: mov 0x18(%rdi,%rax,4),%eax */
    0x65, 0x8b, 0x47, 0x18,             /* 1b: mov %gs:0x18(%rdi),%eax */
    0x8b, 0x47, 0xf8,                   /* 1f: mov -8(%rdi),%eax: in front of the struct */
    0xc3                                /* 22: ret */
  ),
  .named = { { 5, "file.f_flags" }, { 8, "file.id" }, { 0xc, "file.f_flags+2" },
             { 0x10, "file.low" }, { 0x13, "file.items[0].tag[0]" } },
};

static const Case followed = {
  CODE (
    FENTRY,                             /* 0 */
    0x49, 0x89, 0xf4,                   /* 5: mov %rsi,%r12 */
    0x49, 0x8b, 0x44, 0x24, 0x10,       /* 8: mov 0x10(%r12),%rax */
    0x48, 0x8b, 0x50, 0x08,             /* d: mov 8(%rax),%rdx */
    0x48, 0x8d, 0x4f, 0x50,             /* 11: lea 0x50(%rdi),%rcx */
    0x48, 0x8b, 0x41, 0x08,             /* 15: mov 8(%rcx),%rax */
    0x48, 0x8b, 0x40, 0x08,             /* 19: mov 8(%rax),%rax: a list_head */
    0xc3                                /* 1d: ret */
  ),
  .named = { { 8, "holder.self" }, { 0xd, "holder.list" }, { 0x11, "file.list" },
             { 0x15, "file.list.prev" }, { 0x19, "list_head.prev" } },
};

/* Several nested members may start at one address: the outermost is named. */
static const Case addresses = {
  CODE (
    FENTRY,                             /* 0 */
    0x48, 0x8d, 0x47, 0x50,             /* 5: lea 0x50(%rdi),%rax */
    0x48, 0x8d, 0x47, 0x58,             /* 9: lea 0x58(%rdi),%rax */
    0x48, 0x8d, 0x47, 0x24,             /* d: lea 0x24(%rdi),%rax */
    0x48, 0x8d, 0x47, 0x2c,             /* 11: lea 0x2c(%rdi),%rax */
    0x48, 0x8d, 0x47, 0x31,             /* 15: lea 0x31(%rdi),%rax */
    0xc3                                /* 19: ret */
  ),
  .named = { { 5, "file.list" }, { 9, "file.list.prev" }, { 0xd, "file.items" },
             { 0x11, "file.items[1]" }, { 0x15, "file.items[1].tag[1]" } },
};

static const Case lost = {
  CODE (
    FENTRY,                             /* 0 */
    0x48, 0x83, 0xc7, 0x08,             /* 5: add $8,%rdi: no longer points to the file */
    0x8b, 0x47, 0x18,                   /* 9: mov 0x18(%rdi),%eax */
    0x89, 0xf6,                         /* c: mov %esi,%esi */
    0x48, 0x8b, 0x46, 0x08,             /* e: mov 8(%rsi),%rax */
    0xc3                                /* 12: ret */
  ),
};

static const Case call = {
  CODE (
    FENTRY,                             /* 0 */
    0x53,                               /* 5: push %rbx */
    0x48, 0x89, 0xfb,                   /* 6: mov %rdi,%rbx */
    0xe8, 0xf2, 0xff, 0xff, 0xff,       /* 9: call 0 */
    0x8b, 0x47, 0x18,                   /* e: mov 0x18(%rdi),%eax: this member gets no name */
    0x8b, 0x43, 0x18,                   /* 11: mov 0x18(%rbx),%eax */
    0x5b,                               /* 14: pop %rbx */
    0xc3                                /* 15: ret */
  ),
  .named = { { 0x11, "file.f_flags" } },
};

/* One path changes %rsi and the other does not; neither path changes %rdi. */
static const Case meet = {
  CODE (
    FENTRY,                             /* 0 */
    0x85, 0xd2,                         /* 5: test %edx,%edx */
    0x74, 0x03,                         /* 7: je c */
    0x48, 0x89, 0xfe,                   /* 9: mov %rdi,%rsi */
    0x8b, 0x06,                         /* c: mov (%rsi),%eax */
    0x8b, 0x47, 0x18,                   /* e: mov 0x18(%rdi),%eax */
    0xc3                                /* 11: ret */
  ),
  .named = { { 0xe, "file.f_flags" } },
};

/* A pointer that walks a list has the same type in each iteration; a pointer that is otherwise
 * changed in the loop loses its type. */
static const Case loop = {
  CODE (
    FENTRY,                             /* 0 */
    0x8b, 0x47, 0x18,                   /* 5: mov 0x18(%rdi),%eax: %rdi changes in the loop */
    0x48, 0x8b, 0x76, 0x10,             /* 8: mov 0x10(%rsi),%rsi */
    0x48, 0xff, 0xc7,                   /* c: inc %rdi */
    0x48, 0x85, 0xf6,                   /* f: test %rsi,%rsi */
    0x75, 0xf1,                         /* 12: jne 5 */
    0xc3                                /* 14: ret */
  ),
  .named = { { 8, "holder.self" } },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/member-names/straight", &straight, test_named);
  g_test_add_data_func ("/member-names/followed", &followed, test_named);
  g_test_add_data_func ("/member-names/addresses", &addresses, test_named);
  g_test_add_data_func ("/member-names/lost", &lost, test_named);
  g_test_add_data_func ("/member-names/call", &call, test_named);
  g_test_add_data_func ("/member-names/meet", &meet, test_named);
  g_test_add_data_func ("/member-names/loop", &loop, test_named);

  return g_test_run ();
}
