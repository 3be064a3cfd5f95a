/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-program-errors.c - tests that invalid programs are refused with position and reason, and
 * that nothing is created
 */
#include "tests/unit/program-kernel.h"

/* @text: program with an "@" in front of the mistake; @says: part of the reason */
typedef struct {
  const char *text, *says;
} Wrong;

static void
refused_at (const Wrong *wrong, const GilkProgramPlace *place)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) parts = g_strsplit (wrong->text, "@", 2);
  g_autofree char *text = g_strjoinv ("", parts);
  GilkProgramError where = { 0 };
  g_autoptr(GilkProgram) program = gilk_program_new (text, place, &where, &error);

  if (program != NULL)
    g_error ("%s is accepted", text);
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  if (where.offset != strlen (parts[0]) || strstr (error->message, wrong->says) == NULL)
    g_error ("%s: at %u: %s", wrong->text, where.offset, error->message);
  g_assert_cmpuint (where.line, ==, 1);
  g_assert_cmpuint (where.column, ==, where.offset + 1);
  g_assert_cmpuint (where.offset + where.length, <=, strlen (text));
  g_assert_true (g_str_has_prefix (error->message, "Line 1, column "));
  g_assert_true (g_str_has_suffix (error->message, ".") || g_str_has_suffix (error->message, "?"));
}

/* @data: array of cases; a case without text ends it */
static void
test_refused (gconstpointer data)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  const GilkProgramPlace place = program_place (btf);

  for (const Wrong *wrong = data; wrong->text != NULL; wrong++)
    refused_at (wrong, &place);
}

static const Wrong tokens[] = {
  { "count () @/* open", "Unterminated comment" }, { "global g = @12x;", "Invalid number" }, { "global g = @09;", "Invalid number" },
  { "global g = @0x;", "Invalid number" }, { "global g = @99999999999999999999;", "does not fit" },
  { "global g = @0xfffffffffffffffG;", "does not fit" }, { "let a = @1.5s;", "must be integers" },
  { "let a = @'ab';", "Invalid character" }, { "let a = @'';", "Invalid character" }, { "let a = @'\\q';", "Invalid character" },
  { "let a = @'\\400';", "Invalid character" }, { "start (@\"a)", "Unterminated quote" },
  { "let a = 1 @? 2 : 3", "Use \"if\"" },
  { "let a = 1 @$ 2", "Unexpected" }, { "count () @\x01", "\\x01" }, { "let a = @\\", "Unexpected" },
  { NULL },
};

static const Wrong grammar[] = {
  { "count@", "Unexpected end" }, { "count (@", "\")\"" }, { "if @count ()", "\"(\"" }, { "if (count@", "\")\"" },
  { "if (count)@", "a statement" }, { "{ count ()@", "\"}\"" }, { "count () @count ()", "\";\"" },
  { "count ();@;", "a statement" }, { "@}", "a statement" }, { "@let = 3", "Unknown name" },
  { "let a @3", "\"=\"" },
  { "let a =@", "a value" }, { "let a = (1@", "\")\"" }, { "let a = 1 +@", "a value" },
  { "let a = 1 + @;", "a value" },
  { "let a = file->@;", "a member" }, { "let a = file->f_bytes[1@;", "\"]\"" }, { "let a = %@eax", "register" },
  { "let a = @foo (1)", "Unknown function" }, { "let a = every (@x)", "a number" }, { "sample (1, @)", "a value" },
  { "sample (1 @2)", "\",\"" }, { "start (@1)", "label" }, { "counter c; c@--", "or \"(\"" },
  { "map m[8]; m[1] @-= 3", "\"+=\"" }, { "map m@", "\"[\"" }, { "common table t@", "\"[\"" },
  { "table t[8]; let a = take (t@)", "\",\"" }, { "table t[8]; let a = take (t, 1@;", "\")\"" },
  { "let a = take (@1)", "a table name" }, { "let a = ns (1@;", "\")\"" }, { "common @let a = 1", "or \"(\"" }, { "map mm@", "\"[\"" }, { "histogram h (@x)", "a number" },
  { "if (1) { @global g; }", "at the top" }, { "let a = (struct @) 1", "a type name" },
  { "let a = sizeof (@1)", "a type name" }, { "return @3", "\";\"" }, { "else@", "or \"(\"" },
  { "marker (@1)", "string in quotes" }, { "marker (\"a\"@", "\",\" or" }, { "notify (@a)", "string in quotes" }, { "let a = stack (@1)", "\")\"" },
  { "map m[8] of @nothing;", "the meaning of keys" }, { "stop run @1", "\";\"" }, { "freeze @(1)", "\";\"" },
  { "let a = 1 @= 2", "\";\"" }, { "count (@3)", "\")\"" },
  { "crash (@1)", "string in quotes" }, { "crash (\"a\"@", "\")\"" }, { "let a = event (@-1)", "counter name" },
  { "let a = event (cycles@;", "\")\"" }, { "let a = user (file@;", "\")\"" }, { "let a = user (@)", "a value" },
  { NULL },
};

static const Wrong names[] = {
  { "let a = @fiel->f_flags", "Did you mean file?" }, { "let a = @conut", "Did you mean count?" },
  { "let a = @pdi", "Did you mean pid?" }, { "let total = 1; let b = @totla", "Did you mean total?" },
  { "let a = @zzzzzzzzzzzz", "the name of a let" }, { "let a = file->@f_flag", "Did you mean f_flags?" },
  { "let a = file->f_inode->@i_inno", "Did you mean i_ino?" }, { "let a = file->@zzzzzzzzzzzz", "no member" },
  { "let a = (@struct flie *) arg0", "Unknown type" }, { "let a = (@u31) arg0", "Did you mean u" },
  { "let a = @late", "on the stack" }, { "let a = @retval", "where the function returns" },
  { "map m[8]; m[1]++; m[@comm]++", "other keys elsewhere" }, { "map m[8]; m[comm]++; m[@pid]++", "other keys elsewhere" },
  { "map m[8]; m[comm]++; m[@string (file->f_name, 24)]++", "other keys elsewhere" },
  { "map m[8] of stack; m[@comm]++", "other keys elsewhere" }, { "map m[32768]; m[@string (file->f_name, 64)]++", "too large" },
  { "table t[8]; let a = t[@comm + 1]", "by itself" }, { "let a = @comm", "by itself" }, { "let a = @string (file->f_name)", "by itself" },
  { "sample (string (file->f_name, @7))", "multiple of 8" }, { "sample (string (file->f_name, @136))", "8 to 128" },
  { "sample (string (@mode))", "64 bits" }, { "sample (string (file->f_name, @pid))", "number of bytes" },
  { "sample (@comm == 0)", "by itself" }, { "let a = 1; let @a = 2", "already defined" },
  { "global a; let @a = 2", "already defined" }, { "global a; counter @a", "already defined" },
  { "{ let aaaa = 1 } let b = @aaaa", "Unknown name" },
  { "if (1) let aaaa = 1; let b = @aaaa", "Unknown name" },
  { "counter c; let a = @c", "can only add to c" }, { "@h (3)", "Unknown statement" }, { "@m[3]++", "no map" },
  { "global g; @g (3)", "is declared as something else" }, { "global g; @g[3]++", "is declared as something else" }, { "start (@nobody)", "No hook" },
  { "stop (\"@no body\")", "No hook" }, { "let x = @x", "Unknown name" },
  { "map m[8]; let a = @m + 1", "can only add to m" },
  { "@nothing = 3", "Unknown name" }, { "@count = 3", "--allow-changes" }, { "@pid++", "cannot be set" },
  { "counter c; @c = 3", "can only grow" }, { "counter c; @c -= 3", "can only grow" },
  { "map m[8]; @m++", "cannot be set" }, { "map m[8]; @m[1] = 3", "can only add to it" },
  { "let a = take (@t, 1)", "no table" }, { "counter c; let a = take (@c, 1)", "is declared as something else" },
  { "map m[8]; let a = take (@m, 1)", "Declare it as a table" }, { "table t[8]; let a = @t + 1", "t[KEY]" },
  { "@t[3] = 1", "no table" }, { "let a = ns (@file)", "A number" }, { "global t; @t[3] = 1", "is declared as something else" },
  { "let a = event (@cycels)", "Did you mean cycles?" }, { "let a = event (@zzzzzzzzzzzzzzz)", "Use one of cycles" },
  { "let a = \"@x\"", "compared with the thread's name" }, { "if (pid == \"@x\") count ()", "the thread's name" },
  { "if (comm < \"@x\") count ()", "the thread's name" }, { "if (comm == \"@1234567890123456\") count ()", "at most 15 bytes" },
  { "let a = event (@0)", "1 to 56 bits" }, { "let a = event (@0x100000000000000)", "1 to 56 bits" },
  { "crash (\"@\")", "1 to 39 bytes" }, { "crash (\"@1234567890123456789012345678901234567890\")", "1 to 39 bytes" },
  { NULL },
};

static const Wrong types[] = {
  { "let a = @*file", "is not a number or a pointer" }, { "let a = @file->f_own", "is not a number or a pointer" },
  { "sample (@file->f_own)", "is not a number or a pointer" }, { "let a = file.@f_flags", "write \"->\"" },
  { "let a = file->f_own->@i_ino", "write \".\"" }, { "let a = count.@x", "not a struct" },
  { "let a = @count->x", "not a pointer" }, { "let a = *@count", "not a pointer" }, { "let a = @count[3]", "not a pointer" },
  { "let a = *@file->f_private", "not known" }, { "let a = @file->f_private->x", "not known" },
  { "let a = file->f_numbers[@file]", "An index" },
  { "let a = file @* 2", "to a pointer" }, { "let a = file @+ file", "to a pointer" },
  { "let a = file @- buf", "to a pointer" }, { "let a = 2 @- file", "to a pointer" },
  { "let a = file @& 7", "to a pointer" },
  { "let a = @-file", "This is a pointer" }, { "let a = @~file", "This is a pointer" },
  { "let a = @&count", "no address" },
  { "let a = @&file->bits_a", "bit field" }, { "let a = @&3", "no address" },
  { "let a = (@struct file) count", "cast to" },
  { "let a = (@void) count", "cast to" }, { "global g; g = @file", "Cast it" },
  { "let a = file; a = @buf", "Cast it" },
  { "let a = file; a = @3", "Cast it" }, { "let a = 3; a = @file", "Cast it" },
  { "let a = file; a += @file", "A number" },
  { "histogram h; h (@file)", "A number" }, { "map m[8]; m[1] += @file", "A number" },
  { "let a = @*file->f_done", "is not a number or a pointer" },
  { "let a = user (@3)", "This is s64, not a pointer" }, { "let a = *user (@arg0)", "user((char *) %rsi)" },
  { "let a = user (@file->f_own)", "is not a number or a pointer" }, { "let a = user (file)->@f_flag", "Did you mean" },
  { "let a = @*user (file)", "is not a number or a pointer" }, { "sample (user (@mode))", "not a pointer" },
  { "let a = file; a = @user (file)", "Use another let" }, { "let a = user (file); a = @file", "points to user memory" },
  { "let a = file->f_inode->@f_flags", "has no member" }, { "let a = sizeof (@void)", "not known" },
  { "let a = sizeof (@struct nothing)", "Unknown type" }, { "let a = @file->f_done + 1", "not known" },
  { NULL },
};

static const Wrong bounds[] = {
  { "histogram h (@5)", "0 to 4" }, { "map m[@7]", "power of two" }, { "map m[@12]", "power of two" },
  { "map m[@65536]", "a power of two from 8 to 32768" }, { "if (every (@0)) count ()", "at least 1" },
  { "let a = 1 @/ 0", "Division by 0" },
  { "let a = count @% (3 - 3)", "Division by 0" },
  { "sample (now, now, now, now, now, now, now, now, now, now, now, now, @now)", "12 fields" },
  { "@sample (now, now, now, now, now, now, now, now, now, now, now, file->f_id)", "12 fields" },
  { "@sample (comm, comm, comm, comm, comm, comm, comm, comm, comm)", "136 bytes" },
  { "sample (now); @sample (count)", "differ from those" }, { "sample (now); @sample (now = (u32) 3)", "differ from those" },
  { "sample (now); @sample (now, count)", "differ from those" },
  { "map a[8]; map b[8]; map c[8]; map d[8]; map e[8]; map f[8]; map g[8]; map h[8]; map i[8]; map j[8]; map k[8];"
    "map l[8]; map m[8]; map n[8]; map o[8]; map p[8]; @map q[8];", "16 memory areas" },
  { "common counter a; common counter b; common counter c; common counter d; common counter e; common counter f;"
    "common counter g; common counter h; common counter i; common counter j; common counter k; common counter l;"
    "common counter m; common counter n; common counter o; common counter p; @common counter q;", "16 memory areas" },
  { "table t[@7]", "keys of a table" }, { "table t[@65536]", "a power of two from 8 to 32768" },
  { NULL },
};

/* Returns @before, @n copies of @part, and @behind, concatenated. */
static char *
repeat_text (const char *before, const char *part, guint n, const char *behind)
{
  GString *text = g_string_new (before);

  for (guint i = 0; i < n; i++)
    g_string_append (text, part);
  g_string_append (text, behind);

  return g_string_free (text, FALSE);
}

static void
check_long (char *text, const char *says)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  const GilkProgramPlace place = program_place (btf);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkProgram) program = gilk_program_new (text, &place, NULL, &error);

  if (says == NULL)
    g_assert_no_error (error);
  else
    {
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
      if (strstr (error->message, says) == NULL)
        g_error ("%.40s..: %s", text, error->message);
    }
  g_free (text);
}

static void
test_size (void)
{
  check_long (repeat_text ("let a = ", "(", 62, "1"), "\")\"");
  check_long (repeat_text ("let a = ", "(", 63, "1"), "Nested too deeply");
  check_long (repeat_text ("let a = ", "(", 8000, "1"), "Nested too deeply");
  check_long (repeat_text ("let a = ", "- ", 8000, "1"), "Nested too deeply");
  check_long (repeat_text ("let a = ", "(u8)", 4000, "1"), "Nested too deeply");
  check_long (repeat_text ("let a = ", "ns (", 4000, "1"), "Nested too deeply");
  check_long (repeat_text ("", "{", 8000, ""), "Nested too deeply");
  check_long (repeat_text ("", "if (count) ", 1000, "count ()"), "Nested too deeply");
  check_long (repeat_text ("", "if (count) count (); else ", 600, "count ()"), "Nested too deeply");
  check_long (repeat_text ("let a = count", " + count", 255, ""), NULL);
  check_long (repeat_text ("let a = count", " + count", 256, ""), "Too many operators");
  check_long (repeat_text ("let a = 1; {", "let a1 = count; }{", 300, "}"), "256 values");
  check_long (repeat_text ("let a = file->f_inode", "->i_next", 1500, ""), "Too many operators");
  check_long (repeat_text ("let a = file", "[0]", 5000, ""), "Too many operators");
  check_long (repeat_text ("", "count ();", 1024, ""), NULL);
  check_long (repeat_text ("", "count ();", 1025, ""), "1024 operations");
  check_long (repeat_text ("global g;", "g = (s64) count / mode;", 300, ""), "operations");
  check_long (repeat_text ("", "if (count) count ();", 250, ""), NULL);
  check_long (repeat_text ("let x = count; x = x", " % 3", 250, "; x = x % 3 % 3 % 3 % 3 % 3 % 3 % 3"), "256 branches");
  check_long (repeat_text ("", "count ();", 1821, ""), "too long");
}

static void
test_lines (void)
{
  GilkProgramError where;

  g_assert_null (gilk_program_new ("count ();\n/* \303\244\303\266 */ let \303\244 = 3\n",
                                   &(GilkProgramPlace) { .btf = NULL },
                                   &where, NULL));
  g_assert_cmpuint (where.line, ==, 2);
  g_assert_cmpuint (where.column, ==, 14);
  g_assert_cmpuint (where.offset, ==, 25);
}

/* Tests that names that are not available at the hook's location are refused. */
static void
test_places (void)
{
  static const Wrong wrong[] = {
    { "let a = @arg0", "entry" }, { "let a = @retval", "where the function returns" }, { "let a = @pid", "not available" },
    { "let a = @cpu", "not available" }, { "let a = @task", "not available" }, { "sample (@comm)", "not available" },
    { "let a = (@struct file *) 3", "no type information" }, { "start (@a)", "No hook" },
    { "let a = @zzzzzzz", "the name of a let" },
  };
  static const Wrong at_entry[] = {
    { "let a = @zzzzzzz", "use arg0 to arg5" },
  };
  g_autoptr(GilkBtf) btf = program_btf ();
  GilkProgramPlace by_value = program_place (btf), inside = program_place (btf), unknown = { .at_entry = TRUE };

  by_value.function = "by_value";
  inside.at_entry = FALSE;
  unknown.at_return = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    refused_at (&wrong[i], &(GilkProgramPlace) { .btf = NULL });
  for (guint i = 0; i < G_N_ELEMENTS (at_entry); i++)
    refused_at (&at_entry[i], &unknown);
  refused_at (&(Wrong) { "let a = @whole", "passed by value" }, &by_value);
  refused_at (&(Wrong) { "let a = @file", "only at the function's entry" }, &inside);
  by_value.at_return = TRUE;
  refused_at (&(Wrong) { "let a = @retval", "does not return a number" }, &by_value);
}

/* Tests that at a location where arguments cannot be read, the message suggests another location
 * only if they can be read there. */
static void
test_entries (void)
{
  const GilkProgramPlace go = { .is_user = TRUE, .is_go = TRUE, .at_entry = TRUE };
  const GilkProgramPlace loop = { .loops_to_entry = TRUE }, within = { .at_entry = FALSE };
  const GilkProgramPlace user = { .is_user = TRUE };

  refused_at (&(Wrong) { "sample (@arg0)", "%rax, %rbx" }, &go);
  refused_at (&(Wrong) { "sample (@arg0)", "jumps back" }, &loop);
  refused_at (&(Wrong) { "sample (@arg0)", "Hook its entry" }, &within);
  refused_at (&(Wrong) { "let a = *@user ((char *) %rsi)", "Remove user()" }, &user);
}

/* Tests that a comparison is refused if it needs the sign of a register without a type, or if it is
 * never true for the value's type. */
static void
test_never (void)
{
  static const Wrong wrong[] = {
    { "if (retval @< 0) count ()", "(int) retval" }, { "if (retval @>= 0) count ()", "(s64) retval" },
    { "if (0 @> retval) count ()", "(int) retval" }, { "if (%rdi @< 0) count ()", "(int) %rdi" },
    { "if ((u32) retval @== -1) count ()", "is unsigned" }, { "if ((s8) retval @== 200) count ()", "of type s8" },
    { "if ((u8) retval @> 255) count ()", "of type u8" }, { "let a = (u32) retval; if (a @< 0) count ()", "(int) a" },
  };
  static const char *const right[] = {
    "if ((int) retval < 0) count ()", "if ((s64) retval < 0) count ()", "if (retval == -1) count ()", "if (retval > 0) count ()",
    "if ((u8) retval > 254) count ()", "if ((s8) retval == -128) count ()", "if ((s32) retval >= 0) count ()",
    "if (retval != 0) count ()", "if ((u8) retval >= 0) count ()",
  };
  const GilkProgramPlace place = { .is_user = TRUE, .at_return = TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    refused_at (&wrong[i], &place);
  for (guint i = 0; i < G_N_ELEMENTS (right); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkProgram) program = gilk_program_new (right[i], &place, NULL, &error);

      if (program == NULL)
        g_error ("%s: %s", right[i], error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/program-errors/tokens", tokens, test_refused);
  g_test_add_data_func ("/program-errors/grammar", grammar, test_refused);
  g_test_add_data_func ("/program-errors/names", names, test_refused);
  g_test_add_data_func ("/program-errors/types", types, test_refused);
  g_test_add_data_func ("/program-errors/bounds", bounds, test_refused);
  g_test_add_func ("/program-errors/size", test_size);
  g_test_add_func ("/program-errors/lines", test_lines);
  g_test_add_func ("/program-errors/places", test_places);
  g_test_add_func ("/program-errors/never", test_never);
  g_test_add_func ("/program-errors/entries", test_entries);

  return g_test_run ();
}
