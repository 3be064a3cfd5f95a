/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-search.c - search in the function in view
 *
 * The first search builds an index of the function's text; each keystroke searches it.
 */
#include "gui/graph/gilk-graph-search.h"

#include <glib/gi18n.h>

#include "core/plot/gilk-graph-paint.h"
#include "gui/base/gilk-object.h"

struct _GilkGraphSearch {
  GtkBox           parent_instance;

  GilkGraphView   *view;           /* a sibling widget; not owned */
  GtkSearchEntry  *entry;
  GtkLabel        *label;
  GilkGraphData   *data;           /* the function whose text @finder has indexed */
  GilkGraphFinder *finder;
  guint            n_found;
};

G_DEFINE_FINAL_TYPE (GilkGraphSearch, gilk_graph_search, GTK_TYPE_BOX)

static void
drop_finder (GilkGraphSearch *self)
{
  g_clear_pointer (&self->finder, gilk_graph_finder_free);
  g_clear_pointer (&self->data, gilk_graph_data_unref);
  self->n_found = 0;
}

/* Returns the number of matching instructions up to and including @insn, for "match 3 of 7". */
static guint
count_matches_to (const uint8_t *found,
                  int            insn)
{
  guint n = 0;

  for (int i = 0; i <= insn; i++)
    n += found[i];

  return n;
}

static void
show_count (GilkGraphSearch *self)
{
  const uint8_t *found = gilk_graph_view_look (self->view)->found;
  int insn = gilk_graph_view_insn (self->view);
  g_autofree char *text = NULL;

  if (gtk_entry_get_text (GTK_ENTRY (self->entry))[0] == '\0')
    text = g_strdup ("");
  else if (self->n_found == 0)
    text = g_strdup (_("no match"));
  else if (found != NULL && insn >= 0 && found[insn])
    text = g_strdup_printf (_("%u of %u"), count_matches_to (found, insn), self->n_found);
  else
    text = g_strdup_printf (g_dngettext (NULL, "%u match", "%u matches", self->n_found), self->n_found);
  gtk_label_set_text (self->label, text);
}

static void
find_matches (GilkGraphSearch *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->view);
  const char *text = gtk_entry_get_text (GTK_ENTRY (self->entry));
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self->entry));
  uint8_t *found = NULL;

  if (data != self->data)
    drop_finder (self);
  self->n_found = 0;
  if (data != NULL && self->finder == NULL)
    {
      self->data = gilk_graph_data_ref (data);
      self->finder = gilk_graph_finder_new (data->graph, data->source);
    }
  if (data != NULL && text[0] != '\0')
    {
      found = g_new0 (uint8_t, data->cfg->n_insns + 1);
      self->n_found = gilk_graph_finder_find (self->finder, text, found);
    }
  gilk_graph_view_set_found (self->view, found);
  if (found != NULL && self->n_found == 0)
    gtk_style_context_add_class (context, "error");
  else
    gtk_style_context_remove_class (context, "error");
}

/* Returns the first match from instruction @from in steps of @step, wrapping around; -1: none. */
static int
find_next (GilkGraphSearch *self,
           int              from,
           int              step)
{
  const uint8_t *found = gilk_graph_view_look (self->view)->found;
  int n = self->data->cfg->n_insns;

  for (int i = 0; i < n; i++)
    {
      int at = (from + i * step + n) % n;

      if (found[at])
        return at;
    }

  return -1;
}

static int
get_view_insn (GilkGraphSearch *self)
{
  int block = gilk_graph_view_look (self->view)->block, insn = gilk_graph_view_insn (self->view);

  return insn >= 0 ? insn : block >= 0 ? (int) self->data->cfg->blocks[block].first_insn : 0;
}

void
gilk_graph_search_step (GilkGraphSearch *self,
                        int              step)
{
  int insn = gilk_graph_view_insn (self->view), at;

  if (self->finder == NULL || self->n_found == 0 || gilk_graph_view_data (self->view) != self->data)
    return;

  at = find_next (self, insn >= 0 ? insn + step + (int) self->data->cfg->n_insns : get_view_insn (self), step);
  if (at >= 0)
    gilk_graph_view_jump_insn (self->view, at);
  show_count (self);
}

/* Shows the first match from the current position at each keystroke. */
static void
search_changed (GilkGraphSearch *self)
{
  find_matches (self);
  if (self->n_found > 0 && gilk_graph_view_look (self->view)->found != NULL)
    gilk_graph_view_select_insn (self->view, find_next (self, get_view_insn (self), 1), TRUE);
  show_count (self);
}

void
gilk_graph_search_repeat (GilkGraphSearch *self)
{
  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  find_matches (self);
  show_count (self);
}

void
gilk_graph_search_start (GilkGraphSearch *self)
{
  gtk_widget_show (GTK_WIDGET (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gilk_graph_search_repeat (self);
}

static void
close_search (GilkGraphSearch *self)
{
  gtk_widget_hide (GTK_WIDGET (self));
  gilk_graph_view_set_found (self->view, NULL);
  drop_finder (self);
  g_signal_emit_by_name (self, "closed");
}

static void
step_forward (GilkGraphSearch *self)
{
  gilk_graph_search_step (self, 1);
}

static void
step_back (GilkGraphSearch *self)
{
  gilk_graph_search_step (self, -1);
}

static gboolean
key_pressed (GilkGraphSearch *self,
             GdkEventKey     *event)
{
  gboolean enter = event->keyval == GDK_KEY_Return || event->keyval == GDK_KEY_KP_Enter;

  if (!enter && event->keyval != GDK_KEY_Up && event->keyval != GDK_KEY_Down)
    return GDK_EVENT_PROPAGATE;
  gilk_graph_search_step (self, event->keyval == GDK_KEY_Up || (enter && event->state & GDK_SHIFT_MASK) ? -1 : 1);

  return GDK_EVENT_STOP;
}

static void
add_button (GilkGraphSearch *self,
            const char      *icon,
            const char      *tip,
            GCallback        clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon, GTK_ICON_SIZE_MENU);

  gtk_widget_set_tooltip_text (button, tip);
  atk_object_set_name (gtk_widget_get_accessible (button), tip);
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  gtk_widget_show (button);
  gtk_container_add (GTK_CONTAINER (self), button);
}

GtkWidget *
gilk_graph_search_new (GilkGraphView *view)
{
  GilkGraphSearch *self = g_object_new (GILK_TYPE_GRAPH_SEARCH, "spacing", 2, NULL);

  self->view = view;
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self)), "canvas-bar");

  return GTK_WIDGET (self);
}

static void
gilk_graph_search_finalize (GObject *object)
{
  drop_finder (GILK_GRAPH_SEARCH (object));
  G_OBJECT_CLASS (gilk_graph_search_parent_class)->finalize (object);
}

static void
gilk_graph_search_class_init (GilkGraphSearchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_graph_search_finalize;
  gilk_add_signal (klass, "closed", 0);
}

static void
gilk_graph_search_init (GilkGraphSearch *self)
{
  self->entry = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), _("Instruction, operand, callee or source"));
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->entry)), _("Find in this function"));
  gtk_widget_set_hexpand (GTK_WIDGET (self->entry), TRUE);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (search_changed), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (close_search), self);
  g_signal_connect_swapped (self->entry, "key-press-event", G_CALLBACK (key_pressed), self);
  gtk_widget_show (GTK_WIDGET (self->entry));
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->entry));

  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_width_chars (self->label, 12);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self->label)), "dim-label");
  gtk_widget_show (GTK_WIDGET (self->label));
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->label));
  add_button (self, "go-up-symbolic", _("Previous match (Shift+Enter)"), G_CALLBACK (step_back));
  add_button (self, "go-down-symbolic", _("Next match (Enter)"), G_CALLBACK (step_forward));
  add_button (self, "window-close-symbolic", _("Close the search (Escape)"), G_CALLBACK (close_search));
}
