/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-point-complete.h - what may be written in the program of a hook at a point
 *
 * Threads: any; the first time for a kernel or module blocks on the target, which is asked for its types.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-point.h"
#include "core/program/gilk-complete.h"

G_BEGIN_DECLS

/**
 * gilk_point_complete:
 * @block: of @cfg, and at which of its edges
 * @labels, @text, @offset, @part: as of gilk_complete()
 * Returns: (transfer full): as gilk_complete(); NULL, with an error: cancelled, or the target is lost. A kernel without
 *   types is none: it has fewer completions
 */
GPtrArray *gilk_point_complete (const GilkCfg *cfg, guint block, GilkWhere where, gboolean experiment,
                                const char *const *labels, const char *text, gsize offset,
                                GCancellable *cancellable, GilkTextPart *part, GError **error);

G_END_DECLS
