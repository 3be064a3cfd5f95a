/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-samples.c - stores records from the rings, within a transaction
 */
#include "core/store/gilk-store-private.h"

#include <glib/gi18n.h>

gboolean
gilk_store_add_records (GilkStore  *store,
                        gint64      run,
                        guint       cpu,
                        const void *cells,
                        gsize       bytes,
                        guint      *stored,
                        GError    **error)
{
  gboolean many = FALSE;

  *stored = 0;
  if (run == 0 || run != store->run || cpu >= store->n_cpus || bytes > GILK_CHUNKS_ONCE_BYTES)
    return gilk_store_refuse (error, GILK_ERROR_STORE,
                              _("Got samples of a run or CPU that is not being recorded to %s, or too many at once. "
                                "Please report this."),
                              store->path);
  if (!gilk_store_ensure_transaction (store, error))
    return FALSE;
  if (!gilk_chunks_add (store, cpu, cells, bytes, stored, &many, error))
    {
      gilk_store_roll_back (store);
      return FALSE;
    }

  return !many || gilk_store_flush (store, error);
}
