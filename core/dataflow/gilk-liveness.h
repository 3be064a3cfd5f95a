/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-liveness.h - finds registers and flags whose values are still needed
 *
 * Backward data flow over one graph. The kernel's System V convention is assumed at calls and
 * exits; where it is uncertain (indirect exits, assembly), everything is live.
 *
 * Threads: any; the decoder belongs to the caller. Immutable once made.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct {
  uint16_t regs;     /* GILK_REG_BIT mask of live registers */
  uint16_t flags;    /* GILK_FLAG_* mask */
} GilkLive;

typedef struct {
  GilkLive *before;  /* live before each instruction */
  GilkLive *after;   /* live at the end of each block, before its terminating branch */
  gboolean *uaccess; /* for each instruction: it may run between stac and clac */
  guint     n_insns, n_blocks;
} GilkLiveness;

GilkLiveness *gilk_liveness_new  (const GilkCfg *cfg, GilkDecoder *decoder);
void          gilk_liveness_free (GilkLiveness *liveness);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkLiveness, gilk_liveness_free)

G_END_DECLS
