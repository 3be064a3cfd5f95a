/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-others-text.h - text descriptions of other clients' hooks
 *
 * @epoch_ns: from gilk_target_poll_epoch(), to convert the target's monotonic clock; 0: unknown.
 */
#pragma once

#include "core/bind/gilk-text-owners.h"

G_BEGIN_DECLS

/* Returns a text such as "armed: Today, 14:05 · splice · one of its 3 patches". @place: element of
   @others. (transfer full) */
char *gilk_others_text_facts    (const GArray *others, const struct ilk_patch_status *place, int64_t epoch_ns);
/* Returns a sentence about the client that owns the patch @place, followed by a line with the text
 * of gilk_others_text_facts(). (transfer full) */
char *gilk_others_text_describe (const GArray *others, const struct ilk_patch_status *place, int64_t epoch_ns);

G_END_DECLS
