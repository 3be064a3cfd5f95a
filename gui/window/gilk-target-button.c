/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-button.c - button in the header that shows the target and its state, and opens a
 * popover to choose a target
 */
#include "gui/window/gilk-header-buttons.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/link/gilk-lab.h"
#include "gui/base/gilk-object.h"
#include "gui/fleet/gilk-fleet-window.h"

struct _GilkTargetButton {
  GtkMenuButton parent_instance;

  GilkConnection *connection;
  GtkLabel       *dot, *label;
  GtkPopover     *menu;
  GtkEntry       *host_entry;
  GilkWayBox     *way_box;
};

G_DEFINE_FINAL_TYPE (GilkTargetButton, gilk_target_button, GTK_TYPE_MENU_BUTTON)

static void
connect_host (GilkTargetButton *self)
{
  g_autofree char *host = g_strstrip (g_strdup (gtk_entry_get_text (self->host_entry)));
  g_autofree char *spec = NULL;

  if (host[0] == '\0')
    return;
  spec = g_str_has_prefix (host, "ssh:") || g_str_has_prefix (host, "unix:") || g_str_has_prefix (host, "file:") || gilk_lab_name (host) != NULL
         ? g_strdup (host) : g_strconcat ("ssh:", host, NULL);
  g_signal_emit_by_name (self, "chosen", spec);
}

/* Shows the state of the connection as a dot. Each state has its own shape as well as its own
 * colour, for users who cannot distinguish the colours. */
static void
show_dot (GilkTargetButton   *self,
          GilkConnectionState state)
{
  static const struct { const char *class, *shape; } dots[] = {
    [GILK_CONNECTION_NONE] = { "dot-none", "○" },
    [GILK_CONNECTION_CONNECTING] = { "dot-busy", "◐" },
    [GILK_CONNECTION_READY] = { "dot-ready", "●" },
    [GILK_CONNECTION_LOST] = { "dot-lost", "✕" },
  };
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self->dot));

  for (guint i = 0; i < G_N_ELEMENTS (dots); i++)
    gtk_style_context_remove_class (context, dots[i].class);
  gtk_style_context_add_class (context, dots[state].class);
  gtk_label_set_text (self->dot, dots[state].shape);
}

/* Returns the button's label for a target. For the file of a kernel, this is the file's name
 * without its folder. (transfer full) */
static char *
make_label (const char *spec)
{
  return spec != NULL && g_str_has_prefix (spec, "file:") ? g_path_get_basename (spec + strlen ("file:")) : g_strdup (spec);
}

static void
show_target (GilkTargetButton *self)
{
  GilkConnectionState state = gilk_connection_state (self->connection);
  g_autofree char *name = make_label (gilk_connection_spec (self->connection));
  g_autofree char *text = NULL;

  show_dot (self, state);
  if (state == GILK_CONNECTION_READY)
    text = g_strdup_printf ("%s · %s", name, gilk_connection_release (self->connection));
  else if (state == GILK_CONNECTION_LOST)
    text = g_strdup_printf (_("%s · lost"), name);
  else if (state == GILK_CONNECTION_CONNECTING)
    text = g_strdup_printf (_("%s…"), name);
  else
    text = g_strdup (_("Connect"));
  gtk_label_set_text (self->label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), state == GILK_CONNECTION_NONE ? _("The kernel to inspect") : text);
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), text);
}

void
gilk_target_button_popdown (GilkTargetButton *self)
{
  gtk_popover_popdown (self->menu);
}

void
gilk_target_button_follow (GilkTargetButton *self,
                           GilkConnection   *connection,
                           GilkRecorder     *recorder)
{
  self->connection = g_object_ref (connection);
  g_signal_connect_object (connection, "changed", G_CALLBACK (show_target), self, G_CONNECT_SWAPPED);
  gilk_way_box_follow (self->way_box, connection, recorder);
  show_target (self);
}

static void
gilk_target_button_dispose (GObject *object)
{
  GilkTargetButton *self = GILK_TARGET_BUTTON (object);

  if (self->connection != NULL)
    g_signal_handlers_disconnect_by_data (self->connection, self);
  g_clear_object (&self->connection);
  G_OBJECT_CLASS (gilk_target_button_parent_class)->dispose (object);
}

static void
gilk_target_button_class_init (GilkTargetButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_target_button_dispose;
  gilk_add_signal (klass, "chosen", 1, G_TYPE_STRING);
  g_type_ensure (GILK_TYPE_TARGET_LIST);
  g_type_ensure (GILK_TYPE_WAY_BOX);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/target-button.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, GilkTargetButton, name)
  BIND (dot);
  BIND (label);
  BIND (menu);
  BIND (host_entry);
  BIND (way_box);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, connect_host);
}

static void
gilk_target_button_init (GilkTargetButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
