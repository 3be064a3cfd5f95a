/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-progress.h - work that takes long: reports the progress of operations, and frees large
 * data in the background
 *
 * Threads: progress is reported on the thread that does the work, which may hold locks of core
 * (this library). A GilkProgressFunc must only call functions of core that any thread may call, and
 * must not wait for a thread that calls other functions of core.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GilkProgressFunc:
 * @what: phrase with a present participle, such as "Reading symbols"; valid during the call
 * @fraction: 0 to 1, or negative if unknown
 * Called on the operation's thread, at most a few dozen times per second.
 */
typedef void (*GilkProgressFunc) (const char *what,
                                  double      fraction,
                                  gpointer    user_data);

typedef struct {
  GilkProgressFunc func;      /* may be NULL */
  gpointer         user_data;
} GilkProgress;

/* Reports progress. @progress may be NULL. */
void gilk_progress (const GilkProgress *progress,
                    const char         *what,
                    double              fraction);

/*
 * Frees large data in the background.
 *
 * Threads: any.
 */

/* Frees @data (nullable) by @free_func in another thread, or at once if no thread can be created.
 * Reference counts of objects that @data refers to must be atomic. A process that exits does not
 * wait for @free_func. */
void gilk_discard (gpointer data, GDestroyNotify free_func);

G_END_DECLS
