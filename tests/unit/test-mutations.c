/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-mutations.c - tests that misspelt locations, names, units and options are refused, or mean
 * exactly what they state
 *
 * Valid texts are misspelt thousands of times, in a reproducible way. Accepted texts are
 * compared with an independent parser in this file: no letter may be ignored, and no hook may be
 * anywhere except where the text puts it.
 */
#include <string.h>

#include "core/bind/gilk-bound-plan.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plan/gilk-stop-condition.h"
#include "splice-fixture.h"

#define SEED   20261128
#define ROUNDS 2000      /* number of misspelt texts of each kind */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:@#+-_.,%/ ={}[]()<>*\n";

/* ---- making misspelt texts ---- */

static char
any_letter (GRand *rand)
{
  return letters[g_rand_int_range (rand, 0, (gint32) strlen (letters))];
}

/* Makes one mistake: an extra, missing or wrong letter, two swapped letters, or a word of another
 * text. */
static void
misspell_once (GRand *rand, GString *text, const char *const *words, guint n_words)
{
  const gint32 at = text->len > 0 ? g_rand_int_range (rand, 0, (gint32) text->len) : 0;
  const char *word;
  gsize length;

  switch (text->len < 2 ? 0 : g_rand_int_range (rand, 0, 6))
    {
    case 0:
      g_string_insert_c (text, at, any_letter (rand));
      return;
    case 1:
      g_string_erase (text, at, 1);
      return;
    case 2:
      text->str[at] = any_letter (rand);
      return;
    case 3:
      if ((gsize) at + 1 < text->len)
        {
          const char letter = text->str[at];

          text->str[at] = text->str[at + 1];
          text->str[at + 1] = letter;
        }
      return;
    case 4:
      text->str[at] = g_ascii_isupper (text->str[at]) ? g_ascii_tolower (text->str[at]) : g_ascii_toupper (text->str[at]);
      return;
    default:
      word = words[g_rand_int_range (rand, 0, (gint32) n_words)];
      length = strspn (text->str + at, "abcdefghijklmnopqrstuvwxyz0123456789");
      g_string_erase (text, at, (gssize) length);
      g_string_insert (text, at, word);
    }
}

static char *
misspell_word (GRand *rand, const char *const *valid, guint n_valid, const char *const *words, guint n_words)
{
  g_autoptr(GString) text = g_string_new (valid[g_rand_int_range (rand, 0, (gint32) n_valid)]);

  for (gint32 slips = g_rand_int_range (rand, 1, 4); slips > 0; slips--)
    misspell_once (rand, text, words, n_words);

  return g_strdup (text->str);
}

/* ---- test of misspelt probe points ---- */

static const char *const point_words[] = {
  "pre", "post", "at", "entry", "return", "call", "count", "stamp", "auto", "splice", "trap", "bounce", "clone", "victim", "callee",
  "inlined", "entri", "retrun", "pst", "0x5", "cold",
};

static const char *const points[] = {
  "vfs_write:entry", "vfs_write:return", "vfs_write+0x5:pre:count:trap", "vfs_write+0xd:post", "vfs_write@entry:pre:stamp",
  "vfs_write@return#1:post", "vfs_write@return#2:pre", "second@return:post:count:splice", "vfs_write+0x10:at:count", "second",
  "vfs_write+0xd:pre:stamp:bounce", "second@entry:post", "vfs_write@call:second", "vfs_write@call:second#2:pre:count",
  "second:inlined", "vfs_write:inlined:stamp:splice",
};

/* Appends the characters of @text that have a meaning: separators are dropped, and letters become
 * lower case. */
static void
append_telling (GString *to, const char *text)
{
  for (; *text != '\0'; text++)
    if (g_ascii_isalnum (*text) || *text == '_' || *text == '#' || (signed char) *text < 0)
      g_string_append_c (to, g_ascii_tolower (*text));
}

/* Returns @text with its offsets in one spelling: "+2b1" for "+0x2b1" and "+0002b1". */
static char *
plain_offsets (const char *text)
{
  g_autoptr(GRegex) hex = g_regex_new ("\\+(0x)?0*(?=[0-9a-f])", G_REGEX_CASELESS, 0, NULL);

  return g_regex_replace_literal (hex, text, -1, 0, "+", 0, NULL);
}

/* Returns whether @text is a valid spelling of the probe point @point. Words that have defaults may
 * be missing. */
static gboolean
may_be_written (const GilkPointText *point, const char *text)
{
  g_autofree char *plain = plain_offsets (text), *block = point->block != NULL ? plain_offsets (point->block) : NULL;
  g_autoptr(GString) wanted = g_string_new (NULL);

  append_telling (wanted, plain);
  for (guint shape = 0; shape < 8; shape++)
    {
      g_autoptr(GString) written = g_string_new (NULL);

      append_telling (written, point->function);
      append_telling (written, block != NULL ? block : (shape & 1) != 0 ? point->anchor : "");
      append_telling (written, point->at_inlined ? "inlined" : (shape & 2) == 0 || point->at_returns ? "" : gilk_where_name (point->where));
      append_telling (written, point->instrument != NULL ? point->instrument : "");
      append_telling (written, (shape & 4) == 0 ? "" : gilk_tactic_name (point->tactic));
      append_telling (written, point->program != NULL ? point->program : "");
      if (strcmp (written->str, wanted->str) == 0)
        return TRUE;
    }

  return FALSE;
}

static void
test_points (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (SEED);
  guint accepted = 0;

  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autofree char *text = misspell_word (rand, points, G_N_ELEMENTS (points), point_words, G_N_ELEMENTS (point_words));
      g_auto(GilkPointText) point = { 0 }, again = { 0 };
      g_autoptr(GError) error = NULL;
      g_autofree char *written = NULL, *second = NULL;

      if (!gilk_point_text_parse (text, &point, &error))
        {
          g_assert_nonnull (error);
          continue;
        }
      accepted++;
      if (!may_be_written (&point, text))
        g_error ("“%s” is read as %s, %s%s, %s", text, point.function, point.block != NULL ? point.block : "",
                 point.anchor != NULL ? point.anchor : "", gilk_where_name (point.where));
      written = gilk_point_text_format (&point);
      g_assert_true (gilk_point_text_parse (written, &again, &error));
      second = gilk_point_text_format (&again);
      g_assert_cmpstr (written, ==, second);
    }
  g_test_message ("%u of %u misspelt points are points", accepted, ROUNDS);
  g_assert_cmpuint (accepted, <, ROUNDS);
}

/* ---- test of misspelt locations in a function ---- */

static const uint8_t text_bytes[] = {
  FENTRY,                             /* 0 */
  0x48, 0x89, 0xf8,                   /* 5: mov %rdi,%rax */
  0x48, 0x85, 0xff,                   /* 8: test %rdi,%rdi */
  0x74, 0x0b,                         /* b: je 18 */
  0x48, 0x8b, 0x07,                   /* d: mov (%rdi),%rax */
  0x48, 0x83, 0xc0, 0x10,             /* 10: add $0x10,%rax */
  0xc3,                               /* 14: ret */
  0xcc, 0xcc, 0xcc,
  0x48, 0x31, 0xc0,                   /* 18: xor %rax,%rax */
  0x48, 0x83, 0xe8, 0x01,             /* 1b: sub $1,%rax */
  0xc3,                               /* 1f: ret */
  0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
  FENTRY,                             /* 30: second() */
  0x48, 0x89, 0xf8,                   /* 35: mov %rdi,%rax */
  0x48, 0x83, 0xc0, 0x10,             /* 38: add $0x10,%rax */
  0xc3,                               /* 3c: ret */
};

/* Returns the expected offset of @hook, as listed in the tables below, or G_MAXUINT if they do not
 * list the location of @hook. */
static guint
place_of (const GilkPlanHook *hook)
{
  static const struct { const char *function, *place; guint at; } known[] = {
    { "vfs_write", "entry", 0 }, { "vfs_write", "return#1", 0xd }, { "vfs_write", "return#2", 0x18 },
    { "second", "entry", 0x30 }, { "second", "return", 0x30 }, { "second", "return#1", 0x30 },
    { "vfs_write", "+0x0", 0 }, { "vfs_write", "+0xd", 0xd }, { "vfs_write", "+0x18", 0x18 }, { "second", "+0x0", 0x30 },
  };
  /* Offsets of hooks directly in front of an instruction, by anchor or by offset. */
  static const struct { const char *function, *place; guint at; } instructions[] = {
    { "vfs_write", "entry", 0 }, { "vfs_write", "return#1", 0x14 }, { "vfs_write", "return#2", 0x1f },
    { "second", "entry", 0x30 }, { "second", "return", 0x3c }, { "second", "return#1", 0x3c },
    { "vfs_write", "+0x0", 0 }, { "vfs_write", "+0x5", 5 }, { "vfs_write", "+0x8", 8 }, { "vfs_write", "+0xb", 0xb },
    { "vfs_write", "+0xd", 0xd }, { "vfs_write", "+0x10", 0x10 }, { "vfs_write", "+0x14", 0x14 }, { "vfs_write", "+0x18", 0x18 },
    { "vfs_write", "+0x1b", 0x1b }, { "vfs_write", "+0x1f", 0x1f }, { "second", "+0x0", 0x30 }, { "second", "+0x5", 0x35 },
    { "second", "+0x8", 0x38 }, { "second", "+0xc", 0x3c },
  };
  const char *place = hook->block != NULL ? hook->block : hook->anchor;

  for (guint i = 0; hook->where != GILK_WHERE_AT && i < G_N_ELEMENTS (known); i++)
    if (strcmp (hook->function, known[i].function) == 0 && strcmp (place, known[i].place) == 0)
      return known[i].at;
  for (guint i = 0; hook->where == GILK_WHERE_AT && i < G_N_ELEMENTS (instructions); i++)
    if (strcmp (hook->function, instructions[i].function) == 0 && strcmp (place, instructions[i].place) == 0)
      return instructions[i].at;

  return G_MAXUINT;
}

/* Checks that @text becomes one hook at the right location, or no hook. Returns TRUE for one
 * hook. */
static gboolean
check_bound (const Fixture *fixture, const char *text)
{
  g_auto(GilkPointText) point = { 0 };
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  g_autoptr(GilkBoundPlan) bound = NULL;
  g_autoptr(GError) error = NULL;
  const GilkBoundHook *hook;

  if (!gilk_point_text_parse (text, &point, &error) || point.program != NULL || point.at_line)
    return FALSE;
  g_ptr_array_add (plan->hooks, gilk_point_text_to_hook (&point, plan, point.instrument != NULL ? point.instrument : "count"));
  bound = gilk_bound_plan_new (plan, fixture->functions, fixture->image, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (bound->hooks->len, ==, 1);
  hook = &g_array_index (bound->hooks, GilkBoundHook, 0);
  if (hook->error != NULL)
    return FALSE;
  if (place_of (hook->hook) == G_MAXUINT || hook->addr != FIXTURE_BASE + place_of (hook->hook) ||
      (point.tactic != 0 && hook->choice.tactic != point.tactic) || strcmp (hook->hook->function, point.function) != 0)
    g_error ("“%s” is bound at +0x%x", text, (guint) (hook->addr - FIXTURE_BASE));

  return TRUE;
}

static void
test_places (void)
{
  const GilkSite sites[] = { FIXTURE_C, { FIXTURE_BASE + 0x30, 0, GILK_SITE_FENTRY } };
  g_autoptr(GRand) rand = g_rand_new_with_seed (SEED);
  g_auto(Fixture) fixture = { NULL };
  guint bound = 0;

  fixture_init_named (&fixture, "vfs_write", FIXTURE_BASE, text_bytes, sizeof text_bytes, "ffffffff81000030 t second\n", sites,
                      G_N_ELEMENTS (sites));
  g_assert_true (check_bound (&fixture, "vfs_write+0xd:pre"));
  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autofree char *text = misspell_word (rand, points, G_N_ELEMENTS (points), point_words, G_N_ELEMENTS (point_words));

      bound += check_bound (&fixture, text);
    }
  g_test_message ("%u of %u misspelt points are places", bound, ROUNDS);
  g_assert_cmpuint (bound, <, ROUNDS);
}

/* ---- test of misspelt units of times and sizes ---- */

static const char *const unit_words[] = { "s", "ms", "us", "ns", "m", "min", "h", "K", "M", "KiB", "MiB", "1", "10", "100", "64" };
static const char *const durations[] = { "10s", "250us", "1.5s", "20ms", "2min", "100ns", "0.25h", "3m" };
static const char *const sizes[] = { "64K", "8M", "256K", "1M", "64KiB", "8MiB", "65536" };

/* Parses a number with a unit, without the code under test. Returns the number in the smallest
 * unit, or -1 if @text is not a number. */
static double
read_unit (const char *text, const char *pattern, double (*scale) (const char *unit))
{
  g_autoptr(GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;
  g_autofree char *number = NULL, *unit = NULL;

  if (!g_regex_match (regex, text, 0, &match))
    return -1;
  number = g_match_info_fetch (match, 1);
  unit = g_match_info_fetch (match, 2);

  return g_ascii_strtod (number, NULL) * scale (unit);
}

static double
scale_of_time (const char *unit)
{
  static const struct { const char *unit; double ns; } known[] = {
    { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (unit, known[i].unit) == 0)
      return known[i].ns;

  return 0;
}

static double
scale_of_size (const char *unit)
{
  return *unit == 'K' ? 1024 : *unit == 'M' ? 1048576 : 1;
}

static void
test_units (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (SEED);
  guint accepted = 0;

  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autofree char *time = misspell_word (rand, durations, G_N_ELEMENTS (durations), unit_words, G_N_ELEMENTS (unit_words));
      g_autofree char *size = misspell_word (rand, sizes, G_N_ELEMENTS (sizes), unit_words, G_N_ELEMENTS (unit_words));
      uint64_t ns = 0, length = 0, bytes = 0;

      if (gilk_parse_duration (time, &ns, NULL))
        {
          const double wanted = read_unit (time, "^([0-9]*\\.?[0-9]*) *([a-z]*)$", scale_of_time);

          accepted++;
          if (wanted < 0 || ABS ((double) ns - wanted) > 1e-9 * wanted)
            g_error ("“%s” is read as %" G_GUINT64_FORMAT " ns", time, (guint64) ns);
          g_assert_cmpint (gilk_parse_length (time, &length, NULL), ==, ns != 0);
        }
      if (gilk_parse_ring_bytes (size, &bytes, NULL))
        {
          accepted++;
          if ((double) bytes != read_unit (size, "^([0-9]+)((?:K|M|KiB|MiB)?)$", scale_of_size))
            g_error ("“%s” is read as %" G_GUINT64_FORMAT " bytes", size, (guint64) bytes);
        }
    }
  g_test_message ("%u of %u misspelt times and sizes are such", accepted, 2 * ROUNDS);
  g_assert_cmpuint (accepted, <, 2 * ROUNDS);
}

/* ---- test of misspelt plans ---- */

static const char *const plan_words[] = {
  "pre", "post", "at", "entry", "return", "auto", "trap", "yes", "no", "count", "stamp", "1s", "block", "anchor", "where", "stop",
  "tactic", "instrument", "hook", "without-dump", "overwrite", "drop",
};

static const char *const plans[] = {
  "[gilk-plan]\nversion=2\nring=8M\nring-mode=overwrite\nring-window=5s\n\n"
  "[hook a]\nfunction=vfs_write\nblock=+0x2b1\nwhere=pre\ninstrument=stamp\nstart=1s\nstop=15s\ntactic=trap\n",
  "[gilk-plan]\nversion=2\nchanges=yes\ninterleave=100ms,42\n\n"
  "[hook a]\nfunction=vfs_write\nanchor=call:second#2\nwhere=at\ninstrument=count\n\n"
  "[hook b]\nfunction=second\nanchor=return\nwhere=post\ninstrument=count\ncontrol=yes\n",
};

/* Returns the lines of a plan that have a meaning as "KEY=VALUE", with times and sizes in a uniform
 * spelling; defaults are left out. */
static GHashTable *
lines_of (const char *text)
{
  static const char *const silent[] = {
    "start=0s", "tactic=auto", "ring-mode=drop", "changes=no", "crash=no", "control=no", "version=1", "version=2", "ring-window=0s",
  };
  GHashTable *lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto(GStrv) all = g_strsplit (text, "\n", -1);

  for (guint i = 0; all[i] != NULL; i++)
    {
      char *line = g_strchug (all[i]), *value = strchr (line, '=');
      g_autofree char *key = NULL, *number_text = NULL;
      uint64_t number;

      if (*line == '\0' || *line == '#')
        continue;
      key = g_strchomp (g_strndup (line, value != NULL ? (gsize) (value - line) : strlen (line)));
      value = value != NULL ? g_strstrip (value + 1) : NULL;
      if (value != NULL && gilk_parse_duration (value, &number, NULL))
        number_text = gilk_format_duration (number);
      else if (value != NULL && gilk_parse_ring_bytes (value, &number, NULL))
        number_text = gilk_format_ring_bytes (number);
      g_hash_table_add (lines, value == NULL ? g_strdup (key)
                                             : g_strdup_printf ("%s=%s", key, number_text != NULL ? number_text : value));
    }
  for (guint i = 0; i < G_N_ELEMENTS (silent); i++)
    g_hash_table_remove (lines, silent[i]);

  return lines;
}

static void
check_plan (const char *text, const GilkPlan *plan)
{
  g_autofree char *written = gilk_plan_to_text (plan);
  g_autoptr(GHashTable) meant = lines_of (text), read = lines_of (written);
  GHashTableIter iter;
  const char *line;

  g_hash_table_iter_init (&iter, meant);
  while (g_hash_table_iter_next (&iter, (gpointer *) &line, NULL))
    if (!g_hash_table_contains (read, line) && !g_str_has_prefix (line, "interleave="))
      g_error ("“%s” was passed over in:\n%s\n-- which is read as:\n%s", line, text, written);
  g_hash_table_iter_init (&iter, read);
  while (g_hash_table_iter_next (&iter, (gpointer *) &line, NULL))
    if (!g_hash_table_contains (meant, line) && !g_str_has_prefix (line, "interleave="))
      g_error ("“%s” was made up from:\n%s", line, text);
}

static void
test_plans (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (SEED);
  guint accepted = 0;

  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autofree char *text = misspell_word (rand, plans, G_N_ELEMENTS (plans), plan_words, G_N_ELEMENTS (plan_words));
      g_autoptr(GilkPlan) plan = gilk_plan_parse (text, strlen (text), "m.plan", NULL);

      if (plan == NULL)
        continue;
      accepted++;
      check_plan (text, plan);
    }
  g_test_message ("%u of %u misspelt plans are plans", accepted, ROUNDS);
  g_assert_cmpuint (accepted, <, ROUNDS);
}

/* ---- test of misspelt conditions that stop a run ---- */

static const char *const limit_words[] = { "samples", "hits", "size", "lost", "p99", "median", ">", ">=", "%", "M", "ms", "100" };
static const char *const limits[] = { "samples >= 1000000", "hits writer >= 500", "size >= 100M", "lost > 1%", "p99 writer.elapsed > 2ms" };

static void
test_limits (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (SEED);
  guint accepted = 0;

  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autofree char *text = misspell_word (rand, limits, G_N_ELEMENTS (limits), limit_words, G_N_ELEMENTS (limit_words));
      g_autofree char *tidy = NULL, *again = NULL;
      g_autoptr(GString) meant = g_string_new (NULL), read = g_string_new (NULL);

      if (!gilk_stop_conditions_normalize (text, &tidy, NULL) || tidy == NULL)
        continue;
      accepted++;
      for (const char *c = text; *c != '\0'; c++)
        if (!g_ascii_isspace (*c) && *c != ';')
          g_string_append_c (meant, *c);
      for (const char *c = tidy; *c != '\0'; c++)
        if (!g_ascii_isspace (*c) && *c != ';')
          g_string_append_c (read, *c);
      g_assert_cmpstr (read->str, ==, meant->str);
      g_assert_true (gilk_stop_conditions_normalize (tidy, &again, NULL));
      g_assert_cmpstr (again, ==, tidy);
    }
  g_test_message ("%u of %u misspelt conditions are conditions", accepted, ROUNDS);
  g_assert_cmpuint (accepted, <, ROUNDS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mutations/points", test_points);
  g_test_add_func ("/mutations/places", test_places);
  g_test_add_func ("/mutations/units", test_units);
  g_test_add_func ("/mutations/plans", test_plans);
  g_test_add_func ("/mutations/limits", test_limits);

  return g_test_run ();
}
