/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-debug.h - debug data of a kernel and its modules, where there are some on this machine
 *
 * An image has one of these. A file is looked for when one of its addresses is asked for: in what was given by hand
 * or $GILK_DEBUG (a file or a folder), then where debug packages put theirs, then in debuginfod's cache. It must have the
 * build id of what runs; nothing is asked of the network. What was found is kept, and so is that nothing was.
 *
 * Threads: any; one at a time has it, and others wait. The first question of a file may block: on the target for its
 * build id and sections, on the disk for some tenths of a second. Addresses are run-time addresses.
 */
#pragma once

#include "core/target/gilk-btf.h"
#include "core/target/gilk-symbols.h"
#include "core/target/gilk-target.h"

G_BEGIN_DECLS

typedef struct _GilkDebug GilkDebug;

/* @target: (nullable): without one there is what was put */
GilkDebug *gilk_debug_new  (GilkTarget *target, GilkSymbols *symbols);
void       gilk_debug_free (GilkDebug *debug);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkDebug, gilk_debug_free)

/* A file or folder by hand, instead of $GILK_DEBUG; (nullable). Forgets what was found. */
void       gilk_debug_use  (GilkDebug *debug, const char *path);
/* For tests: the debug data of @module, "kernel" or a module's name. (transfer full): @dwarf */
void       gilk_debug_put  (GilkDebug *debug, const char *module, GilkDwarf *dwarf);

/**
 * gilk_debug_file:
 * @module: (nullable): NULL, or "kernel", as symbols have it: the kernel itself
 * Returns: (transfer full): where its debug data are. NULL, with GILK_ERROR_NOT_FOUND: there are none; with
 *   GILK_ERROR_FORMAT: those by hand are of another kernel, or damaged
 */
char      *gilk_debug_file      (GilkDebug *debug, const char *module, GCancellable *cancellable, GError **error);

/* As gilk_dwarf_lines(), gilk_dwarf_variables() of the code at @addr; NULL as above. (transfer full) */
GArray    *gilk_debug_lines     (GilkDebug *debug, uint64_t addr, GCancellable *cancellable, GError **error);
GArray    *gilk_debug_variables (GilkDebug *debug, uint64_t addr, GCancellable *cancellable, GError **error);
/**
 * gilk_debug_types:
 * @module: not the kernel
 * @base: (nullable): the kernel's types, always the same
 * As gilk_btf_new_debug(), made once for each module; may take a second.
 */
GilkBtf   *gilk_debug_types     (GilkDebug *debug, const char *module, GilkBtf *base, GCancellable *cancellable,
                                 GError **error);
/* As gilk_dwarf_spots(), of the kernel, or of @module if it is not NULL. */
GArray    *gilk_debug_spots     (GilkDebug *debug, const char *module, const char *file, guint line, guint *nearest,
                                 GCancellable *cancellable, GError **error);
/* As gilk_dwarf_inlined(), of the kernel, or of @module if it is not NULL. */
GArray    *gilk_debug_inlined   (GilkDebug *debug, const char *module, const char *name, gboolean *more,
                                 GCancellable *cancellable, GError **error);

G_END_DECLS
