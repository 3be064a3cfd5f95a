/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet.h - records one plan on several kernels at once
 *
 * A member is a target with its own bound plan, session and run. Members connect and bind in
 * parallel; when all are ready, the fleet's owner sees which hooks each of them refuses, and
 * decides whether to start. Members arm together (gilk-start-barrier.h), and each reports its time
 * zero by this machine's clock. Members do not affect each other: each ends by itself and keeps its
 * recorded data.
 *
 *   IDLE -prepare-> PREPARING -> PREPARED -start-> RUNNING -> DONE
 *                       \- no member ready, or stop -/---------^
 *
 * Signals: "changed" (a member has new figures or a new state), "prepared" (once, unless the fleet
 * is DONE by then), "ended" (once).
 *
 * Threads: only the thread that made the fleet; signals are emitted in its main context. No
 * function blocks.
 */
#pragma once

#include "core/run/gilk-run.h"

G_BEGIN_DECLS

#define GILK_FLEET_MAX 64

typedef enum {
  GILK_FLEET_IDLE, GILK_FLEET_PREPARING, GILK_FLEET_PREPARED, GILK_FLEET_RUNNING, GILK_FLEET_DONE,
} GilkFleetState;

typedef enum {
  GILK_MEMBER_IDLE,
  GILK_MEMBER_PREPARING,     /* the member is being connected, and the plan bound to its kernel */
  GILK_MEMBER_READY,         /* the member is prepared, and nothing is armed yet */
  GILK_MEMBER_RUNNING,       /* the run was started, and the session is not closed yet */
  GILK_MEMBER_DONE,
  GILK_MEMBER_FAILED,        /* the member failed with an error; the data recorded until then are
                              * kept */
} GilkMemberState;

/* A hook that a member's kernel refuses. */
typedef struct {
  char  *label, *point;      /* @point: text of the probe point, such as "pipe_write+0x2b1:pre" */
  guint  refusal;            /* why the kernel refuses the hook (GilkRefusal); 0: another error,
                              * which @text describes */
  char  *text;
} GilkFleetRefusal;

/* Status of a member. Pointers are valid until the next call. */
typedef struct {
  GilkMemberState state;
  const char *spec, *path;
  const char *hostname, *release, *build_id;   /* host name, kernel release and build id of the
                                                * member's target; NULL: not connected */
  const GPtrArray *refusals;                   /* (element-type GilkFleetRefusal) */
  GilkRun    *run;                             /* the member's run; NULL: not started yet */
  guint       run_number;                      /* number of the run in its session; 0: none, or
                                                * unknown */
  const GError *error;                         /* NULL: none */
} GilkFleetMember;

/* A callback that adapts @plan, the member's copy of the plan, to the member's kernel. Called in
 * one thread at a time. */
typedef gboolean (*GilkFleetPlanFunc) (GilkPlan *plan, GilkTarget *target, GilkImage *image, GilkFunctions *functions,
                                       gpointer user_data, GError **error);

#define GILK_TYPE_FLEET (gilk_fleet_get_type ())
G_DECLARE_FINAL_TYPE (GilkFleet, gilk_fleet, GILK, FLEET, GObject)

/* Makes a fleet without members. @duration_ns: duration of each run; 0: until it is stopped */
GilkFleet *gilk_fleet_new      (const GilkPlan *plan, uint64_t duration_ns);
/* Adds a member. Call before gilk_fleet_prepare(). @path: file of the member's session; if the file
 * exists, the run is added to it. Returns FALSE if the target is a member already, if another
 * member uses the session, or if there are too many members. */
gboolean   gilk_fleet_add      (GilkFleet *fleet, const char *spec, const char *path, GError **error);
void       gilk_fleet_set_plan_func (GilkFleet *fleet, GilkFleetPlanFunc func, gpointer user_data);
/* Sets whether samples in the sessions are compressed. */
void       gilk_fleet_set_compress  (GilkFleet *fleet, gboolean compress);

void gilk_fleet_prepare (GilkFleet *fleet);
/* Starts the members that are READY, each without the hooks that it refuses. The fleet must be
 * PREPARED. @granted: the user's consent, as for gilk_run_new() */
void gilk_fleet_start   (GilkFleet *fleet, GilkConsent granted);
/* Stops all members, in any state. Members that are not armed yet fail as cancelled. */
void gilk_fleet_stop    (GilkFleet *fleet);

GilkFleetState gilk_fleet_state (GilkFleet *fleet);
guint      gilk_fleet_n_members (GilkFleet *fleet);
void       gilk_fleet_member   (GilkFleet *fleet, guint i, GilkFleetMember *member);
/* Returns a text for users about the current step of a member that is PREPARING. (transfer full)
 * (nullable) */
char      *gilk_fleet_progress_text    (GilkFleet *fleet, guint i, double *fraction);
/* Returns TRUE if all members are READY and refuse no hook. Call when the fleet is PREPARED. */
gboolean   gilk_fleet_is_complete (GilkFleet *fleet);
/* Fails unless gilk_fleet_is_complete(). The error has the first problem and the number of
 * further problems. */
gboolean   gilk_fleet_check_complete (GilkFleet *fleet, GError **error);
/* Returns the changes that need consent on any READY member, like gilk_consent_items(), without
 * duplicates. Call when the fleet is PREPARED. */
GPtrArray *gilk_fleet_consent_items (GilkFleet *fleet);
/* Fails if a READY member needs more consent than @granted, with the gilk_consent_check() error of
 * the first such member. */
gboolean   gilk_fleet_check_consent (GilkFleet *fleet, GilkConsent granted, GError **error);
/* Fails if members ended with an error. @error has the first of these errors, and the number of
 * further errors. */
gboolean   gilk_fleet_check_results (GilkFleet *fleet, GError **error);
/**
 * gilk_fleet_start_delay:
 * @after_s: (out): time from the earliest member's time zero to member @i's time zero
 * @error_s: (out): maximum error of @after_s
 * Returns FALSE if the member has not started.
 */
gboolean   gilk_fleet_start_delay    (GilkFleet *fleet, guint i, double *after_s, double *error_s);

/* Returns the path of a member's session: for "pipe.gilk" and "lab:6.1" it is "pipe-lab-6.1.gilk".
 * (transfer full) */
char      *gilk_fleet_path     (const char *path, const char *spec);

G_END_DECLS
