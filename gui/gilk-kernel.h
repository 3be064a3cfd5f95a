/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kernel.h - opens a kernel: target, image, functions, driver, instruments
 *
 * Blocks, so it is for worker threads. What it returns belongs to one thread at a
 * time; its parts are as their own headers say.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/gilk-progress.h"
#include "core/cfg/gilk-function.h"
#include "core/target/gilk-image.h"

G_BEGIN_DECLS

typedef struct {
  GilkTarget    *target;
  GilkImage     *image;
  GilkFunctions *functions;
  GArray        *descs;                  /* struct ilk_instrument_desc; NULL without the driver */
  GStrv          names;                  /* of all instruments that can be used */
  GError        *warning;                /* connected, but not able to hook */
} GilkKernel;

GilkKernel *gilk_kernel_open (const char *spec, const GilkProgress *progress,
                              GCancellable *cancellable, GError **error);
/* Drops references; does not close the target. */
void        gilk_kernel_free (GilkKernel *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkKernel, gilk_kernel_free)

/* The inline instruments, then those of @descs, then those that @target (or NULL) could load. */
GStrv       gilk_kernel_names (GilkTarget *target, GArray *descs, GCancellable *cancellable);

G_END_DECLS
