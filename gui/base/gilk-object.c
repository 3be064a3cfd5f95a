/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-object.c - adds signals to GObject classes, and cancels asynchronous jobs
 */
#include "gui/base/gilk-object.h"

void
gilk_add_signal (gpointer    klass,
                 const char *name,
                 guint       n_params,
                 ...)
{
  va_list types;

  va_start (types, n_params);
  g_signal_new_valist (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL, G_TYPE_NONE,
                       n_params, types);
  va_end (types);
}

void
gilk_cancel (GCancellable **job)
{
  g_cancellable_cancel (*job);
  g_clear_object (job);
}
