/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clock.c - computes the TSC's frequency from two timestamp pairs
 */
#include "core/base/gilk-clock.h"

gboolean
gilk_rate_between (const GilkTimestampPair *from,
                   const GilkTimestampPair *to,
                   GilkRate                *rate)
{
  uint64_t ticks = to->tsc - from->tsc, ns = to->mono_ns - from->mono_ns;
  double error = (double) from->error + (double) to->error;
  unsigned __int128 hz;

  if (to->mono_ns <= from->mono_ns || to->tsc <= from->tsc || error >= (double) ticks)
    return FALSE;
  hz = ((unsigned __int128) ticks * 1000000000 + ns / 2) / ns;
  if (hz == 0 || hz >> 63 != 0)
    return FALSE;
  /* The relative error has two parts: the number of ticks is wrong by at most @error, and hz is
   * rounded. */
  *rate = (GilkRate) { (uint64_t) hz, error / ((double) ticks - error) + 0.5 / (double) hz };

  return TRUE;
}
