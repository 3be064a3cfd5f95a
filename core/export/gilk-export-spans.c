/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-spans.c - numbers the kernel functions that a job hooks, finds the gaps in their
 * samples, and converts samples to call marks (entries and exits of calls)
 */
#include "core/export/gilk-export-spans.h"

#include <math.h>

#include "core/analysis/gilk-hook-gaps.h"
#include "core/emit/gilk-inline.h"

gboolean
gilk_export_spans_init (GilkExportSpans     *spans,
                        const GilkExportJob *job,
                        GError             **error)
{
  g_autoptr(GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  *spans = (GilkExportSpans) {
    .names = g_ptr_array_new (),
    .gaps = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref),
    .functions = g_new0 (guint, job->n_hooks + 1),
  };
  for (guint i = 0; i < job->n_hooks; i++)
    {
      const GilkStoredHook *hook = &job->hooks[i];
      char *key = g_strconcat (hook->module != NULL ? hook->module : "", " ", hook->function, NULL);
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, key));

      if (number == 0)
        {
          g_ptr_array_add (spans->names, hook->function);
          g_ptr_array_add (spans->gaps, g_array_new (FALSE, FALSE, sizeof (GilkGap)));
          number = spans->names->len;
          g_hash_table_insert (numbers, key, GUINT_TO_POINTER (number));
        }
      else
        g_free (key);
      spans->functions[i] = number - 1;
      if (gilk_inline_is (hook->instrument, GILK_INLINE_SPAN) &&
          (!gilk_hook_gaps_add_lost (spans->gaps->pdata[number - 1], job->store, hook, error) ||
           !gilk_hook_gaps_add_switched_off (spans->gaps->pdata[number - 1], job->store, hook, error)))
        return FALSE;
    }
  for (guint i = 0; i < spans->gaps->len; i++)
    gilk_gaps_normalise (spans->gaps->pdata[i], INFINITY);

  return TRUE;
}

void
gilk_export_spans_clear (GilkExportSpans *spans)
{
  g_clear_pointer (&spans->names, g_ptr_array_unref);
  g_clear_pointer (&spans->gaps, g_ptr_array_unref);
  g_clear_pointer (&spans->functions, g_free);
}

GilkCallMark
gilk_export_spans_mark (const GilkExportSpans *spans,
                        const GilkEvents      *events,
                        const GilkSampleBlock *block,
                        guint                  frame,
                        guint                  i)
{
  guint hook = (guint) gilk_hook_index_find (events->index, block->hook[i]);

  return (GilkCallMark) {
    .frame = (uint64_t) block->values[frame][i], .t_ns = block->t_ns[i],
    .function = spans->functions[hook], .hook = hook, .cpu = block->cpu[i],
    .is_exit = gilk_export_is_exit (&events->job->hooks[hook]),
  };
}

gboolean
gilk_export_spans_has (const GilkSampleBlock *block,
                       int                    frame,
                       guint                  i)
{
  return frame >= 0 && (block->missing[frame] == NULL || !block->missing[frame][i]);
}
