/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-entry-problem.c - error display on a text entry
 */
#include "gui/base/gilk-entry-problem.h"

void
gilk_entry_show_problem (GtkEntry   *entry,
                         const char *problem,
                         const char *help)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (entry));

  if (problem != NULL)
    gtk_style_context_add_class (context, "error");
  else
    gtk_style_context_remove_class (context, "error");
  gtk_widget_set_tooltip_text (GTK_WIDGET (entry), problem != NULL ? problem : help);
}
