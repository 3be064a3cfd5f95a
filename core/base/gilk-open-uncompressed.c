/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-open-uncompressed.c - reads a file that may be compressed, using the library for its format
 *
 * Each format has a magic number and a function that decompresses one piece of input; all other
 * code is shared by the formats.
 */
#include "core/base/gilk-open-uncompressed.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <lzma.h>
#include <stdint.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* MEMORY_MAX: libzstd limits a window to 128 MiB by default; the xz decoder needs a little more. */
enum { PIECE = 1 << 16, MAGIC_BYTES = 5, MEMORY_MAX = (128 + 1) << 20 };
/* Faults of compressed data, as values of errno. */
enum { DAMAGED = EBADMSG, CUT_OFF = ENODATA, TOO_LARGE = EFBIG };

typedef struct _Packed Packed;

typedef struct {
  const char *magic;
  /* Returns the number of bytes put into @out; 0: more input is needed; -1 on error, which sets
   * errno */
  gssize    (*unpack) (Packed *packed, char *out, gsize size, gboolean at_end);
} Format;

struct _Packed {
  FILE         *file;
  const Format *format;
  GConverter   *gzip;
  ZSTD_DCtx    *zstd;
  lzma_stream   xz;
  uint8_t       packed[PIECE];
  gsize         begin, end;        /* range of @packed not yet decompressed */
  gboolean      whole;             /* the compressed stream reached its end */
};

/* Decompresses gzip. Like the other formats, it allows concatenated streams: programs such as
 * tcpdump, and gzip -c >>, append streams to a file. */
static gssize
unpack_gzip (Packed *packed, char *out, gsize size, gboolean at_end)
{
  g_autoptr(GError) error = NULL;
  gsize used = 0, made = 0;
  GConverterResult result;

  if (packed->gzip == NULL)
    packed->gzip = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  result = g_converter_convert (packed->gzip, packed->packed + packed->begin, packed->end - packed->begin, out, size,
                                at_end ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &used, &made, &error);
  packed->begin += used;
  if (result == G_CONVERTER_FINISHED)
    {
      g_converter_reset (packed->gzip);
      packed->whole = TRUE;
    }
  else if (made > 0 || used > 0)
    packed->whole = FALSE;
  if (result == G_CONVERTER_ERROR && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
    {
      errno = DAMAGED;
      return -1;
    }

  return (gssize) made;
}

static gssize
unpack_zstd (Packed *packed, char *out, gsize size, gboolean at_end)
{
  ZSTD_inBuffer in = { packed->packed, packed->end, packed->begin };
  ZSTD_outBuffer made = { out, size, 0 };
  size_t left;

  if (packed->zstd == NULL && (packed->zstd = ZSTD_createDCtx ()) == NULL)
    g_error ("out of memory");
  left = ZSTD_decompressStream (packed->zstd, &made, &in);
  packed->begin = in.pos;
  packed->whole = left == 0;
  if (ZSTD_isError (left))
    {
      errno = ZSTD_getErrorCode (left) == ZSTD_error_frameParameter_windowTooLarge ? TOO_LARGE : DAMAGED;
      return -1;
    }

  return (gssize) made.pos;
}

static gssize
unpack_xz (Packed *packed, char *out, gsize size, gboolean at_end)
{
  lzma_stream *xz = &packed->xz;
  lzma_ret result;

  if (xz->internal == NULL && lzma_stream_decoder (xz, MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK)
    g_error ("out of memory");
  xz->next_in = packed->packed + packed->begin;
  xz->avail_in = packed->end - packed->begin;
  xz->next_out = (uint8_t *) out;
  xz->avail_out = size;
  result = lzma_code (xz, at_end ? LZMA_FINISH : LZMA_RUN);
  packed->begin = packed->end - xz->avail_in;
  packed->whole = result == LZMA_STREAM_END;
  if (result != LZMA_OK && result != LZMA_STREAM_END && result != LZMA_BUF_ERROR && xz->avail_out == size)
    {
      errno = result == LZMA_MEMLIMIT_ERROR ? TOO_LARGE : DAMAGED;
      return -1;
    }

  return (gssize) (size - xz->avail_out);
}

static ssize_t
read_packed (void *cookie, char *out, size_t size)
{
  Packed *packed = cookie;

  for (;;)
    {
      gboolean at_end = FALSE;
      gssize made;

      if (packed->begin == packed->end)
        {
          packed->begin = 0;
          packed->end = fread (packed->packed, 1, sizeof packed->packed, packed->file);
          if (ferror (packed->file))
            return -1;
          at_end = packed->end == 0;
        }
      if (at_end && packed->whole)
        return 0;
      made = packed->format->unpack (packed, out, size, at_end);
      if (made != 0)
        return made;
      if (at_end && !packed->whole)
        {
          errno = CUT_OFF;
          return -1;
        }
    }
}

static int
close_packed (void *cookie)
{
  Packed *packed = cookie;

  fclose (packed->file);
  g_clear_object (&packed->gzip);
  ZSTD_freeDCtx (packed->zstd);
  lzma_end (&packed->xz);
  g_free (packed);

  return 0;
}

static const Format *
find_format (FILE *file)
{
  static const Format formats[] = {
    { "\x1f\x8b", unpack_gzip }, { "\x28\xb5\x2f\xfd", unpack_zstd }, { "\xfd" "7zXZ", unpack_xz },
  };
  char magic[MAGIC_BYTES];

  if (fread (magic, 1, sizeof magic, file) < sizeof magic)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (memcmp (magic, formats[i].magic, strlen (formats[i].magic)) == 0)
      return &formats[i];

  return NULL;
}

FILE *
gilk_open_uncompressed (FILE *file)
{
  static const cookie_io_functions_t functions = { .read = read_packed, .close = close_packed };
  const Format *format = find_format (file);
  Packed *packed;

  rewind (file);
  if (format == NULL)
    return file;
  packed = g_new0 (Packed, 1);
  packed->file = file;
  packed->format = format;

  return fopencookie (packed, "rb", functions);
}

const char *
gilk_uncompressed_fault (int code)
{
  switch (code)
    {
    case DAMAGED:
      return _("the compressed data are damaged");
    case CUT_OFF:
      return _("the compressed data are cut off");
    case TOO_LARGE:
      return _("decompressing it takes more than 128 MiB of memory");
    default:
      return NULL;
    }
}
