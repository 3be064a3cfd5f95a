/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-lists.c - the rows of a session: runs, recorded graphs, hooks
 */
#include "gui/gilk-results-lists.h"

#include <glib/gi18n.h>

#include "gui/gilk-text.h"

static void
destroy_child (GtkWidget *child,
               gpointer   user_data)
{
  gtk_widget_destroy (child);
}

static void
clear (GtkListBox *list)
{
  gtk_container_foreach (GTK_CONTAINER (list), destroy_child, NULL);
}

static void
add_row (GtkListBox *list,
         const char *title,
         const char *subtitle)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkWidget *top = gtk_label_new (title);
  GtkWidget *bottom = gtk_label_new (subtitle);

  gtk_label_set_xalign (GTK_LABEL (top), 0);
  gtk_label_set_xalign (GTK_LABEL (bottom), 0);
  gtk_label_set_ellipsize (GTK_LABEL (top), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_ellipsize (GTK_LABEL (bottom), PANGO_ELLIPSIZE_END);
  gtk_style_context_add_class (gtk_widget_get_style_context (top), "row-title");
  gtk_style_context_add_class (gtk_widget_get_style_context (bottom), "dim-label");
  gtk_style_context_add_class (gtk_widget_get_style_context (bottom), "row-subtitle");
  gtk_container_add (GTK_CONTAINER (box), top);
  gtk_container_add (GTK_CONTAINER (box), bottom);
  gtk_style_context_add_class (gtk_widget_get_style_context (box), "list-row");
  gtk_widget_show_all (box);
  gtk_list_box_insert (list, box, -1);
}

void
gilk_results_fill_runs (GtkListBox        *list,
                        const GilkSession *session)
{
  clear (list);
  for (guint i = 0; i < session->runs->len; i++)
    {
      const GilkStoredRun *run = &g_array_index (session->runs, GilkSessionRun, i).run;
      g_autofree char *title = g_strdup_printf (_("Run %ld"), run->id);
      g_autofree char *started = gilk_text_moment (run->started, FALSE);
      g_autofree char *subtitle = g_strdup_printf ("%s · %.1f s", started, run->duration);

      add_row (list, title, subtitle);
    }
}

void
gilk_results_fill_functions (GtkListBox           *list,
                             const GilkSessionRun *run)
{
  clear (list);
  for (guint i = 0; i < run->functions->len; i++)
    {
      const GilkStoredFunction *function = &g_array_index (run->functions, GilkStoredFunction, i);
      g_autofree char *blocks = g_strdup_printf (g_dngettext (NULL, "graph of %u block", "graph of %u blocks",
                                                              function->n_blocks), function->n_blocks);

      add_row (list, function->name, blocks);
    }
}

void
gilk_results_fill_hooks (GtkListBox           *list,
                         const GilkSessionRun *run)
{
  clear (list);
  add_row (list, _("All hooks"), _("hits side by side"));
  for (guint i = 0; i < run->hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (run->hooks, GilkStoredHook, i);
      g_autofree char *hits = gilk_text_count (hook->hits);
      g_autofree char *subtitle = hook->hits_known
                                  ? g_strdup_printf (_("%s · %s · %s hits"), hook->where, hook->instrument, hits)
                                  : g_strdup_printf (_("%s · %s · hits not counted"), hook->where, hook->instrument);

      add_row (list, hook->label, subtitle);
    }
}
