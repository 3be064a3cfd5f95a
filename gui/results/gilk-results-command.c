/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-command.c - the shell command that reproduces the current view
 *
 * The command draws what the workbench exports. It names everything that the picture depends on, so
 * that no default of the command line matters.
 */
#include "gui/results/gilk-plot-panel.h"

#include <math.h>
#include <string.h>

#include "gui/base/gilk-text.h"

#define COMMAND_CHARS 32          /* line length in the panel */

static const char *
format_log_axes (gboolean log_x,
                 gboolean log_y)
{
  return log_x && log_y ? "xy" : log_x ? "x" : log_y ? "y" : "none";
}

static guint
find_run_number (const GilkSession *session,
                 gint64             id)
{
  for (guint i = 0; i < session->stored->len; i++)
    if (g_array_index (session->stored, GilkStoredRun, i).id == id)
      return i + 1;

  return 0;
}

static void
add_bound (GString    *command,
           const char *name,
           double      bound)
{
  if (isnan (bound))
    return;
  g_string_append_printf (command, " --%s ", name);
  gilk_selection_add_number (command, bound);
}

static void
add_hook (GilkResultsView      *self,
          GString              *command,
          const GilkStoredHook *hook,
          gint64                run)
{
  g_autofree char *name = hook->run != run ? g_strdup_printf ("%s@%u", hook->label, find_run_number (self->session, hook->run))
                                           : g_strdup (hook->label);
  g_autofree char *word = gilk_text_quote (name);

  g_string_append_printf (command, " --hook %s", word);
}

/* Returns a hook of the compared session, such as "asleep@other.gilk:1". (transfer full) */
static char *
format_compared_hook (GilkResultsView      *self,
                      const GilkStoredHook *hook)
{
  GilkSession *session = gilk_results_comparison_session (self->comparison);
  g_autofree char *name = g_strdup_printf ("%s@%s:%u", hook->label, session->path, find_run_number (session, hook->run));

  return gilk_text_quote (name);
}

/* Adds the compared hooks on the same axes; not used for heat maps, which would cover each other. */
static void
add_compared_hooks (GilkResultsView *self,
                    GString         *command)
{
  GilkSessionPick picks[GILK_RESULTS_HOOKS_MAX];
  guint n = gilk_results_comparison_hooks (self->comparison, picks, GILK_RESULTS_HOOKS_MAX);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = format_compared_hook (self, picks[i].hook);

      g_string_append_printf (command, " --hook %s", name);
    }
  gilk_results_selected_hooks_clear (picks, n);
}

static void
add_word (GString    *command,
          const char *option,
          const char *value)
{
  g_autofree char *word = value != NULL ? gilk_text_quote (value) : NULL;

  if (word != NULL)
    g_string_append_printf (command, " --%s %s", option, word);
}

static void
add_figure (GilkResultsView *self,
            GString         *command,
            GilkFigureKind   kind)
{
  const GilkFigureAsk ask = gilk_plot_panel_make_query (self->panels[0]);
  g_autofree char *others = gilk_selection_remaining_condition (self->selection, gilk_results_hook_fields (self), &ask);
  const GilkSelectionRange closer = gilk_selection_zoomed (self->selection, GILK_SELECTION_ZOOM_ONLY, NULL);
  GilkSessionPick picks[GILK_RESULTS_HOOKS_MAX];
  guint n = gilk_results_selected_hooks (self, picks, GILK_RESULTS_HOOKS_MAX);

  for (guint i = 0; i < n; i++)
    add_hook (self, command, picks[i].hook, picks[0].hook->run);
  gilk_results_selected_hooks_clear (picks, n);
  if (kind != GILK_FIGURE_HEAT)
    add_compared_hooks (self, command);
  g_string_append_printf (command, " --kind %s", gilk_figure_kind_name (kind));
  add_word (command, "field", ask.field);
  add_word (command, "by", gilk_results_split (self));
  add_word (command, "if", others);
  if (gilk_results_subtracts_cost (self))
    g_string_append (command, " --subtract-cost");
  g_string_append_printf (command, " --log %s", format_log_axes (ask.log_x, ask.log_y));
  if (ask.bins > 0)
    g_string_append_printf (command, " --bins %u", ask.bins);
  add_bound (command, "from", ask.from);
  add_bound (command, "to", ask.to);
  add_bound (command, "low", ask.low);
  add_bound (command, "high", ask.high);
  if (gilk_selection_axis (kind) != GILK_SELECTION_ZOOM_ONLY || !gilk_selection_is_set (&closer))
    return;
  g_string_append (command, " --show ");
  gilk_selection_add_number (command, closer.from);
  g_string_append_c (command, ':');
  gilk_selection_add_number (command, closer.to);
}

static void
add_picture (GilkResultsView *self,
             GString         *command,
             const char      *out)
{
  guint width, height;

  gilk_plot_view_picture_size (self->plot, &width, &height);
  g_string_append_printf (command, " --size %ux%u --out %s", width, height, out);
}

/* Adds the report, and for a run with switched hooks also the perturbation report. */
static void
add_report (GilkResultsView *self,
            GString         *command,
            const char      *session)
{
  const GilkSessionRun *run = gilk_results_run (self);

  g_string_append_printf (command, "gilk report %s --run %u", session, find_run_number (self->session, run->run.id));
  if (gilk_results_was_switched (run))
    g_string_append_printf (command, "\ngilk report %s --run %u --perturbation", session, find_run_number (self->session, run->run.id));
}

/* Adds the report on the comparison that the panel shows. */
static void
add_compared (GilkResultsView *self,
              GString         *command,
              const char      *session)
{
  const GilkPlotPanel *first = self->panels[0];
  const GilkFigureAsk ask = gilk_plot_panel_make_query (self->panels[0]);
  g_autofree char *others = gilk_selection_remaining_condition (self->selection, gilk_results_hook_fields (self), &ask);
  const GilkStoredHook *hook = gilk_results_hook (self);
  GilkSessionPick picks[GILK_RESULTS_HOOKS_MAX];
  guint n = gilk_results_comparison_hooks (self->comparison, picks, GILK_RESULTS_HOOKS_MAX);

  if (n == 1 && first->field != NULL && gilk_selection_axis (first->kind) == GILK_SELECTION_VALUES)
    {
      g_autofree char *here = gilk_text_quote (hook->label), *there = format_compared_hook (self, picks[0].hook);

      g_string_append_printf (command, "\ngilk report %s --run %u --compare %s %s", session, find_run_number (self->session, hook->run),
                              here, there);
      add_word (command, "field", first->field);
      add_word (command, "if", others);
    }
  gilk_results_selected_hooks_clear (picks, n);
}

static void
add_bars (GilkResultsView      *self,
          GString              *command,
          const GilkSession    *session,
          const char           *path,
          const GilkStoredHook *hook,
          const char           *out)
{
  const GilkSelectionRange time = gilk_selection_time (self->selection);
  g_autofree char *condition = gilk_results_value_condition (self);

  g_string_append_printf (command, "gilk plot %s --run %u", path, find_run_number (session, hook->run));
  add_word (command, "hook", hook->label);
  add_word (command, "group", gilk_results_quantity (self));
  add_word (command, "if", condition);
  add_bound (command, "from", time.from);
  add_bound (command, "to", time.to);
  add_picture (self, command, out);
}

/* Draws the bars of the compared session into a second picture. */
static void
add_compared_bars (GilkResultsView *self,
                   GString         *command)
{
  GilkSessionPick there = { NULL, NULL };
  GilkSession *comparison = gilk_results_comparison_session (self->comparison);
  g_autofree char *path = comparison != NULL ? gilk_text_quote (comparison->path) : NULL;
  guint n = gilk_results_comparison_hooks (self->comparison, &there, 1);

  if (n > 0)
    {
      g_string_append_c (command, '\n');
      add_bars (self, command, comparison, path, there.hook, "beside.svg");
    }
  gilk_results_selected_hooks_clear (&there, n);
}

static void
add_map (GilkResultsView *self,
         GString         *command,
         const char      *session)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  gboolean histogram = gilk_results_shows_map_histogram (self);

  g_string_append_printf (command, "gilk %s %s --run %u", histogram ? "plot" : "report", session, find_run_number (self->session, hook->run));
  add_word (command, "hook", hook->label);
  add_word (command, "map", gilk_results_quantity (self));
  if (!histogram)
    return;
  g_string_append_printf (command, " --log %s", format_log_axes (gilk_results_axis_is_log (self->log_x), gilk_results_axis_is_log (self->log_y)));
  add_picture (self, command, "plot.svg");
}

static void
add_plot (GilkResultsView *self,
          GString         *command,
          const char      *session)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  GilkFigureKind kind;

  if (gilk_results_shows_map (self))
    add_map (self, command, session);
  else if (gilk_results_kind (self, &kind))
    {
      g_string_append_printf (command, "gilk plot %s --run %u", session, find_run_number (self->session, hook->run));
      add_figure (self, command, kind);
      add_picture (self, command, "plot.svg");
      add_compared (self, command, session);
    }
  else
    {
      add_bars (self, command, self->session, session, hook, "plot.svg");
      add_compared_bars (self, command);
    }
}

static void
add_seconds (GString    *command,
             const char *name,
             double      seconds)
{
  add_bound (command, name, seconds);
  if (!isnan (seconds))
    g_string_append_c (command, 's');
}

static void
add_export (GilkResultsView *self,
            GString         *command,
            const char      *session)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GilkSelectionRange time = gilk_selection_time (self->selection);
  g_autofree char *condition = gilk_results_value_condition (self);

  g_string_append_printf (command, "gilk export %s --csv --run %u", session, find_run_number (self->session, hook->run));
  add_hook (self, command, hook, hook->run);
  add_seconds (command, "from", time.from);
  add_seconds (command, "to", time.to);
  add_word (command, "if", condition);
  add_word (command, "if", gilk_samples_view_condition (self->samples));
  g_string_append (command, " --output samples.csv");
}

char *
gilk_results_make_command (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  g_autoptr(GFile) file = g_file_new_for_path (self->session->path);
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *session = gilk_text_quote (path);
  g_autoptr(GString) command = g_string_new (NULL);

  if (gilk_results_shows_accesses (self))
    {
      g_string_append_printf (command, "gilk report %s --run %u", session, find_run_number (self->session, hook->run));
      add_hook (self, command, hook, hook->run);
      g_string_append (command, " --accesses");
    }
  else if (gilk_results_shows_samples (self))
    add_export (self, command, session);
  else if (hook == NULL || gilk_results_quantity (self) == NULL)
    add_report (self, command, session);
  else
    add_plot (self, command, session);

  return g_string_free (g_steal_pointer (&command), FALSE);
}

void
gilk_results_show_command (GilkResultsView *self)
{
  g_autofree char *command = gilk_results_run (self) != NULL ? gilk_results_make_command (self) : g_strdup ("");
  g_autofree char *folded = gilk_text_fold_commands (command, COMMAND_CHARS), *bounded = gilk_text_sanitise_long (folded);

  gtk_label_set_text (self->command, bounded);
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self->command)), command);
}

void
gilk_results_copy_command (GilkResultsView *self)
{
  g_autofree char *command = gilk_results_run (self) != NULL ? gilk_results_make_command (self) : NULL;

  if (command != NULL)
    gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self), GDK_SELECTION_CLIPBOARD), command, -1);
}
