/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kernel-open.h - connection setup: target, image, functions, driver, instruments
 *
 * Blocks, so it is for worker threads. The result may be used by one thread at a time; for its
 * parts see their headers.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/gilk-progress.h"
#include "core/cfg/gilk-function.h"
#include "core/image/gilk-image.h"

G_BEGIN_DECLS

typedef struct {
  GilkTarget    *target;
  GilkImage     *image;
  GilkFunctions *functions;
  GArray        *descs;                  /* struct ilk_instrument_desc; NULL without the driver */
  GStrv          names;                  /* of all usable instruments */
  GError        *warning;                /* connected, but hooks cannot be armed */
} GilkKernel;

GilkKernel *gilk_kernel_open (const char *spec, const GilkProgress *progress,
                              GCancellable *cancellable, GError **error);
/* Drops references; does not close the target. */
void        gilk_kernel_free (GilkKernel *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkKernel, gilk_kernel_free)

/* Returns the inline instruments, then those of @descs, then those that @target (nullable) could
   load. (transfer full) */
GStrv       gilk_kernel_names (GilkTarget *target, GArray *descs, GCancellable *cancellable);

G_END_DECLS
