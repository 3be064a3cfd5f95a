/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-image.c - parses side tables from bytes, finds areas, and opens an image without a kernel
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/emit/gilk-emit.h"
#include "core/image/gilk-image-private.h"
#include "core/image/gilk-image-user.h"
#include "core/image/gilk-image.h"
#include "core/image/gilk-tables.h"

#define TEXT  0xffffffff81000000u
#define TABLE 0xffffffff82000000u

/* Writes a self-relative word at @at that points to @target. */
static void
put_pointer (uint8_t *bytes,
             gsize    at,
             uint64_t target)
{
  const int32_t word = (int32_t) (target - (TABLE + at));

  memcpy (bytes + at, &word, sizeof word);
}

static GilkTable
table_of (const uint8_t *bytes,
          gsize          length)
{
  const GilkTable table = { bytes, length, TABLE, TEXT, TEXT + 0x1000 };

  return table;
}

static void
test_tables (void)
{
  g_autoptr (GArray) sites = g_array_new (FALSE, FALSE, sizeof (GilkSite));
  const GilkSite *site;
  uint8_t bytes[64] = { 0 };
  GilkTable table;

  /* The four entries are a valid entry, an entry outside the text, a zero entry that ends the
   * table, and an entry after that. */
  put_pointer (bytes, 0, TEXT + 0x10);
  put_pointer (bytes, 4, TEXT + 0x800);
  put_pointer (bytes, 12, TEXT - 1);
  put_pointer (bytes, 36, TEXT + 0x20);
  table = table_of (bytes, sizeof bytes);
  gilk_table_extable (&table, sites);
  g_assert_cmpuint (sites->len, ==, 1);
  site = &g_array_index (sites, GilkSite, 0);
  g_assert_cmphex (site->addr, ==, TEXT + 0x10);
  g_assert_cmphex (site->other, ==, TEXT + 0x800);

  memset (bytes, 0, sizeof bytes);
  g_array_set_size (sites, 0);
  put_pointer (bytes, 0, TEXT + 0x40);
  put_pointer (bytes, 4, TABLE + 0x100 + 3);
  gilk_table_static_calls (&table, sites);
  g_assert_cmphex (g_array_index (sites, GilkSite, 0).other, ==, TABLE + 0x100);

  g_array_set_size (sites, 0);
  gilk_table_jump_labels (&table, sites);
  g_assert_cmpuint (sites->len, ==, 1);
  g_assert_cmpint (g_array_index (sites, GilkSite, 0).kind, ==, GILK_SITE_JUMP_LABEL);
}

/* Fills a bug table with entries of @size bytes, with address, format and file; the last @gone
 * entries refer to text that no longer exists. */
static void
put_bugs (uint8_t *bytes, gsize length, gsize size, guint gone)
{
  memset (bytes, 0, length);
  for (gsize at = 0; at < length; at += size)
    {
      put_pointer (bytes, at, at / size + gone >= length / size ? TEXT - 0x100 : TEXT + 0x20 + at);
      for (gsize word = at + 4; word < at + size - 4; word += 4)
        put_pointer (bytes, word, TABLE - 0x1000 + word);
      bytes[at + size - 4] = 200;                               /* line */
      bytes[at + size - 2] = at / size % 2 != 0 ? 0x09 : 0;     /* every other entry is a WARN */
      bytes[at + size - 1] = 9;                                 /* taint */
    }
}

static void
test_bugs (void)
{
  g_autoptr (GArray) sites = g_array_new (FALSE, FALSE, sizeof (GilkSite));
  static const guint sizes[] = { 12, 16 };
  uint8_t bytes[16 * 48];
  GilkTable table;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      put_bugs (bytes, sizeof bytes, sizes[i], 5);
      table = table_of (bytes, sizeof bytes);
      g_assert_cmpuint (gilk_table_bug_size (&table), ==, sizes[i]);
      table.bug_size = sizes[i];
      g_array_set_size (sites, 0);
      gilk_table_bugs (&table, sites);
      g_assert_cmpuint (sites->len, ==, sizeof bytes / sizes[i] - 5);
      for (guint s = 0; s < sites->len; s++)
        {
          const GilkSite *site = &g_array_index (sites, GilkSite, s);

          g_assert_cmphex (site->addr, ==, TEXT + 0x20 + s * sizes[i]);
          g_assert_cmpint (site->kind, ==, s % 2 != 0 ? GILK_SITE_WARN : GILK_SITE_BUG);
        }
    }

  /* The second entry has BUGFLAG_ARGS: the trap then refers to its entry, but the entry does not
   * refer to the trap. */
  put_bugs (bytes, sizeof bytes, 16, 0);
  bytes[16 + 14] |= 0x10;
  table = table_of (bytes, sizeof bytes);
  table.bug_size = 16;
  g_array_set_size (sites, 0);
  gilk_table_bugs (&table, sites);
  g_assert_cmpuint (sites->len, ==, sizeof bytes / 16 - 1);
  g_assert_cmphex (g_array_index (sites, GilkSite, 1).addr, ==, TEXT + 0x20 + 32);

  /* Four cases: half of the text is gone, the table is truncated, entries have another size, the
   * table is empty. */
  put_bugs (bytes, sizeof bytes, 12, 32);
  table = table_of (bytes, sizeof bytes);
  g_assert_cmpuint (gilk_table_bug_size (&table), ==, 0);
  put_bugs (bytes, sizeof bytes, 12, 0);
  table = table_of (bytes, sizeof bytes - 4);
  g_assert_cmpuint (gilk_table_bug_size (&table), ==, 0);
  put_bugs (bytes, sizeof bytes, 24, 0);
  table = table_of (bytes, sizeof bytes);
  g_assert_cmpuint (gilk_table_bug_size (&table), ==, 0);
  g_assert_false (gilk_table_is_empty (&table));
  memset (bytes, 0, sizeof bytes);
  g_assert_cmpuint (gilk_table_bug_size (&table), ==, 0);
  g_assert_true (gilk_table_is_empty (&table));
}

/* Returns the register numbers deduced from an ORC table. Its entries are based on register @sp,
 * but every @others-th entry is based on another register. If @others is 0, all entries use @sp. */
static const GilkOrcNumbers *
numbers_of (uint8_t sp, guint others)
{
  uint8_t ip_bytes[4 * 100], entry_bytes[6 * 100];
  const GilkOrcNumbers *numbers;
  g_autoptr (GBytes) ips = NULL;
  g_autoptr (GBytes) entries = NULL;
  GilkOrcTable *table;

  for (guint i = 0; i < 100; i++)
    {
      const uint8_t entry[] = { 8, 0, 0, 0, others != 0 && i % others == 0 ? 7 : sp, 2 };

      put_pointer (ip_bytes, i * 4, TEXT + i * 0x10);
      memcpy (entry_bytes + i * 6, entry, sizeof entry);
    }
  ips = g_bytes_new (ip_bytes, sizeof ip_bytes);
  entries = g_bytes_new (entry_bytes, sizeof entry_bytes);
  table = gilk_orc_table_new (ips, TABLE, entries, TEXT, TEXT + 0x1000);
  numbers = gilk_orc_numbers_of (table);
  gilk_orc_table_free (table);

  return numbers;
}

static void
test_orc_numbers (void)
{
  const uint8_t by_three[6] = { 8, 0, 0, 0, 3, 2 }, by_five[6] = { 8, 0, 0, 0, 5, 2 };
  const uint8_t by_ten[6] = { 8, 0, 0, 0, 10, 2 }, by_bp[6] = { 16, 0, 0, 0, 0x14, 2 };
  const GilkOrcNumbers *before = numbers_of (5, 20), *now = numbers_of (3, 20);

  g_assert_cmpuint (before->sp, ==, 5);
  g_assert_cmpuint (before->bp_indirect, ==, 8);
  g_assert_cmpuint (now->sp, ==, 3);
  g_assert_cmpuint (now->bp_indirect, ==, 10);
  g_assert_null (numbers_of (5, 2));
  g_assert_null (numbers_of (6, 0));

  g_assert_cmpint (gilk_orc_base (before, by_five), ==, GILK_FRAME_SP);
  g_assert_cmpint (gilk_orc_base (before, by_three), ==, GILK_FRAME_OTHER);
  g_assert_cmpint (gilk_orc_base (now, by_three), ==, GILK_FRAME_SP);
  g_assert_cmpint (gilk_orc_base (now, by_five), ==, GILK_FRAME_OTHER);
  g_assert_cmpint (gilk_orc_base (now, by_ten), ==, GILK_FRAME_BP_INDIRECT);
  g_assert_cmpint (gilk_orc_base (now, by_bp), ==, GILK_FRAME_BP);
  g_assert_cmpint (gilk_orc_base (NULL, by_bp), ==, GILK_FRAME_OTHER);
}

static void
test_noreturns (void)
{
  static const char *const never[] = {
    "panic", "vpanic", "kthread_do_exit", "_RNvNtCs2lKf6AS60Zg_4core9panicking9panic_fmt",
    "_RINvNtCs2lKf6AS60Zg_4core9panicking13assert_failedjjEB4_",
    "_RNvNtNtCs2lKf6AS60Zg_4core3num14overflow_panic3add", "_RNvNtCs2lKf6AS60Zg_4core6option13unwrap_failed",
    "_RNvNtNtCs2lKf6AS60Zg_4core5slice5index24slice_end_index_len_fail",
  };
  static const char *const returning[] = {
    "panic_print_get", "schedule", "_RNvNtNtCs2lKf6AS60Zg_4core5slice5index10into_range",
    "_RNvXNvNtCs2lKf6AS60Zg_4core9panicking21assert_matches_failedNtB2_7PatternNtNtB6_3fmt5Debug3fmt",
    "_RNvXs_NtNtCs2lKf6AS60Zg_4core5panic10panic_infoNtB4_9PanicInfoNtNtB8_3fmt7Display3fmt", "_R", "",
  };

  for (guint i = 0; i < G_N_ELEMENTS (never); i++)
    g_assert_true (gilk_name_is_noreturn (never[i]));
  for (guint i = 0; i < G_N_ELEMENTS (returning); i++)
    g_assert_false (gilk_name_is_noreturn (returning[i]));
}

static void
test_short_tables (void)
{
  g_autoptr (GArray) sites = g_array_new (FALSE, FALSE, sizeof (GilkSite));
  uint8_t bytes[16];

  memset (bytes, 0xff, sizeof bytes);
  for (gsize length = 0; length < 16; length++)
    {
      g_autofree uint8_t *exact = g_memdup2 (bytes, length);
      GilkTable table = table_of (exact, length);

      g_assert_cmpuint (gilk_table_bug_size (&table), ==, 0);
      table.bug_size = 12;
      gilk_table_extable (&table, sites);
      gilk_table_bugs (&table, sites);
      gilk_table_static_calls (&table, sites);
      gilk_table_jump_labels (&table, sites);
    }
  g_assert_cmpuint (sites->len, ==, 0);
}

static void
test_orc (void)
{
  uint8_t ip_bytes[16] = { 0 };
  uint8_t entry_bytes[18] = { 1, 0, 0, 0, 0x05, 0, 2, 0, 0, 0, 0x05, 0x04, 0, 0, 0, 0, 0, 0 };
  g_autoptr (GBytes) ips = NULL;
  g_autoptr (GBytes) entries = g_bytes_new (entry_bytes, sizeof entry_bytes);
  uint8_t entry[GILK_ORC_ENTRY_SIZE];
  GilkOrcTable *table;

  put_pointer (ip_bytes, 0, TEXT + 0x10);
  put_pointer (ip_bytes, 4, TEXT + 0x20);
  put_pointer (ip_bytes, 8, TEXT + 0x40);
  ips = g_bytes_new (ip_bytes, sizeof ip_bytes);
  table = gilk_orc_table_new (ips, TABLE, entries, TEXT, TEXT + 0x1000);
  g_assert_cmpuint (table->count, ==, 3);

  g_assert_false (gilk_orc_table_find (table, TEXT + 0x0f, entry));
  g_assert_true (gilk_orc_table_find (table, TEXT + 0x10, entry));
  g_assert_cmpint (entry[0], ==, 1);
  g_assert_true (gilk_orc_table_find (table, TEXT + 0x3f, entry));
  g_assert_cmpint (entry[0], ==, 2);
  /* The last entry only marks the end of the known text. */
  g_assert_false (gilk_orc_table_find (table, TEXT + 0x40, entry));
  gilk_orc_table_free (table);

  /* An entry at the upper bound of the text marks the end of the text, or the start of other
   * text. */
  table = gilk_orc_table_new (ips, TABLE, entries, TEXT, TEXT + 0x40);
  g_assert_cmpuint (table->count, ==, 3);
  gilk_orc_table_free (table);
  table = gilk_orc_table_new (ips, TABLE, entries, TEXT, TEXT + 0x20);
  g_assert_cmpuint (table->count, ==, 1);
  gilk_orc_table_free (table);
}

static void
test_areas (void)
{
  GArray *areas = g_array_new (FALSE, FALSE, sizeof (GilkArea));
  g_autoptr (GArray) flat = NULL;
  static const struct {
    uint64_t start, end;
    GilkAreaKind kind;
  } expected[] = {
    { 0x100, 0x200, GILK_AREA_TEXT }, { 0x200, 0x280, GILK_AREA_BLACKLIST },
    { 0x280, 0x300, GILK_AREA_NOINSTR }, { 0x300, 0x400, GILK_AREA_TEXT },
    { 0x500, 0x600, GILK_AREA_INIT },
  };

  gilk_areas_add (areas, GILK_AREA_TEXT, 0, 0x100, 0x400);
  gilk_areas_add (areas, GILK_AREA_BLACKLIST, 0, 0x200, 0x2c0);
  gilk_areas_add (areas, GILK_AREA_NOINSTR, 0, 0x280, 0x300);
  gilk_areas_add (areas, GILK_AREA_BLACKLIST, 0, 0x290, 0x2a0);
  gilk_areas_add (areas, GILK_AREA_INIT, 0, 0x500, 0x600);
  gilk_areas_add (areas, GILK_AREA_INIT, 0, 0, 0x600);
  gilk_areas_add (areas, GILK_AREA_INIT, 0, 0x700, 0x700);
  flat = gilk_areas_flatten (areas);
  g_array_unref (areas);

  g_assert_cmpuint (flat->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < flat->len; i++)
    {
      const GilkArea *area = &g_array_index (flat, GilkArea, i);

      g_assert_cmphex (area->start, ==, expected[i].start);
      g_assert_cmphex (area->end, ==, expected[i].end);
      g_assert_cmpint (area->kind, ==, expected[i].kind);
    }
}

static void
test_sections (void)
{
  static const char text[] =
    "__ex_table ffffffffc0003000\n.text ffffffffc0001000\n.init.text ffffffffc0001800\n"
    ".exit.text ffffffffc0002000\nrubbish\n .x 0\n.text.unlikely ffffffffc0001f00\n";
  g_autoptr (GArray) sections = gilk_sections_parse (text, strlen (text));
  const GilkSection *section = gilk_sections_find (sections, ".text");

  g_assert_cmpuint (sections->len, ==, 4);
  g_assert_cmphex (section->end, ==, 0xffffffffc0001800);      /* start of the freed .init.text */
  g_assert_true (gilk_section_is_text (section));
  g_assert_cmphex (gilk_sections_find (sections, ".text.unlikely")->end, ==, 0xffffffffc0002000);
  section = gilk_sections_find (sections, "__ex_table");
  g_assert_true (section->last);
  g_assert_false (gilk_section_is_text (section));
  g_assert_null (gilk_sections_find (sections, ".init.text"));
  g_assert_null (gilk_sections_find (NULL, ".text"));
}

static GilkImage *
static_image (void)
{
  static const char kallsyms[] = "ffffffff81000000 T fn\nffffffff81000008 T panic\n"
                                 "ffffffff8100000c T srso_return_thunk\n"
                                 "ffffffff8100000e T __x86_indirect_thunk_rax\n";
  static const uint8_t bytes[16] = { 0x55, 0xc3 };
  static const GilkSite sites[] = {
    { TEXT + 8, 0, GILK_SITE_BUG }, { TEXT + 1, TEXT, GILK_SITE_EXTABLE },
  };
  g_autoptr (GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), NULL);

  return gilk_image_new_static (symbols, TEXT, bytes, sizeof bytes, sites, G_N_ELEMENTS (sites));
}

/* Tests a CPU whose returns use a thunk, and a CPU with plain returns. */
static void
test_live_return (void)
{
  static const char kallsyms[] = "ffffffff81000000 T fn\nffffffff81000020 T srso_return_thunk\n";
  uint8_t bytes[64] = { 0x55, 0xe9, 1, 2, 3, 4, 0x5d, 0xe9, 0x14, 0, 0, 0 };
  g_autoptr (GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), NULL);
  g_autoptr (GilkImage) mitigated = gilk_image_new_static (symbols, TEXT, bytes, sizeof bytes, NULL, 0);
  g_autoptr (GilkImage) plain = NULL;

  g_assert_cmphex (gilk_image_return_thunk (mitigated), ==, TEXT + 0x20);
  bytes[7] = 0xc3;
  plain = gilk_image_new_static (symbols, TEXT, bytes, sizeof bytes, NULL, 0);
  g_assert_cmphex (gilk_image_return_thunk (plain), ==, 0);
}

static void
test_static (void)
{
  g_autoptr (GilkImage) image = static_image ();
  g_autoptr (GError) error = NULL;
  g_autofree char *sum = NULL;
  const GilkSite *sites;
  guint count;

  g_assert_null (gilk_image_target (image));
  g_assert_cmpint (gilk_image_bytes (image, TEXT, 16, NULL)[1], ==, 0xc3);
  g_assert_nonnull (gilk_image_bytes (image, TEXT + 15, 1, NULL));
  g_assert_null (gilk_image_bytes (image, TEXT + 15, 2, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_assert_null (gilk_image_bytes (image, TEXT, G_MAXSIZE, NULL));
  g_assert_null (gilk_image_bytes (image, TEXT - 1, 1, NULL));

  sites = gilk_image_sites (image, TEXT, TEXT + 8, &count);
  g_assert_cmpuint (count, ==, 1);
  g_assert_cmpint (sites[0].kind, ==, GILK_SITE_EXTABLE);
  gilk_image_sites (image, TEXT + 8, TEXT, &count);
  g_assert_cmpuint (count, ==, 0);

  g_assert_cmpint (gilk_image_area (image, TEXT)->kind, ==, GILK_AREA_TEXT);
  g_assert_null (gilk_image_area (image, TEXT + 16));
  g_assert_true (gilk_image_is_noreturn (image, TEXT + 8));
  g_assert_false (gilk_image_is_noreturn (image, TEXT));
  g_assert_true (gilk_image_is_return_thunk (image, TEXT + 12));
  g_assert_true (gilk_image_is_indirect_thunk (image, TEXT + 14));

  sum = gilk_image_checksum (image, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (strlen (sum), ==, 64);
}

/* Tests text with a splice that is being armed, a splice that was restored, and bytes that were
 * changed by neither. */
static void
test_below_hooks (void)
{
  g_autoptr (GArray) hooks = g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));
  struct ilk_patch_status hook = {
    .state = ILK_STATE_TRAPPED, .site = TEXT + 1, .len = 5, .old = { 1, 2, 3, 4, 5 }, .new_ = { 0xe9, 9, 9, 9, 9 },
  };
  uint8_t bytes[16] = { 0, 0xcc, 2, 3, 4, 5, 0xe9, 9, 9, 9, 9, 7, 7, 7, 7, 7 };
  static const uint8_t below[16] = { 0, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 7, 7, 7, 7, 7 };

  g_array_append_val (hooks, hook);
  hook.state = ILK_STATE_RESTORED;
  hook.site = TEXT + 6;
  g_array_append_val (hooks, hook);
  hook.site = TEXT + 11;
  g_array_append_val (hooks, hook);
  hook.state = ILK_STATE_ARMED;
  /* The range that is read contains only a part of the bytes that the hook overwrites. */
  hook.site = TEXT + 12;
  g_array_append_val (hooks, hook);
  gilk_image_restore_original (hooks, TEXT, sizeof bytes, bytes);
  g_assert_cmpmem (bytes, sizeof bytes, below, sizeof below);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/image/tables", test_tables);
  g_test_add_func ("/image/bugs", test_bugs);
  g_test_add_func ("/image/orc-numbers", test_orc_numbers);
  g_test_add_func ("/image/noreturns", test_noreturns);
  g_test_add_func ("/image/short-tables", test_short_tables);
  g_test_add_func ("/image/orc", test_orc);
  g_test_add_func ("/image/areas", test_areas);
  g_test_add_func ("/image/sections", test_sections);
  g_test_add_func ("/image/static", test_static);
  g_test_add_func ("/image/live-return", test_live_return);
  g_test_add_func ("/image/below-hooks", test_below_hooks);

  return g_test_run ();
}
