/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-plot.c - what is plotted of a session: drawn, and the command that does the same
 */
#include "gui/gilk-results-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/gilk-plan.h"
#include "gui/gilk-results-figures.h"
#include "gui/gilk-session-kept.h"
#include "gui/gilk-text.h"

/* One more than can be told apart: who makes the figure says so. */
#define PICKS_MAX (GILK_FIGURE_CURVES_MAX + 1)
#define COMMAND_CHARS 32          /* a line of the panel */

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

void
gilk_results_show_hook_loss (GilkResultsView      *self,
                             const GilkStoredHook *hook)
{
  g_autofree char *words = NULL, *both = NULL;
  const char *lost;

  gilk_results_show_loss (self, hook->run, hook->lost);
  if (!gilk_stored_hook_is_watch (hook) || hook->dropped == 0)
    return;
  words = gilk_text_pauses (hook->dropped);
  lost = hook->lost > 0 ? gtk_label_get_text (self->loss_label) : "";
  both = g_strconcat (lost, *lost != '\0' ? "\n\n" : "", words, NULL);
  gtk_label_set_text (self->loss_label, both);
  gtk_widget_set_visible (self->loss_box, TRUE);
}

static const char *
log_words (gboolean log_x,
           gboolean log_y)
{
  return log_x && log_y ? "xy" : log_x ? "x" : log_y ? "y" : "none";
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
  const GilkFigureAsk ask = gilk_results_ask (self, kind);
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
  if (gilk_results_split (self) != NULL)
    g_string_append_printf (command, " --by %s", gilk_results_split (self));
  if (gilk_results_subtract (self))
    g_string_append (command, " --subtract-cost");
  g_string_append_printf (command, " --log %s", log_words (ask.log_x, ask.log_y));
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

  if (gilk_results_is_writers (self))
    {
      g_string_append_printf (command, "gilk report %s", quoted);
      if (self->session->stored->len > 1)
        g_string_append_printf (command, " --run %u", run_number (self, hook->run));
      g_string_append_printf (command, " --hook %s --writers", hook->label);
    }
  else if (hook == NULL || gilk_results_quantity (self) == NULL)
    add_report (self, command, quoted);
  else
    {
      gboolean drawn = !gilk_results_is_kept (self) || gilk_results_is_kept_histogram (self);

      g_string_append_printf (command, "gilk %s %s", drawn ? "plot" : "report", quoted);
      if (self->session->stored->len > 1)
        g_string_append_printf (command, " --run %u", run_number (self, hook->run));
      if (gilk_results_kind (self, &kind))
        add_figure (self, command, kind);
      else
        g_string_append_printf (command, " --hook %s --%s %s", hook->label, gilk_results_is_kept (self) ? "kept" : "groups",
                                gilk_results_quantity (self));
      if (gilk_results_is_kept_histogram (self))
        g_string_append_printf (command, " --log %s", log_words (gilk_results_axis (self->log_x), gilk_results_axis (self->log_y)));
      if (drawn)
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

static void
kept_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlotData) plot = gilk_session_kept_finish (result, &error);

  if (plot == NULL)
    gilk_results_report (self, error);
  else if (!is_late (self, result))
    take (self, g_steal_pointer (&plot));
}

/* Its buckets are what they are: zooming looks at them more closely. */
static void
draw_kept (GilkResultsView *self)
{
  gtk_widget_set_sensitive (self->whole, !isnan (self->zoom_from));
  if (gilk_results_is_kept_histogram (self) && !isnan (self->zoom_from))
    return;
  self->plotting = g_cancellable_new ();
  gilk_session_kept_async (self->session, gilk_results_hook (self), gilk_results_quantity (self), gilk_results_axis (self->log_x),
                           gilk_results_axis (self->log_y), self->plotting, kept_cb, g_object_ref (self));
}

void
gilk_results_draw (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  GilkSessionPick picks[PICKS_MAX];
  GilkFigureKind kind;
  GilkFigureAsk ask;
  guint n;

  if (gilk_results_quantity (self) == NULL)
    return;
  gilk_results_show_hook_loss (self, hook);
  if (gilk_results_is_kept (self))
    {
      draw_kept (self);
      return;
    }
  if (!gilk_results_kind (self, &kind))
    {
      self->plotting = g_cancellable_new ();
      gilk_session_groups_async (self->session, hook, gilk_results_quantity (self), self->plotting, groups_cb,
                                 g_object_ref (self));
      return;
    }
  gtk_widget_set_sensitive (self->whole, !isnan (self->zoom_from));
  if (is_only_looked_at (kind) && !isnan (self->zoom_from))
    return;
  ask = gilk_results_ask (self, kind);
  n = gilk_results_picks (self, picks, PICKS_MAX);
  self->plotting = g_cancellable_new ();
  gilk_session_figure_async (self->session, &ask, picks, n, n == 1 ? gilk_results_split (self) : NULL, gilk_results_subtract (self),
                             self->plotting, figure_cb, g_object_ref (self));
  picks_clear (picks, n);
}
