/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-private.h - what the fleet's source files share
 *
 * gilk-fleet-member.c is what a member does in its thread before it runs, gilk-fleet-known.c what is told of members,
 * gilk-fleet.c the rest.
 */
#pragma once

#include "core/run/gilk-fleet.h"

G_BEGIN_DECLS

typedef struct {
  GilkFleet     *fleet;            /* (unowned); a step holds a reference */
  char          *spec, *path;
  GilkMemberState state;
  GilkTarget    *target;
  GilkImage     *image;
  GilkFunctions *functions;
  GilkBoundPlan *bound;            /* until the run has it */
  GPtrArray     *refusals;
  GilkStore     *store;
  GilkRun       *run;
  guint          run_number;
  GError        *error;
  char          *doing;            /* under the fleet's lock, as the next */
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
  guint          n_preparing;      /* or being closed because they could not */
  guint          n_opening, n_steps; /* under way */
  GMainContext  *context;
  GCancellable  *cancellable;
  GMutex         lock, plan_lock;
};

static inline GilkFleetEntry *
gilk_fleet_entry_at (GilkFleet *fleet, guint i)
{
  return g_ptr_array_index (fleet->members, i);
}

/* gilk-fleet-member.c: in any thread. In the words of this library, whatever was cancelled: sets @error anew. */
gboolean gilk_fleet_is_cancelled  (GilkFleet *fleet, GError **error);
/* Connects and binds; with an error if that failed. In a thread of the member's. */
void     gilk_fleet_prepare_entry (GilkFleetEntry *member);

G_END_DECLS
