/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-capture-figure.h - figure 3 of the GILK paper: a hook and a capture of the same packets, in
 * four panels
 *
 * Threads: any. Figures are (transfer full); one without a value has a message.
 */
#pragma once

#include "core/analysis/gilk-capture-comparison.h"
#include "core/figure/gilk-figure.h"

G_BEGIN_DECLS

typedef enum {
  GILK_CAPTURE_INTERVALS,               /* histograms of both */
  GILK_CAPTURE_SPECTRA,
  GILK_CAPTURE_INTERVALS_DIFFERENCE,    /* difference of the distributions, capture minus hook */
  GILK_CAPTURE_SPECTRA_DIFFERENCE,      /* ratio of the power, capture to hook */
  GILK_CAPTURE_N_PANELS,
} GilkCapturePanel;

/* Returns the panel for the first hook. (transfer full) */
GilkFigure *gilk_capture_figure (const GilkCaptureComparison *comparison, GilkCapturePanel panel);

G_END_DECLS
