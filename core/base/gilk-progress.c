/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-progress.c - progress reports of long operations
 *
 * Tests for NULL in one place, so that callers may pass it.
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
