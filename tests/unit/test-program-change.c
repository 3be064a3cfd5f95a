/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-program-change.c - checks programs that change the kernel's behaviour: their code, and
 * why they are refused
 */
#include "core/verify/gilk-verify.h"
#include "tests/unit/program-kernel.h"

#define FUNCTION UINT64_C (0xffffffff81234560)
#define SLOT     UINT64_C (0xffffffffc0800000)

static GilkBtf *types;

/* Resolves three kinds of names: "same", whose module asserts that its prototype is that of the
 * original function; "other", without type information; and "sync_…", with type information. */
static gboolean
find_function (const char *name, const char *original, GilkProgramFunction *function, gpointer data, GError **error)
{
  g_assert_cmpstr (original, ==, "vfs_sync");
  if (strcmp (name, "same") != 0 && strcmp (name, "other") != 0 && !g_str_has_prefix (name, "sync_"))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, "There is no function %s.", name);
      return FALSE;
    }
  *function = (GilkProgramFunction) {
    .address = FUNCTION, .btf = gilk_btf_ref (types), .module = "kernel", .vouched = strcmp (name, "same") == 0,
  };

  return TRUE;
}

static uint64_t
find_variable (const char *name, gpointer data)
{
  return strcmp (name, "level") == 0 ? UINT64_C (0xffffffff82000000) : 0;
}

static GilkProgramPlace
make_change_place (void)
{
  GilkProgramPlace place = program_place (types);

  place.may_change = place.may_return = TRUE;
  place.find_function = find_function;
  place.find_variable = find_variable;

  return place;
}

static void
comes_to (const char *text, const GilkProgramPlace *place, guint changes, const char *operation)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkProgram) program = gilk_program_new (text, place, NULL, &error);
  g_autofree char *operations = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (gilk_program_changes (program), ==, changes);
  g_assert_cmpuint (gilk_program_text_changes (text), ==, changes);
  g_assert_true (gilk_ops_changes (gilk_program_ops (program)));
  operations = gilk_ops_text (gilk_program_ops (program));
  if (strstr (operations, operation) == NULL)
    g_error ("%s: \"%s\" is not in:\n%s", text, operation, operations);
}

static void
assert_refused (const char *text, const GilkProgramPlace *place, const char *says)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkProgram) program = gilk_program_new (text, place, NULL, &error);

  g_assert_null (program);
  if (strstr (error->message, says) == NULL)
    g_error ("%s: \"%s\" is not in: %s", text, says, error->message);
}

static void
test_operations (void)
{
  const GilkProgramPlace place = make_change_place ();
  GilkProgramPlace branch = make_change_place (), back = make_change_place (), sync = make_change_place ();
  g_autoptr(GilkProgram) program = NULL;
  guint n;

  sync.function = "vfs_sync";
  branch.at_entry = FALSE;
  branch.at_branch = TRUE;
  back.at_entry = FALSE;
  back.at_return = TRUE;
  comes_to ("nullify (-5)", &place, GILK_CHANGE_NULLIFY, "%rax = v0\nreturn");
  comes_to ("if (pid == 3) nullify (count)", &place, GILK_CHANGE_NULLIFY, "leave\nreturn");
  comes_to ("replace (sync_too)", &sync, GILK_CHANGE_REPLACE, "call");
  comes_to ("replace (same)", &sync, GILK_CHANGE_REPLACE, "call 0xffffffff81234560, return");
  comes_to ("if (chance (10)) take", &branch, GILK_CHANGE_BRANCH, "continue at the target");
  comes_to ("pass", &branch, GILK_CHANGE_BRANCH, "continue after it");
  comes_to ("%rbx += 1", &branch, GILK_CHANGE_REGISTER, "%rbx = v");
  comes_to ("count = 7", &place, GILK_CHANGE_REGISTER, "%rdx = v");
  comes_to ("retval = -1", &back, GILK_CHANGE_REGISTER, "%rax = v");
  comes_to ("file->f_flags = 3", &place, GILK_CHANGE_MEMORY, "store u32 v0 + 8 = v1");
  comes_to ("file->f_inode->i_uid += 2", &place, GILK_CHANGE_MEMORY, "store u32");
  comes_to ("*(u16 *) variable (level) = 2", &place, GILK_CHANGE_MEMORY, "store u16");
  comes_to ("let p = file; p[1].f_signed = -2; nullify (0)", &place, GILK_CHANGE_MEMORY | GILK_CHANGE_NULLIFY,
            "store");
  program = gilk_program_new ("if (arg0) replace (same); else replace (same)", &sync, NULL, NULL);
  g_assert_cmpstr (gilk_program_calls (program, &n)[0].name, ==, "same");
  g_assert_cmpuint (n, ==, 2);
}

static void
test_refused (void)
{
  const GilkProgramPlace place = make_change_place ();
  GilkProgramPlace calm = make_change_place (), inside = make_change_place (), forever = make_change_place (), sync = make_change_place ();

  sync.function = "vfs_sync";
  calm.may_change = FALSE;
  inside.at_entry = FALSE;
  forever.may_return = FALSE;
  assert_refused ("nullify (0)", &calm, "--allow-changes");
  assert_refused ("file->f_flags = 0", &calm, "--allow-changes");
  assert_refused ("%rax = 0", &calm, "--allow-changes");
  assert_refused ("nullify (0)", &inside, "No function to change");
  assert_refused ("nullify (0)", &forever, "no return of its own");
  assert_refused ("nullify ()", &place, "nullify(VALUE)");
  assert_refused ("nullify (file)", &place, "");
  assert_refused ("replace (nothing)", &sync, "no function nothing");
  assert_refused ("replace (other)", &sync, "ILK_STANDS_IN(other, vfs_sync)");
  assert_refused ("replace (sync_long)", &sync, "argument 2 of the replacement is long, not int");
  assert_refused ("nullify (0x100000000)", &sync, "out of range for int");
  assert_refused ("replace (vfs_sync)", &sync, "replace itself");
  assert_refused ("take", &place, "No conditional branch");
  assert_refused ("%rsp = 0", &place, "cannot be set");
  assert_refused ("%rbp = 0", &place, "cannot be set");
  assert_refused ("frame = 0", &place, "cannot be set");
  assert_refused ("flag = 300", &place, "out of range for");
  assert_refused ("file->bits_a = 1", &place, "bit field");
  assert_refused ("file->f_own = 1", &place, "numbers and pointers");
  assert_refused ("file += 1", &place, "p = p + N");
  assert_refused ("*(u32 *) variable (zzz) = 1", &place, "variable zzz");
  assert_refused ("if (chance (101)) count ()", &place, "a percentage");
}

static gboolean
is_verified (const uint8_t *code, gsize length, GilkVerifyInput what)
{
  static const struct ilk_info info = { .gs_preempt_count = 0x100 };

  what.address = SLOT;
  what.code = code;
  what.length = length;
  what.info = &info;
  what.kernel_end = -0xa00000;
  what.longest = 100;

  return gilk_verify (&what, NULL);
}

#define HOLDS(what, ...) is_verified ((const uint8_t[]) { __VA_ARGS__ }, sizeof ((const uint8_t[]) { __VA_ARGS__ }), what)

static void
test_proof (void)
{
  static const GilkVerifyExit exits[] = { { SLOT + 0x1005, GILK_VERIFY_RETURNS }, { SLOT + 0x2005, GILK_VERIFY_CONTINUES } };
  static const uint64_t calls[] = { SLOT + 0x3005 };
  const GilkVerifyInput none = { 0 }, returns = { .may_return = TRUE };
  const GilkVerifyInput sets = { .may_return = TRUE, .sets = 1 << 3 }, leaves = { .exits = exits, .n_exits = 2 };
  const GilkVerifyInput replaces = { .may_return = TRUE, .calls = calls, .n_calls = 1 };

  g_assert_false (HOLDS (none, 0xc3));
  g_assert_true (HOLDS (returns, 0xc3));
  g_assert_true (HOLDS (returns, 0x31, 0xc0, 0xc3));                /* xor %eax,%eax: changes rax,
                                                                       which is dead */
  g_assert_false (HOLDS (returns, 0x31, 0xdb, 0xc3));               /* changes the caller's rbx */
  g_assert_true (HOLDS (sets, 0x31, 0xdb, 0xc3));
  g_assert_false (HOLDS (returns, 0x50, 0xc3));                     /* returns with a word pushed */
  g_assert_true (HOLDS (returns, 0xeb, 0x01, 0xcc, 0xc3));          /* jumps over filler */
  g_assert_false (HOLDS (returns, 0xcc));
  g_assert_true (HOLDS (leaves, 0xe9, 0x00, 0x10, 0, 0));
  g_assert_false (HOLDS (leaves, 0xe9, 0x01, 0x10, 0, 0));          /* target off by one byte */
  g_assert_true (HOLDS (leaves, 0xe9, 0x00, 0x20, 0, 0));
  g_assert_false (HOLDS (none, 0xe9, 0x00, 0x10, 0, 0));
  g_assert_true (HOLDS (replaces, 0xe8, 0x00, 0x30, 0, 0, 0xc3));
  g_assert_false (HOLDS (replaces, 0x31, 0xff, 0xe8, 0xfe, 0x2f, 0, 0, 0xc3));    /* changes an argument */
  g_assert_false (HOLDS (replaces, 0xe8, 0x00, 0x30, 0, 0));        /* continues with changed registers */
  g_assert_false (HOLDS (returns, 0xe8, 0x00, 0x30, 0, 0, 0xc3));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  types = program_btf ();
  g_test_add_func ("/program-change/operations", test_operations);
  g_test_add_func ("/program-change/refused", test_refused);
  g_test_add_func ("/program-change/proof", test_proof);
  status = g_test_run ();
  gilk_btf_unref (types);

  return status;
}
