/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-peaks.h - lines of a spectrum: what comes back at even times
 *
 * Threads: any.
 */
#pragma once

#include "core/analysis/gilk-spectrum.h"

G_BEGIN_DECLS

typedef struct {
  double hz, power;
  double times;             /* so many times the median around it */
} GilkPeak;

/**
 * gilk_spectrum_peaks:
 * What is the highest of its next neighbours and stands out from all around it: six times their median,
 * and so far that noise alone gets there in one spectrum of a hundred. At most @most, the one that
 * stands out furthest first. (transfer full) (element-type GilkPeak)
 */
GArray *gilk_spectrum_peaks (const GilkSpectrum *spectrum, guint most);

G_END_DECLS
