/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-choice.c - contents of the results, and the possible choices for a hook
 */
#include "gui/results/gilk-results-choice.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/emit/gilk-inline.h"
#include "core/plot/gilk-plot-name.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-text.h"

#define HITS "#hits"              /* id of the quantity "hits"; no field has this name */

G_DEFINE_TYPE (GilkResultsChoice, gilk_results_choice, G_TYPE_OBJECT)

static const struct {
  GilkFigureKind kind;
  const char    *name;
  gboolean       log_x, log_y;    /* default axes */
} kinds[] = {
  { GILK_FIGURE_HISTOGRAM, N_("Histogram"), TRUE, FALSE },
  { GILK_FIGURE_ECDF, N_("ECDF"), TRUE, FALSE },
  { GILK_FIGURE_RATE, N_("Hits over time"), FALSE, FALSE },
  { GILK_FIGURE_HEAT, N_("Heat map"), FALSE, TRUE },
  { GILK_FIGURE_SERIES, N_("Time series"), FALSE, FALSE },
  { GILK_FIGURE_SPECTRUM, N_("Spectrum"), TRUE, TRUE },
  { GILK_FIGURE_AUTOCORRELATION, N_("Autocorrelation"), FALSE, FALSE },
};

/* The kinds of view that are not figures. */
static const struct {
  const char      *id, *name;
  GilkResultsShown shown;
} others[] = {
  { "accesses", N_("Accesses"), GILK_RESULTS_ACCESSES },
  { "maps", N_("Maps"), GILK_RESULTS_MAP },
  { "by-value", N_("Hits by value"), GILK_RESULTS_GROUPS },
  { "samples", N_("Samples"), GILK_RESULTS_SAMPLES },
};

void
gilk_results_get_default_axes (GilkFigureKind kind,
                               gboolean      *log_x,
                               gboolean      *log_y)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].kind == kind)
      {
        *log_x = kinds[i].log_x;
        *log_y = kinds[i].log_y;
      }
}

void
gilk_results_get_log_axes (GilkFigureKind kind,
                           gboolean      *can_x,
                           gboolean      *can_y)
{
  *can_y = kind != GILK_FIGURE_AUTOCORRELATION;
  *can_x = *can_y && gilk_selection_axis (kind) != GILK_SELECTION_TIME;
}

const char *
gilk_results_kind_title (GilkFigureKind kind)
{
  guint i = 0;

  while (kinds[i].kind != kind)
    i++;

  return _(kinds[i].name);
}

const char *
gilk_results_quantity_id (const char *field)
{
  return field != NULL ? field : HITS;
}

const char *
gilk_results_quantity_field (const char *id)
{
  return id != NULL && strcmp (id, HITS) != 0 ? g_intern_string (id) : NULL;
}

char *
gilk_results_name_run (const GilkStoredRun *run)
{
  g_autofree char *title = run->title != NULL ? gilk_text_sanitise (run->title) : NULL;

  return title != NULL && *title != '\0' ? g_strdup_printf (_("Run %ld: %s"), run->id, title) : g_strdup_printf (_("Run %ld"), run->id);
}

/* ---- getters of the current choice ---- */

GilkSessionRun *
gilk_results_run (GilkResultsChoice *self)
{
  if (self->session == NULL || self->run < 0 || self->run >= (int) self->session->runs->len)
    return NULL;

  return &g_array_index (self->session->runs, GilkSessionRun, self->run);
}

const GilkStoredHook *
gilk_results_hook (GilkResultsChoice *self)
{
  GilkSessionRun *run = gilk_results_run (self);

  if (run == NULL || self->hook < 0 || self->hook >= (int) run->hooks->len)
    return NULL;

  return &g_array_index (run->hooks, GilkStoredHook, self->hook);
}

const GilkStoredFunction *
gilk_results_function (GilkResultsChoice *self)
{
  GilkSessionRun *run = gilk_results_run (self);

  if (run == NULL || self->function < 0 || self->function >= (int) run->functions->len)
    return NULL;

  return &g_array_index (run->functions, GilkStoredFunction, self->function);
}

GilkSessionRun *
gilk_results_compared_run (GilkResultsChoice *self)
{
  if (self->compared == NULL || self->compared_run < 0 || self->compared_run >= (int) self->compared->runs->len)
    return NULL;

  return &g_array_index (self->compared->runs, GilkSessionRun, self->compared_run);
}

const GArray *
gilk_results_hook_fields (GilkResultsChoice *self)
{
  return g_ptr_array_index (gilk_results_run (self)->fields, (guint) self->hook);
}

gboolean
gilk_results_was_switched (const GilkSessionRun *run)
{
  for (guint i = 0; i < run->hooks->len; i++)
    if (g_array_index (run->hooks, GilkStoredHook, i).switched)
      return TRUE;

  return FALSE;
}

static gboolean
counts_only (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT);
}

GilkFigureKind
gilk_results_figure (GilkResultsChoice *self)
{
  GilkFigureKind kind = GILK_FIGURE_N_KINDS;

  if (gilk_results_hook (self) == NULL || self->view == NULL || !gilk_figure_kind_parse (self->view, &kind))
    return GILK_FIGURE_N_KINDS;

  return kind;
}

GilkResultsShown
gilk_results_shown (GilkResultsChoice *self)
{
  if (gilk_results_run (self) == NULL)
    return GILK_RESULTS_NOTHING;
  if (gilk_results_function (self) != NULL)
    return GILK_RESULTS_GRAPH;
  if (gilk_results_hook (self) == NULL)
    return GILK_RESULTS_OVERVIEW;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_strcmp0 (self->view, others[i].id) == 0)
      return others[i].shown;

  return GILK_RESULTS_FIGURE;
}

gboolean
gilk_results_is_map_histogram (GilkResultsChoice *self)
{
  const GilkStoredMapDecl *map = gilk_results_shown (self) != GILK_RESULTS_MAP || self->quantity == NULL ? NULL
    : gilk_session_find_map (gilk_results_run (self), gilk_results_hook (self), self->quantity);

  return map != NULL && map->kind == GILK_MAP_HISTOGRAM;
}

const char *
gilk_results_field (GilkResultsChoice *self)
{
  return gilk_results_figure (self) != GILK_FIGURE_N_KINDS ? gilk_results_quantity_field (self->quantity) : NULL;
}

const char *
gilk_results_default_field (GilkResultsChoice *self)
{
  const char *field = gilk_results_field (self), *selected = gilk_selection_field (self->selection);

  if (field != NULL)
    return field;
  if (selected != NULL && gilk_stored_field_find (gilk_results_hook_fields (self), selected) != NULL)
    return selected;

  return gilk_hook_has_elapsed (gilk_results_hook (self), gilk_results_run (self)->hooks) ? GILK_ELAPSED : "interval";
}

gboolean
gilk_results_can_split (GilkResultsChoice *self)
{
  GilkFigureKind kind = gilk_results_figure (self);

  return kind != GILK_FIGURE_N_KINDS && kind != GILK_FIGURE_HEAT && !counts_only (gilk_results_hook (self)) &&
         g_strcmp0 (self->quantity, GILK_ELAPSED) != 0 && gilk_results_compared_run (self) == NULL;
}

const char *
gilk_results_split (GilkResultsChoice *self)
{
  return *self->split != '\0' && gilk_results_can_split (self) ? self->split : NULL;
}

void
gilk_results_get_axes (GilkResultsChoice *self,
                       gboolean          *can_x,
                       gboolean          *can_y)
{
  GilkFigureKind kind = gilk_results_figure (self);

  if (kind != GILK_FIGURE_N_KINDS)
    gilk_results_get_log_axes (kind, can_x, can_y);
  else
    *can_x = *can_y = gilk_results_is_map_histogram (self);
}

gboolean
gilk_results_log_x (GilkResultsChoice *self)
{
  gboolean can_x, can_y;

  gilk_results_get_axes (self, &can_x, &can_y);

  return can_x && self->log_x;
}

gboolean
gilk_results_log_y (GilkResultsChoice *self)
{
  gboolean can_x, can_y;

  gilk_results_get_axes (self, &can_x, &can_y);

  return can_y && self->log_y;
}

const GilkStoredCost *
gilk_results_subtractable_cost (GilkResultsChoice *self)
{
  return gilk_results_figure (self) != GILK_FIGURE_N_KINDS && gilk_field_is_duration (self->quantity)
         ? gilk_costs_of (gilk_results_run (self)->costs, gilk_results_hook (self)) : NULL;
}

gboolean
gilk_results_subtracts_cost (GilkResultsChoice *self)
{
  return self->subtracts_cost && gilk_results_subtractable_cost (self) != NULL;
}

GilkFigureAsk
gilk_results_figure_ask (GilkResultsChoice *self)
{
  GilkFigureAsk ask = gilk_figure_ask (gilk_results_figure (self), gilk_results_field (self));

  ask.log_x = gilk_results_log_x (self);
  ask.log_y = gilk_results_log_y (self);
  gilk_selection_apply (self->selection, &ask);

  return ask;
}

/* Looks up the field in the chosen hook, or in any hook of the chosen graph. */
static const GilkStoredField *
find_field (GilkResultsChoice *self,
            const char        *name)
{
  const GilkSessionRun *run = gilk_results_run (self);
  const GilkStoredFunction *function = gilk_results_function (self);
  const GilkStoredField *field = NULL;

  if (function == NULL)
    return gilk_stored_field_find (gilk_results_hook_fields (self), name);
  for (guint i = 0; field == NULL && i < run->hooks->len; i++)
    if (g_strcmp0 (g_array_index (run->hooks, GilkStoredHook, i).function, function->name) == 0)
      field = gilk_stored_field_find (g_ptr_array_index (run->fields, i), name);

  return field;
}

const char *
gilk_results_unit (GilkResultsChoice *self,
                   const char        *field)
{
  const GilkStoredField *found = gilk_field_is_duration (field) ? NULL : find_field (self, field);

  return gilk_field_is_duration (field) ? "s" : found != NULL ? found->unit : NULL;
}

gboolean
gilk_results_has_range (GilkResultsChoice *self)
{
  GilkResultsShown shown = gilk_results_shown (self);

  return shown == GILK_RESULTS_GRAPH || shown == GILK_RESULTS_FIGURE || shown == GILK_RESULTS_GROUPS || shown == GILK_RESULTS_SAMPLES;
}

gboolean
gilk_results_range_applies (GilkResultsChoice *self,
                            const char        *field)
{
  return find_field (self, field) != NULL || strcmp (field, "interval") == 0;
}

char *
gilk_results_value_condition (GilkResultsChoice *self)
{
  return gilk_selection_condition (self->selection, gilk_results_hook_fields (self), NULL);
}

/* ---- finding the hooks of a figure ---- */

static const GilkStoredHook *
find_hook (const GilkSessionRun *run,
           const char           *label)
{
  for (guint i = 0; i < run->hooks->len; i++)
    if (strcmp (g_array_index (run->hooks, GilkStoredHook, i).label, label) == 0)
      return &g_array_index (run->hooks, GilkStoredHook, i);

  return NULL;
}

/* Adds a hook to draw to @picks. Its name contains the run if a hook of another run is overlaid. */
static void
add_pick (GilkResultsChoice    *self,
          GilkSessionPick      *picks,
          guint                *n,
          const GilkStoredHook *hook,
          const GilkStoredRun  *run)
{
  picks[(*n)++] = (GilkSessionPick) { hook, self->other_run != 0 ? gilk_plot_name_in_run (hook, run) : g_strdup (hook->label) };
}

guint
gilk_results_hooks (GilkResultsChoice *self,
                    GilkSessionPick   *picks,
                    guint              room)
{
  GilkSessionRun *run = gilk_results_run (self);
  const char *label = gilk_results_hook (self)->label;
  guint n = 0;

  add_pick (self, picks, &n, gilk_results_hook (self), &run->run);
  for (guint i = 0; i < self->overlaid->len && n < room; i++)
    add_pick (self, picks, &n, &g_array_index (run->hooks, GilkStoredHook, g_array_index (self->overlaid, int, i)), &run->run);
  for (guint r = 0; self->other_run != 0 && r < self->session->runs->len; r++)
    {
      const GilkSessionRun *one = &g_array_index (self->session->runs, GilkSessionRun, r);

      for (guint i = 0; one->run.id == self->other_run && i < one->hooks->len && n < room; i++)
        if (strcmp (g_array_index (one->hooks, GilkStoredHook, i).label, label) == 0)
          add_pick (self, picks, &n, &g_array_index (one->hooks, GilkStoredHook, i), &one->run);
    }

  return n;
}

guint
gilk_results_compared_hooks (GilkResultsChoice *self,
                             GilkSessionPick   *picks,
                             guint              room)
{
  const GilkSessionRun *run = gilk_results_compared_run (self);
  GilkSessionPick here[GILK_RESULTS_HOOKS_MAX];
  guint n = 0, chosen = run != NULL ? gilk_results_hooks (self, here, GILK_RESULTS_HOOKS_MAX) : 0;
  g_autofree char *file = run != NULL ? gilk_results_file_name (self, self->compared) : NULL;

  for (guint i = 0; i < chosen && n < room; i++)
    {
      const GilkStoredHook *hook = here[i].hook->run == here[0].hook->run ? find_hook (run, here[i].hook->label) : NULL;

      if (hook != NULL)
        picks[n++] = (GilkSessionPick) { hook, g_strdup_printf ("%s, %s", hook->label, file) };
    }
  gilk_results_hooks_clear (here, chosen);

  return n;
}

void
gilk_results_hooks_clear (GilkSessionPick *picks,
                          guint            n)
{
  for (guint i = 0; i < n; i++)
    g_free ((char *) picks[i].name);
}

char *
gilk_results_file_name (GilkResultsChoice *self,
                        const GilkSession *session)
{
  g_autofree char *here = g_path_get_basename (self->session->path), *there = g_path_get_basename (self->compared->path);
  g_autofree char *folder = g_path_get_dirname (session->path), *above = g_path_get_basename (folder);
  g_autofree char *name = g_path_get_basename (session->path);

  return strcmp (here, there) == 0 && strcmp (self->session->path, self->compared->path) != 0
         ? g_build_filename (above, name, NULL) : g_steal_pointer (&name);
}

/* ---- listing the available choices ---- */

static void
add_other_view (GilkResultsShown      shown,
                GilkResultsOptionFunc each,
                gpointer              user_data)
{
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].shown == shown)
      each (others[i].id, _(others[i].name), user_data);
}

void
gilk_results_foreach_view (GilkResultsChoice    *self,
                           GilkResultsOptionFunc each,
                           gpointer              user_data)
{
  const GilkStoredHook *hook = gilk_results_hook (self);

  if (gilk_stored_hook_is_watchpoint (hook))
    add_other_view (GILK_RESULTS_ACCESSES, each, user_data);
  if (gilk_session_find_map (gilk_results_run (self), hook, NULL) != NULL)
    add_other_view (GILK_RESULTS_MAP, each, user_data);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (!counts_only (hook) || kinds[i].kind == GILK_FIGURE_RATE)
      each (gilk_figure_kind_name (kinds[i].kind), _(kinds[i].name), user_data);
  if (gilk_results_hook_fields (self)->len > 0)
    add_other_view (GILK_RESULTS_GROUPS, each, user_data);
  if (!counts_only (hook))
    add_other_view (GILK_RESULTS_SAMPLES, each, user_data);
}

static void
count_option (const char *id,
              const char *name,
              gpointer    user_data)
{
  (*(guint *) user_data)++;
}

gboolean
gilk_results_has_several_views (GilkResultsChoice *self)
{
  guint n = 0;

  gilk_results_foreach_view (self, count_option, &n);

  return n > 1;
}

/* Returns whether figures of this kind make sense only for quantities, and not for identifiers such
 * as process ids. */
static gboolean
has_amounts_axis (GilkFigureKind kind)
{
  return kind != GILK_FIGURE_SERIES && kind != GILK_FIGURE_HEAT;
}

static void
foreach_map (GilkResultsChoice    *self,
             GilkResultsOptionFunc each,
             gpointer              user_data)
{
  const GArray *maps = gilk_results_run (self)->maps;

  for (guint i = 0; i < maps->len; i++)
    {
      const GilkStoredMapDecl *map = &g_array_index (maps, GilkStoredMapDecl, i);

      if (map->hook == gilk_results_hook (self)->id)
        each (map->name, map->name, user_data);
    }
}

void
gilk_results_foreach_quantity (GilkResultsChoice    *self,
                               GilkFigureKind        kind,
                               GilkResultsOptionFunc each,
                               gpointer              user_data)
{
  const GArray *fields = gilk_results_hook_fields (self);
  gboolean bars = kind == GILK_FIGURE_N_KINDS;

  if (bars && gilk_results_shown (self) == GILK_RESULTS_MAP)
    {
      foreach_map (self, each, user_data);
      return;
    }
  if (kind == GILK_FIGURE_RATE || gilk_selection_axis (kind) == GILK_SELECTION_ZOOM_ONLY)
    each (HITS, _("Hits"), user_data);
  if (kind == GILK_FIGURE_RATE)
    return;
  if (!bars && gilk_hook_has_elapsed (gilk_results_hook (self), gilk_results_run (self)->hooks))
    each (GILK_ELAPSED, _("Call duration"), user_data);
  if (!bars)
    each ("interval", _("Time between hits"), user_data);
  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      if (bars || (field->type != ILK_FIELD_TEXT && !(has_amounts_axis (kind) && gilk_stored_field_is_name (field))))
        each (field->name, field->name, user_data);
    }
}

void
gilk_results_foreach_split (GilkResultsChoice    *self,
                            GilkResultsOptionFunc each,
                            gpointer              user_data)
{
  const GArray *fields = gilk_results_hook_fields (self);

  each ("", _("nothing"), user_data);
  each ("cpu", _("CPU"), user_data);
  for (guint i = 0; i < fields->len; i++)
    each (g_array_index (fields, GilkStoredField, i).name, g_array_index (fields, GilkStoredField, i).name, user_data);
}

void
gilk_results_foreach_other_run (GilkResultsChoice    *self,
                                GilkResultsOptionFunc each,
                                gpointer              user_data)
{
  const GilkStoredHook *hook = gilk_results_hook (self);

  each ("0", _("no other run"), user_data);
  for (guint i = 0; i < self->session->runs->len; i++)
    {
      const GilkSessionRun *run = &g_array_index (self->session->runs, GilkSessionRun, i);
      g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, run->run.id);
      g_autofree char *text = gilk_results_name_run (&run->run);

      if (run->run.id != hook->run && find_hook (run, hook->label) != NULL)
        each (id, text, user_data);
    }
}

/* ---- choosing another option if the hook lacks the chosen one ---- */

typedef struct {
  const char *wanted;              /* (nullable) */
  const char *first;               /* first available option, interned; NULL: none */
  gboolean    found;
} Fitting;

static void
fit_option (const char *id,
            const char *name,
            gpointer    user_data)
{
  Fitting *fitting = user_data;

  fitting->found = fitting->found || g_strcmp0 (id, fitting->wanted) == 0;
  if (fitting->first == NULL)
    fitting->first = g_intern_string (id);
}

static const char *
get_fitted (const Fitting *fitting)
{
  return fitting->found ? g_intern_string (fitting->wanted) : fitting->first;
}

/* Keeps the chosen view if the hook has it, else chooses the first one that the hook has. When the
 * user chooses another hook after one that only counts and so has a single view, restores the view
 * chosen before. */
static void
fit_view (GilkResultsChoice *self)
{
  gboolean only = counts_only (gilk_results_hook (self));
  Fitting fitting = { self->view, NULL, FALSE };

  if (only && self->view_before == NULL)
    self->view_before = self->view != NULL ? self->view : "";
  else if (!only && self->view_before != NULL)
    fitting.wanted = g_steal_pointer (&self->view_before);
  gilk_results_foreach_view (self, fit_option, &fitting);
  self->view = get_fitted (&fitting);
}

/* Sets default axes when the view changes; otherwise the axes stay. */
static void
fit_axes (GilkResultsChoice *self)
{
  if (self->axes_of == self->view)
    return;
  self->axes_of = self->view;
  gilk_results_get_default_axes (gilk_results_figure (self), &self->log_x, &self->log_y);
  if (gilk_results_shown (self) == GILK_RESULTS_MAP)
    {
      self->log_x = TRUE;
      self->log_y = FALSE;
    }
}

static void
fit (GilkResultsChoice *self)
{
  g_autofree char *other_run = g_strdup_printf ("%" G_GINT64_FORMAT, self->other_run);
  Fitting quantity = { self->quantity, NULL, FALSE }, split = { self->split, NULL, FALSE }, other = { other_run, NULL, FALSE };

  if (gilk_results_hook (self) == NULL)
    return;
  fit_view (self);
  gilk_results_foreach_quantity (self, gilk_results_figure (self), fit_option, &quantity);
  self->quantity = get_fitted (&quantity);
  gilk_results_foreach_split (self, fit_option, &split);
  self->split = get_fitted (&split);
  gilk_results_foreach_other_run (self, fit_option, &other);
  if (!other.found)
    self->other_run = 0;
  fit_axes (self);
}

void
gilk_results_choice_changed (GilkResultsChoice *self)
{
  gilk_selection_reset_zoom_only (self->selection);
  fit (self);
  g_signal_emit_by_name (self, "changed", FALSE);
}

void
gilk_results_choice_range_changed (GilkResultsChoice *self)
{
  g_signal_emit_by_name (self, "changed", TRUE);
}

void
gilk_results_choice_set_figure (GilkResultsChoice *self,
                                GilkFigureKind     kind,
                                const char        *field,
                                gboolean           log_x,
                                gboolean           log_y)
{
  self->view = self->axes_of = g_intern_string (gilk_figure_kind_name (kind));
  self->quantity = g_intern_string (gilk_results_quantity_id (field));
  self->log_x = log_x;
  self->log_y = log_y;
  gilk_results_choice_changed (self);
}

void
gilk_results_choice_set_session (GilkResultsChoice *self,
                                 GilkSession       *session)
{
  g_clear_pointer (&self->session, gilk_session_free);
  self->session = session;
  self->run = self->hook = self->function = -1;
  g_array_set_size (self->overlaid, 0);
}

void
gilk_results_choice_set_compared (GilkResultsChoice *self,
                                  GilkSession       *session)
{
  g_clear_pointer (&self->compared, gilk_session_free);
  self->compared = session;
  self->compared_run = 0;
}

/* ---- GObject life cycle ---- */

GilkResultsChoice *
gilk_results_choice_new (void)
{
  return g_object_new (GILK_TYPE_RESULTS_CHOICE, NULL);
}

static void
gilk_results_choice_finalize (GObject *object)
{
  GilkResultsChoice *self = GILK_RESULTS_CHOICE (object);

  g_clear_pointer (&self->session, gilk_session_free);
  g_clear_pointer (&self->compared, gilk_session_free);
  gilk_selection_free (self->selection);
  g_array_unref (self->overlaid);
  G_OBJECT_CLASS (gilk_results_choice_parent_class)->finalize (object);
}

static void
gilk_results_choice_class_init (GilkResultsChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_results_choice_finalize;
  gilk_add_signal (klass, "changed", 1, G_TYPE_BOOLEAN);
}

static void
gilk_results_choice_init (GilkResultsChoice *self)
{
  self->run = self->hook = self->function = -1;
  self->overlaid = g_array_new (FALSE, FALSE, sizeof (int));
  self->split = "";
  self->log_x = TRUE;
  self->selection = gilk_selection_new ();
}
