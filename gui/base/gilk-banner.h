/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-banner.h - message bar below the content of the window
 *
 * Shows one of the window's messages (gilk-messages.h) with its remedies; a button steps through
 * the others. A new message is shown for some seconds, then the most important one. Messages about
 * finished events disappear by themselves. The bar is placed below the content, so that the content
 * does not move when the bar appears. Progress bars (GilkFileNotice) can be added to the same box.
 * Functions may be called after the banner was destroyed.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/base/gilk-messages.h"

#define GILK_TYPE_BANNER (gilk_banner_get_type ())
G_DECLARE_FINAL_TYPE (GilkBanner, gilk_banner, GILK, BANNER, GtkBox)

/* Shows a message until its owner withdraws it. @owner: (nullable): a static string; @first,
   @second: (nullable): remedies */
void     gilk_banner_show             (GilkBanner *banner, const char *owner, GtkMessageType type, const char *text,
                                       const GilkRemedy *first, const GilkRemedy *second);
/* Like gilk_banner_show(), but for a message about an event that is over. Such a message disappears
 * by itself after some seconds. */
void     gilk_banner_show_event       (GilkBanner *banner, const char *owner, GtkMessageType type, const char *text,
                                       const GilkRemedy *first, const GilkRemedy *second);
/* Shows a remark, which is a message without an owner about the user's last action. The next remark
 * replaces it. A remark of grade GILK_GRADE_INFO without a remedy disappears by itself. @button,
 * @action: (nullable): remedy */
void     gilk_banner_remark           (GilkBanner *banner, GtkMessageType type, const char *text, const char *button,
                                       const char *action);
/* Shows @error as a remark, unless it is NULL or reports a cancellation. */
void     gilk_banner_show_error       (GilkBanner *banner, const GError *error);
/* Withdraws the message of @owner. */
void     gilk_banner_withdraw         (GilkBanner *banner, const char *owner);
/* Withdraws the remark. Call it when the user starts another task. */
void     gilk_banner_clear_remark     (GilkBanner *banner);
/* Like gilk_banner_clear_remark(), but keeps a remark that was made just now, because it may be
 * about the current task. */
void     gilk_banner_clear_old_remark (GilkBanner *banner);
/* Removes the shown message. Call it when the user closes the message. */
void     gilk_banner_dismiss          (GilkBanner *banner);
gboolean gilk_banner_has              (GilkBanner *banner, const char *owner);
