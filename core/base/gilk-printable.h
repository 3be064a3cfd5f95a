/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-printable.h - text of others as a terminal may have it
 *
 * Names of threads, notes and messages come from elsewhere, and a terminal obeys what is in them.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Copies @text with U+FFFD for invalid bytes, control characters other than those in @keep, and characters that turn the
 * direction of text. (transfer full) */
char *gilk_printable     (const char *text, const char *keep);
/* Copies @text, which is UTF-8, with ASCII for what the charset of the locale may lack: "u" for "µ", "-" for "−", "#" for a
 * bar. Without a change where that is UTF-8. (transfer full) */
char *gilk_for_charset   (const char *text);
/* Has the charset of the locale all letters? */
gboolean gilk_charset_is_utf8 (void);

G_END_DECLS
