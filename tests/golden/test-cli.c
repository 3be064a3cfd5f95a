/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-cli.c - tests parts of the command line: JSON, tables, points, suggestions for misspelt
 * words
 */
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "cli/base/json.h"
#include "cli/base/bound.h"
#include "cli/base/table.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/doctor/gilk-doctor.h"
#include "core/plan/gilk-plan-point.h"
#include "ilk/ilk-abi.h"

static void
test_json_values (void)
{
  g_autoptr(CliJson) json = cli_json_new ();

  cli_json_row (json, NULL);
  cli_json_string (json, "text", "a \"b\"\\\n\t\x01\x7f\xff \xc3\xa9");
  cli_json_string (json, "none", NULL);
  cli_json_uint (json, "most", G_MAXUINT64);
  cli_json_int (json, "least", G_MININT64);
  cli_json_double (json, "tenth", 0.1);
  cli_json_double (json, "third", 1.0 / 3);
  cli_json_double (json, "nan", NAN);
  cli_json_double (json, "infinite", -INFINITY);
  cli_json_address (json, "addr", 0xffffffff81234560);
  cli_json_bool (json, "yes", TRUE);
  cli_json_end (json);
  g_assert_cmpstr (cli_json_text (json), ==,
                   "{\"text\": \"a \\\"b\\\"\\\\\\n\\t\\u0001\\u007f\357\277\275 \303\251\", \"none\": null, "
                   "\"most\": 18446744073709551615, \"least\": -9223372036854775808, \"tenth\": 0.1, "
                   "\"third\": 0.3333333333333333, \"nan\": null, \"infinite\": null, "
                   "\"addr\": \"0xffffffff81234560\", \"yes\": true}");
}

static void
test_json_shape (void)
{
  g_autoptr(CliJson) json = cli_json_new ();

  cli_json_object (json, NULL);
  cli_json_array (json, "empty");
  cli_json_end (json);
  cli_json_array (json, "rows");
  cli_json_row (json, NULL);
  cli_json_uint (json, "a", 1);
  cli_json_array (json, "in");
  cli_json_uint (json, NULL, 2);
  cli_json_uint (json, NULL, 3);
  cli_json_end (json);
  cli_json_end (json);
  cli_json_end (json);
  g_assert_cmpuint (cli_json_depth (json), ==, 1);
  cli_json_end (json);
  g_assert_cmpstr (cli_json_text (json), ==,
                   "{\n  \"empty\": [],\n  \"rows\": [\n    {\"a\": 1, \"in\": [2, 3]}\n  ]\n}");
}

static void
test_table_front (void)
{
  g_autoptr(CliTable) table = cli_table_new ("^POINT|>N");
  g_autofree char *narrow = NULL;

  cli_table_cell (table, "a_function_of_a_long_name_pipe_write+0x2b1:pre");
  cli_table_cell (table, "1");
  narrow = cli_table_to_text (table, 16, FALSE);
  g_assert_cmpstr (narrow, ==,
                   "POINT                             N\n"
                   "…_long_name_pipe_write+0x2b1:pre  1\n");
}

static void
test_table (void)
{
  g_autoptr(CliTable) table = cli_table_new ("<NAME|>N|~WHY");
  g_autofree char *wide = NULL;
  g_autofree char *narrow = NULL;

  cli_table_cell (table, "é");
  cli_table_cellf (table, "%d", 7);
  cli_table_cell (table, "a reason that is rather long");
  cli_table_cell (table, "漢字");
  cli_table_cell (table, "1234");
  cli_table_cell (table, NULL);
  g_assert_cmpuint (cli_table_n_rows (table), ==, 2);

  wide = cli_table_to_text (table, 0, FALSE);
  g_assert_cmpstr (wide, ==,
                   "NAME     N  WHY\n"
                   "é        7  a reason that is rather long\n"
                   "漢字  1234\n");
  narrow = cli_table_to_text (table, 26, FALSE);
  g_assert_cmpstr (narrow, ==,
                   "NAME     N  WHY\n"
                   "é        7  a reason that…\n"
                   "漢字  1234\n");
}

typedef struct {
  const char *text, *function, *block, *anchor, *instrument;
  GilkWhere   where;
  guint       tactic;
  const char *program;
  gboolean    at_returns;
} PointCase;

static const PointCase points[] = {
  { "pipe_write+0x2b1:pre:task", "pipe_write", "+0x2b1", NULL, "task", GILK_WHERE_PRE, 0 },
  { "pipe_write+2B1", "pipe_write", "+0x2b1", NULL, NULL, GILK_WHERE_PRE, 0 },
  { "f.cold+0x10:post", "f", ".cold+0x10", NULL, NULL, GILK_WHERE_POST, 0 },
  { "f.isra.0+0x10:post:count:trap", "f.isra.0", "+0x10", NULL, "count", GILK_WHERE_POST, ILK_TACTIC_TRAP },
  { "ext4:ext4_sync_file+0x5:pre", "ext4:ext4_sync_file", "+0x5", NULL, NULL, GILK_WHERE_PRE, 0 },
  { "ext4_sync_file [ext4]+0x5", "ext4_sync_file [ext4]", "+0x5", NULL, NULL, GILK_WHERE_PRE, 0 },
  { "pipe_read@call:schedule", "pipe_read", NULL, "call:schedule", NULL, GILK_WHERE_PRE, 0 },
  { "pipe_read@call:schedule#2:post:task", "pipe_read", NULL, "call:schedule#2", "task", GILK_WHERE_POST, 0 },
  { "vfs_read@entry:pre:count:splice", "vfs_read", NULL, "entry", "count", GILK_WHERE_PRE, ILK_TACTIC_SPLICE },
  { "vfs_read:post", "vfs_read", NULL, "entry", NULL, GILK_WHERE_POST, 0 },
  { "vfs_read", "vfs_read", NULL, "entry", NULL, GILK_WHERE_PRE, 0 },
  { "vfs_read:entry", "vfs_read", NULL, "entry", NULL, GILK_WHERE_PRE, 0 },
  { "ext4:sync:return:stamp", "ext4:sync", NULL, "return", "stamp", GILK_WHERE_POST, 0, NULL, TRUE },
  { "vfs_read@return#2:post", "vfs_read", NULL, "return#2", NULL, GILK_WHERE_POST, 0 },
  { "vfs_write:entry { if (count > 4096) sample(pid) }", "vfs_write", NULL, "entry", NULL, GILK_WHERE_PRE, 0,
    "if (count > 4096) sample(pid)" },
  { "vfs_write {count()}", "vfs_write", NULL, "entry", NULL, GILK_WHERE_PRE, 0, "count()" },
  { "f+0x1f:post:trap{ if (a) { b++ } else x = '}' } ", "f", "+0x1f", NULL, NULL, GILK_WHERE_POST, ILK_TACTIC_TRAP,
    "if (a) { b++ } else x = '}'" },
  { "f@call:schedule#2:pre\n{\n  count();\n}", "f", NULL, "call:schedule#2", NULL, GILK_WHERE_PRE, 0, "count();" },
  { "f [m]:return:clone { h(retval) }", "f [m]", NULL, "return", NULL, GILK_WHERE_POST, ILK_TACTIC_CLONE, "h(retval)", TRUE },
};

static void
test_points (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    {
      g_auto(GilkPointText) point = { 0 };
      g_autoptr(GError) error = NULL;

      g_test_message ("%s", points[i].text);
      g_assert_true (gilk_point_text_parse (points[i].text, &point, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (point.function, ==, points[i].function);
      g_assert_cmpstr (point.block, ==, points[i].block);
      g_assert_cmpstr (point.anchor, ==, points[i].anchor);
      g_assert_cmpstr (point.instrument, ==, points[i].instrument);
      g_assert_cmpint (point.where, ==, points[i].where);
      g_assert_cmpuint (point.tactic, ==, points[i].tactic);
      g_assert_cmpstr (point.program, ==, points[i].program);
      g_assert_cmpint (point.at_returns, ==, points[i].at_returns);
    }
}

static void
test_bad_points (void)
{
  const char *const bad[] = {
    "", ":pre", "+0x10", "f+", "f+0x", "f+xyz:pre", "f+0x10:task", "f@:pre", "@call:x",
    "f+0x10:pre:count:magic", "f+0x10:pre:count:trap:more", "f:entry { count()", "f:entry { count() } more",
    "f+0x10:entry", "f@call:g:return", "{ count() }", ":entry { count() }", "f:pre:magic { count() }",
    "f:pre:count:trap { count() }",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_auto(GilkPointText) point = { 0 };
      g_autoptr(GError) error = NULL;

      g_test_message ("\"%s\"", bad[i]);
      g_assert_false (gilk_point_text_parse (bad[i], &point, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
      g_assert_null (point.function);
    }
}

/* Tests that the error quotes an unknown word and suggests the most similar known word, and that a
 * misspelt location is never taken for another location. */
static void
test_misspelt_points (void)
{
  static const struct { const char *text, *says; } cases[] = {
    { "pipe_write@entri:pre", "\"entri\" is not a location in a function. Did you mean \"entry\"?" },
    { "pipe_write@retrun", "Did you mean \"return\"?" }, { "pipe_write@entyr#2:post:count", "not a location in a function" },
    { "f@cal:schedule:pre", "not a location in a function" }, { "f@call:pre", "not a location in a function" }, { "f@call:", "not a location in a function" },
    { "f+0x10:prre:count", "Invalid WHERE \"prre\" in \"f+0x10:prre:count\". Did you mean \"pre\"?" },
    { "f@call:g:psot", "Did you mean \"post\"?" }, { "f+0x10:pre:count:tarp", "Did you mean \"trap\"?" },
    { "f+0x10:pre:Count", "not an instrument name" }, { "f+0x10:pre:", "ends in" }, { "f+0x123456789:pre", "not a probe point" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto(GilkPointText) point = { 0 };
      g_autoptr(GError) error = NULL;

      g_test_message ("\"%s\"", cases[i].text);
      g_assert_false (gilk_point_text_parse (cases[i].text, &point, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
      if (strstr (error->message, cases[i].says) == NULL)
        g_error ("“%s” does not say “%s”", error->message, cases[i].says);
    }
}

/* Tests that control characters in a thread's name are not sent to the terminal, and that
 * columns stay aligned if the charset lacks characters. */
static void
test_clean_cells (void)
{
  g_auto(GStrv) lines = NULL;
  static const char *const wild[] = { "\x1b[31mred", "a\rb", "x\ny", "\x7f", "\xc2\x9b" "2J", "\xe2\x80\xae" "abc", "\x07" };
  g_autoptr(CliTable) table = cli_table_new ("<A|>B|~C");
  g_autofree char *text = NULL, *plain = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wild); i++)
    {
      cli_table_cell (table, wild[i]);
      cli_table_cell (table, "−39.02 µs");
      cli_table_cell (table, "a reason that is rather long ██▌");
    }
  text = cli_table_to_text (table, 40, FALSE);
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    g_assert_true (*c == '\n' || (!g_unichar_iscntrl (g_utf8_get_char (c)) && g_utf8_get_char (c) != 0x202e));
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, G_N_ELEMENTS (wild) + 2);

  setlocale (LC_ALL, "C");
  plain = gilk_for_charset ("−39.02 µs ██▌ “a” … ±3 →");
  setlocale (LC_ALL, "C.UTF-8");
  g_assert_cmpstr (plain, ==, "-39.02 us ### \"a\" ... +-3 ->");
}

/* Tests that if a program is given for several probe points, each point gets a copy of its own,
 * named like its hook. */
static void
test_point_programs (void)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  const char *const texts[] = { "vfs_write:entry { count() }", "vfs_write:entry { sample() }", "f+0x10:pre" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto(GilkPointText) point = { 0 };

      g_assert_true (gilk_point_text_parse (texts[i], &point, NULL));
      g_ptr_array_add (plan->hooks, gilk_point_text_to_hook (&point, plan, "count"));
    }
  g_assert_cmpuint (plan->programs->len, ==, 2);
  g_assert_cmpstr (((GilkPlanHook *) plan->hooks->pdata[1])->label, ==, "vfs_write-entry-pre-2");
  g_assert_cmpstr (gilk_plan_hook_code (plan, plan->hooks->pdata[1]), ==, "sample()");
  g_assert_false (((GilkPlanHook *) plan->hooks->pdata[2])->is_program);
}

/* Tests the caret below an error in a line. A character or a tab takes one column. If the line is
 * long, only the part around the error is shown. */
static void
test_program_errors (void)
{
  const struct {
    const char *code;
    GilkProgramError where;
    const char *shown;
  } cases[] = {
    { "if (cout > 1) n++", { 1, 5, 4, 4 }, "\n    if (cout > 1) n++\n        ^~~~" },
    { "counter n;\n\tn = 1;\nn++", { 2, 4, 14, 1 }, "\n     n = 1;\n       ^" },
    { "x = '\303\244' + y", { 1, 11, 11, 1 }, "\n    x = '\303\244' + y\n              ^" },
    { "if (n", { 1, 6, 5, 0 }, "\n    if (n\n         ^" },
    { "n++", { 0, 0, 0, 0 }, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = g_error_new_literal (GILK_ERROR, GILK_ERROR_USAGE, "wrong");
      const GilkBoundHook hook = { .code = cases[i].code, .error = error, .program_error = cases[i].where };
      g_autofree char *shown = cli_program_error (&hook);

      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

static void
test_long_program_error (void)
{
  g_autofree char *many = g_strnfill (4000, 'a');
  g_autofree char *code = g_strconcat (many, " = wrong + ", many, NULL);
  g_autoptr(GError) error = g_error_new_literal (GILK_ERROR, GILK_ERROR_USAGE, "wrong");
  const GilkBoundHook hook = { .code = code, .error = error, .program_error = { 1, 4004, 4003, 5 } };
  g_autofree char *shown = cli_program_error (&hook);
  const char *at = strstr (shown, "wrong"), *caret = strchr (shown, '^');

  g_assert_cmpuint (strlen (shown), <, 400);
  g_assert_nonnull (at);
  g_assert_true (g_str_has_suffix (shown, " ^~~~~"));
  g_assert_cmpint (caret - strrchr (shown, '\n'), ==, at - shown);
}

static void
test_nearest (void)
{
  const char *const words[] = { "find", "cfg", "plan", "plot", "run", "runs", "report" };
  const struct {
    const char *word, *near;
  } cases[] = {
    { "fnid", "\"find\"" }, { "pla", "\"plan\"" }, { "rep", "\"report\"" }, { "plna", "\"plan\"" },
    { "pl", "\"plan\" or \"plot\"" }, { "ru", "\"run\" or \"runs\"" }, { "xyzzy", NULL }, { "", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *near = gilk_nearest (cases[i].word, words, G_N_ELEMENTS (words));

      g_assert_cmpstr (near, ==, cases[i].near);
    }
}

/* Runs the checks of "gilk doctor" on the data of a machine without problems. @changes overrides
 * some of the data: "key=value ...". */
static GArray *
judge_facts (const char *changes)
{
  static const char well[] =
    "release=6.1.0-56-amd64 machine=x86_64 euid=0 lockdown=none sig_enforce=N kallsyms=ok kcore=ok "
    "debugfs=1 tracefs=1 driver=1 driver_abi=" G_STRINGIFY (ILK_ABI_VERSION) " driver_arena_free=1048576 driver_poisoned=0 driver_bugs=0 cpus=2 tsc=1 "
    "container=0";
  g_autofree char *all = g_strconcat (well, *changes != '\0' ? " " : "", changes, NULL);
  g_auto(GStrv) words = g_strsplit (all, " ", -1);
  g_autoptr(GHashTable) facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto(GStrv) pair = g_strsplit (words[i], "=", 2);

      g_hash_table_replace (facts, g_strdup (pair[0]), g_strdup (pair[1]));
    }
  return gilk_doctor_run_checks (facts);
}

static void
test_doctor (void)
{
  const struct {
    const char *changes, *check;
  } bad[] = {
    { "euid=1000", "rights" }, { "machine=aarch64", "machine" }, { "container=1", "container" },
    { "kallsyms=hidden", "symbols" }, { "kcore=denied", "live-text" },
    { "lockdown=integrity", "lockdown" }, { "sig_enforce=Y", "signatures" },
    { "driver_abi=99", "driver" }, { "driver_poisoned=1", "driver" }, { "driver_bugs=1", "driver" },
    { "driver_locked=1", "driver" }, { "modules_disabled=1", "modules" }, { "driver=0", "driver" },
  };
  g_autoptr(GArray) well = judge_facts ("");
  g_autoptr(GArray) old = judge_facts ("release=5.10.0-30-amd64");
  g_autoptr(GArray) file = judge_facts ("driver=0 driver_file=/lib/ilk.ko");

  g_assert_cmpuint (gilk_doctor_n_bad (well), ==, 0);
  g_assert_cmpuint (gilk_doctor_n_bad (old), ==, 0);
  g_assert_cmpint (g_array_index (old, GilkCheck, 0).state, ==, GILK_CHECK_WARN);
  g_assert_cmpuint (gilk_doctor_n_bad (file), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GArray) checks = judge_facts (bad[i].changes);

      g_test_message ("%s", bad[i].changes);
      g_assert_cmpuint (gilk_doctor_n_bad (checks), ==, 1);
      for (guint j = 0; j < checks->len; j++)
        {
          const GilkCheck *check = &g_array_index (checks, GilkCheck, j);

          if (check->state != GILK_CHECK_BAD)
            continue;
          g_assert_cmpstr (check->name, ==, bad[i].check);
          g_assert_nonnull (check->remedy);
        }
    }
}

/* Creates executable files in @folder. @paths: PATH or PATH=TEXT, separated by spaces. */
static void
make_root (const char *folder, const char *paths)
{
  g_auto(GStrv) words = g_strsplit (paths, " ", -1);

  for (guint i = 0; words[i] != NULL && *words[i] != '\0'; i++)
    {
      g_auto(GStrv) pair = g_strsplit (words[i], "=", 2);
      g_autofree char *path = g_build_filename (folder, pair[0], NULL);
      g_autofree char *above = g_path_get_dirname (path);

      g_mkdir_with_parents (above, 0755);
      g_assert_true (g_file_set_contents (path, pair[1] != NULL ? pair[1] : "", -1, NULL));
      g_chmod (path, 0755);
    }
}

static void
take_down (const char *path)
{
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, name, NULL);

      take_down (below);
    }
  g_assert_cmpint (g_remove (path), ==, 0);
}

#define POLKIT "usr/share/dbus-1/system-services/org.freedesktop.PolicyKit1.service"

static void
test_ways (void)
{
  const struct {
    const char   *files;
    gboolean      desktop, root;
    GilkCheckState state;
    const char   *command;
  } cases[] = {
    { "bin/ssh", FALSE, TRUE, GILK_CHECK_GOOD, NULL },
    { "bin/ssh", FALSE, FALSE, GILK_CHECK_WARN, "pkexec polkitd" },
    { "bin/pkexec", TRUE, FALSE, GILK_CHECK_WARN, "apt install polkitd" },
    { "bin/pkexec bin/sudo", TRUE, FALSE, GILK_CHECK_NOTE, "apt install polkitd" },
    { "bin/pkexec " POLKIT " proc/12/comm=bash\n", TRUE, FALSE, GILK_CHECK_WARN, "policykit-1-gnome" },
    { "bin/pkexec bin/sudo " POLKIT " proc/12/comm=bash\n", TRUE, FALSE, GILK_CHECK_NOTE, "policykit-1-gnome" },
    { "bin/pkexec " POLKIT " proc/12/comm=gnome-shell\n", TRUE, FALSE, GILK_CHECK_GOOD, NULL },
    { "bin/pkexec " POLKIT " proc/12/comm=polkit-gnome-au\n", TRUE, FALSE, GILK_CHECK_GOOD, NULL },
    { "bin/sudo", TRUE, FALSE, GILK_CHECK_NOTE, "pkexec polkitd" },
    { "bin/pkexec bin/sudo " POLKIT, FALSE, FALSE, GILK_CHECK_GOOD, NULL },
  };

  g_unsetenv ("WAYLAND_DISPLAY");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *folder = g_dir_make_tmp ("gilk-ways-XXXXXX", NULL);
      g_autofree char *path = g_build_filename (folder, "bin", NULL);
      g_autoptr(GArray) checks = NULL;
      const GilkCheck *local;

      g_test_message ("%s", cases[i].files);
      make_root (folder, cases[i].files);
      g_setenv ("PATH", path, TRUE);
      if (cases[i].desktop)
        g_setenv ("DISPLAY", ":0", TRUE);
      else
        g_unsetenv ("DISPLAY");
      checks = gilk_doctor_list_targets (folder, cases[i].root);
      local = &g_array_index (checks, GilkCheck, 1);
      g_assert_cmpstr (local->name, ==, "local");
      g_assert_cmpint (local->state, ==, cases[i].state);
      g_assert_true ((local->command != NULL) == (cases[i].command != NULL));
      if (cases[i].command != NULL)
        g_assert_nonnull (strstr (local->command, cases[i].command));
      if (local->state == GILK_CHECK_WARN)
        g_assert_nonnull (local->remedy);
      take_down (folder);
    }
}

int
main (int argc, char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, "C.UTF-8"));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/json/values", test_json_values);
  g_test_add_func ("/cli/json/shape", test_json_shape);
  g_test_add_func ("/cli/table/widths", test_table);
  g_test_add_func ("/cli/table/front", test_table_front);
  g_test_add_func ("/cli/points/good", test_points);
  g_test_add_func ("/cli/points/bad", test_bad_points);
  g_test_add_func ("/cli/points/misspelt", test_misspelt_points);
  g_test_add_func ("/cli/table/clean", test_clean_cells);
  g_test_add_func ("/cli/points/programs", test_point_programs);
  g_test_add_func ("/cli/program-errors", test_program_errors);
  g_test_add_func ("/cli/program-errors/long", test_long_program_error);
  g_test_add_func ("/cli/nearest", test_nearest);
  g_test_add_func ("/cli/doctor", test_doctor);
  g_test_add_func ("/cli/ways", test_ways);
  return g_test_run ();
}
