/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-ops.h - random operations that gilk_ops_check() is content with
 */
#pragma once

#include "core/emit/gilk-ops.h"

/* Areas of every program: of each CPU and of all, then a map. */
enum { FUZZ_AREA_CPU, FUZZ_AREA_SHARED, FUZZ_AREA_MAP, FUZZ_AREAS };
enum { FUZZ_ELEMENTS = 512, FUZZ_MAP_SLOTS = 8, FUZZ_GATES = 4, FUZZ_CPU_BYTES = 256 };

/* @cpu: offset of FUZZ_CPU_BYTES bytes of the CPU's that may be read. */
GilkOps *fuzz_ops_make (GRand *rand, int64_t cpu);
