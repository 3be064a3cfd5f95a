/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-split.h - a hook's samples by process, CPU or any field
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  char    *name;            /* "comm sed" */
  char    *condition;       /* as in gilk_samples_add_condition() */
  uint64_t samples;
} GilkSplit;

/**
 * gilk_hook_split:
 * @field: any field of the hook's samples, or "cpu"
 * @condition: (nullable): filter on the samples; the conditions of the result include it
 * @most: maximum number of values, those with most samples
 * @left: (out): number of samples of the other values
 * (transfer full) (element-type GilkSplit): most samples first
 */
GArray *gilk_hook_split (GilkStore *store, const GilkStoredHook *hook, const char *field,
                         const char *condition, guint most, uint64_t *left, GError **error);

G_END_DECLS
