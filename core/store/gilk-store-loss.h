/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-loss.h - records and reads when a run's hooks were on, and when their samples were
 * lost
 *
 * Threads: only the store's thread. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* ---- losses ---- */

/* Samples of a hook that were lost on one CPU. A loss is identified by its @from_ns: storing a loss
 * with the same @from_ns again updates it. */
typedef struct {
  gint64   from_ns, to_ns;            /* time range of the loss, since time zero */
  uint64_t lost, missed;
} GilkStoredLoss;

/* Stores a loss. After an error the open transaction has been rolled back. */
gboolean gilk_store_put_loss      (GilkStore *store, gint64 run, uint32_t iid, guint cpu,
                                   const GilkStoredLoss *loss, GError **error);
/* For a run whose full rings overwrote the oldest samples, narrows the time ranges of losses: the
 * first loss of a CPU ended before the CPU's first stored sample. Commits pending rows. */
gboolean gilk_store_narrow_losses (GilkStore *store, gint64 run, GError **error);
/* Returns the losses of all CPUs, by time; all losses at unknown times are one element, from 0 to
 * G_MAXINT64. (transfer full) (element-type GilkStoredLoss) */
GArray  *gilk_store_losses        (GilkStore *store, const GilkStoredHook *hook, GError **error);

/* Samples of a hook that were lost on one CPU. */
typedef struct {
  guint    hook;                      /* index of the hook in @hooks */
  guint    cpu;
  gint64   from_ns, to_ns;            /* time range of the loss; if unknown, 0 and G_MAXINT64 */
  uint64_t lost;
} GilkStoredCpuLoss;

/* Returns losses sorted by CPU, then from_ns. (transfer full) (element-type GilkStoredCpuLoss) */
GArray  *gilk_store_losses_by_cpu (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks,
                                   GError **error);

/* A gap: samples, of any hooks, that a CPU lost between two recorded samples. */
typedef struct {
  guint    cpu;
  gint64   from_ns, to_ns;
  uint64_t lost;
} GilkStoredGap;

/* Returns gaps in order of recording. (transfer full) (element-type GilkStoredGap) */
GArray  *gilk_store_gaps          (GilkStore *store, gint64 run, GError **error);

/* ---- reads when hooks were on ---- */

/* Gets the time range in which the hook was in kernel text and scheduled to be on. @to_ns becomes
 * G_MAXINT64 if the hook was on until the end of the run. */
gboolean gilk_store_hook_active_time (GilkStore *store, const GilkStoredHook *hook, gint64 *from_ns,
                                      gint64 *to_ns, GError **error);

/* An interval of an A/B run: the switched hooks were either on or off. */
typedef struct {
  gint64   from_ns, to_ns;            /* start and end, since time zero */
  gboolean on, complete;              /* @on: the hooks were on; @complete: FALSE if the run ended
                                       * within the interval */
} GilkStoredInterval;

gboolean gilk_store_add_interval (GilkStore *store, gint64 run, guint position,
                                  const GilkStoredInterval *interval, GError **error);
/* Returns all intervals, by time; empty: hooks were not switched, or the times are
 * unknown. (transfer full) (element-type GilkStoredInterval) */
GArray  *gilk_store_intervals    (GilkStore *store, gint64 run, GError **error);

/* Sets @ns to the time, since time zero, when the last jump of the run was written to kernel text;
 * 0: no jump was written. */
gboolean gilk_store_last_jump_time (GilkStore *store, gint64 run, gint64 *ns, GError **error);

G_END_DECLS
