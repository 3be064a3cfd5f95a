/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-part.c - parts: samples of one chunk, with the columns that a cursor requests
 */
#include "core/samples/gilk-samples-private.h"

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"

GilkSamplePart *
gilk_sample_part_new (const GilkSamples *samples,
                      guint              n)
{
  GilkSamplePart *part = g_new0 (GilkSamplePart, 1);
  guint width = samples->wanted->len;

  if (!samples->bare || samples->timed)
    part->t_ns = g_new (gint64, n);
  if (!samples->bare)
    {
      part->hook = g_new (gint64, n);
      part->cpu = g_new (uint32_t, n);
    }
  part->values = g_new0 (gint64 *, width + 1);
  part->texts = g_new0 (const char **, width + 1);
  part->missing = g_new0 (uint8_t *, width + 1);
  part->dictionaries = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint w = 0; w < width; w++)
    {
      guint f = g_array_index (samples->wanted, guint, w);

      if (g_array_index (samples->fields, GilkStoredField, f).type == ILK_FIELD_TEXT)
        part->texts[w] = g_new (const char *, n);
      else
        part->values[w] = g_new (gint64, n);
    }

  return part;
}

static void
free_columns (gpointer *columns, guint width)
{
  for (guint w = 0; w < width; w++)
    g_free (columns[w]);
  g_free (columns);
}

void
gilk_sample_part_free (const GilkSamples *samples,
                       GilkSamplePart    *part)
{
  if (part == NULL)
    return;
  free_columns ((gpointer *) part->values, samples->wanted->len);
  free_columns ((gpointer *) part->texts, samples->wanted->len);
  free_columns ((gpointer *) part->missing, samples->wanted->len);
  g_ptr_array_unref (part->dictionaries);
  gilk_free_all (part->t_ns, part->hook, part->cpu, part);
}

void
gilk_sample_part_show (const GilkSamplePart *part,
                       GilkSampleBlock      *block)
{
  *block = (GilkSampleBlock) {
    .n = part->n, .t_ns = part->t_ns, .hook = part->hook, .cpu = part->cpu,
    .values = (const gint64 *const *) part->values,
    .texts = (const char *const *const *) part->texts,
    .missing = (const uint8_t *const *) part->missing,
  };
}

guint
gilk_samples_hook_position (const GilkSamples *samples,
                            gint64             hook)
{
  const gint64 *ids = (const gint64 *) (const void *) samples->hooks->data;

  return GILK_BISECT (samples->hooks->len, i, ids[i] < hook);
}

gboolean
gilk_samples_wants_hook (const GilkSamples *samples,
                         gint64             hook)
{
  guint place = gilk_samples_hook_position (samples, hook);

  return place < samples->hooks->len && g_array_index (samples->hooks, gint64, place) == hook;
}
