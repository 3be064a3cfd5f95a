/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-against-figure.h - GILK's figure 3: a hook and a capture of the same packets, in four panels
 *
 * Threads: any. Figures are (transfer full); one without a value has a message.
 */
#pragma once

#include "core/analysis/gilk-against.h"
#include "core/analysis/gilk-figure.h"

G_BEGIN_DECLS

typedef enum {
  GILK_AGAINST_INTERVALS,               /* histograms of both */
  GILK_AGAINST_SPECTRA,
  GILK_AGAINST_INTERVALS_APART,         /* the capture's distribution less the hook's */
  GILK_AGAINST_SPECTRA_APART,           /* the capture's power over the hook's */
  GILK_AGAINST_N_PANELS,
} GilkAgainstPanel;

/* Of the first hook. */
GilkFigure *gilk_against_figure (const GilkAgainst *against, GilkAgainstPanel panel);

G_END_DECLS
