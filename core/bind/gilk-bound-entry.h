/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-entry.h - finds the function entries to which the kernel can attach a BPF program as
 * fentry
 *
 * Threads: any that may use the graph's image.
 */
#pragma once

#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/*
 * Checks whether the kernel can attach the hook's BPF program to the entry of a function (fentry),
 * and if so, sets @entry_type and @entry_words of @want. Otherwise, also if the target cannot be
 * asked, sets neither, and the hook becomes a kprobe. @cancellable: (nullable)
 */
void gilk_bound_entry (const GilkCfg *cfg, GilkWant *want, GCancellable *cancellable);

G_END_DECLS
