/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-spectrum.c - gilk report --spectrum: reports peaks, slope, and long-range dependence
 */
#include <glib/gi18n.h>
#include <math.h>

#include "cli/base/reports.h"
#include "cli/base/sources.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-spectrum.h"
#include "core/plot/gilk-plot.h"
#include "core/stats/gilk-arrivals.h"
#include "core/stats/gilk-loss-rule.h"

typedef struct {
  const GilkFigureSource *source;
  const char      *field;           /* NULL: hits */
  char            *unit;
  GilkHookSpectrum found;
  GilkHurst        variance, rescaled;
  gsize            longest;         /* number of values from which the Hurst exponent is
                                     * estimated */
} Part;

static void
part_clear (Part *part)
{
  g_clear_pointer (&part->unit, g_free);
  gilk_hook_spectrum_clear (&part->found);
  gilk_hurst_clear (&part->variance);
  gilk_hurst_clear (&part->rescaled);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

static gboolean
part_read (Part *part, const GilkFigureSource *source, const CliFigures *figures, GError **error)
{
  g_autoptr(GArray) gaps = NULL;
  g_autoptr(GilkEven) even = NULL;
  GilkHookAsk ask = { .field = figures->field, .condition = source->condition, .from = NAN, .to = NAN,
                      .cost = source->cost };
  gsize first;

  part->source = source;
  part->field = figures->field;
  part->variance.h = part->rescaled.h = NAN;
  part->unit = part->field != NULL ? cli_source_unit (source, part->field, error) : g_strdup ("hits/s");
  gaps = part->unit != NULL ? gilk_hook_gaps (source->store, source->hook, source->duration, error) : NULL;
  ask.gaps = gaps;
  if (gaps == NULL ||
      !gilk_hook_spectrum (source->store, source->hook, &ask, source->duration, &part->found, error))
    return FALSE;
  even = gilk_hook_even (source->store, source->hook, &ask, source->duration, error);
  if (even == NULL)
    return FALSE;
  part->longest = gilk_even_longest (even, &first);
  gilk_hurst_variance (even->values + first, part->longest, &part->variance);
  gilk_hurst_rescaled (even->values + first, part->longest, &part->rescaled);
  return TRUE;
}

static void
part_to_json (CliJson *json, const Part *part)
{
  const GilkHookSpectrum *found = &part->found;

  cli_json_object (json, NULL);
  cli_json_string (json, "hook", part->source->name);
  cli_json_string (json, "field", part->field);
  cli_json_string (json, "unit", part->unit);
  cli_json_uint (json, "samples", found->samples);
  cli_json_uint (json, "lost", part->source->hook->lost);
  cli_json_string (json, "method", found->method);
  cli_json_double (json, "slope", found->slope);
  cli_json_double (json, "slope_error", found->slope_error);
  cli_json_double (json, "hurst_variance", part->variance.h);
  cli_json_double (json, "hurst_rescaled_range", part->rescaled.h);
  cli_json_uint (json, "hurst_values", part->longest);
  cli_json_array (json, "peaks");
  for (guint i = 0; i < found->peaks->len; i++)
    {
      const GilkPeak *peak = &g_array_index (found->peaks, GilkPeak, i);

      cli_json_row (json, NULL);
      cli_json_double (json, "hz", peak->hz);
      cli_json_double (json, "power", peak->power);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_end (json);
}

static void
print_peaks (Cli *cli, const GArray *peaks)
{
  g_autoptr(CliTable) table = cli_table_new (_(">PEAK|>EVERY|>POWER"));

  for (guint i = 0; i < peaks->len; i++)
    {
      const GilkPeak *peak = &g_array_index (peaks, GilkPeak, i);
      g_autofree char *hz = gilk_format_si (peak->hz, "Hz", 4);
      g_autofree char *period = gilk_format_si (1.0 / peak->hz, "s", 4);

      cli_table_cell (table, hz);
      cli_table_cell (table, period);
      cli_table_cellf (table, "%.4g", peak->power);
    }
  if (peaks->len > 0)
    cli_print_table (cli, table);
  else
    cli_print (cli, _("No peak stands out.\n"));
}

static void
print_part (Cli *cli, const Part *part)
{
  const GilkHookSpectrum *found = &part->found;
  g_autofree char *words = gilk_loss_text (GILK_LOSS_OF_SPECTRA, found->samples, part->source->hook->lost, 0);

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nSpectrum of %s, %s\n"), part->source->name,
                    part->field != NULL ? part->field : _("hits"));
  if (found->spectrum == NULL)
    {
      cli_print (cli, _("Too few samples: at least 16 at different times are needed.\n"));
      return;
    }
  print_peaks (cli, found->peaks);
  cli_print (cli, _("Slope of log power over log frequency: %.3f ± %.3f.\n"), found->slope, found->slope_error);
  if (!isnan (part->variance.h) && !isnan (part->rescaled.h))
    cli_print (cli, _("Hurst exponent of %lu values: %.2f by variance-time plot, %.2f by rescaled range (0.5: no "
                      "memory).\n"), (guint64) part->longest, part->variance.h, part->rescaled.h);
  else
    cli_print (cli, _("No Hurst exponent: too few samples.\n"));
  cli_print (cli, "%s.\n", found->method);
  if (words != NULL)
    cli_print_tinted (cli, CLI_TINT_WARN, "%s.\n", words);
}

static gboolean
report_source (Cli *cli, const GilkFigureSource *source, const CliFigures *figures, GError **error)
{
  g_auto(Part) part = { NULL };

  if (!part_read (&part, source, figures, error))
    return FALSE;
  if (cli->doc != NULL)
    part_to_json (cli->doc, &part);
  else
    print_part (cli, &part);
  return TRUE;
}

gboolean
cli_report_spectrum (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  return cli_sources_report (cli, session, figures, figures->field != NULL ? figures->field : "hits", "spectra",
                             report_source, error);
}
