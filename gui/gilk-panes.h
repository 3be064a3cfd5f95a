/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-panes.h - the panels beside the main view: whether there is room for them, and the key that goes round them
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * gilk_panes_watch:
 * @settings: "inspector", "function-list": what the user wants; what the layout folds is written to neither
 *
 * Gives @window the style class "narrow" while it is, and actions called as the settings are. A narrow window has no
 * inspector until that is asked for, and then no list for as long.
 */
void gilk_panes_watch (GtkWindow *window,
                       GSettings *settings);
/* Two panels of one of the window's modes. */
void gilk_panes_add   (GtkWindow *window,
                       GtkWidget *list,
                       GtkWidget *inspector);
/* @key: of static life, of the settings: the position of @paned, as the user set it */
void gilk_panes_keep_width (GtkWindow  *window,
                            GtkPaned   *paned,
                            const char *key);

/* From now on @widget is there only while @window, which is watched, is narrower than @width; with @wide, while it is not. */
void gilk_panes_show_by_width (GtkWindow *window,
                               GtkWidget *widget,
                               int        width,
                               gboolean   wide);

/**
 * gilk_panes_set_icon_and_word:
 * What @button, which has no child, says: an icon, and beside it @word where @window has the room, which the button's tooltip and
 * accessible name say in full. The button has no border.
 */
void gilk_panes_set_icon_and_word (GtkWindow  *window,
                                   GtkWidget  *button,
                                   const char *icon,
                                   const char *word);

/* How wide @window may be where it is. */
int  gilk_panes_widest (GtkWindow *window);

/* The keyboard goes to the next of @panes that is to be seen and takes it. */
void gilk_panes_next  (GtkWindow        *window,
                       GtkWidget *const *panes,
                       guint             n_panes);

/* What @entry says while it is empty; @brief where there is no room for @full. */
void gilk_panes_say_in (GtkEntry *entry, const char *full, const char *brief);

/* The texts of @box, a combo box, end in "…" where there is no room for them. */
void gilk_panes_let_shrink (GtkWidget *box);

G_END_DECLS
