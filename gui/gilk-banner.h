/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-banner.h - what the window says above all else, as long as it is so
 *
 * A message of an owner (a condition: "target", "plan") stands until its owner takes it back or says something
 * else, or the user closes it. One of nobody (owner NULL) is said once: the next of nobody takes its place, and
 * what stands comes back behind it. The last that was said is shown.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _GilkBanner GilkBanner;

/* @second: for messages that offer two things. All belong to @bar. */
GilkBanner *gilk_banner_new  (GtkInfoBar *bar, GtkLabel *label, GtkButton *first, GtkButton *second);
void        gilk_banner_free (GilkBanner *banner);

typedef struct {
  const char *label;       /* NULL: no button */
  const char *action;      /* detailed: "win.connect('local')" */
} GilkOffer;

/* @owner: of static life, or NULL; @second: (nullable), likewise @first */
void        gilk_banner_say     (GilkBanner *banner, const char *owner, GtkMessageType type, const char *text,
                                 const GilkOffer *first, const GilkOffer *second);
/* What @owner said is not so any more. */
void        gilk_banner_unsay   (GilkBanner *banner, const char *owner);
/* What was said for nobody has been read: the user goes on to something else. */
void        gilk_banner_pass    (GilkBanner *banner);
/* The user has closed what is shown. */
void        gilk_banner_dismiss (GilkBanner *banner);
gboolean    gilk_banner_says    (GilkBanner *banner, const char *owner);

G_END_DECLS
