/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet.h - one plan on several kernels at once
 *
 * A member is a target, what the plan is bound to there, a session of its own and a run. Members connect and bind beside each
 * other; when all have, whoever made the fleet knows what each refuses and says whether they begin. They arm together
 * (gilk-gate.h), and each tells when that was by this machine's clock. What becomes of one is no other's affair: each
 * ends by itself, and keeps what it recorded.
 *
 *   IDLE -prepare-> PREPARING -> PREPARED -start-> RUNNING -> DONE
 *                       \- none can be had, or stop -/---------^
 *
 * Signals: "changed" (some member has other figures or another state), "prepared" (once, unless it is DONE by then),
 * "ended" (once).
 *
 * Threads: all of it is for the one that made it, in whose main context signals come; it never blocks.
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
  GILK_MEMBER_PREPARING,     /* connects, binds */
  GILK_MEMBER_READY,         /* nothing is armed */
  GILK_MEMBER_RUNNING,       /* until its session is closed: see the state of its run */
  GILK_MEMBER_DONE,
  GILK_MEMBER_FAILED,        /* with an error; what was recorded is kept */
} GilkMemberState;

/* A hook that one of them cannot have. */
typedef struct {
  char  *label, *point;      /* "pipe_write+0x2b1:pre" */
  guint  refusal;            /* GilkRefusal; 0: another kind of error, which @text tells */
  char  *text;
} GilkFleetRefusal;

/* What is known of one, until the fleet is next asked for it. */
typedef struct {
  GilkMemberState state;
  const char *spec, *path;
  const char *hostname, *release, *build_id;   /* NULL: it was not reached */
  const GPtrArray *refusals;                   /* (element-type GilkFleetRefusal): of hooks it goes without */
  GilkRun    *run;                             /* NULL: there was none */
  guint       run_number;                      /* in its session; 0: there is none, or not known yet */
  const GError *error;                         /* NULL: it is well */
} GilkFleetMember;

/* Makes of @plan, a copy that is its own, what is meant on that kernel. One thread at a time. */
typedef gboolean (*GilkFleetPlanFunc) (GilkPlan *plan, GilkTarget *target, GilkImage *image, GilkFunctions *functions,
                                       gpointer user_data, GError **error);

#define GILK_TYPE_FLEET (gilk_fleet_get_type ())
G_DECLARE_FINAL_TYPE (GilkFleet, gilk_fleet, GILK, FLEET, GObject)

/* @duration_ns: of each run; 0: until it is stopped */
GilkFleet *gilk_fleet_new      (const GilkPlan *plan, uint64_t duration_ns);
/* Before they prepare. @path: of its session, one more run if it exists. FALSE: that target is there already, or they are
 * too many. */
gboolean   gilk_fleet_add      (GilkFleet *fleet, const char *spec, const char *path, GError **error);
void       gilk_fleet_set_plan_func (GilkFleet *fleet, GilkFleetPlanFunc func, gpointer user_data);
/* Samples take less room in their sessions. */
void       gilk_fleet_set_compress  (GilkFleet *fleet, gboolean compress);

void       gilk_fleet_prepare  (GilkFleet *fleet);
/* Once they are PREPARED: those that are READY begin, each without the hooks it refuses. @granted: as of gilk_run_new() */
void       gilk_fleet_start    (GilkFleet *fleet, GilkConsent granted);
/* All of them; at any time. Those that are not armed yet have failed, as cancelled. */
void       gilk_fleet_stop     (GilkFleet *fleet);

GilkFleetState gilk_fleet_state (GilkFleet *fleet);
guint      gilk_fleet_n_members (GilkFleet *fleet);
void       gilk_fleet_member   (GilkFleet *fleet, guint i, GilkFleetMember *member);
/* What it does while it prepares, for people. (transfer full) (nullable) */
char      *gilk_fleet_doing    (GilkFleet *fleet, guint i, double *fraction);
/* Are all there, with every hook? Once they are PREPARED. */
gboolean   gilk_fleet_is_whole (GilkFleet *fleet);
/* FALSE unless it is; the first thing that is amiss, and how much else. */
gboolean   gilk_fleet_check_whole (GilkFleet *fleet, GError **error);
/* What needs consent on any of those that are READY, each thing once; as gilk_consent_items(). Once they are PREPARED. */
GPtrArray *gilk_fleet_consent_items (GilkFleet *fleet);
/* FALSE if one of those that are READY needs more than @granted: the first, as gilk_consent_check(). */
gboolean   gilk_fleet_check_consent (GilkFleet *fleet, GilkConsent granted, GError **error);
/* What became of those that did not end well: the first, and how many others. FALSE if there are such. */
gboolean   gilk_fleet_check_ended (GilkFleet *fleet, GError **error);
/**
 * gilk_fleet_began:
 * @after_s: how much later than that of the first its time zero was
 * @error_s: by how much that may be off, at most
 * FALSE: it did not begin.
 */
gboolean   gilk_fleet_began    (GilkFleet *fleet, guint i, double *after_s, double *error_s);

/* "pipe.gilk", "lab:6.1" -> "pipe-lab-6.1.gilk". (transfer full) */
char      *gilk_fleet_path     (const char *path, const char *spec);

G_END_DECLS
