/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-schedule.h - when the hooks of a plan work: what makes sense, and usual schedules
 *
 * Threads: any, with a plan of their own. On failure outputs are untouched.
 */
#pragma once

#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t start_ns;
  uint64_t stop_ns;            /* 0: when the run ends */
} GilkPlanTimes;

/* What of a hook's time is moved. */
typedef enum { GILK_TIMES_START, GILK_TIMES_STOP, GILK_TIMES_BOTH } GilkTimesPart;

typedef enum {
  GILK_SCHEDULE_TOGETHER,      /* all at once, for the whole run */
  GILK_SCHEDULE_STAGGERED,     /* each a step later than the one before; how long each works stays */
  GILK_SCHEDULE_IN_TURN,       /* each for a step, one after the other */
} GilkScheduleKind;

/**
 * gilk_plan_check_times:
 * @label: of the hook, for the sentence; NULL: "The hook"
 * @lasts_ns: of the run; 0: until it is stopped
 *
 * Refuses what would never be: a stop that is not behind the start, and times behind the end of the run.
 */
gboolean gilk_plan_check_times    (const char *label, GilkPlanTimes times, uint64_t lasts_ns, GError **error);
/* The same of all hooks: the first that makes no sense, and how many do not. */
gboolean gilk_plan_check_schedule (const GilkPlan *plan, uint64_t lasts_ns, GError **error);

/**
 * gilk_plan_move_times:
 * @by_ns: how far; what would make no sense goes as far as it may
 * @least_ns: how long it works at least
 * @end_ns: of the run, or of the time that is shown; a stop there, and none, are the same
 * Moving both changes how long it works only if it had no stop.
 */
GilkPlanTimes gilk_plan_move_times (GilkPlanTimes times, GilkTimesPart part, int64_t by_ns, uint64_t least_ns,
                                    uint64_t end_ns);

/**
 * gilk_plan_set_times:
 * @lasts_ns: of the run; 0: until it is stopped
 *
 * Gives @n hooks these times, and moves those that follow them (gilk-plan-leader.h). A hook that follows another still does,
 * so much later as its start now is behind the other's stop; before that it starts at a time. A hook that others
 * follow has a stop: at the end of the run, or as before, where it is to have none.
 */
void     gilk_plan_set_times      (GilkPlan *plan, const guint *indices, const GilkPlanTimes *times, guint n,
                                   uint64_t lasts_ns);

/**
 * gilk_plan_schedule:
 * @step_ns: with GILK_SCHEDULE_IN_TURN 0: equal parts of @lasts_ns
 * @by_function: hooks of one function have the same times
 *
 * Returns: (transfer full) (nullable) (element-type GilkPlanTimes): per hook; NULL with the error if they would not
 * be over in @lasts_ns
 */
GArray  *gilk_plan_schedule       (const GilkPlan *plan, GilkScheduleKind kind, uint64_t step_ns, gboolean by_function,
                                   uint64_t lasts_ns, GError **error);
/* Gives all hooks the times of gilk_plan_schedule(), and what they follow: in turn, the first of the turn before. */
void     gilk_plan_take_schedule  (GilkPlan *plan, const GilkPlanTimes *times, GilkScheduleKind kind, gboolean by_function);

G_END_DECLS
