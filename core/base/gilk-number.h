/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-number.h - whole numbers that somebody wrote
 *
 * g_ascii_string_to_unsigned() is not used for it: it takes any errno for an error, and the first call in a process
 * makes a locale behind a lock of GLib's, where another thread that starts leaves EAGAIN: then "44" is no number.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * gilk_parse_unsigned:
 * @base: 10, or 16 (without 0x)
 * @number: left alone when FALSE
 * Returns: whether all of @text is digits, and they say a number from @least to @most.
 */
gboolean gilk_parse_unsigned (const char *text, guint base, guint64 least, guint64 most, guint64 *number);

/* As gilk_parse_unsigned(), decimal, with or without a minus, whatever fits. */
gboolean gilk_parse_signed (const char *text, gint64 *number);

G_END_DECLS
