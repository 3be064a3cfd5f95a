/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-live-view.c - live view of a running recording: rates of hooks and CPUs, rings, sample
 * values
 *
 * The counts of the run arrive ten times a second and are always recorded. The plots are updated a
 * few times a second, only while they are visible and not paused. The view uses only counts and
 * summaries, and never reads samples. The plots show the hooks selected in the list; if none are
 * selected, the plots show the busiest hooks.
 */
#include "gui/window/gilk-run-control.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/bind/gilk-bound-conditions.h"
#include "core/figure/gilk-figure.h"
#include "gui/base/gilk-text.h"
#include "gui/plot/gilk-plot-view.h"
#include "gui/run/gilk-target-poll.h"

#define SHOW_US     300000
#define CPUS_LISTED   8
#define HOOKS_LISTED  4
#define HOOKS_DRAWN 4              /* number of hooks drawn if none are selected */
#define HOOKS_TRIED 1000           /* maximum number of hooks searched for a plottable field */

enum { RATES, VALUES, COURSE, CPUS, RINGS, LOSSES, N_PLOTS };

struct _GilkLiveView {
  GtkBox           parent_instance;

  GilkRecorder    *recorder;
  GtkStack        *pages;
  GtkWidget       *switcher;
  GSimpleAction   *action;
  GilkRunHistory  *history;
  GilkRecorderState state;         /* state of @recorder when recorder_changed() last handled it */
  guint            measured;       /* index of the hook whose fields can be chosen; G_MAXUINT:
                                    * none */
  gint64           shown_us;
  guint            leave_source;   /* id of the idle source that leaves the live page; 0: none */
  gboolean         filling;        /* the view itself is changing the list of fields */

  GilkPlotView    *plots[N_PLOTS];

  /* Objects that the .ui template creates */
  GtkLabel        *facts, *until;
  GtkToggleButton *pause;
  GtkComboBoxText *field;
  GilkLiveHooks   *hooks;
  GtkWidget       *rates_card, *values_card, *course_card, *cpus_card, *rings_card, *losses_card, *values_choice;
};

G_DEFINE_TYPE (GilkLiveView, gilk_live_view, GTK_TYPE_BOX)

/* ---- elapsed time and counts as text ---- */

/* Returns the run's elapsed time, counts and file size as text. @self->recorder must have
 * figures. (transfer full) */
static char *
describe_facts (GilkLiveView *self)
{
  const GilkRunFigures *now = gilk_recorder_figures (self->recorder);
  guint last = gilk_run_history_n (self->history);
  g_autofree char *elapsed = now->duration > 0 ? g_strdup_printf (_("%.1f of %.1f s"), now->elapsed, now->duration)
                                               : g_strdup_printf (_("%.1f s"), now->elapsed);
  g_autofree char *rate = gilk_text_rate (last > 0 ? gilk_run_history_rate (self->history, last - 1, G_MAXUINT) : 0);
  g_autofree char *samples = gilk_text_samples (now->samples);
  g_autofree char *lost = gilk_text_count (now->lost);
  g_autofree char *size = g_format_size (now->bytes);

  return g_strdup_printf (_("%s · %s hits · %s · %s lost · %s"), elapsed, rate[0] != '\0' ? rate : "0 /s", samples, lost,
                          size);
}

static void
show_facts (GilkLiveView *self)
{
  const GilkRunFigures *now = gilk_recorder_figures (self->recorder);
  gboolean running = gilk_recorder_state (self->recorder) == GILK_RECORDER_RUNNING && now != NULL &&
                     now->state == GILK_RUN_RUNNING;
  g_autofree char *facts = running ? describe_facts (self)
    : g_strdup (gilk_recorder_state (self->recorder) == GILK_RECORDER_STOPPING ? _("Restoring the kernel…")
                                                                                : _("Arming the hooks…"));
  g_autofree char *until = running ? gilk_recorder_stop_conditions (self->recorder) : NULL;

  gtk_label_set_text (self->facts, facts);
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self)), facts);
  gtk_label_set_text (self->until, until != NULL ? until : "");
  gtk_widget_set_visible (GTK_WIDGET (self->until), until != NULL);
}

static void
append_rate (GString *text, const char *name, double rate)
{
  g_autofree char *per_second = gilk_text_rate (isnan (rate) ? 0 : rate);

  g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", name, per_second[0] != '\0' ? per_second : "0 /s");
}

/* ---- plots of rates ---- */

static void
show_figure (GilkLiveView *self, guint plot, GilkFigure *figure, const char *words)
{
  GilkPlotData *data = gilk_plot_data_new ();

  data->figure = figure;
  gilk_plot_view_set_data (self->plots[plot], data, TRUE);
  if (words != NULL && words[0] != '\0')
    gilk_plot_view_add_caption (self->plots[plot], words);
}

/* Returns the selected hooks, else the busiest ones. (transfer full) (element-type guint) */
static GArray *
get_drawn_hooks (GilkLiveView *self)
{
  const GArray *chosen = gilk_live_hooks_selected (self->hooks);
  GArray *drawn;

  if (chosen->len == 0)
    return gilk_run_history_busiest (self->history, HOOKS_DRAWN);
  drawn = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_vals (drawn, chosen->data, MIN (chosen->len, GILK_FIGURE_CURVES_MAX));

  return drawn;
}

/* Returns a text such as "the 4 busiest of 20 hooks that were hit"; NULL: all curves are drawn.
 * (transfer full) (nullable) */
static char *
describe_drawn (GilkLiveView *self, guint n)
{
  guint n_chosen = gilk_live_hooks_selected (self->hooks)->len, n_hit = gilk_live_hooks_n_hit (self->hooks);

  if (n_chosen > n)
    return g_strdup_printf (_("showing the first %u of %u selected hooks"), n, n_chosen);
  if (n_chosen == 0 && n_hit > n && n > 0)
    return g_strdup_printf (_("showing the %u busiest of %u hooks that were hit"), n, n_hit);

  return NULL;
}

static void
show_rates (GilkLiveView *self)
{
  g_autoptr(GArray) hooks = get_drawn_hooks (self);
  g_autoptr(GString) words = g_string_new (NULL);
  GilkLiveCurve curves[GILK_FIGURE_CURVES_MAX];
  guint whole = gilk_run_history_n_full (self->history);
  GilkFigure *figure;

  for (guint i = 0; i < hooks->len; i++)
    {
      guint hook = g_array_index (hooks, guint, i);

      curves[i] = (GilkLiveCurve) { hook, gilk_live_hooks_name (self->hooks, hook) };
      if (i < HOOKS_LISTED && whole > 0)
        append_rate (words, curves[i].name, gilk_run_history_rate (self->history, whole - 1, hook));
    }
  figure = gilk_live_rates (self->history, curves, hooks->len);
  figure->subtitle = describe_drawn (self, hooks->len);
  show_figure (self, RATES, figure, words->str);
}

static void
show_cpus (GilkLiveView *self)
{
  g_autoptr(GString) words = g_string_new (NULL), lost = g_string_new (NULL);
  guint whole = gilk_run_history_n_full (self->history), n = gilk_run_history_n_cpus (self->history);

  for (guint cpu = 0; whole > 0 && cpu < MIN (n, CPUS_LISTED); cpu++)
    {
      g_autofree char *name = g_strdup_printf (_("CPU %u"), cpu);
      g_autofree char *count = gilk_text_count (gilk_run_history_cpu_lost_all (self->history, cpu));

      append_rate (words, name, gilk_run_history_cpu_rate (self->history, whole - 1, cpu));
      g_string_append_printf (lost, "%s%s: %s", lost->len > 0 ? ", " : "", name, count);
    }
  show_figure (self, CPUS, gilk_live_cpus (self->history), words->str);
  show_figure (self, LOSSES, gilk_live_losses (self->history), lost->str);
}

/* ---- plot of sample values ---- */

/* Gets the fields of @hook's samples that can be plotted: the numeric quantities, and the time
 * between samples as the last one. Returns their number. */
static guint
get_plottable_fields (const GilkBoundPlan *bound, guint hook, struct ilk_field fields[ILK_FIELDS_MAX + 1])
{
  guint n = gilk_bound_fields (bound, hook, fields), kept = 0;

  for (guint i = 0; i < n; i++)
    if (gilk_bound_field_is_amount (&fields[i]))
      fields[kept++] = fields[i];

  return kept + (gilk_bound_interval (bound, hook, &fields[kept]) ? 1 : 0);
}

/* Returns the hook whose sample values are plotted: the first selected hook with a field that can
 * be plotted. If there is none, the first hook with a numeric quantity, or else the first hook that
 * takes samples at all, whose time between samples is plotted. G_MAXUINT: none */
static guint
choose_measured_hook (GilkLiveView *self, const GilkBoundPlan *bound)
{
  const GArray *chosen = gilk_live_hooks_selected (self->hooks);
  struct ilk_field fields[ILK_FIELDS_MAX + 1];
  guint first = G_MAXUINT;

  for (guint i = 0; i < chosen->len; i++)
    if (get_plottable_fields (bound, g_array_index (chosen, guint, i), fields) > 0)
      return g_array_index (chosen, guint, i);
  for (guint i = 0; i < MIN (bound->hooks->len, HOOKS_TRIED); i++)
    {
      guint n = get_plottable_fields (bound, i, fields);

      if (n > 1)
        return i;
      if (n == 1 && first == G_MAXUINT)
        first = i;
    }

  return first;
}

static void
list_fields (GilkLiveView *self, const GilkBoundPlan *bound, guint hook)
{
  struct ilk_field fields[ILK_FIELDS_MAX + 1];
  g_autofree char *chosen = g_strdup (gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->field)));
  guint n = hook < bound->hooks->len ? get_plottable_fields (bound, hook, fields) : 0;

  if (hook == self->measured && n > 0)
    return;
  self->measured = hook;
  self->filling = TRUE;
  gtk_combo_box_text_remove_all (self->field);
  for (guint i = 0; i < n; i++)
    gtk_combo_box_text_append (self->field, fields[i].name,
                               gilk_bound_field_is_interval (&fields[i]) ? _("time between samples") : fields[i].name);
  if (n > 0 && (chosen == NULL || !gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->field), chosen)))
    gtk_combo_box_set_active (GTK_COMBO_BOX (self->field), 0);
  gtk_widget_set_visible (self->values_choice, n > 1);
  /* If no hook takes samples, hide the plot of sample values, so that the other plots get its
   * space. */
  gtk_widget_set_visible (gtk_widget_get_parent (self->values_card), n > 0);
  gtk_widget_set_visible (gtk_widget_get_parent (self->course_card), n > 0);
  self->filling = FALSE;
}

static void
show_values (GilkLiveView *self, const GilkBoundPlan *bound)
{
  const char *id = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->field));
  struct ilk_field fields[ILK_FIELDS_MAX + 1];
  guint n = self->measured < bound->hooks->len && id != NULL ? get_plottable_fields (bound, self->measured, fields) : 0;
  const struct ilk_field *field = NULL;
  g_autoptr(GilkValueHistory) course = NULL;
  g_autoptr(GilkSketch) values = NULL;
  const char *hook = NULL;
  const char *name;

  for (guint i = 0; i < n && field == NULL; i++)
    if (g_str_equal (fields[i].name, id))
      field = &fields[i];
  if (field != NULL)
    {
      hook = gilk_live_hooks_name (self->hooks, self->measured);
      values = gilk_recorder_sketch (self->recorder, self->measured, field, &course);
    }
  name = field == NULL ? NULL : gilk_bound_field_is_interval (field) ? _("time between samples") : field->name;
  show_figure (self, VALUES, gilk_live_histogram (values, hook, name, field != NULL ? field->unit : NULL), NULL);
  show_figure (self, COURSE, gilk_live_values (self->history, course, hook, name, field != NULL ? field->unit : NULL), NULL);
}

/* ---- updating the view ---- */

static void
show_current (GilkLiveView *self)
{
  const GilkBoundPlan *bound = gilk_recorder_bound (self->recorder);
  const GilkRunFigures *now = gilk_recorder_figures (self->recorder);

  self->shown_us = g_get_monotonic_time ();
  show_facts (self);
  if (bound == NULL || gtk_toggle_button_get_active (self->pause))
    return;
  gilk_live_hooks_update (self->hooks, bound, now != NULL && now->state == GILK_RUN_RUNNING ? now : NULL);
  list_fields (self, bound, choose_measured_hook (self, bound));
  show_rates (self);
  show_cpus (self);
  show_figure (self, RINGS, gilk_live_rings (self->history), NULL);
  show_values (self, bound);
}

static void
field_chosen (GilkLiveView *self)
{
  const GilkBoundPlan *bound = self->recorder != NULL ? gilk_recorder_bound (self->recorder) : NULL;

  if (!self->filling && bound != NULL)
    show_values (self, bound);
}

static void
hooks_chosen (GilkLiveView *self)
{
  const GilkBoundPlan *bound = self->recorder != NULL ? gilk_recorder_bound (self->recorder) : NULL;
  const GArray *chosen = gilk_live_hooks_selected (self->hooks);

  gilk_run_history_pin (self->history, (const guint *) chosen->data, MIN (chosen->len, GILK_FIGURE_CURVES_MAX));
  if (bound == NULL)
    return;
  list_fields (self, bound, choose_measured_hook (self, bound));
  show_rates (self);
  show_values (self, bound);
}

static void
pause_toggled (GilkLiveView *self)
{
  gtk_button_set_label (GTK_BUTTON (self->pause), gtk_toggle_button_get_active (self->pause) ? _("_Resume") : _("_Pause"));
  if (self->recorder != NULL && !gtk_toggle_button_get_active (self->pause))
    show_current (self);
}

/* Pauses when the user zooms in, so that the plot does not move. */
static void
on_zoom (GilkLiveView *self,
         double        from)
{
  if (!isnan (from))
    gtk_toggle_button_set_active (self->pause, TRUE);
}

/* ---- showing and leaving the view as runs start and end ---- */

static gboolean
has_focus (GilkLiveView *self)
{
  GtkWidget *window = gtk_widget_get_toplevel (GTK_WIDGET (self));
  GtkWidget *focus = GTK_IS_WINDOW (window) ? gtk_window_get_focus (GTK_WINDOW (window)) : NULL;

  return focus != NULL && (gtk_widget_is_ancestor (focus, GTK_WIDGET (self)) || gtk_widget_is_ancestor (focus, self->switcher));
}

/* Moves the keyboard focus from the live page to the page that replaces it. */
static gboolean
leave_live_page (gpointer user_data)
{
  GilkLiveView *self = user_data;
  const gboolean focused = has_focus (self);

  self->leave_source = 0;
  if (gilk_recorder_state (self->recorder) == GILK_RECORDER_IDLE)
    {
      gtk_widget_hide (self->switcher);
      gtk_stack_set_visible_child_name (self->pages, "recorded");
      if (focused)
        gtk_widget_child_focus (gtk_stack_get_visible_child (self->pages), GTK_DIR_TAB_FORWARD);
      g_simple_action_set_enabled (self->action, FALSE);
    }

  return G_SOURCE_REMOVE;
}

static void
reset_view (GilkLiveView *self)
{
  gilk_run_history_clear (self->history);
  gilk_live_hooks_clear (self->hooks);
  self->filling = TRUE;
  gtk_combo_box_text_remove_all (self->field);
  self->filling = FALSE;
  gtk_widget_hide (self->values_choice);
  self->measured = G_MAXUINT;
  gtk_toggle_button_set_active (self->pause, FALSE);
  gtk_widget_show (self->switcher);
  gtk_stack_set_visible_child_name (self->pages, "live");
  g_simple_action_set_enabled (self->action, TRUE);
}

/* Handles a change of the run's state or counts. At the end of a run, leaves the live page in an
 * idle handler and not at once, because another run may follow immediately. */
static void
recorder_changed (GilkLiveView *self)
{
  const GilkRunFigures *now = gilk_recorder_figures (self->recorder);
  GilkRecorderState was = self->state;

  self->state = gilk_recorder_state (self->recorder);
  if (self->state == GILK_RECORDER_PREPARING && was != GILK_RECORDER_PREPARING)
    reset_view (self);
  if (self->state == GILK_RECORDER_IDLE && was != GILK_RECORDER_IDLE && self->leave_source == 0)
    self->leave_source = g_idle_add (leave_live_page, self);
  if (self->state != GILK_RECORDER_IDLE && now != NULL && now->state == GILK_RUN_RUNNING)
    gilk_run_history_add (self->history, now);
  if (self->state != GILK_RECORDER_IDLE && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      (was != self->state || g_get_monotonic_time () - self->shown_us >= SHOW_US))
    show_current (self);
}

static void
show_live_page (GSimpleAction *action,
                GVariant      *parameter,
                GilkLiveView  *self)
{
  GtkWidget *window = gtk_widget_get_toplevel (GTK_WIDGET (self));

  gtk_stack_set_visible_child_name (self->pages, "live");
  g_action_group_activate_action (G_ACTION_GROUP (window), "mode", g_variant_new_string ("results"));
}

void
gilk_live_view_follow (GilkLiveView *self,
                       GilkRecorder *recorder,
                       GtkStack     *pages,
                       GtkWidget    *switcher,
                       GActionMap   *actions)
{
  self->recorder = g_object_ref (recorder);
  self->pages = pages;
  self->switcher = switcher;
  self->action = g_simple_action_new ("live", NULL);
  g_simple_action_set_enabled (self->action, FALSE);
  g_signal_connect_object (self->action, "activate", G_CALLBACK (show_live_page), self, 0);
  g_action_map_add_action (actions, G_ACTION (self->action));
  g_signal_connect_object (recorder, "changed", G_CALLBACK (recorder_changed), self, G_CONNECT_SWAPPED);
}

GtkWidget *
gilk_live_view_plot (GilkLiveView *self)
{
  return GTK_WIDGET (self->plots[RATES]);
}

static void
gilk_live_view_map (GtkWidget *widget)
{
  GilkLiveView *self = GILK_LIVE_VIEW (widget);

  GTK_WIDGET_CLASS (gilk_live_view_parent_class)->map (widget);
  if (self->recorder != NULL && gilk_recorder_state (self->recorder) != GILK_RECORDER_IDLE)
    show_current (self);
}

static void
gilk_live_view_dispose (GObject *object)
{
  GilkLiveView *self = GILK_LIVE_VIEW (object);

  g_clear_handle_id (&self->leave_source, g_source_remove);
  g_clear_object (&self->action);
  if (self->recorder != NULL)
    g_signal_handlers_disconnect_by_data (self->recorder, self);
  g_clear_object (&self->recorder);
  G_OBJECT_CLASS (gilk_live_view_parent_class)->dispose (object);
}

static void
gilk_live_view_finalize (GObject *object)
{
  gilk_run_history_free (GILK_LIVE_VIEW (object)->history);
  G_OBJECT_CLASS (gilk_live_view_parent_class)->finalize (object);
}

static void
gilk_live_view_class_init (GilkLiveViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_live_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_live_view_finalize;
  widget_class->map = gilk_live_view_map;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/live-view.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, GilkLiveView, name)
  BIND (facts);
  BIND (until);
  BIND (pause);
  BIND (field);
  BIND (hooks);
  BIND (rates_card);
  BIND (values_card);
  BIND (course_card);
  BIND (cpus_card);
  BIND (rings_card);
  BIND (losses_card);
  BIND (values_choice);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, field_chosen);
  gtk_widget_class_bind_template_callback (widget_class, hooks_chosen);
  gtk_widget_class_bind_template_callback (widget_class, pause_toggled);
}

static void
gilk_live_view_init (GilkLiveView *self)
{
  GtkWidget *cards[N_PLOTS];

  g_type_ensure (GILK_TYPE_LIVE_HOOKS);
  self->history = gilk_run_history_new ();
  self->measured = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
  cards[RATES] = self->rates_card;
  cards[VALUES] = self->values_card;
  cards[COURSE] = self->course_card;
  cards[CPUS] = self->cpus_card;
  cards[RINGS] = self->rings_card;
  cards[LOSSES] = self->losses_card;
  for (guint i = 0; i < N_PLOTS; i++)
    {
      self->plots[i] = g_object_new (GILK_TYPE_PLOT_VIEW, "visible", TRUE, "hexpand", TRUE, "vexpand", TRUE, NULL);
      g_signal_connect_object (self->plots[i], "zoomed", G_CALLBACK (on_zoom), self, G_CONNECT_SWAPPED);
      gtk_container_add (GTK_CONTAINER (cards[i]), GTK_WIDGET (self->plots[i]));
    }
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), _("Current run"));
}
