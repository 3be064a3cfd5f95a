/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-data.c - the content of a plot: a figure, bars, or a message that explains why there is
 * neither
 */
#include "gui/plot/gilk-plot-data.h"

#include "core/plot/gilk-plot-name.h"

GilkPlotData *
gilk_plot_data_new (void)
{
  GilkPlotData *data = g_atomic_rc_box_new0 (GilkPlotData);

  data->bars = gilk_group_bars_new ();

  return data;
}

static void
data_clear (gpointer user_data)
{
  GilkPlotData *data = user_data;

  g_clear_pointer (&data->figure, gilk_figure_free);
  g_clear_pointer (&data->compared, gilk_figure_compared_free);
  g_clear_pointer (&data->comparison, gilk_plot_data_free);
  g_array_unref (data->bars);
  g_clear_pointer (&data->comparison_bars, g_array_unref);
  g_free (data->title);
  g_free (data->subtitle);
  g_free (data->loss_note);
  g_free (data->message);
}

GilkPlotData *
gilk_plot_data_ref (GilkPlotData *data)
{
  return g_atomic_rc_box_acquire (data);
}

void
gilk_plot_data_free (GilkPlotData *data)
{
  g_atomic_rc_box_release_full (data, data_clear);
}

void
gilk_plot_data_add_bar (GilkPlotData *data,
                        const char   *label,
                        double        value,
                        const char   *note)
{
  GilkBar bar = { .label = g_strdup (label), .value = value, .note = g_strdup (note) };

  g_array_append_val (data->bars, bar);
}
