/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-guide.h - the user's guide in the help viewer or as HTML
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @page: name of the page, such as "graph" */
void     gilk_guide_show        (GtkWidget *widget, const char *page, GAsyncReadyCallback callback, gpointer user_data);
/* Returns FALSE with @error set if the guide, or a program to show it, is missing. */
gboolean gilk_guide_show_finish (GAsyncResult *result, GError **error);

G_END_DECLS
