/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-patches.h - states of a run's patches and watchpoints, in the kernel and in the journal
 *
 * Threads: the run's own.
 */
#pragma once

#include "core/run/gilk-run-clock.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

/* In order of severity, worst last. */
typedef enum {
  GILK_EXIT_REASON_NONE,     /* or waits for its start */
  GILK_EXIT_REASON_STOPPED,  /* as scheduled */
  GILK_EXIT_REASON_FAILED,   /* could not start when it was due */
  GILK_EXIT_REASON_UNLOADED, /* its module was unloaded */
  GILK_EXIT_REASON_DISARMED, /* by someone else */
} GilkExitReason;

/* @stop_ns: from time zero; 0: at the end of the run. Valid until the run disarms its hooks. */
GilkExitReason gilk_patch_exit_reason (const struct ilk_patch_status *status, uint64_t zero_mono_ns,
                                       uint64_t stop_ns);

typedef struct {
  GilkTarget         *target;     /* (unowned) */
  GilkRunSession     *session;    /* (unowned) */
  const GilkRunRows  *rows;       /* (unowned) */
  const GilkRunClock *clock;      /* (unowned) */
  GilkImage          *image;      /* (unowned): for names of modules */
  GArray             *status;     /* struct ilk_patch_status, as last reported; NULL: not yet */
  gint64              status_us;  /* and when */
  struct ilk_watch_status watches[ILK_WATCHES_MAX];    /* as last reported */
  guint               n_watches;  /* 0: no watchpoints, or no status yet */
  GilkExitReason      reason;     /* the worst of its patches */
  char               *cut_reason; /* what others did, for the session; NULL: nothing */
  char               *cut_short;  /* and as sentences for the user */
  gboolean            is_cut_off; /* the run has to end because of that */
} GilkRunPatches;

void     gilk_run_patches_clear  (GilkRunPatches *patches);
/* TRUE if it is time to request the states: they are much larger than counters, and rarely change. */
gboolean gilk_run_patches_is_due (const GilkRunPatches *patches);
/* Requests the states. On a failure the old ones stay. */
gboolean gilk_run_patches_read   (GilkRunPatches *patches, GError **error);
/* Returns a map from patch id to its last status. (transfer full) (element-type struct ilk_patch_status) */
GHashTable *gilk_run_patches_by_id (const GilkRunPatches *patches);
/* Returns an enum ilk_state, from the last status. */
guint    gilk_run_patches_watchpoint_state (const GilkRunPatches *patches, guint row);
/* Returns the last status; NULL: not a watchpoint, or no status yet. */
const struct ilk_watch_status *gilk_run_patches_watchpoint (const GilkRunPatches *patches, guint row);
/* Finds out what others did to the patches of a run in state RUNNING. FALSE: they disarmed them, so
 * the run has to end */
gboolean gilk_run_patches_check  (GilkRunPatches *patches);

/* ---- journal ---- */

/* Writes what @armed will change to disk. TRUE: it may be armed now. */
gboolean gilk_run_patches_plan   (GilkRunPatches *patches, const GilkArmed *armed, GCancellable *cancellable,
                                  GError **error);
/* Stores the last reported state of all patches; with @all also their trap hits. */
gboolean gilk_run_patches_store  (GilkRunPatches *patches, gboolean all, GError **error);
/* Drops the last planned changes from the journal: the text is as before. @refused: ARM was
 * refused; otherwise the change was taken back */
void     gilk_run_patches_revoke (GilkRunPatches *patches, gboolean refused, const GError *why);

G_END_DECLS
