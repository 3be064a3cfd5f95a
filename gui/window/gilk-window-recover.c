/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-recover.c - offers the session whose recording was cut off by a crash
 *
 * A worker reads only the newest session of the user's directory; each session is offered once.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "gui/session/gilk-session-summaries.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"

typedef struct {
  GilkWindow   *window;
  GCancellable *cancellable;
} Search;

static void
offer_session (GilkWindow               *self,
               const GilkSessionSummary *summary)
{
  g_autofree char *name = g_path_get_basename (summary->path);
  g_autofree char *when = summary->started != NULL ? gilk_text_date (summary->started, FALSE) : g_strdup ("–");
  g_autofree char *text =
    g_strdup_printf (_("The recording of %s (%s) was cut off. Data recorded until then is kept."), name, when);
  g_autoptr(GVariant) target = g_variant_ref_sink (g_variant_new_string (summary->path));
  g_autofree char *action = g_action_print_detailed_name ("win.open-path", target);

  g_settings_set_string (self->settings, "cut-off-offered", summary->path);
  gilk_banner_show (self->banner, "cut-off", GTK_MESSAGE_WARNING, text, &(GilkRemedy) { _("Show results"), action }, NULL);
}

/* Takes the first summary, the newest session, and cancels reading the others. */
static void
check_summary (const GilkSessionSummary *summary,
               gpointer                  user_data)
{
  Search *search = user_data;
  g_autofree char *offered = NULL;

  g_cancellable_cancel (search->cancellable);
  if (!summary->cut_off || search->window->tearing_down || search->window->settings == NULL)
    return;
  offered = g_settings_get_string (search->window->settings, "cut-off-offered");
  if (!g_str_equal (offered, summary->path))
    offer_session (search->window, summary);
}

static void
search_done (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  Search *search = user_data;

  g_object_unref (search->window);
  g_object_unref (search->cancellable);
  g_free (search);
}

void
gilk_window_offer_recovery (GilkWindow *self)
{
  g_autofree char *folder = gilk_settings_session_folder (self->settings, NULL);
  Search *search;

  if (folder == NULL)
    return;
  search = g_new (Search, 1);
  *search = (Search) { g_object_ref (self), g_cancellable_new () };
  gilk_session_summaries_read (folder, search->cancellable, check_summary, search_done, search);
}
