/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-object.h - adds signals to GObject classes, and cancels asynchronous jobs
 */
#pragma once

#include <gio/gio.h>

/* Adds the signal @name to the class under construction, without a default handler or a result.
 * @n_params: number of types that follow, one for each parameter. Emit it by its name. */
void gilk_add_signal (gpointer klass, const char *name, guint n_params, ...);

/* Cancels the job in progress, if any, and sets *@job to NULL. @job: (inout): NULL if no job is in
 * progress. The job's callback must check that its cancellable is still the current one. */
void gilk_cancel (GCancellable **job);
