/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * position-measure.h - what calls take before and after, in blocks of time that take turns
 */
#pragma once

#include "cli/position.h"

G_BEGIN_DECLS

/* Of the first function. In blocks in random order its clone stands as the original does, or as it is positioned, with
 * the same hooks in both. What cannot be told is no error: @positions->times says why. */
gboolean cli_position_measure (CliPositions *positions, guint pairs, uint64_t block_ns, GError **error);

G_END_DECLS
