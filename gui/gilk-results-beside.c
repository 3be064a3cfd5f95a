/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-beside.c - comparison with another session, in a second column
 */
#include "gui/gilk-results-card.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "gui/gilk-file-dialog.h"
#include "gui/gilk-results-lists.h"

struct _GilkResultsBeside {
  GilkResultsView *view;
  GilkSession     *session;         /* NULL: no comparison */
  GCancellable    *opening;
  GtkWidget       *bar;
  GtkLabel        *here, *there;
  GtkComboBoxText *runs;
  gboolean         filling;
};

GilkSession *
gilk_results_beside_session (GilkResultsBeside *beside)
{
  return beside->session;
}

GilkSessionRun *
gilk_results_beside_run (GilkResultsBeside *beside)
{
  int run = gtk_combo_box_get_active (GTK_COMBO_BOX (beside->runs));

  if (beside->session == NULL || run < 0 || run >= (int) beside->session->runs->len)
    return NULL;

  return &g_array_index (beside->session->runs, GilkSessionRun, run);
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
name_file (GilkResultsBeside *beside,
           const char        *path)
{
  g_autofree char *here = g_path_get_basename (beside->view->session->path), *there = g_path_get_basename (beside->session->path);
  g_autofree char *folder = g_path_get_dirname (path), *above = g_path_get_basename (folder);
  g_autofree char *name = g_path_get_basename (path);

  return strcmp (here, there) == 0 && strcmp (beside->view->session->path, beside->session->path) != 0
         ? g_build_filename (above, name, NULL) : g_steal_pointer (&name);
}

/* Names the counterpart of hook "asleep", such as "asleep, other.gilk". (transfer full) */
static char *
name_there (GilkResultsBeside    *beside,
            const GilkStoredHook *hook)
{
  g_autofree char *file = name_file (beside, beside->session->path);

  return g_strdup_printf ("%s, %s", hook->label, file);
}

guint
gilk_results_beside_picks (GilkResultsBeside *beside,
                           GilkSessionPick   *picks,
                           guint              room)
{
  const GilkSessionRun *run = gilk_results_beside_run (beside);
  GilkSessionPick here[GILK_RESULTS_PICKS_MAX];
  guint n = 0, chosen = run != NULL ? gilk_results_picks (beside->view, here, GILK_RESULTS_PICKS_MAX) : 0;

  for (guint i = 0; i < chosen && n < room; i++)
    {
      const GilkStoredHook *hook = here[i].hook->run == here[0].hook->run ? find_hook (run, here[i].hook->label) : NULL;

      if (hook != NULL)
        picks[n++] = (GilkSessionPick) { hook, name_there (beside, hook) };
    }
  gilk_results_picks_clear (here, chosen);

  return n;
}

GilkPlotData *
gilk_results_beside_missing (GilkResultsBeside *beside)
{
  GilkPlotData *plot = gilk_plot_data_new ();

  plot->message = g_strdup_printf (_("This run has no hook “%s”. Choose a hook that both runs have."), gilk_results_hook (beside->view)->label);

  return plot;
}

/* ---- display ---- */

static void
show_name (GilkResultsBeside    *beside,
           GtkLabel             *label,
           const GilkSession    *session,
           const GilkSessionRun *run)
{
  g_autofree char *file = name_file (beside, session->path);
  g_autofree char *words = g_strdup_printf (_("%s, run %ld"), file, run->run.id);
  g_autofree char *tip = run->run.target != NULL ? g_strdup_printf ("%s\n%s", session->path, run->run.target) : g_strdup (session->path);

  gtk_label_set_text (label, words);
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), tip);
}

void
gilk_results_beside_show (GilkResultsBeside *beside)
{
  const GilkSessionRun *there = gilk_results_beside_run (beside), *here = gilk_results_run (beside->view);

  gtk_widget_set_visible (beside->bar, there != NULL);
  if (there != NULL && here != NULL)
    {
      show_name (beside, beside->here, beside->view->session, here);
      show_name (beside, beside->there, beside->session, there);
    }
  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    {
      gilk_plot_view_set_source (beside->view->cards[i]->plot, there != NULL ? gtk_label_get_text (beside->here) : NULL);
      gilk_plot_view_set_source (beside->view->cards[i]->twin, gtk_label_get_text (beside->there));
    }
}

static void
fill_runs (GilkResultsBeside *beside)
{
  beside->filling = TRUE;
  gtk_combo_box_text_remove_all (beside->runs);
  for (guint i = 0; i < beside->session->runs->len; i++)
    {
      g_autofree char *name = g_strdup_printf (_("Run %ld"), g_array_index (beside->session->runs, GilkSessionRun, i).run.id);

      gtk_combo_box_text_append_text (beside->runs, name);
    }
  gtk_combo_box_set_active (GTK_COMBO_BOX (beside->runs), 0);
  gtk_widget_set_visible (GTK_WIDGET (beside->runs), beside->session->runs->len > 1);
  beside->filling = FALSE;
}

static void
run_chosen (GilkResultsBeside *beside)
{
  if (!beside->filling)
    gilk_results_beside_changed (beside->view);
}

static void
opened_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) view = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSession) session = gilk_session_open_finish (result, &error);
  GilkResultsBeside *beside = view->beside;

  if (session != NULL && session->runs->len == 0)
    g_set_error (&error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("%s has no run to compare. Choose another session."), session->path);
  if (error != NULL)
    gilk_results_report (view, error);
  if (error != NULL || beside == NULL)
    return;
  g_clear_pointer (&beside->session, gilk_session_free);
  beside->session = g_steal_pointer (&session);
  fill_runs (beside);
  gilk_results_beside_changed (view);
}

static void
stop_opening (GilkResultsBeside *beside)
{
  if (beside->opening != NULL)
    g_cancellable_cancel (beside->opening);
  g_clear_object (&beside->opening);
}

void
gilk_results_view_open_beside (GilkResultsView *self,
                               const char      *path)
{
  stop_opening (self->beside);
  self->beside->opening = g_cancellable_new ();
  gilk_session_open_async (path, self->beside->opening, opened_cb, g_object_ref (self));
}

static void
file_chosen (gpointer    object,
             const char *path,
             const char *word)
{
  gilk_results_view_open_beside (object, path);
}

void
gilk_results_view_choose_beside (GilkResultsView *self)
{
  const char *path = gilk_results_view_path (self);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;

  gilk_file_dialog_open (GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self))), _("Choose a Session to Compare"),
                         folder, file_chosen, self);
}

static void
close_clicked (GilkResultsBeside *beside)
{
  stop_opening (beside);
  g_clear_pointer (&beside->session, gilk_session_free);
  gilk_results_beside_changed (beside->view);
  gtk_widget_grab_focus (GTK_WIDGET (beside->view->plot));
}

/* ---- the bar ---- */

static GtkLabel *
new_name (void)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));

  gtk_label_set_xalign (label, 0);
  gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (label)), "section");

  return label;
}

static GtkWidget *
new_close (GilkResultsBeside *beside)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic", GTK_ICON_SIZE_MENU);

  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (button, _("Close the comparison"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("Close the comparison"));
  gtk_style_context_add_class (gtk_widget_get_style_context (button), "panel-button");
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (close_clicked), beside);

  return button;
}

GilkResultsBeside *
gilk_results_beside_new (GilkResultsView *view)
{
  GilkResultsBeside *beside = g_new0 (GilkResultsBeside, 1);
  GtkWidget *right = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  beside->view = view;
  beside->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  beside->here = new_name ();
  beside->there = new_name ();
  beside->runs = GTK_COMBO_BOX_TEXT (gtk_combo_box_text_new ());
  gtk_box_set_homogeneous (GTK_BOX (beside->bar), TRUE);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (beside->runs)), _("Run of the other session"));
  g_signal_connect_swapped (beside->runs, "changed", G_CALLBACK (run_chosen), beside);
  gtk_box_pack_start (GTK_BOX (right), GTK_WIDGET (beside->there), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (right), GTK_WIDGET (beside->runs), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (right), new_close (beside), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (beside->bar), GTK_WIDGET (beside->here), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (beside->bar), right, TRUE, TRUE, 0);
  gtk_widget_show_all (beside->bar);
  gtk_widget_hide (beside->bar);
  gtk_box_pack_start (view->page, beside->bar, FALSE, FALSE, 0);
  gtk_box_reorder_child (view->page, beside->bar, 0);

  return beside;
}

void
gilk_results_beside_free (GilkResultsBeside *beside)
{
  stop_opening (beside);
  g_signal_handlers_disconnect_by_data (beside->runs, beside);
  g_clear_pointer (&beside->session, gilk_session_free);
  g_free (beside);
}
