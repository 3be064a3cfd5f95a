/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-packed.c - tests that the client unpacks what the agent packed, and invalid bytes do no harm
 */
/* Promise: the client unpacks what the agent packed, and invalid bytes do no harm */
#include <string.h>

#include "agent/gilkd-pack.h"
#include "core/link/gilk-answers.h"

enum { RING = 65536, ROUNDS = 300, HOSTILE = 200000 };

typedef struct {
  uint8_t ring[RING], out[2 * RING + GILKD_PACK_ROOM], cells[RING], expected[RING];
} Bench;

/* Writes a random record into the ring, at the position @tail. Also writes the expected unpacked
 * record to offset @at of bench->expected. Bytes after the payload in the ring are left
 * unchanged. */
static gsize
make_record (Bench *bench, GRand *rand, guint64 tail, gsize at, gboolean alike)
{
  struct ilk_record record = {
    .commit = tail, .tsc = g_rand_int (rand), .iid = alike ? 7 : g_rand_int_range (rand, 1, 4),
    .len = alike ? 8 : (guint32) g_rand_int_range (rand, 0, ILK_SAMPLE_MAX + 1),
  };
  gsize size = (gsize) ILK_RECORD_CELLS (record.len) * ILK_CELL;
  gsize payload = G_STRUCT_OFFSET (struct ilk_record, data);
  uint8_t *expected = bench->expected + at;

  record.tsc = g_rand_boolean (rand) ? tail * 100 + record.tsc % 64 : (guint64) record.tsc << 31;
  memcpy (bench->ring + (tail & (RING - ILK_CELL)), &record, payload);
  memset (expected, 0, size);
  memcpy (expected, &record, payload);
  memset (expected, 0, sizeof record.commit);
  for (guint i = 0; i < record.len; i++)
    {
      uint8_t byte = alike || g_rand_int_range (rand, 0, 3) == 0 ? 0x5a : (uint8_t) g_rand_int (rand);

      bench->ring[((tail & (RING - ILK_CELL)) + payload + i) & (RING - 1)] = byte;
      expected[payload + i] = byte;
    }

  return size;
}

static void
test_round_trip (void)
{
  g_autofree Bench *bench = g_new (Bench, 1);
  g_autoptr(GRand) rand = g_rand_new_with_seed (8);

  for (guint round = 0; round < ROUNDS; round++)
    {
      const gboolean alike = round % 3 == 0;
      guint64 tail = 1 + (guint64) g_rand_int (rand) * ILK_CELL;
      gsize bytes = 0, size, length;
      struct gilkd_pack pack;

      for (gsize i = 0; i < sizeof bench->ring; i++)
        bench->ring[i] = (uint8_t) g_rand_int (rand);
      gilkd_pack_start (&pack, bench->out);
      for (; bytes + 2 * sizeof (struct ilk_record) + ILK_SAMPLE_MAX < RING; bytes += size)
        {
          const uint8_t *before = pack.at;

          size = make_record (bench, rand, tail, bytes, alike);
          gilkd_pack (&pack, bench->ring, RING, tail & (RING - ILK_CELL));
          g_assert_cmpuint ((gsize) (pack.at - before), <=, GILKD_PACK_ROOM);
          tail += size;
        }
      length = (gsize) (pack.at - bench->out);
      g_assert_cmpuint (pack.cells * ILK_CELL, ==, bytes);
      g_assert_true (gilk_unpack_samples (bench->out, length, bench->cells, bytes));
      g_assert_cmpmem (bench->cells, bytes, bench->expected, bytes);
      g_assert_false (gilk_unpack_samples (bench->out, length, bench->cells, bytes - ILK_CELL));
      g_assert_false (gilk_unpack_samples (bench->out, length - 1, bench->cells, bytes));
    }
}

/* Tests that samples that contain only a time stamp, one per microsecond, take at most three bytes
 * each. */
static void
test_small (void)
{
  g_autofree Bench *bench = g_new0 (Bench, 1);
  const guint n = 1000;
  struct gilkd_pack pack;

  gilkd_pack_start (&pack, bench->out);
  for (guint i = 0; i < n; i++)
    {
      const struct ilk_record record = { .tsc = 1000000 + i * 2500ull + i % 7, .iid = 3 };

      memcpy (bench->ring, &record, sizeof record);
      gilkd_pack (&pack, bench->ring, RING, 0);
    }
  g_assert_cmpuint ((gsize) (pack.at - bench->out), <=, 3 * n + 16);
}

static void
test_hostile (void)
{
  g_autofree Bench *bench = g_new0 (Bench, 1);
  g_autoptr(GRand) rand = g_rand_new_with_seed (9);
  guint whole = 0;

  for (guint i = 0; i < HOSTILE; i++)
    {
      gsize length = (gsize) g_rand_int_range (rand, 0, 300);
      gsize bytes = (gsize) g_rand_int_range (rand, 0, 16) * ILK_CELL;
      /* The buffers have their exact sizes, so that a sanitizer detects any access past the end. */
      g_autofree uint8_t *packed = g_malloc (length + 1), *cells = g_malloc (bytes + 1);

      for (gsize at = 0; at < length; at++)
        packed[at] = (uint8_t) (g_rand_int (rand) & (g_rand_boolean (rand) ? 0x3f : 0x13));
      whole += gilk_unpack_samples (packed, length, cells, bytes);
    }
  g_assert_cmpuint (whole, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/packed/round-trip", test_round_trip);
  g_test_add_func ("/packed/small", test_small);
  g_test_add_func ("/packed/hostile", test_hostile);

  return g_test_run ();
}
