/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-compare-capture.c - compares hooks with a capture (pcap) of the same packets, as in the
 * second case study of the GILK paper
 *
 * GILK was deployed because tcpdump reported several packets at the same time. Therefore the report
 * first shows whether hooks, too, see several packets at the same time. It then shows the effect of
 * such packets on the distributions of times between packets, and on the spectra.
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/analysis/gilk-capture-comparison.h"
#include "core/emit/gilk-inline.h"
#include "core/plan/gilk-plan.h"
#include "core/plot/gilk-plot.h"
#include "core/stats/gilk-compare.h"

#define MAX_DELAY_NS_MAX G_GUINT64_CONSTANT (60000000000)

static const struct { double p; const char *title, *key; } quantiles[] = {
  { 0.00, N_("MIN"), "min" }, { 0.01, "1 %", "p01" }, { 0.10, "10 %", "p10" },
  { 0.50, N_("MEDIAN"), "median" }, { 0.90, "90 %", "p90" }, { 0.99, "99 %", "p99" },
  { 1.00, N_("MAX"), "max" },
};

gboolean
cli_compare_capture_check (const CliCompareCapture *options, GError **error)
{
  if (options->capture != NULL ||
      (options->filter == NULL && options->max_delay == NULL && options->hooks == NULL && !cli_picture_wanted (&options->picture)))
    return TRUE;
  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("--hook, --filter, --max-delay and pictures of \"gilk report\" need --compare-capture CAPTURE. To draw what a "
                      "hook measured, use \"gilk plot\"."));
}

/* ---- selecting the hooks to compare ---- */

static gboolean
takes_samples (const GilkStoredHook *hook)
{
  return !gilk_inline_is (hook->instrument, GILK_INLINE_COUNT);
}

static GPtrArray *
choose_hooks (const CliSession *session, char **labels, GError **error)
{
  g_autoptr(GPtrArray) hooks = g_ptr_array_new ();

  for (guint i = 0; labels != NULL && labels[i] != NULL; i++)
    {
      const GilkStoredHook *hook = cli_session_pick_hook (session, labels[i], error);

      if (hook == NULL)
        return NULL;
      if (!g_ptr_array_find (hooks, hook, NULL))
        g_ptr_array_add (hooks, (gpointer) hook);
    }
  for (guint i = 0; labels == NULL && i < cli_session_n_hooks (session); i++)
    if (takes_samples (cli_session_hook (session, i)))
      g_ptr_array_add (hooks, (gpointer) cli_session_hook (session, i));
  if (hooks->len == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("No hook of this run takes samples, so there are no times to compare. Record "
                     "with the instrument \"stamp\"."));
      return NULL;
    }

  return g_steal_pointer (&hooks);
}

/* ---- the comparison as text ---- */

static int
compare_by_position (gconstpointer one, gconstpointer other)
{
  const GilkCaptureHook *x = *(const GilkCaptureHook *const *) one;
  const GilkCaptureHook *y = *(const GilkCaptureHook *const *) other;

  return (x->delay_ns > y->delay_ns) - (x->delay_ns < y->delay_ns);
}

/* Returns the hooks in the order in which packets reach them. (transfer full) */
static GPtrArray *
sort_hooks (const GilkCaptureComparison *comparison)
{
  GPtrArray *hooks = g_ptr_array_new ();

  for (guint i = 0; i < comparison->hooks->len; i++)
    g_ptr_array_add (hooks, g_ptr_array_index (comparison->hooks, i));
  g_ptr_array_sort (hooks, compare_by_position);

  return hooks;
}

static char *
format_ns (gint64 ns)
{
  return gilk_format_si ((double) ns / 1e9, "s", 3);
}

static void
print_packets (Cli *cli, const GilkCaptureComparison *comparison)
{
  const GilkCaptureHook *first = g_ptr_array_index (comparison->hooks, 0);
  g_autofree char *after = g_ascii_strup (first->hook->label, -1);
  g_autofree char *columns =
    g_strdup_printf (_("<HOOK|>PACKETS|>MATCHED|>LATE|>HOOK ONLY|>CAPTURE ONLY|>LOST|>AFTER %s|>99 %% WITHIN"),
                     after);
  g_autoptr(CliTable) table = cli_table_new (columns);
  g_autoptr(GPtrArray) hooks = sort_hooks (comparison);

  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkCaptureHook *hook = g_ptr_array_index (hooks, i);
      g_autofree char *behind = format_ns (hook->delay_ns - first->delay_ns);
      g_autofree char *spread = format_ns (hook->spread_ns);

      cli_table_cell (table, hook->hook->label);
      cli_table_cellf (table, "%" G_GSIZE_FORMAT, hook->of_hook->n);
      cli_table_cellf (table, "%" G_GSIZE_FORMAT, hook->matched);
      cli_table_cellf (table, "%" G_GSIZE_FORMAT, hook->late);
      cli_table_cellf (table, "%" G_GSIZE_FORMAT, hook->only_hook);
      cli_table_tint (table, hook->only_hook > 0 ? CLI_TINT_WARN : CLI_TINT_NONE);
      cli_table_cellf (table, "%" G_GSIZE_FORMAT, hook->only_capture);
      cli_table_tint (table, hook->only_capture > 0 ? CLI_TINT_WARN : CLI_TINT_NONE);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) hook->hook->lost);
      cli_table_tint (table, hook->hook->lost > 0 ? CLI_TINT_WARN : CLI_TINT_NONE);
      cli_table_cell (table, hook == first ? "-" : behind);
      cli_table_cell (table, spread);
    }
  cli_print_table (cli, table);
}

static void
add_interval_row (CliTable *table, const char *name, const GilkArrivals *arrivals, double ks)
{
  cli_table_cell (table, name);
  cli_table_cellf (table, "%" G_GSIZE_FORMAT, arrivals->n_intervals);
  cli_table_cellf (table, "%" G_GSIZE_FORMAT, arrivals->zero);
  cli_table_tint (table, arrivals->zero > 0 ? CLI_TINT_BAD : CLI_TINT_GOOD);
  for (guint i = 0; i < G_N_ELEMENTS (quantiles); i++)
    {
      g_autofree char *value = arrivals->n_intervals == 0 ? g_strdup ("-")
        : gilk_format_si (gilk_quantile (arrivals->intervals, arrivals->n_intervals, quantiles[i].p), "s", 3);

      cli_table_cell (table, value);
    }
  if (isnan (ks))
    cli_table_cell (table, "-");
  else
    cli_table_cellf (table, "%.4f", ks);
}

static void
print_intervals (Cli *cli, const GilkCaptureComparison *comparison)
{
  const GilkCaptureHook *first = g_ptr_array_index (comparison->hooks, 0);
  GString *columns = g_string_new (_("<SOURCE|>INTERVALS|>OF LENGTH 0"));
  g_autoptr(GPtrArray) hooks = sort_hooks (comparison);
  g_autoptr(CliTable) table = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (quantiles); i++)
    g_string_append_printf (columns, "|>%s", _(quantiles[i].title));
  g_string_append (columns, _("|>KS D"));
  table = cli_table_new (columns->str);
  g_string_free (columns, TRUE);
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkCaptureHook *hook = g_ptr_array_index (hooks, i);

      add_interval_row (table, hook->hook->label, hook->of_hook, hook->ks);
    }
  add_interval_row (table, _("capture"), first->of_capture, NAN);
  add_interval_row (table, _("capture, cut to µs"), comparison->coarse, NAN);
  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nTimes between packets\n"));
  cli_print_table (cli, table);
}

/* Returns the power in the capture's spectrum at the frequency of @peak; NaN if there is none. */
static double
get_capture_power (const GilkCaptureComparison *comparison, const GilkPeak *peak)
{
  for (guint k = 0; comparison->of_capture != NULL && k < comparison->of_capture->n; k++)
    if (comparison->of_capture->hz[k] >= peak->hz)
      return comparison->of_capture->power[k];
  return NAN;
}

static void
print_peaks (Cli *cli, const GilkCaptureComparison *comparison)
{
  g_autoptr(CliTable) table =
    cli_table_new (_(">HZ|>HOOK|>CAPTURE|>DIFFERENCE|>ABOVE BACKGROUND"));

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nPeaks of the power spectrum\n"));
  for (guint i = 0; i < comparison->peaks->len; i++)
    {
      const GilkPeak *peak = &g_array_index (comparison->peaks, GilkPeak, i);
      double there = get_capture_power (comparison, peak);

      cli_table_cellf (table, "%.1f", peak->hz);
      cli_table_cellf (table, "%.3g", peak->power);
      cli_table_cellf (table, "%.3g", there);
      cli_table_cellf (table, "%+.2f dB", 10.0 * log10 (there / peak->power));
      cli_table_cellf (table, "%.1f dB", 10.0 * log10 (peak->times));
    }
  if (comparison->peaks->len > 0)
    cli_print_table (cli, table);
  else
    cli_print (cli, _("No peak stands out.\n"));
  if (!isnan (comparison->difference_db))
    cli_print (cli, _("The spectra differ by %.2f dB (median over all frequencies), by %.2f dB at most.\n"),
               comparison->difference_db, comparison->difference_max_db);
  if (!isnan (comparison->hurst_hook) && !isnan (comparison->hurst_capture))
    cli_print (cli, _("Hurst exponent: %.2f at the hook, %.2f in the capture.\n"), comparison->hurst_hook,
               comparison->hurst_capture);
}

/* Warns if more than two samples or packets were outside of the time in which both the hook and the
 * capture recorded. */
static void
print_outside (Cli *cli, const GilkCaptureComparison *comparison)
{
  for (guint i = 0; i < comparison->hooks->len; i++)
    {
      const GilkCaptureHook *hook = g_ptr_array_index (comparison->hooks, i);

      if (hook->before_hook + hook->after_hook > 2)
        cli_print_tinted (cli, CLI_TINT_WARN, _("Not compared: %zu samples of %s before the capture starts, and %zu after it ends.\n"),
                          hook->before_hook, hook->hook->label, hook->after_hook);
      if (i == 0 && hook->before_capture + hook->after_capture > 2)
        cli_print_tinted (cli, CLI_TINT_WARN, _("Not compared: %zu packets of the capture before %s starts, and %zu after it ends.\n"),
                          hook->before_capture, hook->hook->label, hook->after_capture);
    }
}

/* Prints the properties of the capture. */
static void
print_capture (Cli *cli, const CliCompareCapture *options, const GilkCaptureComparison *comparison,
               const GilkCapture *capture)
{
  const GilkCaptureHook *first = g_ptr_array_index (comparison->hooks, 0);
  g_autofree char *resolution = format_ns (capture->resolution_ns);

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nPackets compared with %s\n"), options->capture);
  cli_print (cli, _("%zu packets, %zu of them in the %.1f s that both the run and the capture "
                    "recorded; clock resolution %s; the capture's clock gains %+.1f ppm on the "
                    "run's.\n"),
             capture->n, first->of_capture->n, (double) (first->to_ns - first->from_ns) / 1e9, resolution,
             1e6 * comparison->clocks.rate);
  if (capture->skipped > 0)
    cli_print (cli, _("The filter excluded %" PRIu64 " packets.\n"), capture->skipped);
  if (capture->unusable_why != NULL)
    cli_print_tinted (cli, CLI_TINT_WARN, _("Packets that cannot be compared: %s.\n"), capture->unusable_why);
  if (capture->same > 0)
    cli_print_tinted (cli, CLI_TINT_WARN, _("Packets in the file with the same time as the packet "
                                            "before: %zu.\n"),
                                          capture->same);
  if (capture->backwards > 0)
    cli_print_tinted (cli, CLI_TINT_WARN,
                      _("Packets in the file with an earlier time than the packet before: %zu; "
                        "they are sorted by time below.\n"), capture->backwards);
  if (capture->damage != NULL)
    cli_print_tinted (cli, CLI_TINT_WARN, _("The file ends early (%s).\n"), capture->damage);
  print_outside (cli, comparison);
}

static void
append_packet_counts (GString *text, const GilkCaptureHook *first)
{
  if (first->only_hook == 0 && first->only_capture == 0)
    g_string_append_printf (text, first->before_hook + first->after_hook + first->before_capture + first->after_capture > 2
                                    ? _("While hook and capture were both recording, %s and the "
                                        "capture saw the same %zu packets.")
                                    : _("%s and the capture saw the same %zu packets."),
                            first->hook->label, first->of_hook->n);
  else
    g_string_append_printf (text, _("%s and the capture both saw %zu packets; %zu more were seen "
                                    "only by the hook, %zu only by the capture."),
                            first->hook->label, first->matched, first->only_hook, first->only_capture);
}

/* Reports how many times between packets are zero, which is the main question of the case study. */
static void
append_zero_intervals (GString *text, const GilkCaptureComparison *comparison)
{
  const GilkCaptureHook *first = g_ptr_array_index (comparison->hooks, 0);
  gsize zero = 0, n = 0, one_cpu = 0;

  for (guint i = 0; i < comparison->hooks->len; i++)
    {
      const GilkCaptureHook *hook = g_ptr_array_index (comparison->hooks, i);

      zero += hook->of_hook->zero;
      n += hook->of_hook->n_intervals;
      one_cpu += hook->zero_on_one_cpu;
    }
  if (zero == 0)
    g_string_append_printf (text, _(" None of the %zu times between packets at the hooks is zero."), n);
  else
    g_string_append_printf (text, _(" Of the %zu times between packets at the hooks, %zu are zero; "
                                    "in %zu of these, both samples are from "
                                    "the same CPU."), n, zero, one_cpu);
  if (first->of_capture->zero > 0)
    g_string_append_printf (text, _(" In the capture, %zu of the times are zero, because its clock "
                                    "gave two packets the same time."),
                                  first->of_capture->zero);
  else if (comparison->coarse->zero > 0)
    g_string_append_printf (text, _(" In the capture, none of the times is zero; in "
                                    "microseconds, tcpdump's default, %zu of them "
                                    "would be."), comparison->coarse->zero);
  else
    g_string_append (text, _(" In the capture, none of the times is zero."));
}

/* (transfer full) */
static char *
format_verdict (const GilkCaptureComparison *comparison)
{
  GString *text = g_string_new (NULL);

  append_packet_counts (text, g_ptr_array_index (comparison->hooks, 0));
  append_zero_intervals (text, comparison);

  return g_string_free (text, FALSE);
}

static void
print_comparison (Cli *cli, const CliCompareCapture *options, const GilkCaptureComparison *comparison, const GilkCapture *capture,
                  const char *verdict)
{
  print_capture (cli, options, comparison, capture);
  print_packets (cli, comparison);
  print_intervals (cli, comparison);
  print_peaks (cli, comparison);
  cli_print_tinted (cli, CLI_TINT_BOLD, "\n%s\n", verdict);
}

/* ---- the comparison as JSON ---- */

static void
intervals_to_json (CliJson *json, const char *key, const GilkArrivals *arrivals)
{
  cli_json_row (json, key);
  cli_json_uint (json, "packets", arrivals->n);
  cli_json_uint (json, "intervals", arrivals->n_intervals);
  cli_json_uint (json, "cut", arrivals->cut);
  cli_json_uint (json, "zero", arrivals->zero);
  for (guint i = 0; i < G_N_ELEMENTS (quantiles); i++)
    cli_json_double (json, quantiles[i].key, arrivals->n_intervals == 0 ? NAN
                     : gilk_quantile (arrivals->intervals, arrivals->n_intervals, quantiles[i].p));
  cli_json_end (json);
}

static void
hook_to_json (CliJson *json, const GilkCaptureHook *hook)
{
  cli_json_object (json, NULL);
  cli_json_string (json, "hook", hook->hook->label);
  cli_json_double (json, "seconds", (double) (hook->to_ns - hook->from_ns) / 1e9);
  cli_json_uint (json, "matched", hook->matched);
  cli_json_uint (json, "late", hook->late);
  cli_json_uint (json, "only_hook", hook->only_hook);
  cli_json_uint (json, "only_capture", hook->only_capture);
  cli_json_uint (json, "hook_before_capture", hook->before_hook);
  cli_json_uint (json, "hook_after_capture", hook->after_hook);
  cli_json_uint (json, "capture_before_hook", hook->before_capture);
  cli_json_uint (json, "capture_after_hook", hook->after_capture);
  cli_json_uint (json, "lost", hook->hook->lost);
  cli_json_int (json, "delay_ns", hook->delay_ns);
  cli_json_int (json, "spread_ns", hook->spread_ns);
  cli_json_uint (json, "zero_on_one_cpu", hook->zero_on_one_cpu);
  cli_json_double (json, "ks", hook->ks);
  intervals_to_json (json, "intervals", hook->of_hook);
  intervals_to_json (json, "capture", hook->of_capture);
  cli_json_end (json);
}

static void
peaks_to_json (CliJson *json, const GilkCaptureComparison *comparison)
{
  cli_json_array (json, "peaks");
  for (guint i = 0; i < comparison->peaks->len; i++)
    {
      const GilkPeak *peak = &g_array_index (comparison->peaks, GilkPeak, i);

      cli_json_row (json, NULL);
      cli_json_double (json, "hz", peak->hz);
      cli_json_double (json, "hook", peak->power);
      cli_json_double (json, "capture", get_capture_power (comparison, peak));
      cli_json_double (json, "above_background", peak->times);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
comparison_to_json (CliJson *json, const CliCompareCapture *options, const GilkCaptureComparison *comparison,
                    const GilkCapture *capture, const char *verdict)
{
  cli_json_object (json, "compare_capture");
  cli_json_string (json, "capture", options->capture);
  cli_json_uint (json, "packets", capture->n);
  cli_json_uint (json, "skipped", capture->skipped);
  cli_json_uint (json, "unusable", capture->unusable);
  cli_json_string (json, "unusable_why", capture->unusable_why);
  cli_json_uint (json, "same_time", capture->same);
  cli_json_uint (json, "backwards", capture->backwards);
  cli_json_int (json, "resolution_ns", capture->resolution_ns);
  cli_json_string (json, "damage", capture->damage);
  cli_json_double (json, "clock_ppm", 1e6 * comparison->clocks.rate);
  cli_json_array (json, "hooks");
  for (guint i = 0; i < comparison->hooks->len; i++)
    hook_to_json (json, g_ptr_array_index (comparison->hooks, i));
  cli_json_end (json);
  intervals_to_json (json, "capture_in_microseconds", comparison->coarse);
  peaks_to_json (json, comparison);
  cli_json_double (json, "spectra_difference_db", comparison->difference_db);
  cli_json_double (json, "spectra_difference_max_db", comparison->difference_max_db);
  cli_json_double (json, "hurst_hook", comparison->hurst_hook);
  cli_json_double (json, "hurst_capture", comparison->hurst_capture);
  cli_json_string (json, "verdict", verdict);
  cli_json_end (json);
}

/* ---- making the comparison ---- */

/* Returns the start of the run in ns since 1970, by the recorder's clock. */
static gint64
get_run_start (const CliSession *session)
{
  g_autoptr(GDateTime) began = session->run->started != NULL
    ? g_date_time_new_from_iso8601 (session->run->started, NULL) : NULL;

  return began != NULL ? g_date_time_to_unix (began) * G_GINT64_CONSTANT (1000000000) : 0;
}

static gboolean
parse_max_delay (const char *text, gint64 *ns, GError **error)
{
  uint64_t parsed;

  *ns = GILK_CAPTURE_MAX_DELAY_NS;
  if (text == NULL)
    return TRUE;
  if (!gilk_parse_duration (text, &parsed, error))
    return FALSE;
  if (parsed == 0 || parsed > MAX_DELAY_NS_MAX)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("--max-delay is the maximum delay of a packet between hook and capture: more than 0, at most a "
                        "minute."));
  *ns = (gint64) parsed;

  return TRUE;
}

gboolean
cli_compare_capture_report (Cli *cli, const CliSession *session, const CliCompareCapture *options, GError **error)
{
  g_autoptr(GPtrArray) hooks = choose_hooks (session, options->hooks, error);
  g_autoptr(GilkCapture) capture = NULL;
  g_autoptr(GilkCaptureComparison) comparison = NULL;
  g_autofree char *verdict = NULL;
  gint64 max_delay_ns;

  if (hooks == NULL || !parse_max_delay (options->max_delay, &max_delay_ns, error))
    return FALSE;
  capture = gilk_capture_read (options->capture, options->filter, cli->cancellable, error);
  if (capture == NULL)
    return FALSE;
  if (capture->damage != NULL)
    cli_note (cli, _("The capture ends early (%s); only the packets that could be "
                     "read are used."), capture->damage);
  comparison = gilk_capture_comparison_new (session->store, hooks, session->run->duration, get_run_start (session), max_delay_ns,
                                            capture, cli->cancellable, error);
  if (comparison == NULL)
    return FALSE;

  verdict = format_verdict (comparison);
  if (cli->doc != NULL)
    comparison_to_json (cli->doc, options, comparison, capture, verdict);
  else
    print_comparison (cli, options, comparison, capture, verdict);

  return !cli_picture_wanted (&options->picture) ||
    cli_compare_capture_draw (cli, &options->picture, comparison, error);
}
