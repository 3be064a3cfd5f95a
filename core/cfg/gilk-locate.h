/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-locate.h - looks up a location in kernel text: an address, a name with an offset, or a
 * source line
 *
 * Threads: any. Lookups of source lines read debug data and may block.
 */
#pragma once

#include <glib.h>

#include "core/cfg/gilk-function.h"

G_BEGIN_DECLS

/* ---- parses a source line given on the command line, [MODULE:]FILE:LINE ---- */

typedef struct {
  char *module, *file;         /* module: (nullable) */
  guint line;
} GilkSourceLine;

/* Parses @text. Returns FALSE if it is not a source line. The caller sets @line to zeros before the
 * call, and clears it afterwards, also on failure. */
gboolean gilk_source_line_parse (const char *text, GilkSourceLine *line);
void     gilk_source_line_clear (GilkSourceLine *line);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkSourceLine, gilk_source_line_clear)

/* ---- locations ---- */

typedef struct {
  const GilkFunction *function;
  uint64_t            addr;
} GilkLocated;

typedef enum {
  GILK_LOCATE_NONE,           /* not a location, but part of a name */
  GILK_LOCATE_ADDRESS,        /* "ffffffff81234567", "0xffffffff81234567" */
  GILK_LOCATE_OFFSET,         /* "pipe_write+0x41", "? pipe_write+0x41/0x5d0 [module]", "f.cold+0x3" */
  GILK_LOCATE_LINE,           /* "pipe.c:538", "ext4:inode.c:7" */
} GilkLocateKind;

/* Returns the kind of location that @text looks like. */
GilkLocateKind gilk_locate_kind (const char *text);

/* Finds the address that @text, an address or an offset, means. Returns FALSE with
 * GILK_ERROR_NOT_FOUND if no function contains it. */
gboolean gilk_locate      (GilkFunctions *functions, const char *text, GilkLocated *place, GError **error);

/* Returns the offset of @addr in @function, such as "+0x41" or ".cold+0x3". @function must contain
 * @addr. (transfer full) */
char    *gilk_locate_offset_text (const GilkFunction *function, uint64_t addr);

/**
 * gilk_locate_line:
 * @nearest: (out): if no code is found, the closest later line that has code; 0: none
 * Finds the code of a source line. Without a module searches the kernel, then each module.
 * Returns: (transfer full) (element-type GilkDwarfLocation): NULL without debug data
 */
GArray  *gilk_locate_line (GilkImage *image, const GilkSourceLine *line, guint *nearest, GCancellable *cancellable,
                           GError **error);

/**
 * gilk_locate_inlined:
 * @name: "name" or "module:name"; without a module searches the kernel and each module with debug
 *   data, because a function of a header may be inlined in all of them. "user:PATH:name" is a
 *   function of a program; in C++ the name may be plain, "Class::name", or a symbol
 * @more: (out): whether there are more locations than returned
 * Finds the locations at which the function was inlined.
 * Returns: (transfer full) (element-type GilkDwarfLocation): empty if it is not inlined, NULL
 * without debug data
 */
GArray  *gilk_locate_inlined (GilkFunctions *functions, const char *name, gboolean *more, GCancellable *cancellable,
                              GError **error);
/* Returns the list of functions to which locations from gilk_locate_inlined() belong: @functions,
 * or the list of the program in @name. Returns NULL with @error if the program cannot be read.
 * (transfer none) */
GilkFunctions *gilk_locate_functions (GilkFunctions *functions, const char *name, GError **error);

/* Returns whether @name contains "*" or "?" and no function is called so, as names of Go functions
 * may contain these: "main.(*Conn).Close" is never a pattern. */
gboolean       gilk_locate_is_pattern (GilkFunctions *functions, const char *name);
/**
 * gilk_locate_matches:
 * @pattern: "vfs_*", "ext4:*", "*_file [ext?]" or "user:PATH:str?py": "*" stands for any characters
 *   and "?" for one. A function matches by any of its names. Without a module, functions of the kernel
 *   and of all modules match.
 * Returns: (transfer container) (element-type GilkFunction): the functions that match, sorted by
 *   address, also those that cannot be hooked; may be empty. NULL with GILK_ERROR_USAGE, or with the
 *   reason why the program cannot be read
 */
GPtrArray     *gilk_locate_matches (GilkFunctions *functions, const char *pattern, GError **error);

G_END_DECLS
