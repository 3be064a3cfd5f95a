/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-palette.c - command palette: finds window actions by the text typed after ">" in the search
 * entry
 */
#include "gui/window/gilk-palette.h"

#include <glib/gi18n.h>

#include "core/cfg/gilk-name-match.h"
#include "gui/base/gilk-actions.h"
#include "gui/plan/gilk-teardown.h"
#include "gui/base/gilk-text.h"

#define RECENT_MAX 12
#define DISABLED_PENALTY (1 << 20)
#define HEIGHT_MAX 420
#define WIDTH       420
#define ROWS_AT_ONCE     18       /* number of rows that are filled immediately; more than the
                                   * popover can show at once */

typedef struct {
  char *action;              /* detailed name, such as "win.mode::results" */
  char *title, *accel;       /* @accel: (nullable) */
  int   rank;                /* how well the item matches the typed text; only valid while the items
                              * are being sorted */
} Item;

struct _GilkPalette {
  GtkPopover  parent_instance;

  GSettings  *settings;
  GPtrArray  *items;         /* Item */
  GtkListBox *list;          /* its rows are reused, because creating a row is slower than filling
                              * it again */
  GPtrArray  *shown;         /* the matching items of @items, best first, one for each row */
  char       *typed;
  guint       n_filled;      /* rows filled so far; later rows are hidden */
  guint       fill_source;   /* idle source that fills the remaining rows; 0: none */
};

typedef struct {
  GtkLabel *title, *state, *keys;
  Item     *item;
} Row;

G_DEFINE_TYPE (GilkPalette, gilk_palette, GTK_TYPE_POPOVER)

static void
item_free (gpointer data)
{
  Item *item = data;

  g_free (item->action);
  g_free (item->title);
  g_free (item->accel);
  g_free (item);
}

/* ---- collecting the actions ---- */

static void
add_item (GilkPalette *self,
          const char  *action,
          const char  *title,
          const char  *accel)
{
  Item *item;

  for (guint i = 0; i < self->items->len; i++)
    if (g_strcmp0 (((Item *) g_ptr_array_index (self->items, i))->action, action) == 0)
      return;
  item = g_new0 (Item, 1);
  item->action = g_strdup (action);
  item->title = g_strdup (title);
  item->accel = g_strdup (accel);
  g_ptr_array_add (self->items, item);
}

static char *
strip_mnemonic (const char *label)
{
  g_auto(GStrv) parts = g_strsplit (label, "_", -1);

  return g_strjoinv (NULL, parts);
}

static void
add_menu (GilkPalette *self,
          GMenuModel  *menu,
          const char  *above)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autofree char *label = NULL, *action = NULL, *plain = NULL, *title = NULL, *detailed = NULL;
      g_autoptr(GVariant) target = g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
      g_autoptr(GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autoptr(GMenuModel) submenu = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);

      g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
      plain = strip_mnemonic (label != NULL ? label : "");
      if (section != NULL)
        add_menu (self, section, above);
      if (submenu != NULL)
        add_menu (self, submenu, plain);
      if (!g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
        continue;
      title = above != NULL ? g_strdup_printf ("%s: %s", above, plain) : g_strdup (plain);
      detailed = g_action_print_detailed_name (action, target);
      add_item (self, detailed, title, NULL);
    }
}

/* ---- filling a row ---- */

static GActionGroup *
find_action_group (GilkPalette *self,
                   const char  *prefix)
{
  GtkWidget *window = gtk_widget_get_toplevel (gtk_popover_get_relative_to (GTK_POPOVER (self)));

  return gtk_widget_get_action_group (window, prefix);
}

/* Looks up the action of @item. @state: (out) (transfer full): NULL if the action has none. Returns
 * FALSE if the action is disabled. */
static gboolean
look_up_action (GilkPalette   *self,
                const Item    *item,
                GActionGroup **group,
                char         **name,
                GVariant     **target,
                GVariant     **state)
{
  g_auto(GStrv) parts = g_strsplit (item->action, ".", 2);
  gboolean enabled = FALSE;

  *state = NULL;
  *group = g_str_equal (parts[0], "app") ? G_ACTION_GROUP (g_application_get_default ()) : find_action_group (self, parts[0]);
  if (*group == NULL || !g_action_parse_detailed_name (parts[1], name, target, NULL))
    return FALSE;

  return g_action_group_query_action (*group, *name, &enabled, NULL, NULL, NULL, state) && enabled;
}

static char *
format_accel (const char *accel)
{
  guint key;
  GdkModifierType modifiers;

  gtk_accelerator_parse (accel, &key, &modifiers);

  return gtk_accelerator_get_label (key, modifiers);
}

/* Returns "on" or "off" for a toggle, "chosen" for the selected value of a radio
 * action, otherwise NULL. */
static const char *
describe_state (GVariant *state,
                GVariant *target)
{
  if (state == NULL)
    return NULL;
  if (target == NULL && g_variant_is_of_type (state, G_VARIANT_TYPE_BOOLEAN))
    return g_variant_get_boolean (state) ? _("on") : _("off");

  return target != NULL && g_variant_equal (state, target) ? _("selected") : NULL;
}

static Row *
get_row (GilkPalette *self, int i)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, i);

  return row != NULL ? g_object_get_data (G_OBJECT (row), "row") : NULL;
}

static GtkLabel *
add_label (GtkWidget *box, double xalign, GtkPackType end, gboolean expand)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), (float) xalign);
  gtk_container_add (GTK_CONTAINER (box), label);
  gtk_container_child_set (GTK_CONTAINER (box), label, "pack-type", end, "expand", expand, "fill", TRUE, NULL);

  return GTK_LABEL (label);
}

static Row *
add_row (GilkPalette *self)
{
  GtkWidget *widget = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 16);
  Row *row = g_new0 (Row, 1);

  row->title = add_label (box, 0, GTK_PACK_START, TRUE);
  row->state = add_label (box, 1, GTK_PACK_START, FALSE);
  row->keys = add_label (box, 1, GTK_PACK_END, FALSE);
  gtk_label_set_ellipsize (row->title, PANGO_ELLIPSIZE_END);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (row->keys)), "dim-label");
  gtk_style_context_add_class (gtk_widget_get_style_context (widget), "palette-row");
  gtk_container_add (GTK_CONTAINER (widget), box);
  g_object_set_data_full (G_OBJECT (widget), "row", row, g_free);
  gtk_widget_show (GTK_WIDGET (row->title));
  gtk_widget_show (box);
  gtk_container_add (GTK_CONTAINER (self->list), widget);

  return row;
}

static void
set_label (GtkLabel   *label,
           const char *text)
{
  gtk_label_set_text (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
}

/* Fills row @i with the item @i of @shown. */
static void
fill_row (GilkPalette *self,
          guint        i)
{
  Row *row = get_row (self, (int) i);
  GtkWidget *widget;
  g_autofree char *markup = NULL, *accel = NULL, *name = NULL;
  g_autoptr(GVariant) target = NULL, state = NULL;
  GActionGroup *group = NULL;
  uint64_t matched = 0;
  gboolean enabled;
  int score;

  if (row == NULL)
    row = add_row (self);
  row->item = g_ptr_array_index (self->shown, i);
  widget = GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, (int) i));
  enabled = look_up_action (self, row->item, &group, &name, &target, &state);
  gilk_name_matches (row->item->title, self->typed, &score, &matched);
  if (!g_str_is_ascii (row->item->title))
    gtk_label_set_text (row->title, row->item->title);
  else
    {
      markup = gilk_text_highlight_matches (row->item->title, matched);
      gtk_label_set_markup (row->title, markup);
    }
  accel = row->item->accel != NULL ? format_accel (row->item->accel) : NULL;
  set_label (row->state, describe_state (state, target));
  set_label (row->keys, accel);
  gtk_widget_set_sensitive (widget, enabled);
  atk_object_set_name (gtk_widget_get_accessible (widget), row->item->title);
  gtk_widget_show (widget);
}

/* ---- searching and activating actions ---- */

static gboolean
is_enabled (GilkPalette *self,
            const Item  *item)
{
  g_autoptr(GVariant) target = NULL, state = NULL;
  g_autofree char *name = NULL;
  GActionGroup *group = NULL;

  return look_up_action (self, item, &group, &name, &target, &state);
}

static int
compare_items (gconstpointer a,
               gconstpointer b)
{
  const Item *x = *(const Item *const *) a, *y = *(const Item *const *) b;

  return x->rank != y->rank ? (x->rank < y->rank) - (x->rank > y->rank) : g_utf8_collate (x->title, y->title);
}

static int
get_recent_rank (char      **recent,
                 const char *action)
{
  for (int i = 0; recent[i] != NULL; i++)
    if (g_str_equal (recent[i], action))
      return RECENT_MAX - i;

  return 0;
}

static void
select_first (GilkPalette *self)
{
  GtkListBoxRow *row = NULL;

  for (guint i = 0; i < self->n_filled; i++)
    if (gtk_widget_get_sensitive (GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, (int) i))))
      {
        row = gtk_list_box_get_row_at_index (self->list, (int) i);
        break;
      }
  gtk_list_box_select_row (self->list, row);
}

static void
fill_some_rows (GilkPalette *self)
{
  guint end = MIN (self->n_filled + ROWS_AT_ONCE, self->shown->len);

  while (self->n_filled < end)
    fill_row (self, self->n_filled++);
}

static gboolean
fill_rows_idle (gpointer user_data)
{
  GilkPalette *self = user_data;

  fill_some_rows (self);
  if (self->n_filled < self->shown->len)
    return G_SOURCE_CONTINUE;
  self->fill_source = 0;

  return G_SOURCE_REMOVE;
}

/* Fills @shown with the items that match the typed text, best first. Items whose action is disabled
 * come last. */
static void
find_items (GilkPalette *self)
{
  g_auto(GStrv) recent = g_settings_get_strv (self->settings, "recent-actions");

  g_ptr_array_set_size (self->shown, 0);
  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);
      uint64_t matched;

      if (!gilk_name_matches (item->title, self->typed, &item->rank, &matched))
        continue;
      item->rank = (*self->typed != '\0' ? item->rank * 16 : 0) + get_recent_rank (recent, item->action);
      if (!is_enabled (self, item))
        item->rank -= DISABLED_PENALTY;
      g_ptr_array_add (self->shown, item);
    }
  g_ptr_array_sort (self->shown, compare_items);
}

static void
show_matches (GilkPalette *self,
              const char  *typed)
{
  GtkListBoxRow *row;

  g_free (self->typed);
  self->typed = g_strdup (typed);
  find_items (self);
  self->n_filled = 0;
  fill_some_rows (self);
  for (guint i = self->n_filled; (row = gtk_list_box_get_row_at_index (self->list, (int) i)) != NULL; i++)
    gtk_widget_hide (GTK_WIDGET (row));
  if (self->fill_source == 0 && self->n_filled < self->shown->len)
    self->fill_source = g_idle_add (fill_rows_idle, self);
  select_first (self);
}

void
gilk_palette_show (GilkPalette *self,
                   const char  *typed)
{
  if (typed == NULL)
    {
      g_clear_handle_id (&self->fill_source, g_source_remove);
      gtk_popover_popdown (GTK_POPOVER (self));
      return;
    }
  show_matches (self, typed + strspn (typed, " "));
  gtk_popover_popup (GTK_POPOVER (self));
}

gboolean
gilk_palette_is_shown (GilkPalette *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self));
}

void
gilk_palette_move_selection (GilkPalette *self,
                             int          step)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  int at = row != NULL ? gtk_list_box_row_get_index (row) : -1;

  while ((at += step) >= 0 && at < (int) self->n_filled && (row = gtk_list_box_get_row_at_index (self->list, at)) != NULL)
    if (gtk_widget_get_sensitive (GTK_WIDGET (row)))
      {
        GtkAdjustment *adjustment = gtk_list_box_get_adjustment (self->list);
        GtkAllocation place;

        gtk_list_box_select_row (self->list, row);
        gtk_widget_get_allocation (GTK_WIDGET (row), &place);
        gtk_adjustment_clamp_page (adjustment, place.y, place.y + place.height);
        return;
      }
}

static void
remember_action (GilkPalette *self,
                 const char  *action)
{
  g_auto(GStrv) before = g_settings_get_strv (self->settings, "recent-actions");
  g_autoptr(GPtrArray) actions = g_ptr_array_new ();

  g_ptr_array_add (actions, (gpointer) action);
  for (guint i = 0; before[i] != NULL && actions->len < RECENT_MAX; i++)
    if (g_strcmp0 (before[i], action) != 0)
      g_ptr_array_add (actions, before[i]);
  g_ptr_array_add (actions, NULL);
  g_settings_set_strv (self->settings, "recent-actions", (const char *const *) actions->pdata);
}

gboolean
gilk_palette_activate (GilkPalette *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  const Item *item = row != NULL ? get_row (self, gtk_list_box_row_get_index (row))->item : NULL;
  g_autoptr(GVariant) target = NULL, state = NULL;
  g_autofree char *name = NULL;
  GActionGroup *group = NULL;

  if (item == NULL || !look_up_action (self, item, &group, &name, &target, &state))
    return FALSE;
  remember_action (self, item->action);
  gtk_entry_set_text (GTK_ENTRY (gtk_popover_get_relative_to (GTK_POPOVER (self))), "");
  gtk_popover_popdown (GTK_POPOVER (self));
  g_action_group_activate_action (group, name, target);

  return TRUE;
}

void
gilk_palette_release (GilkPalette *self)
{
  g_clear_handle_id (&self->fill_source, g_source_remove);
  gtk_popover_popdown (GTK_POPOVER (self));
  gilk_teardown_allow_inside (GTK_WIDGET (self));
  gilk_teardown_allow_inside (GTK_WIDGET (self->list));
}

static void
row_activated (GilkPalette   *self,
               GtkListBoxRow *row)
{
  gtk_list_box_select_row (self->list, row);
  gilk_palette_activate (self);
}

/* ---- GObject life cycle ---- */

static void
gilk_palette_dispose (GObject *object)
{
  g_clear_handle_id (&GILK_PALETTE (object)->fill_source, g_source_remove);
  G_OBJECT_CLASS (gilk_palette_parent_class)->dispose (object);
}

static void
gilk_palette_finalize (GObject *object)
{
  GilkPalette *self = GILK_PALETTE (object);

  g_ptr_array_unref (self->items);
  g_ptr_array_unref (self->shown);
  g_free (self->typed);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (gilk_palette_parent_class)->finalize (object);
}

static void
gilk_palette_class_init (GilkPaletteClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_palette_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_palette_finalize;
}

static void
gilk_palette_init (GilkPalette *self)
{
  GtkWidget *scrolled = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "visible", TRUE, "hscrollbar-policy", GTK_POLICY_NEVER,
                                      "propagate-natural-height", TRUE, "max-content-height", HEIGHT_MAX,
                                      "width-request", WIDTH, NULL);

  self->items = g_ptr_array_new_with_free_func (item_free);
  self->shown = g_ptr_array_new ();
  self->list = g_object_new (GTK_TYPE_LIST_BOX, "visible", TRUE, "selection-mode", GTK_SELECTION_BROWSE, NULL);
  gtk_list_box_set_placeholder (self->list, g_object_new (GTK_TYPE_LABEL, "visible", TRUE, "margin", 12,
                                                          "label", _("No matching action"), NULL));
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->list)), _("Actions"));
  gtk_container_add (GTK_CONTAINER (scrolled), GTK_WIDGET (self->list));
  gtk_container_add (GTK_CONTAINER (self), scrolled);
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
}

GilkPalette *
gilk_palette_new (GtkWidget  *entry,
                  GMenuModel *menu,
                  GSettings  *settings)
{
  GilkPalette *self = g_object_new (GILK_TYPE_PALETTE, "relative-to", entry, "modal", FALSE,
                                    "position", GTK_POS_BOTTOM, NULL);
  const char *action, *title, *accel;

  self->settings = g_object_ref (settings);
  for (guint i = 0; gilk_actions_nth (i, &action, &title, &accel); i++)
    if (action != NULL)
      add_item (self, action, title, accel);
  add_menu (self, menu, NULL);

  return self;
}
