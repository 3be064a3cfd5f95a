/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-export-faults.c - tests exports to a full disk or an unusable target, and exports that are
 * cancelled
 *
 * An export must write its file completely or not at all. If the export fails, an existing file
 * must stay unchanged.
 */
#include <gio/gio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/export/gilk-export.h"
#include "tests/store-fixture.h"

#define RECORDS 100000
/* Free disk space in bytes: too little for the samples in any format. */
#define ROOM    (100 << 10)

typedef struct {
  StoreFixture  at;
  char         *out;
  GCancellable *cancellable;
  GilkStore    *store;
  GArray       *runs, *hooks;
  GilkExportJob job;
} Fixture;

static void
record_session (const char *path)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  gint64 run = fixture_begin_run (store, &error);
  g_autofree struct ilk_record *records = g_new0 (struct ilk_record, RECORDS);
  guint stored;

  g_assert_no_error (error);
  for (guint i = 0; i < RECORDS; i++)
    records[i] = (struct ilk_record) { .commit = 1, .tsc = i * 977ull, .iid = 1 };
  gilk_store_add_records (store, run, 0, records, RECORDS * sizeof *records, &stored, &error);
  g_assert_no_error (error);
  fixture_end (store, run, 1);
}

static void
set_up (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;

  f->at = fixture_new ();
  f->out = g_build_filename (f->at.dir, "out", NULL);
  f->cancellable = g_cancellable_new ();
  record_session (f->at.path);
  f->store = gilk_store_open_read (f->at.path, f->cancellable, &error);
  f->runs = gilk_store_runs (f->store, &error);
  f->hooks = fixture_hooks (f->store);
  g_assert_no_error (error);
  gilk_export_job_init (&f->job, f->store, &g_array_index (f->runs, GilkStoredRun, 0), f->hooks);
}

/* Counts the files in the folder, except the session. */
static guint
count_files (const Fixture *f)
{
  g_autoptr(GDir) dir = g_dir_open (f->at.dir, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;

  return n - 1;
}

static void
remove_out (const Fixture *f)
{
  g_autoptr(GDir) dir = g_dir_open (f->out, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (f->out, name, NULL);

      g_unlink (path);
    }
  g_remove (f->out);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  g_array_unref (f->runs);
  g_array_unref (f->hooks);
  gilk_store_free (f->store);
  g_object_unref (f->cancellable);
  remove_out (f);
  g_assert_cmpuint (count_files (f), ==, 0);
  fixture_clear (&f->at);
  g_free (f->out);
}

static void
limit_files (rlim_t bytes)
{
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = MIN (bytes, limit.rlim_max);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

static gboolean
is_small (const GilkExportFormat *format)
{
  return g_str_equal (format->name, "stacks") || g_str_equal (format->name, "lcov");
}

static void
test_full (Fixture *f, gconstpointer unused)
{
  signal (SIGXFSZ, SIG_IGN);
  for (guint i = 0; i < gilk_export_n_formats (); i++)
    {
      g_autoptr(GError) error = NULL;
      gboolean done;

      if (is_small (gilk_export_format (i)))
        continue;
      limit_files (ROOM);
      done = gilk_export_to_path (gilk_export_format (i), &f->job, f->out, &error);
      limit_files (RLIM_INFINITY);
      g_assert_false (done);
      g_assert_error (error, GILK_ERROR, GILK_ERROR_FAILED);
      g_assert_nonnull (strstr (error->message, "Cannot write"));
      g_assert_cmpuint (count_files (f), ==, 0);
    }
}

/* Tests that an export to a device writes to the device directly and does not replace it. */
static void
test_device (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;

  g_assert_false (gilk_export_to_path (gilk_export_format_by_name ("csv"), &f->job, "/dev/full", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_true (gilk_export_to_path (gilk_export_format_by_name ("csv"), &f->job, "/dev/null", &error));
  g_assert_no_error (error);
}

static void
cancel_at_fraction (const char *what, double fraction, gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
}

static void
test_cancelled (Fixture *f, gconstpointer unused)
{
  const GilkProgress progress = { cancel_at_fraction, f->cancellable };

  f->job.progress = &progress;
  for (guint i = 0; i < gilk_export_n_formats (); i++)
    {
      g_autoptr(GError) error = NULL;

      if (g_str_equal (gilk_export_format (i)->name, "lcov"))
        continue;
      g_cancellable_reset (f->cancellable);
      g_assert_false (gilk_export_to_path (gilk_export_format (i), &f->job, f->out, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
      g_assert_cmpuint (count_files (f), ==, 0);
    }
}

static void
test_there (Fixture *f, gconstpointer unused)
{
  const GilkExportFormat *csv = gilk_export_format_by_name ("csv");
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_true (g_file_set_contents (f->out, "mine", -1, NULL));
  g_assert_false (gilk_export_to_path (csv, &f->job, f->out, &error));
  g_assert_nonnull (strstr (error->message, "--force"));
  g_clear_error (&error);

  /* While the export is written, and if it fails, the old file must stay unchanged. */
  f->job.replace = TRUE;
  signal (SIGXFSZ, SIG_IGN);
  limit_files (ROOM);
  g_assert_false (gilk_export_to_path (csv, &f->job, f->out, &error));
  limit_files (RLIM_INFINITY);
  g_assert_true (g_file_get_contents (f->out, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "mine");
  g_clear_error (&error);
  g_assert_true (gilk_export_to_path (csv, &f->job, f->out, &error));
  g_assert_cmpuint (count_files (f), ==, 1);
}

/* Tests that an export may replace a folder only if the folder contains an exported trace and
 * nothing else. */
static void
test_folder (Fixture *f, gconstpointer unused)
{
  const GilkExportFormat *ctf = gilk_export_format_by_name ("ctf");
  g_autofree char *other = g_build_filename (f->out, "letter.txt", NULL);
  g_autoptr(GError) error = NULL;

  g_assert_true (gilk_export_to_path (ctf, &f->job, f->out, &error));
  g_assert_false (gilk_export_to_path (ctf, &f->job, f->out, &error));
  g_clear_error (&error);
  f->job.replace = TRUE;
  g_assert_true (gilk_export_to_path (ctf, &f->job, f->out, &error));
  g_assert_true (g_file_set_contents (other, "mine", -1, NULL));
  g_assert_false (gilk_export_to_path (ctf, &f->job, f->out, &error));
  g_assert_nonnull (strstr (error->message, "letter.txt"));
  g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (count_files (f), ==, 1);
}

int
main (int argc, char **argv)
{
  static const struct { const char *name; void (*run) (Fixture *, gconstpointer); } tests[] = {
    { "/export/full", test_full }, { "/export/device", test_device }, { "/export/cancelled", test_cancelled },
    { "/export/there", test_there }, { "/export/folder", test_folder },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].run, tear_down);

  return g_test_run ();
}
