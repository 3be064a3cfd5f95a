/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-planner.c - plans hooks at points of the shown graph, and marks them in it
 */
#include "gui/window/gilk-graph-planner.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/dataflow/gilk-circulation.h"
#include "core/emit/gilk-inline.h"
#include "gui/base/gilk-object.h"
#include "gui/graph/gilk-graph-selection.h"
#include "gui/run/gilk-connection.h"

#define CHECK_DELAY_MS 250
#define LABEL          "checked"

struct _GilkGraphPlanner {
  GObject parent_instance;

  GilkGraphView  *view;                /* @view and @inspector are NULL once the window is being
                                        * destroyed */
  GilkInspector  *inspector;
  GilkPlanModel  *model;
  GilkConnection *connection;
  GilkRecorder   *recorder;
  GilkTargetPoll *poll;
  GSettings      *settings;
  GilkBanner     *banner;
  GCancellable   *checking;            /* cancels checking the typed program; NULL: none */
  guint           check_source;        /* id of the timeout that starts a check; 0: not scheduled */
};

G_DEFINE_FINAL_TYPE (GilkGraphPlanner, gilk_graph_planner, G_TYPE_OBJECT)

/* ---- updating marks and heat in the graph ---- */

/* Returns the index of the hook planned at @point of @data; -1: none. */
static int
find_hook (GilkGraphPlanner    *self,
           const GilkGraphData *data,
           guint                point)
{
  return gilk_plan_model_find (self->model, data->name, data->graph->titles[point / 2],
                               data->cfg->blocks[point / 2].start,
                               point % 2 == 0 ? GILK_WHERE_PRE : GILK_WHERE_POST);
}

static GilkMark
choose_mark (GilkGraphPlanner *self,
             GilkGraphData    *data,
             int               point,
             uint64_t         *hits)
{
  const GilkHookStatus *status;
  int index = find_hook (self, data, point);

  if (index < 0 && gilk_bound_others_at_point (gilk_target_poll_others (self->poll), data->cfg, point / 2,
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

/* Returns whether the number of hits of @hook is how often @block was executed during the whole
 * run, so that counts of other blocks can be inferred from it. */
static gboolean
is_exact_count (const GilkGraphData *data,
                const GilkPlanHook  *hook,
                guint                block)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT) && hook->start_ns == 0 && hook->stop_ns == 0 &&
         (hook->where == GILK_WHERE_PRE || gilk_circulation_runs_through (data->cfg, block));
}

static GilkKnownCounts *
infer_counts (GilkGraphPlanner *self,
              GilkGraphData    *data)
{
  g_autofree uint64_t *counts = g_new (uint64_t, data->cfg->n_blocks + 1);

  for (guint i = 0; i < data->cfg->n_blocks; i++)
    {
      counts[i] = GILK_COUNT_UNKNOWN;
      for (guint point = 2 * i; point < 2 * i + 2 && counts[i] == GILK_COUNT_UNKNOWN; point++)
        {
          int index = find_hook (self, data, point);

          if (index >= 0 && gilk_plan_model_status (self->model, index)->counted &&
              is_exact_count (data, gilk_plan_model_hook (self->model, index), i))
            counts[i] = gilk_plan_model_status (self->model, index)->hits;
        }
    }

  return gilk_known_counts_new (data->cfg, counts);
}

static void
update_marks (GilkGraphPlanner *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->view);
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
  gilk_graph_view_set_marks (self->view, marks, measured ? hits : NULL,
                             g_settings_get_boolean (self->settings, "log-heat"));
  if (measured)
    known = infer_counts (self, data);
  gilk_graph_view_set_known (self->view, known);
}

/* ---- planning a hook at a point ---- */

/* Returns a hook with the inspector's settings. (transfer full) */
static GilkPlanHook *
new_hook (GilkGraphPlanner    *self,
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

/* Plans hooks with the inspector's settings, as one undo step. @points: (element-type guint):
 * points of @data without a planned hook */
static void
plan_points (GilkGraphPlanner    *self,
             const GilkGraphData *data,
             const GArray        *points)
{
  g_autoptr(GPtrArray) hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_hook_unref);
  g_autofree char *code = gilk_inspector_code (self->inspector);

  for (guint i = 0; i < points->len; i++)
    {
      GilkPlanHook *hook = new_hook (self, gilk_plan_model_plan (self->model), data, g_array_index (points, guint, i));

      if (code == NULL)
        gilk_inspector_fill_params (self->inspector, hook->params);
      g_ptr_array_add (hooks, hook);
    }
  gilk_plan_model_set_origin (self->model, gilk_connection_release (self->connection),
                              gilk_connection_build_id (self->connection));
  gilk_plan_model_add_many (self->model, hooks, code);
}

static void
plan_point (GilkGraphPlanner    *self,
            const GilkGraphData *data,
            guint                point)
{
  g_autoptr(GArray) points = g_array_new (FALSE, FALSE, sizeof (guint));

  g_array_append_val (points, point);
  plan_points (self, data, points);
}

static void
point_toggled (GilkGraphPlanner *self,
               int               point)
{
  GilkGraphData *data = gilk_graph_view_data (self->view);
  int index;

  if (data == NULL || point < 0)
    return;

  index = find_hook (self, data, point);
  if (index >= 0)
    gilk_plan_model_remove (self->model, index);
  else if (data->choices[point].refusal == 0)
    plan_point (self, data, (guint) point);
  else
    /* The inspector shows why the program is invalid. */
    gtk_widget_error_bell (GTK_WIDGET (self));
}

static void
inspector_toggled (GilkGraphPlanner *self)
{
  point_toggled (self, gilk_graph_view_point (self->view));
}

void
gilk_graph_planner_select_hook (GilkGraphPlanner *self,
                                const char       *label)
{
  GilkGraphData *data = gilk_graph_view_data (self->view);
  int wanted = gilk_plan_model_index (self->model, label);

  for (guint point = 0; data != NULL && wanted >= 0 && point < 2 * data->cfg->n_blocks; point++)
    if (find_hook (self, data, point) == wanted)
      gilk_graph_view_select (self->view, point, TRUE);
}

/* ---- planning hooks in the selected blocks ---- */

static gboolean
is_wanted (GilkGraphPlanner *self,
           guint             block)
{
  if (gilk_graph_selection_count (self->view) == 0)
    return (int) block == gilk_graph_view_look (self->view)->block;

  return gilk_graph_selection_has (self->view, block);
}

/* Returns the point at which to count a block: its pre-hook, or else its post-hook if each
 * execution reaches the end of the block. -1: neither can be hooked. */
static int
choose_point (const GilkGraphData *data,
              guint                block)
{
  if (data->choices[2 * block].refusal == 0)
    return 2 * block;

  return data->choices[2 * block + 1].refusal == 0 && gilk_circulation_runs_through (data->cfg, block) ? (int) (2 * block + 1) : -1;
}

static void
show_refused (GilkGraphPlanner    *self,
              const GilkGraphData *data,
              guint                n_planned,
              guint                n_refused,
              guint                point)
{
  g_autofree char *planned = g_strdup_printf (g_dngettext (NULL, "%u hook planned", "%u hooks planned", n_planned), n_planned);
  g_autofree char *refused = g_strdup_printf (g_dngettext (NULL, "%u block cannot be hooked", "%u blocks cannot be hooked",
                                                           n_refused), n_refused);
  g_autofree char *text = g_strdup_printf (_("%s; %s. %s: %s"), planned, refused, data->graph->titles[point / 2],
                                           gilk_refusal_cause (data->choices[point].refusal));

  gilk_banner_remark (self->banner, n_planned == 0 ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO, text, NULL, NULL);
}

/* Adds to @points the points of @block at which hooks are wanted but not planned yet. With @timed,
 * for hooks that time calls, these are the post-hook of a block that returns, and the pre-hook of
 * the entry and of any other block; otherwise the point at which the block can be counted. Returns
 * FALSE if a point cannot be hooked, and sets @refused to the point. */
static gboolean
add_points (GilkGraphPlanner    *self,
            const GilkGraphData *data,
            guint                block,
            gboolean             timed,
            GArray              *points,
            guint               *refused)
{
  const gboolean ends = timed && gilk_cfg_returns (data->cfg, block), begins = !ends || block == data->cfg->entry;
  const int before = timed ? (int) (2 * block) : choose_point (data, block), behind = (int) (2 * block + 1);

  *refused = ends && (!begins || data->choices[behind].refusal != 0) ? (guint) behind : 2 * block;
  if ((begins && (before < 0 || data->choices[before].refusal != 0)) || (ends && data->choices[behind].refusal != 0))
    return FALSE;
  if (begins && find_hook (self, data, (guint) before) < 0)
    g_array_append_val (points, before);
  if (ends && find_hook (self, data, (guint) behind) < 0)
    g_array_append_val (points, behind);

  return TRUE;
}

static void
plan_selected (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  GilkGraphPlanner *self = user_data;
  GilkGraphData *data = gilk_graph_view_data (self->view);
  g_autoptr(GArray) points = g_array_new (FALSE, FALSE, sizeof (guint));
  const gboolean timed = gilk_inline_is (gilk_inspector_instrument (self->inspector), GILK_INLINE_SPAN);
  guint n_refused = 0, refused = 0, example = 0;

  if (data == NULL)
    return;

  for (guint block = 0; block < data->cfg->n_blocks; block++)
    if (is_wanted (self, block) && !add_points (self, data, block, timed, points, &refused))
      {
        n_refused++;
        example = refused;
      }
  plan_points (self, data, points);
  if (n_refused > 0)
    show_refused (self, data, points->len, n_refused, example);
}

static void
unplan_selected (GSimpleAction *action,
                 GVariant      *parameter,
                 gpointer       user_data)
{
  GilkGraphPlanner *self = user_data;
  GilkGraphData *data = gilk_graph_view_data (self->view);
  g_autoptr(GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint point = 0; data != NULL && point < 2 * data->cfg->n_blocks; point++)
    {
      int index = is_wanted (self, point / 2) ? find_hook (self, data, point) : -1;

      if (index >= 0)
        g_array_append_val (indices, index);
    }
  gilk_plan_model_remove_many (self->model, (const guint *) (gpointer) indices->data, indices->len);
}

/* ---- checking the typed program ---- */

/* Copies to @scratch the hooks of @plan that the program @code names, because a program can start
 * and stop other hooks by label. The copies have the instrument "count", because only their labels
 * matter. */
static void
add_named_hooks (GilkPlan       *scratch,
                 const GilkPlan *plan,
                 const char     *code)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);
      GilkPlanHook *named;

      if (strstr (code, hook->label) == NULL)
        continue;
      named = gilk_plan_hook_copy (hook);
      g_free (named->instrument);
      named->instrument = g_strdup ("count");
      named->is_program = FALSE;
      g_hash_table_remove_all (named->params);
      g_clear_pointer (&named->leader, g_free);
      g_ptr_array_add (scratch->hooks, named);
    }
}

/* Returns a temporary plan for checking the program @code. Its first hook is the hook at @point
 * with this program. (transfer full) */
static GilkPlan *
make_plan (GilkGraphPlanner    *self,
           const GilkGraphData *data,
           guint                point,
           const char          *code)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  const int planned = find_hook (self, data, point);
  GilkPlan *scratch = gilk_plan_new ();
  GilkPlanHook *hook = planned >= 0 ? gilk_plan_hook_copy (gilk_plan_model_hook (self->model, planned))
                                    : new_hook (self, plan, data, point);

  scratch->may_change = plan->may_change;
  scratch->crash = plan->crash;
  scratch->run_length_ns = plan->run_length_ns;
  g_free (hook->label);
  hook->label = g_strdup (LABEL);
  hook->is_program = FALSE;             /* the program that @hook names is not in @scratch */
  gilk_plan_set_code (scratch, hook, code);
  g_clear_pointer (&hook->leader, g_free);
  g_ptr_array_add (scratch->hooks, hook);
  add_named_hooks (scratch, plan, code);

  return scratch;
}

static void
check_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkGraphPlanner) self = user_data;
  g_autoptr(GilkBoundPlan) bound = gilk_connection_bind_finish (GILK_CONNECTION (object), result, NULL);

  if (g_task_get_cancellable (G_TASK (result)) != self->checking)
    return;
  g_clear_object (&self->checking);
  gilk_inspector_set_check (self->inspector, bound != NULL ? &g_array_index (bound->hooks, GilkBoundHook, 0) : NULL);
}

static gboolean
start_check (gpointer user_data)
{
  GilkGraphPlanner *self = user_data;
  GilkGraphData *data = gilk_graph_view_data (self->view);
  const int point = gilk_graph_view_point (self->view);
  g_autofree char *code = gilk_inspector_typed_code (self->inspector);
  g_autoptr(GilkPlan) plan = NULL;

  self->check_source = 0;
  if (code == NULL || data == NULL || data->choices == NULL || point < 0 || data->choices[point].refusal != 0 ||
      gilk_recorder_state (self->recorder) != GILK_RECORDER_IDLE || gilk_connection_target (self->connection) == NULL)
    {
      gilk_inspector_set_check (self->inspector, NULL);
      return G_SOURCE_REMOVE;
    }
  plan = make_plan (self, data, (guint) point, code);
  self->checking = g_cancellable_new ();
  gilk_connection_bind_async (self->connection, plan, self->checking, check_cb, g_object_ref (self));

  return G_SOURCE_REMOVE;
}

static void
stop_checking (GilkGraphPlanner *self)
{
  g_clear_handle_id (&self->check_source, g_source_remove);
  gilk_cancel (&self->checking);
}

static void
check_code (GilkGraphPlanner *self)
{
  stop_checking (self);
  self->check_source = g_timeout_add (CHECK_DELAY_MS, start_check, self);
}

/* ---- GObject life cycle ---- */

GilkGraphPlanner *
gilk_graph_planner_new (GilkGraphView  *view,
                        GilkInspector  *inspector,
                        GilkPlanModel  *model,
                        GilkConnection *connection,
                        GilkRecorder   *recorder,
                        GilkTargetPoll *poll,
                        GSettings      *settings,
                        GilkBanner     *banner,
                        GActionMap     *actions)
{
  static const GActionEntry entries[] = { { "plan-chosen", plan_selected }, { "unplan-chosen", unplan_selected } };
  GilkGraphPlanner *self = g_object_new (GILK_TYPE_GRAPH_PLANNER, NULL);

  self->view = g_object_ref (view);
  self->inspector = g_object_ref (inspector);
  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  self->recorder = g_object_ref (recorder);
  self->poll = g_object_ref (poll);
  self->settings = g_object_ref (settings);
  self->banner = g_object_ref (banner);
  g_action_map_add_action_entries (actions, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (view, "toggle", G_CALLBACK (point_toggled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "shown", G_CALLBACK (update_marks), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (inspector, "toggle", G_CALLBACK (inspector_toggled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (inspector, "code-edited", G_CALLBACK (check_code), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "changed", G_CALLBACK (update_marks), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "status-changed", G_CALLBACK (update_marks), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (poll, "changed", G_CALLBACK (update_marks), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "changed::log-heat", G_CALLBACK (update_marks), self, G_CONNECT_SWAPPED);

  return self;
}

static void
gilk_graph_planner_dispose (GObject *object)
{
  GilkGraphPlanner *self = GILK_GRAPH_PLANNER (object);
  GObject *const sources[] = {
    (GObject *) self->view, (GObject *) self->inspector, (GObject *) self->model, (GObject *) self->poll,
    (GObject *) self->settings,
  };

  stop_checking (self);
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (sources[i] != NULL)
      g_signal_handlers_disconnect_by_data (sources[i], self);
  g_clear_object (&self->view);
  g_clear_object (&self->inspector);
  g_clear_object (&self->model);
  g_clear_object (&self->connection);
  g_clear_object (&self->recorder);
  g_clear_object (&self->poll);
  g_clear_object (&self->settings);
  g_clear_object (&self->banner);
  G_OBJECT_CLASS (gilk_graph_planner_parent_class)->dispose (object);
}

static void
gilk_graph_planner_class_init (GilkGraphPlannerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_graph_planner_dispose;
}

static void
gilk_graph_planner_init (GilkGraphPlanner *self)
{
}
