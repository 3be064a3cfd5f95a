/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compared-rows.c - formats the results of a comparison as rows
 */
#include "core/analysis/gilk-compared-rows.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/gilk-format.h"

static void
free_row (gpointer data)
{
  GilkComparedRow *row = data;

  g_free (row->name);
  g_free (row->a_text);
  g_free (row->b_text);
  g_free (row->difference_text);
  g_free (row->low);
  g_free (row->high);
  g_free (row->share);
  g_free (row->explanation);
  g_free (row);
}

char *
gilk_format_change (double of,
                    double difference,
                    double half)
{
  double share = 100.0 * difference / fabs (of);

  if (!isfinite (share))
    return g_strdup ("");
  if (isnan (half))
    return g_strdup_printf ("%s%.1f %%", share < 0 ? "−" : "+", fabs (share));

  return g_strdup_printf ("%s%.1f %% ±%.1f", share < 0 ? "−" : "+", fabs (share), 100.0 * half / fabs (of));
}

/* @bounded: whether an interval was computed; if the values do not support one, its bounds are NaN */
static GilkComparedRow *
make_row (char *name, double a, double b, const GilkInterval *difference, const char *unit, int digits, gboolean bounded)
{
  gboolean known = bounded && !isnan (difference->low);
  GilkComparedRow *row = g_new0 (GilkComparedRow, 1);

  row->name = name;
  row->a = a;
  row->b = b;
  row->difference = *difference;
  row->a_text = gilk_format_si (a, unit, digits);
  row->b_text = gilk_format_si (b, unit, digits);
  row->difference_text = gilk_format_signed (difference->value, unit, digits);
  row->low = known ? gilk_format_signed (difference->low, unit, digits) : g_strdup (bounded ? "-" : "");
  row->high = known ? gilk_format_signed (difference->high, unit, digits) : g_strdup (bounded ? "-" : "");
  row->share = gilk_format_change (a, difference->value, known ? 0.5 * (difference->high - difference->low) : NAN);

  return row;
}

/* @runs: total number of runs on both sides. (transfer full) */
static char *
explain_interval (const GilkComparedRow *row, guint runs)
{
  if (isnan (row->difference.low))
    return g_strdup (_("Too few independent values for a confidence interval"));

  return g_strdup_printf (runs > 2 ? _("95 %% confidence interval: %s to %s")
                                   : _("95 %% confidence interval within these two runs: %s to %s"), row->low, row->high);
}

GPtrArray *
gilk_compared_rows (const GilkHookCompared *found,
                    const double           *at,
                    guint                   n_at,
                    const char             *unit,
                    int                     digits)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (free_row);
  const GilkInterval of_means = { .value = found->mean[1] - found->mean[0], .low = NAN, .high = NAN };

  for (guint i = 0; i < n_at; i++)
    {
      char *name = at[i] == 0.5 ? g_strdup (_("Median")) : g_strdup_printf ("p%.4g", 100.0 * at[i]);
      GilkComparedRow *row = make_row (name, found->found.a[i], found->found.b[i], &found->found.differences[i], unit, digits,
                                       TRUE);

      row->explanation = explain_interval (row, found->runs[0] + found->runs[1]);
      g_ptr_array_add (rows, row);
    }
  g_ptr_array_add (rows, make_row (g_strdup (_("Mean")), found->mean[0], found->mean[1], &of_means, unit, digits, FALSE));

  return rows;
}
