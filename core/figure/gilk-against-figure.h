/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-against-figure.h - figure 3 of the GILK paper: a hook and a capture of the same packets, in
 * four panels
 *
 * Threads: any. Figures are (transfer full); one without a value has a message.
 */
#pragma once

#include "core/analysis/gilk-against.h"
#include "core/figure/gilk-figure.h"

G_BEGIN_DECLS

typedef enum {
  GILK_AGAINST_INTERVALS,               /* histograms of both */
  GILK_AGAINST_SPECTRA,
  GILK_AGAINST_INTERVALS_APART,         /* difference of the distributions, capture minus hook */
  GILK_AGAINST_SPECTRA_APART,           /* ratio of the power, capture to hook */
  GILK_AGAINST_N_PANELS,
} GilkAgainstPanel;

/* Returns the panel for the first hook. (transfer full) */
GilkFigure *gilk_against_figure (const GilkAgainst *against, GilkAgainstPanel panel);

G_END_DECLS
