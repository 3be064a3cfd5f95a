/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-work.h - declares code whose variables have known values at some of its instructions
 *
 * The code traps at each of these instructions, with the correct values in debug_truth.
 */
#pragma once

#include <stdint.h>

enum { DEBUG_TRUTHS = 12 };

struct debug_pair { long left; int right; };

typedef struct {
  const char *names[DEBUG_TRUTHS];
  int64_t     values[DEBUG_TRUTHS];
  unsigned    n, line, caller_line;
  const char *function;        /* name of the innermost function, inlined or not */
} DebugTruth;

extern volatile DebugTruth debug_truth;

long debug_work_4 (long first, int second, struct debug_pair *pair);
long debug_work_5 (long first, int second, struct debug_pair *pair);
