/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-hooks.h - maps the hook ids in samples to indices in an array of hooks
 *
 * Threads: any; an index does not change.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct _GilkHookIndex GilkHookIndex;

GilkHookIndex *gilk_hook_index_new  (const GilkStoredHook *hooks, guint n_hooks);
void           gilk_hook_index_free (GilkHookIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHookIndex, gilk_hook_index_free)

/* Returns the hook's index; -1 if @id is not in the array. */
int            gilk_hook_index_find (const GilkHookIndex *index, gint64 id);

G_END_DECLS
