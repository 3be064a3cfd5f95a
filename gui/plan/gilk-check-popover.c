/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-check-popover.c - check of a plan before its run: tactics, refusals and expected cost
 */
#include "gui/plan/gilk-plan-dialogs.h"

#include <glib/gi18n.h>

#include "core/cost/gilk-forecast.h"
#include "gui/base/gilk-text.h"
#include "gui/base/gilk-windows.h"

#define CAUSES_SHOWN 4
#define UPDATE_MS      500         /* minimum time in ms between updates; during a run, figures
                                    * change every 100 ms */

struct _GilkCheckPopover {
  GtkPopover     parent_instance;

  GilkPlanModel *model;
  GtkLabel      *summary;        /* label on the menu button */
  guint          source;

  /* Objects that the .ui template creates */
  GtkLabel      *tactics, *refusals, *cost, *source_label, *outcome;
  GtkButton     *drop_refused, *keep;
  GtkEntry      *budget;
};

G_DEFINE_TYPE (GilkCheckPopover, gilk_check_popover, GTK_TYPE_POPOVER)

/* ---- showing the check ---- */

static guint
count_refused (GilkCheckPopover *self, GHashTable *causes)
{
  guint n = 0;

  for (guint i = 0; i < gilk_plan_model_n_hooks (self->model); i++)
    {
      const char *problem = gilk_plan_model_status (self->model, i)->problem;

      if (problem == NULL)
        continue;
      n++;
      if (causes != NULL)
        g_hash_table_insert (causes, (gpointer) problem,
                             GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (causes, problem)) + 1));
    }

  return n;
}

static void
show_refusals (GilkCheckPopover *self)
{
  g_autoptr(GHashTable) causes = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GString) text = g_string_new (NULL);
  guint refused = count_refused (self, causes), shown = 0;
  GHashTableIter iter;
  gpointer cause, n;

  g_hash_table_iter_init (&iter, causes);
  while (g_hash_table_iter_next (&iter, &cause, &n) && shown++ < CAUSES_SHOWN)
    {
      g_autofree char *hooks = g_strdup_printf (g_dngettext (NULL, "%u hook", "%u hooks", GPOINTER_TO_UINT (n)),
                                                GPOINTER_TO_UINT (n));

      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "", hooks, (const char *) cause);
    }
  if (g_hash_table_size (causes) > CAUSES_SHOWN)
    g_string_append (text, "\n…");
  gtk_label_set_text (self->refusals, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->refusals), refused > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->drop_refused), refused > 0);
}

static void
show_tactics (GilkCheckPopover *self)
{
  guint by_tactic[GILK_BPF_TACTICS_END] = { 0 }, unknown = 0;
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < gilk_plan_model_n_hooks (self->model); i++)
    {
      const GilkHookStatus *status = gilk_plan_model_status (self->model, i);

      if (!status->bound)
        unknown++;
      else if (status->problem == NULL && status->tactic < G_N_ELEMENTS (by_tactic))
        by_tactic[status->tactic]++;
    }
  for (guint tactic = 0; tactic < G_N_ELEMENTS (by_tactic); tactic++)
    if (by_tactic[tactic] > 0)
      g_string_append_printf (text, "%s%s: %u", text->len > 0 ? ", " : "", gilk_text_tactic (tactic), by_tactic[tactic]);
  if (unknown > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "",
                            unknown == gilk_plan_model_n_hooks (self->model)
                            ? _("Not checked yet: connect to a target that has the driver to see how hooks can be placed.")
                            : _("the other hooks are not checked yet"));
  gtk_label_set_text (self->tactics, gilk_plan_model_n_hooks (self->model) > 0 ? text->str : _("The plan is empty."));
}

/* Returns a text that names the most expensive hook. (transfer full) */
static char *
describe_costliest (GilkCheckPopover *self, const GilkPlanForecast *plan)
{
  guint costliest = 0;
  g_autofree char *share = NULL, *point = NULL;
  const GilkPlanHook *hook;

  for (guint i = 1; i < plan->hooks->len; i++)
    if (gilk_plan_forecast_hook (plan, i)->forecast.share > gilk_plan_forecast_hook (plan, costliest)->forecast.share)
      costliest = i;
  hook = gilk_plan_model_hook (self->model, costliest);
  point = gilk_text_hook (hook);
  share = gilk_format_share (gilk_plan_forecast_hook (plan, costliest)->forecast.share);

  return g_strdup_printf (_("Most expensive: %s %s, %s."), point, gilk_text_edge (hook), share);
}

static void
show_cost (GilkCheckPopover *self)
{
  g_autoptr(GilkPlanForecast) plan = gilk_plan_model_forecast (self->model);
  g_autofree char *total = gilk_plan_forecast_total (plan);
  g_autofree char *source = gilk_plan_forecast_source (plan, g_get_real_time () / G_USEC_PER_SEC);
  g_autofree char *costliest = plan->sum.n_known > 0 ? describe_costliest (self, plan) : NULL;
  g_autofree char *text = plan->sum.n_known == 0 ? g_strdup (total)
    : g_strdup_printf (_("Expected cost: %s at the last run's hit rates. %s"), total, costliest);

  gtk_label_set_text (self->cost, text);
  gtk_label_set_text (self->source_label, source);
  gtk_widget_set_visible (GTK_WIDGET (self->source_label), plan->sum.n > 0);
  gtk_widget_set_sensitive (GTK_WIDGET (self->keep), plan->sum.n_known > 0);
}

static void
show_summary (GilkCheckPopover *self)
{
  guint refused = count_refused (self, NULL);
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self->summary));
  g_autoptr(GilkPlanForecast) plan = gilk_plan_model_forecast (self->model);
  gboolean known = plan->sum.n_known > 0;
  GtkWidget *button = gtk_popover_get_relative_to (GTK_POPOVER (self));
  g_autofree char *tip = gtk_widget_get_tooltip_text (button);
  g_autofree char *text = refused > 0
    ? g_strdup_printf (g_dngettext (NULL, "%u refused", "%u refused", refused), refused)
    : known ? gilk_plan_forecast_total (plan) : g_strdup (_("Check"));

  gtk_label_set_text (self->summary, text);
  atk_object_set_description (gtk_widget_get_accessible (button), refused > 0 || known || tip == NULL ? text : tip);
  if (refused > 0)
    gtk_style_context_add_class (context, "bad");
  else
    gtk_style_context_remove_class (context, "bad");
}

static gboolean
update_now (gpointer user_data)
{
  GilkCheckPopover *self = user_data;

  self->source = 0;
  show_summary (self);
  if (gtk_widget_get_visible (GTK_WIDGET (self)))
    {
      show_tactics (self);
      show_refusals (self);
      show_cost (self);
    }

  return G_SOURCE_REMOVE;
}

static void
schedule_update (GilkCheckPopover *self)
{
  if (self->source == 0)
    self->source = g_timeout_add (UPDATE_MS, update_now, self);
}

static void
popover_mapped (GilkCheckPopover *self)
{
  gtk_label_set_text (self->outcome, "");
  g_clear_handle_id (&self->source, g_source_remove);
  show_tactics (self);
  show_refusals (self);
  show_cost (self);
}

/* ---- removing hooks from the plan ---- */

static void
remove_hooks (GilkCheckPopover *self, const GArray *hooks)
{
  g_autofree char *text = hooks->len == 0 ? g_strdup (_("The plan is within the budget."))
    : g_strdup_printf (g_dngettext (NULL, "%u hook was removed; Undo restores it.",
                                    "%u hooks were removed; Undo restores them.", hooks->len), hooks->len);

  gilk_plan_model_remove_many (self->model, (const guint *) hooks->data, hooks->len);
  gtk_label_set_text (self->outcome, text);
}

static void
drop_refused_clicked (GilkCheckPopover *self)
{
  g_autoptr(GArray) hooks = gilk_plan_model_refused_hooks (self->model);

  remove_hooks (self, hooks);
}

static void
keep_clicked (GilkCheckPopover *self)
{
  double budget;
  g_autoptr(GilkPlanForecast) plan = gilk_plan_model_forecast (self->model);
  g_autoptr(GError) error = NULL;
  gboolean good = gilk_parse_share (gtk_entry_get_text (self->budget), &budget, &error);
  g_autoptr(GArray) over = NULL;

  gilk_entry_show_problem (self->budget, good ? NULL : error->message, _("Share of one CPU's time, such as 1 %"));
  if (!good)
    return;
  over = gilk_plan_forecast_set_budget (plan, budget);
  remove_hooks (self, over);
}

static void
gilk_check_popover_finalize (GObject *object)
{
  GilkCheckPopover *self = GILK_CHECK_POPOVER (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (gilk_check_popover_parent_class)->finalize (object);
}

static void
gilk_check_popover_class_init (GilkCheckPopoverClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_check_popover_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/check-popover.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkCheckPopover, tactics);
  gtk_widget_class_bind_template_child (widget_class, GilkCheckPopover, refusals);
  gtk_widget_class_bind_template_child (widget_class, GilkCheckPopover, cost);
  gtk_widget_class_bind_template_child (widget_class, GilkCheckPopover, source_label);
  gtk_widget_class_bind_template_child (widget_class, GilkCheckPopover, outcome);
  gtk_widget_class_bind_template_child (widget_class, GilkCheckPopover, drop_refused);
  gtk_widget_class_bind_template_child (widget_class, GilkCheckPopover, keep);
  gtk_widget_class_bind_template_child (widget_class, GilkCheckPopover, budget);
  gtk_widget_class_bind_template_callback (widget_class, drop_refused_clicked);
  gtk_widget_class_bind_template_callback (widget_class, keep_clicked);
  gtk_widget_class_bind_template_callback (widget_class, popover_mapped);
}

static void
gilk_check_popover_init (GilkCheckPopover *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GilkCheckPopover *
gilk_check_popover_new (GtkMenuButton *button,
                        GtkLabel      *label,
                        GilkPlanModel *model)
{
  GilkCheckPopover *self = g_object_new (GILK_TYPE_CHECK_POPOVER, "relative-to", button, NULL);

  self->model = g_object_ref (model);
  self->summary = label;
  gtk_menu_button_set_popover (button, GTK_WIDGET (self));
  g_signal_connect_object (model, "changed", G_CALLBACK (schedule_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "status-changed", G_CALLBACK (schedule_update), self, G_CONNECT_SWAPPED);

  return self;
}
