/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-private.h - the parts of a run: what is armed, samples on their way,
 * what is written down
 *
 * Threads: the target's reader thread puts samples into the queue; the writer
 * thread takes them out and stores them; the run's own thread asks the target and
 * writes all else. store_lock keeps the last two apart. The run's thread never
 * waits for the queue, so that answers can always get through behind samples.
 */
#pragma once

#include "core/run/gilk-bound-plan.h"
#include "core/store/gilk-store.h"

/* ---- what is armed ---- */

typedef struct {
  GilkTarget           *target;   /* (unowned) */
  const GilkBoundPlan  *bound;    /* (unowned) */
  struct ilk_info       info;
  guint                 n_hooks, n_patches;
  uint32_t             *iids;     /* per hook, in plan order */
  uint32_t             *patch_of; /* patch id, per hook */
  struct ilk_reserve_patch *reserved_patches;
  struct ilk_reserve_hook  *reserved_hooks;
  struct ilk_prepare_patch *patches;
  struct ilk_prepare_hook  *hooks;
  GByteArray           *blob;
  gboolean              reserved;
} GilkArmed;

void     gilk_armed_init    (GilkArmed *armed, GilkTarget *target, const GilkBoundPlan *bound);
void     gilk_armed_clear   (GilkArmed *armed);
/* Reserves, emits and prepares: text is as before afterwards. */
gboolean gilk_armed_prepare (GilkArmed *armed, GCancellable *cancellable, GError **error);
gboolean gilk_armed_arm     (GilkArmed *armed, struct ilk_arm *arm, GCancellable *cancellable,
                             GError **error);
/* Text is as before when this returns TRUE; never cancelled. */
gboolean gilk_armed_disarm  (GilkArmed *armed, GError **error);
/* Waits a moment until no thread can be inside of what was disarmed. */
void     gilk_armed_settle  (GilkArmed *armed);
/* Gives ids and slots back. */
void     gilk_armed_forget  (GilkArmed *armed);
gboolean gilk_hook_takes_samples (const GilkBoundPlan *bound, guint hook);

/* ---- samples on their way into the file ---- */

typedef struct _GilkInflow GilkInflow;

GilkInflow *gilk_inflow_new (GilkStore *store, GMutex *store_lock, const uint32_t *iids,
                             guint n_hooks, guint n_cpus);
void      gilk_inflow_free  (GilkInflow *flow);
/* GilkSamplesFunc; blocks while the queue is full. */
void      gilk_inflow_put   (guint cpu, const void *cells, gsize bytes, gpointer flow);
/* Records may be stored from now on: time zero is known. */
void      gilk_inflow_open  (GilkInflow *flow, gint64 run);
/* Nothing more will come: stores what is there and ends the writer. */
void      gilk_inflow_close (GilkInflow *flow);
/* What made storing fail. (transfer full) (nullable) */
GError   *gilk_inflow_error (GilkInflow *flow);
/* Records that came in from a hook and CPU. */
uint64_t  gilk_inflow_received (GilkInflow *flow, guint hook, guint cpu);
uint64_t  gilk_inflow_cells    (GilkInflow *flow);

/* ---- what is written down ---- */

/* Run, instruments, hooks and functions; the run's id through @run. */
gboolean gilk_run_write_head  (GilkStore *store, const GilkArmed *armed, GilkImage *image,
                               gint64 *run, GError **error);
