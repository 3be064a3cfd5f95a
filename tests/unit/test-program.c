/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-program.c - tests that a probe program behaves as its text specifies: the operations
 * compiled from it run on a simulated machine
 */
#include "tests/unit/program-hit.h"

#include "core/language/gilk-source.h"

/* ---- tests of tokens and comments ---- */

static void
test_tokens (void)
{
  static const struct { const char *text; uint64_t number; gboolean is_unsigned; } numbers[] = {
    { "0", 0 }, { "42", 42 }, { "0x1F", 31 }, { "0b101", 5 }, { "017", 15 }, { "4K", 4096 }, { "2M", 2 << 20 },
    { "1G", 1 << 30 }, { "10us", 10000 }, { "3ms", 3000000 }, { "2s", 2000000000 }, { "5u", 5, TRUE },
    { "7UL", 7, TRUE }, { "9ll", 9 }, { "0xffffffffffffffff", UINT64_MAX, TRUE }, { "'a'", 'a' }, { "'\\n'", '\n' },
    { "'\\0'", 0 }, { "'\\x41'", 'A' }, { "'\\''", '\'' }, { "'\\377'", 255 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      GilkSource source = { .text = numbers[i].text };
      g_autoptr(GArray) tokens = gilk_tokens_new (&source);
      const GilkToken *token;

      g_assert_no_error (source.error);
      g_assert_cmpuint (tokens->len, ==, 2);
      token = &g_array_index (tokens, GilkToken, 0);
      g_assert_cmpint (token->kind, ==, GILK_TOKEN_NUMBER);
      g_assert_cmpuint (token->number, ==, numbers[i].number);
      g_assert_cmpint (token->is_unsigned, ==, numbers[i].is_unsigned);
    }
}

static void
test_comments (void)
{
  g_autoptr(Hit) hit = hit_new ("/* a */ count() // b\n; // c\n /* d\n */ count ()");

  hit_it (hit);
  g_assert_cmpuint (hit->model->run.count, ==, 2);
}

/* ---- tests of expressions and texts ---- */

typedef struct {
  const char *text;
  int64_t     value;
} Case;

/* @data: array of cases; a case without text ends it */
static void
test_values (gconstpointer data)
{
  for (const Case *c = data; c->text != NULL; c++)
    {
      g_autofree char *text = g_strdup_printf ("sample (x = %s)", c->text);
      g_autoptr(Hit) hit = hit_new (text);

      hit_it (hit);
      if (hit_sampled (hit, "x") != c->value)
        g_error ("%s is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, text, hit_sampled (hit, "x"), c->value);
    }
}

/* Tests precedence with constants, and with %rax, whose value of 100 is known only at the hit. */
static const Case precedence[] = {
  { "1 + 2 * 3", 7 }, { "(1 + 2) * 3", 9 }, { "10 - 4 - 3", 3 }, { "100 / 10 / 5", 2 }, { "7 % 4 * 2", 6 },
  { "1 << 2 + 1", 8 }, { "16 >> 1 << 2", 32 }, { "1 | 2 ^ 3 & 2", 1 }, { "1 == 1 & 3", 1 }, { "5 & 3 == 3", 1 },
  { "2 < 3 == 1", 1 }, { "1 || 0 && 0", 1 }, { "-3 + 5", 2 }, { "!0 + 1", 2 }, { "~0", -1 }, { "- - 5", 5 },
  { "-7 / 2", -3 }, { "-7 % 3", -1 }, { "-8 >> 1", -4 }, { "1 << 65", 2 }, { "(u8) 300", 44 },
  { "(s8) 200", -56 }, { "(bool) 6", 1 }, { "(unsigned int) -1", 0xffffffff }, { "(long unsigned) -1 / 2 > 5", 1 },
  { "-1 < 0", 1 }, { "-1 < 0u", 0 }, { "sizeof (struct file)", 176 }, { "sizeof (u16)", 2 },
  { "sizeof (struct file *)", 8 }, { "'a' + 1", 'b' }, { "MODE_ON * 2", 10 }, { "2 > 1 > 0", 1 },
  { "(int) 0x1ffffffff", -1 }, { "0 && 1 / 1", 0 },
  { "%rax + 2 * 3", 106 }, { "(%rax + 2) * 3", 306 }, { "%rax - 4 - 3", 93 }, { "%rax / 10 / 5", 2 },
  { "%rax % 7 * 2", 4 }, { "1 << %rax - 96", 16 }, { "%rax >> 1 << 2", 200 }, { "%rax | 3 ^ 1 & 1", 102 },
  { "5 & %rax == 100", 1 }, { "%rax < 101 == 1", 1 }, { "1 || %rax && 0", 1 }, { "-(s64) %rax / 3", -33 },
  { "-(s64) %rax % 3", -1 }, { "-(s64) %rax >> 1", -50 }, { "-%rax > 5", 1 }, { "-(s64) %rax < 5", 1 },
  { "!%rax", 0 }, { "!!%rax", 1 }, { "~%rax == -101", 1 }, { "(u8) (%rax * 3)", 44 }, { "(s8) (%rax * 2)", -56 },
  { "(bool) %rax", 1 }, { "%rax & 4 && %rax & 8", 0 }, { "%rax & 4 || %rax & 8", 1 }, { "(%rax & 8) == 0", 1 },
  { "%rax != 100", 0 }, { "101 > %rax", 1 }, { "100 >= %rax", 1 }, { "100 < %rax", 0 }, { "99 <= %rax", 1 },
  { "%rax * 0x100000000 >> 32", 100 }, { "%rax - 0x7fffffffffff > 5", 1 }, { "(%rax) - 1", 99 },
  { "%rax / 8", 12 }, { "%rax % 8", 4 }, { "(s64) %rax / 7", 14 }, { "(s64) %rax / -1", -100 },
  { NULL },
};

static const Case arguments[] = {
  { "count", 4096 }, { "arg2", 4096 }, { "mode", -2 }, { "mode < 0", 1 }, { "mode == -2", 1 }, { "flag", 255 },
  { "flag + 1", 256 }, { "yes", 1 }, { "arg5", 0x101 }, { "mode & 4", 4 }, { "mode & 4 && 1", 1 },
  { "mode & 1 || 0", 0 },
  { "%rcx >> 32", 0xdeadbeef }, { "pid", 40 }, { "tid", 42 }, { "cpu", 1 }, { "now", 1000 },
  { "task->pid + pid", 82 }, { "task->parent->parent == task", 1 }, { "(u64) file", (int64_t) FILE_AT },
  { "file == 0", 0 }, { "!file", 0 }, { "file && 1", 1 }, { "count - 4097 > 0", 1 },
  { NULL },
};

static const Case members[] = {
  { "file->f_flags", 0x8001 }, { "file->f_signed", -7 }, { "file->low", 0x55667788 }, { "file->high", 0x11223344 },
  { "file->f_id == 0x1122334455667788", 1 }, { "file->f_inode->i_ino", 123456789012 },
  { "file->f_inode->i_small", -300 }, { "file->f_inode->i_byte", 200 }, { "file->f_inode->i_dirty", 1 },
  { "file->f_inode->i_next->i_ino", 9 }, { "file->f_own.i_ino", 77 }, { "(&file->f_own)->i_ino", 77 },
  { "file->f_bytes[3]", 4 }, { "file->f_bytes[%rax - 95]", 6 }, { "*file->f_bytes", 1 },
  { "file->f_numbers[2]", -30 }, { "*(file->f_numbers + 3)", -40 }, { "*(3 + file->f_numbers)", -40 },
  { "file->f_table[1]->i_ino", 9 }, { "file->f_mode == MODE_ON", 1 }, { "file->f_triples[2].y", 107 },
  { "file->f_triples[%rax / 50].z", 108 }, { "(file->f_triples + 1)->x", 103 }, { "file->f_name[2]", 'm' },
  { "&file->f_triples[3] - &file->f_triples[1]", 2 }, { "&file->f_numbers[3] - file->f_numbers", 3 },
  { "(u64) &file->f_own - (u64) file", 56 }, { "(*file).f_flags", 0x8001 }, { "file[0].f_signed", -7 },
  { "*(u32 *) (arg0 + 8)", 0x8001 }, { "*(u16 *) (%rdi + 14)", 0xffff },
  { "((struct file *) arg0)->f_flags", 0x8001 },
  { "(*(struct inode **) file)->i_ino", 123456789012 }, { "*(char *) &file->f_signed", -7 },
  { "(file + 1) - file", 1 }, { "(u64) (file + 1) - arg0", 176 }, { "file->f_inode > (struct inode *) 0", 1 },
  { "((struct inode *) file->f_private == 0)", 0 }, { "(&file->f_table[1])[0]->i_ino", 9 },
  { "(file->f_numbers)[1] + file->f_flags", 0x8001 - 20 },
  { NULL },
};

/* Returns the bytes of a text in the last sample. */
static const char *
sampled_text (const Hit *hit, const char *name)
{
  const GByteArray *samples = hit->model->run.samples;

  return (const char *) samples->data + samples->len - hit->model->ops->payload + hit_field (hit, name)->offset;
}

/* Tests that a stored string ends at the first 0, and no byte after it is stored. */
static void
test_strings (void)
{
  g_autoptr(Hit) hit = hit_new ("sample (pid, string (file->f_name), short = string ((u64) file + 176, 8), comm)");

  g_assert_cmpuint (hit_field (hit, "f_name")->size, ==, 32);
  g_assert_cmpint (hit_field (hit, "f_name")->type, ==, ILK_FIELD_TEXT);
  for (guint round = 0; round < 400; round++)
    {
      char text[48], whole[33] = { 0 };
      const guint length = round % 40;

      for (guint i = 0; i < sizeof text; i++)
        text[i] = i < length ? (char) g_test_rand_int_range (1, 256) : (char) g_test_rand_int_range (0, 256);
      text[length] = '\0';
      memcpy (hit->machine.memory + 0x100 + 176, text, sizeof text);
      memcpy (whole, text, MIN (length, 32));
      hit_it (hit);
      g_assert_cmpmem (sampled_text (hit, "f_name"), 32, whole, 32);
      memset (whole, 0, 8);
      memcpy (whole, text, MIN (length, 8));
      g_assert_cmpmem (sampled_text (hit, "short"), 8, whole, 8);
      g_assert_cmpstr (sampled_text (hit, "comm"), ==, "kworker/1:2");
      g_assert_cmpint (hit_sampled (hit, "bad"), ==, 0);
    }
}

static void
test_bad_strings (void)
{
  g_autoptr(Hit) hit = hit_new ("sample (a = string (file->f_private), b = string (file->f_table[0], 16), pid)");

  hit_it (hit);
  g_assert_cmpint (hit_sampled (hit, "bad"), ==, 3);
  g_assert_cmpstr (sampled_text (hit, "a"), ==, "");
  g_assert_cmpint (hit_sampled (hit, "pid"), ==, 40);
}

static const Case bit_fields[] = {
  { "file->bits_a", 5 }, { "file->bits_b", 0xa7 }, { "file->bits_c", 0x123456 }, { "file->sbits_a", -3 },
  { "file->sbits_b", -1000 }, { "file->wide_bits", 0x9988776655 }, { "file->wide_rest", 0xabcdef },
  { "file->bits_b & 7 && 1", 1 },
  { NULL },
};

/* ---- tests of bad accesses ---- */

static void
test_bad_condition (void)
{
  g_autoptr(Hit) hit = hit_new ("global a; global b; global c;"
                                "if (file->f_table[0]->i_ino) a++; else b++;"
                                "if (count > 0 && *(u32 *) buf) a++; c++;"
                                "if (count > 0 || *(u32 *) buf) c++;"
                                "if (%rax / (count - 4096)) a++");

  hit_it (hit);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "a"), ==, 0);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "b"), ==, 0);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "c"), ==, 2);
  g_assert_cmpint (hit_bad (hit), ==, 3);
}

static void
test_bad_elsewhere (void)
{
  static const char *const programs[] = {
    "let x = file->f_table[0]->i_ino; count()", "global g; g += *(u32 *) 0; count()",
    "map m[8]; m[*(u8 *) buf]++; count()",
    "histogram h; h(1 / (count - 4096)); count ()",
    "if (1) { let x = (u64) file->f_private; let y = *(u8 *) x; count() } count()",
  };

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autoptr(Hit) hit = hit_new (programs[i]);

      hit_it (hit);
      hit_it (hit);
      g_assert_cmpuint (hit->model->run.count, ==, 0);
      g_assert_cmpint (hit_bad (hit), ==, 2);
    }
}

static void
test_bad_field (void)
{
  g_autoptr(Hit) hit = hit_new ("sample (count, a = file->f_table[0]->i_ino, file->f_flags, "
                                "        b = 7 / (count - 4096), pid)");

  hit_it (hit);
  g_assert_cmpint (hit_sampled (hit, "count"), ==, 4096);
  g_assert_cmpint (hit_sampled (hit, "a"), ==, 0);
  g_assert_cmpint (hit_sampled (hit, "f_flags"), ==, 0x8001);
  g_assert_cmpint (hit_sampled (hit, "b"), ==, 0);
  g_assert_cmpint (hit_sampled (hit, "bad"), ==, 1 << 1 | 1 << 3);
  hit->machine.registers[2] = 4097;
  hit_it (hit);
  g_assert_cmpint (hit_sampled (hit, "b"), ==, 7);
  g_assert_cmpint (hit_sampled (hit, "bad"), ==, 1 << 1);
  g_assert_cmpint (hit_bad (hit), ==, 2);
}

/* ---- tests of samples ---- */

static void
test_fields (void)
{
  g_autoptr(Hit) hit = hit_new ("sample (file->f_mode, comm, f = count, file->f_flags, file, 3 + 4, 5, mode,"
                                "        Mode2 = mode, mode)");
  static const struct { const char *name; guint type, size; } wanted[] = {
    { "f_mode", ILK_FIELD_U32, 4 }, { "comm", ILK_FIELD_TEXT, 16 }, { "f", ILK_FIELD_U64, 8 },
    { "f_flags", ILK_FIELD_U32, 4 }, { "file", ILK_FIELD_HEX64, 8 }, { "v0", ILK_FIELD_S64, 8 },
    { "v1", ILK_FIELD_S64, 8 }, { "mode", ILK_FIELD_S32, 4 }, { "mode2", ILK_FIELD_S32, 4 },
    { "mode3", ILK_FIELD_S32, 4 }, { "bad", ILK_FIELD_U32, 4 },
  };
  guint count;
  const struct ilk_field *fields = gilk_program_fields (hit->program, &count);

  g_assert_cmpuint (count, ==, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < count; i++)
    {
      g_assert_cmpstr (fields[i].name, ==, wanted[i].name);
      g_assert_cmpuint (fields[i].type, ==, wanted[i].type);
      g_assert_cmpuint (fields[i].size, ==, wanted[i].size);
    }
  hit_it (hit);
  g_assert_cmpuint (hit->model->ops->payload, ==, 72);
  g_assert_cmpstr ((const char *) hit->model->run.samples->data + hit_field (hit, "comm")->offset, ==, "kworker/1:2");
  g_assert_cmpint (hit_sampled (hit, "mode3"), ==, -2);
  g_assert_cmpint (hit_sampled (hit, "bad"), ==, 0);
}

static void
test_names_are_short (void)
{
  g_autoptr(Hit) hit = hit_new ("let a_name_that_is_longer_than_a_column = 1;"
                                "sample (a_name_that_is_longer_than_a_column, a_name_that_is_longer_than_a_column, "
                                "        bad = 2)");
  guint count;
  const struct ilk_field *fields = gilk_program_fields (hit->program, &count);

  g_assert_cmpuint (count, ==, 3);
  g_assert_cmpstr (fields[0].name, ==, "a_name_that_is_longer_t");
  g_assert_cmpstr (fields[1].name, ==, "a_name_that_is_longer_2");
  g_assert_cmpstr (fields[2].name, ==, "bad2");
}

static void
test_times_alone (void)
{
  g_autoptr(Hit) hit = hit_new ("sample ()");
  guint count;

  hit_it (hit);
  hit_it (hit);
  g_assert_cmpuint (hit->model->run.n_samples, ==, 2);
  gilk_program_fields (hit->program, &count);
  g_assert_cmpuint (count, ==, 0);
  g_assert_true (gilk_program_samples (hit->program));
}

static void
test_full (void)
{
  g_autoptr(Hit) hit = hit_new ("sample (count); count ()");

  hit->machine.full = TRUE;
  hit_it (hit);
  g_assert_cmpuint (hit->model->run.n_samples, ==, 0);
  g_assert_cmpuint (hit->model->run.lost, ==, 1);
  g_assert_cmpuint (hit->model->run.count, ==, 1);
}

/* ---- test of variables of a hit, which "let" declares ---- */

static void
test_lets (void)
{
  g_autoptr(Hit) hit = hit_new ("let f = file->f_flags; let p = file->f_numbers; let n = (u8) 250; let c = count;"
                                "f += 1; p += 2; n += 10; c = c - 96; p -= 1; "
                                "{ let f2 = f; f2 = 3; } { let f2 = 9; f += f2; }"
                                "sample (f, *p, n, c, count)");

  hit_it (hit);
  g_assert_cmpint (hit_sampled (hit, "f"), ==, 0x8001 + 1 + 9);
  g_assert_cmpint (hit_field (hit, "f")->type, ==, ILK_FIELD_U32);
  g_assert_cmpint (hit_sampled (hit, "p"), ==, -20);
  g_assert_cmpint (hit_sampled (hit, "n"), ==, 4);
  g_assert_cmpint (hit_sampled (hit, "c"), ==, 4000);
  g_assert_cmpint (hit_sampled (hit, "count"), ==, 4096);
}

/* ---- tests of every(), limit() and once, and of starting and stopping hooks ---- */

static void
test_often (void)
{
  g_autoptr(Hit) hit = hit_new ("global e; global l; global o; global not; if (every (3)) e++; if (limit (4)) l++;"
                                "if (once) o++; if (!every (2) || 0) not++");

  for (guint i = 0; i < 20; i++)
    {
      hit->machine.cpu = i % 2;
      hit_it (hit);
    }
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "e"), ==, 2 * 3);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "l"), ==, 2 * 4);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "o"), ==, 1);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "not"), ==, 2 * 5);
}

/* Tests that every(N), which is true in each Nth hit, counts only the hits in which it is
 * evaluated. */
static void
test_order (void)
{
  g_autoptr(Hit) hit = hit_new ("if (count > 5000 && every (2)) count ()");

  for (guint i = 0; i < 8; i++)
    {
      hit->machine.registers[2] = i % 2 ? 6000 : 4000;
      hit_it (hit);
    }
  g_assert_cmpuint (hit->model->run.count, ==, 2);
}

static void
test_gates (void)
{
  g_autoptr(Hit) hit = hit_new ("start (second); stop (first); if (count == 4096) start (\"the-third\"); "
                                "stop (second)");
  guint count;
  const int *gates = gilk_program_gates (hit->program, &count);

  hit_it (hit);
  g_assert_cmpmem (hit->model->run.gates, 3, ((const uint8_t[]) { 0, 0, 1 }), 3);
  g_assert_cmpuint (count, ==, 3);
  g_assert_cmpint (gates[0], ==, 11);
  g_assert_cmpint (gates[1], ==, 10);
  g_assert_cmpint (gates[2], ==, 12);
}

/* ---- tests of paths and critical sections ---- */

static void
test_ways (void)
{
  static const char *const programs[] = {
    "if (count) { if (file->f_flags) return; count () } else { sample (); return } count ()",
    "return; count ()", "if (1) return; else count (); count ()", "if (0) count (); else return",
    "if (count) return; sample (file->f_flags)", "let a = file->f_flags; if (a) return; if (a == 2) sample (a)",
    "if (count) sample (); else count ()", "if (count) count (); else sample ()",
    "if (file->f_id) sample (); else sample ()",
    "if (count) { sample () } count (); start (first)",
    "if (every (2) && file->f_id || 0) { if (count) return } count ()",
    "if (count && (file->f_id || count)) count (); count ()", "if (10 / count && file->f_id) count (); count ()",
    "if (10 / count) sample (file->f_id); count ()", "{ { { sample () } } } { count () }", "", "{}",
    "if (count) {} else {}",
    "if (file->f_id) {} sample ()", "if (10 / count) { let x = *(u8 *) buf; } else { sample () }",
    "global g; if (once && limit (3) && every (2)) g = pid", "if (cpu && now && task && tid) count ()",
  };

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autoptr(Hit) hit = hit_new (programs[i]);

      hit_it (hit);
    }
}

static guint
number_of (const Hit *hit, GilkOpKind kind, guint *first)
{
  const GArray *ops = hit->model->ops->ops;
  guint n = 0;

  for (guint i = 0; i < ops->len; i++)
    if (g_array_index (ops, GilkOp, i).kind == kind && n++ == 0)
      *first = i;

  return n;
}

/* Tests that a program evaluates conditions on registers before it enters its critical section and
 * before any load. */
static void
test_late_stretch (void)
{
  g_autoptr(Hit) hit = hit_new ("if (count > 4096 && mode > 3 && file->f_flags & 1) sample (pid, count)");
  guint enter = 0, load = 0, branch = 0;

  hit_it (hit);
  g_assert_cmpuint (number_of (hit, GILK_OP_ENTER, &enter), ==, 1);
  g_assert_cmpuint (number_of (hit, GILK_OP_LEAVE, &branch), ==, 1);
  number_of (hit, GILK_OP_BRANCH, &branch);
  number_of (hit, GILK_OP_LOAD, &load);
  g_assert_cmpuint (branch, ==, 1);
  g_assert_cmpuint (enter, ==, 5);
  g_assert_cmpuint (load, >, enter);
  g_assert_cmpint (g_array_index (hit->model->ops->ops, GilkOp, enter).imm, ==, GILK_OPS_GUARD);
}

static void
test_no_guard (void)
{
  g_autoptr(Hit) hit = hit_new ("sample (count)");
  g_autoptr(Hit) none = hit_new ("counter c; c++; count (); start (first)");
  guint enter = 0;

  g_assert_cmpuint (number_of (hit, GILK_OP_ENTER, &enter), ==, 1);
  g_assert_cmpint (g_array_index (hit->model->ops->ops, GilkOp, enter).imm, ==, 0);
  g_assert_cmpuint (number_of (none, GILK_OP_ENTER, &enter), ==, 0);
}

/* Tests that the compiler resolves each "->" only once; otherwise the longest allowed chain of "->"
 * would take forever. */
static void
test_long_chain (void)
{
  g_autoptr(GString) text = g_string_new ("let a = file->f_inode");
  g_autoptr(Hit) hit = NULL;

  for (guint i = 0; i < 100; i++)
    g_string_append (text, "->i_next");
  hit = hit_new (text->str);
  hit_it (hit);
  g_assert_cmpuint (hit_bad (hit), ==, 1);
}

/* ---- tests of returns, points without types, and references ---- */

static void
test_return (void)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  GilkProgramPlace place = program_place (btf);
  g_autoptr(Hit) hit = NULL;

  place.at_entry = FALSE;
  place.at_return = TRUE;
  hit = hit_new_at ("if (retval < 0) count (); if (-retval == 5) sample (retval)", &place, NULL);
  hit->machine.registers[0] = (uint64_t) -5;
  hit_it (hit);
  g_assert_cmpuint (hit->model->run.count, ==, 1);
  g_assert_cmpint (hit_sampled (hit, "retval"), ==, -5);
  g_assert_cmpint (hit_field (hit, "retval")->type, ==, ILK_FIELD_S64);
}

static void
test_without_btf (void)
{
  GilkProgramPlace place = { .at_entry = TRUE, .current_task = MODEL_TASK_OFFSET, .task_tgid = 12 };
  g_autoptr(Hit) hit = hit_new_at ("sample (f = *(u32 *) (arg0 + 8), pid, arg2, task)", &place, NULL);

  hit_it (hit);
  g_assert_cmpint (hit_sampled (hit, "f"), ==, 0x8001);
  g_assert_cmpint (hit_sampled (hit, "pid"), ==, 40);
  g_assert_cmpint (hit_sampled (hit, "task"), ==, (int64_t) TASK_AT);
}

static void
test_references (void)
{
  g_autoptr(GilkProgram) program = gilk_program_new ("count ()", &(GilkProgramPlace) { .btf = NULL }, NULL, NULL);

  gilk_program_unref (gilk_program_ref (program));
  g_assert_cmpuint (gilk_program_ops (program)->ops->len, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/program/tokens", test_tokens);
  g_test_add_func ("/program/comments", test_comments);
  g_test_add_data_func ("/program/precedence", precedence, test_values);
  g_test_add_data_func ("/program/arguments", arguments, test_values);
  g_test_add_data_func ("/program/members", members, test_values);
  g_test_add_data_func ("/program/bit-fields", bit_fields, test_values);
  g_test_add_func ("/program/strings", test_strings);
  g_test_add_func ("/program/bad-strings", test_bad_strings);
  g_test_add_func ("/program/bad/condition", test_bad_condition);
  g_test_add_func ("/program/bad/elsewhere", test_bad_elsewhere);
  g_test_add_func ("/program/bad/field", test_bad_field);
  g_test_add_func ("/program/sample/fields", test_fields);
  g_test_add_func ("/program/sample/short-names", test_names_are_short);
  g_test_add_func ("/program/sample/times-alone", test_times_alone);
  g_test_add_func ("/program/sample/full", test_full);
  g_test_add_func ("/program/lets", test_lets);
  g_test_add_func ("/program/often", test_often);
  g_test_add_func ("/program/order", test_order);
  g_test_add_func ("/program/gates", test_gates);
  g_test_add_func ("/program/ways", test_ways);
  g_test_add_func ("/program/late-stretch", test_late_stretch);
  g_test_add_func ("/program/no-guard", test_no_guard);
  g_test_add_func ("/program/long-chain", test_long_chain);
  g_test_add_func ("/program/return", test_return);
  g_test_add_func ("/program/without-btf", test_without_btf);
  g_test_add_func ("/program/references", test_references);

  return g_test_run ();
}
