/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-number.h - strict parsing of integers
 *
 * g_ascii_string_to_unsigned() is not used because it treats any errno as an error. The first call
 * in a process creates a locale under a lock of GLib, where another starting thread may leave
 * EAGAIN: then it rejects "44".
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * gilk_parse_unsigned:
 * @base: 10, or 16 (without 0x)
 * @number: (out): untouched on failure
 * Returns: whether all of @text is digits of a number from @least to @most
 */
gboolean gilk_parse_unsigned (const char *text, guint base, guint64 least, guint64 most, guint64 *number);

/* Works like gilk_parse_unsigned() for decimal numbers with an optional minus, over the whole
 * range. */
gboolean gilk_parse_signed (const char *text, gint64 *number);

G_END_DECLS
