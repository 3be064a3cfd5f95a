/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-windows.h - secondary windows, hints in bars, spinners, and error display on text entries
 */
#pragma once

#include <gtk/gtk.h>

/* ---- keys common to all secondary windows ---- */

/* Makes Escape close @window, and Down move the focus from @search to @found; both or
 * neither may be NULL. */
void gilk_side_window_set_keys (GtkWindow *window, GtkWidget *search, GtkWidget *found);

/* ---- window for a long text, such as a kernel log, to be read and copied ---- */

/* Shows @text in a window, scrolled to the end of the text. */
void gilk_log_window_show (GtkWindow *parent, const char *title, const char *text);

/* ---- the user's guide in the help viewer or as HTML ---- */

/* Shows a page of the guide, asynchronously. @page: name of the page, such as "graph" */
void     gilk_guide_show        (GtkWidget *widget, const char *page, GAsyncReadyCallback callback, gpointer user_data);
/* Returns FALSE with @error set if the guide, or a program to show it, is missing. */
gboolean gilk_guide_show_finish (GAsyncResult *result, GError **error);

/*
 * Hint in a bar, shown only if it fits completely
 *
 * The hint requests no width, so it gets only the space that the other widgets in the bar leave.
 */

#define GILK_TYPE_HINT (gilk_hint_get_type ())
G_DECLARE_FINAL_TYPE (GilkHint, gilk_hint, GILK, HINT, GtkLabel)

/*
 * Spinner that spins from when it is mapped until it is unmapped
 *
 * A started GtkSpinner keeps the frame clock of its window running at the screen's rate even on a
 * page of a stack that is not shown: an idle window would wake up 60 times a second.
 */

#define GILK_TYPE_SPINNER (gilk_spinner_get_type ())
G_DECLARE_FINAL_TYPE (GilkSpinner, gilk_spinner, GILK, SPINNER, GtkSpinner)

GtkWidget *gilk_spinner_new (void);

/* ---- error display on a text entry ---- */

/* Marks @entry as invalid and makes @problem its tooltip, which screen readers announce. Without
   a problem, clears the mark and sets @help. @problem, @help: (nullable) */
void gilk_entry_show_problem (GtkEntry *entry, const char *problem, const char *help);
