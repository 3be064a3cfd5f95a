/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-differences.c - the two series of an overlay side by side in the panel, with their
 * difference
 */
#include "gui/results/gilk-results-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "gui/results/gilk-results-figures.h"
#include "gui/base/gilk-text.h"

typedef struct { GtkGrid *grid; int row; } Rows;

static void
add_cell (Rows       *rows,
          int         column,
          const char *text,
          const char *tip,
          const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  gtk_label_set_selectable (GTK_LABEL (label), column > 0);
  gtk_widget_set_can_focus (label, FALSE);
  gtk_widget_set_hexpand (label, column > 0);
  gtk_widget_set_tooltip_text (label, tip);
  gtk_style_context_add_class (gtk_widget_get_style_context (label), style);
  gtk_style_context_add_class (gtk_widget_get_style_context (label), "small");
  gtk_grid_attach (rows->grid, label, column, rows->row, 1, 1);
  gtk_widget_show (label);
}

/* Returns the length of the common prefix up to a comma and space: of "write, run 1" and "write,
 * run 2" it is the hook. */
static gsize
get_common_prefix_length (const char *first,
                          const char *second)
{
  gsize same = 0, n = 0;

  for (gsize i = 0; first[i] != '\0' && first[i] == second[i]; i++)
    n = i + 1;
  for (gsize i = 2; i <= n; i++)
    if (first[i - 2] == ',' && first[i - 1] == ' ')
      same = i;

  return same;
}

/* Omits the common part of both names: for one hook in two runs, only the runs are shown. */
static void
add_names (Rows                     *rows,
           const GilkFigureCompared *compared,
           const char               *run)
{
  const char *first = compared->names[0], *second = compared->names[1];
  gboolean extends = g_str_has_prefix (second, first) && g_str_has_prefix (second + strlen (first), ", ");
  gsize same = extends ? 0 : get_common_prefix_length (first, second);
  const char *names[2] = { extends ? run : first + same, second + (extends ? strlen (first) + 2 : same) };

  for (int i = 0; i < 2; i++)
    {
      /* The run's title is in the tooltip. */
      g_autofree char *name = g_strndup (names[i], same > 0 || extends ? strcspn (names[i], ":") : strlen (names[i]));
      g_autofree char *text = g_utf8_strlen (name, -1) <= 9 ? g_strdup (name) : g_utf8_substring (name, 0, 8);
      g_autofree char *cut = g_utf8_strlen (name, -1) <= 9 ? g_strdup (text) : g_strconcat (text, "…", NULL);

      add_cell (rows, i + 1, cut, compared->names[i], "figure");
    }
  add_cell (rows, 3, _("difference"), _("(second − first) / first; ± half-width of the 95 % confidence interval within these two runs. Variation between runs "
              "is unknown: record each side several times and compare with gilk report --compare HOOK@1,3,5 HOOK@2,4,6."),
            "dim-label");
  rows->row++;
}

static void
add_counts (Rows           *rows,
            const char     *name,
            const uint64_t *counts,
            gboolean        compare)
{
  g_autofree char *a = gilk_text_count (counts[0]), *b = gilk_text_count (counts[1]);
  g_autofree char *difference = compare ? gilk_format_change ((double) counts[0], (double) counts[1] - (double) counts[0], NAN) : g_strdup ("");

  add_cell (rows, 0, name, NULL, "dim-label");
  add_cell (rows, 1, a, NULL, "figure");
  add_cell (rows, 2, b, NULL, "figure");
  add_cell (rows, 3, difference, NULL, "figure");
  rows->row++;
}

static void
add_row (Rows                  *rows,
         const GilkComparedRow *row)
{
  add_cell (rows, 0, row->name, NULL, "dim-label");
  add_cell (rows, 1, row->a_text, NULL, "figure");
  add_cell (rows, 2, row->b_text, NULL, "figure");
  add_cell (rows, 3, row->share, row->explanation, "figure");
  rows->row++;
}

void
gilk_results_show_differences (GilkResultsView          *self,
                               const GilkFigureCompared *compared)
{
  g_autofree char *run = g_strdup_printf (_("run %ld"), gilk_results_run (self)->run.id);
  Rows rows = { self->compared, 0 };

  gilk_figures_clear (self->compared);
  gtk_widget_set_visible (GTK_WIDGET (self->compared), compared != NULL);
  if (compared == NULL)
    return;
  add_names (&rows, compared, run);
  add_counts (&rows, _("Values"), compared->n, TRUE);
  add_counts (&rows, _("Lost"), compared->lost, FALSE);
  for (guint i = 0; i < compared->rows->len; i++)
    add_row (&rows, gilk_compared_row (compared->rows, i));
}
