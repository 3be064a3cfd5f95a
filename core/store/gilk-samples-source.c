/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-source.c - chooses the source of samples: chunks, or a table of a session before
 * version 4
 */
#include "core/store/gilk-samples-private.h"

gboolean
gilk_samples_begin (GilkSamples *samples,
                    GError     **error)
{
  samples->begun = TRUE;
  if (samples->on_intervals->len > 0)
    {
      samples->ordered = samples->timed = TRUE;
      samples->bare = samples->bare && samples->hooks->len == 1;
    }

  return samples->table != NULL ? gilk_samples_list_rows (samples, error)
                                : gilk_samples_list_chunks (samples, error);
}

/* Checks the cancellable here too: SQLite also does, but runs hardly any code between chunks. */
GilkSamplePart *
gilk_samples_read_part (GilkSamples *samples,
                        GError     **error)
{
  GilkSamplePart *part;

  if (g_cancellable_is_cancelled (samples->store->cancellable))
    {
      gilk_guard_interrupted (samples->store, error);
      return NULL;
    }
  part = samples->table != NULL ? gilk_samples_read_rows (samples, error)
                                : gilk_samples_read_chunk (samples, error);
  if (part != NULL)
    part->serial = samples->serial++;

  return part;
}
