/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-maps.h - the maps of a program (globals, counters, histograms, maps), and their layout in
 * its memory areas
 *
 * Maps with one element, such as globals and counters, share two areas: in one, each element is
 * shared by all CPUs; in the other, each CPU has a copy. Each histogram and each map has an area of
 * its own, and so does each element that several hooks share. A map's counter of missed updates is
 * stored after its slots. Keys that are text are hashes, and each slot also has the text itself.
 *
 * Threads: a list belongs to one thread at a time.
 */
#pragma once

#include "core/emit/gilk-ops.h"

G_BEGIN_DECLS

enum { GILK_TEXT_WORDS = 16 };             /* maximum length of text in a key or a field, in words */
/* The hash of texts: for each word, h = (h ^ word) * GILK_TEXT_FACTOR, then h ^= h >> 32. */
#define GILK_TEXT_FACTOR UINT64_C (0x9e3779b97f4a7c15)

typedef enum {
  GILK_MAP_GLOBAL, GILK_MAP_COUNTER, GILK_MAP_HISTOGRAM, GILK_MAP_HASH,
  GILK_MAP_STACKS,          /* an area with the stack traces of the run, each stored once; see
                             * ilk-abi-services.h */
  GILK_MAP_BAD,             /* the program's counter of values that could not be computed ("bad"),
                             * such as failed loads */
  GILK_MAP_HIDDEN,          /* state of the conditions "every", "limit" and "once" */
  GILK_MAP_MISSED,          /* number of updates that were lost because the map of the same name was
                             * full */
} GilkMapKind;

/* The action to take when a program's counter is not 0. */
typedef enum {
  GILK_SIGNAL_NONE,
  GILK_SIGNAL_STOP,          /* ends the run */
  GILK_SIGNAL_NOTIFY,        /* shows the counter's name to the user */
} GilkSignal;

/* A map of a program: a counter, histogram, map or table. Maps are read while the program runs and
 * at the end. */
typedef struct {
  char        *name;
  GilkMapKind kind;
  guint        area;         /* index of the memory area in the program's GilkOps */
  guint        element;      /* index of the map's first element in the area */
  guint        bits;         /* log2 of the number of buckets per octave of a histogram */
  guint        slots;        /* number of slots of a map or table; a table is a map shared by all
                              * CPUs */
  gboolean     is_signed;    /* whether values are signed; for a map with keys: whether keys are
                              * signed */
  gboolean     is_common;    /* all hooks of the run that declare the map share it; it is in an area
                              * of its own */
  guint        words;        /* length of keys that are text, in words of 8 bytes; 0: keys are
                              * numbers */
  gboolean     has_keys;     /* the program has a key of the map; before the first, @words is
                              * undecided */
  const char  *meaning;      /* (nullable), interned: meaning of the keys or bucketed values, see gilk-format.h */
  const char  *unit;         /* (nullable), interned: unit of the values */
  gboolean     has_values;   /* the program has a statement that stores or adds a value; before the
                              * first of them, @unit is undecided */
  GilkSignal   signal;       /* action to take when the counter is not 0 */
  int64_t      initial;      /* initial value of a global; it is added whenever the stored number,
                              * which starts at 0, is read */
} GilkProgramMap;

typedef struct {
  GArray *maps;              /* (element-type GilkProgramMap): the maps, with their names */
  GArray *areas;             /* GilkOpsArea */
  /* indices of the two areas for maps with one element: in area @shared all CPUs share each
   * element, in area @own each CPU has a copy; -1: there is none yet */
  int     shared, own;
} GilkMapList;

GilkMapList *gilk_map_list_new  (void);
void         gilk_map_list_free (GilkMapList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkMapList, gilk_map_list_free)

GilkProgramMap *gilk_map_at   (const GilkMapList *list, guint index);
/**
 * gilk_map_add:
 * @what: the map's kind, bits (of a histogram), slots (of a map), and whether hooks share it
 * @shared: TRUE: one map for all CPUs; FALSE: one per CPU, unless it is too large for that
 * @index: (out): index of the map in @list
 * A map, or an area of stack traces, is followed by its GILK_MAP_MISSED counter.
 * Returns: FALSE if more than GILK_OPS_AREAS areas would be needed
 */
gboolean        gilk_map_add  (GilkMapList *list, const GilkProgramMap *what, const char *name, gboolean shared,
                               guint *index);
/* Gives map @index, which has no keys yet, keys that are text of @words words: makes room for each
 * slot's text after its value, for which the map may have to be shared by all CPUs. Returns: FALSE if the map would be larger than an area can be */
gboolean        gilk_map_set_words (GilkMapList *list, guint index, guint words);
/* Returns the key of a text of @n words, which are 0 after the text's end: a hash by which the map
 * finds it. The texts themselves are stored beside the values. */
int64_t         gilk_map_text_key  (const uint64_t *words, guint n);
/* Returns the number of the map's first element with word @word of texts, indexed by slot. */
guint           gilk_map_text_first (const GilkProgramMap *map, guint word);
/* Returns the number of elements in a histogram's area (a power of two) minus 1. */
guint           gilk_map_mask (guint bits);

G_END_DECLS
