/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-effect.h - what the switched hooks of a run did, read off the main thread
 *
 * The same as "gilk report --perturbation": each sample of the witness is looked at.
 */
#pragma once

#include <gio/gio.h>

#include "core/analysis/gilk-hook-perturbation.h"

G_BEGIN_DECLS

typedef struct {
  char    *refusal;            /* why there is no such number, a sentence or two; NULL: there is: */
  char    *witness, *field;    /* field NULL: hits a second */
  char    *unit;
  GilkHookPerturbation found;
  guint    traps;              /* switched hooks that are traps, which stay while they are off */
} GilkSessionEffect;

void gilk_session_effect_free (GilkSessionEffect *effect);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSessionEffect, gilk_session_effect_free)

/**
 * gilk_session_effect_async:
 * @hook: the id of a witness; 0: the one with most samples
 * @field: (nullable): of numbers, or "interval"
 * All is copied.
 */
void gilk_session_effect_async (const char *path, gint64 run, gint64 hook, const char *field,
                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GilkSessionEffect *gilk_session_effect_finish (GAsyncResult *result, GError **error);

G_END_DECLS
