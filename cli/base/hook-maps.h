/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hook-maps.h - reads the maps of a run's programs
 */
#pragma once

#include "cli/base/session.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"

G_BEGIN_DECLS

/* A hook that ran a program, with the program's maps. */
typedef struct {
  const GilkStoredHook *hook;         /* the hook; owned by the session */
  GilkStoredProgram    *program;
  GArray               *maps;         /* GilkStoredMap */
  GilkStoredNames      *names;        /* names of keys and stacks, stored with the run */
} CliHookMaps;

/* A map of a hook. All pointers are borrowed. */
typedef struct {
  const CliHookMaps        *hook_maps;
  const GilkStoredMap *stored;
} CliMap;

/* Reads the maps of hooks with labels in @hooks (NULL: all), in order of the hooks. (transfer full)
 * (element-type CliHookMaps) */
GArray *cli_maps_read (const CliSession *session, char *const *hooks, GError **error);
/* Returns the element of @all for @hook; NULL if @hook ran no program. */
const CliHookMaps *cli_maps_of_hook (const GArray *all, const GilkStoredHook *hook);
/* Returns the maps called @name, without their counters of missed keys. If no map has this name,
 * returns NULL with an error that lists all names. (transfer full) (element-type CliMap) */
GArray *cli_maps_find (const GArray *all, const char *name, GError **error);

/* Sets @count to the sum of all entries of @kind, such as the number of bad accesses, or the number
 * of keys that did not fit into maps. Returns FALSE if no such entry exists. */
gboolean cli_maps_sum (const CliHookMaps *hook_maps, GilkMapKind kind, uint64_t *count);

G_END_DECLS
