/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-messages.h - what a window has to say at the moment, and which of it comes first
 *
 * A message of an owner (a condition: "target", "plan") stands until its owner takes it back or says something
 * else, or the user closes it. A remark, of no owner, stands until the next remark; one that only tells something, without
 * remedy, until anything else is said, or it is settled that something else matters more.
 *
 * A message that passes tells of what happened, which is over: it goes by itself once it was shown for some time.
 *
 * The most important is shown: errors before warnings before what is only told, of one grade what offers a remedy
 * before what does not, then the latest; a remark without remedy comes after all else. What was said last is in
 * front of them until it is settled, for it may answer what the user just did.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  GILK_GRADE_INFO,
  GILK_GRADE_WARNING,
  GILK_GRADE_ERROR,
} GilkGrade;

#define GILK_OFFERS_MAX 2

typedef struct {
  const char *label;       /* NULL: no button */
  const char *action;      /* detailed: "win.connect('local')" */
} GilkOffer;

typedef struct {
  const char *owner;
  GilkGrade   grade;
  char       *text;
  char       *labels[GILK_OFFERS_MAX], *actions[GILK_OFFERS_MAX];    /* NULL: none */
  gboolean    passes;
} GilkMessage;

typedef struct _GilkMessages GilkMessages;

GilkMessages *gilk_messages_new  (void);
void          gilk_messages_free (GilkMessages *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkMessages, gilk_messages_free)

/* @owner: (nullable): of static life; @first, @second: (nullable). FALSE: just this stands already, and nothing changed. */
gboolean      gilk_messages_say     (GilkMessages *self, const char *owner, GilkGrade grade, const char *text,
                                     const GilkOffer *first, const GilkOffer *second);
/* The same of what happened and is over. */
gboolean      gilk_messages_tell    (GilkMessages *self, const char *owner, GilkGrade grade, const char *text,
                                     const GilkOffer *first, const GilkOffer *second);
/* FALSE: it said nothing. */
gboolean      gilk_messages_unsay   (GilkMessages *self, const char *owner);
gboolean      gilk_messages_says    (const GilkMessages *self, const char *owner);
/* The most important is shown again. */
void          gilk_messages_settle  (GilkMessages *self);
/* The one that comes after the one shown is; after the last, the first. */
void          gilk_messages_next    (GilkMessages *self);
/* That which is shown is gone. */
void          gilk_messages_dismiss (GilkMessages *self);
/* @n: (out): how many there are; @settled: (out): whether it is the most important. NULL: there is none. */
const GilkMessage *gilk_messages_shown (const GilkMessages *self, guint *n, gboolean *settled);

G_END_DECLS
