/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-list.h - quick list of targets: running labs, and machines connected before
 *
 * Running labs are looked up each time the list is shown. An empty list takes no space.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_TARGET_LIST (gilk_target_list_get_type ())
G_DECLARE_FINAL_TYPE (GilkTargetList, gilk_target_list, GILK, TARGET_LIST, GtkBox)

/* Remembers a machine that was connected until the next start. Labs are not saved: they are listed
 * while they run. */
void gilk_target_list_remember (GSettings *settings, const char *spec);

G_END_DECLS
