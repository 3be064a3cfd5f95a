/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-start-barrier.h - makes runs wait for each other, so that they start together
 *
 * Each run waits at the barrier once, or leaves it. When all runs have arrived or left, or the
 * first run has waited for GILK_START_BARRIER_TIMEOUT_S seconds, the barrier opens and stays open.
 * So a slow run cannot block the others for ever.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

#include "core/base/gilk-cancellable.h"

G_BEGIN_DECLS

#define GILK_START_BARRIER_TIMEOUT_S 30

typedef struct _GilkStartBarrier GilkStartBarrier;

GilkStartBarrier *gilk_start_barrier_new   (guint n);
GilkStartBarrier *gilk_start_barrier_ref   (GilkStartBarrier *gate);
void              gilk_start_barrier_unref (GilkStartBarrier *gate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkStartBarrier, gilk_start_barrier_unref)

/* Blocks until the barrier opens. Returns FALSE only if @cancellable was cancelled; even then the
 * caller counts as arrived. */
gboolean gilk_start_barrier_wait  (GilkStartBarrier *gate, GCancellable *cancellable, GError **error);
/* Counts the caller as arrived without waiting. */
void     gilk_start_barrier_leave (GilkStartBarrier *gate);

G_END_DECLS
