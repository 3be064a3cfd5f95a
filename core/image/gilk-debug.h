/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-debug.h - types and debug data of a kernel and its modules, or of a program
 *
 * An image has one GilkDebug. When data about an address are requested, it looks for the file of
 * the address's module: at the path given by the user or in $GILK_DEBUG (a file or directory), then
 * where debug packages install their files, then in debuginfod's cache. The file must have the
 * build id of the running code. The network is not used. Results are cached, including failures.
 *
 * Threads: any; a lock serialises requests. The first request for a file may block: on the target
 * for its build id and sections, and on the disk for a few tenths of a second. Addresses are
 * run-time addresses.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/image/gilk-symbols.h"
#include "core/link/gilk-target.h"
#include "core/types/gilk-btf.h"

G_BEGIN_DECLS

typedef struct _GilkDebug GilkDebug;

/* @target: (nullable): if NULL, only data from gilk_debug_set_for_tests() are available */
GilkDebug *gilk_debug_new  (GilkTarget *target, GilkSymbols *symbols);
void       gilk_debug_free (GilkDebug *debug);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkDebug, gilk_debug_free)

/* Opens the debug data of a program. @user_path: (nullable): as in gilk_debug_use() */
typedef GilkDwarf *(*GilkDebugOpen) (const char *user_path, gpointer data, GCancellable *cancellable, GError **error);

/**
 * gilk_debug_new_program:
 * @kernel: debug data of the same target's kernel; a path that gilk_debug_use() sets for the kernel
 *   applies to the program, too
 * @open: called on the first request; called again only if the target did not answer
 * Returns the debug data of a program. Functions that take a module must get NULL for it.
 */
GilkDebug *gilk_debug_new_program (GilkDebug *kernel, GilkSymbols *symbols, GilkDebugOpen open, gpointer data);

/* Returns the file or directory that the user gave; NULL: none. (transfer full) */
char *gilk_debug_user_path    (GilkDebug *debug);
/* Sets the file or directory to use instead of $GILK_DEBUG, and drops all cached results.
 * @path: (nullable) */
void gilk_debug_use           (GilkDebug *debug, const char *path);
/* Sets the debug data of @module ("kernel" or a module's name), for tests. @dwarf: (transfer
 * full) */
void gilk_debug_set_for_tests (GilkDebug *debug, const char *module, GilkDwarf *dwarf);

/**
 * gilk_debug_file:
 * @module: (nullable): NULL or "kernel" for the kernel itself
 * Returns: (transfer full): path of the module's debug data. NULL with GILK_ERROR_NOT_FOUND if
 * there are none, or GILK_ERROR_FORMAT if the user's file is damaged or belongs to another kernel
 */
char      *gilk_debug_file      (GilkDebug *debug, const char *module, GCancellable *cancellable, GError **error);

/* Work like gilk_dwarf_lines() and gilk_dwarf_variables() for the code at @addr. Errors are those
 * of gilk_debug_file(). (transfer full) */
GArray  *gilk_debug_lines     (GilkDebug *debug, uint64_t addr, GCancellable *cancellable, GError **error);
GArray  *gilk_debug_variables (GilkDebug *debug, uint64_t addr, GCancellable *cancellable, GError **error);
/**
 * gilk_debug_types:
 * @scope: the instruction or variable that the types apply to
 * @base: (nullable): the module's or kernel's BTF; must be the same in each call for a module
 * Converts all types of a module. The kernel is too large for this: converts only the types of the
 * unit that contains @scope, and the type that @scope names. Adds the types that are local to the
 * functions around the instruction. May take a second per module or unit.
 */
GilkBtf *gilk_debug_types     (GilkDebug *debug, const char *module, const GilkDwarfScope *scope, GilkBtf *base,
                               GCancellable *cancellable, GError **error);
/* Works like gilk_dwarf_locations() for @module (NULL: the kernel). */
GArray  *gilk_debug_locations (GilkDebug *debug, const char *module, const char *file, guint line, guint *nearest,
                               GCancellable *cancellable, GError **error);
/* Works like gilk_dwarf_inlined() for @module (NULL: the kernel). */
GArray  *gilk_debug_inlined   (GilkDebug *debug, const char *module, const GilkDwarfMatch *match, gboolean *more,
                               GCancellable *cancellable, GError **error);

/*
 * Searches this machine for the file with the debug data of a kernel, module or program.
 *
 * Threads: any. Only reads the file system.
 */

typedef struct {
  const char *user_path;     /* (nullable): file or directory given by the user */
  const char *release;       /* the kernel's release, as printed by uname -r */
  const char *module;        /* "kernel" or the module's name; ignored for a program */
  const char *build_id;      /* build id in lower-case hex; "": unknown, so only the user's file is
                              * accepted */
  /* The members below are for a program or library. */
  const char *program;       /* (nullable): path of the program; NULL for a kernel or module */
  const char *debug_link;    /* (nullable): name of the file with the program's debug data */
  uint32_t    debug_crc;  /* checksum of the file @debug_link; checked if the build id is missing */
} GilkDebugWanted;

/* Returns the path of the file with debug data; NULL with GILK_ERROR_NOT_FOUND, or with
 * GILK_ERROR_FORMAT if the user's file belongs to another kernel or to another build of the
 * program. (transfer full) */
char *gilk_debug_find (const GilkDebugWanted *wanted, GError **error);

/*
 * Types of a target's kernel and its modules, read on demand.
 *
 * An image has one GilkTypes, which keeps all types that it has returned. The kernel's own types
 * take about 5 MB; they are read once and are the base of each module's types. The absence of types
 * is cached, too. A cancelled request and the loss of the target are not cached.
 *
 * Threads: any. The first request reads from the target and may block for seconds. No lock is held
 * during that time: other requests for the same types wait for it, requests for other types do not.
 * On failure nothing changes.
 */

typedef struct _GilkTypes GilkTypes;

/* @target: (nullable): if NULL, only types from gilk_types_set_for_tests() are available */
GilkTypes *gilk_types_new   (GilkTarget *target);
void       gilk_types_free  (GilkTypes *types);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkTypes, gilk_types_free)

/**
 * gilk_types_get:
 * @module: (nullable): NULL or "kernel" for the kernel itself
 * Returns: (transfer full): the module's types; NULL with GILK_ERROR_NOT_FOUND if it has none, with
 *   GILK_ERROR_FORMAT if they are malformed
 */
GilkBtf *gilk_types_get           (GilkTypes *types, const char *module, GCancellable *cancellable, GError **error);
/* Sets the types that gilk_types_get() returns, for tests. Takes a reference to @btf. */
void     gilk_types_set_for_tests (GilkTypes *types, const char *module, GilkBtf *btf);

G_END_DECLS
