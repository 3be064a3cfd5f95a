/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-view.c - table of single samples of a hook, the first ones that match a condition
 */
#include "gui/results/gilk-results-tables.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/samples/gilk-rows.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-text.h"
#include "gui/session/gilk-session.h"

#define ROWS_MAX     5000
#define BAD_COLUMN          "bad" /* name of the column with the number of failed memory reads */
#define ROWS_EXAMINED    100      /* number of rows that are examined to find out whether a column
                                   * is numeric */
#define COLUMN_CHARS 10
#define FILL_MS      8

struct _GilkSamplesView {
  GtkBox          parent_instance;

  GtkEntry       *entry;
  GtkLabel       *count_label;
  GtkTreeView    *table;
  char           *path;
  GilkStoredHook *hook;
  double          from, to;
  GHashTable     *titles;          /* column name -> title of its field */
  GStrv           conditions;
  GCancellable   *reading;
  GilkRowsTable  *rows;          /* rows that are still being added to the table; NULL: all rows
                                  * have been added */
  guint           filled, filling;
};

G_DEFINE_TYPE (GilkSamplesView, gilk_samples_view, GTK_TYPE_BOX)

/* ---- filling the table ---- */

/* Compares two cells as numbers if both are numbers, otherwise as text. */
static int
compare_cells (GtkTreeModel *model,
               GtkTreeIter  *one,
               GtkTreeIter  *other,
               gpointer      column)
{
  g_autofree char *a = NULL, *b = NULL;
  char *end_a, *end_b;
  double x, y;

  gtk_tree_model_get (model, one, GPOINTER_TO_INT (column), &a, -1);
  gtk_tree_model_get (model, other, GPOINTER_TO_INT (column), &b, -1);
  x = g_ascii_strtod (a, &end_a);
  y = g_ascii_strtod (b, &end_b);
  if (*end_a == '\0' && *end_b == '\0' && *a != '\0' && *b != '\0')
    return (x > y) - (x < y);

  return strcmp (a, b);
}

static gboolean
has_numbers (const GilkRowsTable *table,
             int                  column)
{
  for (guint i = 0; i < MIN (table->rows->len, ROWS_EXAMINED); i++)
    {
      const char *text = ((GStrv) table->rows->pdata[i])[column];
      char *end = NULL;

      g_ascii_strtod (text, &end);
      if (*text != '\0' && *end != '\0')
        return FALSE;
    }

  return TRUE;
}

static gboolean
has_zeros (const GilkRowsTable *table,
           int                  column)
{
  for (guint i = 0; i < table->rows->len; i++)
    if (strcmp (((GStrv) table->rows->pdata[i])[column], "0") != 0)
      return FALSE;

  return TRUE;
}

static GtkListStore *
make_rows (const GilkRowsTable *table)
{
  guint n = g_strv_length (table->columns);
  g_autofree GType *types = g_new (GType, n);
  GtkListStore *rows;

  for (guint c = 0; c < n; c++)
    types[c] = G_TYPE_STRING;
  rows = gtk_list_store_newv ((int) n, types);
  for (guint c = 0; c < n; c++)
    gtk_tree_sortable_set_sort_func (GTK_TREE_SORTABLE (rows), (int) c, compare_cells, GINT_TO_POINTER (c), NULL);

  return rows;
}

static void
append_row (GtkListStore *rows,
            GStrv         row)
{
  guint n = g_strv_length (row);
  g_autofree int *columns = g_new (int, n);
  g_autofree GValue *values = g_new0 (GValue, n);

  for (guint c = 0; c < n; c++)
    {
      columns[c] = (int) c;
      g_value_init (&values[c], G_TYPE_STRING);
      g_value_set_static_string (&values[c], row[c]);
    }
  gtk_list_store_insert_with_valuesv (rows, NULL, -1, columns, values, (int) n);
}

/* Sets each column's title to its field's name in conditions, with the unit. */
static void
set_titles (GilkSamplesView *self,
            const GArray    *fields)
{
  g_hash_table_remove_all (self->titles);
  for (guint i = 0; fields != NULL && i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      g_hash_table_insert (self->titles, gilk_rows_column (field->column, field->unit),
                           *field->unit != '\0' ? g_strdup_printf ("%s (%s)", field->name, field->unit) : g_strdup (field->name));
    }
}

static void
add_column (GilkSamplesView     *self,
            const GilkRowsTable *table,
            int                  number)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  const char *name = table->columns[number], *title = g_hash_table_lookup (self->titles, name);
  GtkTreeViewColumn *column = gtk_tree_view_column_new_with_attributes (title != NULL ? title : name, cell, "text", number, NULL);

  if (has_numbers (table, number))
    {
      g_object_set (cell, "xalign", 1.0, NULL);
      gtk_tree_view_column_set_alignment (column, 1.0);
    }
  g_object_set (cell, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, "width-chars", COLUMN_CHARS, "family", "monospace", NULL);
  gtk_tree_view_column_set_sizing (column, GTK_TREE_VIEW_COLUMN_FIXED);
  gtk_tree_view_column_set_resizable (column, TRUE);
  gtk_tree_view_column_set_min_width (column, 80);
  gtk_tree_view_column_set_expand (column, TRUE);
  gtk_tree_view_column_set_sort_column_id (column, number);
  gtk_tree_view_append_column (self->table, column);
}

static void
show_count (GilkSamplesView       *self,
            const GilkRowsTable *table)
{
  g_autofree char *count = gilk_text_count (table->rows->len);
  g_autofree char *text = table->more
    ? g_strdup_printf (_("The first %s samples. Enter a condition or zoom into a time range to see others."), count)
    : table->rows->len == 0 ? g_strdup (_("No samples match."))
    : g_strdup_printf (g_dngettext (NULL, "%s sample", "%s samples", table->rows->len), count);

  gtk_label_set_text (self->count_label, text);
}

/* Adds rows for a limited time per call, because a screen reader is notified of each cell. Shows
 * the total number of rows at the end. */
static gboolean
fill_idle (gpointer data)
{
  GilkSamplesView *self = data;
  gint64 end = g_get_monotonic_time () + FILL_MS * 1000;

  while (self->filled < self->rows->rows->len && g_get_monotonic_time () < end)
    append_row (GTK_LIST_STORE (gtk_tree_view_get_model (self->table)), g_ptr_array_index (self->rows->rows, self->filled++));
  if (self->filled < self->rows->rows->len)
    return G_SOURCE_CONTINUE;

  show_count (self, self->rows);
  self->filling = 0;
  g_clear_pointer (&self->rows, gilk_rows_table_free);

  return G_SOURCE_REMOVE;
}

/* Takes ownership of @table. Omits the column with the hook, which would be the same in all
 * rows. */
static void
fill_table (GilkSamplesView *self,
            GilkRowsTable   *table)
{
  g_autoptr(GtkListStore) rows = make_rows (table);

  gtk_tree_view_set_model (self->table, NULL);
  while (gtk_tree_view_get_n_columns (self->table) > 0)
    gtk_tree_view_remove_column (self->table, gtk_tree_view_get_column (self->table, 0));
  for (int c = 1; table->columns[c] != NULL; c++)
    if (strcmp (table->columns[c], BAD_COLUMN) != 0 || !has_zeros (table, c))
      add_column (self, table, c);
  gtk_tree_view_set_fixed_height_mode (self->table, TRUE);
  gtk_tree_view_set_model (self->table, GTK_TREE_MODEL (rows));
  self->rows = table;
  self->filled = 0;
  self->filling = g_idle_add (fill_idle, self);
}

/* ---- reading samples ---- */

static void
mark_entry (GilkSamplesView *self,
            const char      *wrong)
{
  gtk_entry_set_icon_from_icon_name (self->entry, GTK_ENTRY_ICON_SECONDARY, wrong != NULL ? "dialog-error-symbolic" : NULL);
  if (wrong != NULL)
    gtk_entry_set_icon_tooltip_text (self->entry, GTK_ENTRY_ICON_SECONDARY, wrong);
}

static void
read_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GilkSamplesView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkRowsTable) table = gilk_session_samples_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->reading || self->reading == NULL)
    return;
  g_clear_object (&self->reading);
  mark_entry (self, error != NULL ? error->message : NULL);
  if (table == NULL)
    {
      gtk_tree_view_set_model (self->table, NULL);
      gtk_label_set_text (self->count_label, error->message);
      return;
    }
  fill_table (self, g_steal_pointer (&table));
}

/* Returns the conditions given by the caller and the typed condition. (transfer full) */
static GStrv
join_conditions (GilkSamplesView *self)
{
  GPtrArray *all = g_ptr_array_new ();

  for (guint i = 0; self->conditions != NULL && self->conditions[i] != NULL; i++)
    g_ptr_array_add (all, g_strdup (self->conditions[i]));
  if (gilk_samples_view_condition (self) != NULL)
    g_ptr_array_add (all, g_strdup (gilk_samples_view_condition (self)));
  g_ptr_array_add (all, NULL);

  return (GStrv) g_ptr_array_free (all, FALSE);
}

static void
stop_reading (GilkSamplesView *self)
{
  g_clear_handle_id (&self->filling, g_source_remove);
  g_clear_pointer (&self->rows, gilk_rows_table_free);
  gilk_cancel (&self->reading);
}

static void
read_samples (GilkSamplesView *self)
{
  g_auto(GStrv) conditions = NULL;

  stop_reading (self);
  if (self->hook == NULL)
    return;
  conditions = join_conditions (self);
  gtk_label_set_text (self->count_label, _("Reading samples…"));
  self->reading = g_cancellable_new ();
  gilk_session_samples_async (self->path, self->hook, self->from, self->to, (const char *const *) conditions, ROWS_MAX,
                              self->reading, read_cb, g_object_ref (self));
}

static void
condition_typed (GilkSamplesView *self)
{
  read_samples (self);
  g_signal_emit_by_name (self, "condition");
}

/* ---- functions for the owner of the view ---- */

const char *
gilk_samples_view_condition (GilkSamplesView *self)
{
  const char *text = gtk_entry_get_text (self->entry);

  return text[strspn (text, " \t")] != '\0' ? text : NULL;
}

void
gilk_samples_view_show (GilkSamplesView      *self,
                        const char           *path,
                        const GilkStoredHook *hook,
                        const GArray         *fields,
                        double                from,
                        double                to,
                        const char *const    *conditions)
{
  g_clear_pointer (&self->hook, gilk_stored_hook_free);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->conditions, g_strfreev);
  self->path = g_strdup (path);
  self->hook = hook != NULL ? gilk_stored_hook_copy (hook) : NULL;
  self->conditions = g_strdupv ((GStrv) conditions);
  set_titles (self, fields);
  self->from = from;
  self->to = to;
  read_samples (self);
}

/* ---- building the view, and GObject life cycle ---- */

static void
gilk_samples_view_dispose (GObject *object)
{
  GilkSamplesView *self = GILK_SAMPLES_VIEW (object);

  stop_reading (self);
  g_clear_pointer (&self->hook, gilk_stored_hook_free);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->conditions, g_strfreev);
  G_OBJECT_CLASS (gilk_samples_view_parent_class)->dispose (object);
}

static void
gilk_samples_view_finalize (GObject *object)
{
  g_hash_table_unref (GILK_SAMPLES_VIEW (object)->titles);
  G_OBJECT_CLASS (gilk_samples_view_parent_class)->finalize (object);
}

static void
gilk_samples_view_class_init (GilkSamplesViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_samples_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_samples_view_finalize;
  gilk_add_signal (klass, "condition", 0);
}

static void
add_head (GilkSamplesView *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (_("Samples with"));
  GtkWidget *entry = gtk_entry_new ();

  self->entry = GTK_ENTRY (entry);
  gtk_entry_set_placeholder_text (self->entry, _("condition, e.g. cpu == 1"));
  gtk_widget_set_tooltip_text (entry, _("FIELD == != < <= > >= VALUE; cpu and time (in seconds) are fields, too. Enter "
                                        "applies the condition"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), entry);
  atk_object_set_name (gtk_widget_get_accessible (entry), _("Sample condition"));
  gtk_style_context_add_class (gtk_widget_get_style_context (label), "dim-label");
  g_object_set (head, "margin", 10, NULL);
  gtk_box_pack_start (GTK_BOX (head), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (head), entry, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (self), head, FALSE, FALSE, 0);
  g_signal_connect_object (entry, "activate", G_CALLBACK (condition_typed), self, G_CONNECT_SWAPPED);
}

static void
gilk_samples_view_init (GilkSamplesView *self)
{
  GtkWidget *scroll = gtk_scrolled_window_new (NULL, NULL);
  GtkWidget *table = gtk_tree_view_new (), *told = gtk_label_new (NULL);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->from = self->to = NAN;
  self->titles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->table = GTK_TREE_VIEW (table);
  self->count_label = GTK_LABEL (told);
  add_head (self);
  gtk_tree_view_set_enable_search (self->table, FALSE);
  atk_object_set_name (gtk_widget_get_accessible (table), _("Samples"));
  gtk_container_add (GTK_CONTAINER (scroll), table);
  gtk_box_pack_start (GTK_BOX (self), scroll, TRUE, TRUE, 0);
  gtk_label_set_xalign (self->count_label, 0);
  gtk_label_set_line_wrap (self->count_label, TRUE);
  gtk_style_context_add_class (gtk_widget_get_style_context (told), "dim-label");
  g_object_set (told, "margin", 10, NULL);
  gtk_box_pack_start (GTK_BOX (self), told, FALSE, FALSE, 0);
  gtk_widget_show_all (GTK_WIDGET (self));
}
