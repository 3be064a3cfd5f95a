/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-banner.c - what the window says above all else, as long as it is so
 */
#include "gui/gilk-banner.h"

#include <string.h>

#include "gui/gilk-text.h"

typedef struct {
  const char     *owner;
  GtkMessageType  type;
  char           *text;
  char           *labels[2], *actions[2];
} Message;

struct _GilkBanner {
  GtkInfoBar *bar;
  GtkLabel   *label;
  GtkButton  *buttons[2];
  GPtrArray  *messages;        /* Message; the last is shown */
};

static void
message_free (gpointer data)
{
  Message *message = data;

  for (guint i = 0; i < G_N_ELEMENTS (message->labels); i++)
    {
      g_free (message->labels[i]);
      g_free (message->actions[i]);
    }
  g_free (message->text);
  g_free (message);
}

GilkBanner *
gilk_banner_new (GtkInfoBar *bar,
                 GtkLabel   *label,
                 GtkButton  *first,
                 GtkButton  *second)
{
  GilkBanner *banner = g_new0 (GilkBanner, 1);

  banner->bar = bar;
  banner->label = label;
  banner->buttons[0] = first;
  banner->buttons[1] = second;
  banner->messages = g_ptr_array_new_with_free_func (message_free);

  return banner;
}

void
gilk_banner_free (GilkBanner *banner)
{
  g_ptr_array_unref (banner->messages);
  g_free (banner);
}

static void
show_button (GtkButton  *button,
             const char *label,
             const char *action)
{
  g_autofree char *name = NULL;
  g_autoptr(GVariant) target = NULL;

  gtk_widget_set_visible (GTK_WIDGET (button), label != NULL);
  if (label == NULL || !g_action_parse_detailed_name (action, &name, &target, NULL))
    return;
  gtk_button_set_label (button, label);
  /* The name last: GTK complains of an action without the target it takes. */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), NULL);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), name);
}

static void
show_last (GilkBanner *banner)
{
  const Message *last = banner->messages->len > 0 ? g_ptr_array_index (banner->messages, banner->messages->len - 1)
                                                  : NULL;
  g_autofree char *shown = gilk_text_tame (last != NULL ? last->text : "");

  gtk_info_bar_set_revealed (banner->bar, last != NULL);
  gtk_label_set_text (banner->label, shown);
  gtk_widget_set_tooltip_text (GTK_WIDGET (banner->label), last != NULL && strcmp (last->text, shown) != 0 ? last->text : NULL);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (banner->bar)), last != NULL ? last->text : "");
  if (last == NULL)
    return;
  gtk_info_bar_set_message_type (banner->bar, last->type);
  for (guint i = 0; i < G_N_ELEMENTS (banner->buttons); i++)
    show_button (banner->buttons[i], last->labels[i], last->actions[i]);
}

static int
find (GilkBanner *banner,
      const char *owner)
{
  for (guint i = 0; i < banner->messages->len; i++)
    {
      const Message *message = g_ptr_array_index (banner->messages, i);

      if (g_strcmp0 (message->owner, owner) == 0)
        return i;
    }

  return -1;
}

static gboolean
take_out (GilkBanner *banner,
          const char *owner)
{
  int index = find (banner, owner);

  if (index >= 0)
    g_ptr_array_remove_index (banner->messages, index);

  return index >= 0;
}

void
gilk_banner_say (GilkBanner      *banner,
                 const char      *owner,
                 GtkMessageType   type,
                 const char      *text,
                 const GilkOffer *first,
                 const GilkOffer *second)
{
  const GilkOffer *offers[] = { first, second };
  Message *message = g_new0 (Message, 1);

  message->owner = owner;
  message->type = type;
  message->text = g_strdup (text);
  for (guint i = 0; i < G_N_ELEMENTS (offers); i++)
    if (offers[i] != NULL)
      {
        message->labels[i] = g_strdup (offers[i]->label);
        message->actions[i] = g_strdup (offers[i]->action);
      }
  take_out (banner, NULL);
  take_out (banner, owner);
  g_ptr_array_add (banner->messages, message);
  show_last (banner);
}

void
gilk_banner_unsay (GilkBanner *banner,
                   const char *owner)
{
  if (take_out (banner, owner))
    show_last (banner);
}

void
gilk_banner_pass (GilkBanner *banner)
{
  gilk_banner_unsay (banner, NULL);
}

void
gilk_banner_dismiss (GilkBanner *banner)
{
  if (banner->messages->len == 0)
    return;
  g_ptr_array_remove_index (banner->messages, banner->messages->len - 1);
  show_last (banner);
}

gboolean
gilk_banner_says (GilkBanner *banner,
                  const char *owner)
{
  return find (banner, owner) >= 0;
}
