/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-command.c - builds the shell command that reproduces the results in view
 *
 * The command draws what the workbench exports. It gives every setting on which the picture
 * depends, so that no default of the command line matters.
 */
#include "gui/results/gilk-results-choice.h"

#include <math.h>
#include <string.h>

#include "gui/base/gilk-text.h"

typedef struct { guint width, height; } Size;   /* picture size, px */

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
add_hook (GilkResultsChoice    *self,
          GString              *command,
          const GilkStoredHook *hook,
          gint64                run)
{
  g_autofree char *name = hook->run != run ? g_strdup_printf ("%s@%u", hook->label, find_run_number (self->session, hook->run))
                                           : g_strdup (hook->label);
  g_autofree char *word = gilk_text_quote (name);

  g_string_append_printf (command, " --hook %s", word);
}

/* Returns the name of a hook of the compared session for the command line, such as
 * "asleep@other.gilk:1". (transfer full) */
static char *
format_compared_hook (GilkResultsChoice    *self,
                      const GilkStoredHook *hook)
{
  GilkSession *session = self->compared;
  g_autofree char *name = g_strdup_printf ("%s@%s:%u", hook->label, session->path, find_run_number (session, hook->run));

  return gilk_text_quote (name);
}

/* Adds the hooks of the compared session, drawn on the same axes. Must not be called for heat maps,
 * because one would cover the other. */
static void
add_compared_hooks (GilkResultsChoice *self,
                    GString           *command)
{
  GilkSessionPick picks[GILK_RESULTS_HOOKS_MAX];
  guint n = gilk_results_compared_hooks (self, picks, GILK_RESULTS_HOOKS_MAX);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = format_compared_hook (self, picks[i].hook);

      g_string_append_printf (command, " --hook %s", name);
    }
  gilk_results_hooks_clear (picks, n);
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
add_figure (GilkResultsChoice *self,
            GString           *command,
            GilkFigureKind     kind)
{
  const GilkFigureAsk ask = gilk_results_figure_ask (self);
  g_autofree char *others = gilk_selection_remaining_condition (self->selection, gilk_results_hook_fields (self), &ask);
  const GilkSelectionRange closer = gilk_selection_zoomed (self->selection, GILK_SELECTION_ZOOM_ONLY, NULL);
  GilkSessionPick picks[GILK_RESULTS_HOOKS_MAX];
  guint n = gilk_results_hooks (self, picks, GILK_RESULTS_HOOKS_MAX);

  for (guint i = 0; i < n; i++)
    add_hook (self, command, picks[i].hook, picks[0].hook->run);
  gilk_results_hooks_clear (picks, n);
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
add_picture (GString    *command,
             Size        size,
             const char *out)
{
  g_string_append_printf (command, " --size %ux%u --out %s", size.width, size.height, out);
}

/* Adds the command that prints the report. If hooks were switched off and on during the run, also
 * adds the command for the report on their effect. */
static void
add_report (GilkResultsChoice *self,
            GString           *command,
            const char        *session)
{
  const GilkSessionRun *run = gilk_results_run (self);

  g_string_append_printf (command, "gilk report %s --run %u", session, find_run_number (self->session, run->run.id));
  if (gilk_results_was_switched (run))
    g_string_append_printf (command, "\ngilk report %s --run %u --perturbation", session, find_run_number (self->session, run->run.id));
}

/* Adds the command that prints the comparison of the two sessions' hooks that the panel beside the
 * plot shows. */
static void
add_compared (GilkResultsChoice *self,
              GString           *command,
              const char        *session)
{
  const GilkFigureAsk ask = gilk_results_figure_ask (self);
  g_autofree char *others = gilk_selection_remaining_condition (self->selection, gilk_results_hook_fields (self), &ask);
  const GilkStoredHook *hook = gilk_results_hook (self);
  GilkSessionPick picks[GILK_RESULTS_HOOKS_MAX];
  guint n = gilk_results_compared_hooks (self, picks, GILK_RESULTS_HOOKS_MAX);

  if (n == 1 && ask.field != NULL && gilk_selection_axis (ask.kind) == GILK_SELECTION_VALUES)
    {
      g_autofree char *here = gilk_text_quote (hook->label), *there = format_compared_hook (self, picks[0].hook);

      g_string_append_printf (command, "\ngilk report %s --run %u --compare %s %s", session, find_run_number (self->session, hook->run),
                              here, there);
      add_word (command, "field", ask.field);
      add_word (command, "if", others);
    }
  gilk_results_hooks_clear (picks, n);
}

static void
add_bars (GilkResultsChoice    *self,
          GString              *command,
          const GilkSession    *session,
          const char           *path,
          const GilkStoredHook *hook,
          Size                  size,
          const char           *out)
{
  const GilkSelectionRange time = gilk_selection_time (self->selection);
  g_autofree char *condition = gilk_results_value_condition (self);

  g_string_append_printf (command, "gilk plot %s --run %u", path, find_run_number (session, hook->run));
  add_word (command, "hook", hook->label);
  add_word (command, "group", self->quantity);
  add_word (command, "if", condition);
  add_bound (command, "from", time.from);
  add_bound (command, "to", time.to);
  add_picture (command, size, out);
}

/* Adds a command that draws the same bar chart of the compared session into a file of its own, if
 * that session has the hook. */
static void
add_compared_bars (GilkResultsChoice *self,
                   GString           *command,
                   Size               size)
{
  GilkSessionPick there = { NULL, NULL };
  GilkSession *comparison = self->compared;
  g_autofree char *path = comparison != NULL ? gilk_text_quote (comparison->path) : NULL;
  guint n = gilk_results_compared_hooks (self, &there, 1);

  if (n > 0)
    {
      g_string_append_c (command, '\n');
      add_bars (self, command, comparison, path, there.hook, size, "beside.svg");
    }
  gilk_results_hooks_clear (&there, n);
}

static void
add_map (GilkResultsChoice *self,
         GString           *command,
         const char        *session,
         Size               size)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  gboolean histogram = gilk_results_is_map_histogram (self);

  g_string_append_printf (command, "gilk %s %s --run %u", histogram ? "plot" : "report", session, find_run_number (self->session, hook->run));
  add_word (command, "hook", hook->label);
  add_word (command, "map", self->quantity);
  if (!histogram)
    return;
  g_string_append_printf (command, " --log %s", format_log_axes (gilk_results_log_x (self), gilk_results_log_y (self)));
  add_picture (command, size, "plot.svg");
}

static void
add_plot (GilkResultsChoice *self,
          GString           *command,
          const char        *session,
          Size               size)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  GilkFigureKind kind = gilk_results_figure (self);

  if (gilk_results_shown (self) == GILK_RESULTS_MAP)
    add_map (self, command, session, size);
  else if (kind != GILK_FIGURE_N_KINDS)
    {
      g_string_append_printf (command, "gilk plot %s --run %u", session, find_run_number (self->session, hook->run));
      add_figure (self, command, kind);
      add_picture (command, size, "plot.svg");
      add_compared (self, command, session);
    }
  else
    {
      add_bars (self, command, self->session, session, hook, size, "plot.svg");
      add_compared_bars (self, command, size);
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
add_export (GilkResultsChoice *self,
            GString           *command,
            const char        *session,
            const char        *typed)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GilkSelectionRange time = gilk_selection_time (self->selection);
  g_autofree char *condition = gilk_results_value_condition (self);

  g_string_append_printf (command, "gilk export %s --csv --run %u", session, find_run_number (self->session, hook->run));
  add_hook (self, command, hook, hook->run);
  add_seconds (command, "from", time.from);
  add_seconds (command, "to", time.to);
  add_word (command, "if", condition);
  add_word (command, "if", typed);
  g_string_append (command, " --output samples.csv");
}

char *
gilk_results_make_command (GilkResultsChoice *self,
                           guint              width,
                           guint              height,
                           const char        *condition)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  GilkResultsShown shown = gilk_results_shown (self);
  g_autoptr(GFile) file = shown != GILK_RESULTS_NOTHING ? g_file_new_for_path (self->session->path) : NULL;
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *session = path != NULL ? gilk_text_quote (path) : NULL;
  g_autoptr(GString) command = g_string_new (NULL);

  if (shown == GILK_RESULTS_ACCESSES)
    {
      g_string_append_printf (command, "gilk report %s --run %u", session, find_run_number (self->session, hook->run));
      add_hook (self, command, hook, hook->run);
      g_string_append (command, " --accesses");
    }
  else if (shown == GILK_RESULTS_SAMPLES)
    add_export (self, command, session, condition);
  else if (shown != GILK_RESULTS_NOTHING && (hook == NULL || self->quantity == NULL))
    add_report (self, command, session);
  else if (shown != GILK_RESULTS_NOTHING)
    add_plot (self, command, session, (Size) { width, height });

  return g_string_free (g_steal_pointer (&command), FALSE);
}
