/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-row-model.h - flat tree model without storage: a row is its index
 *
 * A derived class supplies the number of rows and the content of cells on demand, so that a long
 * list costs no more than a short one until it is shown.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_ROW_MODEL (gilk_row_model_get_type ())
G_DECLARE_DERIVABLE_TYPE (GilkRowModel, gilk_row_model, GILK, ROW_MODEL, GObject)

/**
 * GilkRowModelClass:
 * @n_columns: the same for all instances
 * @column_type: NULL: all columns are strings
 * @n_rows: number of rows announced to views
 * @get_cell: fills @value, which is initialised with the column's type
 */
struct _GilkRowModelClass {
  GObjectClass parent_class;

  int   n_columns;
  GType (*column_type) (int column);
  guint (*n_rows)      (GilkRowModel *self);
  void  (*get_cell)    (GilkRowModel *self, guint row, int column, GValue *value);
};

guint gilk_row_model_row      (const GtkTreeIter *iter);
/* Must be called after n_rows() has grown by a new row, has shrunk by the last row, or a row's
 * cells have changed. */
void  gilk_row_model_inserted (GilkRowModel *self, guint row);
void  gilk_row_model_deleted  (GilkRowModel *self, guint row);
void  gilk_row_model_changed  (GilkRowModel *self, guint row);

G_END_DECLS
