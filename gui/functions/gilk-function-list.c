/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-list.c - list of the kernel's functions, filtered by typed text and by chips
 * (toggle buttons)
 *
 * Each keystroke ranks all matches, which takes some milliseconds; rows are created when they
 * become visible. Whether a function is hooked by the plan or was hit in a run is marked in the
 * list; a worker thread computes these marks (gilk-function-rows.h).
 */
#include "gui/functions/gilk-function-list.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/cfg/gilk-locate.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-rows.h"
#include "gui/base/gilk-text.h"
#include "gui/functions/gilk-function-rows.h"

#define GROW_MS   10         /* ms */
#define MARKS_DELAY_MS 700   /* ms from a change to the update of the marks; hit counts change
                              * several times a second */

struct _GilkFunctionList {
  GtkBox              parent_instance;

  GilkImage          *image;
  GilkFunctions      *functions;
  GilkPlanModel      *plan;
  GSettings          *settings;
  GilkFunctionMarks  *marks;         /* marks of all functions; NULL until they are computed */
  GilkFunctionModel  *model;
  GilkFunctionRows   *rows;
  GCancellable       *marking, *locating;
  guint               mark_source, grow_source;
  char               *pattern;
  const GilkFunction *current;
  gboolean            filling;       /* the widget itself, not the user, is changing the chips or
                                      * modules */

  /* Objects that the .ui template creates */
  GtkStack           *stack;
  GtkTreeView        *tree;
  GtkTreeViewColumn  *name_column, *mark_column;
  GtkLabel           *footer;
  GtkToggleButton    *chip_all, *chip_hookable, *chip_hooked, *chip_hot, *chip_recent;
  GtkComboBoxText    *modules;
};

G_DEFINE_TYPE (GilkFunctionList, gilk_function_list, GTK_TYPE_BOX)

/* Well-known entry points into the kernel. "|" separates alternative names, which depend on the
 * kernel. */
static const char *const known_names[] = {
  "vfs_read", "vfs_write", "do_sys_openat2|do_sys_open", "pipe_write|anon_pipe_write", "pipe_read|anon_pipe_read", "tcp_sendmsg",
  "tcp_v4_rcv", "ip_rcv", "try_to_wake_up", "handle_mm_fault", "submit_bio_noacct", "do_syscall_64",
};

static void
collect_first (const GilkFunctionMarks *marks,
               GilkFunctions           *functions,
               GHashTable              *first)
{
  for (guint i = 0; i < marks->recent->len; i++)
    g_hash_table_add (first, marks->recent->pdata[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (known_names); i++)
    {
      const GilkFunction *function = gilk_functions_lookup (functions, known_names[i], NULL);

      if (function != NULL && function->refusal == 0)
        g_hash_table_add (first, (gpointer) function);
    }
}

/* Moves recently opened and well-known functions to the front of @found, because the alphabetically
 * first functions are rarely useful. */
static void
promote_known (const GilkFunctionMarks *marks,
               GilkFunctions           *functions,
               GilkFound               *found)
{
  g_autoptr(GHashTable) first = g_hash_table_new (g_direct_hash, g_direct_equal);
  g_autofree guint *others = g_new (guint, found->n_rows + 1);
  guint n = 0, n_others = 0;

  collect_first (marks, functions, first);
  for (guint i = 0; i < found->n_rows; i++)
    if (g_hash_table_contains (first, gilk_finder_row (marks->finder, found->rows[i], NULL)))
      found->rows[n++] = found->rows[i];
    else
      others[n_others++] = found->rows[i];
  memcpy (found->rows + n, others, n_others * sizeof *others);
}

/* ---- filtering by typed text and chips ---- */

static void
show_footer (GilkFunctionList *self, const char *problem)
{
  g_autofree char *text = NULL, *total = NULL, *count = NULL;
  guint all = 0, shown = self->model != NULL ? gilk_function_model_length (self->model) : 0;

  gilk_functions_all (self->functions, &all);
  total = gilk_text_count (all);
  count = gilk_text_count (shown);
  if (problem != NULL)
    text = g_strdup (problem);
  else if (shown == 0)
    text = g_strdup_printf (_("No match in %s functions"), total);
  else if (shown == all)
    text = g_strdup_printf (_("%s functions; type to narrow"), total);
  else
    text = g_strdup_printf (_("%s of %s functions"), count, total);
  gtk_label_set_text (self->footer, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->footer), problem);
}

static gboolean
grow_model (gpointer user_data)
{
  GilkFunctionList *self = user_data;

  if (gilk_function_model_grow (self->model))
    return G_SOURCE_CONTINUE;
  self->grow_source = 0;

  return G_SOURCE_REMOVE;
}

/* Shows @model (transfer full) (nullable), and adds its remaining rows step by step. */
static void
set_model (GilkFunctionList *self, GilkFunctionModel *model)
{
  g_autoptr(GilkFunctionModel) before = self->model;

  g_clear_handle_id (&self->grow_source, g_source_remove);
  gtk_tree_view_set_model (self->tree, NULL);
  self->model = model;
  if (model != NULL)
    {
      gtk_tree_view_set_model (self->tree, GTK_TREE_MODEL (model));
      self->grow_source = g_timeout_add_full (G_PRIORITY_LOW, GROW_MS, grow_model, self, NULL);
    }
}

static uint8_t
get_wanted_marks (GilkFunctionList *self)
{
  const struct { GtkToggleButton *chip; uint8_t mark; } chips[] = {
    { self->chip_hookable, GILK_MARK_HOOKABLE }, { self->chip_hooked, GILK_MARK_HOOKED },
    { self->chip_hot, GILK_MARK_HOT }, { self->chip_recent, GILK_MARK_RECENT },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (chips); i++)
    if (gtk_toggle_button_get_active (chips[i].chip))
      return chips[i].mark;

  return 0;
}

static guint
get_wanted_module (GilkFunctionList *self)
{
  const char *id = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->modules));

  return id == NULL || *id == '\0' ? GILK_ANY_MODULE : (guint) g_ascii_strtoull (id, NULL, 10);
}

static void
label_chip (GtkToggleButton *chip, const char *name, guint count, gboolean counted)
{
  g_autofree char *number = gilk_text_count (count);
  g_autofree char *text = counted ? g_strdup_printf ("%s %s", name, number) : g_strdup (name);

  if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (chip)), text) != 0)
    gtk_button_set_label (GTK_BUTTON (chip), text);
}

/* Shows on each chip (filter button) how many matching functions have the mark by which the chip
 * filters. */
static void
show_counts (GilkFunctionList *self,
             const GilkFound  *found)
{
  label_chip (self->chip_all, _("All"), 0, FALSE);
  label_chip (self->chip_hookable, _("Can be hooked"), 0, FALSE);
  label_chip (self->chip_hooked, _("Hooked"), found->n_marked[1], self->marks->n_with_bit[1] > 0);
  label_chip (self->chip_hot, _("Hot"), found->n_marked[2], self->marks->n_with_bit[2] > 0);
  label_chip (self->chip_recent, _("Recent"), found->n_marked[3], self->marks->n_with_bit[3] > 0);
}

static void
show_names (GilkFunctionList *self)
{
  GilkFinderQuery query = {
    .typed = self->pattern, .marks = self->marks->bits, .wanted = get_wanted_marks (self), .module = get_wanted_module (self),
  };
  g_autoptr(GilkFound) found = gilk_finder_find (self->marks->finder, &query);

  show_counts (self, found);
  /* While nothing is typed, functions that were hit are sorted by hits, and recently opened ones by
   * time. */
  if (*self->pattern == '\0' && query.wanted == GILK_MARK_HOT)
    set_model (self, gilk_function_model_new_ordered (self->marks->hot, query.module));
  else if (*self->pattern == '\0' && query.wanted == GILK_MARK_RECENT)
    set_model (self, gilk_function_model_new_ordered (self->marks->recent, query.module));
  else
    {
      if (*self->pattern == '\0')
        promote_known (self->marks, self->functions, found);
      set_model (self, gilk_function_model_new_found (self->marks->finder, g_steal_pointer (&found)));
    }
  show_footer (self, NULL);
}

/* ---- typed addresses and source lines ---- */

static void
show_rows (GilkFunctionList *self, GArray *rows, const char *problem)
{
  set_model (self, gilk_function_model_new_rows (rows));
  show_footer (self, problem);
}

static void
show_location (GilkFunctionList *self)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (GilkFunctionRow));
  g_autoptr(GError) error = NULL;
  GilkLocated place;

  if (gilk_locate (self->functions, self->pattern, &place, &error))
    {
      GilkFunctionRow row = { place.function, place.function->name, place.addr };

      g_array_append_val (rows, row);
    }
  show_rows (self, rows, error != NULL ? error->message : NULL);
}

static void
lines_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkFunctionList) self = user_data;
  g_autofree char *message = NULL;
  GArray *rows = gilk_function_lines_finish (result, &message);

  if (g_task_get_cancellable (G_TASK (result)) != self->locating)
    {
      g_array_unref (rows);
      return;
    }
  g_clear_object (&self->locating);
  show_rows (self, rows, message);
}

static void
show_source_line (GilkFunctionList *self)
{
  self->locating = g_cancellable_new ();
  gilk_function_lines_async (self->functions, self->image, self->pattern, self->locating, lines_cb, g_object_ref (self));
  show_footer (self, _("Locating its code…"));
}

/* ---- updating the rows ---- */

static void
select_current (GilkFunctionList *self,
                gboolean          reveal)
{
  GtkTreeSelection *selection = gtk_tree_view_get_selection (self->tree);
  int index = self->current != NULL && self->model != NULL ? gilk_function_model_index (self->model, self->current) : -1;
  g_autoptr(GtkTreePath) path = NULL;

  gtk_tree_selection_unselect_all (selection);
  if (index < 0)
    return;
  path = gtk_tree_path_new_from_indices (index, -1);
  gtk_tree_selection_select_path (selection, path);
  if (reveal)
    gtk_tree_view_scroll_to_cell (self->tree, path, NULL, FALSE, 0, 0);
}

static void
refresh_rows (GilkFunctionList *self)
{
  GilkLocateKind kind = gilk_locate_kind (self->pattern);

  gilk_cancel (&self->locating);
  if (self->functions == NULL || self->marks == NULL)
    return;
  if (kind == GILK_LOCATE_NONE)
    show_names (self);
  if (kind == GILK_LOCATE_LINE ||
      (kind == GILK_LOCATE_NONE && *self->pattern != '\0' && gilk_function_model_length (self->model) == 0))
    show_source_line (self);
  else if (kind != GILK_LOCATE_NONE)
    show_location (self);
  select_current (self, FALSE);
}

void
gilk_function_list_set_pattern (GilkFunctionList *self,
                                const char       *pattern)
{
  char *was = self->pattern;

  self->pattern = g_strdup (pattern);
  g_free (was);
  gilk_function_rows_set_typed (self->rows, pattern);
  refresh_rows (self);
}

static void
filter_changed (GilkFunctionList *self)
{
  if (!self->filling)
    refresh_rows (self);
}

/* Applies the filter of @chip (a filter button) if it was switched on. Ignores a chip that was
 * switched off, because another one was switched on in its place. */
static void
chip_toggled (GilkFunctionList *self,
              GtkToggleButton  *chip)
{
  if (gtk_toggle_button_get_active (chip))
    filter_changed (self);
}

/* ---- loading the marks of functions ---- */

static void
fill_modules (GilkFunctionList *self)
{
  GilkSymbols *symbols = gilk_image_symbols (self->image);
  guint n = gilk_symbols_n_modules (symbols), count;
  const GilkFunction *all = gilk_functions_all (self->functions, &count);
  guint last = 0;

  for (guint i = 0; i < count; i++)
    last = MAX (last, all[i].module);
  self->filling = TRUE;
  gtk_combo_box_text_remove_all (self->modules);
  gtk_combo_box_text_append (self->modules, "", _("All modules"));
  for (guint i = 0; i < n && i <= last; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      g_autofree char *number = gilk_text_count (self->marks->n_in_module[i]);
      g_autofree char *text = g_strdup_printf ("%s (%s)", gilk_symbols_module (symbols, i), number);

      if (self->marks->n_in_module[i] > 0)
        gtk_combo_box_text_append (self->modules, id, text);
    }
  gtk_combo_box_set_active (GTK_COMBO_BOX (self->modules), 0);
  self->filling = FALSE;
}

static void
marks_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkFunctionList) self = user_data;
  GilkFunctionMarks *marks = gilk_function_marks_load_finish (result, NULL);
  gboolean first = self->marks == NULL;

  if (g_task_get_cancellable (G_TASK (result)) != self->marking || marks == NULL)
    {
      gilk_function_marks_free (marks);
      return;
    }
  g_clear_object (&self->marking);
  gilk_function_marks_free (self->marks);
  self->marks = marks;
  gilk_function_rows_set_marks (self->rows, marks);
  if (first)
    fill_modules (self);
  if (first || get_wanted_marks (self) > GILK_MARK_HOOKABLE)
    {
      refresh_rows (self);
      return;
    }
  /* Only the marks have changed: redraw instead of filling the list again, to keep the scroll
   * position and the selection. */
  if (gilk_locate_kind (self->pattern) == GILK_LOCATE_NONE)
    {
      const GilkFinderQuery query = { .typed = self->pattern, .marks = marks->bits, .module = get_wanted_module (self) };
      g_autoptr(GilkFound) found = gilk_finder_find (marks->finder, &query);

      show_counts (self, found);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self->tree));
}

static void
load_marks (GilkFunctionList *self)
{
  g_auto(GStrv) recent = self->settings != NULL ? g_settings_get_strv (self->settings, "recent-functions") : NULL;

  g_clear_handle_id (&self->mark_source, g_source_remove);
  gilk_cancel (&self->marking);
  if (self->functions == NULL || self->plan == NULL)
    return;
  self->marking = g_cancellable_new ();
  gilk_function_marks_load_async (self->functions, self->plan, (const char *const *) recent, self->marking, marks_cb,
                                  g_object_ref (self));
}

static gboolean
load_marks_now (gpointer user_data)
{
  GilkFunctionList *self = user_data;

  self->mark_source = 0;
  load_marks (self);

  return G_SOURCE_REMOVE;
}

static void
load_marks_soon (GilkFunctionList *self)
{
  if (self->mark_source == 0)
    self->mark_source = g_timeout_add (MARKS_DELAY_MS, load_marks_now, self);
}

void
gilk_function_list_set_plan (GilkFunctionList *self,
                             GilkPlanModel    *plan,
                             GSettings        *settings)
{
  self->plan = g_object_ref (plan);
  self->settings = g_object_ref (settings);
  g_signal_connect_object (plan, "changed", G_CALLBACK (load_marks_soon), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (plan, "status-changed", G_CALLBACK (load_marks_soon), self, G_CONNECT_SWAPPED);
}

/* Returns whether @function is an element of @functions. It may not be while the user changes to
 * another target: then a function of the new kernel may be open before that kernel's functions are
 * listed. */
static gboolean
is_listed (GilkFunctions      *functions,
           const GilkFunction *function)
{
  guint count;
  const GilkFunction *all = functions != NULL ? gilk_functions_all (functions, &count) : NULL;

  return all != NULL && function >= all && function < all + count;
}

void
gilk_function_list_forget_shares (GilkFunctionList *self)
{
  gilk_function_rows_forget_shares (self->rows);
}

void
gilk_function_list_set_functions (GilkFunctionList *self,
                                  GilkImage        *image,
                                  GilkFunctions    *functions)
{
  if (functions == self->functions)
    return;

  if (!is_listed (functions, self->current))
    self->current = NULL;
  set_model (self, NULL);
  gilk_function_rows_set_functions (self->rows, functions, image);
  g_clear_pointer (&self->marks, gilk_function_marks_free);
  g_clear_pointer (&self->functions, gilk_functions_unref);
  g_clear_pointer (&self->image, gilk_image_unref);
  self->functions = functions != NULL ? gilk_functions_ref (functions) : NULL;
  self->image = image != NULL ? gilk_image_ref (image) : NULL;
  gtk_stack_set_visible_child_name (self->stack, functions != NULL ? "list" : "empty");
  gtk_widget_set_visible (GTK_WIDGET (self->footer), functions != NULL);
  load_marks (self);
}

void
gilk_function_list_set_current (GilkFunctionList   *self,
                                const GilkFunction *function)
{
  gboolean same = function == self->current;

  self->current = function;
  if (!same && self->settings != NULL && is_listed (self->functions, function))
    {
      gilk_function_marks_remember (self->settings, self->functions, function);
      load_marks_soon (self);
    }
  select_current (self, FALSE);
}

/* ---- opening the function of a row ---- */

static void
activate_row (GilkFunctionList *self,
              guint             index)
{
  GilkFunctionRow row = gilk_function_model_row (self->model, index);

  g_signal_emit_by_name (self, "activated", row.function, row.addr);
}

gboolean
gilk_function_list_activate_first (GilkFunctionList *self)
{
  if (self->model == NULL || gilk_function_model_length (self->model) == 0)
    return FALSE;
  activate_row (self, 0);

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
  activate_row (self, (guint) gtk_tree_path_get_indices (path)[0]);
}

/* ---- context menu of a row ---- */

static int
get_cursor_row (GilkFunctionList *self)
{
  g_autoptr(GtkTreePath) path = NULL;

  gtk_tree_view_get_cursor (self->tree, &path, NULL);

  return path != NULL && self->model != NULL ? gtk_tree_path_get_indices (path)[0] : -1;
}

static void
act_on_row (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GilkFunctionList *self = user_data;
  const int row = get_cursor_row (self);

  if (row >= 0 && g_str_equal (g_action_get_name (G_ACTION (action)), "open"))
    activate_row (self, (guint) row);
  else if (row >= 0)
    gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self), GDK_SELECTION_CLIPBOARD),
                            gilk_function_model_row (self->model, (guint) row).name, -1);
}

static void
add_menu (GilkFunctionList *self)
{
  static const GActionEntry entries[] = { { "open", act_on_row }, { "copy", act_on_row } };
  g_autoptr(GSimpleActionGroup) group = g_simple_action_group_new ();
  GMenu *menu = g_menu_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self->tree), "row", G_ACTION_GROUP (group));
  gilk_row_menu_append_item (menu, _("_Show Graph"), "row.open", "Return");
  gilk_row_menu_append_item (menu, _("_Copy Name"), "row.copy", NULL);
  gilk_row_menu_add (self->tree, G_MENU_MODEL (menu));
}

/* ---- GObject life cycle ---- */

static void
gilk_function_list_dispose (GObject *object)
{
  GilkFunctionList *self = GILK_FUNCTION_LIST (object);

  self->filling = TRUE;              /* ignore signals of children being destroyed */
  g_clear_handle_id (&self->mark_source, g_source_remove);
  gilk_cancel (&self->marking);
  gilk_cancel (&self->locating);
  g_clear_handle_id (&self->grow_source, g_source_remove);
  /* Detach the model: otherwise GTK would update each row when a column is removed. */
  if (self->model != NULL)
    gtk_tree_view_set_model (self->tree, NULL);
  g_clear_object (&self->model);
  gilk_function_rows_set_functions (self->rows, NULL, NULL);
  g_clear_object (&self->plan);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (gilk_function_list_parent_class)->dispose (object);
}

static void
gilk_function_list_finalize (GObject *object)
{
  GilkFunctionList *self = GILK_FUNCTION_LIST (object);

  gilk_function_rows_free (self->rows);
  gilk_function_marks_free (self->marks);
  g_clear_pointer (&self->functions, gilk_functions_unref);
  g_clear_pointer (&self->image, gilk_image_unref);
  g_free (self->pattern);
  G_OBJECT_CLASS (gilk_function_list_parent_class)->finalize (object);
}

static void
gilk_function_list_class_init (GilkFunctionListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_function_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_function_list_finalize;
  gilk_add_signal (klass, "activated", 2, G_TYPE_POINTER, G_TYPE_UINT64);

  g_type_ensure (GILK_TYPE_HOOKABLE_CELL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/function-list.ui");
#define BIND(field) gtk_widget_class_bind_template_child (widget_class, GilkFunctionList, field)
  BIND (stack);
  BIND (tree);
  BIND (name_column);
  BIND (mark_column);
  BIND (footer);
  BIND (chip_all);
  BIND (chip_hookable);
  BIND (chip_hooked);
  BIND (chip_hot);
  BIND (chip_recent);
  BIND (modules);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
  gtk_widget_class_bind_template_callback (widget_class, chip_toggled);
  gtk_widget_class_bind_template_callback (widget_class, filter_changed);
}

static void
gilk_function_list_init (GilkFunctionList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_menu (self);
  self->pattern = g_strdup ("");
  self->rows = gilk_function_rows_new (self->tree, self->name_column, self->mark_column);
}
