/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-guide.h - opens the user's guide, in the help viewer or as HTML
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @page: "graph" */
void     gilk_guide_show        (GtkWidget *widget, const char *page, GAsyncReadyCallback callback, gpointer user_data);
/* FALSE with @error if there is no program to read it with, or no guide. */
gboolean gilk_guide_show_finish (GAsyncResult *result, GError **error);

G_END_DECLS
