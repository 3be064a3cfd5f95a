/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-welcome.c - help for new and returning users: example, tour, recent files
 *
 * The first page and the menu offer all of it; nothing opens by itself.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-build-dir.h"
#include "gui/base/gilk-recent-files.h"
#include "gui/window/gilk-tour.h"

#define EXAMPLE     "example/pipe.gilk"
#define SHOWN_FIRST 4              /* recent files on the start page */

typedef struct {
  GtkWidget *title, *list;         /* of recent files, on the start page */
} First;

#define ACTION(name) static void name (GSimpleAction *action, GVariant *parameter, gpointer user_data)

/* ---- example ---- */

/* (transfer full) (nullable) */
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

/* ---- tour ---- */

enum { AT_EXAMPLE, AT_TARGET, AT_SEARCH, AT_EXPLORE, AT_SCHEDULE, AT_RUN, AT_RESULTS, N_STEPS };

static const GilkTourStep steps[N_STEPS] = {
  [AT_EXAMPLE] = { N_("An example session"),
    N_("It was recorded on a stock kernel: a writer and a reader of a pipe, first alone, then on a busy machine. "
       "Nothing here changes a kernel.") },
  [AT_TARGET] = { N_("Target kernel"),
    N_("Choose a kernel: a lab in a virtual machine, which is safe to experiment with, this machine, or another one over ssh.") },
  [AT_SEARCH] = { N_("Explore: find a function"),
    N_("Type a few letters of its name. Start with “>” to find actions of the window instead.") },
  [AT_EXPLORE] = { N_("Explore: its blocks"),
    N_("The function's basic blocks are drawn as a graph; this one was recorded. In Explore, click the upper edge of a "
       "block to plan a hook at its start, or the lower edge for one at its end.") },
  [AT_SCHEDULE] = { N_("Schedule: when hooks run"),
    N_("Each planned hook has a bar here. Drag its ends, or enter the times in the table below.") },
  [AT_RUN] = { N_("Run"),
    N_("This arms all hooks of the plan, or none, and restores the kernel when the time is up or you stop the run.") },
  [AT_RESULTS] = { N_("Results: what was recorded"),
    N_("Runs and hooks are on the left: choose a hook that takes samples to see its histogram, time series or "
       "spectrum, or another run to compare. The graph shows how often each block ran. F1 opens the guide.") },
};

/* Shows the view of the step. The tour needs no kernel: the example session shows what a graph is. */
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

/* ---- recent files ---- */

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
  gilk_recent_files_clear (GILK_WINDOW (user_data)->settings);
}

static void
add_row (GtkBox               *list,
         const GilkRecentFile *file)
{
  GtkWidget *button = gtk_button_new ();
  g_autofree char *text = file->missing ? g_strdup_printf (_("%s – missing, remove from list"), file->name)
                                        : g_strdup_printf ("%s – %s", file->name, file->folder);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 52);
  gtk_widget_set_tooltip_text (button, file->path);
  atk_object_set_name (gtk_widget_get_accessible (button), text);
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_container_add (GTK_CONTAINER (button), label);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), file->missing ? "win.forget-file" : "win.open-path");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", file->path);
  gtk_box_pack_start (list, button, FALSE, FALSE, 0);
}

static void
remove_row (GtkWidget *row,
            gpointer   user_data)
{
  gtk_widget_destroy (row);
}

static void
recent_files_checked (gpointer         object,
                      const GPtrArray *files)
{
  GilkWindow *self = object;
  const First *first = g_object_get_data (object, "gilk-first");

  if (gtk_widget_in_destruction (GTK_WIDGET (self)))
    return;
  gilk_recent_files_fill_menu (self->recent_menu, files);
  gtk_container_foreach (GTK_CONTAINER (first->list), remove_row, NULL);
  for (guint i = 0; i < MIN (files->len, SHOWN_FIRST); i++)
    add_row (GTK_BOX (first->list), files->pdata[i]);
  gtk_widget_show_all (first->list);
  gtk_widget_set_visible (first->title, files->len > 0);
}

static void
check_recent_files (GilkWindow *self)
{
  gilk_recent_files_check (self->settings, G_OBJECT (self), recent_files_checked);
}

static void
run_ended (GilkRecorder *recorder,
           GilkWindow   *self)
{
  if (gilk_recorder_path (recorder) != NULL)
    gilk_recent_files_add (self->settings, gilk_recorder_path (recorder));
}

/* ---- start page ---- */

static GtkWidget *
section_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_style_context_add_class (gtk_widget_get_style_context (label), "dim-label");
  gtk_widget_set_margin_top (label, 10);

  return label;
}

static void
add_action (GtkWidget  *box,
            const char *label,
            const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_pack_start (GTK_BOX (box), button, FALSE, FALSE, 0);
}

/* Adds the choices that need no kernel below the targets. */
static void
add_to_page (GilkWindow *self,
             First      *first)
{
  GtkBox *page = GTK_BOX (gtk_widget_get_parent (GTK_WIDGET (self->resume_button)));
  GtkWidget *without = section_new (_("Or without a kernel")), *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_widget_set_halign (buttons, GTK_ALIGN_CENTER);
  add_action (buttons, _("Open the example session"), "win.example");
  add_action (buttons, _("Take the tour"), "win.tour");
  first->title = section_new (_("Recent files"));
  first->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_pack_start (page, without, FALSE, FALSE, 0);
  gtk_box_pack_start (page, buttons, FALSE, FALSE, 0);
  gtk_box_pack_start (page, first->title, FALSE, FALSE, 0);
  gtk_box_pack_start (page, first->list, FALSE, FALSE, 0);
  gtk_widget_show (without);
  gtk_widget_show_all (buttons);
}

void
gilk_window_welcome_init (GilkWindow *self)
{
  static const GActionEntry entries[] = {
    { "example", open_example }, { "tour", start_tour }, { "forget-file", remove_recent_file, "s" }, { "clear-recent", clear_recent },
  };
  First *first = g_new0 (First, 1);

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_object_set_data_full (G_OBJECT (self), "gilk-first", first, g_free);
  add_to_page (self, first);
  g_signal_connect_object (self->settings, "changed::recent-files", G_CALLBACK (check_recent_files), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->menu_button, "toggled", G_CALLBACK (check_recent_files), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recorder, "ended", G_CALLBACK (run_ended), self, 0);
  check_recent_files (self);
}
