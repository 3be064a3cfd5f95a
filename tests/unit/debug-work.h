/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-work.h - code whose variables are known at some of its instructions
 *
 * At each of them it traps; what is true there stands in debug_truth.
 */
#pragma once

#include <stdint.h>

enum { DEBUG_TRUTHS = 12 };

struct debug_pair { long left; int right; };

typedef struct {
  const char *names[DEBUG_TRUTHS];
  int64_t     values[DEBUG_TRUTHS];
  unsigned    n, line, caller_line;
  const char *function;        /* the innermost */
} DebugTruth;

extern volatile DebugTruth debug_truth;

long debug_work_4 (long first, int second, struct debug_pair *pair);
long debug_work_5 (long first, int second, struct debug_pair *pair);
