/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-log-window.h - window for a long text, such as a kernel log, to be read and copied
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shows @text scrolled to its end. */
void gilk_log_window_show (GtkWindow *parent, const char *title, const char *text);

G_END_DECLS
