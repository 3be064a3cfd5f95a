/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-start-page.h - start page: connect a target, open an example or a recent file
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_START_PAGE (gilk_start_page_get_type ())
G_DECLARE_FINAL_TYPE (GilkStartPage, gilk_start_page, GILK, START_PAGE, GtkScrolledWindow)

/* Lists the recent files of @settings. @menu: a menu that lists the files as well */
void gilk_start_page_set_settings (GilkStartPage *self, GSettings *settings, GMenu *menu);
/* Checks which recent files still exist, and lists the files. */
void gilk_start_page_check_files  (GilkStartPage *self);
/* Shows a button that connects @target again and opens @function. @function: "": no function */
void gilk_start_page_offer_resume (GilkStartPage *self, const char *target, const char *function);
/* Moves the focus to the first choice, if it is visible. */
void gilk_start_page_focus        (GilkStartPage *self);

G_END_DECLS
