/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tracepoints.h - the tracepoints of a kernel and its modules at which BPF programs can run
 *
 * Tracepoints are found by symbols, so only the permission to read kallsyms is needed. The systems
 * of tracepoints, such as "sched", come from tracefs; the system of a tracepoint that tracefs does
 * not list is unknown.
 *
 * Threads: any; the list is immutable.
 */
#pragma once

#include "core/image/gilk-image.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;        /* name of the tracepoint, such as "sched_switch" */
  const char *system;      /* (nullable): system of the tracepoint, such as "sched" */
  uint32_t    module;      /* index of the module, as gilk_symbols_module() takes it */
} GilkTracepoint;

typedef struct _GilkTracepoints GilkTracepoints;

/* Makes the list of tracepoints. Returns NULL with an error only if the target is lost or
 * @cancellable is cancelled. */
GilkTracepoints *gilk_tracepoints_new  (GilkImage *image, GCancellable *cancellable, GError **error);
void             gilk_tracepoints_free (GilkTracepoints *tracepoints);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkTracepoints, gilk_tracepoints_free)

/* Returns all tracepoints, sorted by system and name. */
const GilkTracepoint *gilk_tracepoints_all (const GilkTracepoints *tracepoints, guint *count);
/**
 * gilk_tracepoints_find:
 * @system: (nullable)
 * Returns: NULL with GILK_ERROR_NOT_FOUND, which names similar ones, if there is no such tracepoint or it
 *   belongs to another system
 */
const GilkTracepoint *gilk_tracepoints_find (const GilkTracepoints *tracepoints, const char *system, const char *name, GError **error);
/* Returns the text of a tracepoint in a plan: "tracepoint:sched:sched_switch". (transfer full) */
char                 *gilk_tracepoint_text  (const GilkTracepoint *tracepoint);

G_END_DECLS
