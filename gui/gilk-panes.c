/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-panes.c - the panels beside the main view
 *
 * A window can be made no narrower than what it shows, so a panel has to go before the window is as narrow as
 * all of them side by side: the inspector, until it is asked for, and then the list, while the inspector is there.
 */
#include "gui/gilk-panes.h"

#define NARROW 1100

typedef struct {
  GtkWidget *widget;
  int        width;
  gboolean   wide;
} Rule;

typedef struct {
  GtkWindow *window;                    /* which owns this */
  GSettings *settings;
  gboolean   narrow;
  gboolean   taken, list_taken;         /* it was on, and is off for want of room only */
  guint      source;
  gulong     inspector, list;           /* handlers of the settings */
  GArray    *rules;                     /* Rule */
} Panes;

int
gilk_panes_widest (GtkWindow *window)
{
  GdkWindow *surface = gtk_widget_get_window (GTK_WIDGET (window));
  GdkRectangle area;

  if (surface == NULL)
    return G_MAXINT;
  gdk_monitor_get_workarea (gdk_display_get_monitor_at_window (gdk_window_get_display (surface), surface), &area);

  return area.width;
}

static int
room_of (GtkWindow *window)
{
  int width;

  gtk_window_get_size (window, &width, NULL);

  return MIN (width, gilk_panes_widest (window));
}

/* With room for them, or for the next window, which may have some. Told while this one is there, whose actions hear of it. */
static void
give_back (Panes *panes)
{
  const gboolean inspector = panes->taken, list = panes->list_taken;

  panes->narrow = panes->taken = panes->list_taken = FALSE;
  if (inspector)
    g_settings_set_boolean (panes->settings, "inspector", TRUE);
  if (list)
    g_settings_set_boolean (panes->settings, "function-list", TRUE);
}

/* Whichever of the two was asked for last is there. */
static void
inspector_changed (Panes *panes)
{
  const gboolean list = g_settings_get_boolean (panes->settings, "function-list");

  if (!panes->narrow)
    return;
  if (g_settings_get_boolean (panes->settings, "inspector"))
    {
      panes->list_taken = panes->list_taken || list;
      if (list)
        g_settings_set_boolean (panes->settings, "function-list", FALSE);
    }
  else if (panes->list_taken)
    {
      panes->list_taken = FALSE;
      g_settings_set_boolean (panes->settings, "function-list", TRUE);
    }
}

static void
list_changed (Panes *panes)
{
  if (!panes->narrow || !g_settings_get_boolean (panes->settings, "function-list") ||
      !g_settings_get_boolean (panes->settings, "inspector"))
    return;
  panes->list_taken = FALSE;
  panes->taken = TRUE;
  g_settings_set_boolean (panes->settings, "inspector", FALSE);
}

static void
fit_panel (Panes    *panes,
           gboolean  narrow)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (panes->window));

  if (narrow == panes->narrow)
    return;
  panes->narrow = narrow;
  if (narrow)
    {
      gtk_style_context_add_class (context, "narrow");
      panes->taken = g_settings_get_boolean (panes->settings, "inspector");
      g_settings_set_boolean (panes->settings, "inspector", FALSE);
    }
  else
    {
      gtk_style_context_remove_class (context, "narrow");
      give_back (panes);
    }
}

static gboolean
fit (gpointer data)
{
  Panes *panes = data;
  const int room = room_of (panes->window);

  panes->source = 0;
  fit_panel (panes, room < NARROW);
  for (guint i = 0; i < panes->rules->len; i++)
    {
      const Rule *rule = &g_array_index (panes->rules, Rule, i);

      gtk_widget_set_visible (rule->widget, (room >= rule->width) == rule->wide);
    }

  return G_SOURCE_REMOVE;
}

/* Widgets must not come and go while places are given out. */
static void
fit_soon (Panes *panes)
{
  if (panes->source == 0)
    panes->source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit, panes, NULL);
}

static void
panes_free (gpointer data)
{
  Panes *panes = data;

  g_clear_handle_id (&panes->source, g_source_remove);
  g_signal_handler_disconnect (panes->settings, panes->inspector);
  g_signal_handler_disconnect (panes->settings, panes->list);
  g_array_unref (panes->rules);
  g_object_unref (panes->settings);
  g_free (panes);
}

void
gilk_panes_watch (GtkWindow *window,
                  GSettings *settings)
{
  Panes *panes = g_new0 (Panes, 1);

  panes->window = window;
  panes->settings = g_object_ref (settings);
  panes->rules = g_array_new (FALSE, FALSE, sizeof (Rule));
  g_object_set_data_full (G_OBJECT (window), "gilk-panes", panes, panes_free);
  g_signal_connect_swapped (window, "size-allocate", G_CALLBACK (fit_soon), panes);
  g_signal_connect_swapped (window, "map", G_CALLBACK (fit_soon), panes);
  g_signal_connect_swapped (window, "destroy", G_CALLBACK (give_back), panes);
  panes->inspector = g_signal_connect_swapped (settings, "changed::inspector", G_CALLBACK (inspector_changed), panes);
  panes->list = g_signal_connect_swapped (settings, "changed::function-list", G_CALLBACK (list_changed), panes);
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
  fit_soon (panes);
}

static gboolean
has_focus (GtkWidget *pane,
           GtkWidget *focus)
{
  return focus != NULL && (focus == pane || gtk_widget_is_ancestor (focus, pane));
}

void
gilk_panes_next (GtkWindow        *window,
                 GtkWidget *const *panes,
                 guint             n_panes)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  guint at = n_panes - 1;

  /* The last one: a plot comes after the page that it is in. */
  for (guint i = 0; i < n_panes; i++)
    if (has_focus (panes[i], focus))
      at = i;
  for (guint i = 1; i <= n_panes; i++)
    {
      GtkWidget *pane = panes[(at + i) % n_panes];

      /* What has the focus already would move it on inside. */
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
gilk_panes_say_in (GtkEntry   *entry,
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
gilk_panes_let_shrink (GtkWidget *box)
{
  g_autoptr(GList) cells = gtk_cell_layout_get_cells (GTK_CELL_LAYOUT (box));

  for (GList *l = cells; l != NULL; l = l->next)
    if (GTK_IS_CELL_RENDERER_TEXT (l->data))
      g_object_set (l->data, "ellipsize", PANGO_ELLIPSIZE_END, "width-chars", 6, NULL);
}
