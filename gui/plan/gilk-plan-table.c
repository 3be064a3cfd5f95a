/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-table.c - the plan as a table; instrument and times are edited in place
 *
 * A row holds only a hook index; its cells query the model when they are drawn. So each of the ten
 * updates per second during a run only redraws what has changed. All rows have the same height, and
 * all columns have fixed widths, which this file measures. Otherwise GTK would lay out all rows, up
 * to fifty thousand, to find the sizes.
 */
#include "gui/plan/gilk-plan-views.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "core/plan/gilk-plan-rows.h"
#include "core/plan/gilk-plan-schedule.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-rows.h"
#include "gui/base/gilk-text.h"

struct _GilkPlanTable {
  GtkBox           parent_instance;

  GilkPlanModel   *model;
  GilkConnection  *connection;
  GilkPlanList    *list;
  GArray          *wanted;         /* guint, indices of the hooks to show */
  guint            grow_source;        /* idle source that adds the remaining rows */
  guint            search_source;        /* idle source that runs the pending search */
  gboolean         stale;          /* the rows in @list are out of date */
  char           **words;          /* search words; NULL: none */
  GtkListStore    *instruments;    /* instrument names, offered by the combo cells */

  /* Objects that the .ui template creates */
  GtkStack        *stack;
  GtkTreeView     *tree;
  GtkTreeViewColumn   *point_column, *where_column, *instrument_column, *start_column;
  GtkTreeViewColumn   *stop_column, *tactic_column, *hits_column, *lost_column;
  GtkCellRendererText *point_cell, *where_cell, *instrument_cell, *start_cell, *stop_cell;
  GtkCellRendererText *tactic_cell, *hits_cell, *lost_cell;
};

G_DEFINE_TYPE (GilkPlanTable, gilk_plan_table, GTK_TYPE_BOX)

static gboolean
get_index (GilkPlanTable *self, const char *path, guint *index)
{
  GtkTreeIter iter;

  if (!gtk_tree_model_get_iter_from_string (GTK_TREE_MODEL (self->list), &iter, path))
    return FALSE;
  gtk_tree_model_get (GTK_TREE_MODEL (self->list), &iter, 0, index, -1);

  return *index < gilk_plan_model_n_hooks (self->model);
}

/* Returns the tactic and the cost in instructions, such as "splice, +3"; the problem of a hook that
 * cannot be armed; or "…" while neither is known. (transfer full) */
static char *
format_status (const GilkHookStatus *status)
{
  if (status->problem != NULL)
    return g_strdup (status->problem);
  if (!status->bound)
    return g_strdup ("…");

  return g_strdup_printf (_("%s, +%u"), gilk_text_tactic (status->tactic), status->cost);
}

/* ---- contents of cells and tooltips ---- */

static char *
format_cell (GilkPlanTable       *self,
           GtkTreeViewColumn   *column,
           const GilkPlanHook  *hook,
           const GilkHookStatus *status)
{
  if (column == self->point_column)
    return gilk_text_hook (hook);
  if (column == self->where_column)
    return g_strdup (gilk_text_edge (hook));
  if (column == self->instrument_column)
    return g_strdup (hook->instrument);
  if (column == self->start_column)
    return gilk_plan_start_text (hook);
  if (column == self->stop_column)
    return hook->stop_ns != 0 ? gilk_plan_stop_text (hook) : g_strdup (_("end"));
  if (column == self->tactic_column)
    return format_status (status);
  if (!status->counted)
    return g_strdup ("–");

  return gilk_text_count (column == self->hits_column ? status->hits : status->lost);
}

static void
render_cell (GtkTreeViewColumn *column,
        GtkCellRenderer   *cell,
        GtkTreeModel      *model,
        GtkTreeIter       *iter,
        gpointer           user_data)
{
  GilkPlanTable *self = user_data;
  g_autofree char *text = NULL;
  const GilkHookStatus *status;
  guint index;

  gtk_tree_model_get (model, iter, 0, &index, -1);
  if (index >= gilk_plan_model_n_hooks (self->model))
    return;

  status = gilk_plan_model_status (self->model, index);
  text = format_cell (self, column, gilk_plan_model_hook (self->model, index), status);
  g_object_set (cell, "text", text, NULL);
  if (column == self->instrument_column)
    g_object_set (cell, "editable", gilk_plan_model_hook (self->model, index)->watch == NULL, NULL);
  if (column == self->tactic_column)
    g_object_set (cell, "style", status->problem != NULL ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL, NULL);
  if (column == self->lost_column)
    g_object_set (cell, "weight", status->lost > 0 ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL, NULL);
}

/* Returns a tooltip: the hook's problem or, if it has none, its label. If the hook will be in a
 * clone of the function, adds what a clone is, and why the hook cannot be a splice. */
static char *
make_tooltip (const GilkPlanHook   *hook,
            const GilkHookStatus *status)
{
  gboolean is_clone = status->bound && status->tactic == ILK_TACTIC_CLONE;

  if (status->problem != NULL)
    return g_strdup (status->problem);
  if (hook->watch != NULL && status->counted && status->missed > 0)
    return gilk_text_missed_accesses (status->missed);

  return g_strdup_printf ("%s%s%s%s", hook->label,
                          is_clone ? _("\nWhile the hook is live, calls run a patched copy of the function (clone): "
                                       "threads already inside the function are not counted until they enter it "
                                       "again.") : "",
                          is_clone && status->why_not_splice != 0 ? _("\nNo splice: ") : "",
                          is_clone && status->why_not_splice != 0
                          ? gilk_refusal_cause (status->why_not_splice) : "");
}

static gboolean
query_tooltip (GilkPlanTable *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  GtkTreeIter iter;
  GtkTreePath *path = NULL;
  const GilkHookStatus *status;
  g_autofree char *text = NULL;
  guint index;

  if (!gtk_tree_view_get_tooltip_context (self->tree, &x, &y, keyboard, NULL, &path, &iter))
    return FALSE;

  gtk_tree_model_get (GTK_TREE_MODEL (self->list), &iter, 0, &index, -1);
  gtk_tree_view_set_tooltip_row (self->tree, tooltip, path);
  gtk_tree_path_free (path);
  if (index >= gilk_plan_model_n_hooks (self->model))
    return FALSE;
  status = gilk_plan_model_status (self->model, index);
  text = make_tooltip (gilk_plan_model_hook (self->model, index), status);
  gtk_tooltip_set_text (tooltip, text);

  return TRUE;
}

/* ---- edits and selection by the user ---- */

static void
set_time (GilkPlanTable *self, const char *path, const char *text, gboolean is_stop)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *other = NULL, *typed = g_strstrip (g_strdup (is_stop && g_str_equal (text, _("end")) ? "" : text));
  const GilkPlanHook *hook;
  guint index;

  if (!get_index (self, path, &index))
    return;
  hook = gilk_plan_model_hook (self->model, index);
  other = is_stop ? gilk_plan_start_text (hook) : gilk_plan_stop_text (hook);
  if (!gilk_plan_model_enter_times (self->model, index, is_stop ? other : typed,
                                   is_stop ? typed : other != NULL ? other : "", &error))
    g_signal_emit_by_name (self, "failed", error);
}

static void
start_edited (GilkPlanTable *self, const char *path, const char *text)
{
  set_time (self, path, text, FALSE);
}

static void
stop_edited (GilkPlanTable *self, const char *path, const char *text)
{
  set_time (self, path, text, TRUE);
}

static void
instrument_edited (GilkPlanTable *self, const char *path, const char *text)
{
  guint index;

  if (get_index (self, path, &index) && text[0] != '\0')
    gilk_plan_model_set_instrument (self->model, index, text);
}

static int
find_selected (GilkPlanTable *self)
{
  GtkTreeIter iter;
  guint index;

  if (!gtk_tree_selection_get_selected (gtk_tree_view_get_selection (self->tree), NULL, &iter))
    return -1;
  gtk_tree_model_get (GTK_TREE_MODEL (self->list), &iter, 0, &index, -1);

  return index < gilk_plan_model_n_hooks (self->model) ? (int) index : -1;
}

void
gilk_plan_table_remove_selected (GilkPlanTable *self)
{
  const int index = find_selected (self);

  if (index >= 0)
    gilk_plan_model_remove (self->model, (guint) index);
}

void
gilk_plan_table_select (GilkPlanTable *self,
                        int            hook)
{
  if (hook < 0 || hook == find_selected (self))
    return;
  for (guint row = 0; row < gilk_plan_list_length (self->list); row++)
    if (gilk_plan_list_hook (self->list, row) == (guint) hook)
      {
        g_autoptr(GtkTreePath) path = gtk_tree_path_new_from_indices ((int) row, -1);

        gtk_tree_selection_select_path (gtk_tree_view_get_selection (self->tree), path);
        gtk_tree_view_scroll_to_cell (self->tree, path, NULL, FALSE, 0, 0);
        return;
      }
}

static void
selection_changed (GilkPlanTable *self)
{
  const int hook = self->model != NULL ? find_selected (self) : -1;

  if (hook >= 0)
    g_signal_emit_by_name (self, "selected", hook);
}

static void
act_on_row (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const int hook = find_selected (user_data);

  if (hook >= 0 && g_str_equal (g_action_get_name (G_ACTION (action)), "open"))
    g_signal_emit_by_name (user_data, "opened", hook);
  else
    gilk_plan_table_remove_selected (user_data);
}

static void
add_menu (GilkPlanTable *self)
{
  static const GActionEntry entries[] = { { "open", act_on_row }, { "remove", act_on_row } };
  g_autoptr(GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self->tree), "row", G_ACTION_GROUP (group));
  gilk_row_menu_add (self->tree, gilk_plan_row_menu ());
  g_signal_connect_object (gtk_tree_view_get_selection (self->tree), "changed", G_CALLBACK (selection_changed), self,
                           G_CONNECT_SWAPPED);
}

static gboolean
key_pressed (GilkPlanTable *self, GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_Delete && event->keyval != GDK_KEY_KP_Delete)
    return GDK_EVENT_PROPAGATE;
  gilk_plan_table_remove_selected (self);

  return GDK_EVENT_STOP;
}

static void
row_activated (GilkPlanTable *self, GtkTreePath *path, GtkTreeViewColumn *column)
{
  g_autofree char *text = gtk_tree_path_to_string (path);
  guint index;

  if (get_index (self, text, &index))
    g_signal_emit_by_name (self, "opened", (int) index);
}

/* ---- widths of columns ---- */

/* Widens @column to fit its title and @text. */
static void
widen_column (GilkPlanTable       *self,
       GtkTreeViewColumn   *column,
       GtkCellRendererText *cell,
       const char          *text)
{
  int title, wide;

  gtk_widget_get_preferred_width (gtk_tree_view_column_get_button (column), NULL, &title);
  g_object_set (cell, "text", text, NULL);
  gtk_cell_renderer_get_preferred_width (GTK_CELL_RENDERER (cell), GTK_WIDGET (self->tree), NULL, &wide);
  wide = MAX (MAX (title, wide), gtk_tree_view_column_get_min_width (column));
  if (gtk_tree_view_column_get_fixed_width (column) < wide)
    gtk_tree_view_column_set_fixed_width (column, wide);
}

/* Widens the columns to fit row @index, except for the columns of the point and the tactic, which
 * share the remaining width and are ellipsized. */
static void
widen_to_row (GilkPlanTable *self, guint index)
{
  const struct { GtkTreeViewColumn *column; GtkCellRendererText *cell; } columns[] = {
    { self->where_column, self->where_cell }, { self->instrument_column, self->instrument_cell },
    { self->start_column, self->start_cell }, { self->stop_column, self->stop_cell },
    { self->hits_column, self->hits_cell }, { self->lost_column, self->lost_cell },
  };
  const GilkHookStatus *status = gilk_plan_model_status (self->model, index);
  const GilkPlanHook *hook = gilk_plan_model_hook (self->model, index);

  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      g_autofree char *text = format_cell (self, columns[c].column, hook, status);

      widen_column (self, columns[c].column, columns[c].cell, text);
    }
}

/* ---- filling and updating the rows ---- */

/* Reports visible rows as changed, so that GTK redraws them and screen readers get the new figures.
 * @all: report all visible rows, not only those whose status has changed */
static void
emit_rows_changed (GilkPlanTable *self, gboolean all)
{
  GtkTreeModel *model = GTK_TREE_MODEL (self->list);
  GtkTreePath *path, *end;

  if (!gtk_tree_view_get_visible_range (self->tree, &path, &end))
    return;
  for (; gtk_tree_path_compare (path, end) <= 0; gtk_tree_path_next (path))
    {
      GtkTreeIter iter;
      guint index;

      if (!gtk_tree_model_get_iter (model, &iter, path))
        continue;
      gtk_tree_model_get (model, &iter, 0, &index, -1);
      if (index >= gilk_plan_model_n_hooks (self->model) ||
          !(all || gilk_plan_model_status_changed (self->model, index)))
        continue;
      gtk_tree_model_row_changed (model, path, &iter);
      widen_to_row (self, index);
    }
  gtk_tree_path_free (path);
  gtk_tree_path_free (end);
}

/* Rows added per iteration of the main loop: GtkTreeView takes about 50 us per row, mostly to
 * notify assistive technologies. */
#define ROWS_AT_ONCE    300
#define ROWS_MEASURED     40            /* number of rows whose widths are measured at first; other
                                         * rows are measured once visible */

static GArray *
find_hooks (GilkPlanTable *self)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  GArray *hooks = g_array_sized_new (FALSE, FALSE, sizeof (guint), plan->hooks->len);

  for (guint i = 0; i < plan->hooks->len; i++)
    if (gilk_plan_hook_matches (g_ptr_array_index (plan->hooks, i), self->words))
      g_array_append_val (hooks, i);

  return hooks;
}

/* Adds the next rows. Returns whether more remain. */
static gboolean
add_rows (GilkPlanTable *self)
{
  gilk_plan_list_set_rows (self->list, self->wanted, ROWS_AT_ONCE);

  return gilk_plan_list_length (self->list) < self->wanted->len;
}

static gboolean
add_rows_idle (gpointer user_data)
{
  GilkPlanTable *self = user_data;

  if (add_rows (self))
    return G_SOURCE_CONTINUE;
  self->grow_source = 0;

  return G_SOURCE_REMOVE;
}

static void
fill_table (GilkPlanTable *self)
{
  GArray *hooks = find_hooks (self);

  self->stale = FALSE;
  g_clear_handle_id (&self->grow_source, g_source_remove);
  g_clear_pointer (&self->wanted, g_array_unref);
  /* Rebuild the list if many rows must be removed, because removing rows one by one takes
   * longer. */
  if (gilk_plan_list_length (self->list) > hooks->len + ROWS_AT_ONCE)
    {
      g_object_unref (self->list);
      self->list = gilk_plan_list_new (g_array_new (FALSE, FALSE, sizeof (guint)));
      gtk_tree_view_set_model (self->tree, GTK_TREE_MODEL (self->list));
    }
  self->wanted = hooks;
  if (add_rows (self))
    self->grow_source = g_idle_add_full (G_PRIORITY_LOW, add_rows_idle, self, NULL);
  for (guint i = 0; i < MIN (gilk_plan_list_length (self->list), ROWS_MEASURED); i++)
    widen_to_row (self, gilk_plan_list_hook (self->list, i));
  emit_rows_changed (self, TRUE);
  gtk_widget_queue_draw (GTK_WIDGET (self->tree));
}

/* Fills the table with the plan's hooks. If the table is hidden, does so only when it becomes
 * visible. */
static void
update_table (GilkPlanTable *self)
{
  gtk_stack_set_visible_child_name (self->stack, gilk_plan_model_n_hooks (self->model) > 0 ? "table" : "empty");
  self->stale = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill_table (self);
}

static void
table_mapped (GilkPlanTable *self)
{
  if (self->stale)
    fill_table (self);
}

static gboolean
find_idle (gpointer user_data)
{
  GilkPlanTable *self = user_data;

  self->search_source = 0;
  update_table (self);

  return G_SOURCE_REMOVE;
}

/* Searches in an idle handler, because the schedule is searched at the same time. */
void
gilk_plan_table_search (GilkPlanTable *self,
                        const char    *text)
{
  g_strfreev (self->words);
  self->words = gilk_plan_search_words (text);
  self->stale = TRUE;
  if (self->search_source == 0)
    self->search_source = g_idle_add (find_idle, self);
}

static void
status_changed (GilkPlanTable *self)
{
  if (!self->stale)
    emit_rows_changed (self, FALSE);
}

static void
table_scrolled (GilkPlanTable *self)
{
  if (!self->stale)
    emit_rows_changed (self, TRUE);
}

static void
fill_instruments (GilkPlanTable *self)
{
  const char *const *names = gilk_connection_instruments (self->connection);

  gtk_list_store_clear (self->instruments);
  for (guint i = 0; names[i] != NULL; i++)
    gtk_list_store_insert_with_values (self->instruments, NULL, -1, 0, names[i], -1);
}

void
gilk_plan_table_set_model (GilkPlanTable  *self,
                           GilkPlanModel  *model,
                           GilkConnection *connection)
{
  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  g_signal_connect_object (model, "changed", G_CALLBACK (update_table), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "status-changed", G_CALLBACK (status_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (connection, "instruments-changed", G_CALLBACK (fill_instruments), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->tree)), "value-changed",
                           G_CALLBACK (table_scrolled), self, G_CONNECT_SWAPPED);
  g_signal_connect_after (self, "map", G_CALLBACK (table_mapped), NULL);
  fill_instruments (self);
  update_table (self);
}

/* Drops the model first: removing columns one by one would notify assistive technologies of each
 * cell. */
static void
gilk_plan_table_dispose (GObject *object)
{
  GilkPlanTable *self = GILK_PLAN_TABLE (object);

  g_clear_handle_id (&self->search_source, g_source_remove);
  g_clear_handle_id (&self->grow_source, g_source_remove);
  if (self->tree != NULL)
    gtk_tree_view_set_model (self->tree, NULL);
  G_OBJECT_CLASS (gilk_plan_table_parent_class)->dispose (object);
}

static void
gilk_plan_table_finalize (GObject *object)
{
  GilkPlanTable *self = GILK_PLAN_TABLE (object);

  g_clear_object (&self->model);
  g_clear_object (&self->connection);
  g_clear_pointer (&self->wanted, g_array_unref);
  g_clear_object (&self->list);
  g_strfreev (self->words);
  g_clear_object (&self->instruments);
  G_OBJECT_CLASS (gilk_plan_table_parent_class)->finalize (object);
}

static void
gilk_plan_table_class_init (GilkPlanTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_plan_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_plan_table_finalize;
  gilk_add_signal (klass, "opened", 1, G_TYPE_INT);
  gilk_add_signal (klass, "selected", 1, G_TYPE_INT);
  gilk_add_signal (klass, "failed", 1, G_TYPE_ERROR);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/plan-table.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, stack);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, tree);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, point_column);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, point_cell);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, where_column);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, where_cell);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, instrument_column);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, instrument_cell);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, start_column);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, start_cell);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, stop_column);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, stop_cell);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, tactic_column);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, tactic_cell);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, hits_column);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, hits_cell);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, lost_column);
  gtk_widget_class_bind_template_child (widget_class, GilkPlanTable, lost_cell);
  gtk_widget_class_bind_template_callback (widget_class, start_edited);
  gtk_widget_class_bind_template_callback (widget_class, stop_edited);
  gtk_widget_class_bind_template_callback (widget_class, instrument_edited);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed);
  gtk_widget_class_bind_template_callback (widget_class, query_tooltip);
}

static void
set_cell_func (GilkPlanTable       *self,
            GtkTreeViewColumn   *column,
            GtkCellRendererText *cell)
{
  gtk_tree_view_column_set_cell_data_func (column, GTK_CELL_RENDERER (cell), render_cell, self, NULL);
}

static void
gilk_plan_table_init (GilkPlanTable *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->list = gilk_plan_list_new (g_array_new (FALSE, FALSE, sizeof (guint)));
  self->instruments = gtk_list_store_new (1, G_TYPE_STRING);
  g_object_set (self->instrument_cell, "model", self->instruments, "text-column", 0, NULL);

  set_cell_func (self, self->point_column, self->point_cell);
  set_cell_func (self, self->where_column, self->where_cell);
  set_cell_func (self, self->instrument_column, self->instrument_cell);
  set_cell_func (self, self->start_column, self->start_cell);
  set_cell_func (self, self->stop_column, self->stop_cell);
  set_cell_func (self, self->tactic_column, self->tactic_cell);
  set_cell_func (self, self->hits_column, self->hits_cell);
  set_cell_func (self, self->lost_column, self->lost_cell);
  gtk_tree_view_set_model (self->tree, GTK_TREE_MODEL (self->list));
  add_menu (self);
}
