/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-control.c - starts and stops runs of the plan, and reports how they end
 */
#include "gui/window/gilk-run-control.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/store/gilk-store.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"
#include "gui/plan/gilk-plan-dialogs.h"

struct _GilkRunControl {
  GObject parent_instance;

  GtkWindow        *window;              /* the members from @window to @status are unowned and
                                          * outlive this object */
  GilkPlanPanel    *panel;
  GilkSchedulePage *page;
  GilkStatusBar    *status;
  GilkPlanModel    *model;
  GilkConnection   *connection;
  GilkRecorder     *recorder;
  GSettings        *settings;
  GilkBanner       *banner;

  /* @n_runs: number of consecutive runs that the user has requested; @n_begun: number of those
   * started so far. */
  guint             n_runs, n_begun;
  char             *path;                /* session file of all requested runs */
  gboolean          plan_differs;        /* the plan was edited after the run was started, so it
                                          * differs from the plan of the run */
  char             *kept;                /* result of gilk_run_control_kept() */
};

G_DEFINE_FINAL_TYPE (GilkRunControl, gilk_run_control, G_TYPE_OBJECT)

/* ---- starting and stopping runs ---- */

char *
gilk_run_control_obstacle (GilkRunControl *self)
{
  g_autoptr(GError) error = NULL;
  uint64_t ns;

  if (gilk_connection_state (self->connection) == GILK_CONNECTION_LOST)
    return g_strdup (_("The connection to the target is lost: connect again."));
  if (gilk_connection_target (self->connection) == NULL)
    return g_strdup (_("Choose a target first."));
  if (gilk_connection_is_switching (self->connection))
    return g_strdup (_("The window is switching between driver and BPF."));
  if (!gilk_connection_has_driver (self->connection))
    return g_strdup (_("Neither the driver nor BPF can be used on this target, so nothing can be hooked."));
  if (gilk_plan_model_n_hooks (self->model) == 0)
    return g_strdup (_("The plan is empty: click the circle at a block's edge."));
  if (!gilk_length_entry_get (gilk_plan_panel_length (self->panel), &ns, NULL))
    return g_strdup (_("The value of “Run for” is not a duration; enter a duration such as 500ms, "
                       "10s or 2m."));
  if (gilk_schedule_page_conflict (self->page) != NULL)
    return g_strdup (gilk_schedule_page_conflict (self->page));
  if (!gilk_plan_check_schedule (gilk_plan_model_plan (self->model), ns, &error))
    return g_strdup (error->message);

  return NULL;
}

/* Starts the next of the requested runs. */
static void
start_run (GilkRunControl *self)
{
  uint64_t length = 0;

  gilk_length_entry_get (gilk_plan_panel_length (self->panel), &length, NULL);
  g_clear_pointer (&self->kept, g_free);
  gilk_banner_withdraw (self->banner, "refused");
  gilk_plan_model_clear_refusals (self->model);
  self->n_begun++;
  gilk_status_bar_set_run (self->status, self->n_begun, self->n_runs);
  gilk_recorder_start (self->recorder, self->connection, gilk_plan_model_plan (self->model), self->path, length);
}

/* Returns whether another run should start now that a run has finished. */
static gboolean
has_more_runs (GilkRunControl       *self,
               const GilkRunFigures *figures)
{
  return self->n_begun < self->n_runs && figures != NULL && figures->state == GILK_RUN_DONE &&
         gilk_recorder_interference (self->recorder) == NULL && gilk_run_control_obstacle (self) == NULL;
}

void
gilk_run_control_stop (GilkRunControl *self)
{
  self->n_runs = 0;
  gilk_recorder_stop (self->recorder);
}

void
gilk_run_control_toggle (GilkRunControl *self)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = NULL;
  uint64_t length;

  if (gilk_recorder_state (self->recorder) != GILK_RECORDER_IDLE)
    {
      gilk_run_control_stop (self);
      return;
    }
  /* Set the A/B intervals in the plan, because their entry may still have the focus, and its text
   * is set only when the entry loses the focus. */
  gilk_schedule_page_enter_intervals (self->page);
  if (gilk_schedule_page_conflict (self->page) != NULL)
    return;
  path = gilk_settings_new_session_path (self->settings, &error);
  if (path == NULL || !gilk_length_entry_get (gilk_plan_panel_length (self->panel), &length, &error))
    {
      gilk_banner_show_error (self->banner, error);
      return;
    }
  gilk_banner_clear_remark (self->banner);
  gilk_banner_withdraw (self->banner, "results");
  g_free (self->path);
  self->path = g_steal_pointer (&path);
  self->n_runs = gilk_plan_panel_n_runs (self->panel);
  self->n_begun = 0;
  start_run (self);
}

/* ---- plan edited during a run ---- */

gboolean
gilk_run_control_may_apply (GilkRunControl *self)
{
  return self->plan_differs && gilk_recorder_may_change (self->recorder);
}

static void
plan_changed (GilkRunControl *self)
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
  g_signal_emit_by_name (self, "changed");
}

void
gilk_run_control_apply (GilkRunControl *self)
{
  if (!gilk_run_control_may_apply (self))
    return;

  self->plan_differs = FALSE;
  gilk_banner_withdraw (self->banner, "edited");
  gilk_recorder_change (self->recorder, self->connection, gilk_plan_model_plan (self->model));
}

static void
plan_applied (GilkRunControl *self,
              guint           added,
              guint           removed)
{
  g_autofree char *more = g_strdup_printf (g_dngettext (NULL, "%u hook added", "%u hooks added", added), added);
  g_autofree char *fewer = g_strdup_printf (g_dngettext (NULL, "%u removed", "%u removed", removed), removed);
  g_autofree char *text = added + removed == 0
    ? g_strdup (_("The run already matches the plan."))
    : g_strdup_printf (_("The plan was applied to the run: %s, %s."), more, fewer);

  if (!self->plan_differs)
    gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, text, NULL, NULL);
}

/* ---- refused hooks ---- */

/* Returns whether a hook that was refused for the reason @refusal may be accepted once the kernel
 * text is read again. */
static gboolean
is_stale (guint refusal)
{
  return refusal == ILK_REFUSAL_TEXT_DIFFERS || refusal == ILK_REFUSAL_NOT_TEXT || refusal == ILK_REFUSAL_MODULE_GONE ||
         refusal == ILK_REFUSAL_NOT_BOUNDARY || refusal == ILK_REFUSAL_PIN_GONE || refusal == ILK_REFUSAL_SMP_LOCK;
}

/* Shows which hooks the driver refused when the run was started. Returns FALSE if no hook was
 * refused; the caller must then show @error. */
static gboolean
show_refused (GilkRunControl *self,
              const GError   *error)
{
  const GilkBoundPlan *bound = gilk_recorder_bound (self->recorder);
  g_autofree char *text = NULL, *count = NULL;
  gboolean stale = FALSE;
  guint n = 0;

  for (guint i = 0; bound != NULL && i < bound->hooks->len; i++)
    {
      const guint refusal = gilk_recorder_refusal (self->recorder, i);

      if (refusal == 0)
        continue;
      n++;
      stale |= is_stale (refusal);
      gilk_plan_model_set_refusal (self->model, g_array_index (bound->hooks, GilkBoundHook, i).hook->label, refusal);
    }
  if (n == 0)
    return FALSE;

  count = g_strdup_printf (g_dngettext (NULL, "Nothing was armed: %u hook is refused.", "Nothing was armed: %u hooks are refused.", n), n);
  text = g_strdup_printf ("%s\n%s", error->message, count);
  gilk_banner_show (self->banner, "refused", GTK_MESSAGE_ERROR, text, &(GilkRemedy) { _("Remove refused"), "win.drop-refused" },
                    stale ? &(GilkRemedy) { _("Read again"), "win.reconnect" } : NULL);

  return TRUE;
}

static void
drop_refused (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  GilkRunControl *self = user_data;
  g_autoptr(GArray) hooks = gilk_plan_model_refused_hooks (self->model);
  g_autofree char *text = g_strdup_printf (g_dngettext (NULL, "%u hook was removed; Undo restores it.",
                                                        "%u hooks were removed; Undo restores them.", hooks->len), hooks->len);

  if (hooks->len == 0)
    return;
  gilk_plan_model_remove_many (self->model, (const guint *) hooks->data, hooks->len);
  gilk_banner_show_event (self->banner, "dropped", GTK_MESSAGE_INFO, text, &(GilkRemedy) { _("Undo"), "win.undo" }, NULL);
}

static void
recorder_failed (GilkRunControl *self,
                 const GError   *error)
{
  if (gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING)
    self->plan_differs = TRUE;       /* the edited plan was not applied */
  else if (show_refused (self, error))
    return;
  gilk_banner_show_error (self->banner, error);
}

/* Handles a plan that must be hooked by BPF: shows why, and switches the connection to BPF. */
static void
way_chosen (GilkRunControl *self,
            const char     *why)
{
  gilk_banner_show_event (self->banner, "way", GTK_MESSAGE_INFO, why, NULL, NULL);
  if (!gilk_connection_is_switching (self->connection))
    gilk_connection_use (self->connection, GILK_WAY_BPF);
}

/* ---- during and after a run ---- */

static void
recorder_changed (GilkRunControl *self)
{
  const GilkRunFigures *figures = gilk_recorder_figures (self->recorder);
  const GilkBoundPlan *bound = gilk_recorder_bound (self->recorder);

  if (figures != NULL && bound != NULL)
    gilk_plan_model_update_figures (self->model, bound, figures);
}

/* Returns the reason why the run ended, in parentheses; "" if the time was up, the user stopped the
 * run, or gilk_recorder_interference() gives the reason. */
static char *
describe_end (GilkRunControl *self)
{
  const char *ended = gilk_recorder_end_reason (self->recorder);
  g_autofree char *words = ended != NULL ? gilk_store_end_reason_text (ended) : NULL;

  return words == NULL || gilk_store_ended_as_planned (ended) ||
         gilk_recorder_interference (self->recorder) != NULL ? g_strdup ("") : g_strdup_printf (" (%s)", words);
}

/* Reports that the run was cut short by an error, such as a lost target, and that the data recorded
 * before the error are in the session. */
static void
show_kept_data (GilkRunControl       *self,
                const GilkRunFigures *figures)
{
  const GError *error = gilk_recorder_error (self->recorder);
  const gboolean lost = error == NULL || g_error_matches (error, GILK_ERROR, GILK_ERROR_TARGET);
  g_autofree char *counts = gilk_recorder_describe_counts (self->recorder);
  g_autofree char *kept = g_strdup_printf (_("The run was cut short after %.1f s; data recorded until then is kept: %s."),
                                           figures->elapsed, counts);
  g_autofree char *text = g_strconcat (lost ? "" : error->message, lost ? "" : "\n", kept, NULL);

  gilk_banner_clear_remark (self->banner);       /* @text replaces the remark about the error */
  gilk_banner_show (self->banner, "results", GTK_MESSAGE_WARNING, text, &(GilkRemedy) { _("Show results"), "win.show-results" }, NULL);
  g_free (self->kept);
  self->kept = g_steal_pointer (&kept);
}

/* Reports the end of a run. If the run ended normally, the message disappears by itself. @seen: the
 * results are shown already, so the message does not offer to show them */
static void
show_end (GilkRunControl *self,
          gboolean        cut_short,
          gboolean        seen,
          const char     *text)
{
  const GilkRemedy offer = { _("Show results"), "win.show-results" };

  if (cut_short)
    gilk_banner_show (self->banner, "results", GTK_MESSAGE_WARNING, text, seen ? NULL : &offer, NULL);
  else
    gilk_banner_show_event (self->banner, "results", GTK_MESSAGE_INFO, text, seen ? NULL : &offer, NULL);
}

void
gilk_run_control_report (GilkRunControl *self,
                         gboolean        seen)
{
  const GilkRunFigures *figures = gilk_recorder_figures (self->recorder);

  if (figures != NULL && figures->state == GILK_RUN_DONE)
    {
      const char *cut_short = gilk_recorder_interference (self->recorder);
      g_autofree char *counts = gilk_recorder_describe_counts (self->recorder);
      g_autofree char *lost = gilk_text_count (figures->lost);
      g_autofree char *end = describe_end (self);
      g_autofree char *text = g_strdup_printf (_("Run finished after %.1f s%s: %s, %s lost. %s"),
                                               figures->elapsed, end, counts, lost,
                                               cut_short != NULL ? cut_short : _("The kernel is restored."));

      show_end (self, cut_short != NULL, seen, text);
    }
  else if (figures != NULL && figures->elapsed > 0)
    show_kept_data (self, figures);
}

static void
run_ended (GilkRunControl *self)
{
  self->plan_differs = FALSE;
  gilk_banner_withdraw (self->banner, "edited");
  if (has_more_runs (self, gilk_recorder_figures (self->recorder)))
    start_run (self);
  else
    g_signal_emit_by_name (self, "finished");
}

/* Shows a message of a program of the plan, also as a notification, because the user may
 * be looking elsewhere. */
static void
run_notice (GilkRunControl *self,
            const char     *text)
{
  g_autoptr(GNotification) notification = g_notification_new (text);
  g_autofree char *said = g_strdup_printf (_("A program reports: %s"), text);

  g_notification_set_body (notification, _("Sent by a program of the recorded plan."));
  g_application_send_notification (g_application_get_default (), NULL, notification);
  gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, said, NULL, NULL);
}

/* Ignores the answer if the window was closed. */
static void
consent_given (GilkConsent granted,
               gpointer    user_data)
{
  g_autoptr(GilkRunControl) self = user_data;

  if (self->recorder != NULL)
    gilk_recorder_answer (self->recorder, granted);
}

static void
consent_wanted (GilkRunControl  *self,
                const GPtrArray *items)
{
  gilk_consent_dialog_show (self->window, items, gilk_connection_spec (self->connection), consent_given, g_object_ref (self));
}

const char *
gilk_run_control_kept (GilkRunControl *self)
{
  return self->kept;
}

void
gilk_run_control_forget_kept (GilkRunControl *self)
{
  g_clear_pointer (&self->kept, g_free);
}

/* ---- GObject life cycle ---- */

GilkRunControl *
gilk_run_control_new (GtkApplicationWindow *window,
                      GilkPlanModel        *model,
                      GilkConnection       *connection,
                      GilkRecorder         *recorder,
                      GSettings            *settings,
                      GilkPlanPanel        *panel,
                      GilkSchedulePage     *page,
                      GilkStatusBar        *status,
                      GilkBanner           *banner)
{
  static const GActionEntry entries[] = { { "drop-refused", drop_refused } };
  GilkRunControl *self = g_object_new (GILK_TYPE_RUN_CONTROL, NULL);

  self->window = GTK_WINDOW (window);
  self->panel = panel;
  self->page = page;
  self->status = status;
  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  self->recorder = g_object_ref (recorder);
  self->settings = g_object_ref (settings);
  self->banner = g_object_ref (banner);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "changed", G_CALLBACK (recorder_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "failed", G_CALLBACK (recorder_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "applied", G_CALLBACK (plan_applied), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "consent", G_CALLBACK (consent_wanted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "way-chosen", G_CALLBACK (way_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "ended", G_CALLBACK (run_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "notice", G_CALLBACK (run_notice), self, G_CONNECT_SWAPPED);

  return self;
}

static void
gilk_run_control_dispose (GObject *object)
{
  GilkRunControl *self = GILK_RUN_CONTROL (object);

  if (self->recorder != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->recorder, self);
      g_signal_handlers_disconnect_by_data (self->model, self);
    }
  g_clear_object (&self->model);
  g_clear_object (&self->connection);
  g_clear_object (&self->recorder);
  g_clear_object (&self->settings);
  g_clear_object (&self->banner);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->kept, g_free);
  G_OBJECT_CLASS (gilk_run_control_parent_class)->dispose (object);
}

static void
gilk_run_control_class_init (GilkRunControlClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_run_control_dispose;
  gilk_add_signal (klass, "changed", 0);
  gilk_add_signal (klass, "finished", 0);
}

static void
gilk_run_control_init (GilkRunControl *self)
{
}
