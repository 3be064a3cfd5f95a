/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-discard.h - frees large data in the background
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Frees @data (nullable) by @free_func in another thread, or at once if no thread can be created.
 * Reference counts of objects that @data refers to must be atomic. A process that exits does not
 * wait for @free_func. */
void gilk_discard (gpointer data, GDestroyNotify free_func);

G_END_DECLS
