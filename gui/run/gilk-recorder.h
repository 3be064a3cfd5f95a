/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recorder.h - one recording, from the Run button to the closed session file
 *
 * Signals: "changed" (state or figures), "failed" (GError), "applied" (number of hooks added to the
 * run and removed from it), "notice" (string), "consent" (GPtrArray of GilkConsentItem: the run or
 * change needs consent and waits for gilk_recorder_answer()), "way-chosen" (string: why the run
 * uses BPF instead of the driver), "ended" (after the file was closed, also after a failure that
 * left data).
 */
#pragma once

#include <gio/gio.h>

#include "core/bind/gilk-consent.h"
#include "core/plan/gilk-plan.h"
#include "core/run/gilk-run.h"
#include "gui/run/gilk-connection.h"

typedef enum {
  GILK_RECORDER_IDLE,
  GILK_RECORDER_PREPARING,     /* the plan is being bound, or the session file opened */
  GILK_RECORDER_RUNNING,       /* hooks are being armed, or the run records */
  GILK_RECORDER_STOPPING,      /* the kernel is being restored, or the session file closed */
} GilkRecorderState;

#define GILK_TYPE_RECORDER (gilk_recorder_get_type ())
G_DECLARE_FINAL_TYPE (GilkRecorder, gilk_recorder, GILK, RECORDER, GObject)

GilkRecorder *gilk_recorder_new   (void);
/* Starts a run of @plan (copied). @duration_ns: length of the run; 0: until stopped. Does nothing
 * unless the state is IDLE. */
void          gilk_recorder_start (GilkRecorder *self, GilkConnection *connection,
                                   const GilkPlan *plan, const char *path, uint64_t duration_ns);
/* Answers the signal "consent". If @granted is GILK_CONSENT_NONE, the run is not started, or
 * continues unchanged. */
void          gilk_recorder_answer (GilkRecorder *self, GilkConsent granted);
void          gilk_recorder_stop  (GilkRecorder *self);
/* Applies @plan, which is copied, to the running recording. "applied" or "failed" follows; after
 * "failed" the run continues unchanged. Does nothing unless gilk_recorder_may_change() returns
 * TRUE. */
void          gilk_recorder_change     (GilkRecorder *self, GilkConnection *connection,
                                        const GilkPlan *plan);
/* Returns whether hooks are armed and no other change is in progress. */
gboolean      gilk_recorder_may_change (GilkRecorder *self);
gboolean      gilk_recorder_is_changing   (GilkRecorder *self);

GilkRecorderState     gilk_recorder_state   (GilkRecorder *self);
/* Returns the latest counts (hits, samples, losses) of the current or last run; NULL before the
 * first ones have arrived. */
const GilkRunFigures *gilk_recorder_figures (GilkRecorder *self);
/* Describes the hits and samples of the run, such as "1,204 hits · 80 samples". Must not be called
 * while gilk_recorder_figures() returns NULL. (transfer full) */
char                 *gilk_recorder_describe_counts (GilkRecorder *self);
/* Returns the bound plan; NULL during a change, because another thread owns the plan then. */
const GilkBoundPlan  *gilk_recorder_bound   (GilkRecorder *self);
/* Returns sentences about what other clients did to the hooks of the finished run; NULL: they did
 * nothing. */
const char           *gilk_recorder_interference (GilkRecorder *self);
/* Number of sample fields whose values a run summarises from its start. Other fields are summarised
 * once they are requested. */
#define GILK_RECORDER_SKETCHED_FIELDS 64
/* Returns the summary of a field, see gilk_run_sketch(). If the field is not summarised yet, the
 * first call starts to do so. (transfer full) (nullable) */
GilkSketch   *gilk_recorder_sketch     (GilkRecorder *self, guint hook, const struct ilk_field *field,
                                        GilkValueHistory **history);
/* Returns the status of the run's stop conditions, see gilk_run_condition_status().
 * (transfer full) (nullable) */
char         *gilk_recorder_stop_conditions (GilkRecorder *self);
/* Returns the driver's refusal of a hook of the finished run, see gilk_run_refusal(). */
guint         gilk_recorder_refusal (GilkRecorder *self, guint hook);
/* Returns the error that made the run fail; NULL: none. */
const GError *gilk_recorder_error   (GilkRecorder *self);
/* Returns why the run ended, see gilk_run_end_reason(). */
const char   *gilk_recorder_end_reason   (GilkRecorder *self);
const char   *gilk_recorder_path    (GilkRecorder *self);

/*
 * Shell commands equivalent to actions of the workbench
 *
 * Paths are absolute and the target is named, so that commands work in any directory.
 */

/* Returns the shell command that records a run. @way: way to hook the kernel; the command has an
 * option for it only if it is BPF. @length: length of the run as typed; "": until stopped.
 * @session: (nullable): NULL: the session is named after the plan. (transfer full) */
char *gilk_run_command           (const char *plan, const char *target, enum gilk_way way, const char *length,
                                  const char *session);
/* Returns the shell command that records a run on several targets. @partial: run on those targets
 * that are available, even if others are not (transfer full) */
char *gilk_fleet_command         (const char *plan, char *const *targets, const char *length, gboolean partial, const char *session);
/* Returns the command that starts the workbench at @function (nullable). (transfer full) */
char *gilk_workbench_command     (const char *target, const char *function);
/* Writes @plan to the user's data directory for later use by commands; equal plans get equal names.
 * Returns its path. (transfer full) */
char *gilk_run_command_save_plan (GilkPlan *plan, GError **error);
