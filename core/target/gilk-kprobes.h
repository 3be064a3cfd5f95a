/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kprobes.h - the kernel's own probes, as debugfs lists them
 *
 * A kprobe owns its bytes also while it is disabled and they are as they were.
 *
 * Threads: any; reading blocks on the target.
 */
#pragma once

#include "core/target/gilk-target.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t addr;
  guint    len;                /* of the bytes that are its own: an int3, or the jump of an optimised one */
  gboolean disabled;
  gboolean ftrace;             /* it is at a site of ftrace, and leaves the bytes to that */
} GilkKprobe;

/* Lines that are none are left out. (transfer full) (element-type GilkKprobe): by address */
GArray           *gilk_kprobes_parse (const char *text, gsize length);
/* None where the list cannot be read: not every kernel has one. (transfer full) */
GArray           *gilk_kprobes_read  (GilkTarget *target, GCancellable *cancellable);
/* The one that has a byte of these. (transfer none) (nullable) */
const GilkKprobe *gilk_kprobes_at    (const GArray *probes, uint64_t addr, guint length);

G_END_DECLS
