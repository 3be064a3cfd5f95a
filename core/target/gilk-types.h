/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-types.h - the types of a target's kernel and of its modules, asked for when they are needed
 *
 * An image has one of these; what it gave it keeps. The kernel's own are some 5 MB, come once, and are the
 * base of each module's. That there are none is kept as well; that asking was cancelled, or the target lost, is not.
 *
 * Threads: any. Who is first asks the target, and may block for seconds; who wants the same meanwhile waits for
 * it, and nobody else does: no lock is held. On failure nothing is as it was not.
 */
#pragma once

#include "core/target/gilk-btf.h"
#include "core/target/gilk-target.h"

G_BEGIN_DECLS

typedef struct _GilkTypes GilkTypes;

/* @target: (nullable): without one there are those that were put */
GilkTypes *gilk_types_new   (GilkTarget *target);
GilkTypes *gilk_types_ref   (GilkTypes *types);
void       gilk_types_unref (GilkTypes *types);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkTypes, gilk_types_unref)

/**
 * gilk_types_get:
 * @module: (nullable): NULL, or "kernel", as symbols have it: the kernel itself
 * Returns: (transfer full): NULL, with GILK_ERROR_NOT_FOUND, if it tells none; with GILK_ERROR_FORMAT if what it
 *   tells cannot be read
 */
GilkBtf   *gilk_types_get   (GilkTypes *types, const char *module, GCancellable *cancellable, GError **error);
/* For tests: what get() gives from now on. A reference is taken. */
void       gilk_types_put   (GilkTypes *types, const char *module, GilkBtf *btf);

G_END_DECLS
