/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-waiting.c - samples are being read: how far that is, and how to end it
 */
#include "gui/gilk-results-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define WAITING_MS 100              /* what takes longer says so, and how far it is */
#define PASSES     2                /* of a histogram: all is read as often, or once more */

static void
say_how_far (GilkResultsView *self)
{
  gsize read = self->reading != NULL ? (gsize) g_atomic_pointer_get (self->reading) : 0;
  guint percent = self->to_read > 0 ? (guint) MIN (100.0 * (double) read / (double) self->to_read, 99.0) : 0;
  g_autofree char *text = percent > 0 ? g_strdup_printf (_("Reading samples… %u %%"), percent) : g_strdup (_("Reading samples…"));

  if (g_strcmp0 (gtk_label_get_text (self->waiting_label), text) != 0)
    gtk_label_set_text (self->waiting_label, text);
}

static gboolean
show_waiting (gpointer user_data)
{
  GilkResultsView *self = user_data;

  say_how_far (self);
  if (!gtk_widget_get_visible (self->waiting))
    {
      gtk_widget_show (self->waiting);
      gtk_spinner_start (self->waiting_spinner);
    }

  return G_SOURCE_CONTINUE;
}

static void
wait_at (GilkResultsView *self,
         GtkAlign         halign,
         GtkAlign         valign)
{
  gtk_widget_set_halign (self->waiting, halign);
  gtk_widget_set_valign (self->waiting, valign);
  self->waiting_timer = g_timeout_add (WAITING_MS, show_waiting, self);
}

static void
drop_reading (GilkResultsView *self)
{
  if (self->reading != NULL)
    g_atomic_rc_box_release (self->reading);
  self->reading = NULL;
  self->to_read = 0;
}

GCancellable *
gilk_results_begin_waiting (GilkResultsView *self)
{
  gilk_results_stop_waiting (self, TRUE);
  drop_reading (self);
  wait_at (self, GTK_ALIGN_CENTER, GTK_ALIGN_CENTER);
  self->plotting = g_cancellable_new ();

  return self->plotting;
}

/* In the corner beside the caption: what is there may be looked at. */
void
gilk_results_wait_on (GilkResultsView *self)
{
  g_clear_handle_id (&self->waiting_timer, g_source_remove);
  wait_at (self, GTK_ALIGN_END, GTK_ALIGN_END);
}

gsize *
gilk_results_reading (GilkResultsView       *self,
                      const GilkFigureAsk   *ask,
                      const GilkSessionPick *picks,
                      guint                  n)
{
  double duration = gilk_results_run (self)->run.duration, all = 0.0, part = 1.0;

  for (guint i = 0; i < n; i++)
    all += (double) picks[i].hook->stored;
  if (duration > 0.0 && (!isnan (ask->from) || !isnan (ask->to)))
    part = CLAMP (((isnan (ask->to) ? duration : ask->to) - (isnan (ask->from) ? 0.0 : ask->from)) / duration, 0.0, 1.0);
  if (ask->kind == GILK_FIGURE_HISTOGRAM && n == 1)
    all *= PASSES;
  drop_reading (self);
  self->reading = g_atomic_rc_box_new0 (gsize);
  self->to_read = gilk_results_split (self) == NULL ? (uint64_t) (all * part) : 0;   /* else once for each part */

  return self->reading;
}

void
gilk_results_stop_waiting (GilkResultsView *self,
                           gboolean         cancel)
{
  g_clear_handle_id (&self->waiting_timer, g_source_remove);
  gtk_spinner_stop (self->waiting_spinner);
  gtk_widget_hide (self->waiting);
  if (!cancel)
    return;
  drop_reading (self);
  if (self->plotting != NULL)
    g_cancellable_cancel (self->plotting);
  g_clear_object (&self->plotting);
}
