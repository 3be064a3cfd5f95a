/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-upgrade.c - converts sample tables of sessions before version 4 to chunks
 *
 * All in one transaction, so an interrupted conversion changes nothing. Old tables are read through
 * the cursor, hook by hook; samples are grouped by CPU and by the set of fields they have.
 */
#include "core/store/gilk-samples-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define GATHER_SAMPLES 65536

/* Samples of one CPU that have the same fields. */
typedef struct {
  guint      cpu;
  uint32_t   present;             /* bit mask of fields */
  GArray    *times;
  GArray   **values;              /* gint64, by field; NULL for texts */
  GPtrArray **texts;              /* by field; NULL for numbers */
} Heap;

typedef struct {
  GilkStore  *store;
  gint64      instrument;
  GArray     *types;              /* guint, of the fields */
  GHashTable *heaps;              /* cpu << 32 | present -> Heap */
  gint64      hook;
} Move;

/* ---- heaps ---- */

static Heap *
heap_new (const Move *move, guint cpu, uint32_t present)
{
  Heap *heap = g_new0 (Heap, 1);

  heap->cpu = cpu;
  heap->present = present;
  heap->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  heap->values = g_new0 (GArray *, move->types->len + 1);
  heap->texts = g_new0 (GPtrArray *, move->types->len + 1);
  for (guint f = 0; f < move->types->len; f++)
    if (g_array_index (move->types, guint, f) == ILK_FIELD_TEXT)
      heap->texts[f] = g_ptr_array_new_with_free_func (g_free);
    else
      heap->values[f] = g_array_new (FALSE, FALSE, sizeof (gint64));

  return heap;
}

static void
heap_free (const Move *move, Heap *heap)
{
  for (guint f = 0; f < move->types->len; f++)
    {
      g_clear_pointer (&heap->values[f], g_array_unref);
      g_clear_pointer (&heap->texts[f], g_ptr_array_unref);
    }
  g_array_unref (heap->times);
  g_free (heap->values);
  g_free (heap->texts);
  g_free (heap);
}

static Heap *
find_heap (Move *move, guint cpu, uint32_t present)
{
  gint64 key = (gint64) cpu << 32 | present;
  Heap *heap = g_hash_table_lookup (move->heaps, &key);

  if (heap == NULL)
    {
      heap = heap_new (move, cpu, present);
      g_hash_table_insert (move->heaps, g_memdup2 (&key, sizeof key), heap);
    }

  return heap;
}

static gboolean
write_texts (Move *move, const Heap *heap, gint64 chunk, guint field, GError **error)
{
  const GPtrArray *texts = heap->texts[field];
  g_autofree uint8_t *lengths = g_new (uint8_t, texts->len);

  for (guint i = 0; i < texts->len; i++)
    {
      gsize length = strlen (g_ptr_array_index (texts, i));

      if (length > G_MAXUINT8)
        return gilk_store_refuse (error, GILK_ERROR_FORMAT, _("%s is damaged: a sample has a text of %zu bytes. Use a "
                                                              "copy of it."),
                                  move->store->path, length);
      lengths[i] = (uint8_t) length;
    }

  return gilk_chunk_add_texts (move->store, chunk, field,
                               (const char *const *) texts->pdata, lengths, texts->len, error);
}

/* Writes the heap as a chunk and empties it. */
static gboolean
write_heap (Move *move, Heap *heap, GError **error)
{
  gint64 chunk;

  if (heap->times->len == 0)
    return TRUE;
  if (!gilk_chunk_add (move->store, move->instrument, move->hook, heap->cpu,
                       (const gint64 *) (const void *) heap->times->data, heap->times->len, 0, &chunk,
                       error))
    return FALSE;
  for (guint f = 0; f < move->types->len; f++)
    if ((heap->present >> f & 1) != 0 &&
        !(heap->texts[f] != NULL
          ? write_texts (move, heap, chunk, f, error)
          : gilk_chunk_add_integers (move->store, chunk, f, g_array_index (move->types, guint, f),
                                     (const gint64 *) (const void *) heap->values[f]->data,
                                     heap->values[f]->len, error)))
      return FALSE;
  g_array_set_size (heap->times, 0);
  for (guint f = 0; f < move->types->len; f++)
    if (heap->texts[f] != NULL)
      g_ptr_array_set_size (heap->texts[f], 0);
    else
      g_array_set_size (heap->values[f], 0);

  return TRUE;
}

static gboolean
write_heaps (Move *move, GError **error)
{
  GHashTableIter iter;
  gpointer heap;
  gboolean good = TRUE;

  g_hash_table_iter_init (&iter, move->heaps);
  while (g_hash_table_iter_next (&iter, NULL, &heap))
    {
      good = good && write_heap (move, heap, error);
      heap_free (move, heap);
      g_hash_table_iter_remove (&iter);
    }

  return good;
}

/* ---- a hook ---- */

static gboolean
take_sample (Move *move, const GilkSampleBlock *block, guint i, GError **error)
{
  uint32_t present = 0;
  Heap *heap;

  for (guint f = 0; f < move->types->len; f++)
    present |= (uint32_t) (block->missing[f] == NULL || !block->missing[f][i]) << f;
  heap = find_heap (move, block->cpu[i], present);
  g_array_append_val (heap->times, block->t_ns[i]);
  for (guint f = 0; f < move->types->len; f++)
    if ((present >> f & 1) == 0)
      continue;
    else if (heap->texts[f] != NULL)
      g_ptr_array_add (heap->texts[f], g_strdup (block->texts[f][i]));
    else
      g_array_append_val (heap->values[f], block->values[f][i]);

  return heap->times->len < GATHER_SAMPLES || write_heap (move, heap, error);
}

static gboolean
move_hook (GilkStore *store, const GilkStoredHook *hook, gint64 instrument, const GArray *fields,
           GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  g_autoptr(GArray) types = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr(GHashTable) heaps = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  Move move = { store, instrument, types, heaps, hook->id };
  GilkSampleBlock block;
  GError *local = NULL;
  gboolean good = samples != NULL;

  for (guint f = 0; good && f < fields->len; f++)
    {
      guint number, type;

      good = gilk_samples_add_field (samples, g_array_index (fields, GilkStoredField, f).name, &number,
                                     &type, error);
      g_array_append_val (types, type);
    }
  while (good && gilk_samples_next (samples, &block, &local))
    for (guint i = 0; good && i < block.n; i++)
      good = take_sample (&move, &block, i, error);
  if (local != NULL)
    g_propagate_error (error, local);
  good = good && local == NULL;

  return write_heaps (&move, good ? error : NULL) && good;
}

/* ---- an instrument of a run, and all of them ---- */

typedef struct {
  gint64 id, run;
  char  *name, *table;
} Instrument;

static void
clear_instrument (gpointer data)
{
  Instrument *instrument = data;

  g_free (instrument->name);
  g_free (instrument->table);
}

static GArray *
list_instruments (GilkStore *store, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT id, run, name, sample_table FROM instrument WHERE sample_table <> '" GILK_CHUNKED "' "
    "ORDER BY id", "");
  g_autoptr(GArray) all = g_array_new (FALSE, TRUE, sizeof (Instrument));
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return NULL;
  g_array_set_clear_func (all, clear_instrument);
  while (gilk_sql_next (store, stmt, &local))
    {
      Instrument instrument = { 0 };

      if (gilk_sql_row (store, stmt, &local, "iiss", &instrument.id, &instrument.run,
                        &instrument.name, &instrument.table))
        g_array_append_val (all, instrument);
    }

  return gilk_sql_ended (&local, error) ? g_steal_pointer (&all) : NULL;
}

static gboolean
drop_table (GilkStore *store, const Instrument *instrument, GError **error)
{
  g_autofree char *table = gilk_sql_quote (instrument->table);
  g_autofree char *clean = gilk_store_plain_name (instrument->name);
  g_autofree char *sql = g_strdup_printf ("DROP TABLE %s", table);
  g_autofree char *view = g_strdup_printf ("DROP VIEW IF EXISTS \"samples_%s\"", clean);

  return gilk_sql_run (store, error, view, "") && gilk_sql_run (store, error, sql, "") &&
         gilk_sql_run (store, error, "UPDATE instrument SET sample_table = '" GILK_CHUNKED
                       "' WHERE id = ?", "i", instrument->id);
}

static gboolean
move_instrument (GilkStore *store, const Instrument *instrument, GError **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, instrument->run, error);
  g_autoptr(GArray) fields = hooks != NULL ? gilk_store_fields (store, instrument->run,
                                                                instrument->name, error) : NULL;

  if (fields == NULL)
    return FALSE;
  if (fields->len > ILK_FIELDS_MAX)
    return gilk_store_refuse (error, GILK_ERROR_FORMAT, _("%s is damaged: the samples of %s have too many "
                                                          "fields. Use a copy of it."), store->path, instrument->name);
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      if (strcmp (hook->instrument, instrument->name) == 0 &&
          !move_hook (store, hook, instrument->id, fields, error))
        return FALSE;
    }

  return drop_table (store, instrument, error);
}

static gboolean
move_all (GilkStore *store, const GArray *instruments, const GilkProgress *progress,
          GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < instruments->len; i++)
    {
      gilk_progress (progress, _("Moving samples into chunks"), (double) i / instruments->len);
      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !move_instrument (store, &g_array_index (instruments, Instrument, i), error))
        return FALSE;
    }

  return TRUE;
}

/* Adds checksums of the contents as they are now. */
static gboolean
add_sums (GilkStore *store, gboolean moved, GError **error)
{
  g_autoptr(GArray) runs = gilk_store_runs (store, error);
  gboolean added;

  if (runs == NULL || !gilk_chunk_sum_write (store, error) || !gilk_store_add_chunk_sums (store, &added, error))
    return FALSE;
  for (guint i = 0; (moved || added) && i < runs->len; i++)
    if (!gilk_store_sum_run (store, g_array_index (runs, GilkStoredRun, i).id, NULL, error))
      return FALSE;

  return !moved || gilk_store_sum_schema (store, error);
}

/* Removes free pages. VACUUM attaches a temporary file, which the limits forbid otherwise. */
gboolean
gilk_store_give_back_space (GilkStore *store,
                            GError   **error)
{
  gboolean good;

  sqlite3_limit (store->db, SQLITE_LIMIT_ATTACHED, 1);
  good = gilk_sql_run (store, error, "VACUUM", "");
  sqlite3_limit (store->db, SQLITE_LIMIT_ATTACHED, 0);

  return good;
}

gboolean
gilk_store_upgrade (GilkStore          *store,
                    const GilkProgress *progress,
                    GCancellable       *cancellable,
                    GError            **error)
{
  g_autoptr(GArray) instruments = list_instruments (store, error);
  gboolean good;

  g_assert (!store->reading && store->run == 0);
  if (instruments == NULL || !gilk_store_lock (store, error))
    return FALSE;
  good = gilk_store_want_transaction (store, error) &&
         move_all (store, instruments, progress, cancellable, error) &&
         add_sums (store, instruments->len > 0, error) &&
         gilk_store_flush (store, error);
  if (!good)
    gilk_store_roll_back (store);
  gilk_progress (progress, _("Freeing unused space"), 1.0);
  good = good && (instruments->len == 0 || gilk_store_give_back_space (store, error));
  gilk_store_unlock (store);

  return good;
}
