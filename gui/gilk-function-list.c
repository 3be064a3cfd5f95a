/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-list.c - all functions of the kernel, narrowed by what is typed
 *
 * Matching 60 000 names takes some milliseconds, so it is done at each key
 * stroke over all of them; only the best are put into the list.
 */
#include "gui/gilk-function-list.h"

#include <glib/gi18n.h>

#include "gui/gilk-text.h"

#define SHOWN_MAX 1000

struct _GilkFunctionList {
  GtkBox              parent_instance;

  GilkImage          *image;
  GilkFunctions      *functions;
  char               *pattern;
  const GilkFunction *current;

  /* Template objects */
  GtkStack           *stack;
  GtkTreeView        *tree;
  GtkTreeViewColumn  *name_column, *size_column;
  GtkLabel           *footer;
  GtkListStore       *store;
};

G_DEFINE_TYPE (GilkFunctionList, gilk_function_list, GTK_TYPE_BOX)

enum { COLUMN_FUNCTION, COLUMN_MATCHED, N_COLUMNS };
enum { ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const GilkFunction *
row_function (GtkTreeModel *model,
              GtkTreeIter  *iter,
              uint64_t     *matched)
{
  gpointer function;
  guint64 bits;

  gtk_tree_model_get (model, iter, COLUMN_FUNCTION, &function, COLUMN_MATCHED, &bits, -1);
  if (matched != NULL)
    *matched = bits;

  return function;
}

static char *
name_markup (const char *name,
             uint64_t    matched,
             const char *module)
{
  g_autofree char *markup = gilk_text_matched (name, matched);
  g_autofree char *escaped = module != NULL ? g_markup_printf_escaped ("  <small><i>%s</i></small>", module) : NULL;

  return g_strconcat (markup, escaped, NULL);
}

static void
render_name (GtkTreeViewColumn *column,
             GtkCellRenderer   *cell,
             GtkTreeModel      *model,
             GtkTreeIter       *iter,
             gpointer           user_data)
{
  GilkFunctionList *self = user_data;
  uint64_t matched;
  const GilkFunction *function = row_function (model, iter, &matched);
  const char *module = function->module == 0 ? NULL
                       : gilk_symbols_module (gilk_image_symbols (self->image), function->module);
  guint ordinal = gilk_functions_ordinal (self->functions, function);
  g_autofree char *name = ordinal == 0 ? g_strdup (function->name)
                                       : g_strdup_printf ("%s@%u", function->name, ordinal);
  g_autofree char *markup = name_markup (name, matched, module);

  g_object_set (cell, "markup", markup, "sensitive", function->refusal == 0, NULL);
}

static void
render_size (GtkTreeViewColumn *column,
             GtkCellRenderer   *cell,
             GtkTreeModel      *model,
             GtkTreeIter       *iter,
             gpointer           user_data)
{
  const GilkFunction *function = row_function (model, iter, NULL);
  uint64_t bytes = function->hot.end - function->hot.start +
                   function->cold.end - function->cold.start;
  char text[32];

  g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, bytes);
  g_object_set (cell, "text", text, NULL);
}

static void
show_footer (GilkFunctionList *self,
             guint             shown)
{
  g_autofree char *text = NULL;
  g_autofree char *total = NULL;
  guint all = 0;

  gilk_functions_all (self->functions, &all);
  total = gilk_text_count (all);
  if (shown == 0)
    text = g_strdup_printf (_("No name fits, of %s functions"), total);
  else if (shown == SHOWN_MAX)
    text = g_strdup_printf (_("%s functions; type to narrow"), total);
  else
    text = g_strdup_printf (_("%u of %s functions"), shown, total);
  gtk_label_set_text (self->footer, text);
}

/* Labels inside assembly, ".slowpath", sort before every name and go behind them. */
static void
add_rows (GilkFunctionList *self,
          GArray           *matches,
          gboolean          labels)
{
  for (guint i = 0; i < matches->len; i++)
    {
      const GilkMatch *match = &g_array_index (matches, GilkMatch, i);

      if ((match->function->name[0] == '.') == labels)
        gtk_list_store_insert_with_values (self->store, NULL, -1,
                                           COLUMN_FUNCTION, match->function,
                                           COLUMN_MATCHED, match->matched, -1);
    }
}

void
gilk_function_list_set_pattern (GilkFunctionList *self,
                                const char       *pattern)
{
  g_autoptr(GArray) matches = NULL;
  char *was = self->pattern;

  self->pattern = g_strdup (pattern);
  g_free (was);
  gtk_tree_view_set_model (self->tree, NULL);
  gtk_list_store_clear (self->store);
  if (self->functions == NULL)
    return;

  matches = gilk_functions_find (self->functions, self->pattern, SHOWN_MAX);
  add_rows (self, matches, FALSE);
  add_rows (self, matches, TRUE);
  gtk_tree_view_set_model (self->tree, GTK_TREE_MODEL (self->store));
  show_footer (self, matches->len);
  gilk_function_list_set_current (self, self->current);
}

void
gilk_function_list_set_functions (GilkFunctionList *self,
                                  GilkImage        *image,
                                  GilkFunctions    *functions)
{
  if (functions == self->functions)
    return;

  self->current = NULL;
  gtk_tree_view_set_model (self->tree, NULL);
  gtk_list_store_clear (self->store);
  g_clear_pointer (&self->functions, gilk_functions_unref);
  g_clear_pointer (&self->image, gilk_image_unref);
  self->functions = functions != NULL ? gilk_functions_ref (functions) : NULL;
  self->image = image != NULL ? gilk_image_ref (image) : NULL;
  gtk_stack_set_visible_child_name (self->stack, functions != NULL ? "list" : "empty");
  gtk_widget_set_visible (GTK_WIDGET (self->footer), functions != NULL);
  gilk_function_list_set_pattern (self, self->pattern);
}

void
gilk_function_list_set_current (GilkFunctionList   *self,
                                const GilkFunction *function)
{
  GtkTreeModel *model = GTK_TREE_MODEL (self->store);
  GtkTreeSelection *selection = gtk_tree_view_get_selection (self->tree);
  GtkTreeIter iter;

  self->current = function;
  gtk_tree_selection_unselect_all (selection);
  if (function == NULL || !gtk_tree_model_get_iter_first (model, &iter))
    return;
  do
    if (row_function (model, &iter, NULL) == function)
      {
        gtk_tree_selection_select_iter (selection, &iter);
        return;
      }
  while (gtk_tree_model_iter_next (model, &iter));
}

static void
activate_row (GilkFunctionList *self,
              GtkTreeIter      *iter)
{
  const GilkFunction *function = row_function (GTK_TREE_MODEL (self->store), iter, NULL);

  self->current = function;
  g_signal_emit (self, signals[ACTIVATED], 0, function);
}

gboolean
gilk_function_list_activate_first (GilkFunctionList *self)
{
  GtkTreeIter iter;

  if (!gtk_tree_model_get_iter_first (GTK_TREE_MODEL (self->store), &iter))
    return FALSE;

  gtk_tree_selection_select_iter (gtk_tree_view_get_selection (self->tree), &iter);
  activate_row (self, &iter);

  return TRUE;
}

void
gilk_function_list_focus (GilkFunctionList *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->tree));
}

static void
row_activated (GilkFunctionList  *self,
               GtkTreePath       *path,
               GtkTreeViewColumn *column)
{
  GtkTreeIter iter;

  if (gtk_tree_model_get_iter (GTK_TREE_MODEL (self->store), &iter, path))
    activate_row (self, &iter);
}

static void
gilk_function_list_finalize (GObject *object)
{
  GilkFunctionList *self = GILK_FUNCTION_LIST (object);

  g_clear_pointer (&self->functions, gilk_functions_unref);
  g_clear_pointer (&self->image, gilk_image_unref);
  g_clear_object (&self->store);
  g_free (self->pattern);
  G_OBJECT_CLASS (gilk_function_list_parent_class)->finalize (object);
}

static void
gilk_function_list_class_init (GilkFunctionListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_function_list_finalize;
  signals[ACTIVATED] = g_signal_new ("activated", GILK_TYPE_FUNCTION_LIST, G_SIGNAL_RUN_LAST,
                                     0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/function-list.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkFunctionList, stack);
  gtk_widget_class_bind_template_child (widget_class, GilkFunctionList, tree);
  gtk_widget_class_bind_template_child (widget_class, GilkFunctionList, name_column);
  gtk_widget_class_bind_template_child (widget_class, GilkFunctionList, size_column);
  gtk_widget_class_bind_template_child (widget_class, GilkFunctionList, footer);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
}

static void
set_render (GtkTreeViewColumn     *column,
            GtkTreeCellDataFunc    func,
            GilkFunctionList      *self)
{
  g_autoptr(GList) cells = gtk_cell_layout_get_cells (GTK_CELL_LAYOUT (column));

  gtk_tree_view_column_set_cell_data_func (column, cells->data, func, self, NULL);
}

static void
gilk_function_list_init (GilkFunctionList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->pattern = g_strdup ("");
  self->store = gtk_list_store_new (N_COLUMNS, G_TYPE_POINTER, G_TYPE_UINT64);
  set_render (self->name_column, render_name, self);
  set_render (self->size_column, render_size, self);
}
