/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-popover.c - callers and callees of the function in view
 */
#include "gui/graph/gilk-calls.h"

#include <glib/gi18n.h>

#include "core/cfg/gilk-name-match.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-text.h"
#include "gui/functions/gilk-function-model.h"

#define WIDTH  340
#define HEIGHT 340

enum { CALLERS, CALLEES, N_SIDES };

struct _GilkCallsPopover {
  GtkPopover          parent_instance;

  GilkCallsSource    *source;
  const GilkFunction *function;

  GtkEntry           *entry;
  GtkStack           *stack;
  GtkLabel           *waiting;
  GtkTreeView        *trees[N_SIDES];
  GtkWidget          *pages[N_SIDES];
  GArray             *shown[N_SIDES];  /* element-type GilkCallPartner, one per row */
  GtkLabel           *none;            /* reason why the visible list is empty */
};

G_DEFINE_TYPE (GilkCallsPopover, gilk_calls_popover, GTK_TYPE_POPOVER)

/* ---- filling and activating the rows ---- */

static void
render_name (GtkTreeViewColumn *column,
             GtkCellRenderer   *cell,
             GtkTreeModel      *model,
             GtkTreeIter       *iter,
             gpointer           user_data)
{
  GilkCallsPopover *self = user_data;
  GilkFunctionRow row = gilk_function_model_at (GILK_FUNCTION_MODEL (model), iter);
  g_autofree char *markup = gilk_function_row_markup (gilk_calls_source_functions (self->source), gilk_calls_source_image (self->source),
                                                      &row, gtk_entry_get_text (self->entry));

  g_object_set (cell, "markup", markup, NULL);
}

/* Shows how often a run recorded calls between the two functions or, if none was recorded, how
 * often such a call occurs in the code. */
static void
render_count (GtkTreeViewColumn *column,
              GtkCellRenderer   *cell,
              GtkTreeModel      *model,
              GtkTreeIter       *iter,
              gpointer           user_data)
{
  GArray **shown = user_data;
  guint row = gilk_row_model_row (iter);
  const GilkCallPartner *partner = *shown != NULL && row < (*shown)->len ? &g_array_index (*shown, GilkCallPartner, row) : NULL;
  g_autofree char *seen = partner != NULL ? gilk_text_count (partner->seen) : NULL;
  g_autofree char *text = NULL;

  if (partner != NULL && partner->seen > 0)
    text = g_strdup_printf (_("%s seen"), seen);
  else if (partner != NULL && partner->n > 1)
    text = g_strdup_printf ("%u ×", partner->n);
  g_object_set (cell, "text", text, NULL);
}

/* Fills one list of the popover. Opening a caller will show its call instruction, opening a callee
 * its entry. */
static void
fill_side (GilkCallsPopover *self,
           guint             side)
{
  static const char *const names[] = { N_("Callers %u"), N_("Callees %u") };
  g_autoptr(GArray) partners = gilk_call_graph_partners (gilk_calls_source_graph (self->source), self->function,
                                                        side == CALLERS, gilk_calls_source_indirect_calls (self->source));
  g_autoptr(GilkFunctionModel) model = NULL;
  g_autofree char *title = g_strdup_printf (_(names[side]), partners->len);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (GilkFunctionRow));

  gtk_tree_view_set_model (self->trees[side], NULL);
  g_clear_pointer (&self->shown[side], g_array_unref);
  self->shown[side] = g_array_new (FALSE, FALSE, sizeof (GilkCallPartner));
  for (guint i = 0; i < partners->len; i++)
    {
      const GilkCallPartner *partner = &g_array_index (partners, GilkCallPartner, i);
      GilkFunctionRow row = { partner->function, partner->function->name, side == CALLERS ? partner->site : 0 };
      uint64_t matched;
      int score;

      if (!gilk_name_matches (row.name, gtk_entry_get_text (self->entry), &score, &matched))
        continue;
      g_array_append_val (rows, row);
      g_array_append_val (self->shown[side], *partner);
    }
  model = gilk_function_model_new_rows (rows);
  gtk_tree_view_set_model (self->trees[side], GTK_TREE_MODEL (model));
  gtk_container_child_set (GTK_CONTAINER (self->stack), self->pages[side], "title", title, NULL);
}

/* Explains why the visible list is empty. */
static void
explain_empty (GilkCallsPopover *self)
{
  static const char *const why[] = {
    N_("No direct callers. To find callers through pointers, hook indirect calls, run the plan, then open the "
       "targets of these calls."),
    N_("No direct callees."),
  };
  guint side = gtk_stack_get_visible_child (self->stack) == self->pages[CALLEES] ? CALLEES : CALLERS;
  GtkTreeModel *model = gtk_tree_view_get_model (self->trees[side]);
  gboolean empty = model != NULL && gilk_function_model_length (GILK_FUNCTION_MODEL (model)) == 0;

  gtk_label_set_text (self->none, *gtk_entry_get_text (self->entry) != '\0' ? _("No match.") : _(why[side]));
  gtk_widget_set_visible (GTK_WIDGET (self->none), empty);
}

static void
fill_sides (GilkCallsPopover *self)
{
  gboolean ready = self->function != NULL && gilk_calls_source_graph (self->source) != NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->waiting), !ready);
  gtk_widget_set_visible (GTK_WIDGET (self->stack), ready);
  for (guint side = 0; side < N_SIDES; side++)
    if (ready)
      fill_side (self, side);
    else
      gtk_tree_view_set_model (self->trees[side], NULL);
  explain_empty (self);
}

static void
open_row (GilkCallsPopover *self,
          GtkTreeView      *tree,
          int               index)
{
  GtkTreeModel *model = gtk_tree_view_get_model (tree);
  GilkFunctionRow row;

  if (model == NULL || index >= (int) gilk_function_model_length (GILK_FUNCTION_MODEL (model)))
    return;
  row = gilk_function_model_row (GILK_FUNCTION_MODEL (model), (guint) index);
  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit_by_name (self, "open", row.function, row.addr);
}

static void
row_activated (GilkCallsPopover  *self,
               GtkTreePath       *path,
               GtkTreeViewColumn *column,
               GtkTreeView       *tree)
{
  open_row (self, tree, gtk_tree_path_get_indices (path)[0]);
}

static void
entry_activated (GilkCallsPopover *self)
{
  open_row (self, self->trees[gtk_stack_get_visible_child (self->stack) == self->pages[CALLEES] ? CALLEES : CALLERS], 0);
}

static void
refill_visible (GilkCallsPopover *self)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self)))
    fill_sides (self);
}

void
gilk_calls_popover_show (GilkCallsPopover   *self,
                         const GilkFunction *function)
{
  self->function = function;
  gtk_entry_set_text (self->entry, "");
  fill_sides (self);
  gtk_popover_popup (GTK_POPOVER (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

/* ---- GObject life cycle ---- */

static void
gilk_calls_popover_dispose (GObject *object)
{
  g_signal_handlers_disconnect_by_func (GILK_CALLS_POPOVER (object)->stack, explain_empty, object);
  for (guint side = 0; side < N_SIDES; side++)
    g_clear_pointer (&GILK_CALLS_POPOVER (object)->shown[side], g_array_unref);
  g_clear_object (&GILK_CALLS_POPOVER (object)->source);
  G_OBJECT_CLASS (gilk_calls_popover_parent_class)->dispose (object);
}

static void
gilk_calls_popover_class_init (GilkCallsPopoverClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_calls_popover_dispose;
  gilk_add_signal (klass, "open", 2, G_TYPE_POINTER, G_TYPE_UINT64);
}

static void
add_side (GilkCallsPopover *self,
          guint             side,
          const char       *name)
{
  GtkWidget *scrolled = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "visible", TRUE, "hscrollbar-policy", GTK_POLICY_NEVER, NULL);
  GtkTreeView *tree = g_object_new (GTK_TYPE_TREE_VIEW, "visible", TRUE, "headers-visible", FALSE, "enable-search", FALSE,
                                    "activate-on-single-click", TRUE, NULL);
  GtkTreeViewColumn *column = g_object_new (GTK_TYPE_TREE_VIEW_COLUMN, "sizing", GTK_TREE_VIEW_COLUMN_FIXED, "expand", TRUE, NULL);
  GtkCellRenderer *cell = g_object_new (GTK_TYPE_CELL_RENDERER_TEXT, "ellipsize", PANGO_ELLIPSIZE_END, "xpad", 8, "ypad", 3, NULL);
  GtkTreeViewColumn *counts = g_object_new (GTK_TYPE_TREE_VIEW_COLUMN, "sizing", GTK_TREE_VIEW_COLUMN_FIXED, "fixed-width", 84, NULL);
  GtkCellRenderer *count = g_object_new (GTK_TYPE_CELL_RENDERER_TEXT, "xalign", 1.0, "xpad", 8, "scale", 0.9, NULL);

  gtk_tree_view_column_pack_start (column, cell, TRUE);
  gtk_tree_view_column_set_cell_data_func (column, cell, render_name, self, NULL);
  gtk_tree_view_column_pack_start (counts, count, TRUE);
  gtk_tree_view_column_set_cell_data_func (counts, count, render_count, &self->shown[side], NULL);
  gtk_tree_view_append_column (tree, column);
  gtk_tree_view_append_column (tree, counts);
  gtk_tree_view_set_fixed_height_mode (tree, TRUE);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (tree)), name);
  g_signal_connect_object (tree, "row-activated", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
  gtk_container_add (GTK_CONTAINER (scrolled), GTK_WIDGET (tree));
  gtk_stack_add_titled (self->stack, scrolled, name, name);
  self->trees[side] = tree;
  self->pages[side] = scrolled;
}

static void
gilk_calls_popover_init (GilkCallsPopover *self)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "visible", TRUE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6,
                                 "margin", 8, "width-request", WIDTH, "height-request", HEIGHT, NULL);
  GtkWidget *switcher = g_object_new (GTK_TYPE_STACK_SWITCHER, "visible", TRUE, "homogeneous", TRUE, NULL);

  self->stack = g_object_new (GTK_TYPE_STACK, "visible", TRUE, "vexpand", TRUE, NULL);
  self->entry = g_object_new (GTK_TYPE_SEARCH_ENTRY, "visible", TRUE, "placeholder-text", _("Filter"), NULL);
  self->waiting = g_object_new (GTK_TYPE_LABEL, "label", _("Scanning kernel text for calls…"), "vexpand", TRUE, NULL);
  self->none = g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "max-width-chars", 40, "margin", 6, NULL);
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), self->stack);
  add_side (self, CALLERS, _("Callers"));
  add_side (self, CALLEES, _("Callees"));
  gtk_container_add (GTK_CONTAINER (box), switcher);
  gtk_container_add (GTK_CONTAINER (box), GTK_WIDGET (self->entry));
  gtk_container_add (GTK_CONTAINER (box), GTK_WIDGET (self->waiting));
  gtk_container_add (GTK_CONTAINER (box), GTK_WIDGET (self->none));
  gtk_container_add (GTK_CONTAINER (box), GTK_WIDGET (self->stack));
  gtk_container_add (GTK_CONTAINER (self), box);
  g_signal_connect_object (self->stack, "notify::visible-child", G_CALLBACK (explain_empty), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "search-changed", G_CALLBACK (fill_sides), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (entry_activated), self, G_CONNECT_SWAPPED);
}

GilkCallsPopover *
gilk_calls_popover_new (GtkWidget       *relative_to,
                        GilkCallsSource *source)
{
  GilkCallsPopover *self = g_object_new (GILK_TYPE_CALLS_POPOVER, "relative-to", relative_to, "position", GTK_POS_BOTTOM, NULL);

  self->source = g_object_ref (source);
  g_signal_connect_object (source, "changed", G_CALLBACK (refill_visible), self, G_CONNECT_SWAPPED);

  return self;
}
