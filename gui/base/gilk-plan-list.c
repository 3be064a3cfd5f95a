/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-list.c - tree model of hook indices
 */
#include "gui/base/gilk-rows.h"

struct _GilkPlanList {
  GilkRowModel parent_instance;

  GArray      *hooks;           /* guint */
};

G_DEFINE_TYPE (GilkPlanList, gilk_plan_list, GILK_TYPE_ROW_MODEL)

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
gilk_plan_list_set_rows (GilkPlanList *self,
                         const GArray *hooks,
                         guint         limit)
{
  guint had = self->hooks->len;

  for (guint row = had; row > hooks->len; row--)
    {
      g_array_set_size (self->hooks, row - 1);
      gilk_row_model_deleted (GILK_ROW_MODEL (self), row - 1);
    }
  for (guint row = 0; row < MIN (had, hooks->len); row++)
    g_array_index (self->hooks, guint, row) = g_array_index (hooks, guint, row);
  for (guint row = had; row < MIN (hooks->len, had + limit); row++)
    {
      g_array_append_val (self->hooks, g_array_index (hooks, guint, row));
      gilk_row_model_inserted (GILK_ROW_MODEL (self), row);
    }
}

/* ---- GilkRowModel and GObject methods ---- */

static GType
column_type (int column)
{
  return G_TYPE_UINT;
}

static guint
n_rows (GilkRowModel *model)
{
  return gilk_plan_list_length (GILK_PLAN_LIST (model));
}

static void
get_cell (GilkRowModel *model,
          guint         row,
          int           column,
          GValue       *value)
{
  g_value_set_uint (value, gilk_plan_list_hook (GILK_PLAN_LIST (model), row));
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
  GilkRowModelClass *rows = GILK_ROW_MODEL_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_plan_list_finalize;
  rows->column_type = column_type;
  rows->n_rows = n_rows;
  rows->get_cell = get_cell;
}

static void
gilk_plan_list_init (GilkPlanList *self)
{
}

GilkPlanList *
gilk_plan_list_new (GArray *hooks)
{
  GilkPlanList *self = g_object_new (GILK_TYPE_PLAN_LIST, NULL);

  self->hooks = hooks;

  return self;
}
