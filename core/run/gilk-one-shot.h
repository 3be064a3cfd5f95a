/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-one-shot.h - removes hooks of a run once they have been hit
 *
 * For block coverage: the first hit of a hook is enough, so the hook is removed and costs nothing
 * from then on. When at least half of the hooks in a clone (an instrumented copy of a function)
 * were hit, the clone is rebuilt with only the other hooks: so each function is rebuilt only a few
 * times, however many blocks it has.
 *
 * Threads: the thread that made the run.
 */
#pragma once

#include "core/run/gilk-run.h"

G_BEGIN_DECLS

typedef struct _GilkOneShot GilkOneShot;

/* Prepares the removal of hooks from @run, which must be running a plan of counting hooks. */
GilkOneShot *gilk_one_shot_new  (GilkRun *run, GilkFunctions *functions, GilkImage *image);
void         gilk_one_shot_free (GilkOneShot *shot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkOneShot, gilk_one_shot_free)

/**
 * gilk_one_shot_remove_hit:
 * @hit, @live: (out): number of hooks that have been hit so far, and of hooks that are live
 *
 * Removes hooks that were hit since the previous call. Hooks stay if their clone (an instrumented
 * copy of a function) cannot be rebuilt without them. Must be called repeatedly during the run;
 * stops the run when all hooks were hit.
 */
gboolean     gilk_one_shot_remove_hit (GilkOneShot *shot, guint *hit, guint *live, GCancellable *cancellable, GError **error);

G_END_DECLS
