/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-maps.h - the maps of a program (globals, counters, histograms, maps), and their places in
 * its memory areas
 *
 * Single elements share two areas: one for all CPUs and one per CPU. Each histogram, each map and
 * each element common to several hooks has an area of its own. A map's counter of missed updates
 * follows its slots.
 *
 * Threads: a list belongs to one thread at a time.
 */
#pragma once

#include "core/emit/gilk-ops.h"

G_BEGIN_DECLS

typedef enum {
  GILK_MAP_GLOBAL, GILK_MAP_COUNTER, GILK_MAP_HISTOGRAM, GILK_MAP_HASH,
  GILK_MAP_STACKS,          /* stack traces of the run, each stored once: ilk-abi-services.h */
  GILK_MAP_BAD,             /* the counter of bad values */
  GILK_MAP_HIDDEN,          /* state of every, limit, once */
  GILK_MAP_MISSED,          /* updates that found no room in the map of that name */
} GilkMapKind;

/* The action that a program's counter asks for. */
typedef enum {
  GILK_SIGNAL_NONE,
  GILK_SIGNAL_STOP,          /* end the run */
  GILK_SIGNAL_NOTIFY,        /* show its name to the user */
} GilkSignal;

/* A map of a program (counter, histogram, map, table), read while it runs and at the end. */
typedef struct {
  char        *name;
  GilkMapKind kind;
  guint        area;         /* index in the program's GilkOps */
  guint        element;      /* its first element in the area */
  guint        bits;         /* of a histogram */
  guint        slots;        /* of a map or a table; a table is a map for all CPUs */
  gboolean     is_signed;    /* whether its values, or a map's keys, are signed */
  gboolean     is_common;    /* shared by all hooks of the run that declare it, in an area of its own */
  const char  *meaning;      /* (nullable), interned: of a map's keys or a histogram's values, gilk-meaning.h */
  const char  *unit;         /* (nullable), interned: of the values of a counter, a global or a map */
  gboolean     has_values;   /* the program adds to it or sets it */
  GilkSignal   signal;       /* of a counter: what to do once it is not 0 */
  int64_t      initial;      /* of a global: its value is the element, which starts as 0, plus this */
} GilkProgramMap;

typedef struct {
  GArray *maps;              /* GilkProgramMap; owns the names */
  GArray *areas;             /* GilkOpsArea */
  int     shared, own;       /* areas for single elements, all CPUs and per CPU; -1: none yet */
} GilkMapList;

GilkMapList *gilk_map_list_new  (void);
void         gilk_map_list_free (GilkMapList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkMapList, gilk_map_list_free)

GilkProgramMap *gilk_map_at   (const GilkMapList *list, guint index);
/**
 * gilk_map_add:
 * @what: its kind; the bits of a histogram, the slots of a map; whether it is common to hooks
 * @shared: one for all CPUs; FALSE: one per CPU
 * @index: (out): its index in @list
 * A map, or stacks, is followed by its GILK_MAP_MISSED counter.
 * Returns: FALSE if more than GILK_OPS_AREAS areas would be needed
 */
gboolean        gilk_map_add  (GilkMapList *list, const GilkProgramMap *what, const char *name, gboolean shared,
                               guint *index);
/* Returns the number of elements in the area of a histogram, a power of two, minus 1. */
guint           gilk_map_mask (guint bits);

G_END_DECLS
