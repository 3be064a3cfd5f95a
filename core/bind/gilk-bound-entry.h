/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-entry.h - finds entries of functions to which the kernel can attach a BPF program
 *
 * Threads: any that may use the graph's image.
 */
#pragma once

#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* Sets @entry_type and @entry_words of a hook by BPF, if it is where the kernel can attach a program to
 * the entry of a function. Asks the target, and reads the kernel's types when first needed; where that fails,
 * nothing is set and the hook is a kprobe. @cancellable: (nullable) */
void gilk_bound_entry (const GilkCfg *cfg, GilkWant *want, GCancellable *cancellable);

G_END_DECLS
