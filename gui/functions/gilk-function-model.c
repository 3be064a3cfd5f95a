/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-model.c - tree model over an array of functions
 *
 * The model does not define the content of columns: views render what gilk_function_model_at()
 * returns.
 */
#include "gui/functions/gilk-function-model.h"

#include <glib/gi18n.h>

#include "core/cfg/gilk-name-match.h"
#include "gui/base/gilk-text.h"

#define ROWS_FIRST 1000
#define ROWS_MORE   250

struct _GilkFunctionModel {
  GilkRowModel parent_instance;

  GilkFinder *finder;
  GilkFound  *found;         /* result of a search; NULL: @rows is used */
  GArray     *rows;          /* element-type GilkFunctionRow; NULL: @found is used */
  guint       n_given;       /* number of rows that the view has been given */
};

G_DEFINE_TYPE (GilkFunctionModel, gilk_function_model, GILK_TYPE_ROW_MODEL)

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
  return gilk_function_model_row (self, gilk_row_model_row (iter));
}

int
gilk_function_model_index (GilkFunctionModel  *self,
                           const GilkFunction *function)
{
  for (guint i = 0; i < self->n_given; i++)
    if (gilk_function_model_row (self, i).function == function)
      return (int) i;

  return -1;
}

/* ---- rows and cells of the tree model ---- */

static guint
n_rows (GilkRowModel *model)
{
  return GILK_FUNCTION_MODEL (model)->n_given;
}

static void
get_cell (GilkRowModel *model,
          guint         row,
          int           column,
          GValue       *value)
{
  g_value_set_static_string (value, gilk_function_model_row (GILK_FUNCTION_MODEL (model), row).name);
}

gboolean
gilk_function_model_grow (GilkFunctionModel *self)
{
  guint end = MIN (self->n_given + ROWS_MORE, gilk_function_model_length (self));

  while (self->n_given < end)
    {
      self->n_given++;
      gilk_row_model_inserted (GILK_ROW_MODEL (self), self->n_given - 1);
    }

  return self->n_given < gilk_function_model_length (self);
}

/* ---- GObject life cycle ---- */

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
  GILK_ROW_MODEL_CLASS (klass)->n_rows = n_rows;
  GILK_ROW_MODEL_CLASS (klass)->get_cell = get_cell;
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
  self->n_given = MIN (found->n_rows, ROWS_FIRST);

  return self;
}

GilkFunctionModel *
gilk_function_model_new_rows (GArray *rows)
{
  GilkFunctionModel *self = g_object_new (GILK_TYPE_FUNCTION_MODEL, NULL);

  self->rows = rows;
  self->n_given = rows->len;

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

/* ---- row text as Pango markup ---- */

static char *
format_details (GilkImage             *image,
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
  g_autofree char *details = format_details (image, row, ordinal);
  g_autofree char *quiet = g_markup_escape_text (details, -1);
  g_autofree char *name = ordinal == 0 ? g_strdup (row->name) : g_strdup_printf ("%s@%u", row->name, ordinal);
  g_autofree char *marked = NULL;
  uint64_t matched = 0;
  int score;

  if (!gilk_name_matches (row->name, typed, &score, &matched))
    matched = 0;
  marked = gilk_text_highlight_matches (name, matched);

  return g_strdup_printf ("<tt>%s</tt>\n<span size=\"small\" alpha=\"72%%\">%s</span>", marked, quiet);
}
