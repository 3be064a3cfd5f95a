/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flip-session.c - checks that "gilk verify" detects changed bytes of a session
 *
 *   flip-session [--flips N] [--seed N]
 *
 * Changes single bytes of a small session, until N of these changes have altered an export. An
 * export is the plain SQLite file, which has all tables and samples, or any single-stream format.
 * "gilk verify" must detect each of these N changes. The same seed makes the same changes.
 */
#include "tests/fuzz/fuzz-session.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "core/export/gilk-export.h"
#include "core/store/gilk-store.h"

typedef struct {
  int    flips;
  gint64 seed;
  char  *folder, *path, *plain;
} Flip;

/* ---- checksum of the exported data ---- */

static gboolean
add_bytes (gpointer data, const char *bytes, gsize n, GError **error)
{
  g_checksum_update (data, (const guchar *) bytes, (gssize) n);

  return TRUE;
}

/* Updates the checksum @sum with the exports of a run in all single-stream formats. If an export
 * fails, adds its error message to the checksum instead. */
static void
export_run (GilkStore *store, const GilkStoredRun *run, GChecksum *sum)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, run->id, NULL);

  for (guint i = 0; hooks != NULL && i < gilk_export_n_formats (); i++)
    {
      const GilkExportFormat *format = gilk_export_format (i);
      g_autoptr(GError) error = NULL;
      GilkExportJob job;

      if ((format->flags & GILK_EXPORT_FOLDER) != 0)
        continue;
      gilk_export_job_init (&job, store, run, hooks);
      if ((format->flags & GILK_EXPORT_ALONE) != 0)
        job.n_hooks = MIN (job.n_hooks, 1);
      if (!gilk_export_to_stream (format, &job, add_bytes, sum, &error))
        g_checksum_update (sum, (const guchar *) error->message, -1);
    }
}

/* Returns: (transfer full): a checksum over the plain SQLite file and all exports */
static char *
export_all (Flip *flip)
{
  g_autoptr(GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr(GilkStore) store = gilk_store_open_read (flip->path, NULL, NULL);
  g_autoptr(GArray) runs = store != NULL ? gilk_store_runs (store, NULL) : NULL;
  g_autofree char *bytes = NULL;
  gsize length;

  g_unlink (flip->plain);
  if (gilk_store_export_plain (flip->path, flip->plain, NULL, NULL, NULL) &&
      g_file_get_contents (flip->plain, &bytes, &length, NULL))
    g_checksum_update (sum, (const guchar *) bytes, (gssize) length);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    export_run (store, &g_array_index (runs, GilkStoredRun, i), sum);

  return g_strdup (g_checksum_get_string (sum));
}

static gboolean
is_found (Flip *flip)
{
  g_autoptr(GPtrArray) problems = gilk_store_verify (flip->path, NULL, NULL, NULL);

  return problems == NULL || problems->len > 0;
}

/* ---- changing bytes of a session ---- */

static void
write_file (Flip *flip, const char *bytes, gsize size)
{
  g_autoptr(GError) error = NULL;

  if (!g_file_set_contents_full (flip->path, bytes, (gssize) size, G_FILE_SET_CONTENTS_NONE, 0600, &error))
    g_error ("%s", error->message);
}

/* Changes bytes of one session until @flips changes have altered an export. Returns how many of
 * these changes were not detected. */
static int
try_session (Flip *flip, Dice *dice, GBytes *session, int flips, const char *name)
{
  gsize size;
  const char *whole = g_bytes_get_data (session, &size);
  g_autofree char *bytes = g_memdup2 (whole, size), *before = NULL;
  int changed = 0, tried = 0, missed = 0, of_no_matter = 0;

  write_file (flip, bytes, size);
  if (is_found (flip))
    {
      printf ("# verify finds something in a session that is whole\n");
      return 1;
    }
  before = export_all (flip);
  while (changed < flips)
    {
      guint at = fuzz_draw (dice, (guint) size);
      g_autofree char *after = NULL;
      gboolean differs;

      bytes[at] = (char) (whole[at] ^ (char) (1 + fuzz_draw (dice, 255)));
      write_file (flip, bytes, size);
      after = export_all (flip);
      differs = strcmp (before, after) != 0;
      changed += differs;
      of_no_matter += !differs;
      tried++;
      if (differs && !is_found (flip))
        {
          missed++;
          printf ("# not found: byte %u of the %s session, %02x for %02x\n", at, name, (guint8) bytes[at], (guint8) whole[at]);
        }
      bytes[at] = whole[at];
    }
  printf ("# %s session of %" G_GSIZE_FORMAT " bytes: %d flips, %d of no matter to what is exported, %d not found\n", name,
          size, tried, of_no_matter, missed);

  return missed;
}

int
main (int argc, char **argv)
{
  Flip flip = { .flips = 400, .seed = 1 };
  const GOptionEntry entries[] = {
    { "flips", 0, 0, G_OPTION_ARG_INT, &flip.flips, "Flips that change what is exported", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &flip.seed, "The same flips again", "N" },
    { NULL }
  };
  static const char *const names[] = { "plain", "compressed" };
  g_autoptr(GOptionContext) context = g_option_context_new ("- flip bytes of sessions");
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) sessions = NULL;
  int missed = 0;
  Dice dice;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  flip.folder = g_dir_make_tmp ("gilk-flip-XXXXXX", NULL);
  flip.path = g_build_filename (flip.folder, "session.gilk", NULL);
  flip.plain = g_build_filename (flip.folder, "plain.sqlite", NULL);
  sessions = fuzz_make_sessions (flip.folder);
  dice.state = (uint64_t) flip.seed * 2654435761u + 88172645463325252u;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    missed += try_session (&flip, &dice, sessions->pdata[i], flip.flips / (int) G_N_ELEMENTS (names), names[i]);
  printf ("%s 1 - verify finds each of %d flipped bytes that change what is exported\n1..1\n", missed == 0 ? "ok" : "not ok",
          flip.flips);
  g_unlink (flip.path);
  g_unlink (flip.plain);
  g_rmdir (flip.folder);
  g_free (flip.folder);
  g_free (flip.path);
  g_free (flip.plain);

  return missed == 0 ? 0 : 1;
}
