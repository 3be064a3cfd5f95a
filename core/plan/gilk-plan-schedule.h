/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-schedule.h - schedules of a plan's hooks: checks, changes, common patterns
 *
 * Threads: any, each with its own plan. On failure outputs are untouched.
 */
#pragma once

#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t start_ns;
  uint64_t stop_ns;            /* 0: when the run ends */
} GilkPlanTimes;

/* The part of a hook's times to move. */
typedef enum { GILK_TIMES_START, GILK_TIMES_STOP, GILK_TIMES_BOTH } GilkTimesPart;

typedef enum {
  GILK_SCHEDULE_TOGETHER,      /* all for the whole run */
  GILK_SCHEDULE_STAGGERED,     /* each a step later than the previous one; lengths stay */
  GILK_SCHEDULE_IN_TURN,       /* each for one step, one after another */
} GilkScheduleKind;

/**
 * gilk_plan_check_times:
 * @label: of the hook in messages; NULL: "The hook"
 * @run_length_ns: of the run; 0: until it is stopped
 *
 * Refuses times that can never be: a stop that is not after the start, and times after the end of
 * the run.
 */
gboolean gilk_plan_check_times    (const char *label, GilkPlanTimes times, uint64_t run_length_ns, GError **error);
/* Checks all hooks: fails with the first bad one, and the number of others. */
gboolean gilk_plan_check_schedule (const GilkPlan *plan, uint64_t run_length_ns, GError **error);

/**
 * gilk_plan_move_times:
 * @by_ns: distance; reduced as far as necessary for valid times
 * @least_ns: minimum length
 * @end_ns: of the run, or of the visible time; a stop there means no stop
 * Moving both times changes the hook's length only if it had no stop.
 */
GilkPlanTimes gilk_plan_move_times (GilkPlanTimes times, GilkTimesPart part, int64_t by_ns, uint64_t least_ns,
                                    uint64_t end_ns);

/**
 * gilk_plan_set_times:
 * @run_length_ns: of the run; 0: until it is stopped
 *
 * Sets the times of @n hooks, and moves those that follow them (gilk-plan-leader.h). A hook that
 * follows another still does, with the delay between the other's stop and its new start; if it
 * starts earlier than that, it no longer follows. A hook that others follow must have a stop: if it
 * would have none, its stop is the end of the run, or stays.
 */
void     gilk_plan_set_times      (GilkPlan *plan, const guint *indices, const GilkPlanTimes *times, guint n,
                                   uint64_t run_length_ns);

/**
 * gilk_plan_make_schedule:
 * @step_ns: 0 with GILK_SCHEDULE_IN_TURN: equal parts of @run_length_ns
 * @by_function: hooks of one function have the same times
 *
 * Returns: (transfer full) (nullable) (element-type GilkPlanTimes): per hook; NULL with an error if
 *   they would not all end within @run_length_ns
 */
GArray *gilk_plan_make_schedule  (const GilkPlan *plan, GilkScheduleKind kind, uint64_t step_ns, gboolean by_function,
                                  uint64_t run_length_ns, GError **error);
/* Sets all hooks to the times of gilk_plan_make_schedule(). With GILK_SCHEDULE_IN_TURN, hooks follow the
 * first one of the previous turn. */
void    gilk_plan_apply_schedule (GilkPlan *plan, const GilkPlanTimes *times, GilkScheduleKind kind, gboolean by_function);

G_END_DECLS
