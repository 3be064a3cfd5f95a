/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-preview.h - plans a hook at one point alone, to show in graphs how it would be hooked
 *
 * The result depends on the way to hook that the target uses (gilk_target_use()): with the driver,
 * the hook is a splice, bounce, clone or trap; with BPF, it is a kprobe. A graph must be made again
 * when its target changes to the other way.
 *
 * Threads: any; the decoder belongs to the caller.
 */
#pragma once

#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* Returns the refusal of the function as a whole; 0 if there is none. With BPF, a hook at the start
 * of a refused function may be possible nevertheless. */
guint gilk_preview_refusal (const GilkCfg *cfg);

/* Plans a hook alone. @liveness: liveness of @cfg; not used, and may be NULL, with BPF or if the
 * whole function is refused */
void  gilk_preview_point   (GilkCfg *cfg, const GilkLiveness *liveness, GilkDecoder *decoder,
                            const GilkWant *want, GilkChoice *choice);

G_END_DECLS
