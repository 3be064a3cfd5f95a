/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kprobe-cost.h - predicts what a kprobe adds to a hit
 *
 * Threads: any.
 */
#pragma once

#include "core/base/gilk-tactic.h"
#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

/* Returns whether the kernel would replace the int3 of a kprobe at the instruction by a jump, unless
 * the sysctl debug.kprobes-optimization is 0. */
gboolean gilk_kprobe_is_optimised (const GilkCfg *cfg, guint insn);
/* Returns the cost of a kprobe at the instruction, without the cost of its program. */
guint    gilk_kprobe_cost         (const GilkCfg *cfg, guint insn);

G_END_DECLS
