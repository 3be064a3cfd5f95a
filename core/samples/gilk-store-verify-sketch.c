/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-verify-sketch.c - checks that chunks' sketches match their samples
 */
#include "core/samples/gilk-samples-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/pack/gilk-column.h"

#define BATCH            1024
#define COLUMN_BYTES_MAX (32 << 20)

enum { ID, CODEC, DATA, SKETCH, N, TYPE };      /* columns of the statement */

typedef struct {
  GilkStore  *store;
  GilkCodec  *codec;
  GilkSketch *kept, *made;
  gint64     *values;         /* GILK_CHUNK_SAMPLES_MAX elements */
} Check;

static void
check_clear (Check *check)
{
  gilk_codec_free (check->codec);
  gilk_sketch_free (check->kept);
  gilk_sketch_free (check->made);
  g_free (check->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Check, check_clear)

/* Reads the column of @stmt's current row. Returns FALSE if it cannot be read, which another check
 * reports. */
static gboolean
read_values (Check *check, sqlite3_stmt *stmt, guint n)
{
  const uint8_t *bytes = sqlite3_column_blob (stmt, DATA);
  gsize size = (gsize) sqlite3_column_bytes (stmt, DATA);

  return (sqlite3_column_int64 (stmt, CODEC) == GILK_CODEC_PLAIN ||
          gilk_codec_unpack (check->codec, bytes, size, COLUMN_BYTES_MAX, &bytes, &size)) &&
         gilk_column_read (bytes, size, check->values, n);
}

static gboolean
is_sketch_right (Check *check, sqlite3_stmt *stmt, guint n, guint type)
{
  double numbers[BATCH];

  gilk_sketch_clear (check->kept);
  gilk_sketch_clear (check->made);
  for (guint at = 0; at < n; at += BATCH)
    {
      gilk_sample_numbers (check->values + at, type, numbers, MIN (n - at, BATCH));
      gilk_sketch_add (check->made, numbers, MIN (n - at, BATCH));
    }

  return gilk_sketch_read (check->kept, sqlite3_column_blob (stmt, SKETCH),
                           (gsize) sqlite3_column_bytes (stmt, SKETCH), n) && gilk_sketch_equal (check->kept, check->made);
}

gboolean
gilk_store_verify_sketches (GilkStore *store,
                            uint64_t  *wrong,
                            GError   **error)
{
  GILK_AUTO_STMT stmt = NULL;
  g_auto(Check) check = { store, NULL };
  GError *local = NULL;

  *wrong = 0;
  stmt = gilk_sql_prepare (store, error, "SELECT s.id, d.codec, d.data, s.data, c.n, f.type FROM chunk_sketch s "
                           "LEFT JOIN chunk c ON c.id = s.id / 16 LEFT JOIN chunk_column d ON d.id = s.id "
                           "LEFT JOIN field f ON f.instrument = c.instrument AND f.position = s.id % 16 - 2", "");
  if (stmt == NULL)
    return FALSE;
  check = (Check) { store, gilk_codec_new (), gilk_sketch_new (), gilk_sketch_new (), g_new (gint64, GILK_CHUNK_SAMPLES_MAX) };
  while (gilk_sql_next (store, stmt, &local))
    {
      gint64 n = sqlite3_column_int64 (stmt, N), type = sqlite3_column_int64 (stmt, TYPE);
      gboolean is_there = sqlite3_column_type (stmt, N) == SQLITE_INTEGER && n > 0 && n <= GILK_CHUNK_SAMPLES_MAX &&
                          sqlite3_column_type (stmt, TYPE) == SQLITE_INTEGER && type >= 0 && type < ILK_FIELD_TEXT &&
                          sqlite3_column_type (stmt, DATA) == SQLITE_BLOB;

      if (!is_there || (read_values (&check, stmt, (guint) n) && !is_sketch_right (&check, stmt, (guint) n, (guint) type)))
        ++*wrong;
    }

  return gilk_sql_check_end (&local, error);
}
