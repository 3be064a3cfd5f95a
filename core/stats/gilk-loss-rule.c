/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-loss-rule.c - decides how lost samples affect a figure; no other code decides this
 */
#include "core/stats/gilk-loss-rule.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

void
gilk_loss_ranks (double   p,
                 uint64_t stored,
                 uint64_t lost,
                 double  *low,
                 double  *high)
{
  double n = (double) stored, all = n + (double) lost;

  *low = p - (1.0 - p) * (double) lost / n;
  *high = p * all / n;
  if (!(n > 0.0) || *low < 0.0)
    *low = NAN;
  if (!(n > 0.0) || *high > 1.0)
    *high = NAN;
}

double
gilk_loss_share (uint64_t stored,
                 uint64_t lost)
{
  double all = (double) stored + (double) lost;

  return all > 0.0 ? (double) lost / all : 0.0;
}

/* Formats a share as text such as "0.03 %". A share above zero never becomes "0 %". */
static char *
format_percent (double share)
{
  if (share > 0.0 && share < 0.00005)
    return g_strdup (_("less than 0.01 %"));

  return g_strdup_printf (share < 0.1 ? "%.2f %%" : "%.0f %%", 100.0 * share);
}

static char *
describe_effect (GilkLossOf of, double share)
{
  g_autofree char *part = format_percent (share);

  switch (of)
    {
    case GILK_LOSS_OF_SHARES:
      return g_strdup_printf (_("shares of samples may be off by %s"), part);
    case GILK_LOSS_OF_QUANTILES:
      return g_strdup_printf (_("ranks of quantiles may be off by %s"), part);
    case GILK_LOSS_OF_RATES:
      return g_strdup (_("lost samples are included in the rates, spread evenly over the time of the loss"));
    case GILK_LOSS_OF_TIMES:
      return g_strdup (_("times of loss are hatched"));
    case GILK_LOSS_OF_SPECTRA:
      return g_strdup (_("only the parts between gaps are used"));
    case GILK_LOSS_OF_DIFFERENCES:
      return g_strdup_printf (_("the distance of distributions may be off by %s"), part);
    case GILK_LOSS_OF_GREATEST:
    default:
      return g_strdup (_("lost samples may exceed the values shown"));
    }
}

char *
gilk_loss_text (GilkLossOf of,
                uint64_t   stored,
                uint64_t   lost,
                uint64_t   cut)
{
  GString *words = g_string_new (NULL);

  if (lost > 0)
    {
      g_autofree char *so = describe_effect (of, gilk_loss_share (stored, lost));

      g_string_append_printf (words, _("%" PRIu64 " lost: %s"), lost, so);
    }
  if (cut > 0 && lost == 0)
    g_string_append_printf (words,
                            ngettext ("%" PRIu64 " time between samples skipped: the hook was off or missed hits during it",
                                      "%" PRIu64 " times between samples skipped: the hook was off or missed hits during them",
                                      cut), cut);
  else if (cut > 0)
    g_string_append_printf (words, ngettext ("%s%" PRIu64 " time between samples skipped because of gaps",
                                             "%s%" PRIu64 " times between samples skipped because of gaps", cut),
                            words->len > 0 ? "; " : "", cut);
  if (words->len == 0)
    {
      g_string_free (words, TRUE);
      return NULL;
    }

  return g_string_free (words, FALSE);
}
