/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-cut-off.c - offers the session whose recording was cut off by a crash
 *
 * A worker reads only the newest session of the user's directory; each session is offered once.
 */
#include "gui/gilk-window-private.h"

#include <glib/gi18n.h>

#include "gui/gilk-session-heads.h"
#include "gui/gilk-settings.h"
#include "gui/gilk-text.h"

typedef struct {
  GilkWindow   *window;
  GCancellable *cancellable;
} Look;

static void
offer_session (GilkWindow            *self,
               const GilkSessionHead *head)
{
  g_autofree char *name = g_path_get_basename (head->path);
  g_autofree char *when = head->started != NULL ? gilk_text_moment (head->started, FALSE) : g_strdup ("–");
  g_autofree char *text =
    g_strdup_printf (_("The recording of %s (%s) was cut off. Data recorded until then is kept."), name, when);
  g_autoptr(GVariant) target = g_variant_ref_sink (g_variant_new_string (head->path));
  g_autofree char *action = g_action_print_detailed_name ("win.open-path", target);

  g_settings_set_string (self->settings, "cut-off-offered", head->path);
  gilk_banner_say (self->banner, "cut-off", GTK_MESSAGE_WARNING, text, &(GilkOffer) { _("Show results"), action }, NULL);
}

/* Takes the first summary, the newest session, and cancels reading the others. */
static void
take_head (const GilkSessionHead *head,
           gpointer               user_data)
{
  Look *look = user_data;
  g_autofree char *offered = NULL;

  g_cancellable_cancel (look->cancellable);
  if (!head->cut_off || look->window->leaving || look->window->settings == NULL)
    return;
  offered = g_settings_get_string (look->window->settings, "cut-off-offered");
  if (!g_str_equal (offered, head->path))
    offer_session (look->window, head);
}

static void
end_look (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  Look *look = user_data;

  g_object_unref (look->window);
  g_object_unref (look->cancellable);
  g_free (look);
}

void
gilk_window_offer_cut_off (GilkWindow *self)
{
  g_autofree char *folder = gilk_settings_session_folder (self->settings, NULL);
  Look *look;

  if (folder == NULL)
    return;
  look = g_new (Look, 1);
  *look = (Look) { g_object_ref (self), g_cancellable_new () };
  gilk_session_heads_read (folder, look->cancellable, take_head, end_look, look);
}
