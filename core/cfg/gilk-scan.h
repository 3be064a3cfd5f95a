/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-scan.h - builds the graphs of a whole kernel, and counts their blocks and refusals
 *
 * Threads: runs on the caller's thread, and calls @func there; blocks on the target. @totals is
 * unchanged on failure.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct {
  guint    functions, refused, blocks, edges, insns;
  uint64_t bytes;                 /* size of text, without padding */
  guint    short_blocks;          /* number of blocks under 5 bytes */
  guint    by_refusal[256];       /* number of functions for each GilkRefusal */
} GilkScan;

/* Called for each function in order of address, on the calling thread. @cfg is only valid during
 * the call. */
typedef void (*GilkScanFunc) (const GilkCfg *cfg, gpointer user_data);

gboolean gilk_scan (GilkFunctions *functions, GilkScanFunc func, gpointer user_data,
                    GilkScan *totals, const GilkProgress *progress,
                    GCancellable *cancellable, GError **error);

G_END_DECLS
