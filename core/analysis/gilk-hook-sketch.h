/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-sketch.h - how a hook's numbers are spread, without reading them
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"
#include "core/store/gilk-sketch.h"

G_BEGIN_DECLS

/* NULL without an error: there are no sketches of what is asked for, or so few samples that these are read as soon. (transfer full) */
GilkSketch *gilk_hook_sketch (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask, GError **error);

G_END_DECLS
