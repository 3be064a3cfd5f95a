/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-map-sums.h - computes totals over all CPUs of a program's maps
 *
 * Threads: any; results are immutable.
 */
#pragma once

#include "core/store/gilk-store-program.h"

G_BEGIN_DECLS

/* An entry of a map; the key is 0 if the map is a single number. */
typedef struct {
  gint64 key, value;                  /* signed, or unsigned 64-bit, as the map declares */
  guint  first, n;                    /* the entry is the sum of @n values of the map, from index
                                       * @first on */
} GilkMapSum;

/* Returns the entries in order of their keys as signed numbers. (transfer full)
 * (element-type GilkMapSum) */
GArray *gilk_map_sums          (const GilkStoredMap *map);
/* Sorts @sums in descending order of values; stable. */
void    gilk_map_sort_by_value (GArray *sums);
/* Returns the value of a map that is a single number; 0 if it has no value. */
gint64  gilk_map_number        (const GilkStoredMap *map);

/* Format a value or a key of @map, with all digits. A key that has a name is shown by name; an
 * unsigned key of 2^63 or more, such as an address, in hexadecimal. (transfer full) */
/* Includes the unit of the map in the text, if the map has one. */
char    *gilk_map_value_text (const GilkStoredMap *map, gint64 value);
char    *gilk_map_key_text   (const GilkStoredMap *map, gint64 key);
/* Returns how many insertions into @map failed because it was full. @all: all maps of the same
 * hook */
uint64_t gilk_map_missed     (const GArray *all, const GilkStoredMap *map);

/* The buckets of a histogram, from its first to its last bucket that is not empty. */
typedef struct {
  guint     bits;
  guint     first, n;                 /* index of the first bucket, and number of buckets */
  uint64_t *counts;                   /* n */
  uint64_t  total;
} GilkMapBuckets;

/* Returns the buckets of histogram @map, summed over all CPUs. @bits: log2 of the number of buckets
 * per octave, at most the @bits of @map. (transfer full) */
GilkMapBuckets *gilk_map_buckets (const GilkStoredMap *map, guint bits);
void            gilk_map_buckets_free (GilkMapBuckets *buckets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkMapBuckets, gilk_map_buckets_free)

/* Returns the smallest value of bucket @i of @buckets; for @i == n the end of the last bucket. */
double gilk_map_edge      (const GilkMapBuckets *buckets, guint i);
/* Formats edge @i, which may be 2^64, with all digits. (transfer full) */
char  *gilk_map_edge_text (const GilkMapBuckets *buckets, guint i);
/* Returns the index of the bucket that contains the @p quantile. @buckets->n must not be 0. */
guint  gilk_map_quantile  (const GilkMapBuckets *buckets, double p);

G_END_DECLS
