/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hooks-watch.h - periodic poll of other clients' hooks and of the target's modules
 *
 * A poll costs the target two or three short requests. It runs at most once a second, less often if
 * it takes long, and not at all while its results are not visible. Signals: "changed" (other
 * clients' hooks), "modules" (a module was loaded or unloaded), "silent" (gboolean: TRUE if the
 * agent has not answered for GILK_SILENT_S, FALSE once it does).
 */
#pragma once

#include "core/bind/gilk-bound-others.h"
#include "core/image/gilk-module-news.h"
#include "gui/gilk-connection.h"

G_BEGIN_DECLS

#define GILK_SILENT_S 8

#define GILK_TYPE_HOOKS_WATCH (gilk_hooks_watch_get_type ())
G_DECLARE_FINAL_TYPE (GilkHooksWatch, gilk_hooks_watch, GILK, HOOKS_WATCH, GObject)

GilkHooksWatch *gilk_hooks_watch_new      (GilkConnection *connection);
/* Starts polling if the results are visible, else stops. */
void            gilk_hooks_watch_set_seen (GilkHooksWatch *self, gboolean seen);
/* Returns the patches of other clients, empty if none are known. (element-type struct
   ilk_patch_status) */
const GArray   *gilk_hooks_watch_others   (GilkHooksWatch *self);
/* Returns the changes since the kernel was opened, empty if none are known. */
const GilkModuleNews *gilk_hooks_watch_modules (GilkHooksWatch *self);
/* Returns what to add to the target's monotonic clock to get this machine's wall clock, in ns
   since the Unix epoch; 0 if unknown. */
int64_t         gilk_hooks_watch_epoch    (GilkHooksWatch *self);

G_END_DECLS
