/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-effect.h - computes the effect of a run's switched hooks off the main thread
 *
 * The same as "gilk report --perturbation": it reads every sample of the control hook.
 */
#pragma once

#include <gio/gio.h>

#include "core/analysis/gilk-effect.h"

G_BEGIN_DECLS

typedef struct {
  char       *refusal;         /* why there is no effect, in a sentence or two */
  GilkEffect *effect;          /* NULL: there is a refusal */
} GilkSessionEffect;

void gilk_session_effect_free (GilkSessionEffect *effect);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSessionEffect, gilk_session_effect_free)

/**
 * gilk_session_effect_async:
 * @hook: id of a control hook; 0: the one with most samples
 * @field: (nullable): a numeric field, or "interval"
 *
 * All arguments are copied.
 */
void gilk_session_effect_async (const char *path, gint64 run, gint64 hook, const char *field,
                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GilkSessionEffect *gilk_session_effect_finish (GAsyncResult *result, GError **error);

G_END_DECLS
