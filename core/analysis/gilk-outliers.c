/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-outliers.c - finds the largest values, and the samples just before each of them on the same
 * CPU
 */
#include "core/analysis/gilk-outliers.h"

#include <math.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/emit/gilk-inline.h"
#include "core/samples/gilk-samples.h"

#define FIRST_NS  G_GINT64_CONSTANT (1000000)     /* length of the first range that is searched
                                                   * backwards, ns; each further range is FARTHER
                                                   * times as long as the one before */
#define FARTHER   16

/* ---- finds the largest values ---- */

static int
compare_by_value (gconstpointer a, gconstpointer b)
{
  const GilkOutlier *x = a, *y = b;

  return GILK_ORDER (y->value, x->value) ?: GILK_ORDER (x->time, y->time);
}

/* Sifts down element @at of @found, a heap with the smallest value at the root. */
static void
sift_down (GArray *found, guint at)
{
  for (;;)
    {
      guint least = at;

      for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < found->len; child++)
        if (compare_by_value (&g_array_index (found, GilkOutlier, child),
                              &g_array_index (found, GilkOutlier, least)) > 0)
          least = child;
      if (least == at)
        return;
      GilkOutlier swap = g_array_index (found, GilkOutlier, at);

      g_array_index (found, GilkOutlier, at) = g_array_index (found, GilkOutlier, least);
      g_array_index (found, GilkOutlier, least) = swap;
      at = least;
    }
}

static void
offer_outlier (GArray *found, guint n, const GilkOutlier *one)
{
  if (found->len < n)
    {
      g_array_append_val (found, *one);
      if (found->len == n)
        for (guint i = n; i-- > 0;)
          sift_down (found, i);
      return;
    }
  if (compare_by_value (one, &g_array_index (found, GilkOutlier, 0)) >= 0)
    return;
  g_array_index (found, GilkOutlier, 0) = *one;
  sift_down (found, 0);
}

GArray *
gilk_hook_outliers (GilkStore            *store,
                    const GilkStoredHook *hook,
                    const GilkHookAsk    *ask,
                    guint                 n,
                    GError              **error)
{
  g_autoptr(GilkHookStream) stream = gilk_hook_stream_new (store, hook, ask, error);
  g_autoptr(GArray) found = g_array_new (FALSE, FALSE, sizeof (GilkOutlier));
  GError *local = NULL;
  GilkHookBlock block;

  if (stream == NULL)
    return NULL;
  while (n > 0 && gilk_hook_stream_next (stream, &block, &local))
    for (guint i = 0; i < block.n; i++)
      {
        const GilkOutlier one = { block.values[i], block.times[i], block.cpu[i] };

        if (isfinite (one.value))
          offer_outlier (found, n, &one);
      }
  if (!gilk_check_end (&local, error))
    return NULL;
  g_array_sort (found, compare_by_value);

  return g_steal_pointer (&found);
}

/* ---- finds the last samples before a given time ---- */

GILK_DEFINE_CLEAR (before_clear, GilkBefore, self, g_free (self->fields))

static int
compare_by_time (gconstpointer a, gconstpointer b)
{
  const GilkBefore *x = a, *y = b;

  return GILK_ORDER (x->time, y->time) ?: GILK_ORDER (x->hook, y->hook);
}

static void
add_field (GString *text, const GilkStoredField *field, gint64 value)
{
  if (field->type == ILK_FIELD_HEX64)
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x", (guint64) value);
  else if (field->type == ILK_FIELD_U64)
    g_string_append_printf (text, "%" G_GUINT64_FORMAT, (guint64) value);
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT, value);
}

/* Formats the fields of sample @i as text such as "comm cat asleep 2300 ns". */
static char *
describe_sample (const GilkSampleBlock *block, const GArray *fields, const guint *numbers, guint i)
{
  GString *text = g_string_new (NULL);

  for (guint f = 0; f < fields->len; f++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, f);
      guint number = numbers[f];

      if (block->missing[number] != NULL && block->missing[number][i])
        continue;
      g_string_append_printf (text, "%s%s ", text->len > 0 ? " " : "", field->name);
      if (field->type == ILK_FIELD_TEXT)
        g_string_append (text, block->texts[number][i]);
      else
        add_field (text, field, block->values[number][i]);
      if (field->unit != NULL && *field->unit != '\0')
        g_string_append_printf (text, " %s", field->unit);
    }

  return g_string_free (text, FALSE);
}

/* Adds the samples of hooks of one instrument to @found and keeps only the last @n. */
static gboolean
add_before (GArray *found, GilkStore *store, const GArray *hooks, gint64 from_ns, gint64 to_ns, uint32_t cpu,
            guint n, GError **error)
{
  const GilkStoredHook *first = &g_array_index (hooks, GilkStoredHook, 0);
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, first, hooks->len, error);
  g_autoptr(GArray) fields = gilk_store_fields (store, first->run, first->instrument, error);
  g_autofree char *condition = g_strdup_printf ("cpu == %u", cpu);
  g_autofree guint *numbers = NULL;
  GilkSampleBlock block;
  GError *local = NULL;

  if (samples == NULL || fields == NULL)
    return FALSE;
  gilk_samples_set_range (samples, from_ns, to_ns);
  gilk_samples_in_order (samples);
  numbers = g_new0 (guint, fields->len + 1);
  for (guint f = 0; f < fields->len; f++)
    {
      guint type;

      if (!gilk_samples_add_field (samples, g_array_index (fields, GilkStoredField, f).name, &numbers[f], &type,
                                   error))
        return FALSE;
    }
  if (!gilk_samples_add_condition (samples, condition, error))
    return FALSE;
  while (gilk_samples_next (samples, &block, &local))
    {
      /* Only the last @n samples of each block that the cursor returns can be among the last @n of
       * all samples. */
      for (guint i = block.n > n ? block.n - n : 0; i < block.n; i++)
        {
          GilkBefore one = { (double) block.t_ns[i] / 1e9, block.hook[i], describe_sample (&block, fields, numbers, i) };

          g_array_append_val (found, one);
        }
      g_array_sort (found, compare_by_time);
      if (found->len > n)
        g_array_remove_range (found, 0, found->len - n);
    }
  return gilk_check_end (&local, error);
}

static gboolean
takes_samples (const GilkStoredHook *hook)
{
  const GilkInline *known = gilk_inline_by_name (hook->instrument);

  return (known == NULL || known->samples) && hook->stored > 0;
}

/* Returns the hooks that have the same instrument as hook @i; their members are borrowed. Returns
 * NULL if hook @i is not the first of these hooks. */
static GArray *
list_same_instrument (const GArray *hooks, guint i)
{
  const GilkStoredHook *first = &g_array_index (hooks, GilkStoredHook, i);
  g_autoptr(GArray) same = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));

  for (guint k = 0; k < hooks->len; k++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, k);

      if (strcmp (hook->instrument, first->instrument) != 0 || !takes_samples (hook))
        continue;
      if (k < i)
        return NULL;
      g_array_append_val (same, *hook);
    }

  return same->len > 0 ? g_steal_pointer (&same) : NULL;
}

GArray *
gilk_samples_before (GilkStore    *store,
                     const GArray *hooks,
                     double        time,
                     uint32_t      cpu,
                     guint         n,
                     GError      **error)
{
  gint64 to_ns = (gint64) rint (time * 1e9), span = FIRST_NS;
  g_autoptr(GArray) found = gilk_array_new (sizeof (GilkBefore), before_clear);

  for (;;)
    {
      gint64 from_ns = span < to_ns ? to_ns - span : G_MININT64;

      g_array_set_size (found, 0);
      for (guint i = 0; i < hooks->len; i++)
        {
          g_autoptr(GArray) same = takes_samples (&g_array_index (hooks, GilkStoredHook, i))
                                   ? list_same_instrument (hooks, i) : NULL;

          if (same != NULL && !add_before (found, store, same, from_ns, to_ns, cpu, n, error))
            return NULL;
        }
      if (found->len >= n || from_ns == G_MININT64)
        return g_steal_pointer (&found);
      span *= FARTHER;
    }
}
