/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-column.c - tests that columns are read back as written, and anything else is rejected
 */
#include <string.h>

#include "core/pack/gilk-column.h"

typedef gint64 (*Draw) (GRand *rand, guint i, gint64 before);

static gint64
draw_word (GRand *rand)
{
  return (gint64) ((uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand));
}

static gint64 draw_constant (GRand *rand, guint i, gint64 before) { return -7; }
static gint64 draw_any (GRand *rand, guint i, gint64 before) { return draw_word (rand); }
static gint64 draw_small (GRand *rand, guint i, gint64 before) { return g_rand_int_range (rand, -5, 90); }
static gint64 draw_ends (GRand *rand, guint i, gint64 before) { return i % 2 ? G_MAXINT64 : G_MININT64; }
static gint64 draw_times (GRand *rand, guint i, gint64 before) { return before + g_rand_int_range (rand, 0, 5000); }
static gint64 draw_pauses (GRand *rand, guint i, gint64 before) { return (gint64) ((uint64_t) before + (uint64_t) (draw_word (rand) >> (i % 64))); }

static const struct { const char *name; Draw draw; double bytes_each; } kinds[] = {
  { "constant", draw_constant, 0.1 }, { "any", draw_any, 8.2 }, { "small", draw_small, 1.0 }, { "ends", draw_ends, 8.2 },
  { "times", draw_times, 1.8 }, { "pauses", draw_pauses, 8.2 },
};

static const guint sizes[] = { 0, 1, 2, 127, 128, 129, 255, 256, 1000, 65536 };

static void
round_trip (gconstpointer data)
{
  guint kind = GPOINTER_TO_UINT (data);
  g_autoptr(GRand) rand = g_rand_new_with_seed (kind);

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      guint n = sizes[s];
      g_autofree gint64 *values = g_new (gint64, n + 1), *read = g_new (gint64, n + 1);
      g_autoptr(GByteArray) bytes = g_byte_array_new ();

      for (guint i = 0; i < n; i++)
        values[i] = kinds[kind].draw (rand, i, i > 0 ? values[i - 1] : 0);
      read[n] = 4711;
      gilk_column_write (values, n, bytes);
      g_assert_cmpuint (bytes->len, <=, (n + GILK_COLUMN_BLOCK - 1) / GILK_COLUMN_BLOCK * 9 + n * 8);
      g_assert_true (gilk_column_read (bytes->data, bytes->len, read, n));
      g_assert_cmpmem (values, n * sizeof *values, read, n * sizeof *read);
      g_assert_cmpint (read[n], ==, 4711);
      if (n >= 1000)
        g_assert_cmpfloat ((double) bytes->len / n, <, kinds[kind].bytes_each);
    }
}

/* Reads from a copy of exact size, so that a sanitizer detects any access past its end. */
static gboolean
read_cut (const GByteArray *bytes, gsize size, gsize n)
{
  g_autofree uint8_t *copy = g_memdup2 (bytes->data, size);
  g_autofree gint64 *values = g_new (gint64, n + 1);

  return gilk_column_read (copy, size, values, n);
}

static void
test_wrong_sizes (void)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  gint64 values[300];

  for (guint i = 0; i < 300; i++)
    values[i] = i * i;
  gilk_column_write (values, 300, bytes);
  g_assert_true (read_cut (bytes, bytes->len, 300));
  for (gsize size = 0; size < bytes->len; size++)
    g_assert_false (read_cut (bytes, size, 300));
  for (gsize n = 0; n < 700; n++)
    g_assert_cmpint (read_cut (bytes, bytes->len, n), ==, n == 300);
  bytes->data[0] = 65;
  g_assert_false (read_cut (bytes, bytes->len, 300));
}

static void
test_texts (void)
{
  static const char *const texts[] = { "cat", "cat", "tr", "", "cat", "so\xff", "tr" };
  static const uint8_t lengths[] = { 3, 3, 2, 0, 3, 3, 2 };
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(GPtrArray) read = NULL;
  gint64 which[7];

  gilk_column_write_texts (texts, lengths, 7, bytes);
  g_assert_true (gilk_column_read_texts (bytes->data, bytes->len, &read, which, 7));
  g_assert_cmpuint (read->len, ==, 4);
  for (guint i = 0; i < 7; i++)
    if (i != 5)
      g_assert_cmpstr (g_ptr_array_index (read, which[i]), ==, texts[i]);
  g_assert_true (g_utf8_validate (g_ptr_array_index (read, which[5]), -1, NULL));
}

/* Tests that a read of random bytes ends, and never yields an index outside the dictionary. */
static void
test_any_bytes (void)
{
  guint rounds = g_test_slow () ? 1000000 : 20000;
  g_autoptr(GRand) rand = g_rand_new_with_seed (7);
  gint64 values[512];

  for (guint round = 0; round < rounds; round++)
    {
      gsize size = (gsize) g_rand_int_range (rand, 0, 200), n = (gsize) g_rand_int_range (rand, 0, 300);
      g_autofree uint8_t *bytes = g_malloc (size + 1), *copy = NULL;
      g_autoptr(GPtrArray) texts = NULL;

      for (gsize i = 0; i < size; i++)
        bytes[i] = (uint8_t) (g_rand_int_range (rand, 0, 3) ? g_rand_int_range (rand, 0, 4)
                                                            : g_rand_int_range (rand, 0, 256));
      copy = g_memdup2 (bytes, size);
      gilk_column_read (copy, size, values, n);
      if (gilk_column_read_texts (copy, size, &texts, values, n))
        for (gsize i = 0; i < n; i++)
          g_assert_cmpint (values[i], <, texts->len);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strconcat ("/column/round-trip/", kinds[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), round_trip);
    }
  g_test_add_func ("/column/wrong-sizes", test_wrong_sizes);
  g_test_add_func ("/column/texts", test_texts);
  g_test_add_func ("/column/any-bytes", test_any_bytes);

  return g_test_run ();
}
