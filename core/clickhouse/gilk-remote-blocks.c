/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-blocks.c - sends rows of a run to a store, block by block
 */
#include "core/clickhouse/gilk-remote-blocks.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-error.h"

struct _GilkRemoteBlocks {
  GilkRemote         *remote;
  GilkLedger         *ledger;
  uint64_t            run;
  guint               day;
  char               *path;
  const GilkProgress *progress;
  uint64_t            expected;

  GByteArray         *bytes;
  GilkNative         *rows;       /* rows of the table that is being sent; NULL: none is being
                                   * sent */
  const char         *table;
  GilkLedgerKind      kind;
  guint               n;
  guint               run_column, block_column, attempt_column, day_column;
  guint32             next[GILK_LEDGER_KINDS];        /* number of the next block of each kind of
                                                       * rows */
  GilkRemoteRowsSent  sent[GILK_LEDGER_KINDS];
};

GilkRemoteBlocks *
gilk_remote_blocks_new (GilkRemote         *remote,
                        GilkLedger         *ledger,
                        uint64_t            run,
                        guint               day,
                        const char         *path,
                        const GilkProgress *progress,
                        uint64_t            expected)
{
  GilkRemoteBlocks *blocks = g_new0 (GilkRemoteBlocks, 1);

  blocks->remote = remote;
  blocks->ledger = ledger;
  blocks->run = run;
  blocks->day = day;
  blocks->path = g_strdup (path);
  blocks->progress = progress;
  blocks->expected = expected;
  blocks->bytes = g_byte_array_new ();

  return blocks;
}

void
gilk_remote_blocks_free (GilkRemoteBlocks *blocks)
{
  if (blocks == NULL)
    return;

  g_clear_pointer (&blocks->rows, gilk_native_free);
  g_byte_array_unref (blocks->bytes);
  g_free (blocks->path);
  g_free (blocks);
}

gboolean
gilk_remote_blocks_insert (GilkRemoteBlocks *blocks,
                           const char       *table,
                           const GilkNative *rows,
                           guint             n,
                           GError          **error)
{
  g_autofree char *names = gilk_native_names (rows);
  g_autofree char *into = g_strdup_printf ("INSERT INTO %s.%s %s FORMAT Native",
                                           gilk_remote_url (blocks->remote)->database, table, names);

  gilk_native_write (rows, n, blocks->bytes);

  return gilk_remote_insert (blocks->remote, into, blocks->bytes->data, blocks->bytes->len, error);
}

gboolean
gilk_remote_blocks_same (const GilkRemoteBlocks *blocks,
                         const GilkLedgerLine   *line,
                         uint64_t                rows,
                         const char             *digest,
                         GError                **error)
{
  if (line->rows == rows && strcmp (line->digest, digest) == 0)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_STORE,
      _("The store at %s has run %016" PRIx64 " with other data than %s: the session "
        "was changed after it was pushed. Push to another database, or delete the run "
        "from the store first."),
      gilk_remote_name (blocks->remote), blocks->run, blocks->path);
}

gboolean
gilk_remote_blocks_note (GilkRemoteBlocks *blocks,
                         GilkLedgerKind    kind,
                         guint32           block,
                         uint64_t          attempt,
                         uint64_t          rows,
                         const char       *digest,
                         GError          **error)
{
  GilkLedgerLine line = { .kind = kind, .block = block, .attempt = attempt, .rows = rows, .valid = TRUE };

  g_strlcpy (line.digest, digest, sizeof line.digest);

  return gilk_ledger_add (blocks->ledger, &line, error);
}

/* ---- sends blocks of rows ---- */

GilkNative *
gilk_remote_blocks_begin (GilkRemoteBlocks *blocks,
                          GilkLedgerKind    kind,
                          const char       *table)
{
  g_assert (blocks->n == 0);
  g_clear_pointer (&blocks->rows, gilk_native_free);
  blocks->rows = gilk_native_new ();
  blocks->table = table;
  blocks->kind = kind;
  blocks->run_column = gilk_native_column (blocks->rows, "run", GILK_NATIVE_U64);
  blocks->block_column = gilk_native_column (blocks->rows, "block", GILK_NATIVE_U32);
  blocks->attempt_column = gilk_native_column (blocks->rows, "attempt", GILK_NATIVE_U64);
  blocks->day_column = gilk_native_column (blocks->rows, "day", GILK_NATIVE_DAY);

  return blocks->rows;
}

GilkRemoteRowsSent
gilk_remote_blocks_sent (const GilkRemoteBlocks *blocks,
                         GilkLedgerKind          kind)
{
  return blocks->sent[kind];
}

static void
report_progress (const GilkRemoteBlocks *blocks)
{
  uint64_t done = 0;

  for (guint kind = 0; kind < GILK_LEDGER_KINDS; kind++)
    done += blocks->sent[kind].sent + blocks->sent[kind].already_stored;
  gilk_progress (blocks->progress, _("Pushing samples"),
                 blocks->expected > 0 ? MIN (1.0, (double) done / (double) blocks->expected) : -1.0);
}

static gboolean
send_block (GilkRemoteBlocks *blocks, const char *digest, GError **error)
{
  uint64_t attempt = gilk_ledger_attempt ();

  gilk_native_put_all (blocks->rows, blocks->attempt_column, attempt, blocks->n);
  if (!gilk_remote_blocks_insert (blocks, blocks->table, blocks->rows, blocks->n, error) ||
      !gilk_remote_blocks_note (blocks, blocks->kind, blocks->next[blocks->kind], attempt, blocks->n, digest, error))
    return FALSE;
  blocks->sent[blocks->kind].sent += blocks->n;

  return TRUE;
}

gboolean
gilk_remote_blocks_end (GilkRemoteBlocks *blocks,
                        GError          **error)
{
  const guint32 block = blocks->next[blocks->kind];
  g_autofree char *digest = NULL;
  const GilkLedgerLine *line;
  gboolean ok;

  if (blocks->n == 0)
    return TRUE;
  gilk_native_put_all (blocks->rows, blocks->run_column, blocks->run, blocks->n);
  gilk_native_put_all (blocks->rows, blocks->block_column, block, blocks->n);
  gilk_native_put_all (blocks->rows, blocks->day_column, blocks->day, blocks->n);
  digest = gilk_native_digest (blocks->rows);
  line = gilk_ledger_find (blocks->ledger, blocks->kind, block);
  if (line == NULL && !gilk_ledger_reload (blocks->ledger, blocks->kind, block, error))
    return FALSE;
  line = gilk_ledger_find (blocks->ledger, blocks->kind, block);
  if (line != NULL)
    {
      ok = gilk_remote_blocks_same (blocks, line, blocks->n, digest, error);
      blocks->sent[blocks->kind].already_stored += ok ? blocks->n : 0;
    }
  else
    ok = send_block (blocks, digest, error);
  gilk_native_clear (blocks->rows);
  blocks->n = 0;
  blocks->next[blocks->kind]++;
  report_progress (blocks);

  return ok;
}

gboolean
gilk_remote_blocks_row (GilkRemoteBlocks *blocks,
                        GError          **error)
{
  blocks->n++;

  return blocks->n < GILK_REMOTE_BLOCK || gilk_remote_blocks_end (blocks, error);
}
