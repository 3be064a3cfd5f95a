/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-capture.c - reads corrupt captures
 *
 *   fuzz-capture [--seconds S] [--count N] [--seed S]
 *
 * A mutant is a pcap or pcapng file with a few words changed, blocks repeated, or the end cut off;
 * half of them are compressed, and then changed again. A mutant may be refused or read in part,
 * but each result must be consistent: its times are possible, and it has a reason for missing
 * packets. Built with sanitizers if the library is.
 */
/* Promise: no capture harms its reader */
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/capture/gilk-capture.h"
#include "tests/fuzz/fuzz-turns.h"
#include "tests/unit/packing.h"

enum { PACKETS = 12 };

typedef struct {
  guint64 random, taken;
  char   *path;
} Fuzz;

static guint32
draw_below (Fuzz *fuzz, guint32 below)
{
  return fuzz_draw (&fuzz->random, below);
}

static void
put_words (GByteArray *bytes, const guint32 *words, guint n)
{
  g_byte_array_append (bytes, (const guint8 *) words, n * (guint) sizeof *words);
}

static void
put_contents (GByteArray *bytes)
{
  static const guint8 packet[56] = { [12] = 0x08, [14] = 0x45, [23] = 6, [37] = 80 };

  g_byte_array_append (bytes, packet, sizeof packet);
}

static GByteArray *
make_pcap (Fuzz *fuzz)
{
  const guint32 head[] = { draw_below (fuzz, 2) ? 0xa1b2c3d4 : 0xa1b23c4d, 4u << 16 | 2, 0, 0, 65535, 1 };
  GByteArray *bytes = g_byte_array_new ();

  put_words (bytes, head, G_N_ELEMENTS (head));
  for (guint i = 0; i < PACKETS; i++)
    {
      put_words (bytes, (const guint32[]) { 1700000000 + i, i, 56, 56 }, 4);
      put_contents (bytes);
    }

  return bytes;
}

/* Adds a block. With @swapped, reverses the bytes of each 32-bit word, even in packets and options,
 * whose contents then are arbitrary. */
static void
put_block (GByteArray *bytes, gboolean swapped, guint32 type, const guint32 *words, guint n, gboolean has_contents)
{
  const guint begin = bytes->len, length = 12 + 4 * n + (has_contents ? 56 : 0);

  put_words (bytes, (const guint32[]) { type, length }, 2);
  put_words (bytes, words, n);
  if (has_contents)
    put_contents (bytes);
  put_words (bytes, &length, 1);
  for (guint at = begin; swapped && at < bytes->len; at += 4)
    {
      guint32 word;

      memcpy (&word, bytes->data + at, sizeof word);
      word = GUINT32_SWAP_LE_BE (word);
      memcpy (bytes->data + at, &word, sizeof word);
    }
}

static void
put_interface (Fuzz *fuzz, GByteArray *bytes, gboolean swapped)
{
  static const guint32 links[] = { 1, 101, 113, 189, 228, 276, 0xffff };
  const guint32 link = links[draw_below (fuzz, G_N_ELEMENTS (links))], resolution = draw_below (fuzz, 256);
  /* put_block() reverses the bytes of whole words. So if the byte order is swapped, the 16-bit
   * halves of a word must be exchanged here. */
  const guint32 words[] = {
    swapped ? link << 16 : link, draw_below (fuzz, 3) * 40,
    swapped ? 9u << 16 | 1 : 1u << 16 | 9, swapped ? resolution << 24 : resolution,
    swapped ? 14u << 16 | 8 : 8u << 16 | 14, draw_below (fuzz, 2), draw_below (fuzz, 2), 0,
  };

  put_block (bytes, swapped, 1, words, draw_below (fuzz, 2) ? 2 : G_N_ELEMENTS (words), FALSE);
}

static void
put_ng_packet (Fuzz *fuzz, GByteArray *bytes, gboolean swapped)
{
  const guint32 words[] = { draw_below (fuzz, 2), draw_below (fuzz, 0x70000), draw_below (fuzz, 0xffffffff), 56, 56 };

  switch (draw_below (fuzz, 5))
    {
    case 0: put_block (bytes, swapped, 2, words, G_N_ELEMENTS (words), TRUE); break;
    case 1: put_block (bytes, swapped, 3, &words[3], 1, TRUE); break;
    case 2: put_block (bytes, swapped, 5, words, 3, FALSE); break;
    default: put_block (bytes, swapped, 6, words, G_N_ELEMENTS (words), TRUE); break;
    }
}

static GByteArray *
make_pcapng (Fuzz *fuzz)
{
  GByteArray *bytes = g_byte_array_new ();

  for (guint sections = 1 + draw_below (fuzz, 3); sections > 0; sections--)
    {
      const gboolean swapped = draw_below (fuzz, 2) == 0;
      const guint32 head[] = { 0x1a2b3c4d, swapped ? 1u << 16 : 1, 0xffffffff, 0xffffffff };

      put_block (bytes, swapped, 0x0a0d0d0a, head, G_N_ELEMENTS (head), FALSE);
      put_interface (fuzz, bytes, swapped);
      for (guint i = 0; i < PACKETS; i++)
        {
          if (draw_below (fuzz, 4) == 0)
            put_interface (fuzz, bytes, swapped);
          put_ng_packet (fuzz, bytes, swapped);
        }
    }

  return bytes;
}

static void
change_bytes (Fuzz *fuzz, GByteArray *bytes)
{
  static const guint32 words[] = { 0, 1, 8, 12, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff, 0x0a0d0d0a };

  for (guint n = draw_below (fuzz, 4); n > 0; n--)
    {
      const guint at = draw_below (fuzz, bytes->len / 4) * 4;
      guint32 word = words[draw_below (fuzz, G_N_ELEMENTS (words))];

      switch (draw_below (fuzz, 3))
        {
        case 0: bytes->data[at] = (guint8) draw_below (fuzz, 256); break;
        case 1: memcpy (bytes->data + at, bytes->data + draw_below (fuzz, bytes->len / 4) * 4, sizeof word); break;
        default: memcpy (bytes->data + at, &word, sizeof word); break;
        }
    }
  if (draw_below (fuzz, 10) == 0)
    g_byte_array_set_size (bytes, 8 + draw_below (fuzz, bytes->len - 8));
}

static void
write_mutant (Fuzz *fuzz)
{
  g_autoptr(GByteArray) bytes = draw_below (fuzz, 4) == 0 ? make_pcap (fuzz) : make_pcapng (fuzz), packed = NULL;
  const guint packing = draw_below (fuzz, 2 * G_N_ELEMENTS (packings));
  FILE *file;

  change_bytes (fuzz, bytes);
  if (packing < G_N_ELEMENTS (packings))
    {
      packed = packings[packing].pack (bytes);
      change_bytes (fuzz, packed);
      g_clear_pointer (&bytes, g_byte_array_unref);
      bytes = g_steal_pointer (&packed);
    }
  g_unlink (fuzz->path);
  file = fopen (fuzz->path, "wb");
  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (bytes->data, 1, bytes->len, file), ==, bytes->len);
  fclose (file);
}

static void
read_mutant (Fuzz *fuzz, const char *filter)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkCapture) capture = gilk_capture_read (fuzz->path, filter, NULL, &error);

  g_assert_true ((capture == NULL) == (error != NULL));
  if (capture == NULL)
    {
      g_assert_true (g_error_matches (error, GILK_ERROR, GILK_ERROR_FORMAT) || g_error_matches (error, GILK_ERROR, GILK_ERROR_USAGE));
      return;
    }
  fuzz->taken++;
  g_assert_true ((capture->unusable > 0) == (capture->unusable_why != NULL));
  g_assert_true (filter != NULL || capture->skipped == 0);
  for (gsize i = 0; i < capture->n; i++)
    g_assert_true (capture->unix_ns[i] >= 0 && capture->unix_ns[i] < G_GINT64_CONSTANT (4294967296000000000));
}

int
main (int argc, char **argv)
{
  Fuzz fuzz = { .path = g_strdup_printf ("%s/gilk-fuzz-capture.%d", g_get_tmp_dir (), getpid ()) };
  FuzzTurns turns = fuzz_turns_begin (argc, argv, &fuzz.random);

  while (fuzz_turns_next (&turns))
    {
      write_mutant (&fuzz);
      read_mutant (&fuzz, NULL);
      read_mutant (&fuzz, "tcp port 80");
    }
  g_remove (fuzz.path);
  printf ("ok 1 - %" G_GUINT64_FORMAT " spoilt captures, %" G_GUINT64_FORMAT " readings accepted\n1..1\n", turns.done, fuzz.taken);
  g_free (fuzz.path);

  return 0;
}
