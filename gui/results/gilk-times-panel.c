/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-times-panel.c - accuracy of a run's times, costs of its hooks, and their effect on the
 * machine
 */
#include "gui/results/gilk-results-panels.h"

#include <glib/gi18n.h>

#include "core/analysis/gilk-run-facts.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-panes.h"
#include "gui/base/gilk-settings.h"

struct _GilkTimesPanel {
  GtkBox             parent_instance;

  GilkResultsChoice *choice;
  GtkBox            *times;
  GtkWidget         *effect_box, *effect_plot;
  GtkGrid           *effect_figures;
  GtkLabel          *effect_note;
  GCancellable      *measuring;    /* cancels computing @effect */
  GilkSessionEffect *effect;       /* the shown effect of hooks that were switched off and on; NULL:
                                    * not computed */
  char              *effect_of;    /* run, control hook and field for which @effect is computed */
};

G_DEFINE_TYPE (GilkTimesPanel, gilk_times_panel, GTK_TYPE_BOX)

/* ---- accuracy of times, and costs of hooks ---- */

static GtkGrid *
new_grid (void)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), 7);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_widget_show (grid);

  return GTK_GRID (grid);
}

static void
add_section (GtkBox          *box,
             const GilkFacts *facts)
{
  GtkWidget *heading = gtk_label_new (facts->title);
  GtkGrid *grid;

  if (gilk_facts_n (facts) == 0)
    {
      g_object_unref (g_object_ref_sink (heading));
      return;
    }
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_set_tooltip_text (heading, facts->about);
  gtk_style_context_add_class (gtk_widget_get_style_context (heading), "section");
  gtk_widget_show (heading);
  gtk_box_pack_start (box, heading, FALSE, FALSE, 0);
  grid = new_grid ();
  gilk_figures_add_facts (grid, facts);
  gtk_widget_set_margin_bottom (GTK_WIDGET (grid), 5);
  gtk_box_pack_start (box, GTK_WIDGET (grid), FALSE, FALSE, 0);
}

/* Fills the section on CPUs only when the user first expands it, because there may be hundreds of
 * CPUs. */
static void
cpus_opened (GilkTimesPanel *self,
             GParamSpec      *pspec,
             GtkExpander     *expander)
{
  const GilkSessionRun *run = gilk_results_run (self->choice);
  g_autoptr(GilkFacts) facts = NULL;
  GtkGrid *grid;

  if (run == NULL || gtk_bin_get_child (GTK_BIN (expander)) != NULL)
    return;
  facts = gilk_facts_of_cpus (&run->clock);
  grid = new_grid ();
  gilk_figures_add_facts (grid, facts);
  gtk_widget_set_margin_top (GTK_WIDGET (grid), 7);
  gtk_container_add (GTK_CONTAINER (expander), GTK_WIDGET (grid));
}

static void
add_cpus (GilkTimesPanel       *self,
          const GilkStoredClock *clock)
{
  g_autofree char *title = g_strdup_printf (g_dngettext (NULL, "TSC of %u CPU", "TSCs of %u CPUs", clock->cpus->len),
                                            clock->cpus->len);
  GtkWidget *expander;

  if (clock->cpus->len < 2)
    return;
  expander = gtk_expander_new (title);
  gtk_widget_set_tooltip_text (expander, _("Offset of each CPU's TSC from the first CPU's"));
  gtk_widget_set_margin_bottom (expander, 5);
  g_signal_connect_object (expander, "notify::expanded", G_CALLBACK (cpus_opened), self, G_CONNECT_SWAPPED);
  gtk_widget_show (expander);
  gtk_box_pack_start (self->times, expander, FALSE, FALSE, 0);
}

static void
show_times (GilkTimesPanel *self)
{
  const GilkSessionRun *run = gilk_results_run (self->choice);
  gboolean all = gilk_results_hook (self->choice) == NULL && gilk_results_function (self->choice) == NULL;
  g_autoptr(GilkFacts) clock = gilk_facts_of_clock (&run->clock, FALSE);
  g_autoptr(GilkFacts) costs = gilk_facts_of_costs (run->costs);

  gilk_panes_clear (GTK_CONTAINER (self->times));
  gtk_widget_set_visible (GTK_WIDGET (self->times), all);
  if (!all)
    return;
  add_section (self->times, clock);
  add_cpus (self, &run->clock);
  add_section (self->times, costs);
}

/* ---- effect of switched hooks ---- */

void
gilk_times_panel_clear (GilkTimesPanel *self)
{
  gilk_cancel (&self->measuring);
  g_clear_pointer (&self->effect, gilk_session_effect_free);
  g_clear_pointer (&self->effect_of, g_free);
}

/* @note: (nullable) */
static void
set_note (GilkTimesPanel *self,
          const char      *note)
{
  gtk_label_set_text (self->effect_note, note != NULL ? note : "");
  gtk_widget_set_visible (GTK_WIDGET (self->effect_note), note != NULL);
}

static void
describe_plot (GilkTimesPanel *self)
{
  double low, value, high;
  const char *unit = gilk_effect_difference (self->effect->effect, &low, &value, &high);
  g_autofree char *at = gilk_format_si (value, unit, 3);
  g_autofree char *from = gilk_format_si (low, unit, 3);
  g_autofree char *to = gilk_format_si (high, unit, 3);
  g_autofree char *name = g_strdup_printf (_("Difference %s, 95 %% confidence interval %s to %s"), at, from, to);

  atk_object_set_name (gtk_widget_get_accessible (self->effect_plot), name);
  gtk_widget_set_tooltip_text (self->effect_plot, name);
}

static void
fill_effect (GilkTimesPanel *self)
{
  g_autofree char *traps = NULL;
  g_autoptr(GilkFacts) facts = NULL;

  if (self->effect->refusal != NULL)
    {
      set_note (self, self->effect->refusal);
      return;
    }
  traps = gilk_effect_caveat (self->effect->effect);
  facts = gilk_facts_of_effect (self->effect->effect);
  gilk_figures_add_facts (self->effect_figures, facts);
  gtk_widget_show (GTK_WIDGET (self->effect_figures));
  describe_plot (self);
  gtk_widget_show (self->effect_plot);
  gtk_widget_queue_draw (self->effect_plot);
  set_note (self, traps);
}

static void
effect_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkTimesPanel) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSessionEffect) effect = gilk_session_effect_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->measuring)
    return;
  if (effect == NULL)
    {
      gilk_times_panel_clear (self);
      gtk_widget_hide (self->effect_box);
      g_signal_emit_by_name (self, "failed", error);
      return;
    }
  self->effect = g_steal_pointer (&effect);
  fill_effect (self);
}

static gboolean
can_be_control (const GilkStoredHook *hook)
{
  return hook != NULL && !hook->switched && hook->stored > 0;
}

static void
show_effect (GilkTimesPanel *self)
{
  const GilkSessionRun *run = gilk_results_run (self->choice);
  const GilkStoredHook *hook = gilk_results_hook (self->choice);
  gint64 control = can_be_control (hook) ? hook->id : 0;
  const char *field = control != 0 ? gilk_results_field (self->choice) : NULL;
  gboolean there = gilk_results_function (self->choice) == NULL && gilk_results_was_switched (run);
  g_autofree char *of = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s", run->run.id, control,
                                         field != NULL ? field : "");

  gtk_widget_set_visible (self->effect_box, there);
  if (!there || g_strcmp0 (of, self->effect_of) == 0)
    return;
  gilk_times_panel_clear (self);
  self->effect_of = g_steal_pointer (&of);
  gilk_panes_clear (GTK_CONTAINER (self->effect_figures));
  gtk_widget_hide (GTK_WIDGET (self->effect_figures));
  gtk_widget_hide (self->effect_plot);
  set_note (self, _("Evaluating the control hook…"));
  self->measuring = g_cancellable_new ();
  gilk_session_effect_async (self->choice->session->path, run->run.id, control, field, self->measuring, effect_cb,
                             g_object_ref (self));
}

static gboolean
draw_effect (GilkTimesPanel *self,
             cairo_t        *cr)
{
  GilkPlotStyle style;
  double low, value, high;
  const char *unit;

  if (self->effect == NULL || self->effect->refusal != NULL)
    return GDK_EVENT_PROPAGATE;
  unit = gilk_effect_difference (self->effect->effect, &low, &value, &high);
  gilk_style_fill (self->effect_plot, &style);
  gilk_plot_interval (cr, gtk_widget_get_allocated_width (self->effect_plot),
                      gtk_widget_get_allocated_height (self->effect_plot), &style, low, value, high, unit);

  return GDK_EVENT_STOP;
}

/* ---- the panel as text ---- */

/* Appends @facts (transfer full) below their title, one per line. */
static void
append_facts (GString   *text,
              GilkFacts *facts)
{
  if (gilk_facts_n (facts) > 0)
    g_string_append_printf (text, "\n%s\n", facts->title);
  for (guint i = 0; i < gilk_facts_n (facts); i++)
    g_string_append_printf (text, "%s\t%s\n", gilk_facts_at (facts, i)->name, gilk_facts_at (facts, i)->value);
  gilk_facts_free (facts);
}

void
gilk_times_panel_append_text (GilkTimesPanel *self,
                              GString        *text)
{
  const GilkSessionRun *run = gilk_results_run (self->choice);

  if (gtk_widget_get_visible (self->effect_box) && self->effect != NULL && self->effect->refusal == NULL)
    append_facts (text, gilk_facts_of_effect (self->effect->effect));
  if (gtk_widget_get_visible (GTK_WIDGET (self->times)))
    {
      append_facts (text, gilk_facts_of_clock (&run->clock, FALSE));
      append_facts (text, gilk_facts_of_cpus (&run->clock));
      append_facts (text, gilk_facts_of_costs (run->costs));
    }
}

/* ---- updating the panel, and GObject life cycle ---- */

void
gilk_times_panel_update (GilkTimesPanel *self)
{
  show_times (self);
  show_effect (self);
  gtk_widget_set_visible (GTK_WIDGET (self), gtk_widget_get_visible (self->effect_box) || gtk_widget_get_visible (GTK_WIDGET (self->times)));
}

void
gilk_times_panel_set_choice (GilkTimesPanel    *self,
                             GilkResultsChoice *choice)
{
  self->choice = g_object_ref (choice);
}

static void
gilk_times_panel_dispose (GObject *object)
{
  gilk_times_panel_clear (GILK_TIMES_PANEL (object));
  G_OBJECT_CLASS (gilk_times_panel_parent_class)->dispose (object);
}

static void
gilk_times_panel_finalize (GObject *object)
{
  g_clear_object (&GILK_TIMES_PANEL (object)->choice);
  G_OBJECT_CLASS (gilk_times_panel_parent_class)->finalize (object);
}

static void
gilk_times_panel_class_init (GilkTimesPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_times_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_times_panel_finalize;
  gilk_add_signal (klass, "failed", 1, G_TYPE_ERROR);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/times-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkTimesPanel, times);
  gtk_widget_class_bind_template_child (widget_class, GilkTimesPanel, effect_box);
  gtk_widget_class_bind_template_child (widget_class, GilkTimesPanel, effect_plot);
  gtk_widget_class_bind_template_child (widget_class, GilkTimesPanel, effect_figures);
  gtk_widget_class_bind_template_child (widget_class, GilkTimesPanel, effect_note);
  gtk_widget_class_bind_template_callback (widget_class, draw_effect);
}

static void
gilk_times_panel_init (GilkTimesPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
