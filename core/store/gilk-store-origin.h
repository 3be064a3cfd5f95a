/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-origin.h - where and when a run was recorded, and the losses of each CPU
 *
 * Threads: only the store's.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  char    *hostname, *boot_id;        /* "" if not recorded */
  uint64_t zero_tsc, zero_mono_ns, zero_unix_ns;   /* the clocks at time zero */
  uint64_t tsc_khz;
  uint64_t duration_ns;               /* 0: unknown */
} GilkStoredOrigin;

gboolean gilk_store_origin          (GilkStore *store, gint64 run, GilkStoredOrigin *origin,
                                     GError **error);
void     gilk_stored_origin_clear   (GilkStoredOrigin *origin);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkStoredOrigin, gilk_stored_origin_clear)

/* Samples of a hook that were lost on one CPU. */
typedef struct {
  guint    hook;                      /* index into @hooks */
  guint    cpu;
  gint64   from_ns, to_ns;            /* interval of the loss; 0, G_MAXINT64 if unknown */
  uint64_t lost;
} GilkStoredCpuLoss;

/* Returns losses sorted by CPU, then from_ns. (transfer full) (element-type GilkStoredCpuLoss) */
GArray  *gilk_store_losses_by_cpu   (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks,
                                     GError **error);

/* Samples of any hook that a CPU lost between two recorded samples. */
typedef struct {
  guint    cpu;
  gint64   from_ns, to_ns;
  uint64_t lost;
} GilkStoredGap;

/* Returns gaps in order of recording. (transfer full) (element-type GilkStoredGap) */
GArray  *gilk_store_gaps            (GilkStore *store, gint64 run, GError **error);

G_END_DECLS
