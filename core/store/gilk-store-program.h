/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-program.h - the probe programs of a run, and their maps
 *
 * A program belongs to a hook. The session has the text of the program, as it was run, and its
 * maps (globals, counters, histograms, maps) by name. Values are written during the run and
 * replace earlier values, so that a run that ended abruptly has the latest values.
 *
 * Threads: only the store's thread. On failure outputs are untouched.
 */
#pragma once

#include "core/program/gilk-program.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Stores the program's text and the declarations in @maps, except those of kind GILK_MAP_HIDDEN.
 * @hook: row id; @name: (nullable). */
gboolean gilk_store_add_program (GilkStore *store, gint64 hook, const char *name, const char *code,
                                 const GilkProgramMap *map, guint n_maps, GError **error);

/* A value that a program keeps. @key is the key in a map, the bucket in a histogram, and 0 for
 * globals, counters, and counts of bad values or missed keys. */
typedef struct {
  gint64  key;
  guint   cpu;                        /* CPU of the value; G_MAXUINT: the value is the sum over all
                                       * CPUs */
  gint64  value;
} GilkStoreValue;

/* Returns the name of @kind in sessions and documents, such as "map"; NULL for hidden kinds. */
const char *gilk_stored_map_kind (GilkMapKind kind);

/* Replaces all stored values of @hook's map of this name and kind. Zeros are not stored; values
 * with the same key and CPU are added up. */
gboolean gilk_store_put_map (GilkStore *store, gint64 hook, const char *name, GilkMapKind kind,
                             const GilkStoreValue *values, guint n_values, GError **error);

typedef struct {
  char  *name, *code;
} GilkStoredProgram;

typedef struct {
  char        *name;
  GilkMapKind kind;
  guint        bits;                  /* precision of a histogram, in bits */
  guint        slots;                 /* number of slots of a map; each can hold one key */
  gboolean     is_signed;
  char        *meaning;               /* (nullable): meaning of the keys or buckets */
  char        *unit;                  /* (nullable): unit of the map's values */
  GArray      *values;                /* (element-type GilkStoreValue): sorted by key, then CPU */
  GHashTable  *names;                 /* (nullable): int64 key -> name, for a map */
} GilkStoredMap;

/* A map of a hook, without its values. */
typedef struct {
  gint64       hook;                  /* row id of the hook */
  char        *name;
  GilkMapKind kind;
} GilkStoredMapDecl;

/* Returns the maps of all hooks of @run, without counts of missed keys; sorted by hook, then in
 * order of declaration. (transfer full) (element-type GilkStoredMapDecl) */
GArray            *gilk_store_map_decls   (GilkStore *store, gint64 run, GError **error);
/* Reads the program of a hook. Returns NULL without an error if the hook has none. (transfer
 * full) */
GilkStoredProgram *gilk_store_program (GilkStore *store, const GilkStoredHook *hook, GError **error);
void               gilk_stored_program_free (GilkStoredProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkStoredProgram, gilk_stored_program_free)
/* Returns all maps in order of declaration. (transfer full) (element-type GilkStoredMap) */
GArray            *gilk_store_maps    (GilkStore *store, const GilkStoredHook *hook, GError **error);

G_END_DECLS
