/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-discard.h - what takes long to free goes in a thread of its own
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Frees @data (nullable) by @free_func in another thread, some time; where none can be had, at once. What it refers to besides must
 * have counts of references that are atomic. A process that ends does not wait for it. */
void gilk_discard (gpointer data, GDestroyNotify free_func);

G_END_DECLS
