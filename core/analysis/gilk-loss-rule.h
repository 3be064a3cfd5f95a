/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-loss-rule.h - what lost samples do to a figure: the one place that decides it
 *
 * Of n samples stored and l lost nothing is known but that they were l. So
 *  - a quantile, and any share of samples, has bounds, whatever was lost;
 *  - an interval is never taken across a gap: those are counted and left out;
 *  - a rate counts what was lost, for that is known; heat maps and series show gaps as gaps;
 *  - what needs a row of values without holes (spectrum, autocorrelation, Hurst) is made of the
 *    parts between gaps, and refused where none is long enough;
 *  - two distributions that differ by no more than what was lost might be alike: there is no p.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_LOSS_OF_SHARES,      /* histogram, ECDF */
  GILK_LOSS_OF_QUANTILES,
  GILK_LOSS_OF_RATES,
  GILK_LOSS_OF_TIMES,       /* what is drawn over time */
  GILK_LOSS_OF_SPECTRA,     /* and all that needs evenly spaced values */
  GILK_LOSS_OF_DIFFERENCES,
  GILK_LOSS_OF_GREATEST,    /* outliers */
} GilkLossOf;

/* Which quantile of the stored samples the quantile @p of all samples may be, from @low to @high:
 * all that were lost may have been below it, or all above. NaN: there is no bound on that side, for
 * it may be among those lost. */
void     gilk_loss_ranks (double p, uint64_t stored, uint64_t lost, double *low, double *high);
/* By how much a share of all samples may differ from that of the stored ones. */
double   gilk_loss_share (uint64_t stored, uint64_t lost);
/* One sentence: what was lost, and what that means for a figure of this kind. NULL: nothing was
 * lost and nothing left out. @cut: intervals left out. (transfer full) */
char    *gilk_loss_words (GilkLossOf of, uint64_t stored, uint64_t lost, uint64_t cut);

G_END_DECLS
