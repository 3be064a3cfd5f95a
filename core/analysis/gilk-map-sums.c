/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-map-sums.c - computes totals over all CPUs of a program's maps
 *
 * Sums wrap at 64 bits, as the values of each CPU do. Counts of buckets saturate.
 */
#include "core/analysis/gilk-map-sums.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/store/gilk-store-names.h"

GArray *
gilk_map_sums (const GilkStoredMap *map)
{
  const GilkStoreValue *values = (const GilkStoreValue *) (const void *) map->values->data;
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (GilkMapSum));

  for (guint i = 0; i < map->values->len; )
    {
      GilkMapSum sum = { .key = values[i].key, .first = i };

      for (; i < map->values->len && values[i].key == sum.key; i++, sum.n++)
        sum.value = (gint64) ((uint64_t) sum.value + (uint64_t) values[i].value);
      g_array_append_val (sums, sum);
    }

  return sums;
}

static int
compare_sums (const void *a, const void *b)
{
  const GilkMapSum *one = a, *other = b;

  return GILK_ORDER (other->value, one->value) ?: GILK_ORDER (one->first, other->first);
}

void
gilk_map_sort_by_value (GArray *sums)
{
  if (sums->len > 0)
    qsort (sums->data, sums->len, sizeof (GilkMapSum), compare_sums);
}

gint64
gilk_map_number (const GilkStoredMap *map)
{
  g_autoptr(GArray) sums = gilk_map_sums (map);

  return sums->len > 0 ? g_array_index (sums, GilkMapSum, 0).value : 0;
}

/* Formats values of hash maps, and of globals declared as signed, as signed numbers. */
char *
gilk_map_value_text (const GilkStoredMap *map,
                     gint64               value)
{
  gboolean is_signed = map->kind == GILK_MAP_HASH || (map->kind == GILK_MAP_GLOBAL && map->is_signed);

  const char *space = map->unit != NULL ? " " : "", *unit = map->unit != NULL ? map->unit : "";

  return is_signed ? g_strdup_printf ("%" PRId64 "%s%s", value, space, unit)
                   : g_strdup_printf ("%" PRIu64 "%s%s", (uint64_t) value, space, unit);
}

/* Returns the name of a key, or NULL if it has none. */
static const char *
find_key_name (const GilkStoredMap *map, gint64 key)
{
  return map->names != NULL ? g_hash_table_lookup (map->names, &key) : NULL;
}

char *
gilk_map_key_text (const GilkStoredMap *map,
                   gint64               key)
{
  const char *name = find_key_name (map, key);

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
gilk_map_missed (const GArray        *all,
                 const GilkStoredMap *map)
{
  uint64_t missed = 0;

  for (guint i = 0; i < all->len; i++)
    {
      const GilkStoredMap *other = &g_array_index (all, GilkStoredMap, i);

      if (other->kind == GILK_MAP_MISSED && strcmp (other->name, map->name) == 0)
        missed += MIN ((uint64_t) gilk_map_number (other), G_MAXUINT64 - missed);
    }

  return missed;
}

/* ---- sums the buckets of a histogram over all CPUs ---- */

static guint
get_bucket (const GilkStoredMap *map, guint i, guint bits)
{
  guint bucket = (guint) g_array_index (map->values, GilkStoreValue, i).key;

  return bits == map->bits ? bucket : gilk_ops_bucket (gilk_ops_bucket_least (bucket, map->bits), bits);
}

static void
add_saturating (uint64_t *sum, uint64_t more)
{
  *sum += MIN (more, G_MAXUINT64 - *sum);
}

GilkMapBuckets *
gilk_map_buckets (const GilkStoredMap *map,
                  guint                bits)
{
  GilkMapBuckets *buckets = g_new0 (GilkMapBuckets, 1);

  g_assert (map->kind == GILK_MAP_HISTOGRAM && bits <= map->bits);
  buckets->bits = bits;
  if (map->values->len == 0)
    return buckets;
  buckets->first = get_bucket (map, 0, bits);
  buckets->n = get_bucket (map, map->values->len - 1, bits) - buckets->first + 1;
  buckets->counts = g_new0 (uint64_t, buckets->n);
  for (guint i = 0; i < map->values->len; i++)
    {
      uint64_t count = (uint64_t) g_array_index (map->values, GilkStoreValue, i).value;

      add_saturating (&buckets->counts[get_bucket (map, i, bits) - buckets->first], count);
      add_saturating (&buckets->total, count);
    }

  return buckets;
}

void
gilk_map_buckets_free (GilkMapBuckets *buckets)
{
  if (buckets == NULL)
    return;

  g_free (buckets->counts);
  g_free (buckets);
}

static gboolean
is_end (const GilkMapBuckets *buckets, guint i)
{
  return buckets->first + i >= gilk_ops_buckets (buckets->bits);
}

double
gilk_map_edge (const GilkMapBuckets *buckets,
               guint                 i)
{
  return is_end (buckets, i) ? 0x1p64 : (double) gilk_ops_bucket_least (buckets->first + i, buckets->bits);
}

char *
gilk_map_edge_text (const GilkMapBuckets *buckets,
                    guint                 i)
{
  if (is_end (buckets, i))
    return g_strdup ("18446744073709551616");

  return g_strdup_printf ("%" PRIu64, gilk_ops_bucket_least (buckets->first + i, buckets->bits));
}

guint
gilk_map_quantile (const GilkMapBuckets *buckets,
                   double                p)
{
  double wanted = MAX (1.0, ceil (p * (double) buckets->total));
  uint64_t sum = 0;

  for (guint i = 0; i < buckets->n; i++)
    {
      add_saturating (&sum, buckets->counts[i]);
      if ((double) sum >= wanted)
        return i;
    }

  return buckets->n - 1;
}
