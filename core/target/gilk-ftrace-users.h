/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ftrace-users.h - who is called at a function's site of ftrace, as tracefs lists it
 *
 * Threads: any; reading blocks on the target.
 */
#pragma once

#include "core/target/gilk-target.h"

G_BEGIN_DECLS

/* Flags: several may be there. */
typedef enum {
  GILK_FTRACE_USER_LIVEPATCH = 1 << 0,   /* calls end up in another function */
  GILK_FTRACE_USER_BPF       = 1 << 1,   /* a BPF program of fentry, fexit or fmod_ret */
  GILK_FTRACE_USER_KPROBE    = 1 << 2,
  GILK_FTRACE_USER_OTHER     = 1 << 3,   /* tracers, and what the kernel does not tell apart */
} GilkFtraceUsers;

/**
 * gilk_ftrace_users_parse:
 * @text: of enabled_functions; lines that are none are left out
 * @module: that has @name; NULL: the kernel
 * Returns: 0: nobody. Of several functions of that name of which not all have the same: OTHER
 */
GilkFtraceUsers gilk_ftrace_users_parse (const char *text, gsize length, const char *name, const char *module);
/* OTHER where the list cannot be read: it is asked for where somebody is. */
GilkFtraceUsers gilk_ftrace_users_read  (GilkTarget *target, const char *name, const char *module, GCancellable *cancellable);

G_END_DECLS
