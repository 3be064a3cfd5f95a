/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-spans.h - numbers the kernel functions that a job hooks, finds the gaps in their
 * samples, and converts samples to call marks (entries and exits of calls)
 *
 * Threads: only the thread of the job's store.
 */
#pragma once

#include "core/export/gilk-export-private.h"
#include "core/stats/gilk-span.h"

typedef struct {
  GPtrArray *names;               /* function names (borrowed), indexed by function number */
  GPtrArray *gaps;                /* (element-type GArray of GilkGap), indexed by function number */
  guint     *functions;           /* for each hook of the job: number of its function */
} GilkExportSpans;

gboolean gilk_export_spans_init  (GilkExportSpans *spans, const GilkExportJob *job, GError **error);
void     gilk_export_spans_clear (GilkExportSpans *spans);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkExportSpans, gilk_export_spans_clear)

/* Converts sample @i to a call mark: the entry or the exit of a call. @frame: index of the field
 * "frame" */
GilkCallMark gilk_export_spans_mark (const GilkExportSpans *spans, const GilkEvents *events,
                                     const GilkSampleBlock *block, guint frame, guint i);
/* Returns whether sample @i has the field "frame". */
gboolean gilk_export_spans_has   (const GilkSampleBlock *block, int frame, guint i);
