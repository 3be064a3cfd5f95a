/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recorded-targets.h - targets of a recorded function's indirect calls, as notes
 *
 * Threads: only the store's.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/**
 * gilk_recorded_targets:
 * @blocks: GilkStoredBlock
 *
 * A session stores a block's text without addresses, so indirect calls are matched to hooks by
 * their order if all of them were hooked. Otherwise the note is at the block's last line.
 *
 * Returns: (transfer full): a note or NULL for each line of all blocks, in order; NULL on failure
 */
GPtrArray *gilk_recorded_targets (GilkStore *store, gint64 run, const GilkStoredFunction *function,
                                  const GArray *blocks, GError **error);

G_END_DECLS
