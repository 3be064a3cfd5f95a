/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ftrace-users.h - users of a function's ftrace site, from tracefs
 *
 * Threads: any; reading blocks on the target.
 */
#pragma once

#include "core/link/gilk-target.h"

G_BEGIN_DECLS

/* Bit flags. */
typedef enum {
  GILK_FTRACE_USER_LIVEPATCH = 1 << 0,   /* calls are redirected to another function */
  GILK_FTRACE_USER_BPF       = 1 << 1,   /* a BPF program of type fentry, fexit or fmod_ret */
  GILK_FTRACE_USER_KPROBE    = 1 << 2,
  GILK_FTRACE_USER_OTHER     = 1 << 3,   /* tracers and all that tracefs does not identify */
} GilkFtraceUsers;

/**
 * gilk_ftrace_users_parse:
 * @text: of enabled_functions; unknown lines are skipped
 * @module: that contains @name; NULL: the kernel
 * Returns: 0 if the site is unused; OTHER if several functions have that name and different users
 */
GilkFtraceUsers gilk_ftrace_users_parse (const char *text, gsize length, const char *name, const char *module);
/* Returns OTHER if the list cannot be read or lacks an entry: call it only for a site that is in
 * use. */
GilkFtraceUsers gilk_ftrace_users_read  (GilkTarget *target, const char *name, const char *module, GCancellable *cancellable);

G_END_DECLS
