/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-strings.h - small functions on strings
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/*
 * Fast appending of numbers and strings to text, for millions of rows
 *
 * Threads: any; @text is the caller's.
 */

void gilk_append_uint (GString *text, uint64_t value);
void gilk_append_int  (GString *text, int64_t value);
/* Appends a hexadecimal number, such as 0xffffffff81234560. */
void gilk_append_hex  (GString *text, uint64_t value);
/* Appends a quoted JSON string. Invalid UTF-8 becomes U+FFFD, control characters are escaped. */
void gilk_append_json (GString *text, const char *value);

/*
 * Writing of comma-separated values, RFC 4180
 *
 * Threads: any; @lines is the caller's.
 */

/* Appends a cell, quoted if necessary. */
void gilk_csv_append_cell (GString *lines, const char *cell);
/* Appends a row with its line end. Cells are quoted if necessary and may be NULL. */
void gilk_csv_append_row (GString *lines, guint n, const char *const *cells);

/*
 * Edit distance of two words
 *
 * Threads: any.
 */

/* Returns the number of typing errors between the words: letters inserted, deleted or replaced, or
 * two adjacent letters swapped. Compares only the first 63 bytes. */
guint gilk_distance (const char *a, const char *b);

/*
 * Suggestions for a misspelled word
 *
 * Threads: any.
 */

/* Returns up to three of @words that resemble @word: "\"find\" or \"plan\""; NULL if none does.
 * (transfer full) */
char *gilk_nearest      (const char *word, const char *const *words, guint count);
/* Returns " Did you mean \"find\"?" or "", to append to an error about @word. (transfer full) */
char *gilk_nearest_hint (const char *word, const char *const *words, guint count);

/*
 * Strict parsing of integers
 *
 * g_ascii_string_to_unsigned() is not used because it treats any errno as an error. The first call
 * in a process creates a locale under a lock of GLib. If another thread does that at the same time,
 * errno may become EAGAIN, and GLib rejects "44".
 *
 * Threads: any.
 */

/**
 * gilk_parse_unsigned:
 * @base: 10, or 16 (without 0x)
 * @number: (out): untouched on failure
 * Returns: whether @text consists only of digits, and the number is from @least to @most
 */
gboolean gilk_parse_unsigned (const char *text, guint base, guint64 least, guint64 most, guint64 *number);

/* Works like gilk_parse_unsigned() for any signed decimal number; a plus sign is rejected. */
gboolean gilk_parse_signed (const char *text, gint64 *number);

/*
 * Translation of messages that arrive in English
 *
 * The agent is not translated, and sessions store English messages. Each message is matched against
 * the format strings that can produce it; the matching format string is then translated.
 *
 * Threads: any.
 */

/*
 * Returns @text in the user's language if it matches one of @formats (NULL-terminated, marked by
 * N_()), else unchanged. The arguments in the message are translated in the same way.
 */
char *gilk_phrase_translate (const char *text, const char *const *formats);

/*
 * Sanitising of untrusted text for a terminal
 *
 * Names of threads, notes and messages come from untrusted sources, and a terminal interprets
 * control characters in them.
 *
 * Threads: any.
 */

/* Returns @text with U+FFFD for invalid bytes, for control characters except those in @keep, and
 * for characters that change the text direction. (transfer full) */
char *gilk_printable     (const char *text, const char *keep);
/* Returns @text (valid UTF-8) with ASCII instead of characters that the locale's charset may lack:
 * "u" for "µ", "-" for "−", "#" for a bar. Unchanged if the charset is UTF-8. (transfer full) */
char *gilk_for_charset   (const char *text);
/* Returns whether the locale's charset is UTF-8. */
gboolean gilk_charset_is_utf8 (void);

G_END_DECLS
