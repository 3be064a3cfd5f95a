/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recorder.h - one recording from the Run button to the closed session file
 *
 * Signals: "changed" (state or figures), "failed" (GError), "applied" (number of hooks
 * added to the run and taken from it), "consent" (GPtrArray of GilkConsentItem: what is about to run needs it, and waits for
 * gilk_recorder_answer()), "ended" (after the file was closed, also after a
 * failure that left data).
 */
#pragma once

#include "core/run/gilk-consent.h"
#include "core/run/gilk-run.h"
#include "gui/gilk-connection.h"

G_BEGIN_DECLS

typedef enum {
  GILK_RECORDER_IDLE,
  GILK_RECORDER_PREPARING,     /* binding the plan, opening the file */
  GILK_RECORDER_RUNNING,       /* arming or recording */
  GILK_RECORDER_STOPPING,      /* putting the kernel back, closing the file */
} GilkRecorderState;

#define GILK_TYPE_RECORDER (gilk_recorder_get_type ())
G_DECLARE_FINAL_TYPE (GilkRecorder, gilk_recorder, GILK, RECORDER, GObject)

GilkRecorder *gilk_recorder_new   (void);
/* @plan is copied; @duration_ns 0: until stopped. Ignored unless idle. */
void          gilk_recorder_start (GilkRecorder *self, GilkConnection *connection,
                                   const GilkPlan *plan, const char *path, uint64_t duration_ns);
/* @granted NONE: nothing runs, or the run goes on as before. */
void          gilk_recorder_answer (GilkRecorder *self, GilkConsent granted);
void          gilk_recorder_stop  (GilkRecorder *self);
/* Has the run go by @plan, which is copied; "applied" or "failed" follows, and after the
 * latter it goes on as before. Ignored unless gilk_recorder_may_change(). */
void          gilk_recorder_change     (GilkRecorder *self, GilkConnection *connection,
                                        const GilkPlan *plan);
/* Hooks are armed, and no other change is under way. */
gboolean      gilk_recorder_may_change (GilkRecorder *self);
gboolean      gilk_recorder_changing   (GilkRecorder *self);

GilkRecorderState      gilk_recorder_state   (GilkRecorder *self);
/* Figures of the run, those of its end afterwards; NULL before the first. */
const GilkRunFigures  *gilk_recorder_figures (GilkRecorder *self);
/* NULL while it is being changed, which is done by another thread. */
const GilkBoundPlan   *gilk_recorder_bound   (GilkRecorder *self);
/* What others did to the hooks of the run that ended, in sentences; NULL if nothing. */
const char            *gilk_recorder_cut_short (GilkRecorder *self);
/* Of that many fields of its hooks' samples it is known what came, before any other is asked for. */
#define GILK_RECORDER_MEASURES 64
/* What came of one, as gilk_run_sketch() has it; one that is not summed up is from now on. (transfer full) (nullable) */
GilkSketch            *gilk_recorder_sketch     (GilkRecorder *self, guint hook, const struct ilk_field *field,
                                                 GilkValueHistory **history);
/* How conditions stand that end the run, as gilk_run_tell_until() has it. (transfer full) (nullable) */
char                  *gilk_recorder_tell_until (GilkRecorder *self);
/* What the driver refused a hook of the run that ended by, as gilk_run_refusal() has it. */
guint                  gilk_recorder_refusal (GilkRecorder *self, guint hook);
/* What the run failed by; NULL: it did not. */
const GError          *gilk_recorder_error   (GilkRecorder *self);
/* Why it ended, as gilk_run_ended() has it. */
const char            *gilk_recorder_ended   (GilkRecorder *self);
const char            *gilk_recorder_path    (GilkRecorder *self);

G_END_DECLS
