/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-accesses-rows.h - tree model of accesses: cells, sorting and search
 *
 * Rows hold only an index; cells, sorting and search use the array that was read.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/samples/gilk-store-accesses.h"

G_BEGIN_DECLS

/* Columns of the table; each of them is also a sort order. */
typedef enum {
  GILK_ACCESSES_BLOCK,
  GILK_ACCESSES_COUNT,
  GILK_ACCESSES_SHARE,
  GILK_ACCESSES_LAST,
  GILK_ACCESSES_CONTEXT,
  GILK_ACCESSES_PROCESSES,
  GILK_ACCESSES_INSN,
  GILK_ACCESSES_N_COLUMNS,
} GilkAccessesColumn;

typedef struct _GilkAccessesRows GilkAccessesRows;

GilkAccessesRows *gilk_accesses_rows_new    (void);
void              gilk_accesses_rows_free   (GilkAccessesRows *self);
/* Shows the values of column @what in @cell. A click on the header sorts by that column. */
void              gilk_accesses_rows_set_up (GilkAccessesRows *self, GilkAccessesColumn what, GtkTreeViewColumn *column,
                                             GtkCellRenderer  *cell);
/* Shows @accesses (transfer full) (nullable) (element-type GilkAccessor). */
void              gilk_accesses_rows_set    (GilkAccessesRows *self, GArray *accesses);
/* Searches names, instructions, contexts and processes. "": all rows */
void              gilk_accesses_rows_search (GilkAccessesRows *self, const char *text);

GtkTreeModel       *gilk_accesses_rows_model   (GilkAccessesRows *self);
/* Returns all accesses, regardless of the search; NULL before they are read. */
const GArray       *gilk_accesses_rows_all     (GilkAccessesRows *self);
/* Returns the access in the row @iter; NULL: the row does not exist. */
const GilkAccessor *gilk_accesses_rows_get     (GilkAccessesRows *self, GtkTreeIter *iter);
/* Returns the visible accesses in display order. The accesses are owned by @self.
 * (transfer container) */
GArray             *gilk_accesses_rows_in_view (GilkAccessesRows *self);

G_END_DECLS
