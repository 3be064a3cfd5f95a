/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kept-sums.h - what a program kept, of all CPUs together
 *
 * Threads: any; what is made does not change.
 */
#pragma once

#include "core/store/gilk-store-program.h"

G_BEGIN_DECLS

/* A key of a map, or key 0 of a single number. */
typedef struct {
  gint64 key, value;                  /* both as @kept has them: with a sign, or 64 bits without one */
  guint  first, n;                    /* of its values: those it is the sum of */
} GilkKeptSum;

/* By key, as numbers with a sign. (transfer full) (element-type GilkKeptSum) */
GArray  *gilk_kept_sums     (const GilkStoredKept *kept);
/* Greatest value first; of equal ones in the order they had. */
void     gilk_kept_by_value (GArray *sums);
/* Of a single number: 0 where there is none. */
gint64   gilk_kept_number   (const GilkStoredKept *kept);

/* @value of it, @key of a map, in all digits; an address is read as one. (transfer full) */
/* With its unit, if it has one. */
char    *gilk_kept_value_text (const GilkStoredKept *kept, gint64 value);
char    *gilk_kept_key_text   (const GilkStoredKept *map, gint64 key);
/* What a key is called; NULL: by no name. */
const char *gilk_kept_key_name (const GilkStoredKept *map, gint64 key);
/* How many times a key found no room in @map, of @all that its hook keeps. */
uint64_t gilk_kept_missed     (const GArray *all, const GilkStoredKept *map);

/* A histogram from its first bucket that is not empty to its last. */
typedef struct {
  guint     bits;
  guint     first, n;                 /* numbers of buckets; n is 0 if all are empty */
  uint64_t *counts;                   /* n */
  uint64_t  total;
} GilkKeptBuckets;

/* @bits: up to those of @kept: so many fewer buckets in an octave. (transfer full) */
GilkKeptBuckets *gilk_kept_buckets (const GilkStoredKept *kept, guint bits);
void             gilk_kept_buckets_free (GilkKeptBuckets *buckets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkKeptBuckets, gilk_kept_buckets_free)

/* Where bucket @i of those in @buckets begins: least value in it. Of n: behind the last one. */
double           gilk_kept_edge       (const GilkKeptBuckets *buckets, guint i);
/* The same in all its digits, which may be 2^64. (transfer full) */
char            *gilk_kept_edge_text  (const GilkKeptBuckets *buckets, guint i);
/* Which of them holds the value that a share @p of all is at most. n is not 0. */
guint            gilk_kept_quantile   (const GilkKeptBuckets *buckets, double p);

G_END_DECLS
