/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-debug-find.h - finds the debug data of a kernel, module or program on this machine
 *
 * Threads: any. Only reads the file system.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  const char *user_path;     /* (nullable): file or directory given by the user */
  const char *release;       /* the kernel's release, uname -r */
  const char *module;        /* "kernel" or the module's name; ignored for a program */
  const char *build_id;      /* build id in lower-case hex; "": unknown, so only the user's file is
                              * accepted */
  /* For a program or library: */
  const char *program;       /* (nullable): path of the program; NULL for a kernel or module */
  const char *debug_link;    /* (nullable): name of the file with the program's debug data */
  uint32_t    debug_crc;  /* checksum of the file @debug_link; checked if the build id is missing */
} GilkDebugWanted;

/* Returns the path of the file with debug data; NULL with GILK_ERROR_NOT_FOUND, or with
 * GILK_ERROR_FORMAT if the user's file belongs to another kernel or to another build of the
 * program. (transfer full) */
char *gilk_debug_find (const GilkDebugWanted *wanted, GError **error);

G_END_DECLS
