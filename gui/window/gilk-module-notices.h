/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-module-notices.h - reports modules that are loaded or unloaded while the window shows their
 * kernel
 *
 * An unloaded module is reported only if it concerns the plan or the graph. A loaded module is
 * always reported, because its functions are not in the list of functions yet. The messages have
 * the owner "modules". After a change, the plan is bound again, and the graph is loaded again if
 * the module of its function was unloaded or loaded: functions of an unloaded module cannot be
 * hooked.
 */
#pragma once

#include "gui/plan/gilk-plan-binder.h"
#include "gui/run/gilk-target-poll.h"
#include "gui/window/gilk-navigator.h"

#define GILK_TYPE_MODULE_NOTICES (gilk_module_notices_get_type ())
G_DECLARE_FINAL_TYPE (GilkModuleNotices, gilk_module_notices, GILK, MODULE_NOTICES, GObject)

GilkModuleNotices *gilk_module_notices_new (GilkPlanModel *model, GilkConnection *connection, GilkTargetPoll *poll,
                                            GilkNavigator *navigator, GilkPlanBinder *binder, GilkBanner *banner);
