/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-preview.h - plans one point alone, by the way in use, for views of graphs
 *
 * A target's way (gilk_target_use()) decides: by the driver a point is spliced, bounced, cloned or
 * trapped; by BPF it is a kprobe. A view made before the way changed has to be made again.
 *
 * Threads: any; the decoder belongs to the caller.
 */
#pragma once

#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* Returns the refusal of the function as a whole; 0: none. By BPF, the start of a function with a
 * refusal may be possible all the same. */
guint gilk_preview_refusal (const GilkCfg *cfg);

/* @liveness: of @cfg; not used, and may be NULL, by BPF or if the whole function is refused */
void  gilk_preview_point   (GilkCfg *cfg, const GilkLiveness *liveness, GilkDecoder *decoder,
                            const GilkWant *want, GilkChoice *choice);

G_END_DECLS
