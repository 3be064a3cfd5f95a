/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export.c - the table of formats, and the output of the writers
 */
#include "core/export/gilk-export-private.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  GilkExportFormat about;
  gboolean (*stream) (const GilkExportJob *job, GilkSink *sink, GError **error);
  gboolean (*folder) (const GilkExportJob *job, const GilkPartFolder *folder, GError **error);
  const char *const *files;         /* name patterns of the files in a folder of this format */
} Format;

static const Format formats[] = {
  { { "csv", ".csv", N_("Comma-separated values"),
      N_("Comma-separated values with a header (RFC 4180)"), GILK_EXPORT_CHOOSES | GILK_EXPORT_ALONE },
    .stream = gilk_export_csv },
  { { "ndjson", ".ndjson", N_("JSON, one object per line"),
      N_("One JSON object per line; totals and losses of each hook at the end"), GILK_EXPORT_CHOOSES },
    .stream = gilk_export_ndjson },
  { { "ctf", "", N_("Common Trace Format"),
      N_("Common Trace Format 1.8 folder, for babeltrace2 and Trace Compass"),
      GILK_EXPORT_CHOOSES | GILK_EXPORT_FOLDER },
    .folder = gilk_export_ctf, .files = gilk_export_ctf_files },
  { { "perfetto", ".perfetto-trace", N_("Perfetto trace"),
      N_("TrackEvents for Perfetto's viewer: instants, spans as slices, counters"),
      GILK_EXPORT_CHOOSES },
    .stream = gilk_export_perfetto },
  { { "stacks", ".folded", N_("Collapsed stacks"),
      N_("Lines for flamegraph.pl: process, function and point, weighted by hits; or calls, "
         "weighted by time"),
      GILK_EXPORT_CHOOSES | GILK_EXPORT_WEIGHS },
    .stream = gilk_export_stacks },
  { { "lcov", ".info", N_("Block coverage"),
      N_("Tracefile for lcov and genhtml: how often each instruction ran"), GILK_EXPORT_SOURCES },
    .stream = gilk_export_lcov },
};

guint
gilk_export_n_formats (void)
{
  return G_N_ELEMENTS (formats);
}

const GilkExportFormat *
gilk_export_format (guint i)
{
  return &formats[i].about;
}

const GilkExportFormat *
gilk_export_format_by_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (formats[i].about.name, name) == 0)
      return &formats[i].about;

  return NULL;
}

void
gilk_export_job_init (GilkExportJob       *job,
                      GilkStore           *store,
                      const GilkStoredRun *run,
                      const GArray        *hooks)
{
  *job = (GilkExportJob) {
    .store = store, .run = run, .hooks = (const GilkStoredHook *) (const void *) hooks->data,
    .n_hooks = hooks->len, .from_ns = G_MININT64, .to_ns = G_MAXINT64,
  };
}

/* Returns the table entry (Format) whose first member is @format. */
static const Format *
get_full_format (const GilkExportFormat *format)
{
  return (const Format *) (const void *) format;
}

gboolean
gilk_export_to_stream (const GilkExportFormat *format,
                       const GilkExportJob    *job,
                       GilkExportWrite         write,
                       gpointer                data,
                       GError                **error)
{
  g_auto(GilkSink) sink = { NULL };

  g_assert (get_full_format (format)->stream != NULL);
  gilk_sink_init (&sink, write, data);

  return get_full_format (format)->stream (job, &sink, error) && gilk_sink_finish (&sink, error);
}

gboolean
gilk_export_to_path (const GilkExportFormat *format,
                     const GilkExportJob    *job,
                     const char             *path,
                     GError                **error)
{
  g_auto(GilkPartFile) file = { .fd = -1 };
  g_auto(GilkPartFolder) folder = { NULL };

  if (get_full_format (format)->folder != NULL)
    return gilk_part_folder_open (&folder, path, job->replace, get_full_format (format)->files, error) &&
           get_full_format (format)->folder (job, &folder, error) && gilk_part_folder_done (&folder, error);

  return gilk_part_file_open (&file, path, job->replace, error) &&
         gilk_export_to_stream (format, job, gilk_part_file_write, &file, error) &&
         gilk_part_file_done (&file, error);
}
