/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-plan.c - the plan in the window: toggling points, checking, marking
 *
 * After each edit the plan is bound to the kernel in the background, so that the tactic, cost or
 * refusal of every hook is known before the run starts.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "core/emit/gilk-inline.h"
#include "gui/plan/gilk-arrange-popover.h"
#include "gui/plan/gilk-check-popover.h"
#include "gui/run/gilk-connection-work.h"
#include "gui/base/gilk-entry-problem.h"
#include "gui/graph/gilk-graph-counts.h"
#include "gui/base/gilk-text.h"
#include "gui/plan/gilk-watchpoint-dialog.h"

#define BIND_DELAY_MS 250
#define PANEL_HEAD    34         /* pixels: the schedule's axis and some room below */
#define PANEL_ROW     26
#define PANEL_ROWS    5          /* minimum number of visible rows, including those of functions */

/* ---- marks and heat ---- */

int
gilk_window_find_hook (GilkWindow          *self,
                       const GilkGraphData *data,
                       guint                point)
{
  return gilk_plan_model_find (self->model, data->name, data->graph->titles[point / 2],
                               data->cfg->blocks[point / 2].start,
                               point % 2 == 0 ? GILK_WHERE_PRE : GILK_WHERE_POST);
}

static GilkMark
choose_mark (GilkWindow    *self,
             GilkGraphData *data,
             int            point,
             uint64_t      *hits)
{
  const GilkHookStatus *status;
  int index = gilk_window_find_hook (self, data, point);

  if (index < 0 && gilk_bound_others_at_point (gilk_target_poll_others (self->target_poll), data->cfg, point / 2,
                                               point % 2 == 0 ? GILK_WHERE_PRE : GILK_WHERE_POST) != NULL)
    return GILK_MARK_OTHER;
  if (index < 0)
    return data->choices[point].refusal != 0 ? GILK_MARK_REFUSED : GILK_MARK_FREE;

  status = gilk_plan_model_status (self->model, index);
  if (status->counted)
    *hits = *hits == GILK_HITS_UNKNOWN ? status->hits : MAX (*hits, status->hits);
  if (status->problem != NULL)
    return GILK_MARK_REFUSED;

  return status->live ? GILK_MARK_LIVE : GILK_MARK_PLANNED;
}

static GilkKnownCounts *
infer_counts (GilkWindow    *self,
              GilkGraphData *data)
{
  g_autofree uint64_t *counts = g_new (uint64_t, data->cfg->n_blocks + 1);

  for (guint i = 0; i < data->cfg->n_blocks; i++)
    {
      counts[i] = GILK_COUNT_UNKNOWN;
      for (guint point = 2 * i; point < 2 * i + 2 && counts[i] == GILK_COUNT_UNKNOWN; point++)
        {
          int index = gilk_window_find_hook (self, data, point);

          if (index >= 0 && gilk_plan_model_status (self->model, index)->counted &&
              gilk_graph_counts_is_complete (data, gilk_plan_model_hook (self->model, index), i))
            counts[i] = gilk_plan_model_status (self->model, index)->hits;
        }
    }

  return gilk_known_counts_new (data->cfg, counts);
}

void
gilk_window_update_marks (GilkWindow *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  g_autofree uint8_t *marks = NULL;
  g_autofree uint64_t *hits = NULL;
  g_autoptr(GilkKnownCounts) known = NULL;
  gboolean measured = FALSE;

  if (data == NULL)
    return;

  marks = g_new0 (uint8_t, 2 * data->cfg->n_blocks);
  hits = g_new (uint64_t, data->cfg->n_blocks);
  for (guint block = 0; block < data->cfg->n_blocks; block++)
    {
      hits[block] = GILK_HITS_UNKNOWN;
      marks[2 * block] = choose_mark (self, data, 2 * block, &hits[block]);
      marks[2 * block + 1] = choose_mark (self, data, 2 * block + 1, &hits[block]);
      measured |= hits[block] != GILK_HITS_UNKNOWN;
    }
  gilk_graph_view_set_marks (self->graph_view, marks, measured ? hits : NULL,
                             g_settings_get_boolean (self->settings, "log-heat"));
  if (measured)
    known = infer_counts (self, data);
  gilk_graph_view_set_known (self->graph_view, known);
}

/* ---- check against the kernel ---- */

static void
refresh_unknown_instruments (GilkWindow *self)
{
  for (guint i = 0; i < gilk_plan_model_n_hooks (self->model); i++)
    {
      const char *name = gilk_plan_model_hook (self->model, i)->instrument;

      if (!gilk_plan_model_hook (self->model, i)->is_program && gilk_inline_by_name (name) == NULL &&
          gilk_connection_instrument (self->connection, name) == NULL)
        {
          gilk_connection_refresh_instruments (self->connection);
          return;
        }
    }
}

/* Reports moved hooks only if the message has changed: the plan is bound after every edit. */
static void
show_moved (GilkWindow          *self,
            const GilkBoundPlan *bound)
{
  g_autofree char *moved = gilk_bound_plan_describe_moved (bound);

  if (moved == NULL)
    gilk_banner_withdraw (self->banner, "moved");
  else if (g_strcmp0 (moved, self->moved_text) != 0)
    gilk_banner_show (self->banner, "moved", GTK_MESSAGE_WARNING, moved, NULL, NULL);
  g_free (self->moved_text);
  self->moved_text = g_steal_pointer (&moved);
}

static void
bound_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkWindow) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkBoundPlan) bound = gilk_connection_bind_finish (GILK_CONNECTION (object), result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->binding)
    return;

  g_clear_object (&self->binding);
  if (bound == NULL)
    {
      gilk_banner_show_error (self->banner, error);
      return;
    }
  gilk_plan_model_set_bound (self->model, bound);
  gilk_stop_popover_set_bound (self->stop_popover, bound);
  show_moved (self, bound);
  refresh_unknown_instruments (self);
  gilk_window_show_module_changes (self);
}

static gboolean
bind_plan (gpointer user_data)
{
  GilkWindow *self = user_data;

  self->bind_source = 0;
  if (self->binding != NULL)
    g_cancellable_cancel (self->binding);
  g_clear_object (&self->binding);

  /* During a run the text contains our own jumps, and the run's plan is bound already. */
  if (gilk_plan_model_n_hooks (self->model) == 0 ||
      gilk_recorder_state (self->recorder) != GILK_RECORDER_IDLE ||
      gilk_connection_target (self->connection) == NULL)
    return G_SOURCE_REMOVE;

  self->binding = g_cancellable_new ();
  gilk_connection_bind_async (self->connection, gilk_plan_model_plan (self->model),
                              self->binding, bound_cb, g_object_ref (self));

  return G_SOURCE_REMOVE;
}

void
gilk_window_schedule_bind (GilkWindow *self)
{
  g_clear_handle_id (&self->bind_source, g_source_remove);
  self->bind_source = g_timeout_add (BIND_DELAY_MS, bind_plan, self);
}

/* ---- edits ---- */

GilkPlanHook *
gilk_window_new_hook (GilkWindow          *self,
                      const GilkPlan      *plan,
                      const GilkGraphData *data,
                      guint                point)
{
  GilkWhere where = point % 2 == 0 ? GILK_WHERE_PRE : GILK_WHERE_POST;
  const char *block = data->graph->titles[point / 2];
  g_autofree char *label = gilk_plan_make_label (plan, data->name, block, where);
  GilkPlanHook *hook = gilk_plan_hook_new (label, data->name, where, gilk_inspector_instrument (self->inspector));

  g_free (hook->block);
  hook->block = g_strdup (block);
  gilk_cfg_fingerprint (data->cfg, point / 2, hook->fingerprint);
  gilk_inspector_fill_times (self->inspector, hook);

  return hook;
}

void
gilk_window_plan_points (GilkWindow          *self,
                         const GilkGraphData *data,
                         const GArray        *points)
{
  g_autoptr(GPtrArray) hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_hook_unref);
  g_autofree char *code = gilk_inspector_code (self->inspector);

  for (guint i = 0; i < points->len; i++)
    {
      GilkPlanHook *hook = gilk_window_new_hook (self, gilk_plan_model_plan (self->model), data, g_array_index (points, guint, i));

      if (code == NULL)
        gilk_inspector_fill_params (self->inspector, hook->params);
      g_ptr_array_add (hooks, hook);
    }
  gilk_plan_model_set_origin (self->model, gilk_connection_release (self->connection),
                              gilk_connection_build_id (self->connection));
  gilk_plan_model_add_many (self->model, hooks, code);
}

static void
plan_point (GilkWindow          *self,
            const GilkGraphData *data,
            guint                point)
{
  g_autoptr(GArray) points = g_array_new (FALSE, FALSE, sizeof (guint));

  g_array_append_val (points, point);
  gilk_window_plan_points (self, data, points);
}

void
gilk_window_point_toggled (GilkWindow *self,
                           int         point)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  int index;

  if (data == NULL || point < 0)
    return;

  index = gilk_window_find_hook (self, data, point);
  if (index >= 0)
    gilk_plan_model_remove (self->model, index);
  else if (data->choices[point].refusal == 0)
    plan_point (self, data, (guint) point);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));      /* the inspector shows why */
}

void
gilk_window_inspector_toggled (GilkWindow *self)
{
  gilk_window_point_toggled (self, gilk_graph_view_point (self->graph_view));
}

/* ---- selecting a planned hook in the graph ---- */

void
gilk_window_select_hook (GilkWindow *self,
                         const char *label)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  int wanted = gilk_plan_model_index (self->model, label);

  for (guint point = 0; data != NULL && wanted >= 0 && point < 2 * data->cfg->n_blocks; point++)
    if (gilk_window_find_hook (self, data, point) == wanted)
      gilk_graph_view_select (self->graph_view, point, TRUE);
}

void
gilk_window_hook_opened (GilkWindow *self,
                         int         index)
{
  const GilkPlanHook *hook = gilk_plan_model_hook (self->model, index);
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);

  if (hook->watch != NULL)        /* data has no graph */
    {
      gilk_window_edit_watchpoint (self, index);
      return;
    }
  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
  if (data != NULL && gilk_function_is_named (hook->function, data->name))
    {
      gilk_window_select_hook (self, hook->label);
      return;
    }
  g_free (self->wanted_hook);
  self->wanted_hook = g_strdup (hook->label);
  gilk_window_show_function (self, hook->function);
}

void
gilk_window_edit_watchpoint (GilkWindow *self,
                             int         index)
{
  gilk_watchpoint_dialog_show (GTK_WINDOW (self), self->connection, self->model, index);
}

void
gilk_window_schedule_searched (GilkWindow *self)
{
  const char *text = gtk_entry_get_text (self->schedule_search);

  gilk_schedule_view_search (self->schedule_large, text);
  gilk_plan_table_search (self->schedule_table, text);
}

/* ---- switching hooks off and on ---- */

static void
mark_intervals_entry (GilkWindow *self,
                      const char *problem)
{
  gilk_entry_show_problem (self->intervals_entry, problem,
                           _("Measure the effect of the hooks on the kernel: they are off in half of these intervals, "
                             "at random, such as 100ms (or 100ms,42 with a seed). Control hooks stay on; the results "
                             "show what they recorded."));
}

/* Reports a conflict once; @problem NULL: resolved. Run and Save are disabled until then. */
static void
set_conflict (GilkWindow *self,
              const char *problem)
{
  if (problem != NULL && g_strcmp0 (self->conflict, problem) != 0)
    gilk_banner_show (self->banner, "conflict", GTK_MESSAGE_WARNING, problem, NULL, NULL);
  else if (problem == NULL)
    gilk_banner_withdraw (self->banner, "conflict");
  g_free (self->conflict);
  self->conflict = g_strdup (problem);
  mark_intervals_entry (self, problem);
}

static void
show_intervals (GilkWindow *self)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  g_autofree char *text = plan->ab.period_ns > 0 ? gilk_format_ab (&plan->ab) : g_strdup ("");
  g_autoptr(GError) error = NULL;

  if (plan->hooks->len > 0)
    gilk_plan_check_ab (plan, &error);
  gtk_entry_set_text (self->intervals_entry, text);
  set_conflict (self, error != NULL ? error->message : NULL);
}

void
gilk_window_intervals_activated (GilkWindow *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (self->intervals_entry)));
  g_autoptr(GError) error = NULL;
  GilkPlanAb ab = { 0 };

  if (text[0] != '\0' && !gilk_parse_ab (text, &ab, &error))
    set_conflict (self, error->message);
  else
    {
      gilk_plan_model_set_intervals (self->model, &ab);
      show_intervals (self);
    }
  gilk_window_update_run (self);
  gilk_window_update_actions (self);
}

/* Marks errors while typing; a valid value is taken when the entry loses the focus. */
void
gilk_window_intervals_typed (GilkWindow *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (self->intervals_entry)));
  g_autoptr(GError) error = NULL;
  GilkPlanAb ab = { 0 };

  if (text[0] != '\0')
    gilk_parse_ab (text, &ab, &error);
  mark_intervals_entry (self, error != NULL ? error->message : NULL);
}

gboolean
gilk_window_intervals_left (GilkWindow *self)
{
  /* Closing the window takes the focus from the entry when there is no plan any more. */
  if (self->model != NULL)
    gilk_window_intervals_activated (self);

  return GDK_EVENT_PROPAGATE;
}

/* Shrinks the panel to one line for an empty plan; otherwise it has room for the first hooks, or
 * more if the user enlarged it. */
static void
update_panel_height (GilkWindow *self,
                     guint       n)
{
  gtk_widget_set_visible (self->plan_hint, n == 0);
  gtk_widget_set_visible (self->plan_body, n > 0);
  if (n == 0)
    g_object_set (self->plan_paned, "position-set", FALSE, NULL);
  gtk_widget_set_size_request (self->plan_body, -1, PANEL_HEAD + PANEL_ROW * (int) CLAMP (n + 1, 1, PANEL_ROWS));
}

static void
plan_changed (GilkWindow *self)
{
  guint n = gilk_plan_model_n_hooks (self->model);
  g_autofree char *text = n == 0 ? g_strdup (_("Plan"))
                          : g_strdup_printf (g_dngettext (NULL, "Plan · %u hook", "Plan · %u hooks", n), n);

  gilk_banner_clear_old_remark (self->banner);
  gtk_label_set_text (self->plan_label, text);
  update_panel_height (self, n);
  gilk_window_length_changed (self);
  show_intervals (self);
  gilk_window_update_marks (self);
  gilk_window_offer_plan (self);
  gilk_window_update_run (self);
  gilk_window_update_actions (self);
  gilk_window_schedule_bind (self);
}

/* Selects the same hook in the table and in the schedule. */
static void
share_selection (GilkPlanTable    *table,
                 GilkScheduleView *bars)
{
  g_signal_connect_object (table, "selected", G_CALLBACK (gilk_schedule_view_select_hook), bars, G_CONNECT_SWAPPED);
  g_signal_connect_object (bars, "chosen", G_CALLBACK (gilk_plan_table_select), table, G_CONNECT_SWAPPED);
}

void
gilk_window_plan_init (GilkWindow *self)
{
  gpointer views[] = { self->plan_table, self->schedule_table, self->schedule_small, self->schedule_large };

  gilk_inspector_set_model (self->inspector, self->model, self->connection, self->target_poll);
  g_signal_connect_object (self->inspector, "code-edited", G_CALLBACK (gilk_window_check_code), self, G_CONNECT_SWAPPED);
  gilk_plan_table_set_model (self->plan_table, self->model, self->connection);
  gilk_plan_table_set_model (self->schedule_table, self->model, self->connection);
  gilk_schedule_view_set_model (self->schedule_small, self->model);
  gilk_schedule_view_set_model (self->schedule_large, self->model);
  share_selection (self->plan_table, self->schedule_small);
  share_selection (self->schedule_table, self->schedule_large);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    g_signal_connect_object (views[i], "failed", G_CALLBACK (gilk_banner_show_error), self->banner, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "status-changed", G_CALLBACK (gilk_window_update_marks), self, G_CONNECT_SWAPPED);
  gilk_arrange_popover_new (self->arrange_button, self->model);
  self->stop_popover = gilk_stop_popover_new (self->conditions_button, self->conditions_label, self->model, G_ACTION_MAP (self));
  gilk_check_popover_new (self->check_button, self->check_label, self->model);
  self->autosave = gilk_plan_autosave_new (self->model);
  g_signal_connect_object (self->autosave, "failed", G_CALLBACK (gilk_banner_show_error), self->banner, G_CONNECT_SWAPPED);
  gilk_window_plan_file_init (self);
  gilk_plan_autosave_restore (self->autosave);
  self->measures = gilk_cost_loader_new (self->model, self->connection, self->recorder, self->settings);
  gtk_entry_set_buffer (self->schedule_length, gtk_entry_get_buffer (self->length_entry));
  gtk_label_set_text (self->plan_label, _("Plan"));
  update_panel_height (self, gilk_plan_model_n_hooks (self->model));
  show_intervals (self);
}
