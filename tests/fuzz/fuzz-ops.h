/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-ops.h - draws random operations that pass gilk_ops_check()
 */
#pragma once

#include "core/emit/gilk-ops.h"

/* Addresses, in the sign-extended 32-bit range, of memory that programs may change and of a
 * function that they may call. */
#define FUZZ_HEAP      0x34000000
#define FUZZ_FUNCTION  0x24000200

/* Areas (memory for data) of every program: one per CPU, one shared by all CPUs, a map per CPU, a
 * map shared by all CPUs, and a table of stacks. */
enum { FUZZ_AREA_CPU, FUZZ_AREA_SHARED, FUZZ_AREA_MAP, FUZZ_AREA_TABLE, FUZZ_AREA_STACKS, FUZZ_AREAS };
enum { FUZZ_ELEMENTS = 512, FUZZ_MAP_SLOTS = 16, FUZZ_GATES = 4, FUZZ_CPU_BYTES = 256 };

static inline gboolean
fuzz_area_is_shared (guint area)
{
  return area == FUZZ_AREA_SHARED || area >= FUZZ_AREA_TABLE;
}

/* Draws the operations of a random program. @cpu: offset of FUZZ_CPU_BYTES readable bytes of
 * per-CPU data */
GilkOps *fuzz_ops_make (GRand *rand, int64_t cpu);
