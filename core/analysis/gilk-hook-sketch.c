/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-sketch.c - gets the distribution of a hook's numbers from sketches, without reading the
 * numbers
 */
#include "core/analysis/gilk-hook-samples.h"

#include "core/analysis/gilk-hook-samples.h"
#include "core/samples/gilk-samples-tiles.h"

#define MANY      200000          /* minimum number of samples for which sketches are used; reading
                                   * fewer is as fast */
#define READ_MOST 1000000         /* maximum number of samples to read without a sketch */

GilkSketch *
gilk_hook_sketch (GilkStore            *store,
                  const GilkStoredHook *hook,
                  const GilkHookAsk    *ask,
                  GError              **error)
{
  gboolean is_time = gilk_field_kind (ask->field) != GILK_FIELD_OWN;

  if (hook->stored < MANY || ask->condition != NULL || is_time)
    return NULL;

  return gilk_samples_sketch (store, hook, ask->field, gilk_hook_ask_ns (ask->from, G_MININT64),
                              gilk_hook_ask_ns (ask->to, G_MAXINT64), READ_MOST, error);
}
