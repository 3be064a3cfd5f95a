/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * false-run.h - starts a run with two stamp hooks on the kernel of a false agent
 */
#pragma once

#include "core/run/gilk-run.h"

/* Starts the run. @store: (transfer none): must stay open until the run has ended */
static inline GilkRun *
false_run_new (const char *spec, GilkStore *store, uint64_t duration_ns, GError **error)
{
  static const char text[] =
    "[gilk-plan]\nversion=1\n[hook a]\nfunction=fn_1\nblock=+0x18\nwhere=pre\ninstrument=stamp\n"
    "[hook b]\nfunction=fn_2\nblock=+0x18\nwhere=pre\ninstrument=stamp\n";
  g_autoptr(GilkTarget) target = gilk_target_open (spec, NULL, NULL, error);
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, sizeof text - 1, "false-run", NULL);
  g_autoptr(GilkFunctions) functions = NULL;
  g_autoptr(GilkImage) image = NULL;
  GilkBoundPlan *bound;

  if (target == NULL || !gilk_target_load_driver (target, NULL, error))
    return NULL;
  image = gilk_image_open (target, NULL, NULL, error);
  if (image == NULL)
    return NULL;
  functions = gilk_functions_new (image);
  bound = gilk_bound_plan_new (plan, functions, image, NULL, NULL, error);
  if (bound == NULL)
    return NULL;

  return gilk_run_new (bound, image, store, duration_ns, GILK_CONSENT_NONE);
}
