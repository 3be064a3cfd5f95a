/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-list.c - numbers of hooks as the rows of a GtkTreeModel
 *
 * An iter holds the row's number, and nothing else.
 */
#include "gui/gilk-plan-list.h"

struct _GilkPlanList {
  GObject  parent_instance;

  GArray  *hooks;               /* guint */
  int      stamp;
};

static void gilk_plan_list_model_init (GtkTreeModelIface *iface);

G_DEFINE_TYPE_WITH_CODE (GilkPlanList, gilk_plan_list, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (GTK_TYPE_TREE_MODEL, gilk_plan_list_model_init))

static gboolean
set_iter (GilkPlanList *self, GtkTreeIter *iter, int row)
{
  if (row < 0 || row >= (int) self->hooks->len)
    {
      iter->stamp = 0;
      return FALSE;
    }
  iter->stamp = self->stamp;
  iter->user_data = GINT_TO_POINTER (row);

  return TRUE;
}

static int
row_of (const GtkTreeIter *iter)
{
  return GPOINTER_TO_INT (iter->user_data);
}

guint
gilk_plan_list_length (GilkPlanList *self)
{
  return self->hooks->len;
}

guint
gilk_plan_list_hook (GilkPlanList *self,
                     guint         row)
{
  return g_array_index (self->hooks, guint, row);
}

void
gilk_plan_list_take (GilkPlanList *self,
                     const GArray *hooks,
                     guint         most)
{
  guint had = self->hooks->len;

  for (guint row = had; row > hooks->len; row--)
    {
      g_autoptr(GtkTreePath) path = gtk_tree_path_new_from_indices ((int) row - 1, -1);

      g_array_set_size (self->hooks, row - 1);
      gtk_tree_model_row_deleted (GTK_TREE_MODEL (self), path);
    }
  for (guint row = 0; row < MIN (had, hooks->len); row++)
    g_array_index (self->hooks, guint, row) = g_array_index (hooks, guint, row);
  for (guint row = had; row < MIN (hooks->len, had + most); row++)
    {
      g_autoptr(GtkTreePath) path = gtk_tree_path_new_from_indices ((int) row, -1);
      GtkTreeIter iter;

      g_array_append_val (self->hooks, g_array_index (hooks, guint, row));
      set_iter (self, &iter, (int) row);
      gtk_tree_model_row_inserted (GTK_TREE_MODEL (self), path, &iter);
    }
}

/* ---- GtkTreeModel ---- */

static GtkTreeModelFlags
get_flags (GtkTreeModel *model)
{
  return GTK_TREE_MODEL_LIST_ONLY | GTK_TREE_MODEL_ITERS_PERSIST;
}

static int
get_n_columns (GtkTreeModel *model)
{
  return 1;
}

static GType
get_column_type (GtkTreeModel *model, int column)
{
  return G_TYPE_UINT;
}

static gboolean
get_iter (GtkTreeModel *model, GtkTreeIter *iter, GtkTreePath *path)
{
  return set_iter (GILK_PLAN_LIST (model), iter, gtk_tree_path_get_indices (path)[0]);
}

static GtkTreePath *
get_path (GtkTreeModel *model, GtkTreeIter *iter)
{
  return gtk_tree_path_new_from_indices (row_of (iter), -1);
}

static void
get_value (GtkTreeModel *model, GtkTreeIter *iter, int column, GValue *value)
{
  g_value_init (value, G_TYPE_UINT);
  g_value_set_uint (value, gilk_plan_list_hook (GILK_PLAN_LIST (model), (guint) row_of (iter)));
}

static gboolean
iter_next (GtkTreeModel *model, GtkTreeIter *iter)
{
  return set_iter (GILK_PLAN_LIST (model), iter, row_of (iter) + 1);
}

static gboolean
iter_previous (GtkTreeModel *model, GtkTreeIter *iter)
{
  return set_iter (GILK_PLAN_LIST (model), iter, row_of (iter) - 1);
}

static gboolean
iter_nth_child (GtkTreeModel *model, GtkTreeIter *iter, GtkTreeIter *parent, int n)
{
  if (parent == NULL)
    return set_iter (GILK_PLAN_LIST (model), iter, n);
  iter->stamp = 0;

  return FALSE;
}

static gboolean
iter_children (GtkTreeModel *model, GtkTreeIter *iter, GtkTreeIter *parent)
{
  return iter_nth_child (model, iter, parent, 0);
}

static gboolean
iter_has_child (GtkTreeModel *model, GtkTreeIter *iter)
{
  return FALSE;
}

static int
iter_n_children (GtkTreeModel *model, GtkTreeIter *iter)
{
  return iter == NULL ? (int) GILK_PLAN_LIST (model)->hooks->len : 0;
}

static gboolean
iter_parent (GtkTreeModel *model, GtkTreeIter *iter, GtkTreeIter *child)
{
  iter->stamp = 0;

  return FALSE;
}

static void
gilk_plan_list_model_init (GtkTreeModelIface *iface)
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

static void
gilk_plan_list_finalize (GObject *object)
{
  g_array_unref (GILK_PLAN_LIST (object)->hooks);
  G_OBJECT_CLASS (gilk_plan_list_parent_class)->finalize (object);
}

static void
gilk_plan_list_class_init (GilkPlanListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_plan_list_finalize;
}

static void
gilk_plan_list_init (GilkPlanList *self)
{
  self->stamp = g_random_int_range (1, G_MAXINT);
}

GilkPlanList *
gilk_plan_list_new (GArray *hooks)
{
  GilkPlanList *self = g_object_new (GILK_TYPE_PLAN_LIST, NULL);

  self->hooks = hooks;

  return self;
}
