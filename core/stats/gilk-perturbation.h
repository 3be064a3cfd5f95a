/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-perturbation.h - computes how much an outcome changes when something is switched on, from
 * pairs of an on interval and an off interval
 *
 * Computes the paired t interval of the difference, and Fieller's interval (1954) of the quotient
 * of the two means, from the same pairs. Both assume that the pairs are independent, and that their
 * differences are normal or numerous enough for a normal mean. The order within a pair is random,
 * so a drift slower than a pair affects neither interval.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The confidence interval from fewer pairs is meaningless, and is refused. */
#define GILK_PERTURBATION_PAIRS_MIN 8

typedef struct {
  guint  pairs;
  double on, off;                     /* means */
  double difference, low, high;       /* mean of on minus mean of off, and the bounds of its
                                       * confidence interval */
  double relative;                    /* (mean of on - mean of off) / mean of off; NaN: 0 is in
                                       * the confidence interval of the mean of off */
  double relative_low, relative_high; /* bounds of the confidence interval of @relative; NaN if
                                       * @relative is NaN */
  double t, p;                        /* t statistic of the difference, and its two-sided p-value */
} GilkPerturbation;

/* Computes the change from @n pairs. @level: confidence level of the intervals, such as 0.95. Fails
 * with too few pairs, and then leaves outputs untouched. */
gboolean gilk_perturbation_of (const double *on, const double *off, guint n, double level,
                               GilkPerturbation *found, GError **error);

/* Returns the |t| beyond which both tails of Student's t distribution with @df degrees of freedom
 * have the probability @tails. */
double   gilk_student_t       (double tails, double df);

G_END_DECLS
