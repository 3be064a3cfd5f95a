/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-model.h - the plan being edited, with undo, and what is known of its hooks
 *
 * Signals: "changed" (hooks or their settings), "status-changed" (tactics,
 * refusals, counts). Undo covers the plan only: armed hooks are never touched.
 */
#pragma once

#include <glib-object.h>

#include "core/run/gilk-bound-plan.h"
#include "core/run/gilk-forecast.h"
#include "core/run/gilk-plan-history.h"
#include "core/run/gilk-plan-schedule.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

typedef struct {
  gboolean bound;              /* tactic, cost and problem are known */
  guint    tactic;             /* enum ilk_tactic */
  guint    cost;               /* added instructions a hit */
  guint    why_not_splice;     /* GilkRefusal, 0: none met */
  uint64_t addr;               /* of the block; 0 unknown */
  char    *problem;            /* why it cannot be armed; NULL if it can */
  guint    refused;            /* by the driver, when the last run was to arm it: GilkRefusal, 0: it was not */
  GilkProgramError program_error;  /* where its program is wrong; line 0: nowhere */
  gboolean live;
  gboolean counted;            /* the figures below are of a run, whose instrument tells of hits */
  uint64_t hits, lost, dropped;
  double   rate;
  double   per_second;         /* hits, over all of the time that it worked in that run; negative: not known */
  guint    update;             /* the one that last changed anything of it but the rate */
} GilkHookStatus;

#define GILK_TYPE_PLAN_MODEL (gilk_plan_model_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanModel, gilk_plan_model, GILK, PLAN_MODEL, GObject)

GilkPlanModel  *gilk_plan_model_new  (void);

const GilkPlan *gilk_plan_model_plan (GilkPlanModel *self);
guint           gilk_plan_model_n_hooks (GilkPlanModel *self);
const GilkPlanHook   *gilk_plan_model_hook   (GilkPlanModel *self, guint index);
/* Never NULL for a valid index. */
const GilkHookStatus *gilk_plan_model_status (GilkPlanModel *self, guint index);
/* The driver refused the hook so labelled; so it stands until it is edited, or a run begins. */
void                  gilk_plan_model_take_refusal   (GilkPlanModel *self, const char *label, guint refusal);
void                  gilk_plan_model_clear_refusals (GilkPlanModel *self);
/* (transfer full) (element-type guint): which hooks cannot be armed, as far as is known */
GArray               *gilk_plan_model_refused (GilkPlanModel *self);
/* What it will cost: by what its last run counted, or else what was measured. FALSE: it is not known how it is placed */
gboolean              gilk_plan_model_forecast (GilkPlanModel *self, guint index, GilkForecast *forecast);
/* (transfer none) (nullable): what hits cost on the target at hand, and how often they came */
GilkMeasured         *gilk_plan_model_measured (GilkPlanModel *self);
void                  gilk_plan_model_take_measured (GilkPlanModel *self, GilkMeasured *measured);
/* Did what "status-changed" was last emitted for change it? Its rate alone does not count. */
gboolean              gilk_plan_model_is_fresh (GilkPlanModel *self, guint index);
/* -1 if there is none. */
int  gilk_plan_model_find  (GilkPlanModel *self, const char *function, const char *block,
                            uint64_t addr, GilkWhere where);
int  gilk_plan_model_index (GilkPlanModel *self, const char *label);

/* Of the kernel at hand, which the plan is made on unless it was begun on another. */
void  gilk_plan_model_set_origin (GilkPlanModel *self, const char *release, const char *build_id);
/* Adds a hook (transfer full) and returns its index. */
guint gilk_plan_model_add    (GilkPlanModel *self, GilkPlanHook *hook);
/* A watch as gilk-plan-watch.h has it. Returns its index; -1, with nothing changed, if @text is none. */
int   gilk_plan_model_add_watch (GilkPlanModel *self, const char *text, GError **error);
/* Of a hook that is one; its label, times, program and place stay. */
gboolean gilk_plan_model_set_watch (GilkPlanModel *self, guint index, const char *text, GError **error);
void  gilk_plan_model_remove (GilkPlanModel *self, guint index);
/* One step of undo each. */
/* @hooks: (element-type GilkPlanHook): labels of their own, which the plan has not. @code: (nullable): the program of each */
void  gilk_plan_model_add_many    (GilkPlanModel *self, GPtrArray *hooks, const char *code);
void  gilk_plan_model_remove_many (GilkPlanModel *self, const guint *indices, guint n);
/* Nothing of a watch, which is its own. */
void  gilk_plan_model_set_instrument (GilkPlanModel *self, guint index, const char *instrument);
/* As gilk_plan_set_code(). */
void  gilk_plan_model_set_code       (GilkPlanModel *self, guint index, const char *code);
void  gilk_plan_model_set_times      (GilkPlanModel *self, guint index, uint64_t start_ns, uint64_t stop_ns);
/* Of @n hooks, as gilk_plan_set_times(); one step of undo. */
void  gilk_plan_model_set_many_times (GilkPlanModel *self, const guint *indices, const GilkPlanTimes *times, guint n);
/* The plan as it would be then; the model's stays as it is. (transfer full) */
GilkPlan *gilk_plan_model_with_times (GilkPlanModel *self, const guint *indices, const GilkPlanTimes *times, guint n);
/* @value NULL: the instrument's preset. */
void  gilk_plan_model_set_param      (GilkPlanModel *self, guint index, const char *name, const char *value);
/* A witness stays on where the others are switched off and on. */
void  gilk_plan_model_set_witness    (GilkPlanModel *self, guint index, gboolean witness);
/* How the others are; a period of 0: they are not. What does not go with it is told by gilk_plan_check_ab(). */
void  gilk_plan_model_set_ab         (GilkPlanModel *self, const GilkPlanAb *ab);
/* What else ends its runs, as gilk-run-limit.h has it, tidy; NULL: nothing */
void  gilk_plan_model_set_until      (GilkPlanModel *self, const char *until);
/* Of all hooks, as gilk_plan_take_schedule(), and how they are switched; one step of undo. */
void  gilk_plan_model_set_schedule   (GilkPlanModel *self, const GilkPlanTimes *times, GilkScheduleKind kind,
                                      gboolean by_function, const GilkPlanAb *ab);
/* Of the run that is planned; 0: until it is stopped. Not an edit. */
void     gilk_plan_model_set_length  (GilkPlanModel *self, uint64_t length_ns);
uint64_t gilk_plan_model_length      (GilkPlanModel *self);
/* Times as gilk_plan_parse_times() has them, of which an empty one is none: "after writes + 1s", "+5s". A stop that was not
 * typed anew goes with a start that was. Senseless ones are refused. */
gboolean gilk_plan_model_enter_text  (GilkPlanModel *self, guint index, const char *start, const char *stop, GError **error);
/* The plan that there is at first; nothing can be undone before it. (transfer full) */
void  gilk_plan_model_begin          (GilkPlanModel *self, GilkPlan *plan);
/* Copies what can be undone and redone into @history; and takes it of a plan that has just begun. */
void  gilk_plan_model_keep_history   (GilkPlanModel *self, GilkPlanHistory *history);
void  gilk_plan_model_take_history   (GilkPlanModel *self, const GilkPlanHistory *history);
/* Empties or replaces the plan; can be undone. */
void  gilk_plan_model_take_plan      (GilkPlanModel *self, GilkPlan *plan);

gboolean gilk_plan_model_can_undo (GilkPlanModel *self);
gboolean gilk_plan_model_can_redo (GilkPlanModel *self);
void     gilk_plan_model_undo     (GilkPlanModel *self);
void     gilk_plan_model_redo     (GilkPlanModel *self);

/* @bound NULL: nothing is known any more. */
void     gilk_plan_model_take_bound   (GilkPlanModel *self, const GilkBoundPlan *bound);
/* @figures of a run of @bound; hooks are matched by label. */
void     gilk_plan_model_take_figures (GilkPlanModel *self, const GilkBoundPlan *bound,
                                       const GilkRunFigures *figures);

G_END_DECLS
