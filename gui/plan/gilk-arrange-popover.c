/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-arrange-popover.c - preset schedules for all hooks of a plan
 */
#include "gui/plan/gilk-plan-dialogs.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-text.h"
#include "gui/base/gilk-windows.h"

struct _GilkArrangePopover {
  GtkPopover       parent_instance;

  GilkPlanModel   *model;

  /* Objects that the .ui template creates */
  GtkEntry        *step;
  GtkToggleButton *by_function;
  GtkLabel        *problem;
};

G_DEFINE_TYPE (GilkArrangePopover, gilk_arrange_popover, GTK_TYPE_POPOVER)

static void
show_problem (GilkArrangePopover *self,
              const GError       *error)
{
  gtk_label_set_text (self->problem, error != NULL ? error->message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), error != NULL);
  gilk_entry_show_problem (self->step, error != NULL ? error->message : NULL,
                           _("Length of a step, such as 1s or 500ms. With “One after the other”, leave this empty to "
                             "divide the run into equal parts"));
}

static gboolean
parse_step (GilkArrangePopover *self,
            uint64_t           *step_ns)
{
  g_autoptr(GError) error = NULL;
  gboolean good = gilk_text_parse_duration (gtk_entry_get_text (self->step), step_ns, &error);

  show_problem (self, error);

  return good;
}

static void
arrange_hooks (GilkArrangePopover *self,
               GilkScheduleKind    kind,
               const GilkPlanInterleave   *interleave)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) times = NULL;
  uint64_t step_ns;

  if (!parse_step (self, &step_ns))
    return;
  times = gilk_plan_make_schedule (plan, kind, step_ns, gtk_toggle_button_get_active (self->by_function),
                                   gilk_plan_model_length (self->model), &error);
  show_problem (self, error);
  if (times == NULL)
    return;
  gilk_plan_model_set_schedule (self->model, (const GilkPlanTimes *) times->data, kind,
                                gtk_toggle_button_get_active (self->by_function), interleave);
  gtk_popover_popdown (GTK_POPOVER (self));
}

/* Settings of a schedule that does not switch hooks off and on during the run (no interleaved A/B
 * measurement). */
static const GilkPlanInterleave not_switched = { 0 };

static void
arrange_together (GilkArrangePopover *self)
{
  arrange_hooks (self, GILK_SCHEDULE_TOGETHER, &not_switched);
}

static void
arrange_staggered (GilkArrangePopover *self)
{
  arrange_hooks (self, GILK_SCHEDULE_STAGGERED, &not_switched);
}

static void
arrange_in_turn (GilkArrangePopover *self)
{
  arrange_hooks (self, GILK_SCHEDULE_IN_TURN, &not_switched);
}

static void
arrange_interleaved (GilkArrangePopover *self)
{
  g_autoptr(GError) error = NULL;
  GilkPlanInterleave interleave;

  if (gilk_parse_interleave (gtk_entry_get_text (self->step), &interleave, &error))
    arrange_hooks (self, GILK_SCHEDULE_TOGETHER, &interleave);
  else
    show_problem (self, error);
}

static void
gilk_arrange_popover_finalize (GObject *object)
{
  g_clear_object (&GILK_ARRANGE_POPOVER (object)->model);
  G_OBJECT_CLASS (gilk_arrange_popover_parent_class)->finalize (object);
}

static void
gilk_arrange_popover_class_init (GilkArrangePopoverClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_arrange_popover_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/arrange-popover.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkArrangePopover, step);
  gtk_widget_class_bind_template_child (widget_class, GilkArrangePopover, by_function);
  gtk_widget_class_bind_template_child (widget_class, GilkArrangePopover, problem);
  gtk_widget_class_bind_template_callback (widget_class, arrange_together);
  gtk_widget_class_bind_template_callback (widget_class, arrange_staggered);
  gtk_widget_class_bind_template_callback (widget_class, arrange_in_turn);
  gtk_widget_class_bind_template_callback (widget_class, arrange_interleaved);
}

static void
gilk_arrange_popover_init (GilkArrangePopover *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GilkArrangePopover *
gilk_arrange_popover_new (GtkMenuButton *button,
                          GilkPlanModel *model)
{
  GilkArrangePopover *self = g_object_new (GILK_TYPE_ARRANGE_POPOVER, "relative-to", button, NULL);

  self->model = g_object_ref (model);
  gtk_menu_button_set_popover (button, GTK_WIDGET (self));

  return self;
}
