/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-ops.h - random operations that gilk_ops_check() is content with
 */
#pragma once

#include "core/emit/gilk-ops.h"

/* Where programs that change something may write; what they may call. In 32 bits, with their sign. */
#define FUZZ_HEAP      0x34000000
#define FUZZ_FUNCTION  0x24000200

/* Areas of every program: of each CPU and of all, then a map of each CPU and one of all, then stacks. */
enum { FUZZ_AREA_CPU, FUZZ_AREA_SHARED, FUZZ_AREA_MAP, FUZZ_AREA_TABLE, FUZZ_AREA_STACKS, FUZZ_AREAS };
enum { FUZZ_ELEMENTS = 512, FUZZ_MAP_SLOTS = 16, FUZZ_GATES = 4, FUZZ_CPU_BYTES = 256 };

static inline gboolean
fuzz_area_is_shared (guint area)
{
  return area == FUZZ_AREA_SHARED || area >= FUZZ_AREA_TABLE;
}

/* @cpu: offset of FUZZ_CPU_BYTES bytes of the CPU's that may be read. */
GilkOps *fuzz_ops_make (GRand *rand, int64_t cpu);
