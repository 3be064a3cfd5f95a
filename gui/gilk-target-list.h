/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-list.h - targets one can go to at once: labs that run, and machines that were connected before
 *
 * Labs are asked for anew each time it comes into sight. Without any it takes no room.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_TARGET_LIST (gilk_target_list_get_type ())
G_DECLARE_FINAL_TYPE (GilkTargetList, gilk_target_list, GILK, TARGET_LIST, GtkBox)

/* @spec was connected: machines are kept for the next time, labs only as long as they run. */
void gilk_target_list_remember (GSettings *settings, const char *spec);

G_END_DECLS
