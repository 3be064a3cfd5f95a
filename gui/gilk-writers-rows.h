/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-writers-rows.h - writers as rows of a table: their cells, orders, and those searched for
 *
 * Rows hold a number and no more; cells, order and search ask the array that was read.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/store/gilk-store-writers.h"

G_BEGIN_DECLS

/* Columns, which are orders too. */
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
/* @cell shows that column of the rows, and a click of its head orders them. */
void              gilk_writers_rows_set_up  (GilkWritersRows *self, GilkWritersColumn what, GtkTreeViewColumn *column,
                                             GtkCellRenderer *cell);
/* @writers: (transfer full) (nullable) (element-type GilkWriter) */
void              gilk_writers_rows_take    (GilkWritersRows *self, GArray *writers);
/* In the name, the instruction, contexts or processes. "": all */
void              gilk_writers_rows_search  (GilkWritersRows *self, const char *text);

GtkTreeModel     *gilk_writers_rows_model   (GilkWritersRows *self);
/* All of them, whatever is searched for; NULL before there are any. */
const GArray     *gilk_writers_rows_all     (GilkWritersRows *self);
/* @iter: of the model; NULL: no row is there */
const GilkWriter *gilk_writers_rows_at      (GilkWritersRows *self, GtkTreeIter *iter);
/* Those that are not hidden, in their order; they stay the rows'. (transfer container) */
GArray           *gilk_writers_rows_in_view (GilkWritersRows *self);

G_END_DECLS
