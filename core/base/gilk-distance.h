/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-distance.h - how far two words are from each other
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Slips that make one of the other: a letter more, less, another, or two swapped, as fingers do. Only the first
 * 63 bytes count. */
guint gilk_distance (const char *a, const char *b);

G_END_DECLS
