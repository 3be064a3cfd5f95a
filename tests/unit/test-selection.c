/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-selection.c - checks how a time range and one selection per field affect each plot's
 * range, description and filter
 */
#include <math.h>

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/figure/gilk-selection.h"

#define LATER 10000000             /* microseconds between two changes of the zoom: enough to make
                                      the second a new step */

static void
assert_span (GilkSelectionRange span, double from, double to)
{
  if (isnan (from))
    g_assert_false (gilk_selection_is_set (&span));
  else
    {
      g_assert_cmpfloat_with_epsilon (span.from, from, 1e-9);
      g_assert_cmpfloat_with_epsilon (span.to, to, 1e-9);
    }
}

/* Checks the time range and value range that the selection gives to a plot of @kind and @field. */
static void
assert_asked (const GilkSelection *look, GilkFigureKind kind, const char *field, GilkSelectionRange time, GilkSelectionRange values)
{
  GilkFigureAsk ask = gilk_figure_ask (kind, field);

  gilk_selection_apply (look, &ask);
  assert_span ((GilkSelectionRange) { ask.from, ask.to }, time.from, time.to);
  assert_span ((GilkSelectionRange) { ask.low, ask.high }, values.from, values.to);
}

static const GilkSelectionRange all = { NAN, NAN };

static void
test_mark_narrows_others (void)
{
  g_autoptr(GilkSelection) look = gilk_selection_new ();

  gilk_selection_mark (look, GILK_SELECTION_VALUES, "took", 8.0, 112.0);
  assert_asked (look, GILK_FIGURE_HISTOGRAM, "took", all, all);
  assert_asked (look, GILK_FIGURE_SERIES, "took", all, (GilkSelectionRange) { 8.0, 112.0 });
  assert_asked (look, GILK_FIGURE_SERIES, "size", all, all);
  assert_asked (look, GILK_FIGURE_RATE, NULL, all, all);
  gilk_selection_mark (look, GILK_SELECTION_TIME, NULL, 2.0, 3.0);
  assert_asked (look, GILK_FIGURE_HISTOGRAM, "took", (GilkSelectionRange) { 2.0, 3.0 }, all);
  assert_asked (look, GILK_FIGURE_SPECTRUM, NULL, (GilkSelectionRange) { 2.0, 3.0 }, all);
  assert_asked (look, GILK_FIGURE_SERIES, "took", all, (GilkSelectionRange) { 8.0, 112.0 });
}

static void
test_zoom_holds_the_mark (void)
{
  g_autoptr(GilkSelection) look = gilk_selection_new ();

  gilk_selection_zoom (look, GILK_SELECTION_TIME, NULL, 1.0, 9.0, LATER);
  gilk_selection_mark (look, GILK_SELECTION_TIME, NULL, 2.0, 3.0);
  assert_span (gilk_selection_zoomed (look, GILK_SELECTION_TIME, NULL), 1.0, 9.0);
  assert_span (gilk_selection_time (look), 2.0, 3.0);
  assert_asked (look, GILK_FIGURE_RATE, NULL, (GilkSelectionRange) { 1.0, 9.0 }, all);
  assert_asked (look, GILK_FIGURE_ECDF, "took", (GilkSelectionRange) { 2.0, 3.0 }, all);
  g_assert_true (gilk_selection_zoom_to_mark (look, GILK_SELECTION_TIME, NULL));
  assert_asked (look, GILK_FIGURE_RATE, NULL, (GilkSelectionRange) { 2.0, 3.0 }, all);
  g_assert_false (gilk_selection_zoom_to_mark (look, GILK_SELECTION_TIME, NULL));
  gilk_selection_clear (look, GILK_SELECTION_TIME, NULL);
  g_assert_true (gilk_selection_is_empty (look));
}

static void
test_back (void)
{
  g_autoptr(GilkSelection) look = gilk_selection_new ();

  gilk_selection_zoom (look, GILK_SELECTION_TIME, NULL, 1.0, 9.0, LATER);
  gilk_selection_zoom (look, GILK_SELECTION_TIME, NULL, 2.0, 8.0, LATER + 1000);
  gilk_selection_zoom (look, GILK_SELECTION_TIME, NULL, 3.0, 7.0, 2 * LATER);
  gilk_selection_mark (look, GILK_SELECTION_VALUES, "took", 8.0, 112.0);
  gilk_selection_mark (look, GILK_SELECTION_VALUES, "size", 1.0, 2.0);
  assert_span (gilk_selection_values (look, "took"), 8.0, 112.0);
  assert_span (gilk_selection_values (look, "size"), 1.0, 2.0);
  g_assert_true (gilk_selection_undo (look));
  assert_span (gilk_selection_values (look, "size"), NAN, NAN);
  assert_span (gilk_selection_values (look, "took"), 8.0, 112.0);
  g_assert_true (gilk_selection_undo (look));
  assert_span (gilk_selection_zoomed (look, GILK_SELECTION_TIME, NULL), 3.0, 7.0);
  g_assert_true (gilk_selection_undo (look));
  assert_span (gilk_selection_zoomed (look, GILK_SELECTION_TIME, NULL), 2.0, 8.0);
  g_assert_true (gilk_selection_undo (look));
  g_assert_true (gilk_selection_is_empty (look));
  g_assert_false (gilk_selection_undo (look));
}

/* Tests that samples that lack a field cannot be selected by this field, and that a selection of
 * call durations needs no field of the samples. */
static void
test_told (void)
{
  GilkStoredField known[] = { { .name = "took" } };
  g_autoptr(GArray) fields = g_array_new (FALSE, TRUE, sizeof (GilkStoredField)), none = g_array_new (FALSE, TRUE, sizeof (GilkStoredField));
  g_autoptr(GilkSelection) look = gilk_selection_new ();

  g_array_append_vals (fields, known, 1);
  gilk_selection_mark (look, GILK_SELECTION_TIME, NULL, 2.0, 3.0);
  gilk_selection_mark (look, GILK_SELECTION_VALUES, "interval", 0.1, 0.2);
  gilk_selection_mark (look, GILK_SELECTION_VALUES, GILK_ELAPSED, 0.1, 0.2);
  g_assert_true (gilk_selection_is_testable (look, none));
  gilk_selection_mark (look, GILK_SELECTION_VALUES, "took", 8.0, 112.0);
  g_assert_true (gilk_selection_is_testable (look, fields));
  g_assert_false (gilk_selection_is_testable (look, none));
}

/* Checks the conditions on other fields that filter a plot of @field. */
static void
assert_others (const GilkSelection *look, GilkFigureKind kind, const char *field, const char *expected)
{
  GilkStoredField known[] = { { .name = "took" }, { .name = "size" } };
  const GilkFigureAsk ask = gilk_figure_ask (kind, field);
  g_autoptr(GArray) fields = g_array_new (FALSE, TRUE, sizeof (GilkStoredField));
  g_autofree char *others = NULL;

  g_array_append_vals (fields, known, G_N_ELEMENTS (known));
  others = gilk_selection_remaining_condition (look, fields, &ask);
  g_assert_cmpstr (others, ==, expected);
}

static void
test_fields_hold_together (void)
{
  g_autoptr(GilkSelection) look = gilk_selection_new ();

  gilk_selection_mark (look, GILK_SELECTION_VALUES, "took", 7.1, 112.9);
  gilk_selection_zoom (look, GILK_SELECTION_VALUES, "size", 4096.0, 65536.0, LATER);
  gilk_selection_mark (look, GILK_SELECTION_VALUES, "elsewhere", 1.0, 2.0);
  g_assert_cmpstr (gilk_selection_nth_field (look, 0), ==, "took");
  g_assert_cmpstr (gilk_selection_nth_field (look, 2), ==, "elsewhere");
  g_assert_null (gilk_selection_nth_field (look, 3));
  assert_others (look, GILK_FIGURE_HISTOGRAM, "took", "size >= 4096 and size <= 65540");
  assert_others (look, GILK_FIGURE_SERIES, "size", "took >= 8 and took <= 112");
  assert_others (look, GILK_FIGURE_RATE, NULL, "took >= 8 and took <= 112 and size >= 4096 and size <= 65540");
  assert_others (look, GILK_FIGURE_SPECTRUM, "size", "took >= 8 and took <= 112 and size >= 4096 and size <= 65540");
  gilk_selection_mark (look, GILK_SELECTION_VALUES, "interval", 0.0015, 0.25);
  assert_others (look, GILK_FIGURE_SPECTRUM, "interval", "took >= 8 and took <= 112 and size >= 4096 and size <= 65540");
  gilk_selection_clear (look, GILK_SELECTION_VALUES, "took");
  assert_others (look, GILK_FIGURE_HISTOGRAM, "size", "interval >= 0.0015 and interval <= 0.25");
  gilk_selection_clear (look, GILK_SELECTION_VALUES, "interval");
  g_assert_cmpstr (gilk_selection_nth_field (look, 0), ==, "size");
  gilk_selection_clear (look, GILK_SELECTION_VALUES, "size");
  gilk_selection_clear (look, GILK_SELECTION_VALUES, "elsewhere");
  g_assert_true (gilk_selection_is_empty (look));
  assert_others (look, GILK_FIGURE_RATE, NULL, NULL);
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf ("field%u", i);

      gilk_selection_mark (look, GILK_SELECTION_VALUES, name, 1.0, 2.0);
    }
  assert_span (gilk_selection_values (look, "field19"), 1.0, 2.0);
  assert_span (gilk_selection_values (look, "field0"), NAN, NAN);
}

static void
test_spectrum_is_looked_at_closer (void)
{
  g_autoptr(GilkSelection) look = gilk_selection_new ();

  gilk_selection_mark (look, GILK_SELECTION_ZOOM_ONLY, NULL, 1.0, 2.0);
  g_assert_true (gilk_selection_is_empty (look));
  gilk_selection_zoom (look, GILK_SELECTION_ZOOM_ONLY, NULL, 10.0, 100.0, LATER);
  assert_asked (look, GILK_FIGURE_SPECTRUM, NULL, all, all);
  assert_span (gilk_selection_zoomed (look, GILK_SELECTION_ZOOM_ONLY, NULL), 10.0, 100.0);
  gilk_selection_reset_zoom_only (look);
  g_assert_true (gilk_selection_is_empty (look));
}

static void
test_counts (void)
{
  static const double values[] = { 1, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 8 };
  g_autoptr(GilkFigure) figure = gilk_figure_new (GILK_FIGURE_HISTOGRAM);
  GilkSelectionRange span = { 1.1, 2.2 };
  gboolean exact;
  double share;
  uint64_t n;

  figure->histogram = gilk_histogram_new (values, G_N_ELEMENTS (values), 7, FALSE);
  gilk_selection_snap (figure, &span);
  assert_span (span, 1.0, 3.0);
  g_assert_true (gilk_selection_count (figure, &span, &n, &share, &exact));
  g_assert_true (exact);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpfloat_with_epsilon (share, 0.25, 1e-9);
  g_assert_true (gilk_selection_count (figure, &(GilkSelectionRange) { 3.0, 3.5 }, &n, &share, &exact));
  g_assert_false (exact);
  g_assert_cmpuint (n, ==, 2);
  g_assert_false (gilk_selection_count (figure, &all, &n, &share, &exact));
}

static void
test_counts_of_rate (void)
{
  g_autoptr(GilkFigure) figure = gilk_figure_new (GILK_FIGURE_RATE);
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_STEPS, "took", 4);
  gboolean exact;
  double share;
  uint64_t n;

  for (guint i = 0; i <= 4; i++)
    curve->x[i] = i * 0.5;
  for (guint i = 0; i < 4; i++)
    curve->y[i] = i == 3 ? NAN : 100.0;
  g_assert_true (gilk_selection_count (figure, &(GilkSelectionRange) { 0.5, 1.0 }, &n, &share, &exact));
  g_assert_cmpuint (n, ==, 50);
  g_assert_cmpfloat_with_epsilon (share, 1.0 / 3.0, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/look/told", test_told);
  g_test_add_func ("/look/fields-hold-together", test_fields_hold_together);
  g_test_add_func ("/look/mark-narrows-others", test_mark_narrows_others);
  g_test_add_func ("/look/zoom-holds-the-mark", test_zoom_holds_the_mark);
  g_test_add_func ("/look/back", test_back);
  g_test_add_func ("/look/spectrum", test_spectrum_is_looked_at_closer);
  g_test_add_func ("/look/counts", test_counts);
  g_test_add_func ("/look/counts-of-rate", test_counts_of_rate);

  return g_test_run ();
}
