/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kept-sums.c - totals over all CPUs of the maps that a program keeps
 *
 * Sums wrap at 64 bits, as each CPU's own do. Counts of buckets saturate.
 */
#include "core/analysis/gilk-kept-sums.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/store/gilk-store-names.h"

GArray *
gilk_kept_sums (const GilkStoredKept *kept)
{
  const GilkStoreValue *values = (const GilkStoreValue *) (const void *) kept->values->data;
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (GilkKeptSum));

  for (guint i = 0; i < kept->values->len; )
    {
      GilkKeptSum sum = { .key = values[i].key, .first = i };

      for (; i < kept->values->len && values[i].key == sum.key; i++, sum.n++)
        sum.value = (gint64) ((uint64_t) sum.value + (uint64_t) values[i].value);
      g_array_append_val (sums, sum);
    }

  return sums;
}

static int
compare_sums (const void *a, const void *b)
{
  const GilkKeptSum *one = a, *other = b;

  if (one->value != other->value)
    return one->value > other->value ? -1 : 1;

  return (one->first > other->first) - (one->first < other->first);
}

void
gilk_kept_by_value (GArray *sums)
{
  if (sums->len > 0)
    qsort (sums->data, sums->len, sizeof (GilkKeptSum), compare_sums);
}

gint64
gilk_kept_number (const GilkStoredKept *kept)
{
  g_autoptr(GArray) sums = gilk_kept_sums (kept);

  return sums->len > 0 ? g_array_index (sums, GilkKeptSum, 0).value : 0;
}

/* A map's values are accumulated as signed numbers. */
char *
gilk_kept_value_text (const GilkStoredKept *kept,
                      gint64                value)
{
  gboolean is_signed = kept->kind == GILK_KEPT_MAP || (kept->kind == GILK_KEPT_GLOBAL && kept->is_signed);

  const char *space = kept->unit != NULL ? " " : "", *unit = kept->unit != NULL ? kept->unit : "";

  return is_signed ? g_strdup_printf ("%" PRId64 "%s%s", value, space, unit)
                   : g_strdup_printf ("%" PRIu64 "%s%s", (uint64_t) value, space, unit);
}

const char *
gilk_kept_key_name (const GilkStoredKept *map,
                    gint64                key)
{
  return map->names != NULL ? g_hash_table_lookup (map->names, &key) : NULL;
}

char *
gilk_kept_key_text (const GilkStoredKept *map,
                    gint64                key)
{
  const char *name = gilk_kept_key_name (map, key);

  if (name != NULL && g_strcmp0 (map->meaning, GILK_MEANING_ERRNO) == 0)
    return g_strdup_printf ("-%s (%" PRId64 ")", name, key);
  if (name != NULL && g_str_has_prefix (map->meaning, GILK_MEANING_ENUM))
    return g_strdup_printf ("%s (%" PRId64 ")", name, key);
  if (name != NULL)
    return g_strdup (name);

  return map->is_signed || key >= 0 ? g_strdup_printf ("%" PRId64, key)
                                    : g_strdup_printf ("0x%016" PRIx64, (uint64_t) key);
}

uint64_t
gilk_kept_missed (const GArray         *all,
                  const GilkStoredKept *map)
{
  uint64_t missed = 0;

  for (guint i = 0; i < all->len; i++)
    {
      const GilkStoredKept *kept = &g_array_index (all, GilkStoredKept, i);

      if (kept->kind == GILK_KEPT_MISSED && strcmp (kept->name, map->name) == 0)
        missed += MIN ((uint64_t) gilk_kept_number (kept), G_MAXUINT64 - missed);
    }

  return missed;
}

/* ---- histograms ---- */

static guint
bucket_of (const GilkStoredKept *kept, guint i, guint bits)
{
  guint bucket = (guint) g_array_index (kept->values, GilkStoreValue, i).key;

  return bits == kept->bits ? bucket : gilk_ops_bucket (gilk_ops_bucket_least (bucket, kept->bits), bits);
}

static void
add (uint64_t *sum, uint64_t more)
{
  *sum += MIN (more, G_MAXUINT64 - *sum);
}

GilkKeptBuckets *
gilk_kept_buckets (const GilkStoredKept *kept,
                   guint                 bits)
{
  GilkKeptBuckets *buckets = g_new0 (GilkKeptBuckets, 1);

  g_assert (kept->kind == GILK_KEPT_HISTOGRAM && bits <= kept->bits);
  buckets->bits = bits;
  if (kept->values->len == 0)
    return buckets;
  buckets->first = bucket_of (kept, 0, bits);
  buckets->n = bucket_of (kept, kept->values->len - 1, bits) - buckets->first + 1;
  buckets->counts = g_new0 (uint64_t, buckets->n);
  for (guint i = 0; i < kept->values->len; i++)
    {
      uint64_t count = (uint64_t) g_array_index (kept->values, GilkStoreValue, i).value;

      add (&buckets->counts[bucket_of (kept, i, bits) - buckets->first], count);
      add (&buckets->total, count);
    }

  return buckets;
}

void
gilk_kept_buckets_free (GilkKeptBuckets *buckets)
{
  if (buckets == NULL)
    return;

  g_free (buckets->counts);
  g_free (buckets);
}

static gboolean
is_end (const GilkKeptBuckets *buckets, guint i)
{
  return buckets->first + i >= gilk_ops_buckets (buckets->bits);
}

double
gilk_kept_edge (const GilkKeptBuckets *buckets,
                guint                  i)
{
  return is_end (buckets, i) ? 0x1p64 : (double) gilk_ops_bucket_least (buckets->first + i, buckets->bits);
}

char *
gilk_kept_edge_text (const GilkKeptBuckets *buckets,
                     guint                  i)
{
  if (is_end (buckets, i))
    return g_strdup ("18446744073709551616");

  return g_strdup_printf ("%" PRIu64, gilk_ops_bucket_least (buckets->first + i, buckets->bits));
}

guint
gilk_kept_quantile (const GilkKeptBuckets *buckets,
                    double                 p)
{
  double wanted = MAX (1.0, ceil (p * (double) buckets->total));
  uint64_t sum = 0;

  for (guint i = 0; i < buckets->n; i++)
    {
      add (&sum, buckets->counts[i]);
      if ((double) sum >= wanted)
        return i;
    }

  return buckets->n - 1;
}
