/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-end-reason.h - the reason why a run ended, in the user's language
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the sentence for @reason (nullable): NULL if the run did not end. (transfer full) */
char    *gilk_store_end_reason_text (const char *reason);
/* Returns whether the run ended as planned: its time was over, or the user stopped it. Other
 * reasons deserve a message. @reason: (nullable) */
gboolean gilk_store_ended_as_planned (const char *reason);

G_END_DECLS
