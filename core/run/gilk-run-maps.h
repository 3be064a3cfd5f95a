/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-maps.h - copies the maps of programs from the kernel into the session
 *
 * Threads: only the run's thread.
 */
#pragma once

#include "core/run/gilk-run-rows.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

typedef struct {
  GilkTarget        *target;      /* (unowned) */
  GilkRunSession    *session;     /* (unowned) */
  const GilkRunRows *rows;        /* (unowned) */
  GByteArray        *read;        /* programs' areas, row by row, as last read; NULL: never read */
  GByteArray        *stored;      /* areas as last stored; NULL: not stored yet */
} GilkRunMaps;

void     gilk_run_maps_clear (GilkRunMaps *maps);
gboolean gilk_run_maps_read  (GilkRunMaps *maps, GError **error);
/* Stores the maps as last read. */
gboolean gilk_run_maps_store (GilkRunMaps *maps, GError **error);
/* Sets each row's number of failed reads and computations, from the maps as last read. */
void     gilk_run_maps_sum_failed_reads (const GilkRunMaps *maps, GilkHookFigures *figures);

G_END_DECLS
