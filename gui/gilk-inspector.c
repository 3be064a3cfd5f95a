/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inspector.c - facts of the current probe point, and what is wanted there
 *
 * Everything shown before arming comes from planning the point alone; once the
 * hook is planned, from the bound plan, which knows its neighbours too.
 */
#include "gui/gilk-inspector.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-inline.h"
#include "core/program/gilk-complete.h"
#include "core/run/gilk-plan-leader.h"
#include "gui/gilk-block-text.h"
#include "gui/gilk-code-view.h"
#include "gui/gilk-instrument-words.h"
#include "gui/gilk-others-words.h"
#include "gui/gilk-params.h"
#include "gui/gilk-patch-window.h"
#include "gui/gilk-text.h"
#include "gui/gilk-times-entry.h"

/* Stands among the instruments for a program, whose text is written below; no instrument has such a name. */
#define PROGRAM "{}"

struct _GilkInspector {
  GtkBox           parent_instance;

  GilkPlanModel   *model;
  GilkConnection  *connection;
  GilkHooksWatch  *watch;
  GilkGraphData   *data;
  int              point;
  gboolean         filling;        /* entries change by us, not by the user */
  GHashTable      *values;         /* parameters of the planned hook, or of the next one */

  /* Template objects */
  GtkStack        *stack;
  GtkLabel        *title, *subtitle, *bytes;
  GtkLabel        *state, *tactic, *cost, *live, *hits, *lost;
  GtkWidget       *refusal_box, *want_box;
  GtkLabel        *refusal_cause, *refusal_remedy;
  GtkComboBoxText *instrument;
  GtkLabel        *instrument_help;
  GilkCodeView    *code;
  GilkParams      *params;
  GtkEntry        *start, *stop;
  GtkToggleButton *witness;
  GtkButton       *toggle;
  GtkWidget       *machine_code;
};

G_DEFINE_TYPE (GilkInspector, gilk_inspector, GTK_TYPE_BOX)

enum { TOGGLE, N_SIGNALS };
static guint signals[N_SIGNALS];

static GilkWhere
where_of (int point)
{
  return point % 2 == 0 ? GILK_WHERE_PRE : GILK_WHERE_POST;
}

/* Index of the planned hook at the current point, -1 if it is not planned. */
static int
planned (GilkInspector *self)
{
  const GilkCfg *cfg;

  if (self->data == NULL || self->point < 0)
    return -1;
  cfg = self->data->cfg;

  return gilk_plan_model_find (self->model, self->data->name,
                               self->data->graph->titles[self->point / 2],
                               cfg->blocks[self->point / 2].start, where_of (self->point));
}

/* ---- instruments ---- */

static gboolean
is_program (GilkInspector *self)
{
  return g_strcmp0 (gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->instrument)), PROGRAM) == 0;
}

static char *
describe_program (GilkInspector *self)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  g_autofree char *problem = gilk_code_view_problem (self->code);
  int index = planned (self);
  const GilkPlanHook *hook = index >= 0 ? gilk_plan_model_hook (self->model, index) : NULL;
  guint users = hook != NULL && hook->is_program ? gilk_plan_program_users (plan, hook->instrument) : 0;

  if (problem != NULL)
    return g_strdup_printf (_("Not taken. %s"), problem);
  if (users > 1)
    return g_strdup_printf (ngettext ("%u more hook runs %s, and what is changed here is changed for it, too. Ctrl+Enter "
                                      "takes it into the plan.",
                                      "%u more hooks run %s, and what is changed here is changed for them, too. Ctrl+Enter "
                                      "takes it into the plan.", users - 1), users - 1, hook->instrument);

  return g_strdup (_("A small program that runs at each hit, such as: if (cpu == 0) sample(pid, comm). "
                     "Ctrl+Enter takes it into the plan."));
}

static void
show_instrument_help (GilkInspector *self)
{
  const char *name = gilk_inspector_instrument (self);
  const GilkInline *known = gilk_inline_by_name (name);
  const struct ilk_instrument_desc *desc = NULL;
  g_autofree char *fields = NULL;

  if (self->connection != NULL)
    desc = gilk_connection_instrument (self->connection, name);
  gtk_widget_set_visible (GTK_WIDGET (self->code), is_program (self));
  if (is_program (self))
    fields = describe_program (self);
  else if (desc != NULL)
    fields = gilk_instrument_words (desc);
  else if (known != NULL)
    fields = gilk_instrument_words_inline (known);
  else
    fields = g_strdup (_("An instrument module; it is loaded when the plan is checked."));
  gtk_label_set_text (self->instrument_help, fields);
  gilk_params_show (self->params, desc, self->values);
}

static void
fill_instruments (GilkInspector *self)
{
  g_autofree char *was = g_strdup (gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->instrument)));
  const char *const *names = gilk_connection_instruments (self->connection);

  self->filling = TRUE;
  gtk_combo_box_text_remove_all (self->instrument);
  for (guint i = 0; names[i] != NULL; i++)
    gtk_combo_box_text_append (self->instrument, names[i], names[i]);
  gtk_combo_box_text_append (self->instrument, PROGRAM, _("Probe program"));
  if (was == NULL || !gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->instrument), was))
    gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->instrument), gilk_inline_name (GILK_INLINE_COUNT));
  self->filling = FALSE;
  show_instrument_help (self);
}

const char *
gilk_inspector_instrument (GilkInspector *self)
{
  const char *name = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->instrument));

  return name != NULL && !is_program (self) ? name : gilk_inline_name (GILK_INLINE_COUNT);
}

char *
gilk_inspector_code (GilkInspector *self)
{
  return is_program (self) ? gilk_code_view_code (self->code) : NULL;
}

/* What is typed, of an empty entry NULL. (transfer full) */
static char *
typed_in (GtkEntry *entry)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (entry)));

  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

void
gilk_inspector_times (GilkInspector *self,
                      GilkPlanHook  *hook)
{
  g_autofree char *start = typed_in (self->start), *stop = typed_in (self->stop);

  /* What makes no sense is marked, and not taken. */
  if (!gilk_plan_parse_times (hook, start, stop, NULL) ||
      !gilk_plan_check_times (NULL, (GilkPlanTimes) { hook->start_ns, hook->stop_ns }, gilk_plan_model_length (self->model), NULL))
    gilk_plan_parse_times (hook, NULL, NULL, NULL);
}

void
gilk_inspector_params (GilkInspector *self,
                       GHashTable    *params)
{
  const struct ilk_instrument_desc *desc = gilk_connection_instrument (self->connection,
                                                                       gilk_inspector_instrument (self));

  for (guint i = 0; desc != NULL && i < MIN (desc->param_count, ILK_PARAMS_MAX); i++)
    {
      const char *value = g_hash_table_lookup (self->values, desc->params[i].name);

      if (value != NULL)
        g_hash_table_replace (params, g_strdup (desc->params[i].name), g_strdup (value));
    }
}

/* ---- facts ---- */

static void
show_bytes (GilkInspector *self)
{
  g_autofree char *text = gilk_block_text (self->data, (guint) self->point / 2);

  gtk_label_set_text (self->bytes, text);
}

static void
show_refusal (GilkInspector *self,
              guint          refusal,
              const char    *problem)
{
  gtk_widget_set_visible (self->refusal_box, refusal != 0 || problem != NULL);
  if (problem != NULL)
    {
      gtk_label_set_text (self->refusal_cause, problem);
      gtk_label_set_text (self->refusal_remedy, "");
    }
  else if (refusal != 0)
    {
      gtk_label_set_text (self->refusal_cause, gilk_refusal_cause (refusal));
      gtk_label_set_text (self->refusal_remedy, gilk_refusal_remedy (refusal));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->refusal_remedy), problem == NULL);
}

static void
show_plan_facts (GilkInspector        *self,
                 const GilkHookStatus *status)
{
  g_autofree char *cost = NULL;

  if (status->bound && status->problem == NULL)
    {
      cost = g_strdup_printf (_("%u instructions"), status->cost);
      gtk_label_set_text (self->tactic, gilk_text_tactic (status->tactic));
      gtk_label_set_text (self->cost, cost);
    }
  else if (status->problem != NULL)
    gtk_label_set_text (self->cost, "–");         /* what the point has is that of a count */
  gtk_label_set_text (self->state, status->problem != NULL ? _("cannot be armed")
                                   : status->live ? _("live") : _("planned"));
  if (status->counted)
    {
      g_autofree char *hits = gilk_text_count (status->hits);
      g_autofree char *rate = gilk_text_rate (status->rate);
      g_autofree char *both = g_strdup_printf ("%s%s%s", hits, rate[0] != '\0' ? " · " : "", rate);
      g_autofree char *lost = gilk_text_count (status->lost);

      gtk_label_set_text (self->hits, both);
      gtk_label_set_text (self->lost, lost);
    }
}

static void
show_point_facts (GilkInspector *self)
{
  const GilkChoice *choice = &self->data->choices[self->point];
  const GilkBlock *block = &self->data->cfg->blocks[self->point / 2];
  const GilkLiveness *liveness = self->data->liveness;
  const GilkLive *live = self->point % 2 == 0 ? &liveness->before[block->first_insn]
                                              : &liveness->after[self->point / 2];
  g_autofree char *registers = gilk_text_live (live);
  const gboolean counts = !is_program (self) && gilk_inline_is (gilk_inspector_instrument (self), GILK_INLINE_COUNT);
  /* What another one takes is known once it is planned: what a count takes, and more. */
  g_autofree char *cost = g_strdup_printf (counts ? _("%u instructions (count)") : _("over %u instructions"), choice->cost);

  gtk_label_set_text (self->state, choice->refusal != 0 ? _("refused") : _("free"));
  gtk_label_set_text (self->tactic, choice->refusal != 0 ? "–" : gilk_text_tactic (choice->tactic));
  gtk_label_set_text (self->cost, choice->refusal != 0 ? "–" : cost);
  gtk_label_set_text (self->live, registers);
  gtk_label_set_text (self->hits, "–");
  gtk_label_set_text (self->lost, "–");
}

static void
take_values (GilkInspector *self,
             GHashTable    *params)
{
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_remove_all (self->values);
  g_hash_table_iter_init (&iter, params);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (self->values, g_strdup (name), g_strdup (value));
}

static void
show_wants (GilkInspector *self,
            int            index)
{
  const GilkPlanHook *hook = index >= 0 ? gilk_plan_model_hook (self->model, index) : NULL;
  gboolean switched = gilk_plan_model_plan (self->model)->ab.period_ns > 0;

  gtk_button_set_label (self->toggle, hook != NULL ? _("_Remove from plan") : _("_Add to plan"));
  gtk_widget_set_visible (GTK_WIDGET (self->witness), hook != NULL && (switched || hook->witness));
  if (hook == NULL)
    {
      gilk_code_view_show (self->code, NULL, NULL);
      return;
    }

  g_autofree char *start = gilk_plan_start_text (hook);
  g_autofree char *stop = gilk_plan_stop_text (hook);
  const char *code = gilk_plan_hook_code (gilk_plan_model_plan (self->model), hook);

  self->filling = TRUE;
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->instrument), hook->is_program ? PROGRAM : hook->instrument);
  gtk_entry_set_text (self->start, start);
  gtk_entry_set_text (self->stop, stop != NULL ? stop : "");
  gtk_toggle_button_set_active (self->witness, hook->witness);
  self->filling = FALSE;
  gilk_code_view_show (self->code, code, &gilk_plan_model_status (self->model, index)->program_error);
  take_values (self, hook->params);
}

/* What completes names in a program knows the point, and the other hooks, which a program may start and stop. */
static void
tell_proposals (GilkInspector *self)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  g_autoptr(GStrvBuilder) labels = g_strv_builder_new ();

  if (self->data == NULL || self->point < 0)
    {
      gilk_code_proposals_set_point (gilk_code_view_proposals (self->code), NULL, 0, GILK_WHERE_PRE, FALSE, NULL);
      return;
    }
  for (guint i = 0; i < MIN (plan->hooks->len, GILK_COMPLETIONS_MAX); i++)
    g_strv_builder_add (labels, ((const GilkPlanHook *) g_ptr_array_index (plan->hooks, i))->label);
  gilk_code_proposals_set_point (gilk_code_view_proposals (self->code), self->data, (guint) self->point / 2,
                                 where_of (self->point), plan->experiment, g_strv_builder_end (labels));
}

/* Whose hook is at the current point, if it is another client's. (transfer full) (nullable) */
static char *
describe_other (GilkInspector *self)
{
  const GArray *others = gilk_hooks_watch_others (self->watch);
  const struct ilk_patch_status *place = gilk_bound_others_at (others, self->data->cfg, self->point / 2, where_of (self->point));

  return place != NULL ? gilk_others_words_describe (others, place, gilk_hooks_watch_epoch (self->watch)) : NULL;
}

static void
refresh (GilkInspector *self)
{
  g_autofree char *title = NULL, *subtitle = NULL, *other = NULL;
  guint refusal;
  int index;

  gtk_stack_set_visible_child_name (self->stack, self->data != NULL && self->point >= 0 ? "point" : "empty");
  if (self->data == NULL || self->point < 0)
    return;

  index = planned (self);
  refusal = self->data->choices[self->point].refusal;
  title = g_strdup_printf (self->point % 2 == 0 ? _("Pre-hook at %s") : _("Post-hook at %s"),
                           self->data->graph->titles[self->point / 2]);
  subtitle = g_strdup_printf ("%s · %s", self->data->name,
                              self->point % 2 == 0 ? _("before the block's first instruction")
                                                   : _("before the branch that ends the block"));
  gtk_label_set_text (self->title, title);
  gtk_label_set_text (self->subtitle, subtitle);
  show_point_facts (self);
  show_bytes (self);
  if (index >= 0)
    show_plan_facts (self, gilk_plan_model_status (self->model, index));
  other = index < 0 ? describe_other (self) : NULL;
  if (other != NULL)
    gtk_label_set_text (self->state, _("another client's"));
  show_refusal (self, index < 0 ? refusal : 0,
                index >= 0 ? gilk_plan_model_status (self->model, index)->problem : other);
  gtk_widget_set_visible (self->want_box, index >= 0 || refusal == 0);
  /* While it is live the text has our own jumps. */
  gtk_widget_set_visible (self->machine_code, index >= 0 && !gilk_plan_model_status (self->model, index)->live);
  show_wants (self, index);
  show_instrument_help (self);
}

/* Not with each figure of a run, as status-changed comes. */
static void
plan_changed (GilkInspector *self)
{
  refresh (self);
  tell_proposals (self);
}

void
gilk_inspector_update (GilkInspector *self)
{
  refresh (self);
}

void
gilk_inspector_show (GilkInspector *self,
                     GilkGraphData *data,
                     int            point)
{
  if (data != self->data)
    {
      g_clear_pointer (&self->data, gilk_graph_data_unref);
      self->data = data != NULL ? gilk_graph_data_ref (data) : NULL;
      gilk_params_reset (self->params);
    }
  if (point != self->point)
    gilk_params_reset (self->params);
  self->point = point;
  plan_changed (self);
}

/* ---- edits ---- */

static void
code_taken (GilkInspector *self)
{
  g_autofree char *code = gilk_inspector_code (self);
  int index = planned (self);

  if (self->filling || code == NULL)
    return;
  if (index >= 0)
    gilk_plan_model_set_code (self->model, index, code);
  show_instrument_help (self);
}

static void
instrument_changed (GilkInspector *self)
{
  int index = planned (self);

  if (self->filling)
    return;
  g_hash_table_remove_all (self->values);
  show_instrument_help (self);
  if (is_program (self))
    code_taken (self);
  else if (index >= 0)
    gilk_plan_model_set_instrument (self->model, index, gilk_inspector_instrument (self));
  else if (self->data != NULL && self->point >= 0)
    show_point_facts (self);
}

static void
param_changed (GilkInspector *self,
               const char    *name,
               const char    *value)
{
  int index = planned (self);

  if (value != NULL)
    g_hash_table_replace (self->values, g_strdup (name), g_strdup (value));
  else
    g_hash_table_remove (self->values, name);
  if (index >= 0)
    gilk_plan_model_set_param (self->model, index, name, value);
}

static void
times_activated (GilkInspector *self)
{
  g_autofree char *start = typed_in (self->start), *stop = typed_in (self->stop);
  g_autoptr(GilkPlanHook) scratch = gilk_plan_hook_new ("", "", GILK_WHERE_PRE, "");
  g_autoptr(GError) error = NULL;
  int index = planned (self);
  gboolean by_start;

  if (self->filling)
    return;
  by_start = !gilk_plan_parse_times (scratch, start, NULL, NULL) || scratch->follows != NULL;
  if (index >= 0)
    gilk_plan_model_enter_text (self->model, index, start != NULL ? start : "", stop != NULL ? stop : "", &error);
  else if (gilk_plan_parse_times (scratch, start, stop, &error))
    gilk_plan_check_times (NULL, (GilkPlanTimes) { scratch->start_ns, scratch->stop_ns }, gilk_plan_model_length (self->model),
                           &error);
  gilk_times_entry_show (self->start, self->stop, error, by_start);
}

static gboolean
times_left (GilkInspector *self)
{
  times_activated (self);

  return GDK_EVENT_PROPAGATE;
}

static void
witness_toggled (GilkInspector *self)
{
  int index = planned (self);

  if (!self->filling && index >= 0)
    gilk_plan_model_set_witness (self->model, index, gtk_toggle_button_get_active (self->witness));
}

static void
toggle_clicked (GilkInspector *self)
{
  g_signal_emit (self, signals[TOGGLE], 0);
}

static void
machine_code_clicked (GilkInspector *self)
{
  const char *name = gtk_label_get_text (self->title);
  g_autofree char *place = g_strdup_printf ("%s · %s", self->data->name, name);
  int index = planned (self);

  if (index >= 0)
    gilk_patch_window_open (GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self))), self->connection,
                            gilk_plan_model_plan (self->model), (guint) index, place);
}

void
gilk_inspector_set_model (GilkInspector  *self,
                          GilkPlanModel  *model,
                          GilkConnection *connection,
                          GilkHooksWatch *watch)
{
  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  self->watch = g_object_ref (watch);
  gilk_times_entry_init (self->start, self->stop, model);
  g_signal_connect_object (model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "status-changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (connection, "changed", G_CALLBACK (show_instrument_help), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (connection, "instruments-changed", G_CALLBACK (fill_instruments), self, G_CONNECT_SWAPPED);
  fill_instruments (self);
}

static void
gilk_inspector_finalize (GObject *object)
{
  GilkInspector *self = GILK_INSPECTOR (object);

  g_clear_pointer (&self->data, gilk_graph_data_unref);
  g_clear_object (&self->model);
  g_clear_object (&self->connection);
  g_clear_object (&self->watch);
  g_hash_table_unref (self->values);
  G_OBJECT_CLASS (gilk_inspector_parent_class)->finalize (object);
}

static void
gilk_inspector_class_init (GilkInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_inspector_finalize;
  signals[TOGGLE] = g_signal_new ("toggle", GILK_TYPE_INSPECTOR, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (GILK_TYPE_CODE_VIEW);
  g_type_ensure (GILK_TYPE_PARAMS);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/inspector.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, stack);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, title);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, subtitle);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, state);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, tactic);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, cost);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, live);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, hits);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, lost);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, refusal_box);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, refusal_cause);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, refusal_remedy);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, want_box);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, instrument);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, instrument_help);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, code);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, params);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, start);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, stop);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, witness);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, toggle);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, machine_code);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, bytes);
  gtk_widget_class_bind_template_callback (widget_class, instrument_changed);
  gtk_widget_class_bind_template_callback (widget_class, code_taken);
  gtk_widget_class_bind_template_callback (widget_class, param_changed);
  gtk_widget_class_bind_template_callback (widget_class, times_activated);
  gtk_widget_class_bind_template_callback (widget_class, times_left);
  gtk_widget_class_bind_template_callback (widget_class, witness_toggled);
  gtk_widget_class_bind_template_callback (widget_class, toggle_clicked);
  gtk_widget_class_bind_template_callback (widget_class, machine_code_clicked);
}

static void
gilk_inspector_init (GilkInspector *self)
{
  self->point = -1;
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
}
