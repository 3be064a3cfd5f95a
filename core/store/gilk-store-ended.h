/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-ended.h - why a run ended, in the user's language
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @reason is nullable: the run did not end. (transfer full) */
char    *gilk_store_ended_words (const char *reason);
/* Was it the end of its time, or the user's wish? Everything else is worth a word. @reason: (nullable) */
gboolean gilk_store_ended_plainly (const char *reason);

G_END_DECLS
