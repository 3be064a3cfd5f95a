/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-row-model.c - flat tree model without storage: a row is an index
 */
#include "gui/base/gilk-rows.h"

typedef struct {
  int stamp;
} GilkRowModelPrivate;

static void tree_model_init (GtkTreeModelIface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GilkRowModel, gilk_row_model, G_TYPE_OBJECT,
                                  G_ADD_PRIVATE (GilkRowModel)
                                  G_IMPLEMENT_INTERFACE (GTK_TYPE_TREE_MODEL, tree_model_init))

static guint
get_n_rows (gpointer model)
{
  return GILK_ROW_MODEL_GET_CLASS (model)->n_rows (model);
}

guint
gilk_row_model_row (const GtkTreeIter *iter)
{
  return GPOINTER_TO_UINT (iter->user_data);
}

static gboolean
set_iter (gpointer     model,
          GtkTreeIter *iter,
          gint64       row)
{
  GilkRowModelPrivate *priv = gilk_row_model_get_instance_private (model);
  gboolean is_there = row >= 0 && row < get_n_rows (model);

  *iter = (GtkTreeIter) { .stamp = is_there ? priv->stamp : 0, .user_data = GUINT_TO_POINTER (is_there ? (guint) row : 0) };

  return is_there;
}

/* ---- announcing changed rows ---- */

static void
emit_row (GilkRowModel *self,
          guint         row,
          void        (*func) (GtkTreeModel *, GtkTreePath *, GtkTreeIter *))
{
  g_autoptr(GtkTreePath) path = gtk_tree_path_new_from_indices ((int) row, -1);
  GtkTreeIter iter;

  if (set_iter (self, &iter, row))
    func (GTK_TREE_MODEL (self), path, &iter);
}

void
gilk_row_model_inserted (GilkRowModel *self,
                         guint         row)
{
  emit_row (self, row, gtk_tree_model_row_inserted);
}

void
gilk_row_model_changed (GilkRowModel *self,
                        guint         row)
{
  emit_row (self, row, gtk_tree_model_row_changed);
}

void
gilk_row_model_deleted (GilkRowModel *self,
                        guint         row)
{
  g_autoptr(GtkTreePath) path = gtk_tree_path_new_from_indices ((int) row, -1);

  gtk_tree_model_row_deleted (GTK_TREE_MODEL (self), path);
}

/* ---- GtkTreeModel interface ---- */

static GtkTreeModelFlags
get_flags (GtkTreeModel *model)
{
  return GTK_TREE_MODEL_LIST_ONLY | GTK_TREE_MODEL_ITERS_PERSIST;
}

static int
get_n_columns (GtkTreeModel *model)
{
  return GILK_ROW_MODEL_GET_CLASS (model)->n_columns;
}

static GType
get_column_type (GtkTreeModel *model,
                 int           column)
{
  GilkRowModelClass *klass = GILK_ROW_MODEL_GET_CLASS (model);

  return klass->column_type != NULL ? klass->column_type (column) : G_TYPE_STRING;
}

static gboolean
get_iter (GtkTreeModel *model,
          GtkTreeIter  *iter,
          GtkTreePath  *path)
{
  return set_iter (model, iter, gtk_tree_path_get_depth (path) == 1 ? gtk_tree_path_get_indices (path)[0] : -1);
}

static GtkTreePath *
get_path (GtkTreeModel *model,
          GtkTreeIter  *iter)
{
  return gtk_tree_path_new_from_indices ((int) gilk_row_model_row (iter), -1);
}

static void
get_value (GtkTreeModel *model,
           GtkTreeIter  *iter,
           int           column,
           GValue       *value)
{
  g_value_init (value, get_column_type (model, column));
  GILK_ROW_MODEL_GET_CLASS (model)->get_cell (GILK_ROW_MODEL (model), gilk_row_model_row (iter), column, value);
}

static gboolean
iter_next (GtkTreeModel *model,
           GtkTreeIter  *iter)
{
  return set_iter (model, iter, (gint64) gilk_row_model_row (iter) + 1);
}

static gboolean
iter_previous (GtkTreeModel *model,
               GtkTreeIter  *iter)
{
  return set_iter (model, iter, (gint64) gilk_row_model_row (iter) - 1);
}

static gboolean
iter_nth_child (GtkTreeModel *model,
                GtkTreeIter  *iter,
                GtkTreeIter  *parent,
                int           n)
{
  return set_iter (model, iter, parent == NULL ? n : -1);
}

static gboolean
iter_children (GtkTreeModel *model,
               GtkTreeIter  *iter,
               GtkTreeIter  *parent)
{
  return iter_nth_child (model, iter, parent, 0);
}

static gboolean
iter_has_child (GtkTreeModel *model,
                GtkTreeIter  *iter)
{
  return FALSE;
}

static int
iter_n_children (GtkTreeModel *model,
                 GtkTreeIter  *iter)
{
  return iter == NULL ? (int) get_n_rows (model) : 0;
}

static gboolean
iter_parent (GtkTreeModel *model,
             GtkTreeIter  *iter,
             GtkTreeIter  *child)
{
  return set_iter (model, iter, -1);
}

static void
tree_model_init (GtkTreeModelIface *iface)
{
  iface->get_flags = get_flags;
  iface->get_n_columns = get_n_columns;
  iface->get_column_type = get_column_type;
  iface->get_iter = get_iter;
  iface->get_path = get_path;
  iface->get_value = get_value;
  iface->iter_next = iter_next;
  iface->iter_previous = iter_previous;
  iface->iter_children = iter_children;
  iface->iter_has_child = iter_has_child;
  iface->iter_n_children = iter_n_children;
  iface->iter_nth_child = iter_nth_child;
  iface->iter_parent = iter_parent;
}

/* ---- class and instance initialisation ---- */

static void
gilk_row_model_class_init (GilkRowModelClass *klass)
{
  klass->n_columns = 1;
}

static void
gilk_row_model_init (GilkRowModel *self)
{
  GilkRowModelPrivate *priv = gilk_row_model_get_instance_private (self);

  priv->stamp = g_random_int_range (1, G_MAXINT);
}
