/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-limit.c - limits a statement to the work that a file of its size can need, and ends it
 * when cancelled
 */
#include "core/store/gilk-store-private.h"

#include <glib/gi18n.h>

/* The smallest possible row: a two-byte cell pointer, payload size, rowid, header size and one
 * type. */
#define ROW_BYTES_MIN   6
#define OPS_AT_ONCE     1000     /* SQLite instructions between checks of the cancellable */
#define ROWS_FREE       1000
#define OPS_FREE        1000000
#define OPS_PER_ROW     256      /* more than a row with the maximum number of fields takes */
#define BYTES_FREE      (1 << 20)

static int
on_progress (gpointer data)
{
  GilkStore *store = data;

  store->ops += OPS_AT_ONCE;

  return g_cancellable_is_cancelled (store->cancellable) || store->ops > store->ops_max;
}

void
gilk_guard_set_limits (GilkStore *store)
{
  uint64_t bytes = gilk_store_bytes (store);

  store->rows_max = bytes / ROW_BYTES_MIN + ROWS_FREE;
  store->bytes_max = 8 * bytes + BYTES_FREE;
  store->ops_max = OPS_FREE + store->rows_max * OPS_PER_ROW;
  sqlite3_progress_handler (store->db, OPS_AT_ONCE, on_progress, store);
}

void
gilk_guard_trust (GilkStore *store)
{
  sqlite3_progress_handler (store->db, 0, NULL, NULL);
  store->ops_max = store->rows_max = store->bytes_max = G_MAXUINT64;
}

void
gilk_guard_new_statement (GilkStore *store)
{
  store->ops = store->rows_read = store->bytes_read = 0;
}

gboolean
gilk_sql_refuse_excess (GilkStore *store,
                        GError   **error)
{
  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               _("%s is damaged: it seems to hold more than a file of its size can. Use a backup."),
               store->path);

  return FALSE;
}

gboolean
gilk_guard_interrupted (GilkStore *store,
                        GError   **error)
{
  if (store->ops > store->ops_max)
    return gilk_sql_refuse_excess (store, error);
  g_set_error (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("Reading %s was cancelled."), store->path);

  return FALSE;
}
