/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inspector.c - properties and settings of the current probe point
 *
 * Until the plan has a hook at the point, the properties describe how the point would be hooked if
 * it were the only one. Afterwards they come from the bound plan, which takes neighbouring hooks
 * into account.
 */
#include "gui/inspector/gilk-inspector.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-inline.h"
#include "core/language/gilk-complete.h"
#include "core/plan/gilk-plan-schedule.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-text.h"
#include "gui/graph/gilk-graph-text.h"
#include "gui/inspector/gilk-code-view.h"
#include "gui/inspector/gilk-patch-view.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/plan/gilk-time-entries.h"

/* Id of the entry for a program in the list of instruments; not a valid instrument name. */
#define PROGRAM "{}"

struct _GilkInspector {
  GtkBox           parent_instance;

  GilkPlanModel   *model;
  GilkConnection  *connection;
  GilkTargetPoll  *watch;
  GilkGraphData   *data;
  int              point;
  gboolean         filling;        /* the widget itself, not the user, is changing the entries */
  GHashTable      *values;         /* parameters of the planned hook, or presets for a new hook */
  char            *times_shown;    /* the hook and its times as last shown; as long as both stay the
                                    * same, text that the user has typed is kept */

  /* Objects that the .ui template creates */
  GtkStack        *stack;
  GtkLabel        *title, *subtitle, *bytes;
  GtkLabel        *state, *tactic, *cost, *live, *hits, *lost;
  GtkWidget       *refusal_box, *want_box;
  GtkLabel        *refusal_cause, *refusal_remedy;
  GtkComboBoxText *instrument;
  GtkLabel        *instrument_help;
  GilkCodeView    *code;
  GtkLabel        *code_problem;
  GilkParams      *params;
  GtkEntry        *start, *stop;
  GtkToggleButton *control;
  GtkButton       *toggle;
  GtkWidget       *machine_code;
};

G_DEFINE_TYPE (GilkInspector, gilk_inspector, GTK_TYPE_BOX)

static GilkWhere
get_where (GilkInspector *self)
{
  return self->point % 2 == 0 ? GILK_WHERE_PRE : GILK_WHERE_POST;
}

/* Returns the index of the planned hook at the current point, -1: not planned. */
static int
find_planned (GilkInspector *self)
{
  const GilkCfg *cfg;

  if (self->data == NULL || self->point < 0)
    return -1;
  cfg = self->data->cfg;

  return gilk_plan_model_find (self->model, self->data->name,
                               self->data->graph->titles[self->point / 2],
                               cfg->blocks[self->point / 2].start, get_where (self));
}

static gboolean
is_program (GilkInspector *self)
{
  return g_strcmp0 (gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->instrument)), PROGRAM) == 0;
}

/* ---- the chosen instrument and its help ---- */

const char *
gilk_inspector_instrument (GilkInspector *self)
{
  const char *name = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->instrument));

  return name != NULL && !is_program (self) ? name : gilk_inline_name (GILK_INLINE_COUNT);
}

/* Returns the help text for a program. (transfer full) */
static char *
describe_program (GilkInspector *self)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  int index = find_planned (self);
  const GilkPlanHook *hook = index >= 0 ? gilk_plan_model_hook (self->model, index) : NULL;
  guint users = hook != NULL && hook->is_program ? gilk_plan_count_program_users (plan, hook->instrument) : 0;

  if (users > 1)
    return g_strdup_printf (ngettext ("%u other hook runs %s too, and gets the changes made here. Ctrl+Enter applies them "
                                      "to the plan.",
                                      "%u other hooks run %s too, and get the changes made here. Ctrl+Enter applies them "
                                      "to the plan.", users - 1), users - 1, hook->instrument);

  return g_strdup (_("A small program that runs at each hit, such as “if (cpu == 0) sample(pid, "
                     "comm)”. Ctrl+Enter applies the program to the plan."));
}

static void
show_help (GilkInspector *self)
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
    fields = gilk_instrument_text (desc);
  else if (known != NULL)
    fields = gilk_instrument_text_inline (known);
  else
    fields = g_strdup (_("Instrument module; it is loaded when the plan is checked."));
  gtk_label_set_text (self->instrument_help, fields);
  gilk_params_show (self->params, desc, self->values);
}

/* ---- properties of the point and its planned hook ---- */

static void
show_bytes (GilkInspector *self)
{
  g_autofree char *text = gilk_block_text (self->data, (guint) self->point / 2);

  gtk_label_set_text (self->bytes, text);
}

/* Shows why the point cannot be hooked. @refusal: 0 if the point can be hooked; @problem:
 * (nullable): shown instead of the refusal */
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
      cost = g_strdup_printf (g_dngettext (NULL, "%u instruction", "%u instructions", status->cost), status->cost);
      gtk_label_set_text (self->tactic, gilk_text_tactic (status->tactic));
      gtk_label_set_text (self->cost, cost);
    }
  else if (status->problem != NULL)
    /* Replace the cost that show_point_facts() has set, which is valid only for a hook that can be
     * armed. */
    gtk_label_set_text (self->cost, "–");
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
  g_autofree char *registers = gilk_text_live_registers (live);
  const gboolean counts = !is_program (self) && gilk_inline_is (gilk_inspector_instrument (self), GILK_INLINE_COUNT);
  /* Until the hook is in the plan, only the cost of the cheapest instrument, "count", is known.
   * Other instruments cost at least as much. */
  g_autofree char *cost = g_strdup_printf (counts ? g_dngettext (NULL, "%u instruction (count)", "%u instructions (count)", choice->cost)
                                                 : g_dngettext (NULL, "over %u instruction", "over %u instructions", choice->cost), choice->cost);

  gtk_label_set_text (self->state, choice->refusal != 0 ? _("refused") : _("free"));
  gtk_label_set_text (self->tactic, choice->refusal != 0 ? "–" : gilk_text_tactic (choice->tactic));
  gtk_label_set_text (self->cost, choice->refusal != 0 ? "–" : cost);
  gtk_label_set_text (self->live, registers);
  gtk_label_set_text (self->hits, "–");
  gtk_label_set_text (self->lost, "–");
}

/* ---- the program: showing its errors, storing it in the plan ---- */

char *
gilk_inspector_code (GilkInspector *self)
{
  return is_program (self) ? gilk_code_view_code (self->code) : NULL;
}

/* Shows @problem below the program; NULL clears it. */
static void
show_code_problem (GilkInspector *self,
                   const char    *problem)
{
  g_autofree char *unfit = is_program (self) ? gilk_code_view_problem (self->code) : NULL;
  g_autofree char *text = unfit != NULL ? g_strdup_printf (_("Not applied. %s"), unfit) : g_strdup (problem);

  gtk_label_set_text (self->code_problem, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->code_problem), text != NULL && is_program (self));
}

/* Strips the program's name from @problem, because the message is shown below the program. */
static const char *
skip_name (const char         *problem,
           const GilkPlanHook *hook)
{
  g_autofree char *name = g_strdup_printf (_("Program %s: %s"), hook->instrument, "");

  return problem != NULL && g_str_has_prefix (problem, name) ? problem + strlen (name) : problem;
}

/* Shows the program of the planned @hook, and its error if the typed text is still the same. */
static void
show_planned_code (GilkInspector        *self,
                   const GilkPlanHook   *hook,
                   const GilkHookStatus *status)
{
  const char *code = gilk_plan_hook_code (gilk_plan_model_plan (self->model), hook);
  g_autofree char *typed = NULL;

  gilk_code_view_show (self->code, code, &status->program_error);
  typed = gilk_code_view_typed (self->code);
  if (code != NULL && strcmp (typed, code) == 0)
    show_code_problem (self, status->program_error.line > 0 ? skip_name (status->problem, hook) : NULL);
}

static void
edit_code (GilkInspector *self)
{
  g_autofree char *unfit = gilk_code_view_problem (self->code);

  if (unfit != NULL)
    show_code_problem (self, NULL);
  g_signal_emit_by_name (self, "code-edited");
}

/* Returns the problem of the planned hook; NULL: there is no problem, or it is a program error,
 * which is shown below the text. (nullable) */
static const char *
get_planned_problem (GilkInspector *self,
                     int            index)
{
  const GilkHookStatus *status = gilk_plan_model_status (self->model, (guint) index);

  return status->program_error.line > 0 ? NULL : status->problem;
}

char *
gilk_inspector_typed_code (GilkInspector *self)
{
  g_autofree char *problem = is_program (self) ? gilk_code_view_problem (self->code) : NULL;

  return is_program (self) && self->point >= 0 && problem == NULL ? gilk_code_view_typed (self->code) : NULL;
}

void
gilk_inspector_set_check (GilkInspector       *self,
                          const GilkBoundHook *hook)
{
  g_autofree char *typed = gilk_code_view_typed (self->code);

  if (hook == NULL || hook->code == NULL)
    show_code_problem (self, NULL);
  else if (strcmp (hook->code, typed) == 0)
    {
      gilk_code_view_mark_error (self->code, hook->code, &hook->program_error);
      show_code_problem (self, hook->error != NULL ? skip_name (hook->error->message, hook->hook) : NULL);
    }
}

static void
leave_code (GilkInspector *self)
{
  g_autofree char *code = gilk_inspector_code (self);
  int index = find_planned (self);

  if (self->filling || code == NULL)
    return;
  if (index >= 0)
    gilk_plan_model_set_code (self->model, index, code);
  show_help (self);
}

/* Stores the typed program in the plan, and adds a hook at the point if there is none. If the
 * program is invalid, keeps the text in the editor and shows the reason. */
static void
enter_code (GilkInspector *self)
{
  g_autofree char *code = gilk_inspector_typed_code (self);

  if (find_planned (self) >= 0)
    leave_code (self);
  else if (code != NULL)
    g_signal_emit_by_name (self, "toggle");
  else
    show_code_problem (self, NULL);
}

/* ---- choice of instrument, times and parameters ---- */

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
  show_help (self);
}

/* Returns the typed text without surrounding space; NULL if empty. (transfer full) */
static char *
get_typed (GtkEntry *entry)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (entry)));

  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

void
gilk_inspector_fill_times (GilkInspector *self,
                           GilkPlanHook  *hook)
{
  g_autofree char *start = get_typed (self->start), *stop = get_typed (self->stop);

  /* Invalid times are not used; their entries are marked. */
  if (!gilk_plan_parse_times (hook, start, stop, NULL) ||
      !gilk_plan_check_times (NULL, (GilkPlanTimes) { hook->start_ns, hook->stop_ns }, gilk_plan_model_length (self->model), NULL))
    gilk_plan_parse_times (hook, NULL, NULL, NULL);
}

void
gilk_inspector_fill_params (GilkInspector *self,
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

/* ---- updating what the inspector shows ---- */

static void
set_values (GilkInspector *self,
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
show_times (GilkInspector      *self,
            const GilkPlanHook *hook)
{
  g_autofree char *start = gilk_plan_start_text (hook);
  g_autofree char *stop = gilk_plan_stop_text (hook);
  g_autofree char *now = g_strdup_printf ("%s\n%s\n%s", hook->label, start, stop != NULL ? stop : "");

  if (g_strcmp0 (now, self->times_shown) == 0)
    return;
  g_free (self->times_shown);
  self->times_shown = g_steal_pointer (&now);
  gtk_entry_set_text (self->start, start);
  gtk_entry_set_text (self->stop, stop != NULL ? stop : "");
  gilk_times_entry_show_error (self->start, self->stop, NULL, FALSE);
}

static void
show_settings (GilkInspector *self,
               int            index)
{
  const GilkPlanHook *hook = index >= 0 ? gilk_plan_model_hook (self->model, index) : NULL;
  gboolean switched = gilk_plan_model_plan (self->model)->interleave.period_ns > 0;

  gtk_button_set_label (self->toggle, hook != NULL ? _("_Remove from plan") : _("_Add to plan"));
  gtk_widget_set_visible (GTK_WIDGET (self->control), hook != NULL && (switched || hook->control));
  if (hook == NULL)
    {
      g_clear_pointer (&self->times_shown, g_free);
      gilk_code_view_show (self->code, NULL, NULL);
      return;
    }

  self->filling = TRUE;
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->instrument), hook->is_program ? PROGRAM : hook->instrument);
  show_times (self, hook);
  gtk_toggle_button_set_active (self->control, hook->control);
  self->filling = FALSE;
  show_planned_code (self, hook, gilk_plan_model_status (self->model, index));
  set_values (self, hook->params);
}

/* Sets point and labels for completion: a program may start and stop other hooks by label. */
static void
update_proposals (GilkInspector *self)
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
                                 get_where (self), plan->may_change, g_strv_builder_end (labels));
}

/* Describes another client's hook at the current point; returns NULL if there is none. (transfer
 * full) (nullable) */
static char *
describe_other (GilkInspector *self)
{
  const GArray *others = gilk_target_poll_others (self->watch);
  const struct ilk_patch_status *place = gilk_bound_others_at_point (others, self->data->cfg, self->point / 2, get_where (self));

  return place != NULL ? gilk_others_text_describe (others, place, gilk_target_poll_epoch (self->watch)) : NULL;
}

static void
refresh_point (GilkInspector *self)
{
  g_autofree char *title = NULL, *subtitle = NULL, *other = NULL;
  guint refusal;
  int index;

  gtk_stack_set_visible_child_name (self->stack, self->data != NULL && self->point >= 0 ? "point" : "empty");
  if (self->data == NULL || self->point < 0)
    return;

  index = find_planned (self);
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
  show_refusal (self, index < 0 ? refusal : 0, index >= 0 ? get_planned_problem (self, index) : other);
  gtk_widget_set_visible (self->want_box, index >= 0 || refusal == 0);
  /* Hide machine code while the hook is live, because the kernel text then contains the run's
   * jumps. */
  gtk_widget_set_visible (self->machine_code, index >= 0 && !gilk_plan_model_status (self->model, index)->live);
  show_settings (self, index);
  show_help (self);
}

/* Updates the inspector after an edit of the plan. Must not be connected to the signal
 * "status-changed", which is emitted ten times a second during a run. */
static void
plan_changed (GilkInspector *self)
{
  refresh_point (self);
  update_proposals (self);
}

void
gilk_inspector_update (GilkInspector *self)
{
  refresh_point (self);
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
  if (point != self->point || data == NULL)
    show_code_problem (self, NULL);
  self->point = point;
  plan_changed (self);
  edit_code (self);
}

/* ---- edits by the user ---- */

static void
instrument_changed (GilkInspector *self)
{
  int index = find_planned (self);

  if (self->filling)
    return;
  g_hash_table_remove_all (self->values);
  show_help (self);
  show_code_problem (self, NULL);
  edit_code (self);
  if (is_program (self))
    leave_code (self);
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
  int index = find_planned (self);

  if (value != NULL)
    g_hash_table_replace (self->values, g_strdup (name), g_strdup (value));
  else
    g_hash_table_remove (self->values, name);
  if (index >= 0)
    gilk_plan_model_set_param (self->model, index, name, value);
}

/* Marks the entries of the hook's start and stop times if the typed times are invalid. With @take,
 * sets valid times in the planned hook. */
static void
check_times (GilkInspector *self,
             gboolean       take)
{
  g_autofree char *start = get_typed (self->start), *stop = get_typed (self->stop);
  g_autoptr(GilkPlanHook) scratch = gilk_plan_hook_new ("", "", GILK_WHERE_PRE, "");
  g_autoptr(GError) error = NULL;
  int index = find_planned (self);
  gboolean by_start;

  if (self->filling)
    return;
  by_start = !gilk_plan_parse_times (scratch, start, NULL, NULL) || scratch->leader != NULL;
  if (take && index >= 0)
    gilk_plan_model_enter_times (self->model, index, start != NULL ? start : "", stop != NULL ? stop : "", &error);
  else if (gilk_plan_parse_times (scratch, start, stop, &error))
    gilk_plan_check_times (NULL, (GilkPlanTimes) { scratch->start_ns, scratch->stop_ns }, gilk_plan_model_length (self->model),
                           &error);
  gilk_times_entry_show_error (self->start, self->stop, error, by_start);
}

static void
times_activated (GilkInspector *self)
{
  check_times (self, TRUE);
}

static void
times_typed (GilkInspector *self)
{
  check_times (self, FALSE);
}

static gboolean
times_left (GilkInspector *self)
{
  times_activated (self);

  return GDK_EVENT_PROPAGATE;
}

static void
control_toggled (GilkInspector *self)
{
  int index = find_planned (self);

  if (!self->filling && index >= 0)
    gilk_plan_model_set_control (self->model, index, gtk_toggle_button_get_active (self->control));
}

static void
toggle_clicked (GilkInspector *self)
{
  g_signal_emit_by_name (self, "toggle");
}

static void
machine_code_clicked (GilkInspector *self)
{
  const char *name = gtk_label_get_text (self->title);
  g_autofree char *place = g_strdup_printf ("%s · %s", self->data->name, name);
  int index = find_planned (self);

  if (index >= 0)
    gilk_patch_window_open (GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self))), self->connection,
                            gilk_plan_model_plan (self->model), (guint) index, place);
}

void
gilk_inspector_set_model (GilkInspector  *self,
                          GilkPlanModel  *model,
                          GilkConnection *connection,
                          GilkTargetPoll *watch)
{
  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  self->watch = g_object_ref (watch);
  gilk_times_entry_init (self->start, self->stop, model);
  g_signal_connect_object (model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "status-changed", G_CALLBACK (refresh_point), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (connection, "changed", G_CALLBACK (show_help), self, G_CONNECT_SWAPPED);
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
  g_free (self->times_shown);
  G_OBJECT_CLASS (gilk_inspector_parent_class)->finalize (object);
}

static void
gilk_inspector_class_init (GilkInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_inspector_finalize;
  gilk_add_signal (klass, "code-edited", 0);
  gilk_add_signal (klass, "toggle", 0);

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
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, code_problem);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, params);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, start);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, stop);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, control);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, toggle);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, machine_code);
  gtk_widget_class_bind_template_child (widget_class, GilkInspector, bytes);
  gtk_widget_class_bind_template_callback (widget_class, instrument_changed);
  gtk_widget_class_bind_template_callback_full (widget_class, "code_taken", G_CALLBACK (leave_code));
  gtk_widget_class_bind_template_callback_full (widget_class, "code_entered", G_CALLBACK (enter_code));
  gtk_widget_class_bind_template_callback_full (widget_class, "code_edited", G_CALLBACK (edit_code));
  gtk_widget_class_bind_template_callback (widget_class, param_changed);
  gtk_widget_class_bind_template_callback (widget_class, times_activated);
  gtk_widget_class_bind_template_callback (widget_class, times_typed);
  gtk_widget_class_bind_template_callback (widget_class, times_left);
  gtk_widget_class_bind_template_callback (widget_class, control_toggled);
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
