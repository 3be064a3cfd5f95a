/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-model.c - a list of functions as rows for GTK, over an array
 *
 * An iterator is a row's number; columns are the views' affair, which render what gilk_function_model_at() tells.
 */
#include "gui/gilk-function-model.h"

#include <glib/gi18n.h>

#include "core/cfg/gilk-name-match.h"
#include "gui/gilk-text.h"

#define SEEN_FIRST 1000
#define SEEN_MORE   250

struct _GilkFunctionModel {
  GObject     parent_instance;

  GilkFinder *finder;
  GilkFound  *found;         /* either this */
  GArray     *rows;          /* or this: GilkFunctionRow */
  guint       seen;          /* rows that a view knows of */
};

static void tree_model_init (GtkTreeModelIface *iface);

G_DEFINE_TYPE_WITH_CODE (GilkFunctionModel, gilk_function_model, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (GTK_TYPE_TREE_MODEL, tree_model_init))

guint
gilk_function_model_length (GilkFunctionModel *self)
{
  return self->rows != NULL ? self->rows->len : self->found->n_rows;
}

GilkFunctionRow
gilk_function_model_row (GilkFunctionModel *self,
                         guint              index)
{
  GilkFunctionRow row = { 0 };

  if (self->rows != NULL)
    return g_array_index (self->rows, GilkFunctionRow, index);
  row.function = gilk_finder_row (self->finder, self->found->rows[index], &row.name);

  return row;
}

GilkFunctionRow
gilk_function_model_at (GilkFunctionModel *self,
                        const GtkTreeIter *iter)
{
  return gilk_function_model_row (self, GPOINTER_TO_UINT (iter->user_data));
}

int
gilk_function_model_index (GilkFunctionModel  *self,
                           const GilkFunction *function)
{
  for (guint i = 0; i < self->seen; i++)
    if (gilk_function_model_row (self, i).function == function)
      return (int) i;

  return -1;
}

/* ---- GtkTreeModel ---- */

static gboolean
set_iter (GtkTreeModel *model,
          GtkTreeIter  *iter,
          guint         index)
{
  if (index >= GILK_FUNCTION_MODEL (model)->seen)
    return FALSE;
  *iter = (GtkTreeIter) { .stamp = 1, .user_data = GUINT_TO_POINTER (index) };

  return TRUE;
}

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
get_column_type (GtkTreeModel *model,
                 int           column)
{
  return G_TYPE_STRING;
}

static gboolean
get_iter (GtkTreeModel *model,
          GtkTreeIter  *iter,
          GtkTreePath  *path)
{
  return gtk_tree_path_get_depth (path) == 1 && set_iter (model, iter, (guint) gtk_tree_path_get_indices (path)[0]);
}

static GtkTreePath *
get_path (GtkTreeModel *model,
          GtkTreeIter  *iter)
{
  return gtk_tree_path_new_from_indices (GPOINTER_TO_INT (iter->user_data), -1);
}

static void
get_value (GtkTreeModel *model,
           GtkTreeIter  *iter,
           int           column,
           GValue       *value)
{
  g_value_init (value, G_TYPE_STRING);
  g_value_set_static_string (value, gilk_function_model_at (GILK_FUNCTION_MODEL (model), iter).name);
}

static gboolean
iter_next (GtkTreeModel *model,
           GtkTreeIter  *iter)
{
  return set_iter (model, iter, GPOINTER_TO_UINT (iter->user_data) + 1);
}

static gboolean
iter_previous (GtkTreeModel *model,
               GtkTreeIter  *iter)
{
  return GPOINTER_TO_UINT (iter->user_data) > 0 && set_iter (model, iter, GPOINTER_TO_UINT (iter->user_data) - 1);
}

static gboolean
iter_nth_child (GtkTreeModel *model,
                GtkTreeIter  *iter,
                GtkTreeIter  *parent,
                int           n)
{
  return parent == NULL && n >= 0 && set_iter (model, iter, (guint) n);
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
  return iter == NULL ? (int) GILK_FUNCTION_MODEL (model)->seen : 0;
}

static gboolean
iter_parent (GtkTreeModel *model,
             GtkTreeIter  *iter,
             GtkTreeIter  *child)
{
  return FALSE;
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

gboolean
gilk_function_model_grow (GilkFunctionModel *self)
{
  guint end = MIN (self->seen + SEEN_MORE, gilk_function_model_length (self));

  while (self->seen < end)
    {
      g_autoptr(GtkTreePath) path = gtk_tree_path_new_from_indices ((int) self->seen, -1);
      GtkTreeIter iter;

      self->seen++;
      set_iter (GTK_TREE_MODEL (self), &iter, self->seen - 1);
      gtk_tree_model_row_inserted (GTK_TREE_MODEL (self), path, &iter);
    }

  return self->seen < gilk_function_model_length (self);
}

/* ---- object ---- */

static void
gilk_function_model_finalize (GObject *object)
{
  GilkFunctionModel *self = GILK_FUNCTION_MODEL (object);

  gilk_found_free (self->found);
  g_clear_pointer (&self->rows, g_array_unref);
  G_OBJECT_CLASS (gilk_function_model_parent_class)->finalize (object);
}

static void
gilk_function_model_class_init (GilkFunctionModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_function_model_finalize;
}

static void
gilk_function_model_init (GilkFunctionModel *self)
{
}

GilkFunctionModel *
gilk_function_model_new_found (GilkFinder *finder,
                               GilkFound  *found)
{
  GilkFunctionModel *self = g_object_new (GILK_TYPE_FUNCTION_MODEL, NULL);

  self->finder = finder;
  self->found = found;
  self->seen = MIN (found->n_rows, SEEN_FIRST);

  return self;
}

GilkFunctionModel *
gilk_function_model_new_rows (GArray *rows)
{
  GilkFunctionModel *self = g_object_new (GILK_TYPE_FUNCTION_MODEL, NULL);

  self->rows = rows;
  self->seen = rows->len;

  return self;
}

GilkFunctionModel *
gilk_function_model_new_ordered (const GPtrArray *order,
                                 guint            module)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (GilkFunctionRow));

  for (guint i = 0; i < order->len; i++)
    {
      const GilkFunction *function = g_ptr_array_index (order, i);
      GilkFunctionRow row = { function, function->name, 0 };

      if (module == GILK_ANY_MODULE || function->module == module)
        g_array_append_val (rows, row);
    }

  return gilk_function_model_new_rows (rows);
}

/* ---- as text ---- */

static char *
details_of (GilkImage             *image,
            const GilkFunctionRow *row,
            guint                  ordinal)
{
  const GilkFunction *f = row->function;
  g_autofree char *bytes = gilk_text_count (f->hot.end - f->hot.start + f->cold.end - f->cold.start);
  g_autofree char *size = g_strdup_printf (_("%s bytes"), bytes);
  g_autofree char *place = NULL;

  if (row->addr != 0 && row->addr - f->hot.start < f->hot.end - f->hot.start)
    place = g_strdup_printf (" · +0x%" G_GINT64_MODIFIER "x", (guint64) (row->addr - f->hot.start));
  else if (row->addr != 0)
    place = g_strdup_printf (" · .cold+0x%" G_GINT64_MODIFIER "x", (guint64) (row->addr - f->cold.start));
  else if (g_strcmp0 (row->name, f->name) != 0)
    place = g_strdup_printf (" · = %s", f->name);
  else if (ordinal != 0)
    place = g_strdup_printf (" · %" G_GINT64_MODIFIER "x", (guint64) f->hot.start);

  return g_strconcat (gilk_symbols_module (gilk_image_symbols (image), f->module), " · ", size, place, NULL);
}

char *
gilk_function_row_markup (GilkFunctions         *functions,
                          GilkImage             *image,
                          const GilkFunctionRow *row,
                          const char            *typed)
{
  guint ordinal = gilk_functions_ordinal (functions, row->function);
  g_autofree char *details = details_of (image, row, ordinal);
  g_autofree char *quiet = g_markup_escape_text (details, -1);
  g_autofree char *name = ordinal == 0 ? g_strdup (row->name) : g_strdup_printf ("%s@%u", row->name, ordinal);
  g_autofree char *marked = NULL;
  uint64_t matched = 0;
  int score;

  if (!gilk_name_matches (row->name, typed, &score, &matched))
    matched = 0;
  marked = gilk_text_matched (name, matched);

  return g_strdup_printf ("<tt>%s</tt>\n<span size=\"small\" alpha=\"72%%\">%s</span>", marked, quiet);
}
