/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-capture.c - reads captures: both byte orders and resolutions, several interfaces, files of
 * other programs, compressed files, corrupt files
 */
#include "core/capture/gilk-capture.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "tests/unit/packing.h"

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

/* Appends a TCP packet to @port. It contains only the bytes that a filter reads. */
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

/* Creates a new file each time, because ext4 syncs a file that is truncated and rewritten, and
 * 4,000 syncs would be slow. */
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

/* ---- tests of compressed captures ---- */

/* Tests reading compressed captures: whole, in concatenated pieces, and truncated. */
static void
test_packed (void)
{
  g_autoptr(GByteArray) plain = begin_file (NANO, FALSE);
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < 20000; i++)
    put_packet (plain, FALSE, 1000 + i / 1000, i % 1000 * 1000, 80);
  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    {
      g_autoptr(GByteArray) head = g_byte_array_new (), tail = g_byte_array_new (), packed = NULL, behind = NULL;
      g_autoptr(GilkCapture) whole = NULL, cut = NULL;

      g_byte_array_append (head, plain->data, 70001);
      g_byte_array_append (tail, plain->data + 70001, plain->len - 70001);
      packed = packings[i].pack (head);
      behind = packings[i].pack (tail);
      g_byte_array_append (packed, behind->data, behind->len);
      whole = read_bytes (packed, "tcp port 80", &error);
      g_assert_no_error (error);
      g_assert_cmpuint (whole->n, ==, 20000);
      g_assert_null (whole->damage);
      g_byte_array_set_size (packed, packed->len - 200);
      cut = read_bytes (packed, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (cut->damage, ==, "the compressed data are cut off");
      g_assert_cmpuint (cut->n, <, 20000);
    }
}

/* Tests that the reader, like xz, accepts zeros after a stream, and reports any other bytes as
 * damage. */
static void
test_xz (void)
{
  static const guint8 zeros[8];
  g_autoptr(GByteArray) plain = begin_file (NANO, FALSE), packed = NULL;
  g_autoptr(GilkCapture) padded = NULL, followed = NULL;
  g_autoptr(GError) error = NULL;

  put_packet (plain, FALSE, 1, 2, 80);
  packed = pack_xz (plain);
  g_byte_array_append (packed, zeros, sizeof zeros);
  padded = read_bytes (packed, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (padded->n, ==, 1);
  g_assert_null (padded->damage);
  g_byte_array_append (packed, (const guint8 *) "something else", 14);
  followed = read_bytes (packed, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (followed->n, ==, 1);
  g_assert_cmpstr (followed->damage, ==, "the compressed data are damaged");
}

/* Tests reading files of xz that have several blocks, filters for machine code, and each kind of
 * check. */
static void
test_xz_program (void)
{
  static const char *const options[][2] = { { "--block-size=3000", "--check=sha256" }, { "--check=crc32", "--lzma2=dict=1MiB" },
                                            { "--x86", "--lzma2=preset=9e" }, { "--delta=dist=4", "--lzma2=preset=0" },
                                            { "--check=none", "-1" } };
  g_autofree char *program = g_find_program_in_path ("xz");
  g_autoptr(GByteArray) plain = begin_file (NANO, FALSE);

  if (program == NULL)
    {
      g_test_skip ("there is no xz");
      return;
    }
  for (guint i = 0; i < 500; i++)
    put_packet (plain, FALSE, 1000, i, 80);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GSubprocess) xz = NULL;
      g_autoptr(GBytes) out = NULL;
      g_autoptr(GByteArray) packed = g_byte_array_new ();
      g_autoptr(GilkCapture) capture = NULL;

      write_file (plain);
      xz = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "--stdout", options[i][0], options[i][1], path, NULL);
      g_assert_no_error (error);
      g_assert_true (g_subprocess_communicate (xz, NULL, NULL, &out, NULL, &error));
      g_assert_true (g_subprocess_get_successful (xz));
      g_byte_array_append (packed, g_bytes_get_data (out, NULL), (guint) g_bytes_get_size (out));
      capture = read_bytes (packed, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (capture->n, ==, 500);
      g_assert_null (capture->damage);
    }
}

static void
expect_unreadable (const GByteArray *bytes, const char *words)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (read_bytes (bytes, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
  if (strstr (error->message, words) == NULL)
    g_error ("%s, not: %s", error->message, words);
}

/* Tests that damaged bytes are refused, and dictionaries that would take more memory than
 * allowed. */
static void
test_packed_damage (void)
{
  static const guint8 zstd[] = {
    0x28, 0xb5, 0x2f, 0xfd,   /* magic */
    0x00, 0x90,               /* frame header: no content size, window of 256 MiB */
    0x01, 0x00, 0x00,         /* last block, empty */
  };
  lzma_options_lzma options;
  const lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &options }, { LZMA_VLI_UNKNOWN, NULL } };
  g_autoptr(GByteArray) plain = begin_file (NANO, FALSE), large = g_byte_array_new ();
  guint8 room[1000];
  size_t made = 0;

  put_packet (plain, FALSE, 1, 2, 80);
  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    {
      g_autoptr(GByteArray) packed = packings[i].pack (plain);

      memset (packed->data + 6, 0xff, 12);
      expect_unreadable (packed, "the compressed data are damaged");
    }

  g_byte_array_append (large, zstd, sizeof zstd);
  expect_unreadable (large, "more than 128 MiB");
  g_byte_array_set_size (large, 0);
  lzma_lzma_preset (&options, 0);
  options.dict_size = 256 << 20;
  options.mf = LZMA_MF_HC3;
  g_assert_cmpint (lzma_stream_buffer_encode ((lzma_filter *) filters, LZMA_CHECK_CRC32, NULL, plain->data, plain->len, room, &made,
                                              sizeof room), ==, LZMA_OK);
  g_byte_array_append (large, room, (guint) made);
  expect_unreadable (large, "more than 128 MiB");
}

/* ---- pcapng: writing files, and tests of reading them ---- */

enum { SECTION = 0x0a0d0d0a, INTERFACE = 1, OLD_PACKET = 2, SIMPLE_PACKET = 3, NAMES = 4, PACKET = 6 };
enum { ETHERNET = 1, RAW_IP = 101, USB = 189 };

typedef struct {
  GByteArray *bytes;
  gboolean    swapped;
} Pcapng;

static void
put_u32 (Pcapng *file, guint32 value)
{
  append_u32 (file->bytes, value, file->swapped);
}

static void
put_u16 (Pcapng *file, guint16 value)
{
  const guint16 word = file->swapped ? GUINT16_SWAP_LE_BE (value) : value;

  g_byte_array_append (file->bytes, (const guint8 *) &word, sizeof word);
}

/* Returns the offset at which the block begins, for end_block(). */
static guint
begin_block (Pcapng *file, guint32 type)
{
  put_u32 (file, type);
  put_u32 (file, 0);

  return file->bytes->len - 8;
}

static void
end_block (Pcapng *file, guint begin)
{
  guint32 length;

  while (file->bytes->len % 4 != 0)
    g_byte_array_append (file->bytes, (const guint8 *) "", 1);
  length = file->bytes->len - begin + 4;
  put_u32 (file, length);
  memcpy (file->bytes->data + begin + 4, file->bytes->data + file->bytes->len - 4, 4);
}

static void
begin_section (Pcapng *file, gboolean swapped)
{
  guint begin;

  file->swapped = swapped;
  begin = begin_block (file, SECTION);
  put_u32 (file, 0x1a2b3c4d);
  put_u16 (file, 1);
  put_u16 (file, 0);
  put_u32 (file, 0xffffffff);                   /* length of the section in bytes: unknown */
  put_u32 (file, 0xffffffff);
  end_block (file, begin);
}

/* Appends the description of an interface. @resolution and @offset are the values of its options
 * if_tsresol and if_tsoffset; an option whose value is 0 is left out. */
static void
put_interface (Pcapng *file, guint16 link_type, guint32 snapshot, guint8 resolution, guint64 offset)
{
  const guint begin = begin_block (file, INTERFACE);

  put_u16 (file, link_type);
  put_u16 (file, 0);
  put_u32 (file, snapshot);
  put_u16 (file, 2);                            /* if_name */
  put_u16 (file, 3);
  g_byte_array_append (file->bytes, (const guint8 *) "lo0", 4);
  if (resolution != 0)
    {
      put_u16 (file, 9);
      put_u16 (file, 1);
      g_byte_array_append (file->bytes, (const guint8[]) { resolution, 0, 0, 0 }, 4);
    }
  if (offset != 0)
    {
      put_u16 (file, 14);
      put_u16 (file, 8);
      put_u32 (file, file->swapped ? (guint32) (offset >> 32) : (guint32) offset);
      put_u32 (file, file->swapped ? (guint32) offset : (guint32) (offset >> 32));
    }
  put_u16 (file, 0);                            /* end of the list of options */
  put_u16 (file, 0);
  end_block (file, begin);
}

/* Appends a TCP packet to @port, with or without an Ethernet header. */
static void
put_contents (Pcapng *file, guint16 link_type, guint16 port)
{
  guint8 packet[54] = { [12] = 0x08, [14] = 0x45, [23] = 6, [36] = (guint8) (port >> 8), [37] = (guint8) port };
  const guint skip = link_type == RAW_IP ? 14 : 0;

  g_byte_array_append (file->bytes, packet + skip, sizeof packet - skip);
}

static void
put_ng (Pcapng *file, guint32 interface, guint16 link_type, guint64 ticks, guint16 port)
{
  const guint begin = begin_block (file, PACKET);
  const guint32 length = link_type == RAW_IP ? 40 : 54;

  put_u32 (file, interface);
  put_u32 (file, (guint32) (ticks >> 32));
  put_u32 (file, (guint32) ticks);
  put_u32 (file, length);
  put_u32 (file, length);
  put_contents (file, link_type, port);
  end_block (file, begin);
}

/* Tests reading interfaces that differ in every property, each described just before its first
 * packet, in sections of both byte orders; interface numbers start at 0 in each section. */
static void
test_interfaces (void)
{
  static const gint64 expected[] = { 1700000000000001000, 1700000000000002001, 1700000000500000000, 1700000001250000000,
                                     1700000002000000000, 1700000003000004000 };
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(GilkCapture) capture = NULL;
  g_autoptr(GError) error = NULL;
  Pcapng file = { bytes, FALSE };
  guint begin;

  begin_section (&file, FALSE);
  put_interface (&file, ETHERNET, 65535, 0, 0);
  put_ng (&file, 0, ETHERNET, 1700000000000001, 80);
  put_ng (&file, 0, ETHERNET, 1700000000000002, 22);
  put_interface (&file, RAW_IP, 96, 9, 0);                                  /* nanoseconds */
  put_ng (&file, 1, RAW_IP, 1700000000000002001, 80);
  /* if_tsresol: units of half a second; if_tsoffset: counted from 1700000000 s */
  put_interface (&file, ETHERNET, 0, 0x81, 1700000000);
  put_ng (&file, 2, ETHERNET, 1, 80);
  begin = begin_block (&file, NAMES);
  put_u32 (&file, 0);
  end_block (&file, begin);
  begin_section (&file, TRUE);
  /* if_tsresol: units of 1/1024 s; if_tsoffset: ten seconds earlier */
  put_interface (&file, RAW_IP, 65535, 0x8a, (guint64) -10);
  put_ng (&file, 0, RAW_IP, (G_GUINT64_CONSTANT (1700000011) << 10) + 256, 80);
  put_ng (&file, 0, RAW_IP, G_GUINT64_CONSTANT (1700000012) << 10, 80);
  begin_section (&file, FALSE);
  put_interface (&file, ETHERNET, 65535, 0, 0);
  put_ng (&file, 0, ETHERNET, 1700000003000004, 80);

  capture = read_bytes (bytes, "tcp port 80", &error);
  g_assert_no_error (error);
  g_assert_null (capture->damage);
  g_assert_null (capture->unusable_why);
  g_assert_cmpuint (capture->skipped, ==, 1);
  g_assert_cmpuint (capture->n, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpint (capture->unix_ns[i], ==, expected[i]);
  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    {
      g_autoptr(GByteArray) small = packings[i].pack (bytes);
      g_autoptr(GilkCapture) same = read_bytes (small, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (same->n, ==, 1 + G_N_ELEMENTS (expected));
      g_assert_null (same->damage);
    }
}

/* Tests that packets that cannot be compared with samples are not an error, but are counted with a
 * reason. */
static void
test_unusable (void)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(GilkCapture) capture = NULL, all = NULL;
  g_autoptr(GError) error = NULL;
  Pcapng file = { bytes, FALSE };
  guint begin;

  begin_section (&file, FALSE);
  put_interface (&file, USB, 65535, 0, 0);
  put_ng (&file, 0, ETHERNET, 1000000, 80);
  put_ng (&file, 0, ETHERNET, 1000001, 80);
  g_assert_null (read_bytes (bytes, "tcp port 80", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);

  put_interface (&file, ETHERNET, 65535, 0, 0);
  put_ng (&file, 1, ETHERNET, 1000002, 80);
  begin_section (&file, FALSE);
  put_interface (&file, ETHERNET, 64, 0, 0);
  begin = begin_block (&file, SIMPLE_PACKET);
  put_u32 (&file, 54);
  put_contents (&file, ETHERNET, 80);
  end_block (&file, begin);
  begin = begin_block (&file, OLD_PACKET);
  put_u16 (&file, 0);
  put_u16 (&file, 7);                           /* number of dropped packets */
  put_u32 (&file, 0);
  put_u32 (&file, 1000003);
  put_u32 (&file, 54);
  put_u32 (&file, 54);
  put_contents (&file, ETHERNET, 80);
  end_block (&file, begin);
  capture = read_bytes (bytes, "tcp port 80", &error);
  g_assert_no_error (error);
  g_assert_null (capture->damage);
  g_assert_cmpuint (capture->n, ==, 2);
  g_assert_cmpint (capture->unix_ns[1], ==, 1000003000);
  g_assert_cmpuint (capture->unusable, ==, 3);
  g_assert_true (g_str_has_prefix (capture->unusable_why, "2 packets of link type USB_LINUX, to which the filter cannot be applied ("));
  g_assert_true (g_str_has_suffix (capture->unusable_why, "), 1 without a time"));
  g_assert_cmpuint (capture->skipped, ==, 0);

  all = read_bytes (bytes, NULL, &error);       /* without a filter, any link type is accepted */
  g_assert_no_error (error);
  g_assert_cmpuint (all->n, ==, 4);
  g_assert_null (read_bytes (bytes, "tcp prot 80", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
}

/* Tests that if one word of a valid file is corrupted, reading stops there and reports a reason. */
static void
test_pcapng_damage (void)
{
  static const struct { guint at; guint32 word; const char *damage; } changes[] = {
    { 8, 0x12345678, "a section header has no valid byte-order mark" },
    { 12, 2, "a section has an unknown version of the format" },
    { 28 + 4, 10, "a pcapng block has an impossible length" },
    { 28 + 4, 13, "a pcapng block has an impossible length" },
    { 28 + 16, 0x00ff0002, "a pcapng block is shorter than its contents" },
    { 28 + 28, 20, "an interface has an impossible clock resolution" },
    { 28 + 28, 0xc0, "an interface has an impossible clock resolution" },
    { 68 + 8, 1, "a packet belongs to an interface that the file does not describe" },
    { 68 + 20, 5000, "a pcapng block is shorter than its contents" },
    { 68 + 84, 0, "the two length fields of a pcapng block differ" },
  };
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(GilkCapture) cut = NULL;
  g_autoptr(GError) error = NULL;
  Pcapng file = { bytes, FALSE };

  begin_section (&file, FALSE);
  put_interface (&file, ETHERNET, 65535, 6, 0);
  g_assert_cmpuint (bytes->len, ==, 68);
  put_ng (&file, 0, ETHERNET, 1000000, 80);
  g_assert_cmpuint (bytes->len, ==, 68 + 88);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr(GByteArray) changed = g_byte_array_new ();

      g_byte_array_append (changed, bytes->data, bytes->len);
      memcpy (changed->data + changes[i].at, &changes[i].word, sizeof changes[i].word);
      expect_unreadable (changed, changes[i].damage);
    }
  put_ng (&file, 0, ETHERNET, 1000001, 80);
  g_byte_array_set_size (bytes, bytes->len - 5);
  cut = read_bytes (bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cut->n, ==, 1);
  g_assert_cmpstr (cut->damage, ==, "the file ends within a pcapng block");
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, (const guint8 *) "\nnot a capture, but a text\n", 27);
  expect_unreadable (bytes, "the file does not start with a section header");
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

/* Tests that packets before the damage are kept, and the damage is reported. */
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

/* Tests that random bytes do not cause an overflow in time arithmetic. */
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
  g_test_add_func ("/capture/xz", test_xz);
  g_test_add_func ("/capture/xz-program", test_xz_program);
  g_test_add_func ("/capture/packed-damage", test_packed_damage);
  g_test_add_func ("/capture/interfaces", test_interfaces);
  g_test_add_func ("/capture/unusable", test_unusable);
  g_test_add_func ("/capture/pcapng-damage", test_pcapng_damage);
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
