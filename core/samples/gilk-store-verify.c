/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-verify.c - checks that a session is intact
 *
 *   - SQLite's integrity check passes;
 *   - each sample can be read;
 *   - each hook has, on each CPU, as many samples as its counts state;
 *   - hits = stored + lost where an instrument samples each hit;
 *   - chunks' sketches match their samples;
 *   - programs and their maps can be read, and belong to hooks;
 *   - if the run recorded gaps, the losses of a CPU's hooks are in the CPU's gaps, and no chunk
 *     states more losses than the gaps.
 */
#include "core/emit/gilk-inline.h"
#include "core/pack/gilk-column.h"
#include "core/pack/gilk-sketch.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-checksum.h"
#include "core/store/gilk-store-chunk.h"
#include "core/store/gilk-store-program.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

typedef struct {
  GilkStore          *store;
  const GilkProgress *progress;
  GPtrArray          *problems;
} Check;

static void
add_problem (Check *check, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add_problem (Check *check, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (check->problems, g_strdup_vprintf (format, args));
  va_end (args);
}

/* ---- pages ---- */

static gboolean
check_pages (Check *check, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (check->store, &local, "PRAGMA integrity_check (10)", "");

  while (gilk_sql_next (check->store, stmt, &local))
    {
      g_autofree char *says = gilk_sql_text (stmt, 0);

      if (strcmp (says, "ok") != 0)
        add_problem (check, _("SQLite: %s"), says);
    }

  return gilk_check_end (&local, error);
}

/* ---- samples ---- */

/* Number of samples of a hook on a CPU. The struct is its own key in a hash table. */
typedef struct {
  gint64   hook;
  guint    cpu;
  uint64_t n;
  gboolean counted;    /* the session has a count of the hook's samples on this CPU */
} Share;

static guint
share_hash (gconstpointer share)
{
  const Share *s = share;

  return (guint) s->hook * 31 + s->cpu;
}

static gboolean
share_equal (gconstpointer a, gconstpointer b)
{
  const Share *one = a, *other = b;

  return one->hook == other->hook && one->cpu == other->cpu;
}

static Share *
find_share (GHashTable *shares, gint64 hook, guint cpu, gboolean make)
{
  const Share key = { .hook = hook, .cpu = cpu };
  Share *share = g_hash_table_lookup (shares, &key);

  if (share == NULL && make)
    {
      share = g_memdup2 (&key, sizeof key);
      g_hash_table_add (shares, share);
    }

  return share;
}

/* Counts the samples of one instrument's hooks, and reads all fields. */
static gboolean
count_samples (GilkStore *store, const GilkStoredHook *hooks, guint n, GHashTable *shares, GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hooks, n, error);
  const GArray *fields;
  Share *share = NULL;
  GilkSampleBlock block;
  GError *local = NULL;
  guint number, type;

  if (samples == NULL)
    return FALSE;
  fields = gilk_samples_fields (samples);
  for (guint f = 0; f < fields->len; f++)
    if (!gilk_samples_add_field (samples, g_array_index (fields, GilkStoredField, f).name, &number, &type, error))
      return FALSE;
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      {
        if (share == NULL || share->hook != block.hook[i] || share->cpu != block.cpu[i])
          share = find_share (shares, block.hook[i], block.cpu[i], TRUE);
        share->n++;
      }

  return gilk_check_end (&local, error);
}

static gboolean
compare_counts (Check *check, const GilkStoredHook *hook, GHashTable *shares, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (check->store, &local,
    "SELECT cpu, stored, hits, lost FROM counts WHERE hook = ? ORDER BY cpu", "i", hook->id);
  uint64_t stored, hits, lost;
  guint cpu;

  while (gilk_sql_next (check->store, stmt, &local) &&
         gilk_sql_row (check->store, stmt, &local, "unnn", &cpu, &stored, &hits, &lost))
    {
      Share *share = find_share (shares, hook->id, cpu, FALSE);
      uint64_t n = share != NULL ? share->n : 0;

      if (n != stored)
        add_problem (check, _("run %" PRId64 ", hook %s, CPU %u: %" PRIu64 " samples found, but %" PRIu64 " were "
                              "counted as stored"), hook->run, hook->label,
                     cpu, (guint64) n, (guint64) stored);
      if (share != NULL)
        share->counted = TRUE;
    }

  return gilk_check_end (&local, error);
}

static void
report_uncounted (Check *check, const GilkStoredHook *hooks, guint n, GHashTable *shares)
{
  g_autoptr(GHashTable) of_hook = g_hash_table_new (g_int64_hash, g_int64_equal);
  GHashTableIter iter;
  Share *share;

  g_hash_table_iter_init (&iter, shares);
  while (g_hash_table_iter_next (&iter, (gpointer *) &share, NULL))
    if (!share->counted)
      g_hash_table_insert (of_hook, &share->hook, GUINT_TO_POINTER (
                           GPOINTER_TO_UINT (g_hash_table_lookup (of_hook, &share->hook)) + 1));
  for (guint i = 0; i < n; i++)
    {
      guint cpus = GPOINTER_TO_UINT (g_hash_table_lookup (of_hook, &hooks[i].id));

      if (cpus > 0)
        add_problem (check, _("run %" PRId64 ", hook %s: the samples of %u CPUs have no matching counts"),
                     hooks[i].run, hooks[i].label, cpus);
    }
}

/* Checks the samples of @hooks, all of which use the same instrument. */
static gboolean
check_hooks (Check *check, const GilkStoredHook *hooks, guint n, GError **error)
{
  g_autoptr(GHashTable) shares = g_hash_table_new_full (share_hash, share_equal, g_free, NULL);
  GError *local = NULL;
  gboolean good = count_samples (check->store, hooks, n, shares, &local);

  if (good)
    {
      for (guint i = 0; good && i < n; i++)
        good = compare_counts (check, &hooks[i], shares, error);
      report_uncounted (check, hooks, n, shares);
      return good;
    }
  if (!g_error_matches (local, GILK_ERROR, GILK_ERROR_FORMAT))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  if (n == 1)
    add_problem (check, _("run %" PRId64 ", hook %s: %s"), hooks->run, hooks->label, local->message);
  g_error_free (local);

  /* A sample is damaged: check each hook separately to find the hook of that sample. */
  for (guint i = 0; n > 1 && i < n; i++)
    if (!check_hooks (check, &hooks[i], 1, error))
      return FALSE;

  return TRUE;
}

static gboolean
check_gaps (Check *check, const GilkStoredRun *run, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (check->store, &local,
    "SELECT g.cpu, g.lost, min (g.ordered), "
    " (SELECT coalesce (sum (c.lost), 0) FROM counts c JOIN hook h ON h.id = c.hook "
    "   WHERE h.run = ?1 AND c.cpu = g.cpu), "
    " (SELECT coalesce (max (c.lost_before), 0) FROM chunk c JOIN instrument i ON i.id = c.instrument "
    "   WHERE i.run = ?1 AND c.cpu = g.cpu), "
    " (SELECT r.end_reason IN ('stopped', 'time is up') FROM run r WHERE r.id = ?1) "
    "FROM (SELECT cpu, sum (lost) AS lost, min (from_ns <= to_ns AND lost > 0) AS ordered FROM gap "
    "       WHERE run = ?1 GROUP BY cpu) g GROUP BY g.cpu", "i", run->id);
  uint64_t missing, lost, before;
  gint64 ordered, ended;
  guint cpu;

  while (gilk_sql_next (check->store, stmt, &local) &&
         gilk_sql_row (check->store, stmt, &local, "uninni", &cpu, &missing, &ordered, &lost, &before,
                       &ended))
    if (!ordered || before > missing || (ended && lost > missing))
      add_problem (check, _("run %" PRId64 ", CPU %u: the numbers of lost samples contradict each other: %" PRIu64 " "
                            "in gaps, %" PRIu64 " by hook, %" PRIu64 " before a chunk"),
                   run->id, cpu, (guint64) missing, (guint64) lost,
                   (guint64) before);

  return gilk_check_end (&local, error);
}

/* Checks one run's samples of an instrument. */
static gboolean
check_instrument (Check *check, const GArray *all, const char *instrument, GError **error)
{
  g_autoptr(GArray) hooks = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));

  for (guint i = 0; i < all->len; i++)
    if (strcmp (g_array_index (all, GilkStoredHook, i).instrument, instrument) == 0)
      g_array_append_val (hooks, g_array_index (all, GilkStoredHook, i));

  return hooks->len == 0 ||
         check_hooks (check, (const GilkStoredHook *) hooks->data, hooks->len, error);
}

/* ---- programs ---- */

static gboolean
check_program (Check *check, const GilkStoredHook *hook, GError **error)
{
  GError *local = NULL;
  g_autoptr(GilkStoredProgram) program = gilk_store_program (check->store, hook, &local);
  g_autoptr(GArray) kept = local == NULL ? gilk_store_maps (check->store, hook, &local) : NULL;

  if (kept != NULL && kept->len > 0 && program == NULL)
    add_problem (check, _("run %" PRId64 ", hook %s: the maps of a program are stored, but not "
                          "the program"), hook->run,
                 hook->label);
  if (local == NULL)
    return TRUE;
  if (!g_error_matches (local, GILK_ERROR, GILK_ERROR_FORMAT))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  add_problem (check, _("run %" PRId64 ", hook %s: %s"), hook->run, hook->label, local->message);
  g_error_free (local);

  return TRUE;
}

/* Counts program rows to which no hook refers. */
static gboolean
check_strays (Check *check, GError **error)
{
  gint64 strays = 0;

  if (!gilk_sql_value (check->store, error, &strays, 0,
                       "SELECT (SELECT count (*) FROM program p WHERE NOT EXISTS (SELECT 1 FROM hook h WHERE h.id = p.hook)) + "
                       "(SELECT count (*) FROM map t WHERE NOT EXISTS (SELECT 1 FROM hook h WHERE h.id = t.hook)) + "
                       "(SELECT count (*) FROM map_value v WHERE NOT EXISTS (SELECT 1 FROM map t WHERE t.id = v.map))",
                       ""))
    return FALSE;
  if (strays > 0)
    add_problem (check, _("%" PRId64 " rows of programs and their maps belong to no hook"), strays);

  return TRUE;
}

/* ---- sketches ---- */

#define BATCH 1024

enum { ID, CODEC, DATA, SKETCH, N, TYPE };      /* columns of the SQL statement that lists
                                                 * sketches */

typedef struct {
  GilkCodec  *codec;
  GilkSketch *kept, *made;
  gint64     *values;         /* buffer for the values of one column, with GILK_CHUNK_SAMPLES_MAX
                               * elements */
} SketchCheck;

static void
sketch_check_clear (SketchCheck *check)
{
  gilk_codec_free (check->codec);
  gilk_sketch_free (check->kept);
  gilk_sketch_free (check->made);
  g_free (check->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SketchCheck, sketch_check_clear)

/* Reads the @n values in @stmt's current row. Returns FALSE if they cannot be read; another check
 * reports that. */
static gboolean
read_values (SketchCheck *check, sqlite3_stmt *stmt, guint n)
{
  const uint8_t *bytes = sqlite3_column_blob (stmt, DATA);
  gsize size = (gsize) sqlite3_column_bytes (stmt, DATA);

  return (sqlite3_column_int64 (stmt, CODEC) == GILK_CODEC_PLAIN ||
          gilk_codec_unpack (check->codec, bytes, size, GILK_COLUMN_BYTES_MAX, &bytes, &size)) &&
         gilk_column_read (bytes, size, check->values, n);
}

static gboolean
is_sketch_right (SketchCheck *check, sqlite3_stmt *stmt, guint n, guint type)
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

/* Counts the chunks' sketches that do not match their samples. */
static gboolean
count_wrong_sketches (GilkStore *store, uint64_t *wrong, GError **error)
{
  GError *local = NULL;
  GILK_AUTO_STMT stmt = NULL;
  g_auto(SketchCheck) check = { NULL };

  *wrong = 0;
  stmt = gilk_sql_prepare (store, &local, "SELECT s.id, d.codec, d.data, s.data, c.n, f.type FROM chunk_sketch s "
                           "LEFT JOIN chunk c ON c.id = s.id / 16 LEFT JOIN chunk_column d ON d.id = s.id "
                           "LEFT JOIN field f ON f.instrument = c.instrument AND f.position = s.id % 16 - 2", "");
  check = (SketchCheck) { gilk_codec_new (), gilk_sketch_new (), gilk_sketch_new (), g_new (gint64, GILK_CHUNK_SAMPLES_MAX) };
  while (gilk_sql_next (store, stmt, &local))
    {
      gint64 n = sqlite3_column_int64 (stmt, N), type = sqlite3_column_int64 (stmt, TYPE);
      gboolean is_there = sqlite3_column_type (stmt, N) == SQLITE_INTEGER && n > 0 && n <= GILK_CHUNK_SAMPLES_MAX &&
                          sqlite3_column_type (stmt, TYPE) == SQLITE_INTEGER && type >= 0 && type < ILK_FIELD_TEXT &&
                          sqlite3_column_type (stmt, DATA) == SQLITE_BLOB;

      if (!is_there || (read_values (&check, stmt, (guint) n) && !is_sketch_right (&check, stmt, (guint) n, (guint) type)))
        ++*wrong;
    }

  return gilk_check_end (&local, error);
}

static gboolean
check_sketches (Check *check, GError **error)
{
  uint64_t wrong;

  if (!count_wrong_sketches (check->store, &wrong, error))
    return FALSE;
  if (wrong > 0)
    add_problem (check, _("%" PRIu64 " stored histograms of sample chunks do not match the samples"), wrong);

  return TRUE;
}

/* ---- all ---- */

static gboolean
check_run (Check *check, const GilkStoredRun *run, GError **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (check->store, run->id, error);
  GILK_AUTO_STMT stmt = gilk_sql_prepare (check->store, error, "SELECT DISTINCT name FROM instrument "
                                          "WHERE run = ? AND takes_samples", "i", run->id);
  g_autoptr(GError) local = NULL;

  if (hooks == NULL || stmt == NULL)
    return FALSE;
  gilk_progress (check->progress, _("Reading samples"), -1.0);
  while (gilk_sql_next (check->store, stmt, &local))
    {
      g_autofree char *instrument = NULL;

      if (!gilk_sql_row (check->store, stmt, &local, "s", &instrument) ||
          !check_instrument (check, hooks, instrument, &local))
        break;
    }

  if (!gilk_check_end (&local, error))
    return FALSE;
  for (guint i = 0; i < hooks->len; i++)
    if (!check_program (check, &g_array_index (hooks, GilkStoredHook, i), error))
      return FALSE;

  return check_gaps (check, run, error);
}

GPtrArray *
gilk_store_verify (const char         *path,
                   const GilkProgress *progress,
                   GCancellable       *cancellable,
                   GError            **error)
{
  g_autoptr(GilkStore) store = gilk_store_open_read (path, cancellable, error);
  g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  Check check = { store, progress, problems };
  g_autoptr(GArray) runs = NULL;

  if (store == NULL)
    return NULL;
  gilk_progress (progress, _("Checking pages"), -1.0);
  if (!check_pages (&check, error) || (runs = gilk_store_runs (store, error)) == NULL)
    return NULL;
  for (guint i = 0; i < runs->len; i++)
    if (!check_run (&check, &g_array_index (runs, GilkStoredRun, i), error))
      return NULL;

  gilk_progress (progress, _("Comparing checksums"), -1.0);

  return check_sketches (&check, error) && check_strays (&check, error) &&
         gilk_store_verify_sums (store, runs, problems, error) ? g_steal_pointer (&problems) : NULL;
}
