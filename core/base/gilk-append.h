/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-append.h - fast appending of numbers and strings to text, for millions of rows
 *
 * Threads: any; @text is the caller's.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

void gilk_append_uint (GString *text, uint64_t value);
void gilk_append_int  (GString *text, int64_t value);
/* Appends the form 0xffffffff81234560. */
void gilk_append_hex  (GString *text, uint64_t value);
/* Appends a quoted JSON string. Invalid UTF-8 becomes U+FFFD, control characters are escaped. */
void gilk_append_json (GString *text, const char *value);

G_END_DECLS
