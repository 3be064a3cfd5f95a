/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-accesses-table.c - formats the accesses to a variable as rows for other programs
 */
#include "core/export/gilk-accesses-table.h"

#include <inttypes.h>

#include "core/base/gilk-strings.h"

static const char *const columns[] = {
  "accessor", "function", "block", "instruction", "count", "share", "last", "min", "max", "first_ns", "last_ns",
  "task", "softirq", "hardirq", "nmi", "processes",
};

enum { N_COLUMNS = G_N_ELEMENTS (columns) };

uint64_t
gilk_accessors_total (const GArray *accessors)
{
  uint64_t total = 0;

  for (guint i = 0; i < accessors->len; i++)
    total += g_array_index (accessors, GilkAccessor, i).count;

  return total;
}

char *
gilk_accessor_contexts_text (const GilkAccessor *accessor)
{
  GString *text = g_string_new (NULL);
  gboolean told[GILK_ACCESSOR_CONTEXTS] = { FALSE };

  for (guint n = 0; n < GILK_ACCESSOR_CONTEXTS; n++)
    {
      int most = -1;

      for (int i = 0; i < GILK_ACCESSOR_CONTEXTS; i++)
        if (!told[i] && accessor->contexts[i] > 0 && (most < 0 || accessor->contexts[i] > accessor->contexts[most]))
          most = i;
      if (most < 0)
        break;
      if (accessor->contexts[most] == accessor->count)
        {
          g_string_append (text, gilk_accessor_context ((guint) most));
          break;
        }
      told[most] = TRUE;
      g_string_append_printf (text, "%s%s %" PRIu64, text->len > 0 ? ", " : "", gilk_accessor_context ((guint) most),
                              accessor->contexts[most]);
    }

  return g_string_free (text, FALSE);
}

char *
gilk_accessor_processes_text (const GilkAccessor *accessor,
                              guint               most)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (accessor->processes->len, most); i++)
    {
      const GilkAccessorProcess *process = &g_array_index (accessor->processes, GilkAccessorProcess, i);

      g_string_append_printf (text, "%s%s (%" PRId64 ") %" PRIu64, i > 0 ? ", " : "", process->comm, process->pid,
                              process->count);
    }
  if (accessor->processes->len > most || accessor->others > 0)
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
format_number (uint64_t value)
{
  return g_strdup_printf ("%" PRIu64, value);
}

static void
append_accessor (GString *lines, const GilkAccessor *accessor, uint64_t total, gboolean tabs)
{
  char share[G_ASCII_DTOSTR_BUF_SIZE];
  char *cells[N_COLUMNS + 1] = {
    g_strdup (accessor->name), g_strdup (accessor->function), g_strdup (accessor->block), g_strdup (accessor->insn),
    format_number (accessor->count),
    g_strdup (g_ascii_formatd (share, sizeof share, "%.6f", total > 0 ? (double) accessor->count / (double) total : 0.0)),
    g_strdup_printf ("0x%" PRIx64, accessor->last), g_strdup_printf ("0x%" PRIx64, accessor->least),
    g_strdup_printf ("0x%" PRIx64, accessor->greatest),
    g_strdup_printf ("%" PRId64, (int64_t) accessor->first_ns), g_strdup_printf ("%" PRId64, (int64_t) accessor->last_ns),
    format_number (accessor->contexts[0]), format_number (accessor->contexts[1]), format_number (accessor->contexts[2]), format_number (accessor->contexts[3]),
    gilk_accessor_processes_text (accessor, accessor->processes->len),
  };

  append_line (lines, cells, tabs);
  for (guint i = 0; i < N_COLUMNS; i++)
    g_free (cells[i]);
}

static char *
make_lines (const GArray *accessors, gboolean tabs)
{
  GString *lines = g_string_new (NULL);
  uint64_t total = gilk_accessors_total (accessors);

  append_line (lines, (char *const *) columns, tabs);
  for (guint i = 0; i < accessors->len; i++)
    append_accessor (lines, &g_array_index (accessors, GilkAccessor, i), total, tabs);

  return g_string_free (lines, FALSE);
}

char *
gilk_accessors_to_csv (const GArray *accessors)
{
  return make_lines (accessors, FALSE);
}

char *
gilk_accessors_to_tabs (const GArray *accessors)
{
  return make_lines (accessors, TRUE);
}
