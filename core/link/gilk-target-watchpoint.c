/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-watchpoint.c - requests about watchpoints
 */
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/link/gilk-request.h"

static gboolean
set_refused (const struct ilk_watch *watches, guint count, GError **error)
{
  guint i = 0;

  while (i + 1 < count && watches[i].refusal == ILK_REFUSAL_NONE)
    i++;
  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, "%s %s", gilk_refusal_cause (watches[i].refusal),
               gilk_refusal_remedy (watches[i].refusal));

  return FALSE;
}

gboolean
gilk_target_set_watchpoints (GilkTarget       *target,
                             struct ilk_watch *watches,
                             guint             count,
                             GCancellable     *cancellable,
                             GError          **error)
{
  g_autoptr (GByteArray) answer = NULL;
  GError *wrong = NULL;
  guint failed;

  g_return_val_if_fail (count >= 1 && count <= ILK_WATCHES_MAX, FALSE);
  answer = gilk_target_request (target, GILK_WATCH, watches, count * sizeof *watches, cancellable, error);
  if (answer == NULL)
    return FALSE;
  if (!gilk_answer_watchpoints (answer, watches, count, &failed, &wrong))
    return gilk_target_reject_answer (target, wrong, error);

  return failed == 0 || set_refused (watches, count, error);
}

gboolean
gilk_target_watchpoint_status (GilkTarget              *target,
                               const uint32_t          *iids,
                               guint                    count,
                               struct ilk_watch_status *out,
                               GCancellable            *cancellable,
                               GError                 **error)
{
  g_autoptr (GByteArray) answer = NULL;
  struct ilk_watch_status asked[ILK_WATCHES_MAX] = { { 0 } };
  GError *wrong = NULL;

  g_return_val_if_fail (count >= 1 && count <= ILK_WATCHES_MAX, FALSE);
  for (guint i = 0; i < count; i++)
    asked[i].iid = iids[i];
  answer = gilk_target_request (target, GILK_WATCH_STATUS, asked, count * sizeof *asked, cancellable, error);
  if (answer == NULL)
    return FALSE;

  return gilk_answer_watchpoint_status (answer, iids, count, out, &wrong) || gilk_target_reject_answer (target, wrong, error);
}
