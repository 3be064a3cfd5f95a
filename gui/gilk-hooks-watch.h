/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hooks-watch.h - hooks of others and modules of the connected kernel, looked at now and then
 *
 * A look costs the target two or three short requests; there is one a second at most, none while nobody would see
 * what it finds, and fewer where they take long. Signals: "changed" (the hooks of others), "modules" (that came or
 * went), "silent" (gboolean: the agent has not answered one for GILK_SILENT_S; it does again).
 */
#pragma once

#include "core/run/gilk-bound-others.h"
#include "core/target/gilk-module-news.h"
#include "gui/gilk-connection.h"

G_BEGIN_DECLS

#define GILK_SILENT_S 8

#define GILK_TYPE_HOOKS_WATCH (gilk_hooks_watch_get_type ())
G_DECLARE_FINAL_TYPE (GilkHooksWatch, gilk_hooks_watch, GILK, HOOKS_WATCH, GObject)

GilkHooksWatch *gilk_hooks_watch_new      (GilkConnection *connection);
/* Whether what it finds can be seen. */
void            gilk_hooks_watch_set_seen (GilkHooksWatch *self, gboolean seen);
/* (element-type struct ilk_patch_status): places that others have, empty where none are known of. */
const GArray   *gilk_hooks_watch_others   (GilkHooksWatch *self);
/* What is another than when the kernel was opened; empty where nothing is known of. */
const GilkModuleNews *gilk_hooks_watch_modules (GilkHooksWatch *self);
/* What the target's clock is to be set forward by to be the time of day here; 0: not known. */
int64_t         gilk_hooks_watch_epoch    (GilkHooksWatch *self);

G_END_DECLS
