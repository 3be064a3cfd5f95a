/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stop-popover.c - popover of a plan's stop conditions
 *
 * The user's choices are converted to the text of a condition, which the library parses, so that a
 * condition means the same as on the command line.
 */
#include "gui/plan/gilk-plan-dialogs.h"

#include <glib/gi18n.h>

#include "core/bind/gilk-bound-conditions.h"
#include "gui/base/gilk-text.h"
#include "gui/base/gilk-windows.h"

#define HOOKS_LISTED 500
#define ALL_HOOKS    ""

struct _GilkStopPopover {
  GtkPopover     parent_instance;

  GtkMenuButton *button;
  GtkLabel      *label;
  GilkPlanModel *model;
  GHashTable    *fields;       /* hook's label -> (element-type utf8) fields of its samples */
  char          *problem_text; /* the library's error message for the conditions; NULL: none */

  /* Objects that the .ui template creates */
  GtkListBox       *list;
  GtkComboBox      *what;
  GtkComboBoxText  *hook, *field, *comparison;
  GtkWidget        *hook_label, *field_label;
  GtkEntry         *number;
  GtkLabel         *problem;
};

G_DEFINE_TYPE (GilkStopPopover, gilk_stop_popover, GTK_TYPE_POPOVER)

static gboolean
is_quantile (GilkStopPopover *self)
{
  const char *what = gtk_combo_box_get_active_id (self->what);

  return what != NULL && (what[0] == 'p' || g_str_equal (what, "median") || g_str_has_prefix (what, "m"));
}

/* ---- list of existing conditions ---- */

static void
show_problem (GilkStopPopover *self,
              const char      *text)
{
  gtk_label_set_text (self->problem, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), text != NULL);
}

static void
remove_clicked (GtkButton       *button,
                GilkStopPopover *self)
{
  guint at = (guint) gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (gtk_widget_get_ancestor (GTK_WIDGET (button),
                                                                                           GTK_TYPE_LIST_BOX_ROW)));
  const char *until = gilk_plan_model_plan (self->model)->until;
  g_autoptr(GPtrArray) limits = gilk_stop_conditions_parse (until != NULL ? until : "", NULL);
  g_autofree char *rest = NULL;

  if (limits == NULL || at >= limits->len)
    return;
  g_ptr_array_remove_index (limits, at);
  rest = gilk_stop_conditions_to_text (limits);
  gilk_plan_model_set_stop_conditions (self->model, rest);
}

static GtkWidget *
row_new (GilkStopPopover *self,
         const char      *text)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (text), *button = gtk_button_new_from_icon_name ("list-remove-symbolic", GTK_ICON_SIZE_BUTTON);
  g_autofree char *name = g_strdup_printf (_("Remove condition %s"), text);

  g_object_set (label, "xalign", 0.0, "margin-start", 8, "hexpand", TRUE, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, "tooltip-text", text,
                "max-width-chars", 40, NULL);
  gtk_widget_set_tooltip_text (button, name);
  atk_object_set_name (gtk_widget_get_accessible (button), name);
  gtk_style_context_add_class (gtk_widget_get_style_context (button), "flat");
  g_signal_connect (button, "clicked", G_CALLBACK (remove_clicked), self);
  gtk_container_add (GTK_CONTAINER (box), label);
  gtk_container_add (GTK_CONTAINER (box), button);
  gtk_container_add (GTK_CONTAINER (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_can_focus (row, FALSE);
  gtk_widget_show_all (row);

  return row;
}

static void
show_button (GilkStopPopover *self,
             guint            n)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *text = n == 0 ? g_strdup (_("Stop when")) : g_strdup_printf (_("Stop when · %u"), n);
  const char *until = gilk_plan_model_plan (self->model)->until;
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self->label));
  const char *problem;

  gilk_plan_check_until (gilk_plan_model_plan (self->model), &error);
  problem = error != NULL ? error->message : self->problem_text;
  gtk_label_set_text (self->label, text);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->button)), text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), problem != NULL ? problem : until != NULL ? until
                               : _("Stop conditions: number of samples, lost samples, a value that is too "
                                   "large (Ctrl+Shift+E)"));
  if (problem != NULL)
    gtk_style_context_add_class (context, "bad");
  else
    gtk_style_context_remove_class (context, "bad");
  show_problem (self, problem);
}

static void
show_list (GilkStopPopover *self)
{
  const char *until = gilk_plan_model_plan (self->model)->until;
  g_autoptr(GPtrArray) limits = gilk_stop_conditions_parse (until != NULL ? until : "", NULL);
  g_autoptr(GList) rows = gtk_container_get_children (GTK_CONTAINER (self->list));

  for (GList *row = rows; row != NULL; row = row->next)
    gtk_widget_destroy (row->data);
  for (guint i = 0; limits != NULL && i < limits->len; i++)
    {
      g_autofree char *text = gilk_stop_condition_to_text (g_ptr_array_index (limits, i));

      gtk_container_add (GTK_CONTAINER (self->list), row_new (self, text));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->list), limits != NULL && limits->len > 0);
  show_button (self, limits != NULL ? limits->len : 0);
}

/* ---- entering a new condition ---- */

static void
fill_fields (GilkStopPopover *self)
{
  const char *hook = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->hook));
  const GPtrArray *names = hook != NULL ? g_hash_table_lookup (self->fields, hook) : NULL;

  gtk_combo_box_text_remove_all (self->field);
  for (guint i = 0; names != NULL && i < names->len; i++)
    gtk_combo_box_text_append_text (self->field, g_ptr_array_index (names, i));
  if (names != NULL && names->len > 0)
    gtk_combo_box_set_active (GTK_COMBO_BOX (self->field), 0);
  else
    gtk_entry_set_text (GTK_ENTRY (gtk_bin_get_child (GTK_BIN (self->field))), "");
}

static void
fill_hooks (GilkStopPopover *self)
{
  const char *chosen = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->hook));
  g_autofree char *before = g_strdup (chosen);
  guint n = gilk_plan_model_n_hooks (self->model);

  gtk_combo_box_text_remove_all (self->hook);
  if (!is_quantile (self))
    gtk_combo_box_text_append (self->hook, ALL_HOOKS, _("all hooks"));
  for (guint i = 0; i < MIN (n, HOOKS_LISTED); i++)
    {
      const GilkPlanHook *hook = gilk_plan_model_hook (self->model, i);
      g_autofree char *name = gilk_text_hook (hook);
      g_autofree char *text = g_strdup_printf ("%s %s, %s", name, gilk_text_edge (hook), hook->instrument);

      gtk_combo_box_text_append (self->hook, hook->label, text);
    }
  if (before == NULL || !gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->hook), before))
    gtk_combo_box_set_active (GTK_COMBO_BOX (self->hook), 0);
  fill_fields (self);
}

static void
what_changed (GilkStopPopover *self)
{
  static const struct { const char *what, *like; } likes[] = {
    { "samples", "1000000" }, { "hits", "1000000" }, { "size", "100M" }, { "lost", "1%" },
  };
  const char *what = gtk_combo_box_get_active_id (self->what), *like = "2ms";
  gboolean of_size = g_strcmp0 (what, "size") == 0;

  if (self->model == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (likes); i++)
    if (g_strcmp0 (what, likes[i].what) == 0)
      like = likes[i].like;
  gtk_entry_set_placeholder_text (self->number, like);
  gtk_widget_set_visible (GTK_WIDGET (self->hook), !of_size);
  gtk_widget_set_visible (self->hook_label, !of_size);
  gtk_widget_set_visible (GTK_WIDGET (self->field), is_quantile (self));
  gtk_widget_set_visible (self->field_label, is_quantile (self));
  gtk_widget_set_sensitive (GTK_WIDGET (self->comparison), is_quantile (self));
  if (!is_quantile (self))
    gtk_combo_box_set_active (GTK_COMBO_BOX (self->comparison), 0);
  fill_hooks (self);
}

static void
hook_changed (GilkStopPopover *self)
{
  if (self->model != NULL)
    fill_fields (self);
}

/* (transfer full) */
static char *
compose_condition (GilkStopPopover *self)
{
  const char *what = gtk_combo_box_get_active_id (self->what);
  const char *hook = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->hook));
  g_autofree char *field = gtk_combo_box_text_get_active_text (self->field);
  const char *of = g_strcmp0 (what, "size") == 0 || hook == NULL ? "" : hook;

  return g_strdup_printf ("%s %s%s%s %s %s", what, of, is_quantile (self) ? "." : "", is_quantile (self) ? field : "",
                          gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->comparison)), gtk_entry_get_text (self->number));
}

static void
add_clicked (GilkStopPopover *self)
{
  const char *until = gilk_plan_model_plan (self->model)->until;
  g_autofree char *one = compose_condition (self), *all = NULL, *tidy = NULL;
  g_autoptr(GError) error = NULL;

  if (gilk_stop_conditions_normalize (one, &tidy, &error) && tidy != NULL)
    {
      all = until != NULL ? g_strdup_printf ("%s; %s", until, tidy) : g_strdup (tidy);
      gilk_plan_model_set_stop_conditions (self->model, all);
      gtk_entry_set_text (self->number, "");
    }
  gilk_entry_show_problem (self->number, error != NULL ? error->message : NULL, NULL);
  if (error != NULL)
    show_problem (self, error->message);
}

/* ---- following the plan, and construction ---- */

void
gilk_stop_popover_set_bound (GilkStopPopover     *self,
                             const GilkBoundPlan *bound)
{
  g_autoptr(GError) error = NULL;

  g_hash_table_remove_all (self->fields);
  for (guint i = 0; i < bound->hooks->len; i++)
    {
      struct ilk_field fields[ILK_FIELDS_MAX];
      guint n = gilk_bound_fields (bound, i, fields);
      GPtrArray *names = n > 0 ? g_ptr_array_new_with_free_func (g_free) : NULL;

      for (guint f = 0; f < n; f++)
        if (gilk_bound_field_is_amount (&fields[f]))
          g_ptr_array_add (names, g_strdup (fields[f].name));
      if (names != NULL)
        g_hash_table_insert (self->fields, g_strdup (g_array_index (bound->hooks, GilkBoundHook, i).hook->label), names);
    }
  gilk_bound_check_conditions (bound, &error);
  g_free (self->problem_text);
  self->problem_text = error != NULL ? g_strdup (error->message) : NULL;
  show_list (self);
}

static void
plan_changed (GilkStopPopover *self)
{
  g_clear_pointer (&self->problem_text, g_free);
  show_list (self);
}

static void
popover_shown (GilkStopPopover *self)
{
  what_changed (self);
  show_list (self);
}

static void
open_popover (GSimpleAction   *action,
              GVariant        *parameter,
              GilkStopPopover *self)
{
  GtkWidget *window = gtk_widget_get_toplevel (GTK_WIDGET (self->button));

  g_action_group_activate_action (G_ACTION_GROUP (window), "mode", g_variant_new_string ("schedule"));
  gtk_popover_popup (GTK_POPOVER (self));
}

static void
gilk_stop_popover_finalize (GObject *object)
{
  GilkStopPopover *self = GILK_STOP_POPOVER (object);

  g_clear_object (&self->model);
  g_hash_table_unref (self->fields);
  g_free (self->problem_text);
  G_OBJECT_CLASS (gilk_stop_popover_parent_class)->finalize (object);
}

static void
gilk_stop_popover_class_init (GilkStopPopoverClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_stop_popover_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/stop-popover.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, GilkStopPopover, name)
  BIND (list);
  BIND (what);
  BIND (hook);
  BIND (hook_label);
  BIND (field);
  BIND (field_label);
  BIND (comparison);
  BIND (number);
  BIND (problem);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, what_changed);
  gtk_widget_class_bind_template_callback (widget_class, hook_changed);
  gtk_widget_class_bind_template_callback (widget_class, add_clicked);
  gtk_widget_class_bind_template_callback (widget_class, popover_shown);
}

static void
gilk_stop_popover_init (GilkStopPopover *self)
{
  self->fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  gtk_widget_init_template (GTK_WIDGET (self));
}

GilkStopPopover *
gilk_stop_popover_new (GtkMenuButton *button,
                       GtkLabel      *label,
                       GilkPlanModel *model,
                       GActionMap    *actions)
{
  GilkStopPopover *self = g_object_new (GILK_TYPE_STOP_POPOVER, "relative-to", button, NULL);
  g_autoptr(GSimpleAction) action = g_simple_action_new ("stop-when", NULL);

  self->button = button;
  self->label = label;
  self->model = g_object_ref (model);
  gtk_menu_button_set_popover (button, GTK_WIDGET (self));
  g_signal_connect_object (model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (action, "activate", G_CALLBACK (open_popover), self, 0);
  g_action_map_add_action (actions, G_ACTION (action));
  show_list (self);

  return self;
}
