/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-program-user.c - tests that a hook in the kernel reads the memory of a process where its
 * program says so, and nowhere else
 */
#include "tests/unit/program-hit.h"

/* The value that a word of the kernel's memory has in user memory, see program-model.h. */
#define IN_USER(word) ((word) ^ 1)

/* Runs @text once, with pointers into user memory in %rdi, %rsi and %rdx. */
static Hit *
hit_user (const char *text, const char *function)
{
  GilkBtf *btf = program_btf ();
  GilkProgramPlace place = program_place (btf);
  Hit *hit;

  place.function = function;
  hit = hit_new_at (text, &place, btf);
  hit->machine.registers[7] = USER_FILE_AT;
  hit->machine.registers[6] = USER_INODE_AT;
  hit->machine.registers[2] = USER_FILE_AT;
  hit_poke (hit, FILE_AT, 8, IN_USER (USER_INODE_AT));
  hit_poke (hit, FILE_AT + 88, 8, IN_USER (USER_FILE_AT));
  hit_it (hit);

  return hit;
}

static void
check_value (const char *expression, const char *function, int64_t value)
{
  g_autofree char *text = g_strdup_printf ("sample (x = %s)", expression);
  g_autoptr(Hit) hit = hit_user (text, function);

  g_assert_cmpint (hit_bad (hit), ==, 0);
  if (hit_sampled (hit, "x") != value)
    g_error ("%s is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, text, hit_sampled (hit, "x"), value);
}

/* Tests reads of user memory: members, elements, bit fields, memory at pointers that were read
 * from user memory, casts, and variables defined by "let". */
static void
test_values (void)
{
  const struct { const char *text; int64_t value; } cases[] = {
    { "user (file)->f_flags", IN_USER (0x8001) }, { "(*user (file)).f_signed", -7 }, { "user (buf)[3]", (int8_t) (123456789012 >> 24) },
    { "user (file)->bits_b", 0xa7 }, { "user (file)->f_numbers[1]", -20 }, { "*(s32 *) (user (file)->f_numbers + 1)", -20 },
    { "user (file)->f_own.i_ino", IN_USER (77) }, { "user (file)->f_inode->i_ino", IN_USER (123456789012) },
    { "user (file)->f_table[1]", USER_FILE_AT }, { "((struct file *) user (file)->f_table[1])->f_signed", -7 },
    { "(&user (file)->f_own)->i_ino", IN_USER (77) }, { "*(u16 *) (user (file) + 0)", USER_INODE_AT & 0xffff },
    { "*(u32 *) user ((char *) %rdi + 8)", IN_USER (0x8001) }, { "user (file) - file", 0 }, { "(u64) user (file)", USER_FILE_AT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_value (cases[i].text, "vfs_write", cases[i].value);
  {
    g_autoptr(Hit) hit = hit_user ("let p = user (file); let q = p->f_inode; sample (x = q->i_uid)", "vfs_write");

    g_assert_cmpint (hit_sampled (hit, "x"), ==, IN_USER (1000));
  }
}

/* Tests that an access of user memory is bad if the program does not mark it by user(), or if a
 * cast to a number has ended the effect of user(), and that a kernel address in user() is bad. */
static void
test_bad (void)
{
  static const char *const texts[] = {
    "sample (x = file->f_flags)", "sample (x = ((struct file *) (u64) user (file))->f_flags)",
    "sample (x = user (task)->tgid)", "sample (x = user (task->parent)->tgid)", "sample (x = *user ((char *) 8))",
    "sample (x = string (buf))",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr(Hit) hit = hit_user (texts[i], "vfs_write");

      g_assert_cmpint (hit_bad (hit), ==, 1);
      g_assert_cmpint (hit_sampled (hit, "bad"), ==, 1);
      g_assert_cmpint (hit_sampled (hit, "x"), ==, 0);
    }
}

/* Tests that pointers that BTF marks as user pointers are user pointers even without user(), and
 * that other pointers still lead to the kernel's memory. */
static void
test_marked (void)
{
  g_autoptr(Hit) hit = NULL;

  check_value ("entry->f_flags", "sys_exec", IN_USER (0x8001));
  check_value ("entry->f_inode->i_ino", "sys_exec", IN_USER (123456789012));
  check_value ("user (entry)->f_signed", "sys_exec", -7);
  check_value ("path[8]", "sys_exec", IN_USER (0x01));
  check_value ("((struct file *) path)->f_signed", "sys_exec", -7);
  check_value ("task->tgid", "sys_exec", 40);
  hit = hit_user ("sample (string (path, 8))", "sys_exec");
  g_assert_cmpint (hit_bad (hit), ==, 0);
}

/* Tests that a string may end directly in front of memory that cannot be read, and is bad if it
 * continues there. */
static void
test_text_end (void)
{
  g_autoptr(Hit) hit = hit_user ("sample (x = string (user ((char *) %rax), 16))", "vfs_write");
  const uint64_t end = MODEL_BYTES;
  char text[16];

  memcpy (hit->machine.memory + end - 11, "a long text", 11);
  hit->machine.memory[end - 1] = 0;
  for (guint length = 1; length <= 10; length++)
    {
      hit->machine.registers[0] = MODEL_USER + end - 1 - length;
      hit_it (hit);
      memcpy (text, hit->model->run.samples->data + hit->model->run.samples->len - hit->model->ops->payload, sizeof text);
      g_assert_cmpuint (strlen (text), ==, length);
      g_assert_cmpint (text[length - 1], ==, 'x');
      g_assert_cmpint (hit_sampled (hit, "bad"), ==, 0);
    }
  hit->machine.memory[end - 1] = 't';
  hit_it (hit);
  g_assert_cmpint (hit_sampled (hit, "bad"), ==, 1);
}

/* Tests that each load reads user memory or the kernel's memory, whichever its pointer leads to. */
static void
test_operations (void)
{
  g_autoptr(Hit) hit = hit_user ("sample (file->f_flags, user (file)->f_signed, string (user (buf), 8))", "vfs_write");
  g_autofree char *text = gilk_ops_text (hit->model->ops);

  g_assert_nonnull (strstr (text, " = load u32 v"));
  g_assert_nonnull (strstr (text, " = load user s32 v"));
  g_assert_nonnull (strstr (text, " = load user text u64 v"));
  g_assert_true (gilk_ops_calls (hit->model->ops));
}

static void
test_changes (void)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  GilkProgramPlace place = program_place (btf);
  g_autoptr(GError) error = NULL;

  place.may_change = TRUE;
  g_assert_null (gilk_program_new ("*user (&file->f_flags) = 1", &place, NULL, &error));
  if (strstr (error->message, "not that of a process") == NULL)
    g_error ("%s", error->message);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/program-user/values", test_values);
  g_test_add_func ("/program-user/bad", test_bad);
  g_test_add_func ("/program-user/marked", test_marked);
  g_test_add_func ("/program-user/text-end", test_text_end);
  g_test_add_func ("/program-user/operations", test_operations);
  g_test_add_func ("/program-user/changes", test_changes);

  return g_test_run ();
}
