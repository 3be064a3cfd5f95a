/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-plot.c - what is plotted of a session: kinds, quantities, and the command that does
 * the same
 */
#include "gui/gilk-results-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/emit/gilk-inline.h"
#include "core/run/gilk-plan.h"
#include "gui/gilk-results-figures.h"
#include "gui/gilk-text.h"
#include "gui/gilk-time-words.h"

/* One more than can be told apart: who makes the figure says so. */
#define PICKS_MAX (GILK_FIGURE_CURVES_MAX + 1)
#define COMMAND_CHARS 32          /* a line of the panel */
#define GROUPS    "groups"
#define HITS      "#hits"         /* no field is called so */

static const struct {
  GilkFigureKind kind;
  const char    *name;
  gboolean       log_x, log_y;    /* as suits it */
} kinds[] = {
  { GILK_FIGURE_HISTOGRAM, N_("Histogram"), TRUE, FALSE },
  { GILK_FIGURE_ECDF, N_("Share up to"), TRUE, FALSE },
  { GILK_FIGURE_RATE, N_("Hits over time"), FALSE, FALSE },
  { GILK_FIGURE_HEAT, N_("Heat map"), FALSE, TRUE },
  { GILK_FIGURE_SERIES, N_("Over time"), FALSE, FALSE },
  { GILK_FIGURE_SPECTRUM, N_("Spectrum"), TRUE, TRUE },
  { GILK_FIGURE_AUTOCORRELATION, N_("Autocorrelation"), FALSE, FALSE },
};

static const char *
active (GtkComboBoxText *combo)
{
  return gtk_combo_box_get_active_id (GTK_COMBO_BOX (combo));
}

static gboolean
only_counts (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT);
}

/* FALSE: bars are drawn. */
static gboolean
chosen_kind (GilkResultsView *self,
             GilkFigureKind  *kind)
{
  return active (self->kind) != NULL && gilk_figure_kind_parse (active (self->kind), kind);
}

/* Keeps @before if it is there, or else takes the first. */
static void
choose (GtkComboBoxText *combo,
        const char      *before)
{
  if (before == NULL || !gtk_combo_box_set_active_id (GTK_COMBO_BOX (combo), before))
    gtk_combo_box_set_active (GTK_COMBO_BOX (combo), 0);
}

/* ---- choices ---- */

static void
fill_kinds (GilkResultsView      *self,
            const GilkStoredHook *hook)
{
  g_autofree char *before = g_strdup (active (self->kind));

  gtk_combo_box_text_remove_all (self->kind);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (!only_counts (hook) || kinds[i].kind == GILK_FIGURE_RATE)
      gtk_combo_box_text_append (self->kind, gilk_figure_kind_name (kinds[i].kind), _(kinds[i].name));
  if (!only_counts (hook))
    gtk_combo_box_text_append (self->kind, GROUPS, _("Hits by value"));
  choose (self->kind, before);
}

static GArray *
chosen_fields (GilkResultsView *self)
{
  return g_ptr_array_index (gilk_results_run (self)->fields, (guint) self->hook);
}

static void
fill_quantities (GilkResultsView *self)
{
  g_autofree char *before = g_strdup (active (self->quantity));
  GArray *fields = chosen_fields (self);
  GilkFigureKind kind = GILK_FIGURE_N_KINDS;
  gboolean bars = !chosen_kind (self, &kind);

  gtk_combo_box_text_remove_all (self->quantity);
  if (kind == GILK_FIGURE_RATE || kind == GILK_FIGURE_SPECTRUM || kind == GILK_FIGURE_AUTOCORRELATION)
    gtk_combo_box_text_append (self->quantity, HITS, _("Hits"));
  if (kind != GILK_FIGURE_RATE && !bars)
    gtk_combo_box_text_append (self->quantity, "interval", _("Time between hits"));
  for (guint i = 0; i < fields->len && kind != GILK_FIGURE_RATE; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      if (bars || field->type != ILK_FIELD_TEXT)
        gtk_combo_box_text_append (self->quantity, field->name, field->name);
    }
  choose (self->quantity, before);
  gtk_widget_set_sensitive (GTK_WIDGET (self->quantity), kind != GILK_FIGURE_RATE);
}

static void
fill_splits (GilkResultsView *self)
{
  g_autofree char *before = g_strdup (active (self->split));
  GArray *fields = chosen_fields (self);

  gtk_combo_box_text_remove_all (self->split);
  gtk_combo_box_text_append (self->split, "", _("nothing"));
  gtk_combo_box_text_append (self->split, "cpu", _("CPU"));
  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      gtk_combo_box_text_append (self->split, field->name, field->name);
    }
  choose (self->split, before);
}

static gboolean
has_label (const GilkSessionRun *run,
           const char           *label)
{
  for (guint i = 0; i < run->hooks->len; i++)
    if (strcmp (g_array_index (run->hooks, GilkStoredHook, i).label, label) == 0)
      return TRUE;

  return FALSE;
}

static void
fill_compare (GilkResultsView      *self,
              const GilkStoredHook *hook)
{
  g_autofree char *before = g_strdup (active (self->compare));

  gtk_combo_box_text_remove_all (self->compare);
  gtk_combo_box_text_append (self->compare, "", _("no other run"));
  for (guint i = 0; i < self->session->runs->len; i++)
    {
      const GilkSessionRun *run = &g_array_index (self->session->runs, GilkSessionRun, i);
      g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, run->run.id);
      g_autofree char *text = g_strdup_printf (_("Run %ld"), run->run.id);

      if (run->run.id != hook->run && has_label (run, hook->label))
        gtk_combo_box_text_append (self->compare, id, text);
    }
  choose (self->compare, before);
}

/* Axes that suit a kind are set as it is chosen, and left alone until another one is. */
static void
fill_axes (GilkResultsView *self)
{
  const char *was = g_object_get_data (G_OBJECT (self->kind), "axes-of");
  const char *id = active (self->kind);

  for (guint i = 0; i < G_N_ELEMENTS (kinds) && g_strcmp0 (was, id) != 0; i++)
    if (g_strcmp0 (id, gilk_figure_kind_name (kinds[i].kind)) == 0)
      {
        gtk_toggle_button_set_active (self->log_x, kinds[i].log_x);
        gtk_toggle_button_set_active (self->log_y, kinds[i].log_y);
      }
  g_object_set_data_full (G_OBJECT (self->kind), "axes-of", g_strdup (id), g_free);
}

/* What was chosen stays chosen where it cannot be had. */
static void
offer_subtraction (GilkResultsView      *self,
                   const GilkStoredHook *hook,
                   gboolean              figure)
{
  gboolean interval = figure && g_strcmp0 (active (self->quantity), "interval") == 0;
  const GilkStoredCost *cost = gilk_costs_of (gilk_results_run (self)->costs, hook);
  g_autofree char *words = cost != NULL ? gilk_time_words_cost (cost) : NULL;
  g_autofree char *tip = cost != NULL
    ? g_strdup_printf (_("Takes off each time between hits what the hook itself takes: %s"), words)
    : g_strdup (_("What a hit of this hook costs was not measured in its run. It is for count, stamp, span "
                  "and modules that may be timed, if they are recorded again."));

  gtk_widget_set_sensitive (GTK_WIDGET (self->subtract), interval && cost != NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->subtract),
                               cost != NULL && !interval ? _("For times between hits alone") : tip);
}

void
gilk_results_fill_choices (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  GilkFigureKind kind = GILK_FIGURE_N_KINDS;
  gboolean over_time, bars;

  if (hook == NULL)
    return;
  fill_kinds (self, hook);
  fill_quantities (self);
  fill_splits (self);
  fill_compare (self, hook);
  fill_axes (self);

  bars = !chosen_kind (self, &kind);
  over_time = kind == GILK_FIGURE_SERIES || kind == GILK_FIGURE_RATE || kind == GILK_FIGURE_HEAT;
  gtk_widget_set_sensitive (GTK_WIDGET (self->log_x), !bars && !over_time && kind != GILK_FIGURE_AUTOCORRELATION);
  gtk_widget_set_sensitive (GTK_WIDGET (self->log_y), !bars && kind != GILK_FIGURE_AUTOCORRELATION);
  gtk_widget_set_sensitive (GTK_WIDGET (self->split), !bars && kind != GILK_FIGURE_HEAT && !only_counts (hook));
  gtk_widget_set_sensitive (GTK_WIDGET (self->compare), !bars && kind != GILK_FIGURE_HEAT);
  offer_subtraction (self, hook, !bars);
}

/* ---- what is chosen ---- */

/* NULL: none, or it cannot be had now. */
static const char *
chosen_split (GilkResultsView *self)
{
  const char *split = active (self->split);

  return split != NULL && *split != '\0' && gtk_widget_get_sensitive (GTK_WIDGET (self->split)) ? split : NULL;
}

static const char *
chosen_field (GilkResultsView *self)
{
  const char *field = active (self->quantity);

  return field != NULL && strcmp (field, HITS) != 0 ? field : NULL;
}

const char *
gilk_results_field (GilkResultsView *self)
{
  GilkFigureKind kind;

  return chosen_kind (self, &kind) ? chosen_field (self) : NULL;
}

static gboolean
chosen_subtract (GilkResultsView *self)
{
  return gtk_toggle_button_get_active (self->subtract) && gtk_widget_get_sensitive (GTK_WIDGET (self->subtract));
}

/* A zoom of the axis is another range of seconds, or of values; spectra are only looked at closer. */
static GilkFigureAsk
ask_of (GilkResultsView *self,
        GilkFigureKind   kind)
{
  GilkFigureAsk ask = gilk_figure_ask (kind, chosen_field (self));

  ask.log_x = gtk_toggle_button_get_active (self->log_x) && gtk_widget_get_sensitive (GTK_WIDGET (self->log_x));
  ask.log_y = gtk_toggle_button_get_active (self->log_y) && gtk_widget_get_sensitive (GTK_WIDGET (self->log_y));
  gilk_plot_view_pixels (self->plot, &ask.columns, &ask.rows);
  if (kind == GILK_FIGURE_SERIES || kind == GILK_FIGURE_RATE || kind == GILK_FIGURE_HEAT)
    {
      ask.from = self->zoom_from;
      ask.to = self->zoom_to;
    }
  else
    {
      ask.low = self->zoom_from;
      ask.high = self->zoom_to;
    }

  return ask;
}

static gboolean
is_only_looked_at (GilkFigureKind kind)
{
  return kind == GILK_FIGURE_SPECTRUM || kind == GILK_FIGURE_AUTOCORRELATION;
}

static void
picks_clear (GilkSessionPick *picks,
             guint            n)
{
  for (guint i = 0; i < n; i++)
    g_free ((char *) picks[i].name);
}

/* ---- the panel on the right ---- */

/* Was it the plan's wish that old samples are given up? */
static gboolean
overwrites (GilkResultsView *self,
            gint64           id)
{
  for (guint i = 0; self->session != NULL && i < self->session->stored->len; i++)
    {
      const GilkStoredRun *run = &g_array_index (self->session->stored, GilkStoredRun, i);

      if (run->id == id)
        return gilk_plan_text_overwrites (run->plan);
    }

  return FALSE;
}

void
gilk_results_show_loss (GilkResultsView *self,
                        gint64           run,
                        uint64_t         lost)
{
  g_autofree char *count = gilk_text_count (lost);
  g_autofree char *text =
    g_strdup_printf (lost > 0 && overwrites (self, run)
                     ? _("%s samples, the oldest, were given up: the plan keeps the last ones. Counts stay exact.")
                     : _("%s samples were lost because the rings were full. "
                         "Counts stay exact; times and distributions miss them."), count);

  gtk_label_set_text (self->loss_label, text);
  gtk_widget_set_visible (self->loss_box, lost > 0);
}

static guint
run_number (GilkResultsView *self,
            gint64           id)
{
  for (guint i = 0; i < self->session->stored->len; i++)
    if (g_array_index (self->session->stored, GilkStoredRun, i).id == id)
      return i + 1;

  return 0;
}

static void
add_range (GString    *command,
           const char *from_name,
           double      from,
           const char *to_name,
           double      to)
{
  if (!isnan (from))
    g_string_append_printf (command, " --%s %.9g", from_name, from);
  if (!isnan (to))
    g_string_append_printf (command, " --%s %.9g", to_name, to);
}

static void
add_figure (GilkResultsView *self,
            GString         *command,
            GilkFigureKind   kind)
{
  const GilkFigureAsk ask = ask_of (self, kind);
  GilkSessionPick picks[PICKS_MAX];
  guint n = gilk_results_picks (self, picks, PICKS_MAX);

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (command, " --hook %s", picks[i].hook->label);
      if (picks[i].hook->run != picks[0].hook->run)
        g_string_append_printf (command, "@%u", run_number (self, picks[i].hook->run));
    }
  picks_clear (picks, n);
  g_string_append_printf (command, " --kind %s", gilk_figure_kind_name (kind));
  if (ask.field != NULL)
    g_string_append_printf (command, " --field %s", ask.field);
  if (chosen_split (self) != NULL)
    g_string_append_printf (command, " --by %s", chosen_split (self));
  if (chosen_subtract (self))
    g_string_append (command, " --subtract-cost");
  g_string_append_printf (command, " --log %s", ask.log_x && ask.log_y ? "xy" : ask.log_x ? "x" : ask.log_y ? "y" : "none");
  if (!is_only_looked_at (kind))
    {
      add_range (command, "from", ask.from, "to", ask.to);
      add_range (command, "low", ask.low, "high", ask.high);
    }
}

/* What is measured of switched hooks is a report of its own. */
static void
add_report (GilkResultsView *self,
            GString         *command,
            const char      *session)
{
  const GilkSessionRun *run = gilk_results_run (self);
  g_autofree char *which = self->session->stored->len > 1
                           ? g_strdup_printf (" --run %u", run_number (self, run->run.id)) : g_strdup ("");

  g_string_append_printf (command, "gilk report %s%s", session, which);
  if (gilk_results_was_switched (run))
    g_string_append_printf (command, "\ngilk report %s%s --perturbation", session, which);
}

void
gilk_results_show_command (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  g_autofree char *name = g_path_get_basename (self->session->path);
  g_autofree char *quoted = gilk_text_word (name);
  g_autoptr(GString) command = g_string_new (NULL);
  g_autofree char *folded = NULL;
  GilkFigureKind kind;

  if (hook == NULL || active (self->quantity) == NULL)
    add_report (self, command, quoted);
  else
    {
      g_string_append_printf (command, "gilk plot %s", quoted);
      if (self->session->stored->len > 1)
        g_string_append_printf (command, " --run %u", run_number (self, hook->run));
      if (chosen_kind (self, &kind))
        add_figure (self, command, kind);
      else
        g_string_append_printf (command, " --hook %s --groups %s", hook->label, active (self->quantity));
      g_string_append (command, " --out plot.svg");
    }
  folded = gilk_text_folded (command->str, COMMAND_CHARS);
  gtk_label_set_text (self->command, folded);
}

/* ---- drawing ---- */

static void
take (GilkResultsView *self,
      GilkPlotData    *plot)
{
  gtk_widget_set_sensitive (self->whole, !isnan (self->zoom_from));
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, gilk_results_hook (self)->label);
  gilk_figures_hook (self->figures, gilk_results_hook (self), gilk_results_run (self)->costs);
  if (plot->figure != NULL)
    gilk_figures_histogram (self->figures, plot->figure->histogram, plot->figure->x.unit);
  gilk_plot_view_take_data (self->plot, plot, isnan (self->zoom_from));
}

/* Another one was asked for meanwhile. */
static gboolean
is_late (GilkResultsView *self,
         GAsyncResult    *result)
{
  return g_task_get_cancellable (G_TASK (result)) != self->plotting || gilk_results_hook (self) == NULL;
}

/* What is shown is what it was asked for: another plot would have cancelled it. */
static void
distance_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *words = gilk_session_distance_finish (result, &error);

  if (error != NULL)
    gilk_results_report (self, error);
  else if (words != NULL && !is_late (self, result))
    gilk_plot_view_say (self->plot, words);
}

static void
figure_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkFigure) figure = gilk_session_figure_finish (result, &error);
  GilkPlotData *plot;

  if (figure == NULL)
    {
      gilk_results_report (self, error);
      return;
    }
  if (is_late (self, result))
    return;
  plot = gilk_plot_data_new ();
  if (figure->curves->len == 2)
    gilk_session_distance_async (result, distance_cb, g_object_ref (self));
  plot->figure = g_steal_pointer (&figure);
  take (self, plot);
}

static void
groups_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlotData) plot = gilk_session_groups_finish (result, &error);

  if (plot == NULL)
    gilk_results_report (self, error);
  else if (!is_late (self, result))
    take (self, g_steal_pointer (&plot));
}

void
gilk_results_draw (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  GilkSessionPick picks[PICKS_MAX];
  GilkFigureKind kind;
  GilkFigureAsk ask;
  guint n;

  if (active (self->kind) == NULL || active (self->quantity) == NULL)
    return;
  gilk_results_show_loss (self, hook->run, hook->lost);
  if (!chosen_kind (self, &kind))
    {
      self->plotting = g_cancellable_new ();
      gilk_session_groups_async (self->session, hook, active (self->quantity), self->plotting, groups_cb,
                                 g_object_ref (self));
      return;
    }
  gtk_widget_set_sensitive (self->whole, !isnan (self->zoom_from));
  if (is_only_looked_at (kind) && !isnan (self->zoom_from))
    return;
  ask = ask_of (self, kind);
  n = gilk_results_picks (self, picks, PICKS_MAX);
  self->plotting = g_cancellable_new ();
  gilk_session_figure_async (self->session, &ask, picks, n, n == 1 ? chosen_split (self) : NULL, chosen_subtract (self),
                             self->plotting, figure_cb, g_object_ref (self));
  picks_clear (picks, n);
}
