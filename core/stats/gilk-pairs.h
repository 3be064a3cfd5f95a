/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pairs.h - pairs events that two observers saw, each with a clock of its own
 *
 * Only the times of the events are known. So the pairs are those of the cheapest alignment: a
 * pair costs the difference of its times, an event without a partner costs a gap.
 *
 * Threads: any. Times are nanoseconds, ascending; arrays belong to the caller.
 */
#pragma once

#include <glib.h>

#include "core/base/gilk-cancellable.h"

G_BEGIN_DECLS

/* When A's clock shows t, B's shows t + offset_ns + rate * (t - zero_ns). */
typedef struct {
  gint64 zero_ns;
  gint64 offset_ns;
  double rate;              /* relative rate of the clocks: with 1e-6, B's clock gains a microsecond
                             * per second */
} GilkClockRelation;

gint64 gilk_clock_relation_forth (const GilkClockRelation *relation, gint64 a_ns);
gint64 gilk_clock_relation_back  (const GilkClockRelation *relation, gint64 b_ns);

typedef struct {
  gsize  n_pairs;
  gsize  n_late;            /* number of pairs whose two times differ more than those of other
                             * pairs, as if one observer was delayed */
  gsize  only_a, only_b;
  gsize *of_a;              /* for each event of A the index of its partner, or GILK_PAIRS_NONE */
} GilkPairs;

#define GILK_PAIRS_NONE G_MAXSIZE

/**
 * gilk_pairs_clocks:
 * @expected: prior offset of the clocks, ns, which decides between several good fits
 * Finds the relation of the clocks from the events alone: coarsely by cross-correlation of the
 * rates, then by the differences within pairs. About 100 consecutive events that both
 * observers saw are enough, wherever they are. Returns FALSE if no relation stands out because
 * there are few events, or because the observers saw different events; sets @error only if it was
 * cancelled.
 */
gboolean   gilk_pairs_clocks (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 expected,
                              GilkClockRelation *relation, GCancellable *cancellable, GError **error);
/**
 * gilk_pairs_new:
 * @gap_ns: cost of an event without a partner, above 0; the times of a pair differ by less than
 *   twice this
 * @late_ns: if not 0, a second pass pairs remaining events whose times differ by less than twice
 *   this. That pass minimises the number of events without a partner first, then the cost
 * Returns NULL with @error if it was cancelled. (transfer full)
 */
GilkPairs *gilk_pairs_new    (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b,
                              const GilkClockRelation *relation, gint64 gap_ns, gint64 late_ns,
                              GCancellable *cancellable, GError **error);
void       gilk_pairs_free   (GilkPairs *match);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPairs, gilk_pairs_free)

G_END_DECLS
