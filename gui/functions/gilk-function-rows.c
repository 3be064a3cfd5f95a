/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-rows.c - cell contents of the function list
 */
#include "gui/functions/gilk-function-rows.h"

#include <glib/gi18n.h>

#include "core/base/gilk-format.h"
#include "gui/base/gilk-rows.h"
#include "gui/base/gilk-text.h"

#define ALIASES_SHOWN 4

struct _GilkFunctionRows {
  GtkTreeView             *tree;
  GilkFunctions           *functions;
  GilkImage               *image;
  GilkFunctionShares      *shares;
  const GilkFunctionMarks *marks;
  char                    *typed;
  guint                    request_source;
};

/* ---- requests for how much is hookable ---- */

static gboolean
request_visible (gpointer user_data)
{
  GilkFunctionRows *self = user_data;
  GtkTreeModel *model = gtk_tree_view_get_model (self->tree);
  g_autoptr(GtkTreePath) first = NULL, last = NULL;
  g_autoptr(GPtrArray) functions = g_ptr_array_new ();

  self->request_source = 0;
  if (model == NULL || self->shares == NULL || !gtk_tree_view_get_visible_range (self->tree, &first, &last))
    return G_SOURCE_REMOVE;
  for (int i = gtk_tree_path_get_indices (first)[0]; i <= gtk_tree_path_get_indices (last)[0]; i++)
    {
      const GilkFunction *function = gilk_function_model_row (GILK_FUNCTION_MODEL (model), (guint) i).function;

      if (function->refusal == 0 && gilk_function_shares_lookup (self->shares, function) == NULL)
        g_ptr_array_add (functions, (gpointer) function);
    }
  gilk_function_shares_request (self->shares, g_steal_pointer (&functions));

  return G_SOURCE_REMOVE;
}

/* Returns how much of @function is hookable. If that is not known yet, schedules a request for all
 * visible rows and returns NULL. The request is not for @function alone, because GTK also renders
 * rows that are not visible. */
static const GilkHookShare *
get_share (GilkFunctionRows   *self,
           const GilkFunction *function)
{
  const GilkHookShare *share = self->shares != NULL && function->refusal == 0
                               ? gilk_function_shares_lookup (self->shares, function) : NULL;

  if (share == NULL && function->refusal == 0 && self->request_source == 0)
    self->request_source = g_timeout_add_full (G_PRIORITY_LOW, 50, request_visible, self, NULL);

  return share != NULL && share->points > 0 ? share : NULL;
}

/* ---- rendering cells and tooltips ---- */

static void
render_name (GtkTreeViewColumn *column,
             GtkCellRenderer   *cell,
             GtkTreeModel      *model,
             GtkTreeIter       *iter,
             gpointer           user_data)
{
  GilkFunctionRows *self = user_data;
  GilkFunctionRow row = gilk_function_model_at (GILK_FUNCTION_MODEL (model), iter);
  g_autofree char *markup = gilk_function_row_markup (self->functions, self->image, &row, self->typed);

  g_object_set (cell, "markup", markup, "sensitive", row.function->refusal == 0, NULL);
}

/* Formats @share, which says how much of a function is hookable. Adds a second line with the
 * function's hits if it is hooked, else with its number of blocks. */
static char *
format_marks (GilkFunctionRows    *self,
              const GilkFunction  *function,
              const GilkHookShare *share)
{
  uint64_t hits = self->marks != NULL ? gilk_function_marks_hits (self->marks, function) : 0;
  g_autofree char *count = hits > 0 ? gilk_text_count (hits) : NULL;
  g_autofree char *percent = share != NULL ? g_strdup_printf (_("%u %%"), gilk_hook_share_percent (share)) : g_strdup ("");
  guint all;
  gsize index = (gsize) (function - gilk_functions_all (self->functions, &all));
  uint8_t bits = self->marks != NULL ? self->marks->bits[index] : 0;
  g_autofree char *blocks = NULL;

  if (function->refusal != 0)
    return g_strdup ("⊘");
  if (bits & GILK_MARK_HOOKED)
    return g_strdup_printf ("%s\n◆%s%s", percent, count != NULL ? " " : "", count != NULL ? count : "");
  if (share == NULL)
    return NULL;
  blocks = g_strdup_printf (g_dngettext (NULL, "%u block", "%u blocks", share->blocks), share->blocks);

  return g_strdup_printf ("%s\n%s", percent, blocks);
}

static void
render_marks (GtkTreeViewColumn *column,
              GtkCellRenderer   *cell,
              GtkTreeModel      *model,
              GtkTreeIter       *iter,
              gpointer           user_data)
{
  GilkFunctionRows *self = user_data;
  const GilkFunction *function = gilk_function_model_at (GILK_FUNCTION_MODEL (model), iter).function;
  const GilkHookShare *share = get_share (self, function);
  g_autofree char *text = format_marks (self, function, share);

  gilk_hookable_cell_set (GILK_HOOKABLE_CELL (cell), share);
  g_object_set (cell, "text", text, NULL);
}

/* Returns a text about the probe points and the aliases of @function; "" if neither is known. */
static char *
make_tooltip (GilkFunctionRows   *self,
              const GilkFunction *function)
{
  const GilkHookShare *share = get_share (self, function);
  g_autoptr(GPtrArray) aliases = gilk_functions_aliases (self->functions, function);
  GString *text = g_string_new (NULL);

  if (share != NULL)
    {
      g_autofree char *blocks = g_strdup_printf (g_dngettext (NULL, "%u block", "%u blocks", share->blocks), share->blocks);

      if (share->kprobes > 0)
        g_string_append_printf (text, _("%s, %u points: %u can be hooked by a kprobe, %u are refused"), blocks, share->points,
                                share->kprobes, share->points - share->kprobes);
      else
        g_string_append_printf (text, _("%s, %u points: %u can be hooked by a jump, %u by a trap, %u are refused"), blocks,
                                share->points, share->jumped, share->trapped, share->points - share->jumped - share->trapped);
    }
  if (aliases->len > 0)
    {
      g_autofree char *names = gilk_list_names (aliases, ALIASES_SHOWN);

      g_string_append_printf (text->len > 0 ? g_string_append_c (text, '\n') : text, _("Also called %s"), names);
    }

  return g_string_free (text, FALSE);
}

static gboolean
query_tooltip (GilkFunctionRows *self,
               int               x,
               int               y,
               gboolean          keyboard,
               GtkTooltip       *tooltip)
{
  g_autoptr(GtkTreePath) path = NULL;
  GtkTreeModel *model;
  GtkTreeIter iter;
  const GilkFunction *function;
  g_autofree char *text = NULL;

  if (!gtk_tree_view_get_tooltip_context (self->tree, &x, &y, keyboard, &model, &path, &iter))
    return FALSE;
  function = gilk_function_model_at (GILK_FUNCTION_MODEL (model), &iter).function;
  text = make_tooltip (self, function);
  if (*text == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  gtk_tree_view_set_tooltip_row (self->tree, tooltip, path);

  return TRUE;
}

/* ---- changing the functions and marks shown ---- */

/* Reports each visible row as changed, because screen readers would not notice a mere redraw. */
static void
shares_changed (GilkFunctionRows *self)
{
  g_autoptr(GtkTreePath) first = NULL, last = NULL;
  GtkTreeModel *model = gtk_tree_view_get_model (self->tree);

  if (model == NULL || !gtk_tree_view_get_visible_range (self->tree, &first, &last))
    return;
  for (int row = *gtk_tree_path_get_indices (first); row <= *gtk_tree_path_get_indices (last); row++)
    gilk_row_model_changed (GILK_ROW_MODEL (model), (guint) row);
}

static void
drop_shares (GilkFunctionRows *self)
{
  g_clear_handle_id (&self->request_source, g_source_remove);
  if (self->shares == NULL)
    return;
  g_signal_handlers_disconnect_by_func (self->shares, shares_changed, self);
  g_object_run_dispose (G_OBJECT (self->shares));
  g_clear_object (&self->shares);
}

static void
start_shares (GilkFunctionRows *self)
{
  self->shares = gilk_function_shares_new (self->functions);
  g_signal_connect_swapped (self->shares, "changed", G_CALLBACK (shares_changed), self);
}

void
gilk_function_rows_forget_shares (GilkFunctionRows *self)
{
  if (self->functions == NULL)
    return;
  drop_shares (self);
  start_shares (self);
  shares_changed (self);
}

void
gilk_function_rows_set_functions (GilkFunctionRows *self,
                                  GilkFunctions    *functions,
                                  GilkImage        *image)
{
  drop_shares (self);
  g_clear_pointer (&self->functions, gilk_functions_unref);
  g_clear_pointer (&self->image, gilk_image_unref);
  self->marks = NULL;
  if (functions == NULL)
    return;
  self->functions = gilk_functions_ref (functions);
  self->image = gilk_image_ref (image);
  start_shares (self);
}

void
gilk_function_rows_set_marks (GilkFunctionRows        *self,
                              const GilkFunctionMarks *marks)
{
  self->marks = marks;
}

void
gilk_function_rows_set_typed (GilkFunctionRows *self,
                              const char       *typed)
{
  g_free (self->typed);
  self->typed = g_strdup (typed);
}

static GtkCellRenderer *
get_first_cell (GtkTreeViewColumn *column)
{
  g_autoptr(GList) cells = gtk_cell_layout_get_cells (GTK_CELL_LAYOUT (column));

  return cells->data;
}

GilkFunctionRows *
gilk_function_rows_new (GtkTreeView       *tree,
                        GtkTreeViewColumn *name,
                        GtkTreeViewColumn *mark)
{
  GilkFunctionRows *self = g_new0 (GilkFunctionRows, 1);

  self->tree = tree;
  self->typed = g_strdup ("");
  gtk_tree_view_column_set_cell_data_func (name, get_first_cell (name), render_name, self, NULL);
  gtk_tree_view_column_set_cell_data_func (mark, get_first_cell (mark), render_marks, self, NULL);
  gtk_widget_set_has_tooltip (GTK_WIDGET (tree), TRUE);
  g_signal_connect_swapped (tree, "query-tooltip", G_CALLBACK (query_tooltip), self);

  return self;
}

void
gilk_function_rows_free (GilkFunctionRows *self)
{
  gilk_function_rows_set_functions (self, NULL, NULL);
  g_free (self->typed);
  g_free (self);
}
