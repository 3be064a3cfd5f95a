/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gate.h - barrier for runs that start together
 *
 * Each run passes it once, or leaves. When all have done so, or the first to arrive has waited for
 * GILK_GATE_PATIENCE_S seconds, the gate opens for good, so that a slow run cannot block the others
 * for ever.
 *
 * Threads: any.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GILK_GATE_PATIENCE_S 30

typedef struct _GilkGate GilkGate;

GilkGate *gilk_gate_new   (guint n);
GilkGate *gilk_gate_ref   (GilkGate *gate);
void      gilk_gate_unref (GilkGate *gate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGate, gilk_gate_unref)

/* Blocks until the gate opens. FALSE only if @cancellable was cancelled; the caller counts as
 * arrived nevertheless. */
gboolean  gilk_gate_pass  (GilkGate *gate, GCancellable *cancellable, GError **error);
/* Counts the caller as arrived without waiting. */
void      gilk_gate_leave (GilkGate *gate);

G_END_DECLS
