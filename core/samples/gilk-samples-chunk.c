/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-chunk.c - reads a chunk (a stored batch of samples) into a part in memory, which has
 * only the selected samples and the requested fields
 *
 * Chunks are untrusted: their number of samples is bounded, and each column must hold exactly
 * that number of values; otherwise the file is reported as damaged.
 */
#include "core/samples/gilk-samples-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/pack/gilk-column.h"

typedef struct {
  gint64  id, hook, cpu, first_ns, last_ns;
  guint   n;
  gboolean ascending;             /* the chunk's times ascend */
  gint64 *times, *hooks;          /* columns of the chunk; @hooks is NULL if all samples are of one
                                   * hook */
  gint64 *scratch;                /* buffer for one column */
  guint  *chosen;                 /* indices of selected samples; NULL: all samples */
  guint   n_chosen;
} Chunk;

static void
chunk_clear (Chunk *chunk)
{
  gilk_free_all (chunk->times, chunk->hooks, chunk->scratch, chunk->chosen);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Chunk, chunk_clear)

static gboolean
refuse_damaged (GilkSamples *samples, const Chunk *chunk, const char *what, GError **error)
{
  return gilk_fail (error, GILK_ERROR_FORMAT,
                    _("%s is damaged: in chunk %" PRId64 " of the samples, %s. Use a backup."),
                    gilk_store_path (samples->store), chunk->id, what);
}

/* ---- columns ---- */

/* Decompresses a column. The result is as untrusted as the file. */
static gboolean
unpack_column (GilkSamples *samples, const Chunk *chunk, gint64 codec, const uint8_t **bytes, gsize *size, GError **error)
{
  if (samples->codec == NULL)
    samples->codec = gilk_codec_new ();

  return (codec == GILK_CODEC_ZSTD && gilk_codec_unpack (samples->codec, *bytes, *size, GILK_COLUMN_BYTES_MAX, bytes, size)) ||
         refuse_damaged (samples, chunk, _("the data cannot be decompressed"), error);
}

/* Finds a column and decompresses it; @bytes are valid until the next call. Returns FALSE without
 * an error if the column does not exist. */
static gboolean
find_column (GilkSamples *samples, const Chunk *chunk, guint position, const uint8_t **bytes,
             gsize *size, GError **error)
{
  sqlite3_stmt *stmt = samples->column;
  GError *local = NULL;

  sqlite3_reset (stmt);
  sqlite3_bind_int64 (stmt, 1, chunk->id * GILK_CHUNK_COLUMNS + position);
  if (!gilk_sql_next (samples->store, stmt, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return FALSE;
    }
  if (sqlite3_column_type (stmt, 0) != SQLITE_BLOB)
    return refuse_damaged (samples, chunk, _("the data are not a blob"), error);
  *bytes = sqlite3_column_blob (stmt, 0);
  *size = (gsize) sqlite3_column_bytes (stmt, 0);

  if (sqlite3_column_int64 (stmt, 1) != GILK_CODEC_PLAIN)
    return unpack_column (samples, chunk, sqlite3_column_int64 (stmt, 1), bytes, size, error);

  return *size > 0 || refuse_damaged (samples, chunk, _("the data are empty"), error);
}

/* Reads a mandatory column. */
static gboolean
read_column (GilkSamples *samples, const Chunk *chunk, guint position, gint64 *values,
             GError **error)
{
  const uint8_t *bytes;
  GError *local = NULL;
  gsize size;

  if (!find_column (samples, chunk, position, &bytes, &size, &local))
    {
      if (local == NULL)
        return refuse_damaged (samples, chunk, _("the data are incomplete"), error);
      g_propagate_error (error, local);
      return FALSE;
    }

  return gilk_column_read (bytes, size, values, chunk->n) ||
         refuse_damaged (samples, chunk, _("the data cannot be read"), error);
}

/* ---- selection of samples ---- */

static void
choose_all_samples (Chunk *chunk)
{
  if (chunk->chosen != NULL)
    return;
  chunk->chosen = g_new (guint, chunk->n);
  for (guint i = 0; i < chunk->n; i++)
    chunk->chosen[i] = i;
}

static gboolean
is_ascending (const gint64 *times, guint n)
{
  guint falls = 0;

  for (guint i = 1; i < n; i++)
    falls += times[i] < times[i - 1];

  return falls == 0;
}

static gboolean
wants_times (const GilkSamples *samples, const Chunk *chunk)
{
  if (!samples->bare || samples->timed || chunk->first_ns < samples->from_ns || chunk->last_ns >= samples->to_ns)
    return TRUE;
  for (guint i = 0; i < samples->conditions->len; i++)
    if (g_array_index (samples->conditions, GilkSampleCondition, i).field == GILK_CONDITION_TIME)
      return TRUE;

  return FALSE;
}

/* Selects the samples in the cursor's time range. Fails if the first or last time that the chunk's
 * row states is wrong, because merging relies on these two times. */
static gboolean
choose_by_time (GilkSamples *samples, Chunk *chunk, GError **error)
{
  gint64 first = chunk->times[0], last = chunk->times[chunk->n - 1];
  guint n = 0;

  chunk->ascending = is_ascending (chunk->times, chunk->n);
  for (guint i = 0; !chunk->ascending && i < chunk->n; i++)
    {
      first = MIN (first, chunk->times[i]);
      last = MAX (last, chunk->times[i]);
    }
  if (first != chunk->first_ns || last != chunk->last_ns)
    return refuse_damaged (samples, chunk, _("times are out of the chunk's range"), error);
  if (first >= samples->from_ns && last < samples->to_ns)
    return TRUE;
  choose_all_samples (chunk);
  for (guint i = 0; i < chunk->n_chosen; i++)
    if (chunk->times[chunk->chosen[i]] >= samples->from_ns &&
        chunk->times[chunk->chosen[i]] < samples->to_ns)
      chunk->chosen[n++] = chunk->chosen[i];
  chunk->n_chosen = n;

  return TRUE;
}

static gboolean
choose_by_hook (GilkSamples *samples, Chunk *chunk, GError **error)
{
  guint n = 0;

  if (chunk->hook != 0)
    {
      chunk->n_chosen = gilk_samples_wants_hook (samples, chunk->hook) ? chunk->n_chosen : 0;
      return TRUE;
    }
  chunk->hooks = g_new (gint64, chunk->n);
  if (!read_column (samples, chunk, GILK_CHUNK_HOOKS, chunk->hooks, error))
    return FALSE;
  choose_all_samples (chunk);
  for (guint i = 0; i < chunk->n_chosen; i++)
    if (gilk_samples_wants_hook (samples, chunk->hooks[chunk->chosen[i]]))
      chunk->chosen[n++] = chunk->chosen[i];
  chunk->n_chosen = n;

  return TRUE;
}

/* Reads the field's dictionary into @texts and its indices into chunk->scratch. Returns FALSE
 * without an error if the chunk does not have the field. */
static gboolean
read_texts (GilkSamples *samples, const Chunk *chunk, guint field, GPtrArray **texts, GError **error)
{
  const uint8_t *bytes;
  gsize size;

  if (!find_column (samples, chunk, GILK_CHUNK_FIELDS + field, &bytes, &size, error))
    return FALSE;

  return gilk_column_read_texts (bytes, size, texts, chunk->scratch, chunk->n) ||
         refuse_damaged (samples, chunk, _("the data cannot be read"), error);
}

static gboolean
filter_texts (GilkSamples *samples, Chunk *chunk, const GilkSampleCondition *condition, GError **error)
{
  g_autoptr(GPtrArray) texts = NULL;
  g_autofree gboolean *fits = NULL;
  GError *local = NULL;
  guint n = 0;

  if (!read_texts (samples, chunk, (guint) condition->field, &texts, &local))
    {
      chunk->n_chosen = 0;
      return gilk_check_end (&local, error);
    }
  fits = g_new (gboolean, texts->len + 1);
  for (guint i = 0; i < texts->len; i++)
    fits[i] = gilk_sample_condition_fits (condition, g_ptr_array_index (texts, i));
  for (guint i = 0; i < chunk->n_chosen; i++)
    if (fits[chunk->scratch[chunk->chosen[i]]])
      chunk->chosen[n++] = chunk->chosen[i];
  chunk->n_chosen = n;

  return TRUE;
}

static gboolean
filter_numbers (GilkSamples *samples, Chunk *chunk, const GilkSampleCondition *condition, guint type,
              GError **error)
{
  const uint8_t *bytes;
  GError *local = NULL;
  gsize size;

  if (!find_column (samples, chunk, GILK_CHUNK_FIELDS + (guint) condition->field, &bytes, &size,
                    &local))
    {
      chunk->n_chosen = 0;
      return gilk_check_end (&local, error);
    }
  if (!gilk_column_read (bytes, size, chunk->scratch, chunk->n))
    return refuse_damaged (samples, chunk, _("the data cannot be read"), error);
  chunk->n_chosen = gilk_sample_condition_keep (condition, type, chunk->scratch, chunk->chosen,
                                                chunk->n_chosen);

  return TRUE;
}

static gboolean
apply_condition (GilkSamples *samples, Chunk *chunk, const GilkSampleCondition *condition,
                GError **error)
{
  guint type;

  choose_all_samples (chunk);
  if (condition->field == GILK_CONDITION_TIME)
    chunk->n_chosen = gilk_sample_condition_keep (condition, ILK_FIELD_S64, chunk->times,
                                                  chunk->chosen, chunk->n_chosen);
  else if (condition->field == GILK_CONDITION_CPU)
    chunk->n_chosen = gilk_sample_condition_holds (condition, ILK_FIELD_S64, chunk->cpu)
                      ? chunk->n_chosen : 0;
  else
    {
      type = g_array_index (samples->fields, GilkStoredField, condition->field).type;
      return type == ILK_FIELD_TEXT ? filter_texts (samples, chunk, condition, error)
                                    : filter_numbers (samples, chunk, condition, type, error);
    }

  return TRUE;
}

/* ---- in order ---- */

static int
compare_times (gconstpointer a, gconstpointer b, gpointer times)
{
  guint i = *(const guint *) a, j = *(const guint *) b;
  gint64 t = ((const gint64 *) times)[i], u = ((const gint64 *) times)[j];

  return t != u ? (t > u) - (t < u) : (i > j) - (i < j);
}

/* Sorts the selected samples by time. A hit reserves cells in the ring and then takes its time
 * stamp. A second hit that interrupts the first one between these two steps has later cells, but an
 * earlier time. */
static void
sort_chosen (Chunk *chunk)
{
  if (chunk->ascending)
    return;
  choose_all_samples (chunk);
  g_qsort_with_data (chunk->chosen, (int) chunk->n_chosen, sizeof *chunk->chosen, compare_times,
                     chunk->times);
}

/* ---- a part ---- */

static inline guint
get_index (const Chunk *chunk, guint i)
{
  return chunk->chosen != NULL ? chunk->chosen[i] : i;
}

static gboolean
fill_texts (GilkSamples *samples, const Chunk *chunk, guint field, guint w, GilkSamplePart *part,
            GError **error)
{
  GPtrArray *texts;

  if (!read_texts (samples, chunk, field, &texts, error))
    return FALSE;
  g_ptr_array_add (part->dictionaries, texts);
  for (guint i = 0; i < part->n; i++)
    part->texts[w][i] = g_ptr_array_index (texts, chunk->scratch[get_index (chunk, i)]);

  return TRUE;
}

static gboolean
fill_numbers (GilkSamples *samples, const Chunk *chunk, guint field, guint w, GilkSamplePart *part,
              GError **error)
{
  gint64 *values = chunk->chosen != NULL ? chunk->scratch : part->values[w];
  const uint8_t *bytes;
  gsize size;

  if (!find_column (samples, chunk, GILK_CHUNK_FIELDS + field, &bytes, &size, error))
    return FALSE;
  if (!gilk_column_read (bytes, size, values, chunk->n))
    return refuse_damaged (samples, chunk, _("the data cannot be read"), error);
  for (guint i = 0; chunk->chosen != NULL && i < part->n; i++)
    part->values[w][i] = values[chunk->chosen[i]];

  return TRUE;
}

static gboolean
fill_fields (GilkSamples *samples, const Chunk *chunk, GilkSamplePart *part, GError **error)
{
  for (guint w = 0; w < samples->wanted->len; w++)
    {
      guint f = g_array_index (samples->wanted, guint, w);
      GError *local = NULL;

      if (g_array_index (samples->fields, GilkStoredField, f).type == ILK_FIELD_TEXT
          ? fill_texts (samples, chunk, f, w, part, &local)
          : fill_numbers (samples, chunk, f, w, part, &local))
        continue;
      if (!gilk_check_end (&local, error))
        return FALSE;
      part->missing[w] = g_malloc (part->n);
      memset (part->missing[w], 1, part->n);
      if (part->values[w] != NULL)
        memset (part->values[w], 0, part->n * sizeof *part->values[w]);
      else
        memset (part->texts[w], 0, part->n * sizeof *part->texts[w]);
    }

  return TRUE;
}

static void
fill_times (Chunk *chunk, GilkSamplePart *part)
{
  if (chunk->chosen == NULL)
    {
      g_free (part->t_ns);
      part->t_ns = g_steal_pointer (&chunk->times);
    }
  for (guint i = 0; chunk->chosen != NULL && i < part->n; i++)
    part->t_ns[i] = chunk->times[chunk->chosen[i]];
}

static void
fill_origin (const Chunk *chunk, GilkSamplePart *part)
{
  for (guint i = 0; i < part->n; i++)
    part->hook[i] = chunk->hooks != NULL ? chunk->hooks[get_index (chunk, i)] : chunk->hook;
  for (guint i = 0; i < part->n; i++)
    part->cpu[i] = (uint32_t) chunk->cpu;
}

static GilkSamplePart *
make_part (GilkSamples *samples, Chunk *chunk, GError **error)
{
  GilkSamplePart *part = gilk_sample_part_new (samples, chunk->n_chosen);

  part->n = chunk->n_chosen;
  part->first_cpu = (guint) chunk->cpu;
  if (part->t_ns != NULL)
    fill_times (chunk, part);
  if (!samples->bare)
    fill_origin (chunk, part);
  if (fill_fields (samples, chunk, part, error))
    return part;
  gilk_sample_part_free (samples, part);

  return NULL;
}

/* ---- lists the chunks to read ---- */

gboolean
gilk_samples_step (GilkSamples *samples,
                   GError     **error)
{
  gint64 before_ns = samples->begun_list ? samples->next_ns : G_MININT64;
  GError *local = NULL;

  samples->has_next = gilk_sql_next (samples->store, samples->list, &local);
  if (!gilk_check_end (&local, error))
    return FALSE;
  if (!samples->has_next)
    return TRUE;
  samples->begun_list = TRUE;
  samples->next_ns = sqlite3_column_int64 (samples->list, 0);
  if (samples->next_ns >= before_ns)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_FORMAT,
                    _("%s is damaged: according to one of its indexes, samples are not in order of "
                      "time. Rebuild the indexes of a copy with REINDEX in sqlite3."),
                    gilk_store_path (samples->store));
}

static gboolean
list_chunks (GilkSamples *samples, GError **error)
{
  gint64 one = samples->hooks->len == 1 ? g_array_index (samples->hooks, gint64, 0) : 0;

  samples->column = gilk_sql_prepare (samples->store, error, "SELECT data, codec FROM chunk_column WHERE id = ?", "");
  if (samples->column == NULL)
    return FALSE;
  samples->list = gilk_sql_prepare (samples->store, error,
    one != 0 ? "SELECT first_ns, last_ns, id, coalesce (hook, 0), cpu, n FROM chunk WHERE instrument = ? AND "
               "last_ns >= ? AND first_ns < ? AND (hook = ? OR hook IS NULL) ORDER BY first_ns, id"
             : "SELECT first_ns, last_ns, id, coalesce (hook, 0), cpu, n FROM chunk WHERE instrument = ? AND "
               "last_ns >= ? AND first_ns < ? ORDER BY first_ns, id", one != 0 ? "iiii" : "iii",
    samples->instrument, samples->from_ns, samples->to_ns, one);

  return samples->list != NULL && gilk_samples_step (samples, error);
}

static gboolean
read_chunk (GilkSamples *samples, Chunk *chunk, GError **error)
{
  if (!gilk_sql_row (samples->store, samples->list, error, "iiiinu", &chunk->first_ns, &chunk->last_ns,
                     &chunk->id, &chunk->hook, &chunk->cpu, &chunk->n))
    return FALSE;
  if (chunk->n == 0 || chunk->n > GILK_CHUNK_SAMPLES_MAX || chunk->cpu > (gint64) G_MAXUINT32 ||
      chunk->id < 0 || chunk->id > G_MAXINT64 / GILK_CHUNK_COLUMNS - 1)
    return refuse_damaged (samples, chunk, _("the number of samples is impossible"), error);
  if (!gilk_samples_step (samples, error))
    return FALSE;
  if (chunk->hook != 0 && !gilk_samples_wants_hook (samples, chunk->hook))
    return TRUE;

  chunk->n_chosen = chunk->n;
  chunk->scratch = g_new (gint64, chunk->n);
  if (wants_times (samples, chunk))
    {
      chunk->times = g_new (gint64, chunk->n);
      if (!read_column (samples, chunk, GILK_CHUNK_TIMES, chunk->times, error) ||
          !choose_by_time (samples, chunk, error))
        return FALSE;
    }
  if (!choose_by_hook (samples, chunk, error))
    return FALSE;
  for (guint i = 0; chunk->n_chosen > 0 && i < samples->conditions->len; i++)
    if (!apply_condition (samples, chunk, &g_array_index (samples->conditions, GilkSampleCondition, i),
                         error))
      return FALSE;
  if (samples->ordered)
    sort_chosen (chunk);

  return TRUE;
}

static GilkSamplePart *
read_wanted (GilkSamples *samples, GError **error)
{
  g_auto(Chunk) chunk = { 0 };

  if (!read_chunk (samples, &chunk, error) || chunk.n_chosen == 0)
    return NULL;

  return make_part (samples, &chunk, error);
}

/* ---- reading parts ---- */

gboolean
gilk_samples_begin (GilkSamples *samples,
                    GError     **error)
{
  samples->begun = TRUE;
  if (samples->on_intervals->len > 0)
    {
      samples->ordered = samples->timed = TRUE;
      samples->bare = samples->bare && samples->hooks->len == 1;
    }

  return list_chunks (samples, error);
}

/* Returns the samples of the next chunk as a part, or NULL. Also checks the store's cancellable,
 * because SQLite checks it only while it runs code, and it runs hardly any code between chunks. */
GilkSamplePart *
gilk_samples_read_part (GilkSamples *samples,
                        GError     **error)
{
  GilkSamplePart *part;

  if (!gilk_sql_check_cancelled (samples->store, error))
    return NULL;
  part = read_wanted (samples, error);
  if (part != NULL)
    part->serial = samples->serial++;

  return part;
}
