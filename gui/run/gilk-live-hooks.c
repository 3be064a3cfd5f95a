/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-live-hooks.c - list of the hooks of the run in progress, with search, sorting and selection
 */
#include "gui/run/gilk-target-poll.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"
#include "gui/base/gilk-rows.h"
#include "gui/base/gilk-text.h"

#define ROWS_MORE 1500           /* maximum number of hooks, and of rows, that one update adds to
                                  * the list */
#define SELECTED_MAX 1000

enum { HOOK, HITS, RATE, LOST, N_COLUMNS };

typedef struct {
  char    *name, *folded;        /* @folded: @name, case-folded for the search */
  gboolean known;                /* whether @hits is known */
  uint64_t hits, lost;
  double   rate;
} Hook;

struct _GilkLiveHooks {
  GtkBox             parent_instance;

  GtkEntry          *search;
  GtkTreeView       *tree;
  GtkTreeViewColumn *columns[N_COLUMNS];
  GtkLabel          *count_label;
  GilkPlanList      *rows;
  GArray            *hooks;      /* Hook */
  GHashTable        *names;      /* set of the names of @hooks; the strings belong to @hooks */
  GArray            *selected;   /* guint, ascending */
  char              *wanted;     /* case-folded search text; "": show all */
  int                by;         /* sort column */
  gboolean           upwards, selecting;
  gboolean           pointed;    /* whether the pointer is over the rows */
};

G_DEFINE_TYPE (GilkLiveHooks, gilk_live_hooks, GTK_TYPE_BOX)

static const Hook *
get_hook (const GilkLiveHooks *self, guint hook)
{
  return &g_array_index (self->hooks, Hook, hook);
}

static void
clear_hook (gpointer data)
{
  g_free (((Hook *) data)->name);
  g_free (((Hook *) data)->folded);
}

/* ---- sorting, filtering and showing rows ---- */

/* Compares by the sort column, then by the order of the plan. */
static int
compare_hooks (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GilkLiveHooks *self = user_data;
  guint i = *(const guint *) a, j = *(const guint *) b;
  const Hook *one = get_hook (self, i), *other = get_hook (self, j);
  int order = 0;

  if (self->by == HITS)
    order = (one->hits > other->hits) - (one->hits < other->hits);
  else if (self->by == RATE)
    order = (one->rate > other->rate) - (one->rate < other->rate);
  else if (self->by == LOST)
    order = (one->lost > other->lost) - (one->lost < other->lost);
  if (order == 0)
    return i < j ? -1 : i > j;

  return self->upwards ? order : -order;
}

static GArray *
sort_hooks (const GilkLiveHooks *self)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->hooks->len; i++)
    if (self->wanted[0] == '\0' || strstr (get_hook (self, i)->folded, self->wanted) != NULL)
      g_array_append_val (rows, i);
  if (self->by != HOOK)
    g_array_sort_with_data (rows, compare_hooks, (gpointer) self);
  else if (self->upwards)
    for (guint i = 0; i < rows->len / 2; i++)
      {
        guint *one = &g_array_index (rows, guint, i), *other = &g_array_index (rows, guint, rows->len - 1 - i), kept = *one;

        *one = *other;
        *other = kept;
      }

  return rows;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint one = *(const guint *) a, other = *(const guint *) b;

  return one < other ? -1 : one > other;
}

static gboolean
is_selected (const GilkLiveHooks *self, guint hook)
{
  return g_array_binary_search (self->selected, &hook, compare_numbers, NULL);
}

/* Restores the selection after the rows changed. Hooks that are filtered out stay selected. */
static void
restore_selection (GilkLiveHooks *self)
{
  GtkTreeSelection *selection = gtk_tree_view_get_selection (self->tree);

  self->selecting = TRUE;
  gtk_tree_selection_unselect_all (selection);
  for (guint row = 0; self->selected->len > 0 && row < gilk_plan_list_length (self->rows); row++)
    if (is_selected (self, gilk_plan_list_hook (self->rows, row)))
      {
        g_autoptr(GtkTreePath) path = gtk_tree_path_new_from_indices ((int) row, -1);

        gtk_tree_selection_select_path (selection, path);
      }
  self->selecting = FALSE;
}

static void
show_count (GilkLiveHooks *self)
{
  guint n = gilk_plan_list_length (self->rows);
  g_autofree char *shown = gilk_text_count (n), *all = gilk_text_count (self->hooks->len), *text = NULL;

  if (self->wanted[0] != '\0')
    text = n == 0 ? g_strdup (_("No hook matches.")) : g_strdup_printf (_("%s of %s hooks"), shown, all);
  else
    text = g_strdup_printf (g_dngettext (NULL, "%s hook", "%s hooks", self->hooks->len), all);
  gtk_label_set_text (self->count_label, text);
}

/* Reports the visible rows as changed, so that the view redraws them and screen readers get the new
 * figures. */
static void
notify_rows (GilkLiveHooks *self)
{
  g_autoptr(GtkTreePath) first = NULL, last = NULL;

  if (!gtk_tree_view_get_visible_range (self->tree, &first, &last))
    return;
  for (int row = gtk_tree_path_get_indices (first)[0]; row <= gtk_tree_path_get_indices (last)[0]; row++)
    gilk_row_model_changed (GILK_ROW_MODEL (self->rows), (guint) row);
}

static void
show_sort_order (GilkLiveHooks *self)
{
  for (int i = 0; i < N_COLUMNS; i++)
    {
      gtk_tree_view_column_set_sort_indicator (self->columns[i], i == self->by);
      gtk_tree_view_column_set_sort_order (self->columns[i], self->upwards == (self->by != HOOK) ? GTK_SORT_ASCENDING
                                                                                                 : GTK_SORT_DESCENDING);
    }
}

/* Replaces the model by an empty one, because removing many rows one by one is slow. */
static void
reset_rows (GilkLiveHooks *self)
{
  gtk_tree_view_set_model (self->tree, NULL);
  g_clear_object (&self->rows);
  self->rows = gilk_plan_list_new (g_array_new (FALSE, FALSE, sizeof (guint)));
  gtk_tree_view_set_model (self->tree, GTK_TREE_MODEL (self->rows));
  show_sort_order (self);
}

static void
arrange_rows (GilkLiveHooks *self)
{
  g_autoptr(GArray) rows = sort_hooks (self);

  self->selecting = TRUE;
  if (gilk_plan_list_length (self->rows) > rows->len + ROWS_MORE)
    reset_rows (self);
  gilk_plan_list_set_rows (self->rows, rows, ROWS_MORE);
  restore_selection (self);
  notify_rows (self);
  show_count (self);
}

/* ---- updating the figures of hooks ---- */

/* Returns a name such as "pipe_write +0x0 pre". Adds the label if another hook has the same name.
 * (transfer full) */
static char *
make_name (GilkLiveHooks *self, const GilkPlanHook *hook)
{
  g_autofree char *point = gilk_text_hook (hook);
  g_autofree char *name = !gilk_plan_hook_has_graph (hook) ? g_strdup (point) : g_strdup_printf ("%s %s", point, gilk_text_edge (hook));

  return g_hash_table_contains (self->names, name) ? g_strdup_printf ("%s · %s", name, hook->label) : g_steal_pointer (&name);
}

const char *
gilk_live_hooks_name (GilkLiveHooks *self,
                      guint          hook)
{
  return hook < self->hooks->len ? get_hook (self, hook)->name : "";
}

static void
add_new_hooks (GilkLiveHooks *self, const GilkBoundPlan *bound)
{
  guint until = MIN (bound->hooks->len, self->hooks->len + ROWS_MORE);

  for (guint i = self->hooks->len; i < until; i++)
    {
      Hook hook = { .name = make_name (self, g_array_index (bound->hooks, GilkBoundHook, i).hook), .known = TRUE };

      g_hash_table_add (self->names, hook.name);
      hook.folded = g_utf8_casefold (hook.name, -1);
      g_array_append_val (self->hooks, hook);
    }
}

void
gilk_live_hooks_update (GilkLiveHooks        *self,
                        const GilkBoundPlan  *bound,
                        const GilkRunFigures *figures)
{
  guint had = self->hooks->len;
  gboolean lost = FALSE;

  add_new_hooks (self, bound);
  for (guint i = 0; figures != NULL && i < MIN (figures->n_hooks, self->hooks->len); i++)
    {
      Hook *hook = &g_array_index (self->hooks, Hook, i);
      const GilkHookFigures *now = &figures->hooks[i];

      hook->known = now->hits_known;
      hook->hits = now->hits;
      hook->rate = now->rate;
      hook->lost = now->lost;
      lost = lost || now->lost > 0;
    }
  gtk_tree_view_column_set_visible (self->columns[LOST], lost);
  /* Do not sort the rows again while the pointer or the focus is in the list: the user may be about
   * to select a row. */
  if (had != self->hooks->len || (!self->pointed && !gtk_widget_has_focus (GTK_WIDGET (self->tree))))
    arrange_rows (self);
  else
    notify_rows (self);
}

void
gilk_live_hooks_clear (GilkLiveHooks *self)
{
  g_hash_table_remove_all (self->names);
  g_array_set_size (self->hooks, 0);
  g_array_set_size (self->selected, 0);
  arrange_rows (self);
}

const GArray *
gilk_live_hooks_selected (GilkLiveHooks *self)
{
  return self->selected;
}

guint
gilk_live_hooks_n_hit (GilkLiveHooks *self)
{
  guint n = 0;

  for (guint i = 0; i < self->hooks->len; i++)
    n += get_hook (self, i)->hits > 0;

  return n;
}

/* ---- user input ---- */

static void
selection_changed (GilkLiveHooks *self)
{
  GtkTreeSelection *selection = gtk_tree_view_get_selection (self->tree);
  GList *paths;

  if (self->selecting)
    return;
  g_array_set_size (self->selected, 0);
  paths = gtk_tree_selection_get_selected_rows (selection, NULL);
  for (GList *path = paths; path != NULL && self->selected->len < SELECTED_MAX; path = path->next)
    {
      guint hook = gilk_plan_list_hook (self->rows, (guint) gtk_tree_path_get_indices (path->data)[0]);

      g_array_append_val (self->selected, hook);
    }
  g_list_free_full (paths, (GDestroyNotify) gtk_tree_path_free);
  g_array_sort (self->selected, compare_numbers);
  g_signal_emit_by_name (self, "chosen");
}

static void
search_changed (GilkLiveHooks *self)
{
  g_autofree char *typed = g_strstrip (g_strdup (gtk_entry_get_text (self->search)));

  g_free (self->wanted);
  self->wanted = g_utf8_casefold (typed, -1);
  arrange_rows (self);
}

static void
column_clicked (GtkTreeViewColumn *column, GilkLiveHooks *self)
{
  int by = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "column"));

  self->upwards = by == self->by && !self->upwards;
  self->by = by;
  show_sort_order (self);
  arrange_rows (self);
}

/* Handles Escape: clears the selection, so that the plots show the busiest hooks again. */
static gboolean
key_pressed (GilkLiveHooks *self, GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_Escape || self->selected->len == 0)
    return GDK_EVENT_PROPAGATE;
  gtk_tree_selection_unselect_all (gtk_tree_view_get_selection (self->tree));

  return GDK_EVENT_STOP;
}

/* Notes whether the pointer is over the rows. */
static gboolean
pointer_crossed (GilkLiveHooks *self, GdkEventCrossing *event)
{
  if (event->detail != GDK_NOTIFY_INFERIOR)
    self->pointed = event->type == GDK_ENTER_NOTIFY;

  return GDK_EVENT_PROPAGATE;
}

/* A list that is hidden under the pointer gets no leave event. */
static void
tree_unmapped (GilkLiveHooks *self)
{
  self->pointed = FALSE;
}

/* ---- rendering cells ---- */

static void
render_cell (GtkTreeViewColumn *column, GtkCellRenderer *cell, GtkTreeModel *model, GtkTreeIter *iter, gpointer user_data)
{
  GilkLiveHooks *self = user_data;
  guint index = gilk_plan_list_hook (self->rows, gilk_row_model_row (iter));
  const Hook *hook;
  g_autofree char *text = NULL;

  if (index >= self->hooks->len)
    return;
  hook = get_hook (self, index);
  switch (GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "column")))
    {
    case HITS:
      text = gilk_text_hits_if_known (hook->known, hook->hits);
      break;
    case RATE:
      text = hook->rate > 0 ? gilk_text_rate (hook->rate) : g_strdup (hook->known ? "0" : "–");
      break;
    case LOST:
      text = gilk_text_count (hook->lost);
      break;
    case HOOK:
    default:
      g_object_set (cell, "text", hook->name, NULL);
      return;
    }
  g_object_set (cell, "text", text, NULL);
}

/* ---- building the list, and GObject life cycle ---- */

static void
add_column (GilkLiveHooks *self, int column, const char *title, int width)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *new = gtk_tree_view_column_new ();
  gboolean is_number = column != HOOK;

  g_object_set (cell, "xalign", is_number ? 1.0 : 0.0, "xpad", 6, "ypad", 3, "ellipsize",
                is_number ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_MIDDLE, NULL);
  g_object_set_data (G_OBJECT (new), "column", GINT_TO_POINTER (column));
  gtk_tree_view_column_set_title (new, title);
  gtk_tree_view_column_pack_start (new, cell, TRUE);
  gtk_tree_view_column_set_cell_data_func (new, cell, render_cell, self, NULL);
  gtk_tree_view_column_set_sizing (new, GTK_TREE_VIEW_COLUMN_FIXED);
  gtk_tree_view_column_set_fixed_width (new, width);
  gtk_tree_view_column_set_alignment (new, is_number ? 1.0f : 0.0f);
  gtk_tree_view_column_set_expand (new, !is_number);
  gtk_tree_view_column_set_resizable (new, TRUE);
  gtk_tree_view_column_set_clickable (new, TRUE);
  g_signal_connect (new, "clicked", G_CALLBACK (column_clicked), self);
  gtk_tree_view_append_column (self->tree, new);
  self->columns[column] = new;
}

static void
make_tree (GilkLiveHooks *self)
{
  GtkTreeSelection *selection;

  self->rows = gilk_plan_list_new (g_array_new (FALSE, FALSE, sizeof (guint)));
  self->tree = GTK_TREE_VIEW (gtk_tree_view_new_with_model (GTK_TREE_MODEL (self->rows)));
  add_column (self, HOOK, _("Hook"), 130);
  add_column (self, HITS, _("Hits"), 84);
  add_column (self, RATE, _("Rate"), 72);
  add_column (self, LOST, _("Lost"), 64);
  gtk_tree_view_column_set_visible (self->columns[LOST], FALSE);
  gtk_tree_view_set_fixed_height_mode (self->tree, TRUE);
  gtk_tree_view_set_enable_search (self->tree, FALSE);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->tree)), _("Hooks of the current run"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->tree), _("Select hooks to see their curves and values; Escape: back to "
                                                          "the busiest"));
  selection = gtk_tree_view_get_selection (self->tree);
  gtk_tree_selection_set_mode (selection, GTK_SELECTION_MULTIPLE);
  g_signal_connect_swapped (selection, "changed", G_CALLBACK (selection_changed), self);
  g_signal_connect_swapped (self->tree, "key-press-event", G_CALLBACK (key_pressed), self);
  g_signal_connect_swapped (self->tree, "enter-notify-event", G_CALLBACK (pointer_crossed), self);
  g_signal_connect_swapped (self->tree, "leave-notify-event", G_CALLBACK (pointer_crossed), self);
  g_signal_connect_swapped (self->tree, "unmap", G_CALLBACK (tree_unmapped), self);
  show_sort_order (self);
}

static void
gilk_live_hooks_finalize (GObject *object)
{
  GilkLiveHooks *self = GILK_LIVE_HOOKS (object);

  g_clear_object (&self->rows);
  g_hash_table_unref (self->names);
  g_array_unref (self->hooks);
  g_array_unref (self->selected);
  g_free (self->wanted);
  G_OBJECT_CLASS (gilk_live_hooks_parent_class)->finalize (object);
}

static void
gilk_live_hooks_class_init (GilkLiveHooksClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_live_hooks_finalize;
  gilk_add_signal (klass, "chosen", 0);
}

static void
gilk_live_hooks_init (GilkLiveHooks *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (NULL, NULL);

  self->hooks = g_array_new (FALSE, TRUE, sizeof (Hook));
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  g_array_set_clear_func (self->hooks, clear_hook);
  self->selected = g_array_new (FALSE, FALSE, sizeof (guint));
  self->wanted = g_strdup ("");
  self->by = HITS;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->search = GTK_ENTRY (gtk_search_entry_new ());
  gtk_entry_set_placeholder_text (self->search, _("Find a hook"));
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->search)), _("Find a hook in the run"));
  g_object_set (self->search, "margin", 8, NULL);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (search_changed), self);
  make_tree (self);
  gtk_container_add (GTK_CONTAINER (scroller), GTK_WIDGET (self->tree));
  self->count_label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->count_label, 0);
  gtk_label_set_ellipsize (self->count_label, PANGO_ELLIPSIZE_END);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self->count_label)), "panel-footer");
  gtk_box_pack_start (GTK_BOX (self), GTK_WIDGET (self->search), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (self), scroller, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (self), GTK_WIDGET (self->count_label), FALSE, FALSE, 0);
  gtk_widget_show_all (GTK_WIDGET (self));
}
