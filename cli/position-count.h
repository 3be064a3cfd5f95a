/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * position-count.h - how often blocks and edges run of functions that are to be laid out
 */
#pragma once

#include "cli/position.h"
#include "cli/session.h"

G_BEGIN_DECLS

/* Counts for so long, once more with callees that turned out to be called most. */
gboolean cli_position_count (CliPositions *positions, uint64_t for_ns, GError **error);
/* Takes what a run of a session counted, of this very kernel. */
gboolean cli_position_recall (CliPositions *positions, const CliSession *session, GError **error);

G_END_DECLS
