/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kprobe-cost.h - predicts what a kprobe adds to a hit
 *
 * Threads: any.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

/* Number of instructions that a kprobe, and the start and the end of its program, add to a hit: if
 * the kernel has replaced its int3 by a jump, and if not. tests/bench/hits.py measures both. */
#define GILK_KPROBE_COST      300
#define GILK_KPROBE_INT3_COST 720

/* Returns whether the kernel would replace the int3 of a kprobe at the instruction by a jump, unless
 * the sysctl debug.kprobes-optimization is 0. */
gboolean gilk_kprobe_is_optimised (const GilkCfg *cfg, guint insn);
/* Returns the cost of a kprobe at the instruction, without its program's. */
guint    gilk_kprobe_cost         (const GilkCfg *cfg, guint insn);

G_END_DECLS
