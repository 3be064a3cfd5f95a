/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-model.h - the plan being edited, with undo, and the status of its hooks
 *
 * Signals: "changed" (hooks or their settings), "status-changed" (tactics, refusals, counts). Undo
 * covers the plan only and never touches armed hooks.
 */
#pragma once

#include <glib-object.h>

#include "core/bind/gilk-bound-plan.h"
#include "core/plan/gilk-plan-history.h"
#include "core/plan/gilk-plan-schedule.h"
#include "core/cost/gilk-forecast.h"
#include "core/run/gilk-run.h"

typedef struct {
  gboolean bound;              /* tactic, cost and problem are known */
  guint    tactic;             /* enum ilk_tactic */
  guint    cost;               /* number of instructions that each hit adds */
  guint    why_not_splice;     /* GilkRefusal: why the tactic is not a splice, the plain 5-byte
                                * jump; 0: no reason */
  uint64_t addr;               /* address of the block; 0: unknown */
  char    *problem;            /* why the hook cannot be armed; NULL: it can */
  guint    refused;            /* GilkRefusal with which the driver refused the hook in the last
                                * run; 0: not refused */
  GilkProgramError program_error;  /* error in the hook's program; line 0: no error */
  gboolean live;
  gboolean counted;            /* the counts below come from a run, and the run counts the hook's
                                * hits */
  uint64_t hits, lost, missed;
  double   rate;
  double   per_second;         /* hits per second while armed in the run; negative: unknown */
  guint    update;             /* number of the last status update that changed more than the
                                * rate */
} GilkHookStatus;

#define GILK_TYPE_PLAN_MODEL (gilk_plan_model_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanModel, gilk_plan_model, GILK, PLAN_MODEL, GObject)

GilkPlanModel  *gilk_plan_model_new  (void);

const GilkPlan *gilk_plan_model_plan (GilkPlanModel *self);
guint           gilk_plan_model_n_hooks (GilkPlanModel *self);
const GilkPlanHook   *gilk_plan_model_hook   (GilkPlanModel *self, guint index);
/* Returns the status of hook @index; never NULL for a valid index. */
const GilkHookStatus *gilk_plan_model_status (GilkPlanModel *self, guint index);
/* Records that the driver refused the hook with label @label; valid until the hook is
 * edited or a run starts. */
void                  gilk_plan_model_set_refusal   (GilkPlanModel *self, const char *label, guint refusal);
void                  gilk_plan_model_clear_refusals (GilkPlanModel *self);
/* Returns the indices of the hooks that are known to be impossible to arm. (transfer full)
 * (element-type guint) */
GArray               *gilk_plan_model_refused_hooks (GilkPlanModel *self);
/* Predicts the plan's cost from the hit counts of the last run or, without a run, from rates that
 * were measured earlier. (transfer full) */
GilkPlanForecast     *gilk_plan_model_forecast (GilkPlanModel *self);
/* Returns the costs per hit and the hit rates that were measured on the current target.
 * (transfer none) (nullable) */
GilkCostHistory         *gilk_plan_model_measured (GilkPlanModel *self);
void                  gilk_plan_model_set_measured (GilkPlanModel *self, GilkCostHistory *measured);
/* Returns whether the last "status-changed" changed the status of hook @index; a new rate alone
 * does not count. */
gboolean              gilk_plan_model_status_changed (GilkPlanModel *self, guint index);
/* Returns the hook's index; -1: no such hook. */
int  gilk_plan_model_find  (GilkPlanModel *self, const char *function, const char *block,
                            uint64_t addr, GilkWhere where);
int  gilk_plan_model_index (GilkPlanModel *self, const char *label);

/* Sets the kernel that the plan was made on, unless the plan names a kernel already. */
void  gilk_plan_model_set_origin (GilkPlanModel *self, const char *release, const char *build_id);
/* Adds @hook (transfer full) and returns its index. */
guint gilk_plan_model_add    (GilkPlanModel *self, GilkPlanHook *hook);
/* Adds a watchpoint; gilk-plan-point.h has the syntax of @text. Returns the index, or -1 with
 * the plan unchanged if @text is invalid. */
int   gilk_plan_model_add_watchpoint (GilkPlanModel *self, const char *text, GError **error);
/* Replaces a watchpoint of the plan by @text. Its label, times, program and position in the plan
 * stay the same. Returns FALSE with @error set if @text is invalid. */
gboolean gilk_plan_model_set_watchpoint (GilkPlanModel *self, guint index, const char *text, GError **error);
void  gilk_plan_model_remove (GilkPlanModel *self, guint index);
/* Each call of gilk_plan_model_add_many() or gilk_plan_model_remove_many() is one undo step. */
/* Adds @hooks (element-type GilkPlanHook); their labels must be unique in the plan. @code:
 * (nullable): program that all of them get */
void  gilk_plan_model_add_many    (GilkPlanModel *self, GPtrArray *hooks, const char *code);
void  gilk_plan_model_remove_many (GilkPlanModel *self, const guint *indices, guint n);
/* Adds a tracepoint or timer if @index is -1, else changes hook @index; gilk-plan-event.h has the
 * syntax of @text. @code: (nullable): program of the hook; NULL: the hook keeps its instrument; a
 * new hook, or one that had a program, gets the instrument "count". Returns FALSE with @error set
 * and the plan unchanged if @text or @code is invalid. */
gboolean gilk_plan_model_put_event (GilkPlanModel *self, int index, const char *text, const char *code, GError **error);
/* Sets the hook's instrument. A watchpoint's instrument is fixed. */
void  gilk_plan_model_set_instrument (GilkPlanModel *self, guint index, const char *instrument);
/* Sets the probe program of a hook with gilk_plan_set_code(). */
void  gilk_plan_model_set_code       (GilkPlanModel *self, guint index, const char *code);
void  gilk_plan_model_set_times      (GilkPlanModel *self, guint index, uint64_t start_ns, uint64_t stop_ns);
/* Sets the times of @n hooks with gilk_plan_set_times(), as one undo step. */
void  gilk_plan_model_set_many_times (GilkPlanModel *self, const guint *indices, const GilkPlanTimes *times, guint n);
/* Returns a copy of the plan in which the hooks @indices have the times @times. The model's plan is
 * unchanged. (transfer full) */
GilkPlan *gilk_plan_model_copy_with_times (GilkPlanModel *self, const guint *indices, const GilkPlanTimes *times, guint n);
/* Sets a parameter of the hook's instrument. @value: (nullable): NULL restores the default */
void  gilk_plan_model_set_param      (GilkPlanModel *self, guint index, const char *name, const char *value);
/* Makes the hook a control hook, which stays armed while other hooks are switched off and on. */
void  gilk_plan_model_set_control    (GilkPlanModel *self, guint index, gboolean control);
/* Sets in which intervals hooks are switched off and on to measure their effect; period 0: hooks
 * are not switched. Does not report conflicts with the rest of the plan;
 * gilk_plan_check_interleave() does. */
void  gilk_plan_model_set_intervals         (GilkPlanModel *self, const GilkPlanInterleave *interleave);
/* Sets the conditions that end a run. @until: conditions in the syntax of gilk-stop-condition.h,
 * already normalised; NULL: none */
void  gilk_plan_model_set_stop_conditions      (GilkPlanModel *self, const char *until);
/* Sets the times of all hooks with gilk_plan_apply_schedule(), and how hooks are
 * switched, as one undo step. */
void  gilk_plan_model_set_schedule   (GilkPlanModel *self, const GilkPlanTimes *times, GilkScheduleKind kind,
                                      gboolean by_function, const GilkPlanInterleave *interleave);
/* Sets the length of the planned run; 0: until stopped. Does not count as an edit. */
void     gilk_plan_model_set_length  (GilkPlanModel *self, uint64_t length_ns);
uint64_t gilk_plan_model_length      (GilkPlanModel *self);
/* Enters times in the syntax of gilk_plan_parse_times(), such as "after writes + 1s" or "+5s";
 * empty: no time. If the user has edited only the start, the stop moves with it. Returns FALSE if
 * the times are invalid. */
gboolean gilk_plan_model_enter_times  (GilkPlanModel *self, guint index, const char *start, const char *stop, GError **error);
/* Sets the initial plan (transfer full) and clears the undo history. */
void  gilk_plan_model_set_initial_plan          (GilkPlanModel *self, GilkPlan *plan);
/* gilk_plan_model_save_history() copies the undo and redo stacks to @history;
 * gilk_plan_model_restore_history() copies them back after the plan was restored. */
void  gilk_plan_model_save_history   (GilkPlanModel *self, GilkPlanHistory *history);
void  gilk_plan_model_restore_history   (GilkPlanModel *self, const GilkPlanHistory *history);
/* Replaces the plan; can be undone. */
void  gilk_plan_model_replace_plan      (GilkPlanModel *self, GilkPlan *plan);

gboolean gilk_plan_model_can_undo (GilkPlanModel *self);
gboolean gilk_plan_model_can_redo (GilkPlanModel *self);
void     gilk_plan_model_undo     (GilkPlanModel *self);
void     gilk_plan_model_redo     (GilkPlanModel *self);

/* Copies the tactic, cost and problem of each hook from @bound; NULL clears all results of
 * binding. */
void gilk_plan_model_set_bound      (GilkPlanModel *self, const GilkBoundPlan *bound);
/* Copies the hooks' counts from @figures, the figures of a run of @bound. The plan's hooks are
 * matched with those of the run by label. */
void gilk_plan_model_update_figures (GilkPlanModel *self, const GilkBoundPlan *bound,
                                     const GilkRunFigures *figures);

/*
 * Autosave of the edited plan, and opening and saving of plan files
 *
 * The plan and its undo history are restored at the next start, even after a crash: each change is
 * written shortly after it was made. Each window of a process has a file of its own in the user's
 * state directory. Worker threads read and write the files.
 *
 * The file from which the plan was opened, or to which it was saved last, is its named file.
 *
 * Signals: "opened" (the plan of gilk_plan_autosave_open() is loaded), "saved" (path), "changed"
 * (the plan's file name, or whether the plan differs from its file), "failed" (GError).
 */

#define GILK_TYPE_PLAN_AUTOSAVE (gilk_plan_autosave_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanAutosave, gilk_plan_autosave, GILK, PLAN_AUTOSAVE, GObject)

GilkPlanAutosave *gilk_plan_autosave_new     (GilkPlanModel *model);
/* Starts writing the last change immediately, before the window closes. The program does not exit
 * until the change is written. */
void              gilk_plan_autosave_flush   (GilkPlanAutosave *self);
/* Restores the autosaved plan, unless the window has another plan by the time it is read. Cannot be
 * undone. */
void              gilk_plan_autosave_restore (GilkPlanAutosave *self);
/* Replaces the plan with the plan in the file at @path. Can be undone. */
void              gilk_plan_autosave_open    (GilkPlanAutosave *self, const char *path);
void              gilk_plan_autosave_save    (GilkPlanAutosave *self, const char *path);
/* Makes the plan one without a named file. The file itself is not changed. */
void              gilk_plan_autosave_detach_file (GilkPlanAutosave *self);
/* Returns the path of the named file; NULL: the plan has none. (transfer none) (nullable) */
const char       *gilk_plan_autosave_file    (GilkPlanAutosave *self);
/* Returns whether the plan differs from its named file; without a named file,
 * whether the plan has hooks. */
gboolean          gilk_plan_autosave_is_modified (GilkPlanAutosave *self);
