/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figures-panel.c - figures beside a plot: figures of a hook, lost samples, and a table that
 * compares the two series of an overlay
 */
#include "gui/results/gilk-results-panels.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/plan/gilk-plan.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-panes.h"
#include "gui/base/gilk-text.h"

struct _GilkFiguresPanel {
  GtkBox             parent_instance;

  GilkResultsChoice *choice;       /* not owned */
  GtkLabel          *figures_title;
  GtkGrid           *figures, *compared;
  GtkWidget         *loss_box;
  GtkLabel          *loss_label;
};

G_DEFINE_TYPE (GilkFiguresPanel, gilk_figures_panel, GTK_TYPE_BOX)

/* ---- table of differences between two series ---- */

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

/* Returns the length of the common prefix that ends with a comma and a space: for "write, run 1"
 * and "write, run 2", the length of "write, ". */
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

/* Adds the row with the names of the two series. Omits what both names have in common: if the
 * series are one hook in two runs, only shows the runs. */
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
      /* Omits the run's title, which is in the tooltip. */
      g_autofree char *name = g_strndup (names[i], same > 0 || extends ? strcspn (names[i], ":") : strlen (names[i]));
      g_autofree char *text = g_utf8_strlen (name, -1) <= 9 ? g_strdup (name) : g_utf8_substring (name, 0, 8);
      g_autofree char *cut = g_utf8_strlen (name, -1) <= 9 ? g_strdup (text) : g_strconcat (text, "…", NULL);

      add_cell (rows, i + 1, cut, compared->names[i], "figure");
    }
  add_cell (rows, 3, _("difference"), _("(second − first) / first; ± half-width of the 95 % "
                                        "confidence interval within these two runs. Variation "
                                        "between runs is unknown: record each side several times "
                                        "and compare with “gilk report --compare HOOK@1,3,5 "
                                        "HOOK@2,4,6”."),
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
gilk_figures_panel_show_differences (GilkFiguresPanel         *self,
                                     const GilkFigureCompared *compared)
{
  g_autofree char *run = g_strdup_printf (_("run %ld"), gilk_results_run (self->choice)->run.id);
  Rows rows = { self->compared, 0 };

  gilk_panes_clear (GTK_CONTAINER (self->compared));
  gtk_widget_set_visible (GTK_WIDGET (self->compared), compared != NULL);
  if (compared == NULL)
    return;
  add_names (&rows, compared, run);
  add_counts (&rows, _("Values"), compared->n, TRUE);
  add_counts (&rows, _("Lost"), compared->lost, FALSE);
  for (guint i = 0; i < compared->rows->len; i++)
    add_row (&rows, gilk_compared_row (compared->rows, i));
}

/* ---- text about lost samples ---- */

/* Returns whether the run's plan lets new samples overwrite old ones. */
static gboolean
run_overwrites (const GilkSession *session,
                gint64             id)
{
  for (guint i = 0; i < session->stored->len; i++)
    {
      const GilkStoredRun *run = &g_array_index (session->stored, GilkStoredRun, i);

      if (run->id == id)
        return gilk_plan_text_overwrites (run->plan);
    }

  return FALSE;
}

/* (transfer full) */
static char *
describe_loss (const GilkSession *session,
               gint64             run,
               uint64_t           lost)
{
  g_autofree char *count = gilk_text_count (lost);

  if (lost == 0)
    return g_strdup ("");

  return g_strdup_printf (run_overwrites (session, run)
                          ? _("The oldest %s samples were overwritten, because the plan keeps the latest. Hit counts "
                              "are exact.")
                          : _("%s samples were lost because the rings were full. Hit counts are exact; times and "
                              "distributions lack these samples."), count);
}

void
gilk_figures_panel_show_loss (GilkFiguresPanel *self)
{
  const GilkSessionRun *run = gilk_results_run (self->choice);
  const GilkStoredHook *hook = gilk_results_hook (self->choice);
  gboolean graph = gilk_results_function (self->choice) != NULL;
  gboolean missed = hook != NULL && gilk_stored_hook_is_watchpoint (hook) && hook->missed > 0;
  g_autofree char *accesses = missed ? gilk_text_missed_accesses (hook->missed) : g_strdup ("");
  g_autofree char *lost = describe_loss (self->choice->session, run->run.id, hook != NULL ? hook->lost : graph ? 0 : run->run.lost);
  g_autofree char *both = g_strconcat (lost, *lost != '\0' && missed ? "\n\n" : "", accesses, NULL);

  gtk_label_set_text (self->loss_label, both);
  gtk_widget_set_visible (self->loss_box, *both != '\0');
}

/* ---- figures of a run, hook, access or graph ---- */

static void
begin (GilkFiguresPanel *self,
       const char       *title)
{
  gilk_panes_clear (GTK_CONTAINER (self->figures));
  gtk_label_set_text (self->figures_title, title);
}

void
gilk_figures_panel_show_run (GilkFiguresPanel *self)
{
  const GilkStoredRun *run = &gilk_results_run (self->choice)->run;

  begin (self, run->title != NULL && run->title[0] != '\0' ? run->title : _("This run"));
  gilk_figures_run (self->figures, run);
}

void
gilk_figures_panel_show_hook (GilkFiguresPanel   *self,
                              const GilkPlotData *plot)
{
  const GilkStoredHook *hook = gilk_results_hook (self->choice);

  begin (self, hook->label);
  gilk_figures_hook (self->figures, hook, gilk_results_run (self->choice)->costs);
  if (plot != NULL && plot->figure != NULL)
    gilk_figures_histogram (self->figures, plot->figure->histogram, plot->figure->x.unit);
  gilk_figures_panel_show_differences (self, plot != NULL ? plot->compared : NULL);
}

void
gilk_figures_panel_show_access (GilkFiguresPanel   *self,
                                const GilkAccessor *access,
                                const GArray       *all)
{
  gilk_figures_panel_show_hook (self, NULL);
  if (access != NULL && all != NULL)
    gilk_figures_accesses (self->figures, access, all);
}

void
gilk_figures_panel_show_graph (GilkFiguresPanel    *self,
                               const GilkGraphData *data)
{
  begin (self, data->name);
  gilk_figures_graph (self->figures, gilk_results_function (self->choice), data);
}

void
gilk_figures_panel_append_text (GilkFiguresPanel *self,
                                GString          *text)
{
  g_string_append_printf (text, "%s\n", gtk_label_get_text (self->figures_title));
  gilk_figures_append_text (self->figures, text);
}

/* ---- building the panel ---- */

static void
copy_clicked (GilkFiguresPanel *self)
{
  g_signal_emit_by_name (self, "copy");
}

void
gilk_figures_panel_set_choice (GilkFiguresPanel  *self,
                               GilkResultsChoice *choice)
{
  self->choice = choice;
}

static void
gilk_figures_panel_class_init (GilkFiguresPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gilk_add_signal (klass, "copy", 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/figures-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkFiguresPanel, figures_title);
  gtk_widget_class_bind_template_child (widget_class, GilkFiguresPanel, figures);
  gtk_widget_class_bind_template_child (widget_class, GilkFiguresPanel, compared);
  gtk_widget_class_bind_template_child (widget_class, GilkFiguresPanel, loss_box);
  gtk_widget_class_bind_template_child (widget_class, GilkFiguresPanel, loss_label);
  gtk_widget_class_bind_template_callback (widget_class, copy_clicked);
}

static void
gilk_figures_panel_init (GilkFiguresPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
