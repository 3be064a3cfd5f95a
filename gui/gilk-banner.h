/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-banner.h - what the window says above all else, as long as it is so
 *
 * Shows one of the window's messages (gilk-messages.h), with its remedies; the others are a click away. What was said
 * last is shown for some seconds, then what matters most. What happened goes
 * after a while by itself. It has its place under the content, so that what one looks at stays where it is.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-messages.h"

G_BEGIN_DECLS

typedef struct _GilkBanner GilkBanner;

/* @second: for messages that offer two things; @more: goes to the next one. All belong to @bar. */
GilkBanner *gilk_banner_new  (GtkInfoBar *bar, GtkLabel *label, GtkButton *first, GtkButton *second, GtkButton *more);
void        gilk_banner_free (GilkBanner *banner);

/* @owner: of static life, or NULL; @second: (nullable), likewise @first */
void        gilk_banner_say     (GilkBanner *banner, const char *owner, GtkMessageType type, const char *text,
                                 const GilkOffer *first, const GilkOffer *second);
/* The same of what happened and is over: it goes by itself after a while. */
void        gilk_banner_tell    (GilkBanner *banner, const char *owner, GtkMessageType type, const char *text,
                                 const GilkOffer *first, const GilkOffer *second);
/* What @owner said is not so any more. */
void        gilk_banner_unsay   (GilkBanner *banner, const char *owner);
/* What was said for nobody has been read: the user goes on to something else. */
void        gilk_banner_pass    (GilkBanner *banner);
/* The same, but of what was said just now, which may be about what the user goes on to. */
void        gilk_banner_go_on   (GilkBanner *banner);
/* The user has closed what is shown. */
void        gilk_banner_dismiss (GilkBanner *banner);
gboolean    gilk_banner_says    (GilkBanner *banner, const char *owner);

G_END_DECLS
