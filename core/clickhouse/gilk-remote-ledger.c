/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-ledger.c - reads and adds lines of a store's ledger
 */
#include "core/clickhouse/gilk-remote-ledger.h"

#include <string.h>

struct _GilkLedger {
  GilkRemote *remote;
  uint64_t    run;
  GHashTable *lines;              /* table from a block's key, made by make_key(), to the block's
                                   * valid GilkLedgerLine */
};

static gpointer
make_key (GilkLedgerKind kind, guint32 block)
{
  return GSIZE_TO_POINTER (((gsize) kind + 1) << 32 | block);
}

/* Adds a line. If a block was sent in several attempts, the line of the attempt with the lowest
 * number is valid. */
static void
add_line (GilkLedger *ledger, const GilkLedgerLine *line)
{
  const GilkLedgerLine *had = gilk_ledger_find (ledger, line->kind, line->block);

  if (!line->valid)
    {
      if (had != NULL && had->attempt == line->attempt)
        g_hash_table_remove (ledger->lines, make_key (line->kind, line->block));
    }
  else if (had == NULL || line->attempt < had->attempt)
    g_hash_table_replace (ledger->lines, make_key (line->kind, line->block), g_memdup2 (line, sizeof *line));
}

static gboolean
read_lines (GilkLedger *ledger, const char *condition, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
    "SELECT toUInt64(kind), toUInt64(block), attempt, max(rows), max(digest) FROM %s.gilk_ledger WHERE run = "
    "%" G_GUINT64_FORMAT "%s GROUP BY kind, block, attempt HAVING min(complete) = 1",
    gilk_remote_url (ledger->remote)->database, ledger->run, condition);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (ledger->remote, "uuuus", sql, error);

  if (rows == NULL)
    return FALSE;
  for (guint i = 0; i < rows->n; i++)
    {
      GilkLedgerLine line = { .attempt = gilk_remote_rows_uint (rows, i, 2), .rows = gilk_remote_rows_uint (rows, i, 3),
                              .valid = TRUE };

      line.kind = (GilkLedgerKind) MIN (gilk_remote_rows_uint (rows, i, 0), GILK_LEDGER_KINDS);
      line.block = (guint32) MIN (gilk_remote_rows_uint (rows, i, 1), G_MAXUINT32);
      g_strlcpy (line.digest, gilk_remote_rows_text (rows, i, 4), sizeof line.digest);
      add_line (ledger, &line);
    }

  return TRUE;
}

GilkLedger *
gilk_ledger_read (GilkRemote *remote,
                  uint64_t    run,
                  GError    **error)
{
  g_autoptr(GilkLedger) ledger = g_new0 (GilkLedger, 1);

  ledger->remote = remote;
  ledger->run = run;
  ledger->lines = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  return read_lines (ledger, "", error) ? g_steal_pointer (&ledger) : NULL;
}

void
gilk_ledger_free (GilkLedger *ledger)
{
  if (ledger == NULL)
    return;

  g_hash_table_unref (ledger->lines);
  g_free (ledger);
}

const GilkLedgerLine *
gilk_ledger_find (const GilkLedger *ledger,
                  GilkLedgerKind    kind,
                  guint32           block)
{
  return g_hash_table_lookup (ledger->lines, make_key (kind, block));
}

uint64_t
gilk_ledger_rows (const GilkLedger *ledger,
                  GilkLedgerKind    kind)
{
  const GilkLedgerLine *line;
  GHashTableIter iter;
  uint64_t rows = 0;

  g_hash_table_iter_init (&iter, ledger->lines);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &line))
    rows += line->kind == kind ? line->rows : 0;

  return rows;
}

/* Returns whether rows of @kind are divided into blocks. */
static gboolean
is_in_blocks (GilkLedgerKind kind)
{
  return kind == GILK_LEDGER_SAMPLES || kind == GILK_LEDGER_READINGS;
}

gboolean
gilk_ledger_reload (GilkLedger    *ledger,
                    GilkLedgerKind kind,
                    guint32        block,
                    GError       **error)
{
  g_autofree char *condition = g_strdup_printf (" AND kind = %d AND block = %u", kind, block);

  return read_lines (ledger, condition, error);
}

gboolean
gilk_ledger_add (GilkLedger           *ledger,
                 const GilkLedgerLine *line,
                 GError              **error)
{
  g_autofree char *into = g_strdup_printf ("INSERT INTO %s.gilk_ledger FORMAT Native",
                                           gilk_remote_url (ledger->remote)->database);
  g_autoptr(GilkNative) native = gilk_native_new ();
  g_autoptr(GByteArray) bytes = g_byte_array_new ();

  gilk_native_put (native, gilk_native_column (native, "run", GILK_NATIVE_U64), ledger->run);
  gilk_native_put (native, gilk_native_column (native, "kind", GILK_NATIVE_U8), line->kind);
  gilk_native_put (native, gilk_native_column (native, "block", GILK_NATIVE_U32), line->block);
  gilk_native_put (native, gilk_native_column (native, "attempt", GILK_NATIVE_U64), line->attempt);
  gilk_native_put (native, gilk_native_column (native, "rows", GILK_NATIVE_U64), line->rows);
  gilk_native_put_text (native, gilk_native_column (native, "digest", GILK_NATIVE_TEXT), line->digest);
  gilk_native_put (native, gilk_native_column (native, "complete", GILK_NATIVE_U8), line->valid);
  gilk_native_put (native, gilk_native_column (native, "at_s", GILK_NATIVE_U32),
                   (uint64_t) (g_get_real_time () / G_USEC_PER_SEC));
  gilk_native_write (native, 1, bytes);
  if (!gilk_remote_insert (ledger->remote, into, bytes->data, bytes->len, error))
    return FALSE;
  add_line (ledger, line);

  return TRUE;
}

/* ---- finds rows that the server lost ---- */

/* Counts the rows that the server has of each attempt to send a block of the ledger's run. */
static GHashTable *
count_rows (const GilkLedger *ledger, GError **error)
{
  const char *database = gilk_remote_url (ledger->remote)->database;
  g_autofree char *sql = g_strdup_printf (
    "SELECT attempt, count() FROM (SELECT attempt FROM %s.gilk_sample WHERE run = %" G_GUINT64_FORMAT " UNION ALL "
    "SELECT attempt FROM %s.gilk_count_point WHERE run = %" G_GUINT64_FORMAT ") GROUP BY attempt", database, ledger->run,
    database, ledger->run);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (ledger->remote, "uu", sql, error);
  GHashTable *counts;

  if (rows == NULL)
    return NULL;
  counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  for (guint i = 0; i < rows->n; i++)
    {
      const uint64_t attempt = gilk_remote_rows_uint (rows, i, 0), n = gilk_remote_rows_uint (rows, i, 1);

      g_hash_table_replace (counts, g_memdup2 (&attempt, sizeof attempt), g_memdup2 (&n, sizeof n));
    }

  return counts;
}

/* Invalidates the ledger's lines about blocks of which rows are missing on the server. If a block
 * was sent twice, the line of the other attempt may become valid. */
static gboolean
verify_lines (GilkLedger *ledger, gboolean *changed, GError **error)
{
  g_autoptr(GHashTable) counts = count_rows (ledger, error);
  g_autoptr(GList) lines = NULL;

  *changed = FALSE;
  if (counts == NULL)
    return FALSE;
  lines = g_hash_table_get_values (ledger->lines);
  for (const GList *link = lines, *next; link != NULL; link = next)
    {
      GilkLedgerLine line = *(const GilkLedgerLine *) link->data;
      const uint64_t *n = g_hash_table_lookup (counts, &line.attempt);

      next = link->next;              /* get the next link now: add_line() may free a line, but not
                                       * the list */
      if (!is_in_blocks (line.kind) || (n != NULL && *n >= line.rows))
        continue;
      line.valid = FALSE;
      *changed = TRUE;
      if (!gilk_ledger_add (ledger, &line, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
gilk_ledger_verify (GilkLedger *ledger,
                    GError    **error)
{
  gboolean changed = TRUE;

  while (changed && gilk_ledger_rows (ledger, GILK_LEDGER_SAMPLES) + gilk_ledger_rows (ledger, GILK_LEDGER_READINGS) > 0)
    if (!verify_lines (ledger, &changed, error) || (changed && !read_lines (ledger, "", error)))
      return FALSE;

  return TRUE;
}

uint64_t
gilk_ledger_attempt (void)
{
  g_autofree char *uuid = g_uuid_string_random ();
  g_autoptr(GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize length = sizeof digest;
  uint64_t attempt;

  g_checksum_update (sum, (const guchar *) uuid, -1);
  g_checksum_get_digest (sum, digest, &length);
  memcpy (&attempt, digest, sizeof attempt);

  return attempt;
}

char *
gilk_ledger_valid_attempts_sql (const GilkRemote *remote,
                                GilkLedgerKind    kind,
                                const char       *runs)
{
  const char *block = is_in_blocks (kind) ? "block, " : "", *key = is_in_blocks (kind) ? ", block" : "";
  g_autofree char *of = runs != NULL ? g_strdup_printf (" AND run IN (%s)", runs) : g_strdup ("");

  return g_strdup_printf (
    "GLOBAL IN (SELECT run, %smin(attempt) FROM (SELECT run, %sattempt FROM %s.gilk_ledger WHERE kind = %d%s GROUP BY "
    "run, %sattempt HAVING min(complete) = 1) GROUP BY run%s)", block, block, gilk_remote_url (remote)->database, kind, of,
    block, key);
}
