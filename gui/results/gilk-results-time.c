/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-time.c - accuracy of a run's times, costs of its hooks, and their effect
 *
 * Clocks and costs are a few rows, read when the session is opened. The effect of switched hooks
 * needs every sample of a control hook: that is a job of its own, whose result is kept until
 * another one is requested.
 */
#include "gui/results/gilk-results-private.h"

#include <glib/gi18n.h>

#include "core/analysis/gilk-run-facts.h"
#include "gui/results/gilk-results-figures.h"
#include "gui/base/gilk-style.h"

static void
destroy_child (GtkWidget *child,
               gpointer   user_data)
{
  gtk_widget_destroy (child);
}

/* ---- clocks and costs ---- */

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

/* Fills the section when it is first expanded: there may be hundreds of CPUs. */
static void
cpus_opened (GilkResultsView *self,
             GParamSpec      *pspec,
             GtkExpander     *expander)
{
  const GilkSessionRun *run = gilk_results_run (self);
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
add_cpus (GilkResultsView       *self,
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

void
gilk_results_show_times (GilkResultsView *self)
{
  const GilkSessionRun *run = gilk_results_run (self);
  gboolean all = gilk_results_hook (self) == NULL && gilk_results_function (self) == NULL;
  g_autoptr(GilkFacts) clock = gilk_facts_of_clock (&run->clock);
  g_autoptr(GilkFacts) costs = gilk_facts_of_costs (run->costs);

  gtk_container_foreach (GTK_CONTAINER (self->times), destroy_child, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->times), all);
  if (!all)
    return;
  add_section (self->times, clock);
  add_cpus (self, &run->clock);
  add_section (self->times, costs);
}

/* ---- effect of switched hooks ---- */

gboolean
gilk_results_was_switched (const GilkSessionRun *run)
{
  for (guint i = 0; i < run->hooks->len; i++)
    if (g_array_index (run->hooks, GilkStoredHook, i).switched)
      return TRUE;

  return FALSE;
}

void
gilk_results_clear_effect (GilkResultsView *self)
{
  if (self->measuring != NULL)
    g_cancellable_cancel (self->measuring);
  g_clear_object (&self->measuring);
  g_clear_pointer (&self->effect, gilk_session_effect_free);
  g_clear_pointer (&self->effect_of, g_free);
}

/* @note: (nullable) */
static void
set_note (GilkResultsView *self,
          const char      *note)
{
  gtk_label_set_text (self->effect_note, note != NULL ? note : "");
  gtk_widget_set_visible (GTK_WIDGET (self->effect_note), note != NULL);
}

static void
describe_plot (GilkResultsView *self)
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
fill_effect (GilkResultsView *self)
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
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSessionEffect) effect = gilk_session_effect_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->measuring)
    return;
  if (effect == NULL)
    {
      gilk_results_clear_effect (self);
      gtk_widget_hide (self->effect_box);
      gilk_results_emit_failed (self, error);
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

void
gilk_results_show_effect (GilkResultsView *self)
{
  const GilkSessionRun *run = gilk_results_run (self);
  const GilkStoredHook *hook = gilk_results_hook (self);
  gint64 control = can_be_control (hook) ? hook->id : 0;
  const char *field = control != 0 ? gilk_results_field (self) : NULL;
  gboolean there = gilk_results_function (self) == NULL && gilk_results_was_switched (run);
  g_autofree char *of = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s", run->run.id, control,
                                         field != NULL ? field : "");

  gtk_widget_set_visible (self->effect_box, there);
  if (!there || g_strcmp0 (of, self->effect_of) == 0)
    return;
  gilk_results_clear_effect (self);
  self->effect_of = g_steal_pointer (&of);
  gilk_figures_clear (self->effect_figures);
  gtk_widget_hide (GTK_WIDGET (self->effect_figures));
  gtk_widget_hide (self->effect_plot);
  set_note (self, _("Evaluating the control hook…"));
  self->measuring = g_cancellable_new ();
  gilk_session_effect_async (self->session->path, run->run.id, control, field, self->measuring, effect_cb,
                             g_object_ref (self));
}

gboolean
gilk_results_draw_effect (GilkResultsView *self,
                          cairo_t         *cr)
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

/* ---- text ---- */

/* @facts: (transfer full) */
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
gilk_results_copy_figures (GilkResultsView *self)
{
  const GilkSessionRun *run = gilk_results_run (self);
  g_autoptr(GString) text = g_string_new (gtk_label_get_text (self->figures_title));

  if (run == NULL)
    return;
  g_string_append_c (text, '\n');
  gilk_figures_append_text (self->figures, text);
  if (gtk_widget_get_visible (self->effect_box) && self->effect != NULL && self->effect->refusal == NULL)
    append_facts (text, gilk_facts_of_effect (self->effect->effect));
  if (gtk_widget_get_visible (GTK_WIDGET (self->times)))
    {
      append_facts (text, gilk_facts_of_clock (&run->clock));
      append_facts (text, gilk_facts_of_cpus (&run->clock));
      append_facts (text, gilk_facts_of_costs (run->costs));
    }
  gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self), GDK_SELECTION_CLIPBOARD), text->str, -1);
}
