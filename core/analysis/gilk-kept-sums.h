/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kept-sums.h - totals over all CPUs of the maps that a program keeps
 *
 * Threads: any; results are immutable.
 */
#pragma once

#include "core/store/gilk-store-program.h"

G_BEGIN_DECLS

/* Entry of a map; key 0 for a single number. */
typedef struct {
  gint64 key, value;                  /* both as in @kept: signed, or unsigned 64-bit */
  guint  first, n;                    /* range of the values it is the sum of */
} GilkKeptSum;

/* Returns the entries in order of their keys as signed numbers. (transfer full)
 * (element-type GilkKeptSum) */
GArray  *gilk_kept_sums     (const GilkStoredKept *kept);
/* Sorts in descending order of values; stable. */
void     gilk_kept_by_value (GArray *sums);
/* Returns the value of a single number, 0 if it has none. */
gint64   gilk_kept_number   (const GilkStoredKept *kept);

/* Format a value of @kept and a key of @map in all digits; keys by name if they have one, unsigned
 * ones from 2^63 on, such as addresses, in hexadecimal. (transfer full) */
/* Appends the unit, if there is one. */
char    *gilk_kept_value_text (const GilkStoredKept *kept, gint64 value);
char    *gilk_kept_key_text   (const GilkStoredKept *map, gint64 key);
/* Returns the name of a key, or NULL if it has none. */
const char *gilk_kept_key_name (const GilkStoredKept *map, gint64 key);
/* Returns how often a key found no room in @map. @all: all that its hook keeps */
uint64_t gilk_kept_missed     (const GArray *all, const GilkStoredKept *map);

/* A histogram from its first non-empty bucket to its last. */
typedef struct {
  guint     bits;
  guint     first, n;                 /* bucket numbers; n is 0 if all are empty */
  uint64_t *counts;                   /* n */
  uint64_t  total;
} GilkKeptBuckets;

/* @bits: log2 of the buckets per octave, at most that of @kept. (transfer full) */
GilkKeptBuckets *gilk_kept_buckets (const GilkStoredKept *kept, guint bits);
void             gilk_kept_buckets_free (GilkKeptBuckets *buckets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkKeptBuckets, gilk_kept_buckets_free)

/* Returns the least value of bucket @i of @buckets; for @i == n the end of the last bucket. */
double           gilk_kept_edge       (const GilkKeptBuckets *buckets, guint i);
/* Returns the same in all digits; it may be 2^64. (transfer full) */
char            *gilk_kept_edge_text  (const GilkKeptBuckets *buckets, guint i);
/* Returns the bucket that contains the @p quantile. @buckets->n must not be 0. */
guint            gilk_kept_quantile   (const GilkKeptBuckets *buckets, double p);

G_END_DECLS
