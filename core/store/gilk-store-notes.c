/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-notes.c - writes and reads users' notes on a run
 */
#include "core/store/gilk-store-notes.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/store/gilk-store-checksum.h"
#include "core/store/gilk-store-transaction.h"

#define NOTES_MAX 10000             /* maximum number of notes read per run */

GILK_DEFINE_CLEAR (clear_note, GilkStoredNote, note,
                   gilk_free_all (note->text, note->author, note->written))

GilkStoredNote *
gilk_stored_note_copy (const GilkStoredNote *note)
{
  GilkStoredNote *copy = g_memdup2 (note, sizeof *note);

  copy->text = g_strdup (note->text);
  copy->author = g_strdup (note->author);
  copy->written = g_strdup (note->written);

  return copy;
}

void
gilk_stored_note_free (GilkStoredNote *note)
{
  clear_note (note);
  g_free (note);
}

char *
gilk_stored_note_when (const GilkStoredNote *note)
{
  char from[G_ASCII_DTOSTR_BUF_SIZE], to[G_ASCII_DTOSTR_BUF_SIZE];

  if (note->from_ns == GILK_NOTE_WHOLE_RUN)
    return g_strdup (_("the whole run"));
  g_ascii_formatd (from, sizeof from, "%.9g", note->from_ns / 1e9);
  g_ascii_formatd (to, sizeof to, "%.9g", note->to_ns / 1e9);

  return note->to_ns == note->from_ns ? g_strdup_printf (_("%s s"), from) : g_strdup_printf (_("%s s to %s s"), from, to);
}

/* ---- reading ---- */

static int
compare_by_time (gconstpointer one,
                 gconstpointer other)
{
  const GilkStoredNote *a = one, *b = other;
  gint64 at = a->from_ns == GILK_NOTE_WHOLE_RUN ? G_MAXINT64 : a->from_ns, bt = b->from_ns == GILK_NOTE_WHOLE_RUN ? G_MAXINT64 : b->from_ns;

  return at != bt ? (at > bt) - (at < bt) : (a->id > b->id) - (a->id < b->id);
}

static gboolean
read_note (GilkStore      *store,
           sqlite3_stmt   *stmt,
           GilkStoredNote *note,
           GError        **error)
{
  if (!gilk_sql_row (store, stmt, error, "iitiiitt", &note->id, &note->run, &note->written, &note->from_ns, &note->to_ns,
                     &note->hook, &note->author, &note->text))
    return FALSE;
  if (note->from_ns < 0)
    note->from_ns = note->to_ns = GILK_NOTE_WHOLE_RUN;
  note->to_ns = MAX (note->to_ns, note->from_ns);
  if (note->text != NULL && strlen (note->text) <= GILK_NOTE_BYTES)
    return TRUE;
  clear_note (note);

  return gilk_fail (error, GILK_ERROR_FORMAT, _("%s is damaged: a note is too long. Use a backup."),
                            gilk_store_path (store));
}

GArray *
gilk_store_notes (GilkStore *store,
                  gint64     run,
                  GError   **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt =
    gilk_sql_prepare (store, &local,
                      "SELECT id, run, written, coalesce (t_ns, -1), coalesce (to_ns, -1), coalesce (hook, 0), author, text "
                      "FROM note WHERE run = ?", "i", run);
  g_autoptr(GArray) notes = gilk_array_new (sizeof (GilkStoredNote), clear_note);

  while (notes->len < NOTES_MAX && gilk_sql_next (store, stmt, &local))
    {
      GilkStoredNote note = { 0 };

      if (read_note (store, stmt, &note, &local))
        g_array_append_val (notes, note);
    }
  g_array_sort (notes, compare_by_time);

  return gilk_check_end (&local, error) ? g_steal_pointer (&notes) : NULL;
}

/* ---- writing ---- */

static gboolean
check_note (const GilkStoredNote *note,
            GError              **error)
{
  g_autofree char *text = g_strstrip (g_strdup (note->text));

  if (*text == '\0' || !g_utf8_validate (note->text, -1, NULL))
    return gilk_fail (error, GILK_ERROR_USAGE, _("A note cannot be empty. Enter some text."));
  if (strlen (note->text) > GILK_NOTE_BYTES)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("A note can have at most %d bytes. Shorten it, or write two."),
                      GILK_NOTE_BYTES);
  if (note->from_ns != GILK_NOTE_WHOLE_RUN && (note->from_ns < 0 || note->to_ns < note->from_ns))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("A note's time must lie within the run, and its end must not "
                        "be before its start. Choose another time."));

  return TRUE;
}

/* Runs @sql to check that the row exists; if not, sets @error. */
static gboolean
check_row_exists (GilkStore  *store,
                  const char *sql,
                  gint64      id,
                  gboolean    note,
                  GError    **error)
{
  gint64 n;

  if (!gilk_sql_value (store, error, &n, 0, sql, "i", id))
    return FALSE;

  if (n > 0)
    return TRUE;

  return gilk_fail (error, GILK_ERROR_NOT_FOUND, note ? _("%s no longer has this note. "
                                                                  "Open the session again.")
                                                              : _("%s no longer has this run. "
                                                                  "Open the session again."),
                                                                gilk_store_path (store));
}

static gboolean
write_note (GilkStore            *store,
            const GilkStoredNote *note,
            GError              **error)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *written = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  gboolean somewhere = note->from_ns != GILK_NOTE_WHOLE_RUN;

  return note->id == 0
    ? gilk_store_write (store, error, "INSERT INTO note (run, written, t_ns, text, to_ns, hook, author) "
                        "VALUES (?, ?, nullif (?, -1), ?, nullif (?, -1), nullif (?, 0), ?)", "isisiis", note->run, written,
                        somewhere ? note->from_ns : -1, note->text, somewhere ? note->to_ns : -1, note->hook, note->author)
    : gilk_store_write (store, error, "UPDATE note SET written = ?, t_ns = nullif (?, -1), text = ?, to_ns = nullif (?, -1), "
                        "hook = nullif (?, 0), author = ? WHERE id = ?", "sisiisi", written, somewhere ? note->from_ns : -1,
                        note->text, somewhere ? note->to_ns : -1, note->hook, note->author, note->id);
}

/* Commits the notes of @run, and their checksum if the run has checksums. */
static gboolean
commit_notes (GilkStore *store,
              gint64     run,
              GError   **error)
{
  gboolean has;

  if (gilk_store_has_sums (store, run, &has, error) && (!has || gilk_store_sum_run (store, run, "note", error)))
    return gilk_store_sync (store, error);
  gilk_store_roll_back (store);

  return FALSE;
}

gboolean
gilk_store_put_note (GilkStore            *store,
                     const GilkStoredNote *note,
                     gint64               *id,
                     GError              **error)
{
  gint64 made = note->id;

  if (!check_note (note, error) ||
      !check_row_exists (store, "SELECT count (*) FROM run WHERE id = ?", note->run, FALSE, error) ||
      (note->id != 0 && !check_row_exists (store, "SELECT count (*) FROM note WHERE id = ?", note->id, TRUE, error)) ||
      !write_note (store, note, error))
    return FALSE;
  if (note->id == 0)
    made = gilk_sql_last_id (store);
  if (!commit_notes (store, note->run, error))
    return FALSE;
  if (id != NULL)
    *id = made;

  return TRUE;
}

gboolean
gilk_store_remove_note (GilkStore *store,
                        gint64     id,
                        GError   **error)
{
  gint64 run;

  return check_row_exists (store, "SELECT count (*) FROM note WHERE id = ?", id, TRUE, error) &&
         gilk_sql_value (store, error, &run, 0, "SELECT run FROM note WHERE id = ?", "i", id) &&
         gilk_store_write (store, error, "DELETE FROM note WHERE id = ?", "i", id) && commit_notes (store, run, error);
}
