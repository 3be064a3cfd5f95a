/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-locate.h - one place in the kernel's text, as people have it from a trace, a profile or a source file
 *
 * Threads: any. What has to do with lines of source reads debug data and may block.
 */
#pragma once

#include "core/cfg/gilk-function.h"
#include "core/debug/gilk-source-line.h"

G_BEGIN_DECLS

typedef struct {
  const GilkFunction *function;
  uint64_t            addr;
} GilkLocated;

typedef enum {
  GILK_LOCATE_NONE,           /* it is none: part of a name */
  GILK_LOCATE_ADDRESS,        /* "ffffffff81234567", "0xffffffff81234567" */
  GILK_LOCATE_OFFSET,         /* "pipe_write+0x41", "? pipe_write+0x41/0x5d0 [module]", "f.cold+0x3" */
  GILK_LOCATE_LINE,           /* "pipe.c:538", "ext4:inode.c:7" */
} GilkLocateKind;

/* What @text is, by its form alone. */
GilkLocateKind gilk_locate_kind (const char *text);

/* The place of an address or offset. FALSE with GILK_ERROR_NOT_FOUND: no function has it. */
gboolean gilk_locate      (GilkFunctions *functions, const char *text, GilkLocated *place, GError **error);

/* Where in @function, which has it, @addr is: "+0x41", ".cold+0x3". (transfer full) */
char    *gilk_locate_offset_text (const GilkFunction *function, uint64_t addr);

/**
 * gilk_locate_line:
 * Where a line of source was compiled to. Without a module it is looked for in the kernel, then in each module.
 * @nearest: (out): as of gilk_dwarf_spots()
 * Returns: (transfer full) (element-type GilkDwarfSpot): NULL if there are no debug data
 */
GArray  *gilk_locate_line (GilkImage *image, const GilkSourceLine *line, guint *nearest, GCancellable *cancellable,
                           GError **error);

/**
 * gilk_locate_inlined:
 * Where the code of the function @name was put instead of a call: "name", "module:name". Without a module it is looked for in the
 * kernel and in each module that has debug data, for a function of a header may be inlined in all of them.
 * @more: (out): there are more places than these
 * Returns: (transfer full) (element-type GilkDwarfSpot): none if it is inlined nowhere, NULL if there are no debug data
 */
GArray  *gilk_locate_inlined (GilkImage *image, const char *name, gboolean *more, GCancellable *cancellable, GError **error);

G_END_DECLS
