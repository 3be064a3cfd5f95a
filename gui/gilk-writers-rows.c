/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-writers-rows.c - tree model of accesses: cells, sorting and search
 */
#include "gui/gilk-writers-rows.h"

#include <inttypes.h>
#include <string.h>

#include "core/export/gilk-writers-table.h"
#include "gui/gilk-share-cell.h"
#include "gui/gilk-text.h"

#define PROCESSES_SHOWN 3

struct _GilkWritersRows {
  GArray       *writers;     /* GilkWriter; NULL: not read yet */
  uint64_t      total;
  GtkListStore *store;       /* index of the access */
  GtkTreeModel *filter, *sort;
  char         *wanted;      /* search text, casefolded */
};

static const GilkWriter *
writer_at (GilkWritersRows *self, GtkTreeModel *model, GtkTreeIter *iter)
{
  guint index;

  gtk_tree_model_get (model, iter, 0, &index, -1);

  return self->writers != NULL && index < self->writers->len ? &g_array_index (self->writers, GilkWriter, index) : NULL;
}

static char *
cell_text (GilkWritersRows *self, GilkWritersColumn column, const GilkWriter *writer)
{
  switch (column)
    {
    case GILK_WRITERS_BLOCK:     return g_strdup (writer->name);
    case GILK_WRITERS_COUNT:     return gilk_text_count (writer->count);
    case GILK_WRITERS_SHARE:     return gilk_text_share (writer->count, self->total);
    case GILK_WRITERS_LAST:      return g_strdup_printf ("0x%" PRIx64, writer->last);
    case GILK_WRITERS_CONTEXT:   return gilk_writer_contexts (writer);
    case GILK_WRITERS_PROCESSES: return gilk_writer_processes (writer, PROCESSES_SHOWN);
    default:                     return g_strdup (writer->insn != NULL ? writer->insn : "–");
    }
}

static void
render (GtkTreeViewColumn *column,
        GtkCellRenderer   *cell,
        GtkTreeModel      *model,
        GtkTreeIter       *iter,
        gpointer           user_data)
{
  GilkWritersRows *self = user_data;
  const GilkWriter *writer = writer_at (self, model, iter);
  int what = gtk_tree_view_column_get_sort_column_id (column);
  g_autofree char *text = writer != NULL && what >= 0 ? cell_text (self, (GilkWritersColumn) what, writer) : g_strdup ("");

  g_object_set (cell, "text", text, NULL);
  if (what == GILK_WRITERS_SHARE && GILK_IS_SHARE_CELL (cell))
    gilk_share_cell_set (GILK_SHARE_CELL (cell), writer != NULL ? (double) writer->count / (double) MAX (self->total, 1) : 0.0);
}

static int
compare (GtkTreeModel *model, GtkTreeIter *one, GtkTreeIter *other, gpointer user_data)
{
  GilkWritersRows *self = g_object_get_data (G_OBJECT (model), "gilk-rows");
  const GilkWriter *a = writer_at (self, model, one), *b = writer_at (self, model, other);
  GilkWritersColumn what = GPOINTER_TO_UINT (user_data);
  g_autofree char *x = NULL, *y = NULL;

  if (a == NULL || b == NULL)
    return 0;
  if (what == GILK_WRITERS_COUNT || what == GILK_WRITERS_SHARE)
    return (a->count > b->count) - (a->count < b->count);
  if (what == GILK_WRITERS_LAST)
    return (a->last > b->last) - (a->last < b->last);
  x = cell_text (self, what, a);
  y = cell_text (self, what, b);

  return strcmp (x, y);
}

static gboolean
is_wanted (GtkTreeModel *model, GtkTreeIter *iter, gpointer user_data)
{
  GilkWritersRows *self = user_data;
  const GilkWriter *writer = writer_at (self, model, iter);
  g_autofree char *contexts = NULL, *processes = NULL, *all = NULL, *folded = NULL;

  if (self->wanted == NULL || *self->wanted == '\0' || writer == NULL)
    return TRUE;
  contexts = gilk_writer_contexts (writer);
  processes = gilk_writer_processes (writer, writer->processes->len);
  all = g_strjoin (" ", writer->name, contexts, processes, writer->insn, NULL);
  folded = g_utf8_casefold (all, -1);

  return strstr (folded, self->wanted) != NULL;
}

void
gilk_writers_rows_set_up (GilkWritersRows   *self,
                          GilkWritersColumn  what,
                          GtkTreeViewColumn *column,
                          GtkCellRenderer   *cell)
{
  gtk_tree_view_column_set_cell_data_func (column, cell, render, self, NULL);
  gtk_tree_view_column_set_sort_column_id (column, (int) what);
}

void
gilk_writers_rows_take (GilkWritersRows *self,
                        GArray          *writers)
{
  gtk_list_store_clear (self->store);
  g_clear_pointer (&self->writers, g_array_unref);
  self->writers = writers;
  self->total = writers != NULL ? gilk_writers_total (writers) : 0;
  for (guint i = 0; writers != NULL && i < writers->len; i++)
    gtk_list_store_insert_with_values (self->store, NULL, -1, 0, i, -1);
}

void
gilk_writers_rows_search (GilkWritersRows *self,
                          const char      *text)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));

  g_free (self->wanted);
  self->wanted = g_utf8_casefold (trimmed, -1);
  gtk_tree_model_filter_refilter (GTK_TREE_MODEL_FILTER (self->filter));
}

GtkTreeModel *
gilk_writers_rows_model (GilkWritersRows *self)
{
  return self->sort;
}

const GArray *
gilk_writers_rows_all (GilkWritersRows *self)
{
  return self->writers;
}

const GilkWriter *
gilk_writers_rows_at (GilkWritersRows *self,
                      GtkTreeIter     *iter)
{
  return writer_at (self, self->sort, iter);
}

GArray *
gilk_writers_rows_in_view (GilkWritersRows *self)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (GilkWriter));
  GtkTreeIter iter;
  gboolean more;

  for (more = gtk_tree_model_get_iter_first (self->sort, &iter); more; more = gtk_tree_model_iter_next (self->sort, &iter))
    g_array_append_vals (rows, writer_at (self, self->sort, &iter), 1);

  return rows;
}

GilkWritersRows *
gilk_writers_rows_new (void)
{
  GilkWritersRows *self = g_new0 (GilkWritersRows, 1);

  self->store = gtk_list_store_new (1, G_TYPE_UINT);
  self->filter = gtk_tree_model_filter_new (GTK_TREE_MODEL (self->store), NULL);
  gtk_tree_model_filter_set_visible_func (GTK_TREE_MODEL_FILTER (self->filter), is_wanted, self, NULL);
  self->sort = gtk_tree_model_sort_new_with_model (self->filter);
  g_object_set_data (G_OBJECT (self->filter), "gilk-rows", self);
  for (guint i = 0; i < GILK_WRITERS_N_COLUMNS; i++)
    gtk_tree_sortable_set_sort_func (GTK_TREE_SORTABLE (self->sort), (int) i, compare, GUINT_TO_POINTER (i), NULL);
  gtk_tree_sortable_set_sort_column_id (GTK_TREE_SORTABLE (self->sort), GILK_WRITERS_COUNT, GTK_SORT_DESCENDING);

  return self;
}

void
gilk_writers_rows_free (GilkWritersRows *self)
{
  gilk_writers_rows_take (self, NULL);
  g_object_unref (self->sort);
  g_object_unref (self->filter);
  g_object_unref (self->store);
  g_free (self->wanted);
  g_free (self);
}
