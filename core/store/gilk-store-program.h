/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-program.h - the probe programs of a run, and what they kept
 *
 * A program is a hook's: its text as it was run, and what it keeps between hits by name. Values are written
 * while the run goes on, each time instead of those before, so that a run that was cut off has the last ones.
 *
 * Threads: that of the store. On failure outputs are untouched.
 */
#pragma once

#include "core/program/gilk-program.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Its text and all that @kept tells of it but GILK_KEPT_HIDDEN. @hook: the row's id; @name: (nullable). */
gboolean gilk_store_add_program (GilkStore *store, gint64 hook, const char *name, const char *code,
                                 const GilkKept *kept, guint n_kept, GError **error);

/* One number: of a global, a counter, what was bad or missed key is 0; of a histogram the bucket; of a map the key. */
typedef struct {
  gint64  key;
  guint   cpu;                        /* G_MAXUINT: of all CPUs */
  gint64  value;
} GilkStoreValue;

/* "map": as the session and documents have it. NULL: of what is hidden. */
const char *gilk_stored_kept_kind (GilkKeptKind kind);

/* Of @hook's kept thing of that name and kind: those that are not 0, instead of what was there. What is of one key
 * and CPU is added up. */
gboolean gilk_store_put_kept (GilkStore *store, gint64 hook, const char *name, GilkKeptKind kind,
                              const GilkStoreValue *values, guint n_values, GError **error);

typedef struct {
  char  *name, *code;
} GilkStoredProgram;

typedef struct {
  char        *name;
  GilkKeptKind kind;
  guint        bits;                  /* of a histogram */
  guint        slots;                 /* of a map */
  gboolean     is_signed;
  char        *meaning;               /* (nullable) of a map's keys, or a histogram's values, gilk-store-names.h */
  char        *unit;                  /* (nullable) of the values of a counter, a global or a map */
  GArray      *values;                /* GilkStoreValue, by key, then CPU */
  GHashTable  *names;                 /* (nullable) int64 -> text: what a map's keys are called */
} GilkStoredKept;

/* What a hook of a run keeps, by its name alone. */
typedef struct {
  gint64       hook;                  /* its id */
  char        *name;
  GilkKeptKind kind;
} GilkStoredKeep;

/* Of all hooks of @run, but what maps missed. (transfer full) (element-type GilkStoredKeep), by hook, in the order of
 * their declaration */
GArray            *gilk_store_keeps   (GilkStore *store, gint64 run, GError **error);
/* NULL without an error: the hook has none. (transfer full) */
GilkStoredProgram *gilk_store_program (GilkStore *store, const GilkStoredHook *hook, GError **error);
void               gilk_stored_program_free (GilkStoredProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkStoredProgram, gilk_stored_program_free)
/* (transfer full) (element-type GilkStoredKept), in the order of their declaration */
GArray            *gilk_store_kept    (GilkStore *store, const GilkStoredHook *hook, GError **error);

G_END_DECLS
