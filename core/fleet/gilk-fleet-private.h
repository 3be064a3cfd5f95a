/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-private.h - data shared by the source files of the fleet
 *
 * gilk-fleet-member.c prepares a member in its own thread, gilk-fleet-status.c reports the status,
 * and gilk-fleet.c does everything else.
 */
#pragma once

#include "core/fleet/gilk-fleet.h"

G_BEGIN_DECLS

typedef struct {
  GilkFleet     *fleet;            /* (unowned); a step holds a reference */
  char          *spec, *path;
  GilkMemberState state;
  GilkTarget    *target;
  GilkImage     *image;
  GilkFunctions *functions;
  GilkBoundPlan *bound;            /* NULL once it is passed to the run */
  GPtrArray     *refusals;
  GilkStore     *store;
  GilkRun       *run;
  guint          run_number;
  GError        *error;
  char          *progress_text;    /* protected by the fleet's lock, like @fraction */
  double         fraction;
} GilkFleetEntry;

struct _GilkFleet {
  GObject        parent_instance;

  GilkFleetState state;
  GilkPlan      *plan;
  uint64_t       duration_ns;
  GilkConsent    granted;
  gboolean       compress;
  GilkFleetPlanFunc plan_func;
  gpointer       plan_data;
  GPtrArray     *members;          /* (element-type GilkFleetEntry) */
  guint          n_preparing;      /* members that prepare, or are being closed after a failure */
  guint          n_opening, n_steps; /* sessions being opened; steps in progress */
  GMainContext  *context;
  GCancellable  *cancellable;
  GMutex         lock, plan_lock;
};

static inline GilkFleetEntry *
gilk_fleet_entry_at (GilkFleet *fleet, guint i)
{
  return g_ptr_array_index (fleet->members, i);
}

/* gilk-fleet-member.c, any thread. Replaces @error by its own message if cancelled. */
gboolean gilk_fleet_is_cancelled  (GilkFleet *fleet, GError **error);
/* Connects and binds a member. Call in a separate thread. Sets the member's error on failure. */
void     gilk_fleet_prepare_entry (GilkFleetEntry *member);

G_END_DECLS
