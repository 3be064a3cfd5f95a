/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gate.h - where those wait that are to begin together
 *
 * Each comes to it once, or says that it will not. When all have done so, or the first that came has waited for
 * GILK_GATE_PATIENCE_S, it is open for good: one that is slow holds nobody up for ever.
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

/* Blocks until it is open. FALSE only if @cancellable was cancelled; who was here counts as having come all the same. */
gboolean  gilk_gate_pass  (GilkGate *gate, GCancellable *cancellable, GError **error);
/* One will not come. */
void      gilk_gate_leave (GilkGate *gate);

G_END_DECLS
