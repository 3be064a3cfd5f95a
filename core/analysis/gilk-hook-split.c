/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-split.c - a hook's samples by process, CPU or any field
 */
#include "core/analysis/gilk-hook-samples.h"

#include <string.h>

#include "core/samples/gilk-samples.h"

static void
split_clear (gpointer data)
{
  GilkSplit *split = data;

  g_free (split->name);
  g_free (split->condition);
}

static int
compare_splits (gconstpointer a, gconstpointer b)
{
  const GilkStoredGroup *x = a, *y = b;

  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;

  return strcmp (x->value, y->value);
}

static void
group_clear (gpointer data)
{
  g_free (((GilkStoredGroup *) data)->value);
}

static GArray *
count_cpus (GilkStore *store, const GilkStoredHook *hook, const char *condition, GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  g_autoptr(GArray) counts = g_array_new (FALSE, TRUE, sizeof (uint64_t));
  GArray *groups;
  GilkSampleBlock block;
  GError *local = NULL;

  if (samples == NULL || (condition != NULL && !gilk_samples_add_condition (samples, condition, error)))
    return NULL;
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      {
        /* A damaged file may have any CPU number. */
        guint cpu = MIN (block.cpu[i], 1u << 16);

        if (cpu >= counts->len)
          g_array_set_size (counts, cpu + 1);
        g_array_index (counts, uint64_t, cpu)++;
      }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return NULL;
    }

  groups = g_array_new (FALSE, TRUE, sizeof (GilkStoredGroup));
  g_array_set_clear_func (groups, group_clear);
  for (guint cpu = 0; cpu < counts->len; cpu++)
    if (g_array_index (counts, uint64_t, cpu) > 0)
      {
        const GilkStoredGroup group = { .value = g_strdup_printf ("%u", cpu), .count = g_array_index (counts, uint64_t, cpu) };

        g_array_append_val (groups, group);
      }

  return groups;
}

/* Returns TRUE if values of the field need quotes in a condition. */
static gboolean
is_text (GilkStore *store, const GilkStoredHook *hook, const char *field)
{
  g_autoptr(GArray) fields = gilk_store_fields (store, hook->run, hook->instrument, NULL);
  const GilkStoredField *found = fields != NULL ? gilk_stored_field_find (fields, field) : NULL;

  return found != NULL && found->type == ILK_FIELD_TEXT;
}

GArray *
gilk_hook_split (GilkStore            *store,
                 const GilkStoredHook *hook,
                 const char           *field,
                 const char           *condition,
                 guint                 most,
                 uint64_t             *left,
                 GError              **error)
{
  g_autoptr(GArray) groups = strcmp (field, "cpu") == 0
    ? count_cpus (store, hook, condition, error)
    : gilk_store_group_between (store, hook, field, G_MININT64, G_MAXINT64, condition, error);
  const char *quote = is_text (store, hook, field) ? "\"" : "";
  GArray *splits;

  if (groups == NULL)
    return NULL;
  g_array_sort (groups, compare_splits);
  splits = g_array_new (FALSE, TRUE, sizeof (GilkSplit));
  g_array_set_clear_func (splits, split_clear);
  *left = 0;
  for (guint i = 0; i < groups->len; i++)
    {
      const GilkStoredGroup *group = &g_array_index (groups, GilkStoredGroup, i);
      g_autofree char *value = g_utf8_make_valid (group->value, -1);
      GilkSplit split;

      if (i >= most)
        {
          *left += group->count;
          continue;
        }
      split = (GilkSplit) { g_strdup_printf ("%s %s", field, value),
                            g_strdup_printf ("%s%s%s == %s%s%s", condition != NULL ? condition : "",
                                             condition != NULL ? " and " : "", field, quote, group->value, quote), group->count };
      g_array_append_val (splits, split);
    }

  return splits;
}
