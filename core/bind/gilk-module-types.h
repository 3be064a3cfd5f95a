/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-module-types.h - types of a module without BTF, from its debug data
 *
 * Threads: as in gilk-types.h and gilk-debug.h.
 */
#pragma once

#include "core/image/gilk-image.h"

G_BEGIN_DECLS

/**
 * gilk_module_types:
 * @module: as in gilk_symbols_module(); not the kernel, whose debug data are too large for this
 * Returns the module's types and functions, on top of the kernel's types if it has BTF. The image
 * caches them.
 * Returns: (transfer full): NULL, with GILK_ERROR_NOT_FOUND: no debug data on this machine, or none
 *   with types; GILK_ERROR_FORMAT: the debug data are of another build, damaged, or too large
 */
GilkBtf *gilk_module_types (GilkImage *image, uint32_t module, GCancellable *cancellable, GError **error);

G_END_DECLS
