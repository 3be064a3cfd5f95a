/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-measures.h - measured costs of earlier runs on the connected target, for the forecast of the
 * plan
 *
 * They come from the last run, or before the first one from the newest session in the user's folder
 * with the same kernel and machine. For the main thread; sessions are read in a worker thread.
 */
#pragma once

#include "gui/gilk-connection.h"
#include "gui/gilk-plan-model.h"
#include "gui/gilk-recorder.h"

G_BEGIN_DECLS

#define GILK_TYPE_MEASURES (gilk_measures_get_type ())
G_DECLARE_FINAL_TYPE (GilkMeasures, gilk_measures, GILK, MEASURES, GObject)

/* Loads costs into @model from now on. */
GilkMeasures *gilk_measures_new (GilkPlanModel *model, GilkConnection *connection, GilkRecorder *recorder,
                                 GSettings *settings);

G_END_DECLS
