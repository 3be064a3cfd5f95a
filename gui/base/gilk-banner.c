/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-banner.c - message bar below the content of the window
 */
#include "gui/base/gilk-banner.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "gui/base/gilk-text.h"

#define SETTLE_S 6              /* seconds for which a new message is shown, even if there are more
                                 * important ones */
#define EXPIRE_S   15           /* messages about events disappear after this number of seconds */
#define RECENT_US  1500000      /* gilk_banner_clear_old_remark() keeps remarks younger than this */

struct _GilkBanner {
  GtkBox parent_instance;

  GtkInfoBar   *bar;              /* NULL after destruction; messages are then ignored */
  GtkLabel     *label;
  GtkButton    *first, *second, *more;
  GilkMessages *messages;
  guint         settle_source, expiry_source;      /* ids of the two timeouts; 0: none */
  const GilkMessage *shown;       /* message last shown; only compared, never dereferenced */
  gint64        remarked_us;      /* monotonic time of the last remark, us */
};

G_DEFINE_FINAL_TYPE (GilkBanner, gilk_banner, GTK_TYPE_BOX)

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
  /* Clear the action name before changing the action's target value: GTK warns if an action has a
   * name but not the target value that it needs. */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), NULL);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), name);
}

static void
show_more_button (GilkBanner *banner,
                  guint       n)
{
  g_autofree char *text = g_strdup_printf (g_dngettext (NULL, "%u more", "%u more", n - 1), n - 1);
  g_autofree char *tip = g_strdup_printf (_("Next of %u messages"), n);

  gtk_widget_set_visible (GTK_WIDGET (banner->more), n > 1);
  gtk_button_set_label (banner->more, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (banner->more), tip);
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (banner->more)), tip);
}

/* Makes screen readers announce @text, wherever the keyboard focus is. */
static void
announce_text (GilkBanner *banner,
               const char *text)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (banner->bar));

  if (g_strcmp0 (atk_object_get_name (accessible), text) == 0)
    return;
  atk_object_set_name (accessible, text);
  if (*text != '\0' && g_signal_lookup ("announcement", ATK_TYPE_OBJECT) != 0)
    g_signal_emit_by_name (accessible, "announcement", text);
}

static const GtkMessageType message_types[] = {
  [GILK_GRADE_INFO] = GTK_MESSAGE_INFO, [GILK_GRADE_WARNING] = GTK_MESSAGE_WARNING, [GILK_GRADE_ERROR] = GTK_MESSAGE_ERROR,
};

static GilkGrade
get_grade (GtkMessageType type)
{
  return type == GTK_MESSAGE_ERROR ? GILK_GRADE_ERROR : type == GTK_MESSAGE_WARNING ? GILK_GRADE_WARNING : GILK_GRADE_INFO;
}

/* ---- removing messages after some time ---- */

/* Returns whether the pointer or the keyboard focus is in the bar. While it is, the buttons must
 * not change. */
static gboolean
is_in_use (GilkBanner *banner)
{
  GtkWidget *top = gtk_widget_get_toplevel (GTK_WIDGET (banner->bar));
  GtkWidget *focus = GTK_IS_WINDOW (top) ? gtk_window_get_focus (GTK_WINDOW (top)) : NULL;
  int x, y, at_x, at_y;

  if (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (banner->bar)))
    return TRUE;
  if (!gtk_widget_get_mapped (GTK_WIDGET (banner->bar)))
    return FALSE;
  gdk_window_get_device_position (gtk_widget_get_window (top),
                                  gdk_seat_get_pointer (gdk_display_get_default_seat (gtk_widget_get_display (top))), &x, &y, NULL);

  return gtk_widget_translate_coordinates (top, GTK_WIDGET (banner->bar), x, y, &at_x, &at_y) && at_x >= 0 && at_y >= 0 &&
         at_x < gtk_widget_get_allocated_width (GTK_WIDGET (banner->bar)) &&
         at_y < gtk_widget_get_allocated_height (GTK_WIDGET (banner->bar));
}

static void show_message (GilkBanner *banner);

static gboolean
expire_shown (gpointer data)
{
  GilkBanner *banner = data;

  if (is_in_use (banner))
    return G_SOURCE_CONTINUE;
  banner->expiry_source = 0;
  gilk_messages_dismiss (banner->messages);
  show_message (banner);

  return G_SOURCE_REMOVE;
}

/* Starts the timer that removes a message about a finished event, when @message is first shown. */
static void
start_expiry (GilkBanner        *banner,
              const GilkMessage *message)
{
  if (message == banner->shown)
    return;
  banner->shown = message;
  g_clear_handle_id (&banner->expiry_source, g_source_remove);
  if (message != NULL && message->is_event)
    banner->expiry_source = g_timeout_add_seconds (EXPIRE_S, expire_shown, banner);
}

/* ---- showing a message in the bar ---- */

static void
show_message (GilkBanner *banner)
{
  gboolean settled;
  guint n;
  const GilkMessage *message = gilk_messages_shown (banner->messages, &n, &settled);
  g_autofree char *shown = gilk_text_sanitise (message != NULL ? message->text : "");

  if (banner->bar == NULL)
    return;
  start_expiry (banner, message);
  gtk_info_bar_set_revealed (banner->bar, message != NULL);
  gtk_label_set_text (banner->label, shown);
  gtk_widget_set_tooltip_text (GTK_WIDGET (banner->label), message != NULL && strcmp (message->text, shown) != 0 ? message->text : NULL);
  /* Do this before calling announce_text(), because setting the message type also renames the bar's
   * accessible object. */
  if (message != NULL)
    gtk_info_bar_set_message_type (banner->bar, message_types[message->grade]);
  announce_text (banner, message != NULL ? message->text : "");
  if (message == NULL)
    return;
  show_button (banner->first, message->labels[0], message->actions[0]);
  show_button (banner->second, message->labels[1], message->actions[1]);
  show_more_button (banner, n);
}

/* ---- return to the most important message ---- */

static gboolean
settle_message (gpointer data)
{
  GilkBanner *banner = data;

  if (is_in_use (banner))
    return G_SOURCE_CONTINUE;
  banner->settle_source = 0;
  gilk_messages_show_first (banner->messages);
  show_message (banner);

  return G_SOURCE_REMOVE;
}

static void
stop_settling (GilkBanner *banner)
{
  g_clear_handle_id (&banner->settle_source, g_source_remove);
}

static void
show_next (GilkBanner *banner)
{
  stop_settling (banner);
  gilk_messages_show_next (banner->messages);
  show_message (banner);
}

/* ---- adding and removing messages ---- */

/* Names the info bar's close button, which GTK creates with an icon and no name. */
static void
name_close_button (GtkWidget *child,
                   gpointer   user_data)
{
  if (GTK_IS_BUTTON (child) && gtk_style_context_has_class (gtk_widget_get_style_context (child), "close"))
    {
      atk_object_set_name (gtk_widget_get_accessible (child), _("Close the message"));
      gtk_widget_set_tooltip_text (child, _("Close the message"));
    }
  else if (GTK_IS_CONTAINER (child))
    gtk_container_forall (GTK_CONTAINER (child), name_close_button, NULL);
}

/* Shows a new message for SETTLE_S seconds, even if another message is more important. */
static void
bring_to_front (GilkBanner *banner,
                const char *owner)
{
  gboolean settled;
  guint n;

  if (banner->bar == NULL)
    return;
  if (owner == NULL)
    banner->remarked_us = g_get_monotonic_time ();
  gilk_messages_shown (banner->messages, &n, &settled);
  stop_settling (banner);
  if (!settled)
    banner->settle_source = g_timeout_add_seconds (SETTLE_S, settle_message, banner);
  show_message (banner);
}

void
gilk_banner_show (GilkBanner       *banner,
                  const char       *owner,
                  GtkMessageType    type,
                  const char       *text,
                  const GilkRemedy *first,
                  const GilkRemedy *second)
{
  if (gilk_messages_add (banner->messages, owner, get_grade (type), text, first, second))
    bring_to_front (banner, owner);
}

void
gilk_banner_show_event (GilkBanner       *banner,
                        const char       *owner,
                        GtkMessageType    type,
                        const char       *text,
                        const GilkRemedy *first,
                        const GilkRemedy *second)
{
  if (gilk_messages_add_event (banner->messages, owner, get_grade (type), text, first, second))
    bring_to_front (banner, owner);
}

void
gilk_banner_remark (GilkBanner    *banner,
                    GtkMessageType type,
                    const char    *text,
                    const char    *button,
                    const char    *action)
{
  const GilkRemedy offer = { button, action };

  if (type == GTK_MESSAGE_INFO)
    gilk_banner_show_event (banner, NULL, type, text, &offer, NULL);
  else
    gilk_banner_show (banner, NULL, type, text, &offer, NULL);
}

void
gilk_banner_show_error (GilkBanner   *banner,
                        const GError *error)
{
  if (error == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
      g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED))
    return;

  gilk_banner_remark (banner, GTK_MESSAGE_ERROR, error->message, NULL, NULL);
}

void
gilk_banner_withdraw (GilkBanner *banner,
                      const char *owner)
{
  if (gilk_messages_withdraw (banner->messages, owner))
    show_message (banner);
}

void
gilk_banner_clear_remark (GilkBanner *banner)
{
  gilk_banner_withdraw (banner, NULL);
}

void
gilk_banner_clear_old_remark (GilkBanner *banner)
{
  if (g_get_monotonic_time () - banner->remarked_us > RECENT_US)
    gilk_banner_clear_remark (banner);
}

void
gilk_banner_dismiss (GilkBanner *banner)
{
  gilk_messages_dismiss (banner->messages);
  show_message (banner);
}

gboolean
gilk_banner_has (GilkBanner *banner,
                 const char *owner)
{
  return gilk_messages_has (banner->messages, owner);
}

static void
gilk_banner_dispose (GObject *object)
{
  GilkBanner *self = GILK_BANNER (object);

  stop_settling (self);
  g_clear_handle_id (&self->expiry_source, g_source_remove);
  G_OBJECT_CLASS (gilk_banner_parent_class)->dispose (object);
}

static void
gilk_banner_finalize (GObject *object)
{
  gilk_messages_free (GILK_BANNER (object)->messages);
  G_OBJECT_CLASS (gilk_banner_parent_class)->finalize (object);
}

static void
gilk_banner_class_init (GilkBannerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_banner_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_banner_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/banner.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, GilkBanner, name)
  BIND (bar);
  BIND (label);
  BIND (first);
  BIND (second);
  BIND (more);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, gilk_banner_dismiss);
  gtk_widget_class_bind_template_callback (widget_class, show_next);
}

static void
gilk_banner_init (GilkBanner *self)
{
  G_STATIC_ASSERT (GILK_REMEDIES_MAX == 2);
  self->messages = gilk_messages_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_container_forall (GTK_CONTAINER (self->bar), name_close_button, NULL);
}
