/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-indirect.h - indirect calls and jumps, and their targets as expressions of the probe
 * language
 *
 * Threads: any. Pure: reads only one graph.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct {
  guint     insn;            /* index of the call or jump in the graph */
  gboolean  leaves;          /* it is a jump that leaves the function */
  char     *target;          /* (nullable): expression for the target just before it runs: "%rax",
                              * "*(u64 *) (%rbx + 0x18)"; NULL if the language cannot express it,
                              * or the jump is conditional */
} GilkIndirect;

/**
 * gilk_indirect_in:
 * Calls through a thunk, which hides the register from branch prediction, are included; static
 * calls are not.
 * Returns: (transfer full) (element-type GilkIndirect): in order of address
 */
GArray *gilk_indirect_in (const GilkCfg *cfg);

G_END_DECLS
