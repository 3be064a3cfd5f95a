/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-entry-problem.h - error display on a text entry
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Marks @entry as invalid and makes @problem its tooltip, which screen readers announce. Without
   a problem, clears the mark and sets @help. @problem, @help: (nullable) */
void gilk_entry_show_problem (GtkEntry *entry, const char *problem, const char *help);

G_END_DECLS
