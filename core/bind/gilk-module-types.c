/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-module-types.c - types of a module without BTF, from its debug data
 */
#include "core/bind/gilk-module-types.h"

#include "core/base/gilk-error.h"

GilkBtf *
gilk_module_types (GilkImage     *image,
                   uint32_t       module,
                   GCancellable  *cancellable,
                   GError       **error)
{
  const char *name = gilk_symbols_module (gilk_image_symbols (image), module);
  g_autoptr(GError) local = NULL;
  g_autoptr(GilkBtf) kernel = gilk_types_get (gilk_image_types (image), NULL, cancellable, &local);

  if (kernel == NULL && !g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND) &&
      !g_error_matches (local, GILK_ERROR, GILK_ERROR_FORMAT))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }

  return gilk_debug_types (gilk_image_debug (image), name, kernel, cancellable, error);
}
