/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-count.h - counts blocks and edges of functions whose code layout is to change
 */
#pragma once

#include "cli/record/layout.h"
#include "cli/base/session.h"

G_BEGIN_DECLS

/* Counts for @for_ns; again with callees that turned out to be called most. */
gboolean cli_layout_count (CliLayout *layout, uint64_t for_ns, GError **error);
/* Takes the counts from a session's run on the same kernel. */
gboolean cli_layout_read_counts (CliLayout *layout, const CliSession *session, GError **error);

G_END_DECLS
