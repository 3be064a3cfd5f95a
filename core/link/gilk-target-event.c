/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-event.c - event counters of a target, and permission for hooks to crash it
 */
#include <string.h>

#include "core/link/gilk-request.h"

gboolean
gilk_target_events (GilkTarget               *target,
                    struct ilk_event_counter *events,
                    guint                     count,
                    uint32_t                  flags,
                    GCancellable             *cancellable,
                    GError                  **error)
{
  struct { struct gilk_events head; struct ilk_event_counter events[ILK_EVENTS_MAX]; } request = { .head.flags = flags };
  g_autoptr (GByteArray) answer = NULL;
  GError *wrong = NULL;

  g_return_val_if_fail (count > 0 && count <= ILK_EVENTS_MAX, FALSE);
  memcpy (request.events, events, count * sizeof *events);
  answer = gilk_target_request (target, GILK_EVENTS, &request, sizeof request.head + count * sizeof *events, cancellable,
                                error);
  if (answer == NULL)
    return FALSE;

  return gilk_answer_events (answer, events, count, &wrong) || gilk_target_reject_answer (target, wrong, error);
}

gboolean
gilk_target_crash (GilkTarget   *target,
                   uint32_t      iid,
                   uint32_t      flags,
                   uint32_t     *refusal,
                   GCancellable *cancellable,
                   GError      **error)
{
  const struct ilk_crash crash = { .iid = iid, .flags = flags };
  g_autoptr (GByteArray) answer = gilk_target_request (target, GILK_CRASH, &crash, sizeof crash, cancellable, error);
  GError *wrong = NULL;

  if (answer == NULL)
    return FALSE;

  return gilk_answer_crash (answer, iid, refusal, &wrong) || gilk_target_reject_answer (target, wrong, error);
}
