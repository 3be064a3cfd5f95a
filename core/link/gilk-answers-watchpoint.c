/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-answers-watchpoint.c - validation of the agent's answers about watchpoints
 */
#include "core/link/gilk-answers.h"

#include <glib/gi18n.h>

gboolean
gilk_answer_watchpoints (const GByteArray *answer,
                         struct ilk_watch *watches,
                         guint             count,
                         guint            *failed,
                         GError          **error)
{
  g_autofree struct ilk_watch *given = g_new (struct ilk_watch, count);

  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    {
      struct ilk_watch asked = given[i];

      asked.error = watches[i].error;
      asked.refusal = watches[i].refusal;
      if (memcmp (&asked, &watches[i], sizeof asked) != 0)
        return gilk_answer_invalid (error, _("watchpoint %u is not the one requested"), i + 1);
      if ((given[i].error == 0) != (given[i].refusal == ILK_REFUSAL_NONE) || given[i].error > 0)
        return gilk_answer_invalid (error, _("watchpoint %u has refusal %u and error %d, which contradict each other"), i + 1,
                                    given[i].refusal, given[i].error);
    }
  *failed = 0;
  for (guint i = 0; i < count; i++)
    {
      watches[i] = given[i];
      *failed += given[i].error != 0;
    }

  return TRUE;
}

gboolean
gilk_answer_watchpoint_status (const GByteArray        *answer,
                               const uint32_t          *iids,
                               guint                    count,
                               struct ilk_watch_status *out,
                               GError                 **error)
{
  g_autofree struct ilk_watch_status *given = g_new (struct ilk_watch_status, count);

  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    if (given[i].iid != iids[i] || given[i].state > ILK_WATCH_GONE || given[i].cpus > GILK_WIRE_CPUS_MAX ||
        given[i].blind > GILK_WIRE_CPUS_MAX)
      return gilk_answer_invalid (error, _("watchpoint %u has an inconsistent state"), i + 1);
  memcpy (out, given, count * sizeof *given);

  return TRUE;
}
