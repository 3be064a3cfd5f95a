/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-answers-event.c - validation of the agent's answers about event counters and crashes
 */
#include "core/link/gilk-answers.h"

#include <glib/gi18n.h>

gboolean
gilk_answer_events (const GByteArray         *answer,
                    struct ilk_event_counter *events,
                    guint                     count,
                    GError                  **error)
{
  struct ilk_event_counter given[ILK_EVENTS_MAX];

  g_assert (count <= ILK_EVENTS_MAX);
  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    {
      if (given[i].key != events[i].key)
        return gilk_answer_invalid (error, _("counter %u is not the one requested"), i + 1);
      if ((given[i].error == 0) != (given[i].refusal == ILK_REFUSAL_NONE) || given[i].error > 0 ||
          given[i].cpus > GILK_WIRE_CPUS_MAX || given[i].blind > GILK_WIRE_CPUS_MAX)
        return gilk_answer_invalid (error, _("counter %u has an inconsistent state"), i + 1);
    }
  memcpy (events, given, count * sizeof *given);

  return TRUE;
}

gboolean
gilk_answer_crash (const GByteArray *answer,
                   uint32_t          iid,
                   uint32_t         *refusal,
                   GError          **error)
{
  struct ilk_crash answered;

  if (!gilk_answer_struct (answer, &answered, sizeof answered, error))
    return FALSE;
  if (answered.iid != iid)
    return gilk_answer_invalid (error, _("a hook other than the one requested"));
  *refusal = answered.refusal;

  return TRUE;
}
