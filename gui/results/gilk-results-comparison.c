/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-comparison.c - comparison with another session, in a second column
 */
#include "gui/results/gilk-plot-panel.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "gui/base/gilk-file-dialog.h"
#include "gui/results/gilk-results-lists.h"

struct _GilkResultsComparison {
  GilkResultsView *view;
  GilkSession     *session;         /* NULL: no comparison */
  GCancellable    *opening;
  GtkWidget       *bar;
  GtkLabel        *here, *there;
  GtkComboBoxText *runs;
  gboolean         filling;
};

GilkSession *
gilk_results_comparison_session (GilkResultsComparison *comparison)
{
  return comparison->session;
}

GilkSessionRun *
gilk_results_comparison_run (GilkResultsComparison *comparison)
{
  int run = gtk_combo_box_get_active (GTK_COMBO_BOX (comparison->runs));

  if (comparison->session == NULL || run < 0 || run >= (int) comparison->session->runs->len)
    return NULL;

  return &g_array_index (comparison->session->runs, GilkSessionRun, run);
}

static const GilkStoredHook *
find_hook (const GilkSessionRun *run,
           const char           *label)
{
  for (guint i = 0; i < run->hooks->len; i++)
    if (strcmp (g_array_index (run->hooks, GilkStoredHook, i).label, label) == 0)
      return &g_array_index (run->hooks, GilkStoredHook, i);

  return NULL;
}

/* Returns the file's name, with its folder if both files have the same name. (transfer full) */
static char *
make_file_name (GilkResultsComparison *comparison,
                const char            *path)
{
  g_autofree char *here = g_path_get_basename (comparison->view->session->path), *there = g_path_get_basename (comparison->session->path);
  g_autofree char *folder = g_path_get_dirname (path), *above = g_path_get_basename (folder);
  g_autofree char *name = g_path_get_basename (path);

  return strcmp (here, there) == 0 && strcmp (comparison->view->session->path, comparison->session->path) != 0
         ? g_build_filename (above, name, NULL) : g_steal_pointer (&name);
}

/* Names the counterpart of hook "asleep", such as "asleep, other.gilk". (transfer full) */
static char *
make_hook_name (GilkResultsComparison *comparison,
                const GilkStoredHook  *hook)
{
  g_autofree char *file = make_file_name (comparison, comparison->session->path);

  return g_strdup_printf ("%s, %s", hook->label, file);
}

guint
gilk_results_comparison_hooks (GilkResultsComparison *comparison,
                               GilkSessionPick       *picks,
                               guint                  room)
{
  const GilkSessionRun *run = gilk_results_comparison_run (comparison);
  GilkSessionPick here[GILK_RESULTS_HOOKS_MAX];
  guint n = 0, chosen = run != NULL ? gilk_results_selected_hooks (comparison->view, here, GILK_RESULTS_HOOKS_MAX) : 0;

  for (guint i = 0; i < chosen && n < room; i++)
    {
      const GilkStoredHook *hook = here[i].hook->run == here[0].hook->run ? find_hook (run, here[i].hook->label) : NULL;

      if (hook != NULL)
        picks[n++] = (GilkSessionPick) { hook, make_hook_name (comparison, hook) };
    }
  gilk_results_selected_hooks_clear (here, chosen);

  return n;
}

GilkPlotData *
gilk_results_comparison_missing_plot (GilkResultsComparison *comparison)
{
  GilkPlotData *plot = gilk_plot_data_new ();

  plot->message = g_strdup_printf (_("This run has no hook “%s”. Choose a hook that both runs have."), gilk_results_hook (comparison->view)->label);

  return plot;
}

/* ---- display ---- */

static void
show_name (GilkResultsComparison *comparison,
           GtkLabel              *label,
           const GilkSession     *session,
           const GilkSessionRun  *run)
{
  g_autofree char *file = make_file_name (comparison, session->path);
  g_autofree char *words = g_strdup_printf (_("%s, run %ld"), file, run->run.id);
  g_autofree char *tip = run->run.target != NULL ? g_strdup_printf ("%s\n%s", session->path, run->run.target) : g_strdup (session->path);

  gtk_label_set_text (label, words);
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), tip);
}

void
gilk_results_comparison_update (GilkResultsComparison *comparison)
{
  const GilkSessionRun *there = gilk_results_comparison_run (comparison), *here = gilk_results_run (comparison->view);

  gtk_widget_set_visible (comparison->bar, there != NULL);
  if (there != NULL && here != NULL)
    {
      show_name (comparison, comparison->here, comparison->view->session, here);
      show_name (comparison, comparison->there, comparison->session, there);
    }
  for (guint i = 0; i < GILK_RESULTS_PANELS; i++)
    {
      gilk_plot_view_set_source (comparison->view->panels[i]->plot, there != NULL ? gtk_label_get_text (comparison->here) : NULL);
      gilk_plot_view_set_source (comparison->view->panels[i]->compared_plot, gtk_label_get_text (comparison->there));
    }
}

static void
fill_runs (GilkResultsComparison *comparison)
{
  comparison->filling = TRUE;
  gtk_combo_box_text_remove_all (comparison->runs);
  for (guint i = 0; i < comparison->session->runs->len; i++)
    {
      g_autofree char *name = g_strdup_printf (_("Run %ld"), g_array_index (comparison->session->runs, GilkSessionRun, i).run.id);

      gtk_combo_box_text_append_text (comparison->runs, name);
    }
  gtk_combo_box_set_active (GTK_COMBO_BOX (comparison->runs), 0);
  gtk_widget_set_visible (GTK_WIDGET (comparison->runs), comparison->session->runs->len > 1);
  comparison->filling = FALSE;
}

static void
run_chosen (GilkResultsComparison *comparison)
{
  if (!comparison->filling)
    gilk_results_comparison_changed (comparison->view);
}

static void
opened_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) view = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSession) session = gilk_session_open_finish (result, &error);
  GilkResultsComparison *comparison = view->comparison;

  if (session != NULL && session->runs->len == 0)
    g_set_error (&error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("%s has no run to compare. Choose another session."), session->path);
  if (error != NULL)
    gilk_results_emit_failed (view, error);
  if (error != NULL || comparison == NULL)
    return;
  g_clear_pointer (&comparison->session, gilk_session_free);
  comparison->session = g_steal_pointer (&session);
  fill_runs (comparison);
  gilk_results_comparison_changed (view);
}

static void
stop_opening (GilkResultsComparison *comparison)
{
  if (comparison->opening != NULL)
    g_cancellable_cancel (comparison->opening);
  g_clear_object (&comparison->opening);
}

void
gilk_results_view_open_comparison (GilkResultsView *self,
                                   const char      *path)
{
  stop_opening (self->comparison);
  self->comparison->opening = g_cancellable_new ();
  gilk_session_open_async (path, self->comparison->opening, opened_cb, g_object_ref (self));
}

static void
file_chosen (gpointer    object,
             const char *path,
             const char *word)
{
  gilk_results_view_open_comparison (object, path);
}

void
gilk_results_view_choose_comparison (GilkResultsView *self)
{
  const char *path = gilk_results_view_path (self);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;

  gilk_file_dialog_open (GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self))), _("Choose a Session to Compare"),
                         folder, file_chosen, self);
}

static void
close_clicked (GilkResultsComparison *comparison)
{
  stop_opening (comparison);
  g_clear_pointer (&comparison->session, gilk_session_free);
  gilk_results_comparison_changed (comparison->view);
  gtk_widget_grab_focus (GTK_WIDGET (comparison->view->plot));
}

/* ---- the bar ---- */

static GtkLabel *
new_name_label (void)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));

  gtk_label_set_xalign (label, 0);
  gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (label)), "section");

  return label;
}

static GtkWidget *
new_close_button (GilkResultsComparison *comparison)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic", GTK_ICON_SIZE_MENU);

  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (button, _("Close the comparison"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("Close the comparison"));
  gtk_style_context_add_class (gtk_widget_get_style_context (button), "panel-button");
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (close_clicked), comparison);

  return button;
}

GilkResultsComparison *
gilk_results_comparison_new (GilkResultsView *view)
{
  GilkResultsComparison *comparison = g_new0 (GilkResultsComparison, 1);
  GtkWidget *right = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  comparison->view = view;
  comparison->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  comparison->here = new_name_label ();
  comparison->there = new_name_label ();
  comparison->runs = GTK_COMBO_BOX_TEXT (gtk_combo_box_text_new ());
  gtk_box_set_homogeneous (GTK_BOX (comparison->bar), TRUE);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (comparison->runs)), _("Run of the other session"));
  g_signal_connect_swapped (comparison->runs, "changed", G_CALLBACK (run_chosen), comparison);
  gtk_box_pack_start (GTK_BOX (right), GTK_WIDGET (comparison->there), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (right), GTK_WIDGET (comparison->runs), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (right), new_close_button (comparison), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (comparison->bar), GTK_WIDGET (comparison->here), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (comparison->bar), right, TRUE, TRUE, 0);
  gtk_widget_show_all (comparison->bar);
  gtk_widget_hide (comparison->bar);
  gtk_box_pack_start (view->page, comparison->bar, FALSE, FALSE, 0);
  gtk_box_reorder_child (view->page, comparison->bar, 0);

  return comparison;
}

void
gilk_results_comparison_free (GilkResultsComparison *comparison)
{
  stop_opening (comparison);
  g_signal_handlers_disconnect_by_data (comparison->runs, comparison);
  g_clear_pointer (&comparison->session, gilk_session_free);
  g_free (comparison);
}
