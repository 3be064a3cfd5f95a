/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-comparison-bar.c - comparison with another session, in a second column
 */
#include "gui/results/gilk-results-page.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "gui/base/gilk-files.h"
#include "gui/base/gilk-object.h"

struct _GilkComparisonBar {
  GtkBox             parent_instance;

  GilkResultsChoice *choice;
  GCancellable      *opening;
  GtkLabel          *here, *there;
  GtkComboBoxText   *runs;
  gboolean           filling;
};

G_DEFINE_TYPE (GilkComparisonBar, gilk_comparison_bar, GTK_TYPE_BOX)

/* ---- choosing and showing the compared session ---- */

static void
show_name (GilkComparisonBar    *self,
           GtkLabel             *label,
           const GilkSession    *session,
           const GilkSessionRun *run)
{
  g_autofree char *file = gilk_results_file_name (self->choice, session);
  g_autofree char *words = g_strdup_printf (_("%s, run %ld"), file, run->run.id);
  g_autofree char *tip = run->run.target != NULL ? g_strdup_printf ("%s\n%s", session->path, run->run.target) : g_strdup (session->path);

  gtk_label_set_text (label, words);
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), tip);
}

void
gilk_comparison_bar_update (GilkComparisonBar *self,
                            const char       **here,
                            const char       **there)
{
  const GilkSessionRun *other = gilk_results_compared_run (self->choice), *run = gilk_results_run (self->choice);

  gtk_widget_set_visible (GTK_WIDGET (self), other != NULL);
  if (other != NULL && run != NULL)
    {
      show_name (self, self->here, self->choice->session, run);
      show_name (self, self->there, self->choice->compared, other);
    }
  *here = other != NULL ? gtk_label_get_text (self->here) : NULL;
  *there = gtk_label_get_text (self->there);
}

static void
fill_runs (GilkComparisonBar *self)
{
  self->filling = TRUE;
  gtk_combo_box_text_remove_all (self->runs);
  for (guint i = 0; i < self->choice->compared->runs->len; i++)
    {
      g_autofree char *name = g_strdup_printf (_("Run %ld"), g_array_index (self->choice->compared->runs, GilkSessionRun, i).run.id);

      gtk_combo_box_text_append_text (self->runs, name);
    }
  gtk_combo_box_set_active (GTK_COMBO_BOX (self->runs), 0);
  gtk_widget_set_visible (GTK_WIDGET (self->runs), self->choice->compared->runs->len > 1);
  self->filling = FALSE;
}

static void
run_chosen (GilkComparisonBar *self)
{
  if (self->filling)
    return;
  self->choice->compared_run = gtk_combo_box_get_active (GTK_COMBO_BOX (self->runs));
  gilk_results_choice_changed (self->choice);
}

static void
opened_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkComparisonBar) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSession) session = gilk_session_open_finish (result, &error);

  if (session != NULL && session->runs->len == 0)
    g_set_error (&error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("%s has no run to compare. Choose another session."), session->path);
  if (error != NULL)
    {
      g_signal_emit_by_name (self, "failed", error);
      return;
    }
  gilk_results_choice_set_compared (self->choice, g_steal_pointer (&session));
  fill_runs (self);
  gilk_results_choice_changed (self->choice);
}

void
gilk_comparison_bar_stop (GilkComparisonBar *self)
{
  gilk_cancel (&self->opening);
}

void
gilk_comparison_bar_open (GilkComparisonBar *self,
                          const char        *path)
{
  gilk_comparison_bar_stop (self);
  self->opening = g_cancellable_new ();
  gilk_session_open_async (path, self->opening, opened_cb, g_object_ref (self));
}

static void
file_chosen (gpointer    object,
             const char *path,
             const char *word)
{
  gilk_comparison_bar_open (object, path);
}

void
gilk_comparison_bar_choose (GilkComparisonBar *self)
{
  const char *path = self->choice->session != NULL ? self->choice->session->path : NULL;
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;

  gilk_file_dialog_open (GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self))), _("Choose a Session to Compare"),
                         folder, file_chosen, self);
}

static void
close_clicked (GilkComparisonBar *self)
{
  gilk_comparison_bar_stop (self);
  gilk_results_choice_set_compared (self->choice, NULL);
  gilk_results_choice_changed (self->choice);
  g_signal_emit_by_name (self, "closed");
}

/* ---- construction and GObject life cycle ---- */

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
new_close_button (GilkComparisonBar *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic", GTK_ICON_SIZE_MENU);

  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (button, _("Close the comparison"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("Close the comparison"));
  gtk_style_context_add_class (gtk_widget_get_style_context (button), "panel-button");
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (close_clicked), self);

  return button;
}

GtkWidget *
gilk_comparison_bar_new (GilkResultsChoice *choice)
{
  GilkComparisonBar *self = g_object_new (GILK_TYPE_COMPARISON_BAR, NULL);

  self->choice = g_object_ref (choice);

  return GTK_WIDGET (self);
}

static void
gilk_comparison_bar_dispose (GObject *object)
{
  gilk_comparison_bar_stop (GILK_COMPARISON_BAR (object));
  G_OBJECT_CLASS (gilk_comparison_bar_parent_class)->dispose (object);
}

static void
gilk_comparison_bar_finalize (GObject *object)
{
  g_clear_object (&GILK_COMPARISON_BAR (object)->choice);
  G_OBJECT_CLASS (gilk_comparison_bar_parent_class)->finalize (object);
}

static void
gilk_comparison_bar_class_init (GilkComparisonBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_comparison_bar_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_comparison_bar_finalize;
  gilk_add_signal (klass, "closed", 0);
  gilk_add_signal (klass, "failed", 1, G_TYPE_ERROR);
}

static void
gilk_comparison_bar_init (GilkComparisonBar *self)
{
  GtkWidget *right = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->here = new_name_label ();
  self->there = new_name_label ();
  self->runs = GTK_COMBO_BOX_TEXT (gtk_combo_box_text_new ());
  gtk_box_set_spacing (GTK_BOX (self), 10);
  gtk_box_set_homogeneous (GTK_BOX (self), TRUE);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->runs)), _("Run of the other session"));
  g_signal_connect_object (self->runs, "changed", G_CALLBACK (run_chosen), self, G_CONNECT_SWAPPED);
  gtk_box_pack_start (GTK_BOX (right), GTK_WIDGET (self->there), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (right), GTK_WIDGET (self->runs), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (right), new_close_button (self), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (self), GTK_WIDGET (self->here), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (self), right, TRUE, TRUE, 0);
  gtk_widget_show_all (GTK_WIDGET (self));
  gtk_widget_hide (GTK_WIDGET (self));
}
