/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-disarm-button.c - Disarm All: disarms the hooks of all clients, even if the agent hangs
 *
 *  1. Ask the agent to disarm, without a confirmation dialog. This also ends the window's own run.
 *  2. If the agent has not answered after PATIENCE_MS, show a message and try another agent through
 *     a second connection to the same target.
 *  3. Whether or not the second agent succeeds, abandon the first connection. The driver disarms
 *     the hooks of the first agent as soon as that agent runs again or exits.
 */
#include "gui/window/gilk-header-buttons.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-panes.h"
#include "gui/run/gilk-connection.h"

#define PATIENCE_MS 3000

struct _GilkDisarmButton {
  GtkButton parent_instance;

  GilkConnection *connection;          /* @connection and @recorder are NULL once the button is
                                        * disposed */
  GilkRecorder   *recorder;
  GilkTargetPoll *poll;
  GilkBanner     *banner;
  GtkWidget      *image, *label;
};

G_DEFINE_FINAL_TYPE (GilkDisarmButton, gilk_disarm_button, GTK_TYPE_BUTTON)

typedef struct {
  GilkDisarmButton *self;              /* owned reference */
  char       *spec;
  guint       timer;
} Disarming;

static void
disarming_free (Disarming *disarming)
{
  g_clear_handle_id (&disarming->timer, g_source_remove);
  g_object_unref (disarming->self);
  g_free (disarming->spec);
  g_free (disarming);
}

/* (transfer full) */
static char *
describe_restored (gssize restored)
{
  return restored == 0 ? g_strdup (_("Nothing was armed. The kernel is unchanged."))
         : g_strdup_printf (g_dngettext (NULL, "%zd location was restored. The kernel is in its original state.",
                                         "%zd locations were restored. The kernel is in its original state.", restored), restored);
}

/* ---- disarming through another agent ---- */

static void
detour_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  struct ilk_disarm disarm = { .what = ILK_DISARM_ALL_FILES };
  GError *error = NULL;
  g_autoptr(GilkTarget) target = gilk_target_open (task_data, NULL, NULL, &error);
  gboolean good = target != NULL && gilk_target_disarm (target, &disarm, NULL, NULL, &error);

  if (target != NULL)
    gilk_target_close (target);
  if (good)
    g_task_return_int (task, disarm.restored);
  else
    g_task_return_error (task, error);
}

static void
detour_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  GilkDisarmButton *self = GILK_DISARM_BUTTON (object);
  const char *spec = g_task_get_task_data (G_TASK (result));
  g_autoptr(GError) error = NULL;
  gssize restored = g_task_propagate_int (G_TASK (result), &error);
  g_autofree char *text = NULL, *what = NULL;

  if (self->connection == NULL)
    return;
  gilk_banner_withdraw (self->banner, "disarm");
  if (restored >= 0)
    {
      what = describe_restored (restored);
      text = g_strdup_printf (_("The hooks were disarmed through another agent of %s, because the agent in use does "
                                "not answer. %s"), spec, what);
    }
  else
    text = g_strdup_printf (_("The agent of %s does not answer, and no other agent could be reached: %s The "
                              "connection was closed; the driver restores the kernel as soon as the agent runs again "
                              "or exits."), spec, error->message);
  if (g_strcmp0 (spec, gilk_connection_spec (self->connection)) == 0 && gilk_connection_target (self->connection) != NULL)
    gilk_connection_abandon (self->connection, text);
  else
    gilk_banner_remark (self->banner, restored >= 0 ? GTK_MESSAGE_INFO : GTK_MESSAGE_ERROR, text, NULL, NULL);
}

static gboolean
try_detour (gpointer user_data)
{
  Disarming *disarming = user_data;
  GilkDisarmButton *self = disarming->self;
  g_autoptr(GTask) task = NULL;
  g_autofree char *text = NULL;

  disarming->timer = 0;
  if (self->connection == NULL)
    return G_SOURCE_REMOVE;
  text = g_strdup_printf (_("The agent of %s does not answer. The kernel is being restored through another agent; then "
                            "the connection is closed."), disarming->spec);
  gilk_banner_show (self->banner, "disarm", GTK_MESSAGE_WARNING, text, NULL, NULL);
  task = g_task_new (self, NULL, detour_cb, NULL);
  g_task_set_task_data (task, g_strdup (disarming->spec), g_free);
  g_task_run_in_thread (task, detour_thread);

  return G_SOURCE_REMOVE;
}

/* ---- disarming through the connected agent ---- */

static void
disarmed_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  Disarming *disarming = user_data;
  GilkDisarmButton *self = disarming->self;
  const gboolean in_time = disarming->timer != 0;
  g_autoptr(GError) error = NULL;
  gssize restored = gilk_connection_disarm_finish (GILK_CONNECTION (object), result, &error);

  /* Show nothing after the timeout, because try_detour() has already shown a message. */
  if (in_time && restored < 0)
    gilk_banner_show_error (self->banner, error);
  else if (in_time)
    {
      g_autofree char *text = describe_restored (restored);

      gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, text, NULL, NULL);
    }
  disarming_free (disarming);
}

void
gilk_disarm_button_disarm (GilkDisarmButton *self)
{
  Disarming *disarming = g_new0 (Disarming, 1);

  gilk_banner_withdraw (self->banner, "disarm");
  disarming->self = g_object_ref (self);
  disarming->spec = g_strdup (gilk_connection_spec (self->connection));
  disarming->timer = g_timeout_add (PATIENCE_MS, try_detour, disarming);
  gilk_connection_disarm_async (self->connection, disarmed_cb, disarming);
}

/* ---- the button itself ---- */

static void
update_colour (GilkDisarmButton *self)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));

  if (gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING || gilk_target_poll_others (self->poll)->len > 0)
    gtk_style_context_add_class (context, "armed");
  else
    gtk_style_context_remove_class (context, "armed");
}

void
gilk_disarm_button_follow (GilkDisarmButton *self,
                           GtkWindow        *window,
                           GilkConnection   *connection,
                           GilkRecorder     *recorder,
                           GilkTargetPoll   *poll,
                           GilkBanner       *banner)
{
  self->connection = g_object_ref (connection);
  self->recorder = g_object_ref (recorder);
  self->poll = g_object_ref (poll);
  self->banner = g_object_ref (banner);
  gilk_panes_show_by_width (window, self->label, GILK_PANES_WORDS_WIDTH, TRUE);
  gilk_panes_show_by_width (window, self->image, GILK_PANES_WORDS_WIDTH, FALSE);
  g_signal_connect_object (connection, "changed", G_CALLBACK (update_colour), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "changed", G_CALLBACK (update_colour), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (poll, "changed", G_CALLBACK (update_colour), self, G_CONNECT_SWAPPED);
}

static void
gilk_disarm_button_dispose (GObject *object)
{
  GilkDisarmButton *self = GILK_DISARM_BUTTON (object);

  if (self->connection != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->connection, self);
      g_signal_handlers_disconnect_by_data (self->recorder, self);
      g_signal_handlers_disconnect_by_data (self->poll, self);
    }
  g_clear_object (&self->connection);
  g_clear_object (&self->recorder);
  g_clear_object (&self->poll);
  G_OBJECT_CLASS (gilk_disarm_button_parent_class)->dispose (object);
}

static void
gilk_disarm_button_finalize (GObject *object)
{
  /* Release the banner here and not in dispose(), because late answers still use it. */
  g_clear_object (&GILK_DISARM_BUTTON (object)->banner);
  G_OBJECT_CLASS (gilk_disarm_button_parent_class)->finalize (object);
}

static void
gilk_disarm_button_class_init (GilkDisarmButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_disarm_button_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_disarm_button_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/disarm-button.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkDisarmButton, image);
  gtk_widget_class_bind_template_child (widget_class, GilkDisarmButton, label);
}

static void
gilk_disarm_button_init (GilkDisarmButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
