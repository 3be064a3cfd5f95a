/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-printable.h - sanitising of untrusted text for a terminal
 *
 * Names of threads, notes and messages come from elsewhere, and a terminal interprets control
 * characters in them.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns @text with U+FFFD for invalid bytes, for control characters except those in @keep, and
 * for characters that change the text direction. (transfer full) */
char *gilk_printable     (const char *text, const char *keep);
/* Returns @text, valid UTF-8, with ASCII for characters that the locale's charset may lack: "u" for
 * "µ", "-" for "−", "#" for a bar. Unchanged if the charset is UTF-8. (transfer full) */
char *gilk_for_charset   (const char *text);
/* Returns whether the locale's charset is UTF-8. */
gboolean gilk_charset_is_utf8 (void);

G_END_DECLS
