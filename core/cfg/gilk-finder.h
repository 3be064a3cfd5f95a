/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-finder.h - all functions that fit what is typed, best first, at each key stroke
 *
 * Made once of a table of functions, on first use, which takes some tens of milliseconds: who must not wait asks for it
 * off the main thread. Other names of a function are found like its first.
 *
 * Threads: any; immutable.
 */
#pragma once

#include "core/cfg/gilk-function.h"

G_BEGIN_DECLS

typedef struct _GilkFinder GilkFinder;

/* Of @functions, as long as they are there. (transfer none) */
GilkFinder *gilk_functions_finder (GilkFunctions *functions);

#define GILK_FINDER_MARKS 8
#define GILK_ANY_MODULE   G_MAXUINT

typedef struct {
  const char    *typed;      /* as gilk_functions_find() takes it */
  const uint8_t *marks;      /* (nullable): bits for each function, as the caller has them */
  uint8_t        wanted;     /* only those with all of these */
  guint          module;     /* only of this one, or GILK_ANY_MODULE */
} GilkFinderQuery;

typedef struct {
  guint        *rows;
  guint         n_rows;
  guint         n_marked[GILK_FINDER_MARKS];   /* of the module, that fit what is typed and have bit i */
  guint         n_fit;                         /* of the module, whatever their marks */
} GilkFound;

/* Best first, equal ones by name, labels of assembly (".slow") last. (transfer full) */
GilkFound *gilk_finder_find (GilkFinder *finder, const GilkFinderQuery *query);
/* What a row is of; @name: (out) (nullable): that fits, the function's own or another of it. */
const GilkFunction *gilk_finder_row (GilkFinder *finder, guint row, const char **name);
void       gilk_found_free  (GilkFound *found);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFound, gilk_found_free)

G_END_DECLS
