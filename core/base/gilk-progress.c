/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-progress.c - reports the progress of long operations
 *
 * Accepts NULL for the progress, so that callers need not test for it.
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
