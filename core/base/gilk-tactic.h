/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tactic.h - stable names of tactics (ways to hook a probe point), for plans, sessions, text
 * and JSON; and what a kprobe costs
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

#include "agent/gilk-wire.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

/* Names of the tactics that use BPF, as a list for SQL's IN operator. */
#define GILK_TACTICS_OF_BPF "'kprobe', 'fentry', 'uprobe', 'tracepoint', 'timer', 'breakpoint'"

/* Cost of a kprobe per hit, including the start and end of its BPF program, as a number of
 * instructions: first for a kprobe whose int3 the kernel has replaced by a jump, then for one that
 * is still an int3. tests/bench/hits.py measures both. */
#define GILK_KPROBE_COST      300
#define GILK_KPROBE_INT3_COST 720

/* Returns the name of @tactic, an enum ilk_tactic or gilk_bpf_tactic: "none" for 0, "unknown" for
 * other numbers. Never NULL. */
const char *gilk_tactic_name         (guint tactic);
/* Returns whether @name is the name of a tactic that uses BPF. @name: (nullable) */
gboolean    gilk_tactic_name_is_bpf  (const char *name);

G_END_DECLS
