/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-loss-rule.h - decides how lost samples affect a figure; no other code decides this
 *
 * Only the number of lost samples is known, not their values. So
 *  - a quantile or a share of samples has bounds that hold whatever the lost values are;
 *  - a time between samples is never taken across a gap: such times are counted and left out;
 *  - a rate includes lost samples, because their number is known; heat maps and series show gaps as
 *    gaps;
 *  - a method that needs values without holes (spectrum, autocorrelation, Hurst) uses the parts
 *    between gaps, and is refused if none is long enough;
 *  - two distributions that differ by no more than the loss may be equal: no p-value is given.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_LOSS_OF_SHARES,      /* figures of shares of samples: histogram, ECDF */
  GILK_LOSS_OF_QUANTILES,
  GILK_LOSS_OF_RATES,
  GILK_LOSS_OF_TIMES,       /* figures over time */
  GILK_LOSS_OF_SPECTRA,     /* spectra and other methods that need evenly spaced values */
  GILK_LOSS_OF_DIFFERENCES,
  GILK_LOSS_OF_GREATEST,    /* outliers */
} GilkLossOf;

/* Sets @low and @high so that the @p quantile of all samples lies between the @low and the @high
 * quantile of the stored samples: the lost samples may all be below that quantile, or all above
 * it. NaN: unbounded on that side, because the @p quantile may be a lost sample. */
void   gilk_loss_ranks (double p, uint64_t stored, uint64_t lost, double *low, double *high);
/* Returns the maximum error, due to lost samples, of a share computed from the stored samples. */
double gilk_loss_share (uint64_t stored, uint64_t lost);
/* Returns a sentence about the number of lost samples and their effect on a figure of this kind;
 * NULL if nothing was lost or left out. @cut: number of times between samples left out. (transfer
 * full) */
char  *gilk_loss_text  (GilkLossOf of, uint64_t stored, uint64_t lost, uint64_t cut);

G_END_DECLS
