/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-schedule.h - checks and changes the schedules of a plan's hooks, and makes schedules of
 * common patterns
 *
 * Threads: any, each with its own plan. On failure outputs are untouched.
 */
#pragma once

#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t start_ns;
  uint64_t stop_ns;            /* time when the hook stops; 0: at the end of the run */
} GilkPlanTimes;

/* Selects which of a hook's times to move. */
typedef enum { GILK_TIMES_START, GILK_TIMES_STOP, GILK_TIMES_BOTH } GilkTimesPart;

typedef enum {
  GILK_SCHEDULE_TOGETHER,      /* all hooks are on throughout the run */
  /* each hook starts one step after the previous hook; hooks keep the length of time that they are
   * on */
  GILK_SCHEDULE_STAGGERED,
  GILK_SCHEDULE_IN_TURN,       /* hooks are on one after another, each for one step */
} GilkScheduleKind;

/**
 * gilk_plan_check_times:
 * @label: the hook's name in messages; NULL: "The hook"
 * @run_length_ns: length of the run; 0: until it is stopped
 *
 * Refuses a stop time that is not after the start time, and times after the end of the run.
 */
gboolean gilk_plan_check_times    (const char *label, GilkPlanTimes times, uint64_t run_length_ns, GError **error);
/* Checks the times of all hooks. The error names the first hook with invalid times, and the number
 * of other such hooks. */
gboolean gilk_plan_check_schedule (const GilkPlan *plan, uint64_t run_length_ns, GError **error);

/**
 * gilk_plan_move_times:
 * @by_ns: distance to move by; reduced if the times would become invalid
 * @least_ns: minimum length of the time for which the hook is on
 * @end_ns: end of the run, or of the visible time
 * Returns @times after moving the part @part. If only the stop time is moved, and reaches @end_ns,
 * the hook loses its stop time. If both times are moved, the hook keeps its length, unless it had
 * no stop time.
 */
GilkPlanTimes gilk_plan_move_times (GilkPlanTimes times, GilkTimesPart part, int64_t by_ns, uint64_t least_ns,
                                    uint64_t end_ns);

/**
 * gilk_plan_set_times:
 * @run_length_ns: length of the run; 0: until it is stopped
 *
 * Sets the times of @n hooks, and moves hooks that follow them, i.e. start when one of them stops.
 * If one of the @n hooks itself follows a leader, its new start changes the delay between the
 * leader's stop and the hook's start; if the new start is before that stop, the hook becomes
 * independent. A leader must have a stop: if @times lacks a stop for it, the leader stops at the
 * end of the run or, if the run is endless, keeps its old stop.
 */
void     gilk_plan_set_times      (GilkPlan *plan, const guint *indices, const GilkPlanTimes *times, guint n,
                                   uint64_t run_length_ns);

/**
 * gilk_plan_make_schedule:
 * @step_ns: length of a step; 0 with GILK_SCHEDULE_IN_TURN: equal parts of @run_length_ns
 * @by_function: hooks of one function get the same times
 *
 * Returns: (transfer full) (nullable) (element-type GilkPlanTimes): one per hook; NULL with an
 *   error if some hooks would end after @run_length_ns
 */
GArray *gilk_plan_make_schedule  (const GilkPlan *plan, GilkScheduleKind kind, uint64_t step_ns, gboolean by_function,
                                  uint64_t run_length_ns, GError **error);
/*
 * Sets the times of all hooks to @times, from gilk_plan_make_schedule(). With
 * GILK_SCHEDULE_IN_TURN, also makes each hook follow the first hook of the previous turn, i.e.
 * start when that hook stops.
 */
void    gilk_plan_apply_schedule (GilkPlan *plan, const GilkPlanTimes *times, GilkScheduleKind kind, gboolean by_function);

/*
 * Makes hooks follow other hooks, and converts times of hooks to text and back.
 *
 * A hook can follow another hook, its leader: it starts when the leader stops. GilkPlanHook.leader
 * is then the leader's label, and leader_delay_ns the delay between the leader's stop and the
 * hook's start. As for any hook, start_ns and stop_ns are times since the start of the run, but
 * they are computed from the leader's; if the leader's stop moves, the hook keeps its length. As
 * text, the hook's start is "after LEADER" or "after LEADER + TIME", and its stop is "+TIME",
 * counted from its start.
 */

/**
 * gilk_plan_parse_times:
 * @start: (nullable): text as above, or a time of the run; NULL: at once
 * @stop: (nullable): text as above, or a time of the run; NULL: when the run ends
 *
 * Sets the hook's times. Call gilk_plan_compute_starts() afterwards if it follows another hook.
 */
gboolean gilk_plan_parse_times (GilkPlanHook *hook, const char *start, const char *stop, GError **error);
/* Return the hook's start or stop as text, in the form that gilk_plan_parse_times() reads; NULL if
 * it starts or stops together with the run. (transfer full) (nullable) */
char    *gilk_plan_start_text  (const GilkPlanHook *hook);
char    *gilk_plan_stop_text   (const GilkPlanHook *hook);

/*
 * Makes the hook follow the hook called @label: it starts @later_ns after that hook stops. If
 * @label is NULL, the hook becomes independent and keeps its start time. Call
 * gilk_plan_compute_or_detach() afterwards.
 */
void     gilk_plan_hook_set_leader (GilkPlanHook *hook, const char *label, uint64_t later_ns);
/* Returns, for each hook, 1 if another hook follows it (it is a leader), else 0; NULL: the plan
 * lacks leaders. (transfer full) */
uint8_t *gilk_plan_leader_flags    (const GilkPlan *plan);
/* Returns, for each hook, the index of the hook that it follows (its leader), or G_MAXUINT; NULL:
 * the plan lacks leaders. (transfer full) (element-type guint) */
GArray  *gilk_plan_leader_indices  (const GilkPlan *plan);

/* ---- start times of hooks that follow a leader ---- */

/**
 * gilk_plan_compute_starts:
 *
 * Computes the start times of hooks that follow others, in linear time.
 * Fails for unknown leaders, leaders without a stop time, and cycles; then some hooks may
 * still have old times.
 */
gboolean gilk_plan_compute_starts    (GilkPlan *plan, GError **error);
/* Works like gilk_plan_compute_starts(), but does not fail: a hook that can no longer follow its
 * leader becomes independent of it and keeps its start time. */
void     gilk_plan_compute_or_detach (GilkPlan *plan);

G_END_DECLS
