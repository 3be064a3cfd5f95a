/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kprobes.h - list of the kernel's own kprobes, from debugfs
 *
 * A kprobe owns its bytes even while it is disabled and they are the original ones.
 *
 * Threads: any; reading blocks on the target.
 */
#pragma once

#include "core/link/gilk-target.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t addr;
  guint    len;                /* bytes that it owns: an int3, or the jump of an optimised kprobe */
  gboolean disabled;
  gboolean ftrace;             /* at an ftrace site, whose bytes ftrace writes */
} GilkKprobe;

/* Skips unknown lines. (transfer full) (element-type GilkKprobe): sorted by address */
GArray           *gilk_kprobes_parse (const char *text, gsize length);
/* Returns an empty list if it cannot be read, as some kernels have none. (transfer full) */
GArray           *gilk_kprobes_read  (GilkTarget *target, GCancellable *cancellable);
/* Returns the kprobe that owns a byte of the range. (transfer none) (nullable) */
const GilkKprobe *gilk_kprobes_at    (const GArray *probes, uint64_t addr, guint length);

G_END_DECLS
