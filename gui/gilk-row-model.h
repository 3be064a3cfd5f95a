/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-row-model.h - a flat list of rows for GTK, of which nothing is kept: a row is its number
 *
 * Who derives from it says how many rows there are and what a cell holds when it is looked at, so that the longest
 * list is as cheap as a short one until it is shown.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_ROW_MODEL (gilk_row_model_get_type ())
G_DECLARE_DERIVABLE_TYPE (GilkRowModel, gilk_row_model, GILK, ROW_MODEL, GObject)

/**
 * GilkRowModelClass:
 * @n_columns: of all of its models
 * @column_type: NULL: all are strings
 * @n_rows: that views know of
 * @get_cell: @value is of the column's type
 */
struct _GilkRowModelClass {
  GObjectClass parent_class;

  int   n_columns;
  GType (*column_type) (int column);
  guint (*n_rows)      (GilkRowModel *self);
  void  (*get_cell)    (GilkRowModel *self, guint row, int column, GValue *value);
};

guint gilk_row_model_row      (const GtkTreeIter *iter);
/* To be told when n_rows() counts a new row, counts one no more (the last), or a row's cells are others. */
void  gilk_row_model_inserted (GilkRowModel *self, guint row);
void  gilk_row_model_deleted  (GilkRowModel *self, guint row);
void  gilk_row_model_changed  (GilkRowModel *self, guint row);

G_END_DECLS
