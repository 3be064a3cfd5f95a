/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-type-scope.h - finds the types that apply at an instruction or to a variable
 *
 * Types come from BTF and from debug data. Debug data also have types of a kernel or module without
 * BTF, types local to a function, and the types of variables. Debug data are read only if
 * necessary, because the types of one module, or of one unit of the kernel, may take up to a
 * second.
 *
 * Threads: as in gilk-debug.h.
 */
#pragma once

#include "core/image/gilk-image.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t       module;       /* index of the module, as in gilk_symbols_module() */
  GilkDwarfScope place;        /* the instruction or variable whose types are wanted; addresses are
                                * run-time addresses */
} GilkTypeScope;

/* Returns whether @error means that types are missing, as opposed to a failure of the target. */
gboolean gilk_types_are_missing (const GError *error);

/**
 * gilk_scope_types:
 * Returns the module's BTF; if the module has none, its types from debug data.
 * Returns: (transfer full): NULL with an error for which gilk_types_are_missing() returns TRUE, or
 * with an error of the target
 */
GilkBtf *gilk_scope_types       (GilkImage *image, const GilkTypeScope *scope, GCancellable *cancellable, GError **error);
/**
 * gilk_scope_debug_types:
 * Returns the types from debug data, on top of the module's BTF or else the kernel's. Ids of that
 * BTF are valid in the result. The image caches the types.
 * Returns: (transfer full): NULL with GILK_ERROR_NOT_FOUND if this machine has no debug data, or if
 * these lack types; NULL with GILK_ERROR_FORMAT if the debug data are of another build, damaged,
 * or too large
 */
GilkBtf *gilk_scope_debug_types (GilkImage *image, const GilkTypeScope *scope, GCancellable *cancellable, GError **error);

G_END_DECLS
