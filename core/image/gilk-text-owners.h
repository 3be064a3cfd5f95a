/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-text-owners.h - other owners of patched kernel text: kprobes and users of ftrace
 */
#pragma once

#include "core/link/gilk-target.h"

G_BEGIN_DECLS

/*
 * Kprobes that the kernel lists in debugfs
 *
 * A kprobe owns its bytes even while it is disabled and the text has its original bytes.
 *
 * Threads: any; gilk_kprobes_read() blocks on the target.
 */

typedef struct {
  uint64_t addr;
  guint    len;  /* number of bytes that the kprobe owns: those of an int3, or of the jump of an
                  * optimised kprobe */
  gboolean disabled;
  gboolean ftrace;             /* the kprobe is at an ftrace site, whose bytes ftrace writes */
} GilkKprobe;

/* Parses the list of kprobes; skips unknown lines. (transfer full) (element-type GilkKprobe):
 * sorted by address */
GArray           *gilk_kprobes_parse (const char *text, gsize length);
/* Reads the list of kprobes from debugfs. The result is empty if the list cannot be read, because
 * some kernels do not have the list. (transfer full) */
GArray           *gilk_kprobes_read  (GilkTarget *target, GCancellable *cancellable);
/* Returns a kprobe that owns a byte of the range [@addr, @addr + @length). (transfer none)
 * (nullable) */
const GilkKprobe *gilk_kprobes_at    (const GArray *probes, uint64_t addr, guint length);

/*
 * Users of a function's ftrace site, from tracefs
 *
 * Threads: any; reading blocks on the target.
 */

/* The kinds of users of a function's ftrace site, as bits. */
typedef enum {
  GILK_FTRACE_USER_LIVEPATCH = 1 << 0,   /* a livepatch redirects calls to another function */
  GILK_FTRACE_USER_BPF       = 1 << 1,   /* a BPF program of type fentry, fexit or fmod_ret is
                                          * attached */
  GILK_FTRACE_USER_KPROBE    = 1 << 2,
  GILK_FTRACE_USER_OTHER     = 1 << 3,   /* a tracer, or a user that tracefs does not identify */
} GilkFtraceUsers;

/**
 * gilk_ftrace_users_parse:
 * @text: contents of enabled_functions; unknown lines are skipped
 * @module: the module that contains @name; NULL: the kernel
 * Returns: 0 if the site is unused; OTHER if several functions are called @name and have different
 *   users
 */
GilkFtraceUsers gilk_ftrace_users_parse (const char *text, gsize length, const char *name, const char *module);
/* Reads the users of the function's ftrace site from the target. Returns OTHER if the list cannot
 * be read, or lacks the site: call this only for a site that is in use. Blocks. */
GilkFtraceUsers gilk_ftrace_users_read  (GilkTarget *target, const char *name, const char *module, GCancellable *cancellable);

G_END_DECLS
