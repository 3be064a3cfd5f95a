/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-indirect.h - calls and jumps whose target is known at run time only, and how a probe program says it
 *
 * Threads: any. Pure: looks at one graph only.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct {
  guint     insn;            /* index in the graph */
  gboolean  leaves;          /* a jump: the function ends there */
  char     *target;          /* in words of the language, directly before it: "%rax", "*(u64 *) (%rbx + 0x18)"; NULL: it
                              * has none for that, or it is a jump on a condition */
} GilkIndirect;

/**
 * gilk_indirect_in:
 * Calls through a thunk, which hides the register from the processor's guesses, count as what they are; static calls
 * are none.
 * Returns: (transfer full) (element-type GilkIndirect): in order of address
 */
GArray *gilk_indirect_in (const GilkCfg *cfg);

G_END_DECLS
