/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-liveness.h - which registers and flags hold values still needed
 *
 * Backward data flow over one graph. At calls and exits the System V kernel
 * convention is assumed; where it is unsure (indirect exits, asm), all is live.
 *
 * Threads: any; the decoder is the caller's. Immutable once made.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct {
  uint16_t regs;     /* GILK_REG_BIT mask of live registers */
  uint16_t flags;    /* GILK_FLAG_* mask */
} GilkLive;

typedef struct {
  GilkLive *before;  /* per instruction of the cfg: live just before it */
  GilkLive *after;   /* per block: live at its end, before the terminating branch if any */
  gboolean *uaccess; /* per instruction: may run between stac and clac */
  guint     n_insns, n_blocks;
} GilkLiveness;

GilkLiveness *gilk_liveness_new  (const GilkCfg *cfg, GilkDecoder *decoder);
void          gilk_liveness_free (GilkLiveness *liveness);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkLiveness, gilk_liveness_free)

G_END_DECLS
