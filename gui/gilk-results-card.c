/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-card.c - one of the smaller plots of the page: what it shows, made with a task of its own
 */
#include "gui/gilk-results-card.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "gui/gilk-text.h"

const GilkFigureKind gilk_results_card_kinds[] = {
  GILK_FIGURE_SERIES, GILK_FIGURE_SPECTRUM, GILK_FIGURE_HISTOGRAM, GILK_FIGURE_RATE, GILK_FIGURE_ECDF, GILK_FIGURE_HEAT,
  GILK_FIGURE_AUTOCORRELATION, GILK_FIGURE_N_KINDS,
};

/* ---- what a card shows ---- */

const char *
gilk_results_card_field (GilkResultsView *self)
{
  const char *field = gilk_results_field (self), *looked_at = gilk_look_field (self->look);
  const GArray *fields = gilk_results_fields (self);

  if (field != NULL)
    return field;
  for (guint i = 0; looked_at != NULL && i < fields->len; i++)
    if (strcmp (g_array_index (fields, GilkStoredField, i).name, looked_at) == 0)
      return looked_at;

  return "interval";
}

/* A mean of names is nothing. */
const char *
gilk_results_card_field_of (GilkResultsCard *card)
{
  const char *field = gilk_results_card_field (card->view);
  const GArray *fields = gilk_results_fields (card->view);
  GilkFigureKind kind = card->kind;

  if (kind == GILK_FIGURE_RATE || gilk_look_axis (kind) == GILK_LOOK_CLOSER)
    return NULL;
  for (guint i = 0; (kind == GILK_FIGURE_HISTOGRAM || kind == GILK_FIGURE_ECDF) && i < fields->len; i++)
    if (strcmp (g_array_index (fields, GilkStoredField, i).name, field) == 0 &&
        gilk_stored_field_is_name (&g_array_index (fields, GilkStoredField, i)))
      return "interval";

  return field;
}

static GilkFigureAsk
ask_for (GilkResultsCard *card)
{
  GilkFigureAsk ask = gilk_figure_ask (card->kind, gilk_results_card_field_of (card));

  gilk_results_suit_axes (card->kind, &ask.log_x, &ask.log_y);
  gilk_plot_view_pixels (card->plot, &ask.columns, &ask.rows);
  gilk_look_narrow (card->view->look, &ask);

  return ask;
}

/* (transfer full) */
static char *
make_key (GilkResultsCard       *card,
          const GilkFigureAsk   *ask,
          const GilkSessionPick *picks,
          guint                  n)
{
  const char *split = gilk_results_split (card->view);
  GString *key = g_string_new (NULL);

  g_string_printf (key, "card %u %u %s %ux%u %.17g %.17g %.17g %.17g %s %d", card->index, ask->kind,
                   ask->field != NULL ? ask->field : "", ask->columns, ask->rows, ask->from, ask->to, ask->low, ask->high,
                   split != NULL ? split : "", gilk_results_subtract (card->view));
  for (guint i = 0; i < n; i++)
    g_string_append_printf (key, " %" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, picks[i].hook->run, picks[i].hook->id);

  return g_string_free (key, FALSE);
}

/* ---- making and taking ---- */

void
gilk_results_card_stop (GilkResultsCard *card)
{
  if (card->making != NULL)
    g_cancellable_cancel (card->making);
  g_clear_object (&card->making);
  g_clear_pointer (&card->key, g_free);
}

void
gilk_results_card_say (GilkResultsCard *card,
                       const char      *message)
{
  GilkPlotData *plot = gilk_plot_data_new ();

  plot->message = g_strdup (message);
  gilk_plot_view_take_data (card->plot, plot, TRUE);
}

static void
show_mark (GilkResultsCard *card)
{
  GilkLookAxis axis = gilk_look_axis (card->kind);
  GilkLookSpan mark = gilk_look_marked (card->view->look, axis, gilk_results_card_field_of (card));

  gilk_plot_view_set_marks (card->plot, axis != GILK_LOOK_CLOSER);
  gilk_plot_view_set_mark (card->plot, mark.from, mark.to);
}

/* (transfer full) */
static char *
axis_of (GilkResultsCard *card)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %u %s", gilk_results_hook (card->view)->id, card->kind,
                          gilk_results_card_field_of (card));
}

static char *
span_words (const GilkLookSpan *span,
            const char         *unit)
{
  g_autofree char *from = gilk_format_si (span->from, unit, 3), *to = gilk_format_si (span->to, unit, 3);

  return g_strdup_printf (_("%s to %s"), from, to);
}

/* What is said of it is what others have marked, if anything is. (transfer full) (nullable) */
static char *
narrowed_words (GilkResultsCard *card,
                GilkFigure      *figure)
{
  GilkLookAxis axis = gilk_look_axis (card->kind);
  GilkLookSpan time = gilk_look_time (card->view->look), values = gilk_look_values (card->view->look, gilk_results_card_field_of (card));
  g_autofree char *when = NULL, *which = NULL, *count = gilk_text_count (figure->samples);

  if (axis != GILK_LOOK_TIME && gilk_look_is_set (&time))
    when = span_words (&time, "s");
  if (axis != GILK_LOOK_VALUES && gilk_look_is_set (&values))
    which = span_words (&values, figure->y.unit);
  if (when == NULL && which == NULL)
    return NULL;

  return g_strdup_printf (_("only %s%s%s: %s samples"), when != NULL ? when : "", when != NULL && which != NULL ? ", " : "",
                          which != NULL ? which : "", count);
}

static void
take (GilkResultsCard *card,
      GilkPlotData    *plot)
{
  GilkLookAxis axis = gilk_look_axis (card->kind);
  GilkLookSpan seen = gilk_look_seen (card->view->look, axis, gilk_results_card_field_of (card));
  g_autofree char *now = axis_of (card);
  gboolean whole = axis == GILK_LOOK_CLOSER || !gilk_look_is_set (&seen) || g_strcmp0 (now, card->axis) != 0;

  gilk_plot_view_take_data (card->plot, plot, whole);
  if (axis == GILK_LOOK_TIME && gilk_look_is_set (&seen))
    gilk_plot_view_set_whole (card->plot, 0.0, gilk_results_run (card->view)->run.duration);
  g_free (card->axis);
  card->axis = g_steal_pointer (&now);
  show_mark (card);
}

static GilkResultsCard *
card_of (GilkResultsView *self,
         GCancellable    *making)
{
  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    if (self->cards[i] != NULL && self->cards[i]->making == making)
      return self->cards[i];

  return NULL;
}

/* (transfer full) */
static GilkPlotData *
new_plot (GilkResultsCard *card,
          GilkFigure      *figure)
{
  GilkPlotData *plot = gilk_plot_data_new ();
  g_autofree char *words = narrowed_words (card, figure);

  if (words != NULL)
    {
      g_free (figure->subtitle);
      figure->subtitle = g_steal_pointer (&words);
    }
  plot->figure = figure;

  return plot;
}

static void
figure_soon (GCancellable *cancellable,
             GilkFigure   *figure,
             gpointer      user_data)
{
  GilkResultsView *self = user_data;
  GilkResultsCard *card = card_of (self, cancellable);

  if (card == NULL || gilk_results_hook (self) == NULL)
    gilk_figure_free (figure);
  else
    take (card, new_plot (card, figure));
}

static void
figure_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkFigure) figure = gilk_session_figure_finish (result, &error);
  GilkResultsCard *card = card_of (self, g_task_get_cancellable (G_TASK (result)));
  GilkPlotData *plot;

  if (card == NULL || gilk_results_hook (self) == NULL || (figure == NULL && gilk_results_is_cancelled (error)))
    return;
  if (figure == NULL)
    {
      g_clear_pointer (&card->key, g_free);
      gilk_results_card_say (card, error->message);
      return;
    }
  plot = new_plot (card, g_steal_pointer (&figure));
  gilk_plot_shelf_put (self->shelf, card->key, plot);
  take (card, plot);
}

static void
make (GilkResultsCard       *card,
      const GilkFigureAsk   *ask,
      const GilkSessionPick *picks,
      guint                  n)
{
  GilkResultsView *self = card->view;
  g_autofree char *axis = axis_of (card);
  gboolean interval = g_strcmp0 (ask->field, "interval") == 0;

  if (g_strcmp0 (axis, card->axis) != 0)
    gilk_results_card_say (card, _("Reading samples…"));
  card->making = g_cancellable_new ();
  gilk_session_figure_async (self->session, ask, picks, n, n == 1 && ask->kind != GILK_FIGURE_HEAT ? gilk_results_split (self) : NULL,
                             interval && gilk_results_subtract (self), card->making, figure_soon, figure_cb, g_object_ref (self));
}

/* A plot that has no size yet is made once it has one. */
void
gilk_results_card_draw (GilkResultsCard *card)
{
  GilkResultsView *self = card->view;
  GilkSessionPick picks[GILK_RESULTS_PICKS_MAX];
  GilkFigureAsk ask = ask_for (card);
  guint all, n;
  g_autofree char *key = NULL;
  GilkPlotData *before;

  if (gtk_widget_get_allocated_width (GTK_WIDGET (card->plot)) <= 1)
    return;
  all = gilk_results_picks (self, picks, GILK_RESULTS_PICKS_MAX);
  n = card->kind == GILK_FIGURE_HEAT ? 1 : all;
  key = make_key (card, &ask, picks, n);
  if (g_strcmp0 (key, card->key) != 0)
    {
      gilk_results_card_stop (card);
      card->key = g_strdup (key);
      before = gilk_plot_shelf_get (self->shelf, key);
      if (before != NULL)
        take (card, before);
      else
        make (card, &ask, picks, n);
    }
  else if (card->making == NULL || gilk_plot_view_has_plot (card->plot))
    show_mark (card);
  gilk_results_picks_clear (picks, all);
}

/* ---- which it is ---- */

static gboolean
is_taken (GilkResultsView *self,
          guint            index,
          GilkFigureKind   kind)
{
  GilkFigureKind first;

  if (gilk_results_kind (self, &first) && first == kind)
    return TRUE;
  for (guint i = 0; i < index; i++)
    if (self->cards[i]->kind == kind)
      return TRUE;

  return FALSE;
}

void
gilk_results_card_choose (GilkResultsCard *card)
{
  if (!gilk_figure_kind_parse (card->wish, &card->kind))
    card->kind = GILK_FIGURE_N_KINDS;
  for (guint i = 0; card->kind != GILK_FIGURE_N_KINDS && is_taken (card->view, card->index, card->kind); i++)
    card->kind = gilk_results_card_kinds[i];
  g_simple_action_set_state (card->kinds, g_variant_new_string (card->kind == GILK_FIGURE_N_KINDS
                                                                ? GILK_RESULTS_CARD_NONE : gilk_figure_kind_name (card->kind)));
}
