/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-way-box.c - choice between the two ways to hook the connected kernel, with what each costs
 *
 * The action win.way makes the choice. If one of the ways, driver and BPF, is not possible, its
 * button is insensitive, and the reason and the remedy are shown below it. While hooks are live,
 * the buttons of both ways are insensitive.
 */
#include "gui/window/gilk-header-buttons.h"

#include <glib/gi18n.h>

#include "core/base/gilk-tactic.h"

struct _GilkWayBox {
  GtkBox parent_instance;

  GilkConnection *connection;
  GilkRecorder   *recorder;
  GtkWidget      *ilk, *bpf, *ilk_box, *bpf_box;
  GtkLabel       *ilk_detail, *bpf_detail, *why_fixed;
};

G_DEFINE_FINAL_TYPE (GilkWayBox, gilk_way_box, GTK_TYPE_BOX)

static void
show_way (GilkWayBox   *self,
          enum gilk_way way,
          const char   *possible)
{
  GtkWidget *button = way == GILK_WAY_BPF ? self->bpf : self->ilk;
  const char *why = gilk_connection_way_obstacle (self->connection, way), *text = why != NULL ? why : possible;
  /* Put "In use" into the description of the active button, because GTK does not report to screen
   * readers which of the two buttons is active. */
  g_autofree char *spoken = gilk_connection_way (self->connection) == way ? g_strdup_printf (_("In use. %s"), text) : g_strdup (text);

  gtk_widget_set_sensitive (way == GILK_WAY_BPF ? self->bpf_box : self->ilk_box, why == NULL);
  gtk_label_set_text (way == GILK_WAY_BPF ? self->bpf_detail : self->ilk_detail, text);
  atk_object_set_description (gtk_widget_get_accessible (button), spoken);
}

/* Returns why the way to hook the kernel cannot be changed now; NULL: it can be changed. */
static const char *
find_why_fixed (GilkWayBox *self)
{
  if (gilk_connection_is_switching (self->connection))
    return _("Changing…");
  if (gilk_recorder_state (self->recorder) != GILK_RECORDER_IDLE)
    return _("Hooks are live: stop the run before you choose between driver and BPF.");

  return NULL;
}

static void
update (GilkWayBox *self)
{
  const char *fixed = find_why_fixed (self);
  g_autofree char *cost = g_strdup_printf (_("Loads no module and only observes. A hit costs about %u instructions, or %u "
                                             "where the kernel cannot optimise a kprobe."),
                                           GILK_KPROBE_COST, GILK_KPROBE_INT3_COST);

  gtk_widget_set_visible (GTK_WIDGET (self), gilk_connection_state (self->connection) == GILK_CONNECTION_READY);
  show_way (self, GILK_WAY_ILK, _("Patches the kernel's code, and can change what it does. A count costs 3 instructions per hit or more."));
  show_way (self, GILK_WAY_BPF, cost);
  gtk_label_set_text (self->why_fixed, fixed != NULL ? fixed : "");
  gtk_widget_set_visible (GTK_WIDGET (self->why_fixed), fixed != NULL);
}

void
gilk_way_box_follow (GilkWayBox     *self,
                     GilkConnection *connection,
                     GilkRecorder   *recorder)
{
  self->connection = g_object_ref (connection);
  self->recorder = g_object_ref (recorder);
  g_signal_connect_object (connection, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

static void
gilk_way_box_dispose (GObject *object)
{
  GilkWayBox *self = GILK_WAY_BOX (object);

  if (self->connection != NULL)
    g_signal_handlers_disconnect_by_data (self->connection, self);
  if (self->recorder != NULL)
    g_signal_handlers_disconnect_by_data (self->recorder, self);
  g_clear_object (&self->connection);
  g_clear_object (&self->recorder);
  G_OBJECT_CLASS (gilk_way_box_parent_class)->dispose (object);
}

static void
gilk_way_box_class_init (GilkWayBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_way_box_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/way-box.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, GilkWayBox, name)
  BIND (ilk);
  BIND (bpf);
  BIND (ilk_box);
  BIND (bpf_box);
  BIND (ilk_detail);
  BIND (bpf_detail);
  BIND (why_fixed);
#undef BIND
}

static void
gilk_way_box_init (GilkWayBox *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
