/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-writers-table.c - the accesses to a variable as rows for other programs
 */
#include "core/export/gilk-writers-table.h"

#include <inttypes.h>

#include "core/base/gilk-csv.h"

static const char *const columns[] = {
  "writer", "function", "block", "instruction", "count", "share", "last", "least", "greatest", "first_ns", "last_ns",
  "task", "softirq", "hardirq", "nmi", "processes",
};

enum { N_COLUMNS = G_N_ELEMENTS (columns) };

uint64_t
gilk_writers_total (const GArray *writers)
{
  uint64_t total = 0;

  for (guint i = 0; i < writers->len; i++)
    total += g_array_index (writers, GilkWriter, i).count;

  return total;
}

char *
gilk_writer_contexts (const GilkWriter *writer)
{
  GString *text = g_string_new (NULL);
  gboolean told[GILK_WRITER_CONTEXTS] = { FALSE };

  for (guint n = 0; n < GILK_WRITER_CONTEXTS; n++)
    {
      int most = -1;

      for (int i = 0; i < GILK_WRITER_CONTEXTS; i++)
        if (!told[i] && writer->contexts[i] > 0 && (most < 0 || writer->contexts[i] > writer->contexts[most]))
          most = i;
      if (most < 0)
        break;
      if (writer->contexts[most] == writer->count)
        {
          g_string_append (text, gilk_writer_context ((guint) most));
          break;
        }
      told[most] = TRUE;
      g_string_append_printf (text, "%s%s %" PRIu64, text->len > 0 ? ", " : "", gilk_writer_context ((guint) most),
                              writer->contexts[most]);
    }

  return g_string_free (text, FALSE);
}

char *
gilk_writer_processes (const GilkWriter *writer,
                       guint             most)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (writer->processes->len, most); i++)
    {
      const GilkWriterProcess *process = &g_array_index (writer->processes, GilkWriterProcess, i);

      g_string_append_printf (text, "%s%s (%" PRId64 ") %" PRIu64, i > 0 ? ", " : "", process->comm, process->pid,
                              process->count);
    }
  if (writer->processes->len > most || writer->others > 0)
    g_string_append (text, text->len > 0 ? ", …" : "…");

  return g_string_free (text, FALSE);
}

/* ---- rows ---- */

static void
append_line (GString *lines, char *const *cells, gboolean tabs)
{
  if (!tabs)
    {
      gilk_csv_append_row (lines, N_COLUMNS, (const char *const *) cells);
      return;
    }
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      g_autofree char *cell = g_strdup (cells[i] != NULL ? cells[i] : "");

      /* Replaces characters that would end the cell. */
      g_string_append_printf (lines, "%s%s", i > 0 ? "\t" : "", g_strdelimit (cell, "\t\r\n", ' '));
    }
  g_string_append_c (lines, '\n');
}

static char *
number (uint64_t value)
{
  return g_strdup_printf ("%" PRIu64, value);
}

static void
append_writer (GString *lines, const GilkWriter *writer, uint64_t total, gboolean tabs)
{
  char share[G_ASCII_DTOSTR_BUF_SIZE];
  char *cells[N_COLUMNS + 1] = {
    g_strdup (writer->name), g_strdup (writer->function), g_strdup (writer->block), g_strdup (writer->insn),
    number (writer->count),
    g_strdup (g_ascii_formatd (share, sizeof share, "%.6f", total > 0 ? (double) writer->count / (double) total : 0.0)),
    g_strdup_printf ("0x%" PRIx64, writer->last), g_strdup_printf ("0x%" PRIx64, writer->least),
    g_strdup_printf ("0x%" PRIx64, writer->greatest),
    g_strdup_printf ("%" PRId64, (int64_t) writer->first_ns), g_strdup_printf ("%" PRId64, (int64_t) writer->last_ns),
    number (writer->contexts[0]), number (writer->contexts[1]), number (writer->contexts[2]), number (writer->contexts[3]),
    gilk_writer_processes (writer, writer->processes->len),
  };

  append_line (lines, cells, tabs);
  for (guint i = 0; i < N_COLUMNS; i++)
    g_free (cells[i]);
}

static char *
make_lines (const GArray *writers, gboolean tabs)
{
  GString *lines = g_string_new (NULL);
  uint64_t total = gilk_writers_total (writers);

  append_line (lines, (char *const *) columns, tabs);
  for (guint i = 0; i < writers->len; i++)
    append_writer (lines, &g_array_index (writers, GilkWriter, i), total, tabs);

  return g_string_free (lines, FALSE);
}

char *
gilk_writers_to_csv (const GArray *writers)
{
  return make_lines (writers, FALSE);
}

char *
gilk_writers_to_tabs (const GArray *writers)
{
  return make_lines (writers, TRUE);
}
