/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-accesses-rows.c - tree model of accesses: cells, sorting and search
 */
#include "gui/results/gilk-results-tables.h"

#include <inttypes.h>
#include <string.h>

#include "core/samples/gilk-store-accesses.h"
#include "gui/base/gilk-rows.h"
#include "gui/base/gilk-text.h"

#define PROCESSES_SHOWN 3

struct _GilkAccessesRows {
  GArray       *accesses;    /* element-type GilkAccessor; NULL: not read yet */
  uint64_t      total;
  GtkListStore *store;       /* each row contains the index of an element of @accesses */
  GtkTreeModel *filter, *sort;
  char         *wanted;      /* search text, casefolded */
};

static const GilkAccessor *
get_accessor (GilkAccessesRows *self, GtkTreeModel *model, GtkTreeIter *iter)
{
  guint index;

  gtk_tree_model_get (model, iter, 0, &index, -1);

  return self->accesses != NULL && index < self->accesses->len ? &g_array_index (self->accesses, GilkAccessor, index) : NULL;
}

static char *
format_cell (GilkAccessesRows *self, GilkAccessesColumn column, const GilkAccessor *accessor)
{
  switch (column)
    {
    case GILK_ACCESSES_BLOCK:     return g_strdup (accessor->name);
    case GILK_ACCESSES_COUNT:     return gilk_text_count (accessor->count);
    case GILK_ACCESSES_SHARE:     return gilk_text_share (accessor->count, self->total);
    case GILK_ACCESSES_LAST:      return g_strdup_printf ("0x%" PRIx64, accessor->last);
    case GILK_ACCESSES_CONTEXT:   return gilk_accessor_contexts_text (accessor);
    case GILK_ACCESSES_PROCESSES: return gilk_accessor_processes_text (accessor, PROCESSES_SHOWN);
    default:                     return g_strdup (accessor->insn != NULL ? accessor->insn : "–");
    }
}

static void
render_cell (GtkTreeViewColumn *column,
             GtkCellRenderer   *cell,
             GtkTreeModel      *model,
             GtkTreeIter       *iter,
             gpointer           user_data)
{
  GilkAccessesRows *self = user_data;
  const GilkAccessor *accessor = get_accessor (self, model, iter);
  int what = gtk_tree_view_column_get_sort_column_id (column);
  g_autofree char *text = accessor != NULL && what >= 0 ? format_cell (self, (GilkAccessesColumn) what, accessor) : g_strdup ("");

  g_object_set (cell, "text", text, NULL);
  if (what == GILK_ACCESSES_SHARE && GILK_IS_SHARE_CELL (cell))
    gilk_share_cell_set (GILK_SHARE_CELL (cell), accessor != NULL ? (double) accessor->count / (double) MAX (self->total, 1) : 0.0);
}

static int
compare_rows (GtkTreeModel *model, GtkTreeIter *one, GtkTreeIter *other, gpointer user_data)
{
  GilkAccessesRows *self = g_object_get_data (G_OBJECT (model), "gilk-rows");
  const GilkAccessor *a = get_accessor (self, model, one), *b = get_accessor (self, model, other);
  GilkAccessesColumn what = GPOINTER_TO_UINT (user_data);
  g_autofree char *x = NULL, *y = NULL;

  if (a == NULL || b == NULL)
    return 0;
  if (what == GILK_ACCESSES_COUNT || what == GILK_ACCESSES_SHARE)
    return (a->count > b->count) - (a->count < b->count);
  if (what == GILK_ACCESSES_LAST)
    return (a->last > b->last) - (a->last < b->last);
  x = format_cell (self, what, a);
  y = format_cell (self, what, b);

  return strcmp (x, y);
}

static gboolean
is_wanted (GtkTreeModel *model, GtkTreeIter *iter, gpointer user_data)
{
  GilkAccessesRows *self = user_data;
  const GilkAccessor *accessor = get_accessor (self, model, iter);
  g_autofree char *contexts = NULL, *processes = NULL, *all = NULL, *folded = NULL;

  if (self->wanted == NULL || *self->wanted == '\0' || accessor == NULL)
    return TRUE;
  contexts = gilk_accessor_contexts_text (accessor);
  processes = gilk_accessor_processes_text (accessor, accessor->processes->len);
  all = g_strjoin (" ", accessor->name, contexts, processes, accessor->insn, NULL);
  folded = g_utf8_casefold (all, -1);

  return strstr (folded, self->wanted) != NULL;
}

void
gilk_accesses_rows_set_up (GilkAccessesRows  *self,
                           GilkAccessesColumn what,
                           GtkTreeViewColumn *column,
                           GtkCellRenderer   *cell)
{
  gtk_tree_view_column_set_cell_data_func (column, cell, render_cell, self, NULL);
  gtk_tree_view_column_set_sort_column_id (column, (int) what);
}

void
gilk_accesses_rows_set (GilkAccessesRows *self,
                        GArray           *accesses)
{
  gtk_list_store_clear (self->store);
  g_clear_pointer (&self->accesses, g_array_unref);
  self->accesses = accesses;
  self->total = accesses != NULL ? gilk_accessors_total (accesses) : 0;
  for (guint i = 0; accesses != NULL && i < accesses->len; i++)
    gtk_list_store_insert_with_values (self->store, NULL, -1, 0, i, -1);
}

void
gilk_accesses_rows_search (GilkAccessesRows *self,
                           const char       *text)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));

  g_free (self->wanted);
  self->wanted = g_utf8_casefold (trimmed, -1);
  gtk_tree_model_filter_refilter (GTK_TREE_MODEL_FILTER (self->filter));
}

GtkTreeModel *
gilk_accesses_rows_model (GilkAccessesRows *self)
{
  return self->sort;
}

const GArray *
gilk_accesses_rows_all (GilkAccessesRows *self)
{
  return self->accesses;
}

const GilkAccessor *
gilk_accesses_rows_get (GilkAccessesRows *self,
                        GtkTreeIter      *iter)
{
  return get_accessor (self, self->sort, iter);
}

GArray *
gilk_accesses_rows_in_view (GilkAccessesRows *self)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (GilkAccessor));
  GtkTreeIter iter;
  gboolean more;

  for (more = gtk_tree_model_get_iter_first (self->sort, &iter); more; more = gtk_tree_model_iter_next (self->sort, &iter))
    g_array_append_vals (rows, get_accessor (self, self->sort, &iter), 1);

  return rows;
}

GilkAccessesRows *
gilk_accesses_rows_new (void)
{
  GilkAccessesRows *self = g_new0 (GilkAccessesRows, 1);

  self->store = gtk_list_store_new (1, G_TYPE_UINT);
  self->filter = gtk_tree_model_filter_new (GTK_TREE_MODEL (self->store), NULL);
  gtk_tree_model_filter_set_visible_func (GTK_TREE_MODEL_FILTER (self->filter), is_wanted, self, NULL);
  self->sort = gtk_tree_model_sort_new_with_model (self->filter);
  g_object_set_data (G_OBJECT (self->filter), "gilk-rows", self);
  for (guint i = 0; i < GILK_ACCESSES_N_COLUMNS; i++)
    gtk_tree_sortable_set_sort_func (GTK_TREE_SORTABLE (self->sort), (int) i, compare_rows, GUINT_TO_POINTER (i), NULL);
  gtk_tree_sortable_set_sort_column_id (GTK_TREE_SORTABLE (self->sort), GILK_ACCESSES_COUNT, GTK_SORT_DESCENDING);

  return self;
}

void
gilk_accesses_rows_free (GilkAccessesRows *self)
{
  gilk_accesses_rows_set (self, NULL);
  g_object_unref (self->sort);
  g_object_unref (self->filter);
  g_object_unref (self->store);
  g_free (self->wanted);
  g_free (self);
}
