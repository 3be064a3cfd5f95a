/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-part.c - parts: samples with the columns that a cursor needs; and stepping through
 * the list of chunks
 */
#include "core/samples/gilk-samples-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

gboolean
gilk_samples_step (GilkSamples *samples,
                   gboolean     by_time,
                   GError     **error)
{
  gint64 before_ns = samples->begun_list ? samples->next_ns : G_MININT64;
  GError *local = NULL;

  samples->has_next = gilk_sql_next (samples->store, samples->list, &local);
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  if (!samples->has_next)
    return TRUE;
  samples->begun_list = TRUE;
  samples->next_ns = sqlite3_column_int64 (samples->list, 0);
  if (!by_time || samples->next_ns >= before_ns)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               _("%s is damaged: by one of its indexes, samples are not in order of time. Rebuild the indexes of a "
                 "copy with REINDEX in sqlite3."), samples->store->path);

  return FALSE;
}

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

      if (g_array_index (samples->fields, GilkSampleField, f).type == ILK_FIELD_TEXT)
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
  g_free (part->t_ns);
  g_free (part->hook);
  g_free (part->cpu);
  g_free (part);
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
  guint low = 0, high = samples->hooks->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (ids[middle] < hook)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

gboolean
gilk_samples_wants_hook (const GilkSamples *samples,
                         gint64             hook)
{
  guint place = gilk_samples_hook_position (samples, hook);

  return place < samples->hooks->len && g_array_index (samples->hooks, gint64, place) == hook;
}
