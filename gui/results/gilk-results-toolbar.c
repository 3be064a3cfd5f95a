/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-toolbar.c - controls above the results
 *
 * There is one button per kind of view. If the buttons do not fit, they scroll, and a menu beside
 * them lists all views. Zooming a view with a time axis selects a range of seconds; zooming a
 * distribution selects values of its field. Both selections stay when another view is chosen, and
 * selections of several fields apply together. Each selection has a button that shows and clears
 * it. Zooming a spectrum changes only the view.
 */
#include "gui/results/gilk-results-toolbar.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/analysis/gilk-run-facts.h"
#include "gui/base/gilk-panes.h"

struct _GilkResultsToolbar {
  GtkBox             parent_instance;

  GilkResultsChoice *choice;       /* not owned */
  gboolean           filling;      /* the widget itself, not the user, is setting the controls */
  GtkBox            *views;        /* one button per kind of view */
  GtkScrolledWindow *views_scroll;
  GtkMenuButton     *views_more;   /* menu of all kinds of view, for narrow windows */
  GtkWidget         *toolbar, *toolbar2;
  GtkComboBoxText   *quantity, *split, *compare;
  GtkToggleButton   *log_x, *log_y, *subtract;
  GtkBox            *chips;        /* one button per selected range */
  GtkWidget         *whole;
};

G_DEFINE_TYPE (GilkResultsToolbar, gilk_results_toolbar, GTK_TYPE_BOX)

/* ---- buttons that choose a kind of view ---- */

static void
choose_view (GilkResultsToolbar *self,
             gpointer            button)
{
  if (self->filling)
    return;
  self->choice->view = g_object_get_data (button, "kind");
  gilk_results_choice_changed (self->choice);
}

static void
button_toggled (GtkToggleButton    *button,
                GilkResultsToolbar *self)
{
  if (gtk_toggle_button_get_active (button))
    choose_view (self, button);
}

static void
add_button (const char *id,
            const char *name,
            gpointer    user_data)
{
  GilkResultsToolbar *self = user_data;
  g_autoptr(GList) buttons = gtk_container_get_children (GTK_CONTAINER (self->views));
  GtkWidget *button = gtk_radio_button_new_with_label_from_widget (buttons != NULL ? buttons->data : NULL, name);

  gtk_toggle_button_set_mode (GTK_TOGGLE_BUTTON (button), FALSE);
  g_object_set_data (G_OBJECT (button), "kind", (gpointer) g_intern_string (id));
  g_signal_connect_object (button, "toggled", G_CALLBACK (button_toggled), self, 0);
  gtk_box_pack_start (self->views, button, FALSE, FALSE, 0);
  gtk_widget_show (button);
}

typedef struct { GList *buttons; gboolean differ; } Matching;

static void
match_button (const char *id,
              const char *name,
              gpointer    user_data)
{
  Matching *matching = user_data;
  gboolean same = matching->buttons != NULL && g_object_get_data (matching->buttons->data, "kind") == g_intern_string (id);

  matching->differ = matching->differ || !same;
  if (matching->buttons != NULL)
    matching->buttons = matching->buttons->next;
}

/* Returns whether there are already buttons for exactly the available views. If so, the buttons
 * must not be built again, because one of them may be pressed at the moment. */
static gboolean
matches_views (GilkResultsToolbar *self)
{
  g_autoptr(GList) buttons = gtk_container_get_children (GTK_CONTAINER (self->views));
  Matching matching = { buttons, FALSE };

  gilk_results_foreach_view (self->choice, match_button, &matching);

  return !matching.differ && matching.buttons == NULL;
}

/* Scrolls to the button of the chosen view. The view may have been chosen elsewhere, while its
 * button is out of sight. */
static void
scroll_to_button (GilkResultsToolbar *self,
                  GtkWidget          *button)
{
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->views_scroll);
  GtkAllocation at;

  gtk_widget_get_allocation (button, &at);
  if (at.width > 1)
    gtk_adjustment_clamp_page (across, at.x, at.x + at.width);
}

static void
fill_views (GilkResultsToolbar *self)
{
  g_autoptr(GList) buttons = NULL;

  if (!matches_views (self))
    {
      gilk_panes_clear (GTK_CONTAINER (self->views));
      gilk_results_foreach_view (self->choice, add_button, self);
    }
  buttons = gtk_container_get_children (GTK_CONTAINER (self->views));
  for (GList *link = buttons; link != NULL; link = link->next)
    if (self->choice->view == g_object_get_data (link->data, "kind"))
      {
        gtk_toggle_button_set_active (link->data, TRUE);
        scroll_to_button (self, link->data);
      }
}

/* ---- menu that lists all kinds of view ---- */

static void
item_toggled (GtkCheckMenuItem   *item,
              GilkResultsToolbar *self)
{
  if (gtk_check_menu_item_get_active (item))
    choose_view (self, item);
}

static void
add_item (const char *id,
          const char *name,
          gpointer    user_data)
{
  GilkResultsToolbar *self = user_data;
  GtkWidget *menu = GTK_WIDGET (gtk_menu_button_get_popup (self->views_more));
  g_autoptr(GList) items = gtk_container_get_children (GTK_CONTAINER (menu));
  GSList *group = items != NULL ? gtk_radio_menu_item_get_group (items->data) : NULL;
  GtkWidget *item = gtk_radio_menu_item_new_with_label (group, name);

  g_object_set_data (G_OBJECT (item), "kind", (gpointer) g_intern_string (id));
  gtk_check_menu_item_set_active (GTK_CHECK_MENU_ITEM (item), self->choice->view == g_intern_string (id));
  g_signal_connect_object (item, "toggled", G_CALLBACK (item_toggled), self, 0);
  gtk_menu_shell_append (GTK_MENU_SHELL (menu), item);
  gtk_widget_show (item);
}

/* Rebuilds the menu each time before it opens. */
static void
fill_menu (GilkResultsToolbar *self)
{
  self->filling = TRUE;
  gilk_panes_clear (GTK_CONTAINER (gtk_menu_button_get_popup (self->views_more)));
  gilk_results_foreach_view (self->choice, add_item, self);
  self->filling = FALSE;
}

static gboolean
update_more_button (gpointer user_data)
{
  GilkResultsToolbar *self = user_data;
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->views_scroll);

  gtk_widget_set_visible (GTK_WIDGET (self->views_more),
                          gtk_adjustment_get_upper (across) > gtk_adjustment_get_page_size (across));

  return G_SOURCE_REMOVE;
}

/* Shows or hides the menu button in an idle handler, because this must not be done inside
 * size-allocate. */
static void
room_changed (GilkResultsToolbar *self)
{
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, update_more_button, g_object_ref (self), g_object_unref);
}

/* ---- quantity, axes, split, overlaid run ---- */

static void
control_changed (GilkResultsToolbar *self)
{
  GilkResultsChoice *choice = self->choice;

  if (self->filling || gilk_results_hook (choice) == NULL)
    return;
  choice->quantity = g_intern_string (gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->quantity)));
  choice->split = g_intern_string (gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->split)));
  choice->other_run = g_ascii_strtoll (gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->compare)), NULL, 10);
  choice->log_x = gtk_toggle_button_get_active (self->log_x);
  choice->log_y = gtk_toggle_button_get_active (self->log_y);
  choice->subtracts_cost = gtk_toggle_button_get_active (self->subtract);
  gilk_results_choice_changed (choice);
}

static void
append_option (const char *id,
               const char *name,
               gpointer    user_data)
{
  gtk_combo_box_text_append (user_data, id, name);
}

static void
fill_combos (GilkResultsToolbar *self)
{
  GilkResultsChoice *choice = self->choice;
  g_autofree char *other_run = g_strdup_printf ("%" G_GINT64_FORMAT, choice->other_run);

  gtk_combo_box_text_remove_all (self->quantity);
  gilk_results_foreach_quantity (choice, gilk_results_figure (choice), append_option, self->quantity);
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->quantity), choice->quantity);
  gtk_combo_box_text_remove_all (self->split);
  gilk_results_foreach_split (choice, append_option, self->split);
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->split), choice->split);
  gtk_combo_box_text_remove_all (self->compare);
  gilk_results_foreach_other_run (choice, append_option, self->compare);
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->compare), other_run);
}

/* Updates the check button that subtracts the cost of hooks. If the cost cannot be subtracted, only
 * makes the button insensitive, and keeps the user's choice. */
static void
update_subtraction (GilkResultsToolbar *self)
{
  gboolean lasts = gilk_results_figure (self->choice) != GILK_FIGURE_N_KINDS && gilk_field_is_duration (self->choice->quantity);
  const GilkStoredCost *cost = gilk_costs_of (gilk_results_run (self->choice)->costs, gilk_results_hook (self->choice));
  g_autofree char *words = cost != NULL ? gilk_cost_value (cost) : NULL;
  g_autofree char *tip = cost != NULL
    ? g_strdup_printf (_("Subtracts the hook's own cost from each duration: %s"), words)
    : g_strdup (_("The cost of this hook was not measured in its run. Record again with “count”, "
                  "“stamp”, “span” or a module that can be timed."));

  gtk_toggle_button_set_active (self->subtract, self->choice->subtracts_cost);
  gtk_widget_set_sensitive (GTK_WIDGET (self->subtract), gilk_results_subtractable_cost (self->choice) != NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->subtract),
                               cost != NULL && !lasts ? _("Available only for times between hits and for call "
                                                          "durations") : tip);
}

static void
fill_controls (GilkResultsToolbar *self)
{
  GilkFigureKind kind = gilk_results_figure (self->choice);
  gboolean calls = g_strcmp0 (self->choice->quantity, GILK_ELAPSED) == 0, can_x, can_y;

  gilk_results_get_axes (self->choice, &can_x, &can_y);
  fill_views (self);
  fill_combos (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->quantity), kind != GILK_FIGURE_RATE);
  gtk_toggle_button_set_active (self->log_x, self->choice->log_x);
  gtk_toggle_button_set_active (self->log_y, self->choice->log_y);
  gtk_widget_set_sensitive (GTK_WIDGET (self->log_x), can_x);
  gtk_widget_set_sensitive (GTK_WIDGET (self->log_y), can_y);
  gtk_widget_set_sensitive (GTK_WIDGET (self->split), gilk_results_can_split (self->choice));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->split),
                               calls ? _("Each call duration comes from two samples, and cannot be "
                                         "split by the fields of one sample")
                                     : _("A curve for each value of a field, or for each CPU"));
  gtk_widget_set_sensitive (GTK_WIDGET (self->compare), kind != GILK_FIGURE_N_KINDS && kind != GILK_FIGURE_HEAT);
  update_subtraction (self);
}

static gboolean
is_plot (GilkResultsToolbar *self)
{
  GilkResultsShown shown = gilk_results_shown (self->choice);

  return shown == GILK_RESULTS_FIGURE || shown == GILK_RESULTS_GROUPS || shown == GILK_RESULTS_MAP;
}

static gboolean
has_axes (GilkResultsToolbar *self)
{
  return is_plot (self) && (gilk_results_shown (self->choice) != GILK_RESULTS_MAP || gilk_results_is_map_histogram (self->choice));
}

static void
show_unless_range (GtkWidget *child,
                   gpointer   user_data)
{
  GilkResultsToolbar *self = user_data;

  if (child != GTK_WIDGET (self->chips) && child != self->whole)
    gtk_widget_set_visible (child, gilk_results_shown (self->choice) == GILK_RESULTS_FIGURE);
}

void
gilk_results_toolbar_update (GilkResultsToolbar *self,
                             gboolean            range_only)
{
  gboolean hook = gilk_results_hook (self->choice) != NULL;

  self->filling = TRUE;
  if (hook && !range_only)
    fill_controls (self);
  self->filling = FALSE;
  gtk_widget_set_visible (self->toolbar, hook);
  /* Kinds of view apply to hooks, not to a recorded graph. */
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->views_scroll)), hook);
  gtk_widget_set_visible (GTK_WIDGET (self->quantity), is_plot (self));
  gtk_widget_set_visible (GTK_WIDGET (self->subtract), is_plot (self));
  gtk_container_foreach (GTK_CONTAINER (self->toolbar2), show_unless_range, self);
  gtk_widget_set_visible (GTK_WIDGET (self->log_x), has_axes (self));
  gtk_widget_set_visible (GTK_WIDGET (self->log_y), has_axes (self));
}

/* ---- buttons of selected ranges ---- */

static void
show_whole (GilkResultsToolbar *self)
{
  gilk_selection_clear_all (self->choice->selection);
  gilk_results_choice_range_changed (self->choice);
}

/* Returns whether selected values of @field affect the view. If the hook has the field, they limit
 * every view of the hook and the heat of a graph. If the hook lacks the field, they limit only
 * plots of the field itself. */
static gboolean
affects_view (GilkResultsToolbar *self,
              const char         *field,
              const char *const  *plotted)
{
  GilkResultsShown shown = gilk_results_shown (self->choice);

  return gilk_results_range_applies (self->choice, field) ||
         (shown != GILK_RESULTS_GRAPH && shown != GILK_RESULTS_SAMPLES && g_strv_contains (plotted, field));
}

static void
chip_clicked (GtkWidget       *chip,
              GilkResultsToolbar *self)
{
  const char *field = g_object_get_data (G_OBJECT (chip), "field");

  gilk_selection_clear (self->choice->selection, field != NULL ? GILK_SELECTION_VALUES : GILK_SELECTION_TIME, field);
  gilk_results_choice_range_changed (self->choice);
}

static GtkWidget *
new_chip (GilkResultsToolbar *self)
{
  GtkWidget *chip = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_box_pack_start (GTK_BOX (box), label, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), gtk_label_new ("×"), FALSE, FALSE, 0);
  gtk_container_add (GTK_CONTAINER (chip), box);
  g_object_set_data (G_OBJECT (chip), "label", label);
  gtk_style_context_add_class (gtk_widget_get_style_context (chip), "chip");
  g_signal_connect_object (chip, "clicked", G_CALLBACK (chip_clicked), self, 0);
  gtk_box_pack_start (self->chips, chip, FALSE, TRUE, 0);
  gtk_widget_show_all (chip);

  return chip;
}

/* Shows a button for a selected range. @field: field of the range; NULL: time. @chips: existing
 * buttons, of which the first is reused. Returns the remaining buttons. */
static GList *
show_chip (GilkResultsToolbar          *self,
           GList                    *chips,
           const char               *field,
           const GilkSelectionRange *span)
{
  GtkWidget *chip = chips != NULL ? chips->data : new_chip (self);
  const char *unit = field != NULL ? gilk_results_unit (self->choice, field) : "s";
  g_autofree char *from = gilk_format_si (span->from, unit != NULL ? unit : "", 3);
  g_autofree char *to = gilk_format_si (span->to, unit != NULL ? unit : "", 3);
  /* Show the short name that the field has in conditions; the tooltip has the full name. */
  g_autofree char *text = field != NULL ? g_strdup_printf (_("%s %s to %s"), field, from, to)
                                        : g_strdup_printf (_("%s to %s"), from, to);
  const char *told = field == NULL || gilk_results_range_applies (self->choice, field)
    ? _("All views are limited to %s from %s to %s. Click to clear.")
    : _("Plots of this value are limited to %s from %s to %s. Click to clear.");
  g_autofree char *tip = g_strdup_printf (told, field != NULL ? gilk_field_name (field) : _("times"), from, to);

  g_object_set_data (G_OBJECT (chip), "field", (gpointer) field);
  gtk_label_set_text (g_object_get_data (G_OBJECT (chip), "label"), text);
  gtk_widget_set_tooltip_text (chip, tip);
  atk_object_set_name (gtk_widget_get_accessible (chip), tip);

  return chips != NULL ? chips->next : NULL;
}

/* Removes the buttons @chips. If one of them has the keyboard focus, moves the focus to a remaining
 * button, or returns TRUE if no button can take the focus. */
static gboolean
remove_chips (GilkResultsToolbar *self,
              GList           *chips)
{
  gboolean focused = FALSE;

  for (GList *link = chips; link != NULL; link = link->next)
    {
      focused = focused || gtk_widget_is_focus (link->data);
      gtk_widget_destroy (link->data);
    }

  return focused && !gtk_widget_child_focus (GTK_WIDGET (self->chips), GTK_DIR_TAB_BACKWARD);
}

gboolean
gilk_results_toolbar_show_ranges (GilkResultsToolbar *self,
                                  const char *const  *plotted)
{
  g_autoptr(GList) chips = gtk_container_get_children (GTK_CONTAINER (self->chips));
  const GilkSelection *selection = self->choice->selection;
  gboolean has_range = gilk_results_has_range (self->choice), lost_focus;
  const GilkSelectionRange time = gilk_selection_time (selection);
  GList *left = chips;
  const char *field;

  if (has_range && gilk_selection_is_set (&time))
    left = show_chip (self, left, NULL, &time);
  for (guint i = 0; has_range && (field = gilk_selection_nth_field (selection, i)) != NULL; i++)
    {
      const GilkSelectionRange values = gilk_selection_values (selection, field);

      if (affects_view (self, field, plotted))
        left = show_chip (self, left, field, &values);
    }
  lost_focus = remove_chips (self, left);
  gtk_widget_set_sensitive (self->whole, !gilk_selection_is_empty (selection));
  /* Show the second row of the toolbar even if it contains only the buttons of selected ranges. */
  gtk_widget_set_visible (self->toolbar2, has_axes (self) || (has_range && !gilk_selection_is_empty (selection)));

  return lost_focus;
}

/* ---- building the toolbar ---- */

void
gilk_results_toolbar_set_choice (GilkResultsToolbar *self,
                                 GilkResultsChoice  *choice)
{
  self->choice = choice;
}

static void
gilk_results_toolbar_class_init (GilkResultsToolbarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/results-toolbar.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, views);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, views_scroll);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, views_more);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, toolbar);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, quantity);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, log_x);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, log_y);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, subtract);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, toolbar2);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, split);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, compare);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, chips);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsToolbar, whole);
  gtk_widget_class_bind_template_callback (widget_class, control_changed);
  gtk_widget_class_bind_template_callback (widget_class, show_whole);
}

static void
gilk_results_toolbar_init (GilkResultsToolbar *self)
{
  GtkAdjustment *across;

  gtk_widget_init_template (GTK_WIDGET (self));
  across = gtk_scrolled_window_get_hadjustment (self->views_scroll);
  gtk_container_set_focus_hadjustment (GTK_CONTAINER (gtk_widget_get_parent (GTK_WIDGET (self->views))), across);
  gtk_menu_button_set_popup (self->views_more, gtk_menu_new ());
  g_signal_connect_object (gtk_menu_button_get_popup (self->views_more), "show", G_CALLBACK (fill_menu), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (across, "changed", G_CALLBACK (room_changed), self, G_CONNECT_SWAPPED);
  gilk_panes_ellipsize_combo (GTK_WIDGET (self->quantity));
  gilk_panes_ellipsize_combo (GTK_WIDGET (self->split));
  gilk_panes_ellipsize_combo (GTK_WIDGET (self->compare));
}
