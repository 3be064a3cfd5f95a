/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-append.h - numbers and strings at the end of a text, fast: for rows by the million
 *
 * Threads: any; @text is the caller's.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

void gilk_append_uint (GString *text, uint64_t value);
void gilk_append_int  (GString *text, int64_t value);
/* As 0xffffffff81234560. */
void gilk_append_hex  (GString *text, uint64_t value);
/* A string of JSON, in quotes. What is not UTF-8 becomes U+FFFD, control characters are escaped. */
void gilk_append_json (GString *text, const char *value);

G_END_DECLS
