/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-log-window.h - a long text of a machine's, to be read and copied
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shows its end first. */
void gilk_log_window_show (GtkWindow *parent, const char *title, const char *text);

G_END_DECLS
