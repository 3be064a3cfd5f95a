/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-refused.c - hooks that the driver refused when a run started, and removing them
 *
 * The plan shows refusals of binding. A refusal known only when arming, such as another client's
 * kprobe or changed text, is shown in the same way from then on. The banner's owner "refused"
 * reports it until the plan is edited or a run starts; "dropped" reports removed hooks until the
 * next edit.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"

/* Returns whether reading the kernel again may help. */
static gboolean
is_stale (guint refusal)
{
  return refusal == ILK_REFUSAL_TEXT_DIFFERS || refusal == ILK_REFUSAL_NOT_TEXT || refusal == ILK_REFUSAL_MODULE_GONE ||
         refusal == ILK_REFUSAL_NOT_BOUNDARY || refusal == ILK_REFUSAL_PIN_GONE || refusal == ILK_REFUSAL_SMP_LOCK;
}

gboolean
gilk_window_show_refused (GilkWindow   *self,
                          const GError *error)
{
  const GilkBoundPlan *bound = gilk_recorder_bound (self->recorder);
  g_autofree char *text = NULL, *count = NULL;
  gboolean stale = FALSE;
  guint n = 0;

  for (guint i = 0; bound != NULL && i < bound->hooks->len; i++)
    {
      const guint refusal = gilk_recorder_refusal (self->recorder, i);

      if (refusal == 0)
        continue;
      n++;
      stale |= is_stale (refusal);
      gilk_plan_model_set_refusal (self->model, g_array_index (bound->hooks, GilkBoundHook, i).hook->label, refusal);
    }
  if (n == 0)
    return FALSE;

  count = g_strdup_printf (g_dngettext (NULL, "Nothing was armed: %u hook is refused.", "Nothing was armed: %u hooks are refused.", n), n);
  text = g_strdup_printf ("%s\n%s", error->message, count);
  gilk_banner_show (self->banner, "refused", GTK_MESSAGE_ERROR, text, &(GilkRemedy) { _("Remove refused"), "win.drop-refused" },
                    stale ? &(GilkRemedy) { _("Read again"), "win.reconnect" } : NULL);

  return TRUE;
}

static void
drop_refused (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  GilkWindow *self = user_data;
  g_autoptr(GArray) hooks = gilk_plan_model_refused_hooks (self->model);
  g_autofree char *text = g_strdup_printf (g_dngettext (NULL, "%u hook was removed; Undo restores it.",
                                                        "%u hooks were removed; Undo restores them.", hooks->len), hooks->len);

  if (hooks->len == 0)
    return;
  gilk_plan_model_remove_many (self->model, (const guint *) hooks->data, hooks->len);
  gilk_banner_show_event (self->banner, "dropped", GTK_MESSAGE_INFO, text, &(GilkRemedy) { _("Undo"), "win.undo" }, NULL);
}

void
gilk_window_refused_init (GilkWindow *self)
{
  static const GActionEntry entries[] = { { "drop-refused", drop_refused } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
