/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-fixture.h - the smallest run that can record samples
 */
#pragma once

#include "core/store/gilk-store-write.h"
#include "core/store/gilk-store.h"

/* Starts and commits a run with one stamp hook of iid 1. Returns the run's id; 0 with @error
 * set. */
static inline gint64
fixture_begin_run (GilkStore *store, GError **error)
{
  const GilkStoreRun run = { .target = "lab", .plan_text = "p", .tsc_khz = 1000000, .n_cpus = 1 };
  const struct ilk_instrument_desc stamp = { .id = 1, .name = "stamp" };
  const GilkStoreHook hook = {
    .iid = 1, .label = "h", .function = "f", .module = "kernel", .block = "+0x0", .where = "pre",
    .instrument = "stamp", .tactic = "splice",
  };
  gint64 id = gilk_store_begin_run (store, &run, error);

  if (id == 0 || !gilk_store_add_instrument (store, id, &stamp, error) ||
      !gilk_store_add_hook (store, id, &hook, NULL, error) || !gilk_store_flush (store, error))
    return 0;

  return id;
}
