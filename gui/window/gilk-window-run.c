/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-run.c - the Run button, the status bar, and the end of a run
 *
 * The button has three states: Run, Stop (Cancel while preparing) and Stopping. A plan edited
 * during a run is offered to be applied.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/store/gilk-store.h"
#include "gui/plan/gilk-consent-dialog.h"
#include "gui/base/gilk-entry-problem.h"
#include "gui/base/gilk-others-text.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"

#define OTHERS_SHOWN 12
#define NAME_CHARS_NARROW 14            /* characters of the session's name and size in a narrow window */

gboolean
gilk_window_get_run_length (GilkWindow *self,
                            uint64_t   *ns,
                            GError    **error)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (self->length_entry)));

  *ns = 0;

  return *text == '\0' || gilk_parse_length (text, ns, error);
}

/* ---- button ---- */

/* (transfer full) (nullable) */
static char *
find_run_obstacle (GilkWindow *self)
{
  g_autoptr(GError) error = NULL;
  uint64_t ns;

  if (gilk_connection_state (self->connection) == GILK_CONNECTION_LOST)
    return g_strdup (_("The connection to the target is lost: connect again."));
  if (gilk_connection_target (self->connection) == NULL)
    return g_strdup (_("Choose a target first."));
  if (!gilk_connection_has_driver (self->connection))
    return g_strdup (_("The driver is not loaded on this target, so nothing can be hooked."));
  if (gilk_plan_model_n_hooks (self->model) == 0)
    return g_strdup (_("The plan is empty: click the circle at a block's edge."));
  if (!gilk_window_get_run_length (self, &ns, NULL))
    return g_strdup (_("“Run for” is not a duration; enter one such as 500ms, 10s or 2m."));
  if (self->conflict != NULL)
    return g_strdup (self->conflict);
  if (!gilk_plan_check_schedule (gilk_plan_model_plan (self->model), ns, &error))
    return g_strdup (error->message);

  return NULL;
}

/* Shows the reason beside the button if there is room, otherwise in the status bar. */
static void
show_run_obstacle (GilkWindow *self,
                   const char *why)
{
  gtk_label_set_text (self->run_why, why != NULL ? why : "");
  gtk_label_set_text (self->status_why, why != NULL ? why : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->run_why), why);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status_why), why);
}

static void
show_button (GilkWindow *self)
{
  GilkRecorderState state = gilk_recorder_state (self->recorder);
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self->run_button));
  g_autofree char *why = state == GILK_RECORDER_IDLE ? find_run_obstacle (self) : NULL;
  const char *label = state == GILK_RECORDER_IDLE ? _("Run")
                      : state == GILK_RECORDER_PREPARING ? _("Cancel")
                      : state == GILK_RECORDER_RUNNING ? _("Stop") : _("Stopping");
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "run");

  gtk_label_set_text (self->run_label, label);
  gtk_image_set_from_icon_name (self->run_image,
                                state == GILK_RECORDER_IDLE ? "media-playback-start-symbolic"
                                                            : "media-playback-stop-symbolic",
                                GTK_ICON_SIZE_BUTTON);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->run_button)), label);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->run_button),
                               why != NULL ? why : _("Start or stop the run (F5)"));
  show_run_obstacle (self, why);
  if (action != NULL)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), why == NULL && state != GILK_RECORDER_STOPPING);
  if (state == GILK_RECORDER_IDLE)
    gtk_style_context_add_class (context, "suggested-action");
  else
    gtk_style_context_remove_class (context, "suggested-action");
}

/* ---- status bar ---- */

/* Appends the number of other clients' hooks to @text; the tooltip lists them. */
static void
show_others (GilkWindow *self,
             char      **text)
{
  const GArray *others = gilk_target_poll_others (self->target_poll);
  g_autoptr(GString) tip = g_string_new (NULL);
  g_autofree char *count = NULL, *before = NULL;

  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status_driver), NULL);
  if (others->len == 0)
    return;
  count = g_strdup_printf (g_dngettext (NULL, "%u patch by others", "%u patches by others", others->len), others->len);
  before = *text;
  *text = g_strdup_printf ("%s · %s", before, count);
  for (guint i = 0; i < MIN (others->len, OTHERS_SHOWN); i++)
    {
      const struct ilk_patch_status *place = &g_array_index (others, struct ilk_patch_status, i);
      const GilkFunction *function = gilk_functions_at (self->functions, place->site);

      g_autofree char *facts = gilk_others_text_facts (others, place, gilk_target_poll_epoch (self->target_poll));

      if (function != NULL)
        g_string_append_printf (tip, _("%s%s+0x%x, via gilkd %u: %s"), i > 0 ? "\n" : "", function->name,
                                (guint) (place->site - function->hot.start), place->owner_pid, facts);
    }
  if (others->len > OTHERS_SHOWN)
    g_string_append (tip, "\n…");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status_driver), tip->str);
}

/* Highlights the button while any hook is armed, our own or of other clients. */
static void
colour_disarm (GilkWindow *self,
               gboolean    running)
{
  GtkStyleContext *context = gtk_widget_get_style_context (self->disarm_button);

  if (running || gilk_target_poll_others (self->target_poll)->len > 0)
    gtk_style_context_add_class (context, "armed");
  else
    gtk_style_context_remove_class (context, "armed");
}

static void
show_driver (GilkWindow           *self,
             const GilkRunFigures *figures)
{
  gboolean running = gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING;
  g_autofree char *text = NULL;

  if (gilk_connection_state (self->connection) == GILK_CONNECTION_LOST)
    text = g_strdup (_("connection lost"));
  else if (gilk_connection_target (self->connection) == NULL)
    text = g_strdup (_("not connected"));
  else if (!gilk_connection_has_driver (self->connection))
    text = g_strdup (_("no driver: view only"));
  else if (running && figures != NULL)
    text = g_strdup_printf (g_dngettext (NULL, "ilk %u · %u hook live", "ilk %u · %u hooks live", figures->hooks_live),
                            ILK_ABI_VERSION, figures->hooks_live);
  else
    text = g_strdup_printf (_("ilk %u · no hooks live"), ILK_ABI_VERSION);
  show_others (self, &text);
  colour_disarm (self, running);
  gtk_label_set_text (self->status_driver, text);
}

/* Returns text such as "1,204 hits", with samples if there are any. */
static char *
describe_counts (const GilkRunFigures *figures)
{
  g_autofree char *hits = NULL;
  g_autofree char *samples = gilk_text_samples (figures->samples);
  uint64_t sum = 0;

  for (guint i = 0; i < figures->n_hooks; i++)
    sum += figures->hooks[i].hits;
  hits = gilk_text_hits (sum);

  return figures->samples > 0 ? g_strdup_printf ("%s · %s", hits, samples)
                              : g_strdup (hits);
}

/* Shows the fill level of the fullest ring while recording. */
static void
show_rings (GilkWindow           *self,
            const GilkRunFigures *figures)
{
  gboolean there = figures->ring_bytes != 0 && gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING;
  double of = there ? (double) figures->ring_bytes / 100 : 1;
  g_autofree char *text = g_strdup_printf (_("rings %.0f %%"), (double) figures->ring_used / of);
  g_autofree char *size = g_format_size_full (figures->ring_bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *tip =
    g_strdup_printf (_("Unread data in the fullest per-CPU ring (%s each). Peak: %.0f %%. Samples are lost when a ring "
                       "is full."), size, (double) figures->ring_used_max / of);

  gtk_label_set_text (self->status_rings, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status_rings), tip);
  gtk_widget_set_visible (GTK_WIDGET (self->status_rings), there);
}

static void
show_status (GilkWindow *self)
{
  const GilkRunFigures *figures = gilk_recorder_figures (self->recorder);
  const char *path = gilk_recorder_path (self->recorder);
  GtkStyleContext *lost_context = gtk_widget_get_style_context (GTK_WIDGET (self->status_lost));

  show_driver (self, figures);
  if (figures == NULL)
    return;

  g_autofree char *elapsed = figures->duration > 0
    ? g_strdup_printf (_("%.1f of %.1f s"), figures->elapsed, figures->duration)
    : g_strdup_printf (_("%.1f s"), figures->elapsed);
  gboolean running = gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING;
  g_autofree char *rate = gilk_text_rate (running ? figures->samples_per_second : 0);
  g_autofree char *all = describe_counts (figures);
  g_autofree char *both = g_strdup_printf ("%s%s%s", all, rate[0] != '\0' ? " · " : "", rate);
  g_autofree char *count = gilk_text_count (figures->lost);
  g_autofree char *lost = g_strdup_printf (_("lost %s"), count);

  if (self->runs_of > 1)
    {
      g_autofree char *numbered = g_strdup_printf (_("run %u of %u · %s"), self->runs_begun, self->runs_of, elapsed);

      gtk_label_set_text (self->status_elapsed, numbered);
    }
  else
    gtk_label_set_text (self->status_elapsed, elapsed);
  gtk_label_set_text (self->status_rate, both);
  gtk_label_set_text (self->status_lost, lost);
  if (figures->lost > 0)
    gtk_style_context_add_class (lost_context, "lost");
  else
    gtk_style_context_remove_class (lost_context, "lost");

  show_rings (self, figures);
  if (path != NULL)
    {
      g_autofree char *name = g_path_get_basename (path);
      g_autofree char *size = g_format_size (figures->bytes);
      g_autofree char *label = g_strdup_printf ("%s · %s", name, size);

      gtk_button_set_label (self->status_file, label);
      gtk_label_set_ellipsize (GTK_LABEL (gtk_bin_get_child (GTK_BIN (self->status_file))), PANGO_ELLIPSIZE_START);
      gtk_label_set_max_width_chars (GTK_LABEL (gtk_bin_get_child (GTK_BIN (self->status_file))),
                                     gtk_widget_get_visible (self->status_line_box) ? -1 : NAME_CHARS_NARROW);
      gtk_widget_show (GTK_WIDGET (self->status_file));
    }
}

void
gilk_window_update_run (GilkWindow *self)
{
  gboolean running = gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING;
  const GilkRunFigures *figures = gilk_recorder_figures (self->recorder);
  double elapsed = running && figures != NULL ? figures->elapsed : -1;
  uint64_t length = 0;

  show_button (self);
  show_status (self);
  gilk_window_get_run_length (self, &length, NULL);
  gilk_schedule_view_set_time (self->schedule_small, length, elapsed);
  gilk_schedule_view_set_time (self->schedule_large, length, elapsed);
}

static void
mark_length (GtkEntry     *entry,
             const GError *error)
{
  gilk_entry_show_problem (entry, error != NULL ? error->message : NULL,
                           _("How long the run lasts, such as 500ms, 10s or 2m; empty: until Stop"));
}

void
gilk_window_length_changed (GilkWindow *self)
{
  g_autoptr(GError) error = NULL;
  uint64_t ns = 0;

  if (gilk_window_get_run_length (self, &ns, &error))
    gilk_plan_model_set_length (self->model, ns);
  if (error == NULL)
    gilk_plan_check_schedule (gilk_plan_model_plan (self->model), ns, &error);
  mark_length (self->length_entry, error);
  mark_length (self->schedule_length, error);
  gilk_window_update_run (self);
}

/* Hides the offer to show results once they are shown. */
static void
mode_changed (GilkWindow *self)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->mode_stack), "results") == 0)
    gilk_banner_withdraw (self->banner, "results");
  gilk_banner_clear_old_remark (self->banner);
  gilk_window_update_actions (self);
}

/* ---- run ---- */

/* Starts the next of the requested runs. */
static void
start_run (GilkWindow *self)
{
  uint64_t length = 0;

  gilk_window_get_run_length (self, &length, NULL);
  g_clear_pointer (&self->kept_text, g_free);
  gilk_banner_withdraw (self->banner, "refused");
  gilk_plan_model_clear_refusals (self->model);
  self->runs_begun++;
  gilk_recorder_start (self->recorder, self->connection, gilk_plan_model_plan (self->model), self->runs_path, length);
}

/* Returns whether another run should follow the finished one. */
static gboolean
has_more_runs (GilkWindow           *self,
               const GilkRunFigures *figures)
{
  return self->runs_begun < self->runs_of && figures != NULL && figures->state == GILK_RUN_DONE &&
         gilk_recorder_interference (self->recorder) == NULL && !self->closing && find_run_obstacle (self) == NULL;
}

void
gilk_window_toggle_run (GilkWindow *self)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = NULL;
  uint64_t length;

  if (gilk_recorder_state (self->recorder) != GILK_RECORDER_IDLE)
    {
      self->runs_of = 0;
      gilk_recorder_stop (self->recorder);
      return;
    }
  /* Takes an entry that still has the focus. */
  gilk_window_intervals_activated (self);
  if (self->conflict != NULL)
    return;
  path = gilk_settings_new_session_path (self->settings, &error);
  if (path == NULL || !gilk_window_get_run_length (self, &length, &error))
    {
      gilk_window_show_error (self, error);
      return;
    }
  gilk_banner_clear_remark (self->banner);
  gilk_banner_withdraw (self->banner, "results");
  g_free (self->runs_path);
  self->runs_path = g_steal_pointer (&path);
  self->runs_of = MAX (1, g_ascii_strtoull (gtk_entry_get_text (self->runs_entry), NULL, 10));
  self->runs_begun = 0;
  start_run (self);
}

/* ---- plan edited during a run ---- */

gboolean
gilk_window_may_apply (GilkWindow *self)
{
  return self->plan_differs && gilk_recorder_may_change (self->recorder);
}

void
gilk_window_offer_plan (GilkWindow *self)
{
  gilk_banner_withdraw (self->banner, "dropped");
  gilk_banner_withdraw (self->banner, "refused");
  if (gilk_recorder_state (self->recorder) != GILK_RECORDER_RUNNING)
    return;

  self->plan_differs = TRUE;
  if (!gilk_banner_has (self->banner, "edited"))
    gilk_banner_show (self->banner, "edited", GTK_MESSAGE_INFO, _("The plan was edited; the run continues with the "
                                                                  "old plan."),
                      &(GilkRemedy) { _("Apply to the run"), "win.apply-plan" }, NULL);
}

void
gilk_window_apply_plan (GilkWindow *self)
{
  if (!gilk_window_may_apply (self))
    return;

  self->plan_differs = FALSE;
  gilk_banner_withdraw (self->banner, "edited");
  gilk_recorder_change (self->recorder, self->connection, gilk_plan_model_plan (self->model));
}

static void
plan_applied (GilkWindow *self,
              guint       added,
              guint       removed)
{
  g_autofree char *more = g_strdup_printf (g_dngettext (NULL, "%u hook added", "%u hooks added", added), added);
  g_autofree char *fewer = g_strdup_printf (g_dngettext (NULL, "%u removed", "%u removed", removed), removed);
  g_autofree char *text = added + removed == 0
    ? g_strdup (_("The run already matches the plan."))
    : g_strdup_printf (_("The plan was applied to the run: %s, %s."), more, fewer);

  if (!self->plan_differs)
    gilk_window_message (self, GTK_MESSAGE_INFO, text, NULL, NULL);
}

static void
recorder_failed (GilkWindow   *self,
                 const GError *error)
{
  if (gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING)
    self->plan_differs = TRUE;       /* the change was not applied */
  else if (gilk_window_show_refused (self, error))
    return;
  gilk_window_show_error (self, error);
}

/* Adds the hit rate of all hooks together. */
static void
add_rate (GilkWindow           *self,
          const GilkRunFigures *figures)
{
  double sum = 0;

  if (gilk_recorder_state (self->recorder) == GILK_RECORDER_PREPARING)
    gilk_rate_line_clear (self->status_line);
  if (figures == NULL || figures->state != GILK_RUN_RUNNING)
    return;
  for (guint i = 0; i < figures->n_hooks; i++)
    sum += figures->hooks[i].rate;
  gilk_rate_line_add (self->status_line, figures->elapsed, sum);
}

static void
recorder_changed (GilkWindow *self)
{
  const GilkRunFigures *figures = gilk_recorder_figures (self->recorder);
  const GilkBoundPlan *bound = gilk_recorder_bound (self->recorder);

  add_rate (self, figures);
  if (figures != NULL && bound != NULL)
    gilk_plan_model_update_figures (self->model, bound, figures);
  gilk_window_update_run (self);
  gilk_window_update_progress (self);
  gilk_window_update_actions (self);
}

/* Returns in parentheses what ended the run, or "" if it was its time or the user. (transfer full) */
static char *
describe_end (GilkWindow *self)
{
  const char *ended = gilk_recorder_end_reason (self->recorder);
  g_autofree char *words = ended != NULL ? gilk_store_end_reason_text (ended) : NULL;

  return words == NULL || gilk_store_ended_as_planned (ended) ||
         gilk_recorder_interference (self->recorder) != NULL ? g_strdup ("") : g_strdup_printf (" (%s)", words);
}

/* Reports that data recorded before an error, such as a lost target, is in the session. */
static void
show_kept_data (GilkWindow           *self,
                const GilkRunFigures *figures)
{
  const GError *error = gilk_recorder_error (self->recorder);
  const gboolean lost = error == NULL || g_error_matches (error, GILK_ERROR, GILK_ERROR_TARGET);
  g_autofree char *counts = describe_counts (figures);
  g_autofree char *kept = g_strdup_printf (_("The run was cut short after %.1f s; data recorded until then is kept: %s."),
                                           figures->elapsed, counts);
  g_autofree char *text = g_strconcat (lost ? "" : error->message, lost ? "" : "\n", kept, NULL);

  gilk_banner_clear_remark (self->banner);       /* the error itself was shown already */
  gilk_banner_show (self->banner, "results", GTK_MESSAGE_WARNING, text, &(GilkRemedy) { _("Show results"), "win.show-results" }, NULL);
  g_free (self->kept_text);
  self->kept_text = g_steal_pointer (&kept);
  if (gilk_banner_has (self->banner, "target"))
    gilk_window_show_lost (self);
}

/* Reports the end of a run. A normal end is a passing message; results are offered
 * unless shown already. */
static void
show_end (GilkWindow *self,
          gboolean    cut_short,
          const char *text)
{
  const gboolean seen = g_strcmp0 (gtk_stack_get_visible_child_name (self->mode_stack), "results") == 0;
  const GilkRemedy offer = { _("Show results"), "win.show-results" };

  if (cut_short)
    gilk_banner_show (self->banner, "results", GTK_MESSAGE_WARNING, text, seen ? NULL : &offer, NULL);
  else
    gilk_banner_show_event (self->banner, "results", GTK_MESSAGE_INFO, text, seen ? NULL : &offer, NULL);
}

static void
run_ended (GilkWindow *self)
{
  const GilkRunFigures *figures = gilk_recorder_figures (self->recorder);

  self->plan_differs = FALSE;
  if (self->closing)
    {
      gilk_window_tear_down (self);
      return;
    }
  gilk_banner_withdraw (self->banner, "edited");
  if (has_more_runs (self, figures))
    {
      start_run (self);
      return;
    }
  gilk_results_view_open (self->results, gilk_recorder_path (self->recorder));
  if (figures != NULL && figures->state == GILK_RUN_DONE)
    {
      const char *cut_short = gilk_recorder_interference (self->recorder);
      g_autofree char *counts = describe_counts (figures);
      g_autofree char *lost = gilk_text_count (figures->lost);
      g_autofree char *end = describe_end (self);
      g_autofree char *text = g_strdup_printf (_("Run finished after %.1f s%s: %s, %s lost. %s"),
                                               figures->elapsed, end, counts, lost,
                                               cut_short != NULL ? cut_short : _("The kernel is restored."));

      show_end (self, cut_short != NULL, text);
    }
  else if (figures != NULL && figures->elapsed > 0)
    show_kept_data (self, figures);
  gilk_window_schedule_bind (self);
}

/* Shows a message of a program of the plan, also as a notification, because the user may
 * be looking elsewhere. */
static void
run_notice (GilkWindow *self, const char *text)
{
  g_autoptr(GNotification) notification = g_notification_new (text);
  g_autofree char *said = g_strdup_printf (_("A program reports: %s"), text);

  g_notification_set_body (notification, _("Sent by a program of the recorded plan."));
  g_application_send_notification (g_application_get_default (), NULL, notification);
  gilk_window_message (self, GTK_MESSAGE_INFO, said, NULL, NULL);
}

/* Ignores the answer if the window was closed. */
static void
consent_given (GilkConsent granted,
               gpointer    user_data)
{
  g_autoptr(GilkWindow) self = user_data;

  if (self->recorder != NULL)
    gilk_recorder_answer (self->recorder, granted);
}

static void
consent_wanted (GilkWindow      *self,
                const GPtrArray *items)
{
  gilk_consent_dialog_show (GTK_WINDOW (self), items, gilk_connection_spec (self->connection), consent_given, g_object_ref (self));
}

void
gilk_window_run_init (GilkWindow *self)
{
  gilk_live_view_follow (self->live, self->recorder, self->results_stack, self->live_switcher, G_ACTION_MAP (self));
  g_signal_connect_object (self->mode_stack, "notify::visible-child", G_CALLBACK (mode_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recorder, "changed", G_CALLBACK (recorder_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recorder, "failed", G_CALLBACK (recorder_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recorder, "applied", G_CALLBACK (plan_applied), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recorder, "consent", G_CALLBACK (consent_wanted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recorder, "ended", G_CALLBACK (run_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recorder, "notice", G_CALLBACK (run_notice), self, G_CONNECT_SWAPPED);
}
