/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-welcome.c - help for new and returning users: example, tour, recent files, last target,
 * interrupted recording
 *
 * All of this is offered on the start page and in the menu; nothing opens by itself.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-build-dir.h"
#include "gui/base/gilk-files.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"
#include "gui/session/gilk-session-summaries.h"
#include "gui/window/gilk-tour.h"

#define EXAMPLE     "example/pipe.gilk"

#define ACTION(name) static void name (GSimpleAction *action, GVariant *parameter, gpointer user_data)

/* ---- opening the example session ---- */

/* Returns the path of the example session; NULL: not found. (transfer full) (nullable) */
static char *
find_example (void)
{
  g_autofree char *installed = g_build_filename (GILK_DATADIR, EXAMPLE, NULL);

  return g_file_test (installed, G_FILE_TEST_EXISTS) ? g_steal_pointer (&installed) : gilk_source_dir_path ("data/" EXAMPLE);
}

void
gilk_window_open_example (GilkWindow *self)
{
  g_autofree char *path = find_example ();

  if (path == NULL)
    {
      g_autoptr(GError) error = g_error_new (GILK_ERROR, GILK_ERROR_NOT_FOUND,
                                             _("The example session %s/%s is missing. Reinstall Gilk's data."),
                                             GILK_DATADIR, EXAMPLE);

      gilk_banner_show_error (self->banner, error);
      return;
    }
  gilk_results_view_open (self->results, path);
  gtk_stack_set_visible_child_name (self->mode_stack, "results");
}

ACTION (open_example)
{
  gilk_window_open_example (user_data);
}

/* ---- guided tour ---- */

enum { AT_EXAMPLE, AT_TARGET, AT_SEARCH, AT_EXPLORE, AT_SCHEDULE, AT_RUN, AT_RESULTS, N_STEPS };

static const GilkTourStep steps[N_STEPS] = {
  [AT_EXAMPLE] = { N_("An example session"),
    N_("This session was recorded on a stock kernel: a writer and a reader of a pipe, first alone, "
       "then on a busy machine. Nothing here changes a kernel.") },
  [AT_TARGET] = { N_("Target kernel"),
    N_("Choose a kernel: a lab in a virtual machine (safe to experiment with), this machine, or "
       "another machine over ssh.") },
  [AT_SEARCH] = { N_("Explore: find a function"),
    N_("Type a few letters of a function's name. Start with “>” to find actions of the window "
       "instead.") },
  [AT_EXPLORE] = { N_("Explore: its blocks"),
    N_("The function's basic blocks are drawn as a graph; this one was recorded. In Explore, click the upper edge of a "
       "block to plan a hook at its start, or the lower edge for one at its end.") },
  [AT_SCHEDULE] = { N_("Schedule: when hooks run"),
    N_("Each planned hook has a bar here. Drag its ends, or enter the times in the table below.") },
  [AT_RUN] = { N_("Run"),
    N_("A run arms all hooks of the plan, or none, and restores the kernel when the time is up or "
       "you stop the run.") },
  [AT_RESULTS] = { N_("Results: what was recorded"),
    N_("Runs and hooks are on the left. To see a histogram, time series or spectrum, choose a hook "
       "that takes samples; to compare, choose another run. The graph shows how often each block "
       "ran. F1 opens the guide.") },
};

/* Shows the part of the window that the tour's step explains, and returns its widget. The tour
 * needs no kernel, because the example session contains a graph. */
static GtkWidget *
show_place (gpointer object, guint step)
{
  static const char *const modes[N_STEPS] = {
    "results", "results", "explore", "results", "schedule", "schedule", "results",
  };
  static const char *const shown[N_STEPS] = { [AT_EXPLORE] = "pipe_write", [AT_RESULTS] = "writes" };
  GilkWindow *self = object;
  GtkWidget *schedule, *table;

  gilk_schedule_page_panes (self->schedule_page, &schedule, &table);
  GtkWidget *places[N_STEPS] = {
    [AT_EXAMPLE] = GTK_WIDGET (self->mode_stack), [AT_TARGET] = GTK_WIDGET (self->target_button), [AT_SEARCH] = GTK_WIDGET (self->search),
    [AT_EXPLORE] = GTK_WIDGET (self->results), [AT_SCHEDULE] = schedule,
    [AT_RUN] = GTK_WIDGET (self->run_button), [AT_RESULTS] = GTK_WIDGET (self->results),
  };

  gtk_stack_set_visible_child_name (self->mode_stack, modes[step]);
  if (shown[step] != NULL)
    gilk_results_view_select_name (self->results, shown[step]);

  return places[step];
}

static void
tour_ended (GilkTour   *tour,
            GilkWindow *self)
{
  self->tour = NULL;
  g_settings_set_boolean (self->settings, "tour-taken", TRUE);
}

ACTION (start_tour)
{
  GilkWindow *self = user_data;

  if (self->tour != NULL)
    return;
  if (gilk_results_view_path (self->results) == NULL)
    gilk_window_open_example (self);
  self->tour = GTK_WIDGET (gilk_tour_start (steps, N_STEPS, show_place, self));
  g_signal_connect_object (self->tour, "ended", G_CALLBACK (tour_ended), self, 0);
}

/* ---- the list of recent files ---- */

static void
remove_and_report (GilkWindow *self,
                   const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *text = g_strdup_printf (_("%s no longer exists and was removed from the list."), name);

  gilk_recent_files_remove (self->settings, path);
  gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, text, NULL, NULL);
}

ACTION (remove_recent_file)
{
  remove_and_report (user_data, g_variant_get_string (parameter, NULL));
}

ACTION (clear_recent)
{
  GilkWindow *self = user_data;

  gilk_recent_files_clear (self->settings);
}

static void
run_ended (GilkRecorder *recorder,
           GilkWindow   *self)
{
  if (gilk_recorder_path (recorder) != NULL)
    gilk_recent_files_add (self->settings, gilk_recorder_path (recorder));
}

/* ---- connecting the last target ---- */

void
gilk_window_resume (GilkWindow *self)
{
  g_autofree char *target = g_settings_get_string (self->settings, "target");

  if (target[0] == '\0')
    return;
  gilk_navigator_restore_location (self->navigator);
  gilk_window_connect_target (self, target);
}

void
gilk_window_start_up (GilkWindow *self)
{
  GilkStartPage *page = gilk_function_view_start_page (self->function_view);
  g_autofree char *target = g_settings_get_string (self->settings, "target");
  g_autofree char *function = g_settings_get_string (self->settings, "function");
  g_autofree char *what = g_settings_get_string (self->settings, "at-start");

  if (gilk_connection_state (self->connection) != GILK_CONNECTION_NONE)
    return;
  if (target[0] != '\0' && g_str_equal (what, "connect"))
    gilk_window_resume (self);
  else if (target[0] != '\0' && g_str_equal (what, "offer"))
    gilk_start_page_offer_resume (page, target, function);
  /* Focus the start page and not the search entry, because without a kernel there is nothing to
   * search. */
  gilk_start_page_focus (page);
}

/* ---- offering a recording that was cut off by a crash ---- */

/* Search for an interrupted recording: a worker thread reads only the newest session of the user's
 * directory. */
typedef struct {
  GilkWindow   *window;
  GCancellable *cancellable;
} Search;

static void
offer_session (GilkWindow               *self,
               const GilkSessionSummary *summary)
{
  g_autofree char *name = g_path_get_basename (summary->path);
  g_autofree char *when = summary->started != NULL ? gilk_text_date (summary->started, FALSE) : g_strdup ("–");
  g_autofree char *text =
    g_strdup_printf (_("The recording of %s (%s) was cut off. Data recorded until then is kept."), name, when);
  g_autoptr(GVariant) target = g_variant_ref_sink (g_variant_new_string (summary->path));
  g_autofree char *action = g_action_print_detailed_name ("win.open-path", target);

  g_settings_set_string (self->settings, "cut-off-offered", summary->path);
  gilk_banner_show (self->banner, "cut-off", GTK_MESSAGE_WARNING, text, &(GilkRemedy) { _("Show results"), action }, NULL);
}

/* Takes the first summary, the newest session, and cancels reading the others. */
static void
check_summary (const GilkSessionSummary *summary,
               gpointer                  user_data)
{
  Search *search = user_data;
  g_autofree char *offered = NULL;

  g_cancellable_cancel (search->cancellable);
  if (!summary->cut_off || search->window->tearing_down || search->window->settings == NULL)
    return;
  offered = g_settings_get_string (search->window->settings, "cut-off-offered");
  if (!g_str_equal (offered, summary->path))
    offer_session (search->window, summary);
}

static void
search_done (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  Search *search = user_data;

  g_object_unref (search->window);
  g_object_unref (search->cancellable);
  g_free (search);
}

void
gilk_window_offer_recovery (GilkWindow *self)
{
  g_autofree char *folder = gilk_settings_session_folder (self->settings, NULL);
  Search *search;

  if (folder == NULL)
    return;
  search = g_new (Search, 1);
  *search = (Search) { g_object_ref (self), g_cancellable_new () };
  gilk_session_summaries_read (folder, search->cancellable, check_summary, search_done, search);
}

void
gilk_window_welcome_init (GilkWindow *self)
{
  static const GActionEntry entries[] = {
    { "example", open_example }, { "tour", start_tour }, { "forget-file", remove_recent_file, "s" }, { "clear-recent", clear_recent },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->menu_button, "toggled", G_CALLBACK (gilk_start_page_check_files),
                           gilk_function_view_start_page (self->function_view), G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recorder, "ended", G_CALLBACK (run_ended), self, 0);
}
