/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-point-complete.h - completes the text of a program for a given probe point
 *
 * Threads: any. The first call for a kernel or module requests types from the target and may block.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-point.h"
#include "core/language/gilk-complete.h"

G_BEGIN_DECLS

/**
 * gilk_point_complete:
 * @block, @where: the probe point in @cfg
 * @labels, @text, @offset, @part: as in gilk_complete()
 * Returns: (transfer full): as from gilk_complete(); NULL with an error: cancelled, or the target
 *   is lost. Missing kernel types are not an error: then fewer completions are found
 */
GPtrArray *gilk_point_complete (const GilkCfg *cfg, guint block, GilkWhere where, gboolean may_change,
                                const char *const *labels, const char *text, gsize offset,
                                GCancellable *cancellable, GilkTextPart *part, GError **error);

G_END_DECLS
