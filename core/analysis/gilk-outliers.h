/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-outliers.h - finds the largest values, and the samples just before each of them on the same
 * CPU
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"

G_BEGIN_DECLS

typedef struct {
  double   value, time;     /* the value, and its time in seconds since the run's time zero */
  uint32_t cpu;
} GilkOutlier;

typedef struct {
  double   time;
  gint64   hook;            /* id of the hook that took the sample (GilkStoredHook.id) */
  char    *fields;          /* fields of the sample: "pid 101 comm cat", or "" */
} GilkBefore;

/* Returns the @n largest values, the largest first. (transfer full) (element-type GilkOutlier) */
GArray *gilk_hook_outliers (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask, guint n,
                            GError **error);
/**
 * gilk_samples_before:
 * @hooks: GilkStoredHook, of one run; hooks without samples are skipped
 * Returns the last @n samples that any of @hooks took on @cpu before @time, in order of time. Reads
 * backwards as far as needed, usually a few milliseconds. (transfer full) (element-type GilkBefore)
 */
GArray *gilk_samples_before (GilkStore *store, const GArray *hooks, double time, uint32_t cpu, guint n,
                             GError **error);

G_END_DECLS
