/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-others-words.h - what is told of the hooks that other clients of the driver have
 *
 * @epoch_ns: what the target's clock is to be set forward by to be the time of day here; 0: not known.
 */
#pragma once

#include "core/run/gilk-bound-others.h"

G_BEGIN_DECLS

/* "armed today, 14:05 · splice · one of its 3 places"; @place is one of @others. (transfer full) */
char *gilk_others_words_facts    (const GArray *others, const struct ilk_patch_status *place, int64_t epoch_ns);
/* Whose a place is and what is known of it, in sentences. (transfer full) */
char *gilk_others_words_describe (const GArray *others, const struct ilk_patch_status *place, int64_t epoch_ns);

G_END_DECLS
