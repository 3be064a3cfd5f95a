/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-messages.c - pending messages of a window, ordered by importance
 */
#include "gui/base/gilk-messages.h"

struct _GilkMessages {
  GPtrArray         *all;         /* element-type GilkMessage, most important first */
  const GilkMessage *shown_first; /* message of @all to show instead of the first; NULL: show the
                                   * first */
};

static void
message_free (gpointer data)
{
  GilkMessage *message = data;

  for (guint i = 0; i < GILK_REMEDIES_MAX; i++)
    {
      g_free (message->labels[i]);
      g_free (message->actions[i]);
    }
  g_free (message->text);
  g_free (message);
}

GilkMessages *
gilk_messages_new (void)
{
  GilkMessages *self = g_new0 (GilkMessages, 1);

  self->all = g_ptr_array_new_with_free_func (message_free);

  return self;
}

void
gilk_messages_free (GilkMessages *self)
{
  g_ptr_array_unref (self->all);
  g_free (self);
}

static GilkMessage *
message_new (const char       *owner,
             GilkGrade         grade,
             const char       *text,
             const GilkRemedy *first,
             const GilkRemedy *second)
{
  const GilkRemedy *offers[GILK_REMEDIES_MAX] = { first, second };
  GilkMessage *message = g_new0 (GilkMessage, 1);

  message->owner = owner;
  message->grade = grade;
  message->text = g_strdup (text);
  for (guint i = 0; i < GILK_REMEDIES_MAX; i++)
    if (offers[i] != NULL)
      {
        message->labels[i] = g_strdup (offers[i]->label);
        message->actions[i] = g_strdup (offers[i]->action);
      }

  return message;
}

static gboolean
is_same (const GilkMessage *a,
         const GilkMessage *b)
{
  for (guint i = 0; i < GILK_REMEDIES_MAX; i++)
    if (g_strcmp0 (a->labels[i], b->labels[i]) != 0 || g_strcmp0 (a->actions[i], b->actions[i]) != 0)
      return FALSE;

  return a->grade == b->grade && g_strcmp0 (a->text, b->text) == 0;
}

static guint
get_rank (const GilkMessage *message)
{
  const gboolean remedy = message->labels[0] != NULL || message->labels[1] != NULL;

  if (message->owner == NULL && !remedy)
    return message->grade;

  return GILK_GRADE_ERROR + 1 + 2 * message->grade + remedy;
}

static int
find_owner (const GilkMessages *self,
            const char         *owner)
{
  for (guint i = 0; i < self->all->len; i++)
    {
      const GilkMessage *message = g_ptr_array_index (self->all, i);

      if (g_strcmp0 (message->owner, owner) == 0)
        return i;
    }

  return -1;
}

static void
remove_message (GilkMessages *self,
                guint         index)
{
  if (self->shown_first == g_ptr_array_index (self->all, index))
    self->shown_first = NULL;
  g_ptr_array_remove_index (self->all, index);
}

/* Removes the remark (the message without an owner) if its grade is GILK_GRADE_INFO and it lacks a
 * remedy. Called when another message arrives or some time has passed, so that the user has had
 * time to read the remark. */
static void
drop_read_remark (GilkMessages *self)
{
  const int at = find_owner (self, NULL);

  if (at >= 0 && get_rank (g_ptr_array_index (self->all, at)) == GILK_GRADE_INFO)
    remove_message (self, at);
}

/* Adds @message (transfer full). Returns FALSE if its owner has the same message already. */
static gboolean
add_message (GilkMessages *self,
             GilkMessage  *message)
{
  const char *owner = message->owner;
  const int before = find_owner (self, owner);
  guint at = 0;

  /* Ignore a message that its owner has shown already. A repeated remark (a message without an
   * owner) is shown again, because the user has repeated the action. */
  if (before >= 0 && owner != NULL && is_same (g_ptr_array_index (self->all, before), message))
    {
      message_free (message);
      return FALSE;
    }
  if (before >= 0)
    remove_message (self, before);
  drop_read_remark (self);
  while (at < self->all->len && get_rank (g_ptr_array_index (self->all, at)) > get_rank (message))
    at++;
  g_ptr_array_insert (self->all, at, message);
  self->shown_first = message;

  return TRUE;
}

gboolean
gilk_messages_add (GilkMessages     *self,
                   const char       *owner,
                   GilkGrade         grade,
                   const char       *text,
                   const GilkRemedy *first,
                   const GilkRemedy *second)
{
  return add_message (self, message_new (owner, grade, text, first, second));
}

gboolean
gilk_messages_add_event (GilkMessages     *self,
                         const char       *owner,
                         GilkGrade         grade,
                         const char       *text,
                         const GilkRemedy *first,
                         const GilkRemedy *second)
{
  GilkMessage *message = message_new (owner, grade, text, first, second);

  message->is_event = TRUE;

  return add_message (self, message);
}

gboolean
gilk_messages_withdraw (GilkMessages *self,
                        const char   *owner)
{
  const int at = find_owner (self, owner);

  if (at >= 0)
    remove_message (self, at);

  return at >= 0;
}

gboolean
gilk_messages_has (const GilkMessages *self,
                   const char         *owner)
{
  return find_owner (self, owner) >= 0;
}

void
gilk_messages_show_first (GilkMessages *self)
{
  self->shown_first = NULL;
  if (self->all->len > 1)
    drop_read_remark (self);
}

static guint
get_shown_index (const GilkMessages *self)
{
  guint at = 0;

  if (self->shown_first != NULL)
    g_ptr_array_find (self->all, self->shown_first, &at);

  return at;
}

void
gilk_messages_show_next (GilkMessages *self)
{
  if (self->all->len > 0)
    self->shown_first = g_ptr_array_index (self->all, (get_shown_index (self) + 1) % self->all->len);
}

void
gilk_messages_dismiss (GilkMessages *self)
{
  if (self->all->len > 0)
    remove_message (self, get_shown_index (self));
}

const GilkMessage *
gilk_messages_shown (const GilkMessages *self,
                     guint              *n,
                     gboolean           *settled)
{
  const guint at = get_shown_index (self);

  *n = self->all->len;
  *settled = at == 0;

  return self->all->len > 0 ? g_ptr_array_index (self->all, at) : NULL;
}
