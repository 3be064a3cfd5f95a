/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-progress.c - how long work tells how far it is
 *
 * One guard in one place, so that callers pass NULL freely.
 */
#include "core/base/gilk-progress.h"

void
gilk_progress (const GilkProgress *progress,
               const char         *what,
               double              fraction)
{
  if (progress == NULL || progress->func == NULL)
    return;

  progress->func (what, MIN (fraction, 1.0), progress->user_data);
}
