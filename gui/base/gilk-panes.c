/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-panes.c - side panels: function list and inspector
 *
 * GTK does not let a window become narrower than its visible content. Therefore a narrow window
 * hides the inspector until the user asks for it, and hides the list while the inspector is shown.
 */
#include "gui/base/gilk-panes.h"

#define NARROW_WIDTH 1100
#define LABELS_WIDTH 1360          /* minimum window width for labels beside icons */

typedef struct {
  GtkWidget *widget;
  int        width;
  gboolean   wide;
} Rule;

enum { LIST, INSPECTOR, N_PANELS };

static const char *const keys[N_PANELS] = { [LIST] = "function-list", [INSPECTOR] = "inspector" };

typedef struct {
  GtkWindow     *window;                 /* the window that owns this struct */
  GSettings     *settings;               /* stores which panels the user wants in wide windows */
  GPtrArray     *widgets[N_PANELS];      /* for each panel, its widgets, one per window mode
                                          * (element-type GtkWidget, unowned) */
  GSimpleAction *actions[N_PANELS];
  GtkPaned      *paned;                  /* (nullable): divider whose position is the list's width;
                                          * the position is saved in the settings under
                                          * @width_key */
  const char    *width_key;
  gboolean       narrow;
  gboolean       narrow_shown[N_PANELS]; /* panels shown while the window is narrow */
  gboolean       list_hidden;            /* the list is hidden only because the window is narrow */
  int            last_width;             /* width at the last layout */
  guint          source;
  gulong         changed[N_PANELS];      /* ids of the signal handlers on @settings */
  GArray        *rules;                  /* Rule */
} Panes;

int
gilk_panes_work_area_width (GtkWindow *window)
{
  GdkWindow *surface = gtk_widget_get_window (GTK_WIDGET (window));
  GdkRectangle area;

  if (surface == NULL)
    return G_MAXINT;
  gdk_monitor_get_workarea (gdk_display_get_monitor_at_window (gdk_window_get_display (surface), surface), &area);

  return area.width;
}

static int
get_usable_width (GtkWindow *window)
{
  int width;

  gtk_window_get_size (window, &width, NULL);

  return MIN (width, gilk_panes_work_area_width (window));
}

static gboolean
has_panel (const Panes *panes,
           guint        panel)
{
  return panes->narrow ? panes->narrow_shown[panel] : g_settings_get_boolean (panes->settings, keys[panel]);
}

static void
show_panels (Panes *panes)
{
  for (guint i = 0; i < N_PANELS; i++)
    {
      const gboolean shown = has_panel (panes, i);

      for (guint k = 0; k < panes->widgets[i]->len; k++)
        gtk_widget_set_visible (panes->widgets[i]->pdata[k], shown);
      g_simple_action_set_state (panes->actions[i], g_variant_new_boolean (shown));
    }
}

/* Shows or hides @panel in a narrow window, which has space for one of the two panels. Stores the
 * user's choice for the list in the settings only if the inspector was hidden before. */
static void
show_panel_in_narrow (Panes   *panes,
                      guint    panel,
                      gboolean shown)
{
  const gboolean had_inspector = panes->narrow_shown[INSPECTOR];

  panes->narrow_shown[panel] = shown;
  if (panel == INSPECTOR)
    {
      panes->list_hidden = shown ? panes->narrow_shown[LIST] : FALSE;
      panes->narrow_shown[LIST] = shown ? FALSE : g_settings_get_boolean (panes->settings, keys[LIST]);
    }
  else if (shown)
    panes->narrow_shown[INSPECTOR] = panes->list_hidden = FALSE;
  if (panel == LIST && !had_inspector)
    g_settings_set_boolean (panes->settings, keys[LIST], shown);
  show_panels (panes);
}

static void
panel_requested (GSimpleAction *action,
                 GVariant      *state,
                 Panes         *panes)
{
  const guint panel = action == panes->actions[LIST] ? LIST : INSPECTOR;
  const gboolean shown = g_variant_get_boolean (state);

  if (panes->narrow)
    show_panel_in_narrow (panes, panel, shown);
  else
    g_settings_set_boolean (panes->settings, keys[panel], shown);
}

/* Applies a setting that was changed by this window, another window or a settings editor. */
static void
setting_changed (Panes *panes)
{
  if (panes->narrow && !panes->narrow_shown[INSPECTOR])
    panes->narrow_shown[LIST] = g_settings_get_boolean (panes->settings, keys[LIST]);
  show_panels (panes);
}

static void
update_narrow (Panes   *panes,
               gboolean narrow)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (panes->window));

  if (narrow == panes->narrow)
    return;
  panes->narrow = narrow;
  panes->narrow_shown[LIST] = g_settings_get_boolean (panes->settings, keys[LIST]);
  panes->narrow_shown[INSPECTOR] = panes->list_hidden = FALSE;
  if (narrow)
    gtk_style_context_add_class (context, "narrow");
  else
    gtk_style_context_remove_class (context, "narrow");
  show_panels (panes);
}

/* Sets the list to the width that the user chose, because an earlier, smaller window may have
 * reduced it. */
static void
restore_list_width (Panes *panes)
{
  const int wanted = panes->paned != NULL ? g_settings_get_int (panes->settings, panes->width_key) : 0;

  if (panes->paned != NULL && gtk_paned_get_position (panes->paned) != wanted)
    gtk_paned_set_position (panes->paned, wanted);
}

/* Saves the position of the divider if the user moved it. GTK's layout also moves it, but without
 * an input event; such a move is not saved. */
static void
position_changed (Panes *panes)
{
  g_autoptr(GdkEvent) event = gtk_get_current_event ();
  const GdkEventType type = event != NULL ? gdk_event_get_event_type (event) : GDK_NOTHING;

  if (type == GDK_MOTION_NOTIFY || type == GDK_BUTTON_PRESS || type == GDK_BUTTON_RELEASE || type == GDK_KEY_PRESS ||
      type == GDK_TOUCH_UPDATE || type == GDK_TOUCH_END)
    g_settings_set_int (panes->settings, panes->width_key, gtk_paned_get_position (panes->paned));
}

static gboolean
update_layout (gpointer data)
{
  Panes *panes = data;
  const int room = get_usable_width (panes->window);

  panes->source = 0;
  update_narrow (panes, room < NARROW_WIDTH);
  if (room != panes->last_width)
    restore_list_width (panes);
  panes->last_width = room;
  for (guint i = 0; i < panes->rules->len; i++)
    {
      const Rule *rule = &g_array_index (panes->rules, Rule, i);

      gtk_widget_set_visible (rule->widget, (room >= rule->width) == rule->wide);
    }

  return G_SOURCE_REMOVE;
}

/* Updates the layout in an idle handler, because widgets must not be shown or hidden inside
 * size-allocate. */
static void
schedule_layout (Panes *panes)
{
  if (panes->source == 0)
    panes->source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, update_layout, panes, NULL);
}

static void
panes_free (gpointer data)
{
  Panes *panes = data;

  g_clear_handle_id (&panes->source, g_source_remove);
  for (guint i = 0; i < N_PANELS; i++)
    {
      g_signal_handler_disconnect (panes->settings, panes->changed[i]);
      g_signal_handlers_disconnect_by_data (panes->actions[i], panes);
      g_object_unref (panes->actions[i]);
      g_ptr_array_unref (panes->widgets[i]);
    }
  g_array_unref (panes->rules);
  g_object_unref (panes->settings);
  g_free (panes);
}

/* Drops references to widgets that are destroyed before the window. */
static void
drop_widgets (Panes *panes)
{
  for (guint i = 0; i < N_PANELS; i++)
    g_ptr_array_set_size (panes->widgets[i], 0);
  panes->paned = NULL;
}

static void
add_panel (Panes *panes,
           guint  panel)
{
  g_autofree char *signal = g_strconcat ("changed::", keys[panel], NULL);

  panes->widgets[panel] = g_ptr_array_new ();
  panes->actions[panel] = g_simple_action_new_stateful (keys[panel], NULL, g_variant_new_boolean (has_panel (panes, panel)));
  panes->changed[panel] = g_signal_connect_swapped (panes->settings, signal, G_CALLBACK (setting_changed), panes);
  g_signal_connect (panes->actions[panel], "change-state", G_CALLBACK (panel_requested), panes);
  g_action_map_add_action (G_ACTION_MAP (panes->window), G_ACTION (panes->actions[panel]));
}

void
gilk_panes_attach (GtkWindow *window,
                   GSettings *settings)
{
  Panes *panes = g_new0 (Panes, 1);

  panes->window = window;
  panes->settings = g_object_ref (settings);
  panes->rules = g_array_new (FALSE, FALSE, sizeof (Rule));
  for (guint i = 0; i < N_PANELS; i++)
    add_panel (panes, i);
  g_object_set_data_full (G_OBJECT (window), "gilk-panes", panes, panes_free);
  g_signal_connect_swapped (window, "size-allocate", G_CALLBACK (schedule_layout), panes);
  g_signal_connect_swapped (window, "map", G_CALLBACK (schedule_layout), panes);
  g_signal_connect_swapped (window, "destroy", G_CALLBACK (drop_widgets), panes);
}

void
gilk_panes_add (GtkWindow *window,
                GtkWidget *list,
                GtkWidget *inspector)
{
  Panes *panes = g_object_get_data (G_OBJECT (window), "gilk-panes");

  g_ptr_array_add (panes->widgets[LIST], list);
  g_ptr_array_add (panes->widgets[INSPECTOR], inspector);
  show_panels (panes);
}

void
gilk_panes_save_width (GtkWindow  *window,
                       GtkPaned   *paned,
                       const char *key)
{
  Panes *panes = g_object_get_data (G_OBJECT (window), "gilk-panes");

  panes->paned = paned;
  panes->width_key = key;
  restore_list_width (panes);
  g_signal_connect_swapped (paned, "notify::position", G_CALLBACK (position_changed), panes);
}

void
gilk_panes_show_by_width (GtkWindow *window,
                          GtkWidget *widget,
                          int        width,
                          gboolean   wide)
{
  Panes *panes = g_object_get_data (G_OBJECT (window), "gilk-panes");
  const Rule rule = { widget, width, wide };

  g_array_append_val (panes->rules, rule);
  schedule_layout (panes);
}

void
gilk_panes_set_icon_and_label (GtkWindow  *window,
                               GtkWidget  *button,
                               const char *icon,
                               const char *word)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *label = gtk_label_new (word);

  gtk_container_add (GTK_CONTAINER (box), gtk_image_new_from_icon_name (icon, GTK_ICON_SIZE_MENU));
  gtk_container_add (GTK_CONTAINER (box), label);
  gtk_container_add (GTK_CONTAINER (button), box);
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_show_all (box);
  gilk_panes_show_by_width (window, label, LABELS_WIDTH, TRUE);
}

static gboolean
has_focus (GtkWidget *pane,
           GtkWidget *focus)
{
  return focus != NULL && (focus == pane || gtk_widget_is_ancestor (focus, pane));
}

void
gilk_panes_focus_next (GtkWindow        *window,
                       GtkWidget *const *panes,
                       guint             n_panes)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  guint at = n_panes - 1;

  /* Take the last pane that has the focus: in @panes, a plot comes after the page that contains it,
   * and then both have the focus. */
  for (guint i = 0; i < n_panes; i++)
    if (has_focus (panes[i], focus))
      at = i;
  for (guint i = 1; i <= n_panes; i++)
    {
      GtkWidget *pane = panes[(at + i) % n_panes];

      /* Skip a pane that already contains the focus, because grabbing the focus would only move it
       * to the pane's next child. */
      if (gtk_widget_get_mapped (pane) && !has_focus (pane, focus) &&
          (gtk_widget_get_can_focus (pane) ? (gtk_widget_grab_focus (pane), TRUE)
                                           : gtk_widget_child_focus (pane, GTK_DIR_TAB_FORWARD)))
        return;
    }
}

typedef struct {
  char *full, *brief;
} Placeholder;

static void
placeholder_free (gpointer  data,
                  GClosure *closure)
{
  Placeholder *said = data;

  g_free (said->full);
  g_free (said->brief);
  g_free (said);
}

static void
fit_placeholder (GtkEntry      *entry,
                 GtkAllocation *place,
                 Placeholder   *said)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (entry), said->full);
  GdkRectangle area;
  const char *text;
  int width;

  if (!gtk_widget_get_realized (GTK_WIDGET (entry)))
    return;
  pango_layout_get_pixel_size (layout, &width, NULL);
  gtk_entry_get_text_area (entry, &area);
  text = width <= area.width ? said->full : said->brief;
  if (g_strcmp0 (text, gtk_entry_get_placeholder_text (entry)) != 0)
    gtk_entry_set_placeholder_text (entry, text);
}

void
gilk_panes_set_placeholder (GtkEntry   *entry,
                            const char *full,
                            const char *brief)
{
  Placeholder *said = g_new0 (Placeholder, 1);

  said->full = g_strdup (full);
  said->brief = g_strdup (brief);
  gtk_entry_set_placeholder_text (entry, full);
  g_signal_connect_data (entry, "size-allocate", G_CALLBACK (fit_placeholder), said, placeholder_free, G_CONNECT_AFTER);
}

void
gilk_panes_ellipsize_combo (GtkWidget *box)
{
  g_autoptr(GList) cells = gtk_cell_layout_get_cells (GTK_CELL_LAYOUT (box));

  for (GList *l = cells; l != NULL; l = l->next)
    if (GTK_IS_CELL_RENDERER_TEXT (l->data))
      g_object_set (l->data, "ellipsize", PANGO_ELLIPSIZE_END, "width-chars", 6, NULL);
}

static void
destroy_child (GtkWidget *child,
               gpointer   user_data)
{
  gtk_widget_destroy (child);
}

void
gilk_panes_clear (GtkContainer *container)
{
  gtk_container_foreach (container, destroy_child, NULL);
}
