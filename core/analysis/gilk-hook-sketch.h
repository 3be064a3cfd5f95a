/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-sketch.h - distribution of a hook's numbers, without reading them
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"
#include "core/pack/gilk-sketch.h"

G_BEGIN_DECLS

/* Returns NULL without an error if sketches of @ask do not exist, or if there are so few samples
 * that reading them is as fast. (transfer full) */
GilkSketch *gilk_hook_sketch (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask, GError **error);

G_END_DECLS
