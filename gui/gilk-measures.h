/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-measures.h - what runs measured on the connected target, read from their sessions for the forecast of the plan
 *
 * The run that ended last tells; before the first, the newest session of the user's folder that is of the same kernel
 * and machine. For the main thread; sessions are read by a worker.
 */
#pragma once

#include "gui/gilk-connection.h"
#include "gui/gilk-plan-model.h"
#include "gui/gilk-recorder.h"

G_BEGIN_DECLS

#define GILK_TYPE_MEASURES (gilk_measures_get_type ())
G_DECLARE_FINAL_TYPE (GilkMeasures, gilk_measures, GILK, MEASURES, GObject)

/* Tells @model from now on. */
GilkMeasures *gilk_measures_new (GilkPlanModel *model, GilkConnection *connection, GilkRecorder *recorder,
                                 GSettings *settings);

G_END_DECLS
