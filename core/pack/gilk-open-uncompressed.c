/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-open-uncompressed.c - reads files that may be compressed: gzip with GIO, zstd with libzstd
 */
#include "core/pack/gilk-open-uncompressed.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <stdint.h>
#include <string.h>
#include <zstd.h>

#include "core/base/gilk-error.h"

enum { PIECE = 1 << 16 };

typedef struct {
  FILE        *file;
  GConverter  *gzip;               /* NULL: the file is zstd */
  ZSTD_DCtx   *zstd;
  uint8_t      packed[PIECE];
  gsize        begin, end;         /* range of @packed not yet decompressed */
  gboolean     whole;              /* the end of the compressed stream was reached */
} Packed;

/* Decompresses gzip. Returns the number of bytes written to @out; 0: more input is needed; -1: the
 * file is damaged */
static gssize
unpack_gzip (Packed *packed, char *out, gsize size, gboolean at_end)
{
  g_autoptr(GError) error = NULL;
  gsize used = 0, made = 0;
  GConverterResult result = g_converter_convert (packed->gzip, packed->packed + packed->begin, packed->end - packed->begin, out,
                                                 size, at_end ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &used, &made,
                                                 &error);

  packed->begin += used;
  if (result == G_CONVERTER_FINISHED)
    {
      /* Concatenated gzip members are valid: tcpdump and gzip -c >> produce them. */
      g_converter_reset (packed->gzip);
      packed->whole = TRUE;
    }
  else if (made > 0 || used > 0)
    packed->whole = FALSE;
  if (result == G_CONVERTER_ERROR && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
    return -1;

  return (gssize) made;
}

static gssize
unpack_zstd (Packed *packed, char *out, gsize size)
{
  ZSTD_inBuffer in = { packed->packed, packed->end, packed->begin };
  ZSTD_outBuffer made = { out, size, 0 };
  size_t left = ZSTD_decompressStream (packed->zstd, &made, &in);

  packed->begin = in.pos;
  packed->whole = left == 0;

  return ZSTD_isError (left) ? -1 : (gssize) made.pos;
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
          at_end = packed->end == 0;
        }
      if (at_end && packed->whole)
        return 0;
      made = packed->gzip != NULL ? unpack_gzip (packed, out, size, at_end) : unpack_zstd (packed, out, size);
      if (made > 0)
        return made;
      if (made < 0 || at_end)
        {
          errno = EIO;
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
  g_free (packed);

  return 0;
}

FILE *
gilk_open_uncompressed (FILE       *file,
                        const char *path,
                        GError    **error)
{
  static const cookie_io_functions_t functions = { .read = read_packed, .close = close_packed };
  static const uint8_t gzip[] = { 0x1f, 0x8b }, zstd[] = { 0x28, 0xb5, 0x2f, 0xfd }, xz[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
  uint8_t magic[6] = { 0 };
  const size_t got = fread (magic, 1, sizeof magic, file);
  Packed *packed;

  rewind (file);
  if (got == sizeof magic && memcmp (magic, xz, sizeof xz) == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("%s is compressed with xz. Decompress it with “xz -dk FILE”, and name the resulting file."), path);
      fclose (file);
      return NULL;
    }
  if (memcmp (magic, gzip, sizeof gzip) != 0 && memcmp (magic, zstd, sizeof zstd) != 0)
    return file;

  packed = g_new0 (Packed, 1);
  packed->file = file;
  if (magic[0] == gzip[0])
    packed->gzip = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  else
    packed->zstd = ZSTD_createDCtx ();

  return fopencookie (packed, "rb", functions);
}
