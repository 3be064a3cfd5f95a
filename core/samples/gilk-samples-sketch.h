/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-sketch.h - the distribution of a field's values, from the sketches stored with
 * chunks
 *
 * Threads: only the store's.
 */
#pragma once

#include "core/pack/gilk-sketch.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/**
 * gilk_samples_sketch:
 * @field: a numeric field
 * @from_ns, @to_ns: range of time, as for gilk_samples_set_range()
 * @most: how many samples may be read individually: at the ends of the range, and from chunks that
 * are small or shared by hooks
 * Samples too short for the field are counted as ignored. NULL without an error: more samples would
 * have to be read. (transfer full)
 */
GilkSketch *gilk_samples_sketch (GilkStore *store, const GilkStoredHook *hook, const char *field, gint64 from_ns,
                                 gint64 to_ns, uint64_t most, GError **error);

G_END_DECLS
