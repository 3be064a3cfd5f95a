/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-module-types.h - the types of a module that tells none, by its debug data
 *
 * Threads: as in gilk-types.h and gilk-debug.h.
 */
#pragma once

#include "core/target/gilk-image.h"

G_BEGIN_DECLS

/**
 * gilk_module_types:
 * @module: as gilk_symbols_module() has it; not the kernel's, whose debug data are too large for this
 * Its types and functions, on top of the kernel's types where that tells some. The image keeps them.
 * Returns: (transfer full): NULL, with GILK_ERROR_NOT_FOUND: there are no debug data of it here, or without types;
 *   GILK_ERROR_FORMAT: those given are of another build, damaged, or too large
 */
GilkBtf *gilk_module_types (GilkImage *image, uint32_t module, GCancellable *cancellable, GError **error);

G_END_DECLS
