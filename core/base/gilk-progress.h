/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-progress.h - how long work tells how far it is
 *
 * Threads: that of the work. Locks of core may be held there: a GilkProgressFunc calls
 * nothing of core but what says "any thread", and does not wait for who does.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GilkProgressFunc:
 * @what: present participle sentence, e.g. "Reading symbols"; valid during the call
 * @fraction: 0..1, or negative when the end is not known
 *
 * Called on the thread that does the work, at most some tens of times a second.
 */
typedef void (*GilkProgressFunc) (const char *what,
                                  double      fraction,
                                  gpointer    user_data);

typedef struct {
  GilkProgressFunc func;      /* may be NULL */
  gpointer         user_data;
} GilkProgress;

/* @progress may be NULL. */
void gilk_progress (const GilkProgress *progress,
                    const char         *what,
                    double              fraction);

G_END_DECLS
