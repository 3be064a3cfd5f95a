/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-type-scope.h - types as they are known at an instruction or for a variable
 *
 * They come from BTF and from debug data. Debug data also have the types of a kernel or module
 * without BTF, those local to a function, and those of variables, but are read only when they are
 * needed, because a module or a unit of the kernel may take up to a second.
 *
 * Threads: as in gilk-types.h and gilk-debug.h.
 */
#pragma once

#include "core/image/gilk-image.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t       module;       /* as in gilk_symbols_module() */
  GilkDwarfScope place;        /* of the use, in run-time addresses */
} GilkTypeScope;

/* Returns whether @error means that there are no types, and not that the target failed. */
gboolean gilk_types_are_missing (const GError *error);

/**
 * gilk_scope_types:
 * Returns the module's BTF; if it has none, its types from debug data.
 * Returns: (transfer full): NULL with an error that gilk_types_are_missing(), or with the target's
 */
GilkBtf *gilk_scope_types       (GilkImage *image, const GilkTypeScope *scope, GCancellable *cancellable, GError **error);
/**
 * gilk_scope_debug_types:
 * Returns the types from debug data, on top of the module's BTF or else the kernel's. Ids of the
 * BTF are valid in the result. The image caches them.
 * Returns: (transfer full): NULL, with GILK_ERROR_NOT_FOUND: no debug data on this machine, or none
 *   with types; GILK_ERROR_FORMAT: they are of another build, damaged, or too large
 */
GilkBtf *gilk_scope_debug_types (GilkImage *image, const GilkTypeScope *scope, GCancellable *cancellable, GError **error);

G_END_DECLS
