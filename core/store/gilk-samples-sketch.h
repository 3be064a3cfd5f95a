/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-sketch.h - how the values of a field are spread, from what is kept with chunks
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/store/gilk-sketch.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/**
 * gilk_samples_sketch:
 * @field: of numbers
 * @from_ns, @to_ns: which samples, as of gilk_samples_set_range()
 * @most: so many samples may be read one by one: at the ends of the range, of chunks of several hooks or of few samples
 * Samples too short for the field are ignored. NULL without an error: more would have to be read, as of sessions before
 * version 12. (transfer full)
 */
GilkSketch *gilk_samples_sketch (GilkStore *store, const GilkStoredHook *hook, const char *field, gint64 from_ns,
                                 gint64 to_ns, uint64_t most, GError **error);

G_END_DECLS
