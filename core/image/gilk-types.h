/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-types.h - types of a target's kernel and its modules, read on demand
 *
 * An image has one GilkTypes, which keeps all types that it has returned. The kernel's own types
 * take about 5 MB; they are read once and are the base of each module's types. The absence of types
 * is cached, too. A cancelled request and the loss of the target are not cached.
 *
 * Threads: any. The first request reads from the target and may block for seconds. No lock is held
 * during that time: other requests for the same types wait for it, requests for other types do not.
 * On failure nothing changes.
 */
#pragma once

#include "core/link/gilk-target.h"
#include "core/types/gilk-btf.h"

G_BEGIN_DECLS

typedef struct _GilkTypes GilkTypes;

/* @target: (nullable): if NULL, only types from gilk_types_set_for_tests() are available */
GilkTypes *gilk_types_new   (GilkTarget *target);
GilkTypes *gilk_types_ref   (GilkTypes *types);
void       gilk_types_unref (GilkTypes *types);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkTypes, gilk_types_unref)

/**
 * gilk_types_get:
 * @module: (nullable): NULL or "kernel" for the kernel itself
 * Returns: (transfer full): the module's types; NULL with GILK_ERROR_NOT_FOUND if it has none, with
 *   GILK_ERROR_FORMAT if they are malformed
 */
GilkBtf *gilk_types_get           (GilkTypes *types, const char *module, GCancellable *cancellable, GError **error);
/* Sets the types that gilk_types_get() returns, for tests. Takes a reference to @btf. */
void     gilk_types_set_for_tests (GilkTypes *types, const char *module, GilkBtf *btf);

G_END_DECLS
