/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-entry-problem.h - what is wrong with what was typed, told where it was
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The entry is marked and tells @problem, also to assistive tools; without one it tells @help, which may be NULL. */
void gilk_entry_show_problem (GtkEntry *entry, const char *problem, const char *help);

G_END_DECLS
