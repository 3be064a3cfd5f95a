/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-messages.h - pending messages of a window, ordered by importance
 *
 * A message with an owner, such as "target" or "plan", reports a condition. It stays until its
 * owner withdraws or replaces it, or the user closes it. A message without an owner is a remark. It
 * stays until the next remark. A remark of grade GILK_GRADE_INFO without a remedy is also removed
 * when any other message arrives, and by gilk_messages_show_first() if there are other messages.
 *
 * A message with @is_event set is about a finished event. The caller removes it after it was shown
 * for some time.
 *
 * Order: errors, warnings, information; within a grade, messages with a remedy first; then the
 * newest first. Remarks without a remedy come last. Until gilk_messages_show_first() is called, a
 * new message is shown instead of the most important one, because it may answer the user's last
 * action.
 */
#pragma once

#include <glib.h>

typedef enum {
  GILK_GRADE_INFO,
  GILK_GRADE_WARNING,
  GILK_GRADE_ERROR,
} GilkGrade;

#define GILK_REMEDIES_MAX 2

typedef struct {
  const char *label;       /* label of the button; NULL: no button */
  const char *action;      /* detailed action name: "win.connect('local')" */
} GilkRemedy;

typedef struct {
  const char *owner;
  GilkGrade   grade;
  char       *text;
  char       *labels[GILK_REMEDIES_MAX], *actions[GILK_REMEDIES_MAX];    /* NULL: none */
  gboolean    is_event;
} GilkMessage;

typedef struct _GilkMessages GilkMessages;

GilkMessages *gilk_messages_new  (void);
void          gilk_messages_free (GilkMessages *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkMessages, gilk_messages_free)

/* Adds a message, or replaces the message of @owner. @owner: (nullable): a static string; @first,
 * @second: (nullable): remedies. Returns FALSE, and changes nothing, if @owner has the same message
 * already. */
gboolean      gilk_messages_add     (GilkMessages *self, const char *owner, GilkGrade grade, const char *text,
                                     const GilkRemedy *first, const GilkRemedy *second);
/* Like gilk_messages_add(), but for a message about an event that is over: also sets the message's
 * @is_event. */
gboolean      gilk_messages_add_event    (GilkMessages *self, const char *owner, GilkGrade grade, const char *text,
                                          const GilkRemedy *first, const GilkRemedy *second);
/* Withdraws the message of @owner. Returns FALSE if @owner does not have one. */
gboolean      gilk_messages_withdraw   (GilkMessages *self, const char *owner);
gboolean      gilk_messages_has    (const GilkMessages *self, const char *owner);
/* Shows the most important message again. */
void          gilk_messages_show_first  (GilkMessages *self);
/* Shows the next message; after the last one, shows the first. */
void          gilk_messages_show_next    (GilkMessages *self);
/* Removes the message that is shown. */
void          gilk_messages_dismiss (GilkMessages *self);
/* Returns the message to show; NULL: none. @n: (out): number of messages; @settled: (out):
   whether the returned message is the most important one */
const GilkMessage *gilk_messages_shown (const GilkMessages *self, guint *n, gboolean *settled);
