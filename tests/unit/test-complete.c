/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-complete.c - checks the completions offered at a position in a program
 */
#include "core/language/gilk-complete.h"

#include <locale.h>
#include <string.h>

#include "tests/unit/program-kernel.h"

static const char *const labels[] = { "writes", "reads", NULL };

/* Returns the completions at the "|" of @text, separated by spaces; @bare leaves out keywords of
 * the language. */
static char *
get_completions (const char *text, const GilkProgramPlace *place, gboolean bare)
{
  const char *at = strchr (text, '|');
  g_autofree char *whole = g_strdup_printf ("%.*s%s", (int) (at - text), text, at + 1);
  g_autoptr(GString) told = g_string_new (NULL);
  GilkTextPart part;
  g_autoptr(GPtrArray) found = gilk_complete (whole, (gsize) (at - text), place, NULL, labels, &part);

  g_assert_cmpuint (part.offset + part.length, ==, at - text);
  for (guint i = 0; i < found->len; i++)
    {
      const GilkCompletion *one = g_ptr_array_index (found, i);

      g_assert_true (strncmp (one->text, whole + part.offset, part.length) == 0);
      if (!bare || one->kind != GILK_COMPLETES_WORD)
        g_string_append_printf (told, "%s%s", told->len > 0 ? " " : "", one->text);
    }

  return g_string_free (g_steal_pointer (&told), FALSE);
}

typedef struct {
  const char *text, *completions;
} Case;

static void
check_cases (const Case *cases, gboolean bare)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  const GilkProgramPlace place = program_place (btf);

  for (const Case *c = cases; c->text != NULL; c++)
    {
      g_autofree char *told = get_completions (c->text, &place, bare);

      if (strcmp (told, c->completions) != 0)
        g_error ("%s: \"%s\", not \"%s\"", c->text, told, c->completions);
    }
}

/* @data: array of cases; a case without text ends it */
static void
test_all (gconstpointer data)
{
  check_cases (data, FALSE);
}

static void
test_without_words (gconstpointer data)
{
  check_cases (data, TRUE);
}

static const Case members[] = {
  { "if (file->f_i|", "f_inode f_id" },
  { "sample(file->f_inode->i_|", "i_ino i_uid i_small i_byte i_dirty i_next" },
  { "file->f_own.i_s|mall", "i_small" },
  { "sample(pid, file->f_table[cpu + 1]->i_n|", "i_next" },
  { "((struct inode *) arg0)->i_u|", "i_uid" },
  { "(*file).f_fl|", "f_flags" },
  { "file->f_triples[2].|", "x y z" },
  { "let i = file->f_inode; if (i->i_next->i_b|", "i_byte" },
  { "let a = 1; let i = file->f_inode; { let j = i->i_next; j->i_u|", "i_uid" },
  { "if (pid) { let i = file->f_inode; } i->i_u|", "" },
  { "task->parent->p|", "pid parent" },
  { "map m[64]; m[file->f_fl|", "f_flags" },
  { "count->f_|", "" }, { "->|", "" }, { ".|", "" }, { "nothing->f|", "" }, { "file->no->f|", "" }, { ")->f|", "" }, { "]->f|", "" },
  { "file->f_name.|", "" }, { "5->f|", "" },
  { NULL },
};

static const Case names[] = {
  { "if (cou|", "count" }, { "let a = event(page|", "page_faults" },
  { "event(branc|", "branch_misses branches" }, { "sample(ar|", "arg0 arg1 arg2 arg3 arg4 arg5" },
  { "let total = 1; if (to|", "total" }, { "global total; map tools[64]; t|", "task tid tools total" },
  { "if (file) { let inner = 1; } else i|", "" }, { "sample(MODE_|", "MODE_OFF MODE_ON" },
  { "if (%r1|", "r10 r11 r12 r13 r14 r15" }, { "pid %n|", "now" }, { "if (pid & %rd|", "rdi rdx" },
  { "start(|", "reads writes" }, { "if (1) stop(w|", "writes" },
  { "(struct in|", "inode" }, { "(struct task_struct *) 0; (enum m|", "mode" },
  { "// fi|", "" }, { "\"fi|", "" }, { "0x1|", "" }, { "12|", "" }, { "/* a */ fil|", "file" },
  { NULL },
};

static const Case words[] = {
  { "sa|", "sample(" }, { "if (pid == 4) s|", "sample( start( stop run stop(" }, { "if (e|", "enum event( every(" }, { "cr|", "crash(" },
  { "if (1) fr|", "frame freeze" }, { "nul|", "" },
  { NULL },
};

/* Tests completion at points where programs may change the kernel, at points other than a
 * function's entry, and without type information. */
static void
test_places (void)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  GilkProgramPlace place = program_place (btf), bare = { .at_entry = TRUE };
  g_autofree char *changes = NULL, *inside = NULL, *elsewhere = NULL, *at_return = NULL, *untyped = NULL, *unmembered = NULL;

  place.may_change = TRUE;
  changes = get_completions ("nul|", &place, FALSE);
  g_assert_cmpstr (changes, ==, "nullify(");
  place.at_entry = FALSE;
  inside = get_completions ("if (fi|", &place, FALSE);
  g_assert_cmpstr (inside, ==, "");
  elsewhere = get_completions ("let f = (struct file *) arg0; if (f->f_fl|", &place, FALSE);
  g_assert_cmpstr (elsewhere, ==, "f_flags");
  place.at_return = TRUE;
  at_return = get_completions ("if (re|", &place, FALSE);
  g_assert_cmpstr (at_return, ==, "retval");
  untyped = get_completions ("if (a|", &bare, FALSE);
  g_assert_cmpstr (untyped, ==, "arg0 arg1 arg2 arg3 arg4 arg5");
  unmembered = get_completions ("file->|", &bare, FALSE);
  g_assert_cmpstr (unmembered, ==, "");
}

/* Tests that completion works for any bytes: truncated or corrupted text, at any position. */
static void
test_anywhere (void)
{
  static const char text[] = "common map m[64] of stack; let i = file->f_inode; if (i->i_ino > 5 && (cpu || \"x\")) { "
                             "m[stack()]++; sample(pid, f = file->f_triples[3].y); } else start(\"reads\") /* end */";
  g_autoptr(GilkBtf) btf = program_btf ();
  const GilkProgramPlace place = program_place (btf);

  for (guint round = 0; round < 4000; round++)
    {
      g_autofree char *spoilt = g_strdup (text);
      const gsize offset = (gsize) g_test_rand_int_range (0, sizeof text);
      g_autoptr(GPtrArray) found = NULL;
      GilkTextPart part;

      for (guint i = (guint) g_test_rand_int_range (0, 6); i > 0; i--)
        spoilt[g_test_rand_int_range (0, (gint32) sizeof text - 1)] = ";(){}[].->%$\"a 1"[g_test_rand_int_range (0, 16)];
      found = gilk_complete (spoilt, offset, &place, NULL, labels, &part);
      g_assert_cmpuint (part.offset + part.length, ==, offset);
      g_assert_cmpuint (found->len, <=, GILK_COMPLETIONS_MAX);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/complete/members", members, test_all);
  g_test_add_data_func ("/complete/names", names, test_without_words);
  g_test_add_data_func ("/complete/words", words, test_all);
  g_test_add_func ("/complete/places", test_places);
  g_test_add_func ("/complete/anywhere", test_anywhere);

  return g_test_run ();
}
