/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-capture.c - reads captures in both byte orders and resolutions, by other programs, and
 * corrupt ones
 */
#include "core/store/gilk-capture.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "core/base/gilk-error.h"

#define MICRO 0xa1b2c3d4u
#define NANO  0xa1b23c4du

static char *folder, *path;

static void
append_u32 (GByteArray *bytes, guint32 value, gboolean swapped)
{
  guint32 word = swapped ? GUINT32_SWAP_LE_BE (value) : value;

  g_byte_array_append (bytes, (const guint8 *) &word, sizeof word);
}

static GByteArray *
begin_file (guint32 magic, gboolean swapped)
{
  GByteArray *bytes = g_byte_array_new ();
  const guint16 versions[] = { 2, 4 };

  append_u32 (bytes, magic, swapped);
  for (guint i = 0; i < 2; i++)
    {
      guint16 version = swapped ? GUINT16_SWAP_LE_BE (versions[i]) : versions[i];

      g_byte_array_append (bytes, (const guint8 *) &version, sizeof version);
    }
  append_u32 (bytes, 0, swapped);
  append_u32 (bytes, 0, swapped);
  append_u32 (bytes, 65535, swapped);
  append_u32 (bytes, 1, swapped);               /* link type: Ethernet */

  return bytes;
}

/* Appends a TCP packet to @port, with as many bytes as a filter reads. */
static void
put_packet (GByteArray *bytes, gboolean swapped, guint32 seconds, guint32 fraction, guint16 port)
{
  guint8 packet[54] = { 0 };

  packet[12] = 0x08;
  packet[14] = 0x45;
  packet[23] = 6;
  packet[36] = (guint8) (port >> 8);
  packet[37] = (guint8) port;
  append_u32 (bytes, seconds, swapped);
  append_u32 (bytes, fraction, swapped);
  append_u32 (bytes, sizeof packet, swapped);
  append_u32 (bytes, sizeof packet, swapped);
  g_byte_array_append (bytes, packet, sizeof packet);
}

/* Creates a new file each time: because ext4 syncs a file that is truncated and rewritten, which
 * would be slow 4,000 times. */
static void
write_file (const GByteArray *bytes)
{
  int fd;

  g_unlink (path);
  fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes->data, bytes->len), ==, bytes->len);
  close (fd);
}

static GilkCapture *
read_bytes (const GByteArray *bytes, const char *filter, GError **error)
{
  write_file (bytes);

  return gilk_capture_read (path, filter, NULL, error);
}

/* ---- compressed ---- */

static GByteArray *
pack_gzip (const GByteArray *bytes)
{
  g_autoptr(GConverter) gzip = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9));
  GByteArray *packed = g_byte_array_new ();
  gsize used, made;

  g_byte_array_set_size (packed, bytes->len + 1000);
  g_assert_cmpint (g_converter_convert (gzip, bytes->data, bytes->len, packed->data, packed->len, G_CONVERTER_INPUT_AT_END, &used,
                                        &made, NULL), ==, G_CONVERTER_FINISHED);
  g_byte_array_set_size (packed, (guint) made);

  return packed;
}

static GByteArray *
pack_zstd (const GByteArray *bytes)
{
  GByteArray *packed = g_byte_array_new ();

  g_byte_array_set_size (packed, (guint) ZSTD_compressBound (bytes->len));
  g_byte_array_set_size (packed, (guint) ZSTD_compress (packed->data, packed->len, bytes->data, bytes->len, 3));

  return packed;
}

/* Captures compressed like rotated ones: whole, in concatenated pieces, and truncated. */
static void
test_packed (void)
{
  GByteArray *(*const packs[]) (const GByteArray *) = { pack_gzip, pack_zstd };
  static const guint8 xz[] = { 0xfd, '7', 'z', 'X', 'Z', 0, 0, 4 };
  g_autoptr(GByteArray) plain = begin_file (NANO, FALSE), other = g_byte_array_new ();
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < 20000; i++)
    put_packet (plain, FALSE, 1000 + i / 1000, i % 1000 * 1000, 80);
  for (guint i = 0; i < G_N_ELEMENTS (packs); i++)
    {
      g_autoptr(GByteArray) head = g_byte_array_new (), tail = g_byte_array_new (), packed = NULL, behind = NULL;
      g_autoptr(GilkCapture) whole = NULL, cut = NULL;

      g_byte_array_append (head, plain->data, 70001);
      g_byte_array_append (tail, plain->data + 70001, plain->len - 70001);
      packed = packs[i] (head);
      behind = packs[i] (tail);
      g_byte_array_append (packed, behind->data, behind->len);
      whole = read_bytes (packed, "tcp port 80", &error);
      g_assert_no_error (error);
      g_assert_cmpuint (whole->n, ==, 20000);
      g_assert_null (whole->damage);
      g_byte_array_set_size (packed, packed->len - 200);
      cut = read_bytes (packed, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (cut->damage);
      g_assert_cmpuint (cut->n, <, 20000);
    }
  g_byte_array_append (other, xz, sizeof xz);
  g_assert_null (read_bytes (other, NULL, &error));
  g_assert_nonnull (strstr (error->message, "xz -dk"));
}

static void
put_block (GByteArray *bytes, guint32 type, const guint32 *words, guint n)
{
  const guint32 length = 12 + 4 * n;

  append_u32 (bytes, type, FALSE);
  append_u32 (bytes, length, FALSE);
  for (guint i = 0; i < n; i++)
    append_u32 (bytes, words[i], FALSE);
  append_u32 (bytes, length, FALSE);
}

/* libpcap reads one type of interface: other types are not reported as damage, and capturing again
 * would not help. */
static void
test_interfaces (void)
{
  const guint32 section[] = { 0x1a2b3c4d, 1, 0xffffffff, 0xffffffff }, ethernet[] = { 1, 65535 }, raw[] = { 101, 65535 };
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(GError) error = NULL;

  put_block (bytes, 0x0a0d0d0a, section, G_N_ELEMENTS (section));
  put_block (bytes, 1, ethernet, G_N_ELEMENTS (ethernet));
  put_block (bytes, 1, raw, G_N_ELEMENTS (raw));
  g_assert_null (read_bytes (bytes, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "several interfaces"));
  g_assert_nonnull (strstr (error->message, "frame.interface_id"));
}

static void
test_orders (void)
{
  for (guint i = 0; i < 4; i++)
    {
      gboolean swapped = i % 2, nano = i / 2;
      g_autoptr(GByteArray) bytes = begin_file (nano ? NANO : MICRO, swapped);
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkCapture) capture = NULL;
      gint64 unit = nano ? 1 : 1000;

      put_packet (bytes, swapped, 1700000000, 120, 80);
      put_packet (bytes, swapped, 1700000000, 180, 80);
      put_packet (bytes, swapped, 1700000000, 150, 80);
      put_packet (bytes, swapped, 1700000000, 150, 80);
      capture = read_bytes (bytes, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (capture->n, ==, 4);
      g_assert_cmpint (capture->unix_ns[1], ==, G_GINT64_CONSTANT (1700000000000000000) + 180 * unit);
      g_assert_cmpuint (capture->backwards, ==, 1);
      g_assert_cmpuint (capture->same, ==, 1);
      g_assert_cmpint (capture->resolution_ns, ==, 30 * unit);
      g_assert_null (capture->damage);
    }
}

static void
test_filter (void)
{
  g_autoptr(GByteArray) bytes = begin_file (NANO, FALSE);
  g_autoptr(GilkCapture) capture = NULL, all = NULL;
  g_autoptr(GError) error = NULL;

  for (guint16 i = 0; i < 10; i++)
    put_packet (bytes, FALSE, 1700000000, i, i < 3 ? 80 : 443);
  capture = read_bytes (bytes, "tcp port 80", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (capture->n, ==, 3);
  g_assert_cmpuint (capture->skipped, ==, 7);
  g_assert_null (gilk_capture_read (path, "tcp prot 80", NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
}

/* Packets in front of the damage are kept, and the damage is reported. */
static void
test_damage (void)
{
  g_autoptr(GByteArray) bytes = begin_file (NANO, FALSE);
  g_autoptr(GilkCapture) cut = NULL, mad = NULL, empty = NULL;
  g_autoptr(GError) error = NULL;

  empty = read_bytes (bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (empty->n, ==, 0);
  put_packet (bytes, FALSE, 1700000000, 5, 80);
  put_packet (bytes, FALSE, 1700000000, 6, 80);
  g_byte_array_set_size (bytes, bytes->len - 1);
  cut = read_bytes (bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cut->n, ==, 1);
  g_assert_nonnull (cut->damage);

  g_byte_array_set_size (bytes, 24);
  put_packet (bytes, FALSE, 1700000000, 5, 80);
  put_packet (bytes, FALSE, 1700000000, 2000000000, 80);
  put_packet (bytes, FALSE, 1700000000, 6, 80);
  mad = read_bytes (bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mad->n, ==, 1);
  g_assert_nonnull (mad->damage);

  g_byte_array_set_size (bytes, 24 + 20);
  g_assert_null (read_bytes (bytes, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
}

static void
expect_error (const char *where, int code)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (gilk_capture_read (where, NULL, NULL, &error));
  g_assert_error (error, GILK_ERROR, code);
}

static void
test_strangers (void)
{
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
  g_autofree char *none = g_build_filename (folder, "none", NULL);
  g_autoptr(GByteArray) bytes = g_byte_array_new ();

  write_file (bytes);
  expect_error (path, GILK_ERROR_FORMAT);
  g_byte_array_append (bytes, (const guint8 *) "SQLite format 3 and more of it", 30);
  write_file (bytes);
  expect_error (path, GILK_ERROR_FORMAT);
  expect_error (none, GILK_ERROR_NOT_FOUND);
  expect_error (folder, GILK_ERROR_USAGE);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  expect_error (pipe, GILK_ERROR_USAGE);
  unlink (pipe);
}

/* Random bytes do not cause an overflow in time arithmetic. */
static void
test_spoilt (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (8);

  for (guint round = 0; round < 4000; round++)
    {
      g_autoptr(GByteArray) bytes = begin_file (round % 2 ? NANO : MICRO, FALSE);
      g_autoptr(GilkCapture) capture = NULL;

      for (guint32 i = 0; i < 20; i++)
        put_packet (bytes, FALSE, 1700000000 + i, i, 80);
      for (int i = g_rand_int_range (random, 1, 8); i > 0; i--)
        bytes->data[g_rand_int_range (random, 0, (int) bytes->len)] = (guint8) g_rand_int (random);
      if (g_rand_boolean (random))
        g_byte_array_set_size (bytes, (guint) g_rand_int_range (random, 0, (int) bytes->len));
      capture = read_bytes (bytes, round % 3 == 0 ? "tcp port 80" : NULL, NULL);
      for (gsize i = 0; capture != NULL && i < capture->n; i++)
        g_assert_true (capture->unix_ns[i] >= 0 && capture->unix_ns[i] < G_GINT64_CONSTANT (4400000000000000000));
    }
}

static void
test_cancelled (void)
{
  g_autoptr(GByteArray) bytes = begin_file (NANO, FALSE);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;

  put_packet (bytes, FALSE, 1, 2, 3);
  write_file (bytes);
  g_cancellable_cancel (cancellable);
  g_assert_null (gilk_capture_read (path, NULL, cancellable, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("gilk-capture-XXXXXX", NULL);
  path = g_build_filename (folder, "c.pcap", NULL);
  g_test_add_func ("/capture/packed", test_packed);
  g_test_add_func ("/capture/interfaces", test_interfaces);
  g_test_add_func ("/capture/orders", test_orders);
  g_test_add_func ("/capture/filter", test_filter);
  g_test_add_func ("/capture/damage", test_damage);
  g_test_add_func ("/capture/strangers", test_strangers);
  g_test_add_func ("/capture/spoilt", test_spoilt);
  g_test_add_func ("/capture/cancelled", test_cancelled);
  status = g_test_run ();
  unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);

  return status;
}
