/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-notes.c - tests that notes are stored, changed, removed and listed
 */
#include "core/base/gilk-error.h"
#include "core/store/gilk-store-notes.h"
#include "tests/store-fixture.h"

typedef struct {
  StoreFixture at;
  GilkStore *store;
  gint64     run;
} Fixture;

static void
set_up (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;

  f->at = fixture_new ();
  f->store = fixture_open (f->at.path);
  f->run = fixture_begin (f->store, 1);
  g_assert_true (gilk_store_end_run (f->store, f->run, 20000000000, "stopped", &error));
  g_assert_no_error (error);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  gilk_store_close (f->store, NULL);
  fixture_clear (&f->at);
}

static gint64
put_note (Fixture *f, gint64 id, gint64 from, gint64 to, const char *text)
{
  GilkStoredNote note = { .id = id, .run = f->run, .from_ns = from, .to_ns = to, .text = (char *) text, .author = "me" };
  g_autoptr(GError) error = NULL;
  gint64 made = 0;

  g_assert_true (gilk_store_put_note (f->store, &note, &made, &error));
  g_assert_no_error (error);

  return made;
}

/* Returns e.g. "9 s: words; the whole run: others". */
static char *
get_notes_text (GilkStore *store, gint64 run)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) notes = gilk_store_notes (store, run, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);
      g_autofree char *when = gilk_stored_note_when (note);

      g_string_append_printf (text, "%s%s: %s", i > 0 ? "; " : "", when, note->text);
    }

  return g_string_free (text, FALSE);
}

static void
test_by_time (Fixture *f, gconstpointer unused)
{
  g_autofree char *all = NULL, *changed = NULL, *fewer = NULL;
  g_autoptr(GError) error = NULL;
  gint64 first, second;

  put_note (f, 0, GILK_NOTE_WHOLE_RUN, GILK_NOTE_WHOLE_RUN, "a quiet machine");
  first = put_note (f, 0, 9100000000, 9900000000, "rings full");
  second = put_note (f, 0, 2000000000, 2000000000, "cron");
  all = get_notes_text (f->store, f->run);
  g_assert_cmpstr (all, ==, "2 s: cron; 9.1 s to 9.9 s: rings full; the whole run: a quiet machine");
  g_assert_cmpint (put_note (f, first, 1000000000, 1000000000, "it was this"), ==, first);
  changed = get_notes_text (f->store, f->run);
  g_assert_cmpstr (changed, ==, "1 s: it was this; 2 s: cron; the whole run: a quiet machine");
  g_assert_true (gilk_store_remove_note (f->store, second, &error));
  fewer = get_notes_text (f->store, f->run);
  g_assert_cmpstr (fewer, ==, "1 s: it was this; the whole run: a quiet machine");
  g_assert_false (gilk_store_remove_note (f->store, second, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
}

static void
assert_refused (Fixture *f, const GilkStoredNote *note, int code)
{
  g_autoptr(GError) error = NULL;

  g_assert_false (gilk_store_put_note (f->store, note, NULL, &error));
  g_assert_error (error, GILK_ERROR, code);
}

static void
test_refused (Fixture *f, gconstpointer unused)
{
  g_autofree char *endless = g_strnfill (GILK_NOTE_BYTES + 1, 'x');

  assert_refused (f, &(GilkStoredNote) { .run = f->run, .text = (char *) " \n" }, GILK_ERROR_USAGE);
  assert_refused (f, &(GilkStoredNote) { .run = f->run, .text = endless }, GILK_ERROR_USAGE);
  assert_refused (f, &(GilkStoredNote) { .run = f->run, .from_ns = 5, .to_ns = 4, .text = (char *) "x" }, GILK_ERROR_USAGE);
  assert_refused (f, &(GilkStoredNote) { .run = 77, .text = (char *) "x" }, GILK_ERROR_NOT_FOUND);
  assert_refused (f, &(GilkStoredNote) { .id = 77, .run = f->run, .text = (char *) "x" }, GILK_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/notes/by-time", Fixture, NULL, set_up, test_by_time, tear_down);
  g_test_add ("/notes/refused", Fixture, NULL, set_up, test_refused, tear_down);

  return g_test_run ();
}
