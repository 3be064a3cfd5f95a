/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recorded-targets.h - where the indirect calls of a recorded function went, beside its disassembly
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/**
 * gilk_recorded_targets:
 * @blocks: GilkStoredBlock
 *
 * A session has a block's text without addresses: its indirect calls are told apart by their order, where all were
 * hooked. Else what is known of the block stands at its last line.
 * Returns: (transfer full): a note or NULL for each line of all blocks, in their order; NULL, failed
 */
GPtrArray *gilk_recorded_targets (GilkStore *store, gint64 run, const GilkStoredFunction *function,
                                  const GArray *blocks, GError **error);

G_END_DECLS
