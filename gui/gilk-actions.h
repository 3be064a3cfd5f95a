/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-actions.h - the one table of actions: keys, groups and titles
 *
 * Accelerators and the window of keys are both made from it.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void        gilk_actions_set_accels (GtkApplication *app);
/* Row @i of it. @action, @accel: (nullable). FALSE: there are no more. */
gboolean    gilk_actions_nth        (guint i, const char **action, const char **title, const char **accel);
/* What row @i, which is there, is about. */
const char *gilk_actions_group      (guint i);
/* All of its keys, as they are printed on them. (transfer full); NULL: it has none */
char       *gilk_actions_keys       (guint i);

G_END_DECLS
