/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-writers-rows.h - tree model of accesses: cells, sorting and search
 *
 * Rows hold only an index; cells, sorting and search use the array that was read.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/samples/gilk-store-writers.h"

G_BEGIN_DECLS

/* Columns, which are sort orders as well. */
typedef enum {
  GILK_WRITERS_BLOCK,
  GILK_WRITERS_COUNT,
  GILK_WRITERS_SHARE,
  GILK_WRITERS_LAST,
  GILK_WRITERS_CONTEXT,
  GILK_WRITERS_PROCESSES,
  GILK_WRITERS_INSN,
  GILK_WRITERS_N_COLUMNS,
} GilkWritersColumn;

typedef struct _GilkWritersRows GilkWritersRows;

GilkWritersRows  *gilk_writers_rows_new     (void);
void              gilk_writers_rows_free    (GilkWritersRows *self);
/* Makes @cell show that column, and a click on its header sort by it. */
void              gilk_writers_rows_set_up  (GilkWritersRows *self, GilkWritersColumn what, GtkTreeViewColumn *column,
                                             GtkCellRenderer *cell);
/* @writers: (transfer full) (nullable) (element-type GilkWriter) */
void              gilk_writers_rows_take    (GilkWritersRows *self, GArray *writers);
/* Searches names, instructions, contexts and processes. "": all rows */
void              gilk_writers_rows_search  (GilkWritersRows *self, const char *text);

GtkTreeModel     *gilk_writers_rows_model   (GilkWritersRows *self);
/* Returns all accesses, regardless of the search; NULL before they are read. */
const GArray     *gilk_writers_rows_all     (GilkWritersRows *self);
/* @iter: of the model. Returns NULL if there is no such row. */
const GilkWriter *gilk_writers_rows_at      (GilkWritersRows *self, GtkTreeIter *iter);
/* Returns the visible accesses in their order, owned by @self. (transfer container) */
GArray           *gilk_writers_rows_in_view (GilkWritersRows *self);

G_END_DECLS
