/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kernel-open.c - connection setup: target, image, functions, driver, instruments
 */
#include "gui/run/gilk-connection.h"

#include <glib/gi18n.h>

#include "core/emit/gilk-inline.h"

GStrv
gilk_kernel_names (GilkTarget   *target,
                   GArray       *descs,
                   GCancellable *cancellable)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) files = target != NULL ? gilk_target_instrument_files (target, cancellable, NULL) : NULL;
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_inlines;
  const GilkInline *inlines = gilk_inlines (&n_inlines);

  for (guint i = 0; i < n_inlines; i++)
    {
      g_strv_builder_add (builder, inlines[i].name);
      g_hash_table_add (seen, (gpointer) inlines[i].name);
    }
  for (guint i = 0; descs != NULL && i < descs->len; i++)
    {
      struct ilk_instrument_desc *desc = &g_array_index (descs, struct ilk_instrument_desc, i);

      if (!gilk_instrument_is_of_tests (desc->name) && g_hash_table_add (seen, desc->name))
        g_strv_builder_add (builder, desc->name);
    }
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    if (!gilk_instrument_is_of_tests (files[i]) && g_hash_table_add (seen, files[i]))
      g_strv_builder_add (builder, files[i]);

  return g_strv_builder_end (builder);
}

/* A missing driver is a warning and not an error: the kernel can still be explored. */
static void
load_driver (GilkKernel         *kernel,
             const GilkProgress *progress,
             GCancellable       *cancellable)
{
  gilk_progress (progress, _("Loading the driver"), -1);
  if (!gilk_target_has_driver (kernel->target) &&
      !gilk_target_load_driver (kernel->target, cancellable, &kernel->warning))
    return;

  gilk_target_start_clock (kernel->target);
  kernel->descs = gilk_target_instruments (kernel->target, cancellable, &kernel->warning);
}

GilkKernel *
gilk_kernel_open (const char         *spec,
                  const GilkProgress *progress,
                  GCancellable       *cancellable,
                  GError            **error)
{
  g_autoptr(GilkKernel) kernel = g_new0 (GilkKernel, 1);

  kernel->target = gilk_target_open (spec, progress, cancellable, error);
  if (kernel->target == NULL)
    return NULL;
  gilk_target_use_cache (kernel->target);
  kernel->image = gilk_image_open (kernel->target, progress, cancellable, error);
  if (kernel->image == NULL)
    return NULL;

  gilk_progress (progress, _("Finding functions"), -1);
  kernel->functions = gilk_functions_new (kernel->image);
  load_driver (kernel, progress, cancellable);
  kernel->names = gilk_kernel_names (kernel->target, kernel->descs, cancellable);

  return g_steal_pointer (&kernel);
}

void
gilk_kernel_free (GilkKernel *kernel)
{
  g_clear_pointer (&kernel->functions, gilk_functions_unref);
  g_clear_pointer (&kernel->image, gilk_image_unref);
  g_clear_pointer (&kernel->target, gilk_target_unref);
  g_clear_pointer (&kernel->descs, g_array_unref);
  g_clear_pointer (&kernel->names, g_strfreev);
  g_clear_error (&kernel->warning);
  g_free (kernel);
}
