/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-debug-find.h - where on this machine the debug data of a kernel or module are
 *
 * Threads: any; looks at the disk, nothing else.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *hand;          /* (nullable): a file or folder that was given */
  const char *release;       /* of the kernel, uname -r */
  const char *module;        /* "kernel" or its name */
  const char *build_id;      /* lower-case hex, "" if it is not known: then only what was given will do */
} GilkDebugWanted;

/* NULL, with GILK_ERROR_NOT_FOUND, or GILK_ERROR_FORMAT: what was given is of another kernel. Free it. */
char *gilk_debug_find (const GilkDebugWanted *wanted, GError **error);

G_END_DECLS
