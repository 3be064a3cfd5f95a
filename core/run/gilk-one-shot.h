/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-one-shot.h - hooks of a run that leave once they were hit
 *
 * For what asks "was this ever run?": a hook that has its answer is taken out, and costs nothing from then on. A
 * clone is made anew without those that were hit, when they are half of what it has: so each function is made anew a
 * few times, however many blocks it has.
 *
 * Threads: the one that made the run.
 */
#pragma once

#include "core/run/gilk-run.h"

G_BEGIN_DECLS

typedef struct _GilkOneShot GilkOneShot;

/* @run: running a plan of hooks that count. */
GilkOneShot *gilk_one_shot_new  (GilkRun *run, GilkFunctions *functions, GilkImage *image);
void         gilk_one_shot_free (GilkOneShot *shot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkOneShot, gilk_one_shot_free)

/**
 * gilk_one_shot_step:
 * @hit, @live: (out): hooks that were hit so far, and that are in the kernel now
 *
 * Takes out what was hit since. Where the change cannot be made, hooks stay as they are. To be called now and then
 * while the run goes on; when all were hit the run is stopped.
 */
gboolean     gilk_one_shot_step (GilkOneShot *shot, guint *hit, guint *live, GCancellable *cancellable, GError **error);

G_END_DECLS
