/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-panes.h - side panels: hidden in narrow windows; cycling the focus between panes
 */
#pragma once

#include <gtk/gtk.h>

#define GILK_PANES_WORDS_WIDTH  960     /* minimum window width in pixels for text on all buttons */
#define GILK_PANES_REASON_WIDTH 1240    /* minimum window width in pixels to show beside the Run
                                         * button why it is disabled */

/**
 * gilk_panes_attach:
 * @settings: contains the user's choices "inspector" and "function-list". In a narrow window, only
 * "function-list" is ever changed: when the user shows or hides the list while the inspector is
 * hidden.
 *
 * Sets the style class "narrow" on @window while it is narrow, and adds stateful actions named like
 * the settings. A narrow window hides the inspector until the user asks for it, and hides the list
 * while the inspector is shown.
 */
void gilk_panes_attach (GtkWindow *window,
                        GSettings *settings);
/* Adds the list and the inspector of one mode of the window. The window has two modes: functions
 * and results. */
void gilk_panes_add   (GtkWindow *window,
                       GtkWidget *list,
                       GtkWidget *inspector);
/* Saves the position of @paned under @key in the settings when the user changes it. @key must be a
 * static string. */
void gilk_panes_save_width (GtkWindow  *window,
                            GtkPaned   *paned,
                            const char *key);

/* Shows @widget only while @window is narrower than @width; with @wide, only while it is wider.
 * @window must have been given to gilk_panes_attach(). */
void gilk_panes_show_by_width (GtkWindow *window,
                               GtkWidget *widget,
                               int        width,
                               gboolean   wide);

/**
 * gilk_panes_set_icon_and_label:
 * Adds an icon to @button, which must be empty. Shows @word beside the icon while @window is wide
 * enough. The button's tooltip and accessible name should contain the full text. Also removes
 * the button's border.
 */
void gilk_panes_set_icon_and_label (GtkWindow  *window,
                                    GtkWidget  *button,
                                    const char *icon,
                                    const char *word);

/* Returns the width of the work area of the monitor that @window is on, in pixels. */
int  gilk_panes_work_area_width (GtkWindow *window);

/* Moves the keyboard focus to the next visible pane of @panes that accepts it. */
void gilk_panes_focus_next  (GtkWindow        *window,
                             GtkWidget *const *panes,
                             guint             n_panes);

/* Sets the placeholder text of @entry to @full or, while @full does not fit into the entry, to
 * @brief. */
void gilk_panes_set_placeholder (GtkEntry *entry, const char *full, const char *brief);

/* Makes the combo box @box ellipsize texts that do not fit. */
void gilk_panes_ellipsize_combo (GtkWidget *box);
/* Destroys all children. */
void gilk_panes_clear (GtkContainer *container);
