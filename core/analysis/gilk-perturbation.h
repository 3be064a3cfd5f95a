/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-perturbation.h - what switching does to an outcome, from pairs of blocks on and off
 *
 * The paired t interval of the difference, and Fieller's (1954) of the quotient of the two means, from the same
 * pairs. Both take the pairs for independent of each other and their differences for normal, or so many that their
 * mean is; which of a pair came first is random, so a drift that is slow beside a pair
 * is in neither.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* With fewer pairs the interval says next to nothing, and is not told. */
#define GILK_PERTURBATION_PAIRS_MIN 8

typedef struct {
  guint  pairs;
  double on, off;                     /* means */
  double difference, low, high;       /* on less off */
  double relative;                    /* of off, by which on is greater; NaN with its interval where the mean of */
  double relative_low, relative_high; /* off cannot be told from 0 */
  double t, p;                        /* two-sided: of a difference as great if there is none */
} GilkPerturbation;

/* @level: of the intervals, e.g. 0.95. Fails with too few pairs; outputs are untouched then. */
gboolean gilk_perturbation_of (const double *on, const double *off, guint n, double level,
                               GilkPerturbation *found, GError **error);

/* Student's t with @df degrees of freedom: both tails beyond |t|, and the t beyond which both are @tails. */
double   gilk_student_tails   (double t, double df);
double   gilk_student_t       (double tails, double df);

G_END_DECLS
