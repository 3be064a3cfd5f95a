/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window.h - footprints that would serve a point, cheapest first
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

#define GILK_JUMP_BYTES 5

/* A footprint: whole instructions of one block. */
typedef struct {
  guint first, n;
  guint tactic;            /* enum ilk_tactic */
} GilkWindow;

/* All footprints that would do for one point. */
typedef struct {
  GilkWindow windows[4];   /* splices, then traps */
  guint      n;
  guint      refusal;      /* why nothing will do; of interest if n is 0 */
  guint      why_not_splice;
} GilkWindows;

void     gilk_windows_pre   (const GilkCfg *cfg, guint block, GilkWindows *windows);
void     gilk_windows_post  (const GilkCfg *cfg, guint block, GilkWindows *windows);
/* One splice for both edges of the block; FALSE if there is none. */
gboolean gilk_window_whole  (const GilkCfg *cfg, guint block, GilkWindow *window);
gboolean gilk_window_overlap (const GilkWindow *a, const GilkWindow *b);
guint    gilk_window_bytes  (const GilkCfg *cfg, const GilkWindow *window);

G_END_DECLS
