/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-patches.h - tracks the states of a run's patches and watchpoints, in the kernel and in
 * the journal
 *
 * Threads: only the run's thread.
 */
#pragma once

#include "core/run/gilk-run-clock.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

/* Why a patch is no longer armed, in order of severity: the worst is last. */
typedef enum {
  GILK_EXIT_REASON_NONE,     /* still armed, or waiting for its start */
  GILK_EXIT_REASON_STOPPED,  /* stopped as scheduled */
  GILK_EXIT_REASON_FAILED,   /* could not be armed at its start time */
  GILK_EXIT_REASON_UNLOADED, /* the function's module was unloaded */
  GILK_EXIT_REASON_DISARMED, /* disarmed by another client */
} GilkExitReason;

/* Returns a patch's exit reason. The reason is meaningful only until the run disarms its hooks.
 * @stop_ns: scheduled stop since time zero; 0: at the end of the run */
GilkExitReason gilk_patch_exit_reason (const struct ilk_patch_status *status, uint64_t zero_mono_ns,
                                       uint64_t stop_ns);

typedef struct {
  GilkTarget         *target;     /* (unowned) */
  GilkRunSession     *session;    /* (unowned) */
  const GilkRunRows  *rows;       /* (unowned) */
  const GilkRunClock *clock;      /* (unowned) */
  GilkImage          *image;      /* (unowned): to look up names of modules */
  GArray             *status;     /* (element-type struct ilk_patch_status): from the last reply;
                                   * NULL: no reply yet */
  gint64              status_us;  /* time at which @status was read */
  struct gilk_watch_status watches[GILK_WATCHES_MAX];    /* states of the watchpoints in the target's
                                                        * last reply */
  guint               n_watches;  /* number of @watches; 0: none, or no status yet */
  GilkExitReason      reason;     /* worst exit reason of all patches */
  char               *cut_reason; /* what other programs did to the hooks, as stored in the session;
                                   * NULL: nothing */
  char               *cut_short;  /* @cut_reason as sentences for the user */
  gboolean            is_cut_off; /* the run must end, for the reason in @cut_reason */
} GilkRunPatches;

void     gilk_run_patches_clear  (GilkRunPatches *patches);
/* Returns TRUE if it is time to request the states of patches and watchpoints. States are requested
 * less often than counters, because they are much larger and rarely change. */
gboolean gilk_run_patches_is_due (const GilkRunPatches *patches);
/* Requests the states of patches and watchpoints from the target. On failure the old states
 * stay. */
gboolean gilk_run_patches_read   (GilkRunPatches *patches, GError **error);
/* Returns a map from patch id to its last status. (transfer full) (element-type struct ilk_patch_status) */
GHashTable *gilk_run_patches_by_id (const GilkRunPatches *patches);
/* Returns the enum ilk_state that corresponds to a watchpoint's last status. */
guint    gilk_run_patches_watchpoint_state (const GilkRunPatches *patches, guint row);
/* Returns a watchpoint's last status; NULL: not a watchpoint, or its status is unknown. */
const struct gilk_watch_status *gilk_run_patches_watchpoint (const GilkRunPatches *patches, guint row);
/* Checks whether another program disarmed patches of a run in state RUNNING. Returns FALSE if the
 * run must end for this reason. */
gboolean gilk_run_patches_check  (GilkRunPatches *patches);

/* ---- journal ---- */

/* Writes to disk a list of the bytes that arming will change. Returns TRUE if @armed may be
 * armed. */
gboolean gilk_run_patches_plan   (GilkRunPatches *patches, const GilkArmed *armed, GCancellable *cancellable,
                                  GError **error);
/* Stores the last reported state of all patches; with @all also their numbers of trap hits. */
gboolean gilk_run_patches_store  (GilkRunPatches *patches, gboolean all, GError **error);
/* Marks the changes that were planned last in the journal as refused or restored, because they were
 * not made. @refused: ARM was refused; otherwise the change was rolled back */
void     gilk_run_patches_revoke (GilkRunPatches *patches, gboolean refused, const GError *why);

G_END_DECLS
