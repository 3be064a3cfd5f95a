/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-popover.c - who calls the function in view, and whom it calls
 */
#include "gui/gilk-calls-popover.h"

#include <glib/gi18n.h>

#include "core/cfg/gilk-name-match.h"
#include "gui/gilk-function-model.h"
#include "gui/gilk-text.h"

#define WIDTH  340
#define HEIGHT 340

enum { CALLERS, CALLEES, N_SIDES };

struct _GilkCallsPopover {
  GtkPopover          parent_instance;

  GilkFunctions      *functions;
  GilkImage          *image;
  const GilkFunction *function;
  GilkCallGraph      *graph;           /* NULL until it was made */
  GCancellable       *making;

  GtkEntry           *entry;
  GtkStack           *stack;
  GtkLabel           *waiting;
  GtkTreeView        *trees[N_SIDES];
  GtkWidget          *pages[N_SIDES];
  GtkLabel           *none;            /* why the side in view is empty */
};

G_DEFINE_TYPE (GilkCallsPopover, gilk_calls_popover, GTK_TYPE_POPOVER)

enum { OPEN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- rows ---- */

static void
render (GtkTreeViewColumn *column,
        GtkCellRenderer   *cell,
        GtkTreeModel      *model,
        GtkTreeIter       *iter,
        gpointer           user_data)
{
  GilkCallsPopover *self = user_data;
  GilkFunctionRow row = gilk_function_model_at (GILK_FUNCTION_MODEL (model), iter);
  g_autofree char *markup = gilk_function_row_markup (self->functions, self->image, &row, gtk_entry_get_text (self->entry));

  g_object_set (cell, "markup", markup, NULL);
}

/* A caller opens where the call is, a callee at its beginning. */
static void
fill_side (GilkCallsPopover *self,
           guint             side)
{
  static const char *const names[] = { N_("Callers %u"), N_("Callees %u") };
  g_autoptr(GArray) partners = gilk_call_graph_partners (self->graph, self->function, side == CALLERS);
  g_autoptr(GilkFunctionModel) model = NULL;
  g_autofree char *title = g_strdup_printf (_(names[side]), partners->len);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (GilkFunctionRow));

  for (guint i = 0; i < partners->len; i++)
    {
      const GilkCallPartner *partner = &g_array_index (partners, GilkCallPartner, i);
      GilkFunctionRow row = { partner->function, partner->function->name, side == CALLERS ? partner->site : 0 };
      uint64_t matched;
      int score;

      if (gilk_name_matches (row.name, gtk_entry_get_text (self->entry), &score, &matched))
        g_array_append_val (rows, row);
    }
  model = gilk_function_model_new_rows (rows);
  gtk_tree_view_set_model (self->trees[side], GTK_TREE_MODEL (model));
  gtk_container_child_set (GTK_CONTAINER (self->stack), self->pages[side], "title", title, NULL);
}

/* An empty side says why it may be. */
static void
tell_none (GilkCallsPopover *self)
{
  static const char *const why[] = {
    N_("Nobody calls it by name. What is called through pointers is found by a run: hook the calls, and open their targets."),
    N_("It calls nobody by name."),
  };
  guint side = gtk_stack_get_visible_child (self->stack) == self->pages[CALLEES] ? CALLEES : CALLERS;
  GtkTreeModel *model = gtk_tree_view_get_model (self->trees[side]);
  gboolean empty = self->graph != NULL && model != NULL && gilk_function_model_length (GILK_FUNCTION_MODEL (model)) == 0;

  gtk_label_set_text (self->none, *gtk_entry_get_text (self->entry) != '\0' ? _("None of them fits.") : _(why[side]));
  gtk_widget_set_visible (GTK_WIDGET (self->none), empty);
}

static void
fill (GilkCallsPopover *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->waiting), self->graph == NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->stack), self->graph != NULL);
  for (guint side = 0; side < N_SIDES; side++)
    if (self->graph != NULL && self->function != NULL)
      fill_side (self, side);
    else
      gtk_tree_view_set_model (self->trees[side], NULL);
  tell_none (self);
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
  g_signal_emit (self, signals[OPEN], 0, row.function, row.addr);
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

/* ---- the text is read ---- */

static void
make_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  GError *error = NULL;
  GilkCallGraph *graph = gilk_call_graph_new (task_data, NULL, cancellable, &error);

  if (graph == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, graph, (GDestroyNotify) gilk_call_graph_unref);
}

static void
made_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  GilkCallsPopover *self = GILK_CALLS_POPOVER (object);
  GilkCallGraph *graph = g_task_propagate_pointer (G_TASK (result), NULL);

  if (g_task_get_cancellable (G_TASK (result)) != self->making || graph == NULL)
    {
      gilk_call_graph_unref (graph);
      return;
    }
  g_clear_object (&self->making);
  self->graph = graph;
  fill (self);
}

static void
stop_making (GilkCallsPopover *self)
{
  if (self->making != NULL)
    g_cancellable_cancel (self->making);
  g_clear_object (&self->making);
}

static void
make (GilkCallsPopover *self)
{
  g_autoptr(GTask) task = NULL;

  stop_making (self);
  self->making = g_cancellable_new ();
  task = g_task_new (self, self->making, made_cb, NULL);
  g_task_set_task_data (task, gilk_functions_ref (self->functions), (GDestroyNotify) gilk_functions_unref);
  g_task_run_in_thread (task, make_thread);
}

void
gilk_calls_popover_show (GilkCallsPopover   *self,
                         GilkFunctions      *functions,
                         GilkImage          *image,
                         const GilkFunction *function)
{
  for (guint side = 0; side < N_SIDES; side++)
    gtk_tree_view_set_model (self->trees[side], NULL);
  if (functions != self->functions)
    {
      stop_making (self);
      g_clear_pointer (&self->graph, gilk_call_graph_unref);
      g_clear_pointer (&self->functions, gilk_functions_unref);
      g_clear_pointer (&self->image, gilk_image_unref);
      self->functions = gilk_functions_ref (functions);
      self->image = gilk_image_ref (image);
    }
  self->function = function;
  gtk_entry_set_text (self->entry, "");
  if (self->graph == NULL && self->making == NULL)
    make (self);
  fill (self);
  gtk_popover_popup (GTK_POPOVER (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

/* ---- object ---- */

static void
gilk_calls_popover_dispose (GObject *object)
{
  g_signal_handlers_disconnect_by_func (GILK_CALLS_POPOVER (object)->stack, tell_none, object);
  stop_making (GILK_CALLS_POPOVER (object));
  G_OBJECT_CLASS (gilk_calls_popover_parent_class)->dispose (object);
}

static void
gilk_calls_popover_finalize (GObject *object)
{
  GilkCallsPopover *self = GILK_CALLS_POPOVER (object);

  gilk_call_graph_unref (self->graph);
  g_clear_pointer (&self->functions, gilk_functions_unref);
  g_clear_pointer (&self->image, gilk_image_unref);
  G_OBJECT_CLASS (gilk_calls_popover_parent_class)->finalize (object);
}

static void
gilk_calls_popover_class_init (GilkCallsPopoverClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_calls_popover_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_calls_popover_finalize;
  signals[OPEN] = g_signal_new ("open", GILK_TYPE_CALLS_POPOVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_UINT64);
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

  gtk_tree_view_column_pack_start (column, cell, TRUE);
  gtk_tree_view_column_set_cell_data_func (column, cell, render, self, NULL);
  gtk_tree_view_append_column (tree, column);
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
  self->entry = g_object_new (GTK_TYPE_SEARCH_ENTRY, "visible", TRUE, "placeholder-text", _("Find among them"), NULL);
  self->waiting = g_object_new (GTK_TYPE_LABEL, "label", _("The kernel's text is read for calls …"), "vexpand", TRUE, NULL);
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
  g_signal_connect_object (self->stack, "notify::visible-child", G_CALLBACK (tell_none), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "search-changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (entry_activated), self, G_CONNECT_SWAPPED);
}

GilkCallsPopover *
gilk_calls_popover_new (GtkWidget *relative_to)
{
  return g_object_new (GILK_TYPE_CALLS_POPOVER, "relative-to", relative_to, "position", GTK_POS_BOTTOM, NULL);
}
