/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-progress.c - work that takes long: reports the progress of operations, and frees large
 * data in the background
 *
 * gilk_progress() accepts NULL, so that callers without progress reports need no test.
 */
#include "core/base/gilk-progress.h"

void
gilk_progress (const GilkProgress *progress,
               const char         *what,
               double              fraction)
{
  if (progress == NULL || progress->func == NULL)
    return;

  progress->func (what, MIN (fraction, 1.0), progress->user_data);
}

/* ---- frees large data in the background ---- */

typedef struct {
  gpointer       data;
  GDestroyNotify free_func;
} Discarded;

static gpointer
free_discarded (gpointer data)
{
  Discarded *discarded = data;

  discarded->free_func (discarded->data);
  g_free (discarded);

  return NULL;
}

void
gilk_discard (gpointer       data,
              GDestroyNotify free_func)
{
  GThread *thread;
  Discarded *discarded;

  if (data == NULL)
    return;

  discarded = g_new (Discarded, 1);
  *discarded = (Discarded) { data, free_func };
  thread = g_thread_try_new ("gilk-discard", free_discarded, discarded, NULL);
  if (thread != NULL)
    g_thread_unref (thread);
  else
    free_discarded (discarded);
}
