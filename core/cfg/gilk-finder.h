/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-finder.h - searches for functions at each keystroke, and ranks the results
 *
 * A finder is built from the table of functions on first use. This takes some tens of milliseconds,
 * so the first call should be outside the main thread. Aliases are found, too.
 *
 * Threads: any; immutable.
 */
#pragma once

#include "core/cfg/gilk-function.h"

G_BEGIN_DECLS

typedef struct _GilkFinder GilkFinder;

/* Returns the finder of @functions. It lives as long as @functions. (transfer none) */
GilkFinder *gilk_functions_finder (GilkFunctions *functions);

#define GILK_FINDER_MARKS 8
#define GILK_ANY_MODULE   G_MAXUINT

typedef struct {
  const char    *typed;      /* pattern, same as in gilk_functions_find() */
  const uint8_t *marks;      /* (nullable): 8 flags for each function, defined by the caller */
  uint8_t        wanted;     /* flags that a function must have */
  guint          module;     /* index of the only module to search, or GILK_ANY_MODULE */
} GilkFinderQuery;

typedef struct {
  guint        *rows;
  guint         n_rows;
  guint         n_marked[GILK_FINDER_MARKS];   /* number of matching functions in the module that
                                                * have flag i */
  guint         n_fit;                         /* number of matching functions in the module,
                                                * whatever their flags */
} GilkFound;

/* Returns the results sorted by score, best first, then by name, with labels of assembly code
 * (".slow") last. (transfer full) */
GilkFound *gilk_finder_find (GilkFinder *finder, const GilkFinderQuery *query);
/* Returns the function in row @row of the results. @name: (out) (nullable): the name that matched,
 * the function's own or an alias */
const GilkFunction *gilk_finder_row (GilkFinder *finder, guint row, const char **name);
void       gilk_found_free  (GilkFound *found);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFound, gilk_found_free)

G_END_DECLS
