/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-others-text.c - text descriptions of other clients' hooks
 */
#include "gui/base/gilk-others-text.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-text.h"

/* Returns a text such as "armed: Today, 14:05". @epoch_ns converts the patch's time, which is the
 * target's monotonic time, to wall-clock time. (transfer full) */
static char *
format_armed (const struct ilk_patch_status *place,
              int64_t                        epoch_ns)
{
  g_autoptr(GDateTime) when = NULL;
  g_autofree char *iso = NULL, *moment = NULL;

  if (place->armed_mono_ns == 0)
    return g_strdup (_("not armed yet"));
  if (epoch_ns == 0)
    return g_strdup (_("armed"));
  when = g_date_time_new_from_unix_utc ((epoch_ns + (int64_t) place->armed_mono_ns) / 1000000000);
  iso = when != NULL ? g_date_time_format_iso8601 (when) : NULL;
  moment = iso != NULL ? gilk_text_date (iso, FALSE) : NULL;

  return moment != NULL ? g_strdup_printf (_("armed: %s"), moment) : g_strdup (_("armed"));
}

static guint
count_hooks_of (const GArray *others,
                guint32       owner)
{
  guint n = 0;

  for (guint i = 0; i < others->len; i++)
    n += g_array_index (others, struct ilk_patch_status, i).owner_pid == owner;

  return n;
}

char *
gilk_others_text_facts (const GArray                  *others,
                        const struct ilk_patch_status *place,
                        int64_t                        epoch_ns)
{
  const guint n = count_hooks_of (others, place->owner_pid);
  g_autofree char *when = format_armed (place, epoch_ns);
  g_autofree char *which = n > 1 ? g_strdup_printf (_("one of its %u patches"), n) : g_strdup (_("its only patch"));

  return g_strdup_printf ("%s · %s · %s", when, gilk_text_tactic (place->tactic), which);
}

char *
gilk_others_text_describe (const GArray                  *others,
                           const struct ilk_patch_status *place,
                           int64_t                        epoch_ns)
{
  g_autofree char *facts = gilk_others_text_facts (others, place, epoch_ns);
  g_autofree char *whose =
    g_strdup_printf (place->tactic == ILK_TACTIC_CLONE
                     ? _("Another client has a clone of this function, through gilkd %u on the target. “Disarm all” "
                         "disarms the hooks of all clients.")
                     : _("Another client has a hook here, through gilkd %u on the target. “Disarm all” disarms the hooks "
                         "of all clients."), place->owner_pid);

  return g_strconcat (whose, "\n", facts, NULL);
}
