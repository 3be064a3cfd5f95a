/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-emit-preempt.h - disables and enables preemption around a hit
 *
 * Threads: one at a time for one @as.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

/* Raises the preempt count. Changes flags. */
void gilk_emit_preempt_disable (GilkAsm *as, const struct ilk_info *info);
/**
 * gilk_emit_preempt_enable:
 * @backward: the direction flag may be set, so nothing can be called
 * Lowers the preempt count, and reschedules if an interrupt during the hit requested it, as the
 * kernel's preempt_enable() does. Changes flags, but no register.
 */
void gilk_emit_preempt_enable  (GilkAsm *as, const struct ilk_info *info, gboolean backward);

G_END_DECLS
