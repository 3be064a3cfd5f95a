/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/gilk-discard.h"

#include <gio/gio.h>

typedef struct {
  gpointer       data;
  GDestroyNotify free_func;
} Discarded;

static void
discard_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  Discarded *discarded = task_data;

  discarded->free_func (discarded->data);
  g_task_return_boolean (task, TRUE);
}

void
gilk_discard (gpointer       data,
              GDestroyNotify free_func)
{
  g_autoptr(GTask) task = NULL;
  Discarded *discarded;

  if (data == NULL)
    return;

  discarded = g_new (Discarded, 1);
  *discarded = (Discarded) { data, free_func };
  task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_source_tag (task, gilk_discard);
  g_task_set_task_data (task, discarded, g_free);
  g_task_run_in_thread (task, discard_thread);
}
