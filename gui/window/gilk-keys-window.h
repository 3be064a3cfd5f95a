/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-keys-window.h - searchable list of keyboard shortcuts
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void gilk_keys_window_show (GtkWindow *parent);

G_END_DECLS
