/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-view.c - call graph around the function in view, with the number of levels to show
 */
#include "gui/graph/gilk-calls.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-windows.h"

#define COUNTS_DELAY_MS 700       /* ms from a change of hook counts to the redraw; counts change
                                   * several times a second */

struct _GilkCallsView {
  GtkBox              parent_instance;

  GilkCallsSource    *source;
  GilkPlanModel      *plan;
  GSettings          *settings;
  const GilkFunction *function, *shown;    /* @shown: function last drawn; only compared, never
                                            * dereferenced */
  GHashTable         *unfolded_up, *unfolded_down;
  GCancellable       *making;
  guint               later;

  GtkWidget          *waiting;
  GilkCallsCanvas    *canvas;
  GtkSpinButton      *up, *down;
};

G_DEFINE_FINAL_TYPE (GilkCallsView, gilk_calls_view, GTK_TYPE_BOX)

/* ---- computing the layout in a worker thread ---- */

typedef struct {
  GilkCallGraph      *graph;
  GilkImage          *image;
  const GilkFunction *function;
  GilkAroundOptions      options;
  GArray             *seen;
  GHashTable         *hits, *unfolded_up, *unfolded_down;
  GilkPlotStyle       style;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  gilk_call_graph_unref (job->graph);
  gilk_image_unref (job->image);
  g_clear_pointer (&job->seen, g_array_unref);
  g_hash_table_unref (job->hits);
  g_hash_table_unref (job->unfolded_up);
  g_hash_table_unref (job->unfolded_down);
  g_free (job);
}

static void
layout_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  Job *job = task_data;
  g_autoptr(GilkCallAround) around = gilk_call_around_new (job->graph, job->function, &job->options);
  GError *error = NULL;
  GilkCallsPicture *picture = gilk_calls_picture_new (around, gilk_call_graph_functions (job->graph), job->image, job->hits,
                                                      &job->style, cancellable, &error);

  if (picture == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, picture, (GDestroyNotify) gilk_calls_picture_unref);
}

static void
layout_done_cb (GObject      *object,
                GAsyncResult *result,
                gpointer      user_data)
{
  GilkCallsView *self = GILK_CALLS_VIEW (object);
  g_autoptr(GilkCallsPicture) picture = g_task_propagate_pointer (G_TASK (result), NULL);
  const Job *job = g_task_get_task_data (G_TASK (result));

  if (g_task_get_cancellable (G_TASK (result)) != self->making || picture == NULL)
    return;
  g_clear_object (&self->making);
  gilk_calls_canvas_set_picture (self->canvas, picture, job->function == self->shown);
  self->shown = job->function;
  gtk_widget_hide (self->waiting);
}

/* ---- collecting hit counts of functions ---- */

static void
copy_hits (gpointer key,
           gpointer value,
           gpointer user_data)
{
  uint64_t count;

  if (gilk_call_hits_get (value, key, &count))
    gilk_call_hits_add (user_data, key, NULL, count);
}

/* Returns the hits of functions: for functions with a hook in the plan, its hits in the current or
 * last run; for other functions, the hits that the open session has. */
static GHashTable *
collect_hits (GilkCallsView *self)
{
  GHashTable *hits = gilk_call_hits_new (), *stored = gilk_calls_source_hits (self->source);
  GilkFunctions *functions = gilk_calls_source_functions (self->source);
  GHashTableIter iter;
  gpointer function;

  for (guint i = 0; i < gilk_plan_model_n_hooks (self->plan); i++)
    {
      const GilkPlanHook *hook = gilk_plan_model_hook (self->plan, i);
      const GilkHookStatus *status = gilk_plan_model_status (self->plan, i);
      const GilkFunction *of = status->counted && gilk_plan_hook_has_graph (hook) && !g_str_has_prefix (hook->function, "user:")
                               ? gilk_functions_lookup (functions, hook->function, NULL) : NULL;

      if (of != NULL)
        gilk_call_hits_add (hits, of, hook->block, status->hits);
    }
  if (stored == NULL)
    return hits;
  g_hash_table_iter_init (&iter, stored);
  while (g_hash_table_iter_next (&iter, &function, NULL))
    if (!g_hash_table_contains (hits, function))
      copy_hits (function, stored, hits);

  return hits;
}

/* ---- requesting a new layout ---- */

static void
copy_set (GHashTable **to,
          GHashTable  *from)
{
  GHashTableIter iter;
  gpointer key;

  *to = g_hash_table_new (NULL, NULL);
  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (*to, key);
}

static void
update_picture (GilkCallsView *self)
{
  GilkCallGraph *graph;
  g_autoptr(GTask) task = NULL;
  Job *job;

  g_clear_handle_id (&self->later, g_source_remove);
  gilk_cancel (&self->making);
  if (self->function == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  graph = gilk_calls_source_graph (self->source);
  if (graph == NULL)
    {
      gtk_widget_show (self->waiting);
      return;
    }
  job = g_new0 (Job, 1);
  job->graph = gilk_call_graph_ref (graph);
  job->image = gilk_image_ref (gilk_calls_source_image (self->source));
  job->function = self->function;
  job->seen = gilk_calls_source_indirect_calls (self->source) != NULL ? g_array_ref (gilk_calls_source_indirect_calls (self->source)) : NULL;
  job->hits = collect_hits (self);
  copy_set (&job->unfolded_up, self->unfolded_up);
  copy_set (&job->unfolded_down, self->unfolded_down);
  job->options = (GilkAroundOptions) {
    .up = (guint) gtk_spin_button_get_value_as_int (self->up), .down = (guint) gtk_spin_button_get_value_as_int (self->down),
    .seen = job->seen, .hits = job->hits, .unfolded_up = job->unfolded_up, .unfolded_down = job->unfolded_down,
  };
  gilk_style_fill (GTK_WIDGET (self), &job->style);
  self->making = g_cancellable_new ();
  task = g_task_new (self, self->making, layout_done_cb, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, layout_thread);
}

static gboolean
update_now (gpointer user_data)
{
  GilkCallsView *self = user_data;

  self->later = 0;
  update_picture (self);

  return G_SOURCE_REMOVE;
}

static void
counts_changed (GilkCallsView *self)
{
  if (self->later == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->later = g_timeout_add (COUNTS_DELAY_MS, update_now, self);
}

void
gilk_calls_view_set_function (GilkCallsView      *self,
                              const GilkFunction *function)
{
  if (function == self->function)
    return;
  self->function = function;
  g_hash_table_remove_all (self->unfolded_up);
  g_hash_table_remove_all (self->unfolded_down);
  if (function == NULL)
    {
      self->shown = NULL;
      gilk_calls_canvas_set_picture (self->canvas, NULL, FALSE);
    }
  update_picture (self);
}

void
gilk_calls_view_focus (GilkCallsView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

GilkCallsCanvas *
gilk_calls_view_canvas (GilkCallsView *self)
{
  return self->canvas;
}

/* ---- activated nodes and keys ---- */

static void
node_activated (GilkCallsView *self,
                int            node)
{
  const GilkAroundNode *at = &gilk_calls_canvas_picture (self->canvas)->around->nodes[node];

  if (at->more > 0)
    {
      g_hash_table_add (at->level < 0 ? self->unfolded_up : self->unfolded_down, (gpointer) at->function);
      update_picture (self);
    }
  else if (at->level == 0)
    g_signal_emit_by_name (self, "close");
  else
    g_signal_emit_by_name (self, "open", at->function);
}

static gboolean
key_pressed (GilkCallsView *self,
             GdkEventKey   *event)
{
  if (event->state & (GDK_CONTROL_MASK | GDK_MOD1_MASK))
    return GDK_EVENT_PROPAGATE;
  switch (event->keyval)
    {
    case GDK_KEY_space:       g_signal_emit_by_name (self, "close"); break;
    case GDK_KEY_bracketleft:  gtk_spin_button_spin (self->up, GTK_SPIN_STEP_FORWARD, 1);  break;
    case GDK_KEY_braceleft:    gtk_spin_button_spin (self->up, GTK_SPIN_STEP_BACKWARD, 1); break;
    case GDK_KEY_bracketright: gtk_spin_button_spin (self->down, GTK_SPIN_STEP_FORWARD, 1);  break;
    case GDK_KEY_braceright:   gtk_spin_button_spin (self->down, GTK_SPIN_STEP_BACKWARD, 1); break;
    default:                   return GDK_EVENT_PROPAGATE;
    }

  return GDK_EVENT_STOP;
}

/* ---- GObject life cycle ---- */

static void
gilk_calls_view_dispose (GObject *object)
{
  GilkCallsView *self = GILK_CALLS_VIEW (object);

  g_clear_handle_id (&self->later, g_source_remove);
  gilk_cancel (&self->making);
  g_clear_object (&self->source);
  g_clear_object (&self->plan);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (gilk_calls_view_parent_class)->dispose (object);
}

static void
gilk_calls_view_finalize (GObject *object)
{
  g_hash_table_unref (GILK_CALLS_VIEW (object)->unfolded_up);
  g_hash_table_unref (GILK_CALLS_VIEW (object)->unfolded_down);
  G_OBJECT_CLASS (gilk_calls_view_parent_class)->finalize (object);
}

static void
gilk_calls_view_class_init (GilkCallsViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_calls_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_calls_view_finalize;
  gilk_add_signal (klass, "open", 1, G_TYPE_POINTER);
  gilk_add_signal (klass, "close", 0);
}

static GtkSpinButton *
add_levels (GtkBox     *bar,
            const char *label,
            const char *tip)
{
  GtkWidget *text = gtk_label_new_with_mnemonic (label), *spin = gtk_spin_button_new_with_range (0, GILK_AROUND_LEVELS, 1);

  gtk_entry_set_width_chars (GTK_ENTRY (spin), 1);
  gtk_style_context_add_class (gtk_widget_get_style_context (spin), "small");

  gtk_label_set_mnemonic_widget (GTK_LABEL (text), spin);
  gtk_widget_set_tooltip_text (spin, tip);
  gtk_widget_show (text);
  gtk_widget_show (spin);
  gtk_box_pack_start (bar, text, FALSE, FALSE, 0);
  gtk_box_pack_start (bar, spin, FALSE, FALSE, 0);

  return GTK_SPIN_BUTTON (spin);
}

static GtkWidget *
make_hint (void)
{
  return g_object_new (GILK_TYPE_HINT, "label", _("··· indirect call   – – tail call"), "xalign", 1.0, NULL);
}

static void
gilk_calls_view_init (GilkCallsView *self)
{
  GtkWidget *bar = g_object_new (GTK_TYPE_BOX, "visible", TRUE, "spacing", 8, "margin", 8, NULL);
  GtkWidget *overlay = g_object_new (GTK_TYPE_OVERLAY, "visible", TRUE, NULL);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->unfolded_up = g_hash_table_new (NULL, NULL);
  self->unfolded_down = g_hash_table_new (NULL, NULL);
  self->up = add_levels (GTK_BOX (bar), _("_Caller levels"), _("Levels of callers to show: “[” for more, “{” for fewer"));
  self->down = add_levels (GTK_BOX (bar), _("Call_ee levels"), _("Levels of callees to show: “]” for more, “}” for fewer"));
  gtk_box_pack_start (GTK_BOX (bar), make_hint (), TRUE, TRUE, 0);
  self->canvas = GILK_CALLS_CANVAS (gilk_calls_canvas_new ());
  self->waiting = g_object_new (GTK_TYPE_LABEL, "label", _("Scanning kernel text for calls…"), "halign", GTK_ALIGN_CENTER,
                                "valign", GTK_ALIGN_CENTER, NULL);
  gtk_container_add (GTK_CONTAINER (overlay), GTK_WIDGET (self->canvas));
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->waiting);
  gtk_container_add (GTK_CONTAINER (self), bar);
  gtk_container_add (GTK_CONTAINER (self), overlay);
  g_signal_connect_object (self->canvas, "activated", G_CALLBACK (node_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "key-press-event", G_CALLBACK (key_pressed), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (update_picture), NULL);
}

GtkWidget *
gilk_calls_view_new (GilkCallsSource *source,
                     GilkPlanModel   *plan,
                     GSettings       *settings)
{
  GilkCallsView *self = g_object_new (GILK_TYPE_CALLS_VIEW, "visible", TRUE, NULL);

  self->source = g_object_ref (source);
  self->plan = g_object_ref (plan);
  self->settings = g_object_ref (settings);
  g_settings_bind (settings, "caller-levels", self->up, "value", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "callee-levels", self->down, "value", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (self->up, "value-changed", G_CALLBACK (update_picture), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->down, "value-changed", G_CALLBACK (update_picture), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (source, "changed", G_CALLBACK (update_picture), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (plan, "status-changed", G_CALLBACK (counts_changed), self, G_CONNECT_SWAPPED);

  return GTK_WIDGET (self);
}
