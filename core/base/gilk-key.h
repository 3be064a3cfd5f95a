/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-key.h - maps doubles to integers that sort in the same order
 *
 * The key of a double is its bits, changed so that keys compare, as unsigned integers, like the
 * doubles.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
gilk_key_of (double value)
{
  uint64_t bits;

  memcpy (&bits, &value, sizeof bits);

  return bits ^ ((uint64_t) ((int64_t) bits >> 63) | (uint64_t) 1 << 63);
}

static inline double
gilk_key_value (uint64_t key)
{
  uint64_t bits = key >> 63 != 0 ? key ^ (uint64_t) 1 << 63 : ~key;
  double value;

  memcpy (&value, &bits, sizeof value);

  return value;
}
