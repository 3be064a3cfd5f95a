/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-measure.h - measures the duration of calls with old and new layout, in alternating
 * intervals of time
 */
#pragma once

#include "cli/record/layout.h"

G_BEGIN_DECLS

/* Measures the first function. In intervals in random order its clone has the original or the new
 * layout, with the same hooks in both. If the duration cannot be measured that is not an error:
 * @positions->times says why. */
gboolean cli_layout_measure (CliLayout *layout, guint pairs, uint64_t interval_ns, GError **error);

G_END_DECLS
