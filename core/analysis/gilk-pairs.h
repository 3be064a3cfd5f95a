/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pairs.h - the same events as two observers saw them, each by a clock of its own
 *
 * All that is known of an event is its time. So pairs are those of the alignment that costs
 * least: a pair costs what its times are apart, an event without a partner costs a gap.
 *
 * Threads: any. Times are nanoseconds, ascending; arrays are the caller's.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Where A's clock shows t, B's shows t + offset_ns + rate * (t - zero_ns). */
typedef struct {
  gint64 zero_ns;
  gint64 offset_ns;
  double rate;              /* 1e-6: B's gains a microsecond a second */
} GilkClockRelation;

gint64 gilk_clock_relation_forth (const GilkClockRelation *relation, gint64 a_ns);
gint64 gilk_clock_relation_back  (const GilkClockRelation *relation, gint64 b_ns);

typedef struct {
  gsize  n_pairs;
  gsize  n_late;            /* of these, further apart than others are, as if one observer was held up */
  gsize  only_a, only_b;
  gsize *of_a;              /* for each of A the number of its partner, or GILK_PAIRS_NONE */
} GilkPairs;

#define GILK_PAIRS_NONE G_MAXSIZE

/**
 * gilk_pairs_clocks:
 * @expected: what the relation should be, if several fit alike
 * How the clocks relate, found by the events alone: coarsely by the correlation of their rates, then
 * by how far pairs are apart. Some 100 events that both saw in a row are enough, wherever they lie. FALSE if no
 * relation stands out, as there are few events, or others; with @error only if it was cancelled.
 */
gboolean   gilk_pairs_clocks (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 expected,
                              GilkClockRelation *relation, GCancellable *cancellable, GError **error);
/**
 * gilk_pairs_new:
 * @gap_ns: what an event without a partner costs, above 0; pairs are less than twice as far apart
 * @late_ns: of what is left pairs are made once more, less than twice this apart, so that as few as can
 *   be are without a partner, and then so that it costs least; 0: they are not
 * NULL with @error if it was cancelled. (transfer full)
 */
GilkPairs *gilk_pairs_new    (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b,
                              const GilkClockRelation *relation, gint64 gap_ns, gint64 late_ns,
                              GCancellable *cancellable, GError **error);
void       gilk_pairs_free   (GilkPairs *match);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPairs, gilk_pairs_free)

G_END_DECLS
