/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-compress.c - compresses stored columns of chunks
 *
 * Each row states its own encoding, so a session is valid even if compression was interrupted.
 */
#include "core/pack/gilk-column.h"
#include "core/base/gilk-error.h"
#include "core/store/gilk-store-checksum.h"
#include "core/store/gilk-store-chunk.h"
#include "core/store/gilk-store-transaction.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

typedef struct {
  GilkStore    *store;
  GilkCodec    *codec;
  sqlite3_stmt *next, *put;
  gint64        id;               /* @id: id of the last column processed; @last: largest id in the
                                   * file */
  gint64        last;
} Pass;

static gboolean
put_packed (Pass *pass, uint64_t plain_sum, const uint8_t *bytes, gsize size, GError **error)
{
  const uint64_t packed_sum = gilk_column_sum (pass->id, bytes, size, GILK_CODEC_ZSTD);

  sqlite3_bind_int64 (pass->put, 1, pass->id);
  sqlite3_bind_blob (pass->put, 2, bytes, (int) size, SQLITE_STATIC);

  return gilk_sql_finish (pass->store, pass->put, error) &&
         gilk_chunk_sum_replace (pass->store, pass->id / GILK_CHUNK_COLUMNS, plain_sum, packed_sum, error) &&
         gilk_store_count_written (pass->store, 1, error);
}

/* Compresses the next column after @id. Returns FALSE without an error if there is none. */
static gboolean
compress_next (Pass *pass, GError **error)
{
  const uint8_t *packed, *plain;
  uint64_t plain_sum = 0;
  gsize size, plain_size;
  gboolean worth;
  GError *local = NULL;

  sqlite3_reset (pass->next);
  sqlite3_bind_int64 (pass->next, 1, pass->id);
  if (!gilk_sql_next (pass->store, pass->next, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return FALSE;
    }
  pass->id = sqlite3_column_int64 (pass->next, 0);
  plain = sqlite3_column_blob (pass->next, 1);
  plain_size = (gsize) sqlite3_column_bytes (pass->next, 1);
  worth = sqlite3_column_type (pass->next, 1) == SQLITE_BLOB &&
          gilk_codec_pack (pass->codec, plain, plain_size, &packed, &size);
  if (worth)
    plain_sum = gilk_column_sum (pass->id, plain, plain_size, GILK_CODEC_PLAIN);
  sqlite3_reset (pass->next);

  return !worth || (gilk_store_ensure_transaction (pass->store, error) && put_packed (pass, plain_sum, packed, size, error));
}

static gboolean
compress_columns (Pass *pass, const GilkProgress *progress, GCancellable *cancellable, GError **error)
{
  GError *local = NULL;

  for (guint i = 0; compress_next (pass, &local); i++)
    {
      if (i % 64 == 0)
        gilk_progress (progress, _("Compressing samples"), (double) pass->id / (double) MAX (pass->last, 1));
      if (g_cancellable_set_error_if_cancelled (cancellable, &local))
        break;
    }
  if (!gilk_check_end (&local, error))
    return FALSE;

  return gilk_store_flush (pass->store, error);
}

/* Returns the file's free pages to the file system. VACUUM attaches a temporary file, which the
 * session's limits otherwise forbid. */
static gboolean
give_back_space (GilkStore *store, GError **error)
{
  gboolean good;

  sqlite3_limit (gilk_sql_db (store), SQLITE_LIMIT_ATTACHED, 1);
  good = gilk_sql_run (store, error, "VACUUM", "");
  sqlite3_limit (gilk_sql_db (store), SQLITE_LIMIT_ATTACHED, 0);

  return good;
}

gboolean
gilk_store_compress (GilkStore          *store,
                     const GilkProgress *progress,
                     GCancellable       *cancellable,
                     GError            **error)
{
  g_autoptr(GilkCodec) codec = gilk_codec_new ();
  GILK_AUTO_STMT next = NULL;
  GILK_AUTO_STMT put = NULL;
  Pass pass = { .store = store, .codec = codec, .id = -1 };
  gboolean good;

  if (!gilk_store_lock (store, error))
    return FALSE;
  good = gilk_sql_value (store, error, &pass.last, 0, "SELECT coalesce (max (id), 0) FROM chunk_column", "");
  pass.next = next = good ? gilk_sql_prepare (store, error, "SELECT id, data FROM chunk_column WHERE id > ? AND "
                                              "codec = 0 ORDER BY id LIMIT 1", "") : NULL;
  pass.put = put = next != NULL ? gilk_sql_prepare (store, error, "UPDATE chunk_column SET data = ?2, codec = 1 "
                                                    "WHERE id = ?1", "") : NULL;
  good = put != NULL && compress_columns (&pass, progress, cancellable, error);
  if (!good)
    gilk_store_roll_back (store);
  g_clear_pointer (&next, sqlite3_finalize);
  g_clear_pointer (&put, sqlite3_finalize);
  gilk_progress (progress, _("Freeing unused space"), 1.0);
  good = good && give_back_space (store, error);
  gilk_store_unlock (store);

  return good;
}
