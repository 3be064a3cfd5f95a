/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-samples.c - records of the rings becoming rows
 */
#include "core/store/gilk-store-private.h"

#include <string.h>

static void
bind_field (sqlite3_stmt *stmt, int index, const struct ilk_field *field, const uint8_t *payload,
            guint length)
{
  const uint8_t *at = payload + field->offset;
  uint32_t u32;
  gint64 s64;

  if ((guint) field->offset + field->size > length)
    {
      sqlite3_bind_null (stmt, index);
      return;
    }

  switch (field->type)
    {
    case ILK_FIELD_U32:
      memcpy (&u32, at, sizeof u32);
      sqlite3_bind_int64 (stmt, index, (gint64) u32);
      break;
    case ILK_FIELD_S32:
      memcpy (&u32, at, sizeof u32);
      sqlite3_bind_int64 (stmt, index, (gint32) u32);
      break;
    case ILK_FIELD_TEXT:
      sqlite3_bind_text (stmt, index, (const char *) at,
                         (int) strnlen ((const char *) at, field->size), SQLITE_STATIC);
      break;
    default:
      memcpy (&s64, at, sizeof s64);
      sqlite3_bind_int64 (stmt, index, s64);
      break;
    }
}

/* TSC to ns: the product needs more than 64 bits after some hours. */
static gint64
tsc_to_ns (const GilkStore *store, uint64_t tsc)
{
  __int128 ticks = (__int128) tsc - (__int128) store->zero_tsc;

  return (gint64) (ticks * 1000000 / (__int128) store->tsc_khz);
}

static gboolean
insert_record (GilkStore *store, const GilkStoreSlot *slot, guint cpu,
               const struct ilk_record *record, GError **error)
{
  const GilkStoreTable *table = slot->table;
  sqlite3_stmt *stmt = table->insert;
  gboolean done;

  sqlite3_bind_int64 (stmt, 1, slot->id);
  sqlite3_bind_int64 (stmt, 2, (gint64) cpu);
  sqlite3_bind_int64 (stmt, 3, tsc_to_ns (store, record->tsc));
  for (guint i = 0; i < table->n_fields; i++)
    bind_field (stmt, 4 + (int) i, &table->fields[i], record->data, record->len);

  done = sqlite3_step (stmt) == SQLITE_DONE;
  if (!done)
    gilk_sql_fail (store, error);
  sqlite3_reset (stmt);

  return done;
}

/* The record at @at if all of it is there; @size is what it takes. */
static const struct ilk_record *
next_record (const uint8_t *at, const uint8_t *end, gsize *size)
{
  const struct ilk_record *record = (const struct ilk_record *) at;

  if ((gsize) (end - at) < sizeof *record || record->len > ILK_SAMPLE_MAX)
    return NULL;
  *size = (gsize) ILK_RECORD_CELLS (record->len) * ILK_CELL;

  return *size <= (gsize) (end - at) ? record : NULL;
}

gboolean
gilk_store_add_records (GilkStore  *store,
                        gint64      run,
                        guint       cpu,
                        const void *cells,
                        gsize       bytes,
                        guint      *stored,
                        GError    **error)
{
  const uint8_t *at = cells, *end = at + bytes;
  gsize size;

  *stored = 0;
  if (run == 0 || run != store->run || cpu >= store->n_cpus)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                   "Samples came for a run or a processor that is not being recorded to %s. "
                   "Please report this.", store->path);
      return FALSE;
    }

  for (; at < end; at += size)
    {
      const struct ilk_record *record = next_record (at, end, &size);
      const GilkStoreSlot *slot;

      if (record == NULL)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                       "The samples of processor %u are not whole records. Make sure that Gilk "
                       "and its driver are of the same release.", cpu);
          return FALSE;
        }
      slot = record->iid < store->slots->len
             ? g_ptr_array_index (store->slots, record->iid) : NULL;
      if (slot == NULL || slot->table == NULL || slot->table->insert == NULL)
        continue;
      if (!gilk_store_want_transaction (store, error))
        return FALSE;
      if (!insert_record (store, slot, cpu, record, error))
        {
          gilk_store_roll_back (store);
          return FALSE;
        }
      slot->stored[cpu]++;
      *stored += 1;
      if (!gilk_store_wrote (store, 1, error))
        return FALSE;
    }

  return TRUE;
}
