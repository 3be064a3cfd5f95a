/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-names.h - what numbers of a run are called: addresses, stacks, constants of enums
 *
 * A number in a sample and the key of a map may have a meaning (data/schema.sql, "Meanings"). Its names are
 * the target's, and are written when the run ends; who reads them later needs no target.
 *
 * Threads: that of the store. What was read is not changed, and may be shared. On failure outputs are untouched.
 */
#pragma once

#include "core/base/gilk-meaning.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

#define GILK_STACK_DEPTH 127        /* calls that are kept of a stack, at most */

/* ---- writing: what is there already stays as it is ---- */

/* @module: "kernel", or the module's name. */
gboolean gilk_store_add_address    (GilkStore *store, gint64 run, uint64_t address, const char *symbol,
                                    uint64_t offset, const char *module, GError **error);
/* Where each of its calls returns to, from within outwards. @n: 1..GILK_STACK_DEPTH */
gboolean gilk_store_add_stack      (GilkStore *store, gint64 run, uint64_t id, const uint64_t *addresses, guint n,
                                    GError **error);
/* @meaning: GILK_MEANING_ENUM "NAME" */
gboolean gilk_store_add_value_name (GilkStore *store, gint64 run, const char *meaning, gint64 value,
                                    const char *name, GError **error);

/* Of the field at @position of an instrument's samples. */
gboolean gilk_store_set_meaning    (GilkStore *store, gint64 run, const char *instrument, guint position,
                                    const char *meaning, GError **error);

/* ---- reading ---- */

typedef struct {
  uint64_t address, offset;
  char    *symbol, *module;
} GilkStoredAddress;

typedef struct _GilkStoredNames GilkStoredNames;

/* All of a run. A session before version 10 has none. (transfer full) */
GilkStoredNames *gilk_store_names        (GilkStore *store, gint64 run, GError **error);
GilkStoredNames *gilk_stored_names_ref   (GilkStoredNames *names);
void             gilk_stored_names_unref (GilkStoredNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkStoredNames, gilk_stored_names_unref)

/* NULL: it has no name. (transfer none) */
const GilkStoredAddress *gilk_stored_address (const GilkStoredNames *names, uint64_t address);
/* Its addresses, from within outwards; NULL: there is none of that number. (transfer none) */
const GArray            *gilk_stored_stack   (const GilkStoredNames *names, uint64_t id);
/* Numbers of all stacks, ascending. (transfer full) (element-type uint64_t) */
GArray                  *gilk_stored_stacks  (const GilkStoredNames *names);
/* Up to @most of its functions, "pipe_read < vfs_read", without those that switch threads, which all waits begin with.
 * NULL: there is none of that number. (transfer full) */
char                    *gilk_stored_brief   (const GilkStoredNames *names, uint64_t id, guint most);
/* "vfs_read+0x12", or the number. (transfer full) */
char                    *gilk_stored_place   (const GilkStoredNames *names, uint64_t address);
/* "fs/pipe.c:517", where there were debug data. (transfer none) (nullable) */
const char              *gilk_stored_source  (const GilkStoredNames *names, uint64_t address);
/* What @value is called: "vfs_read+0x12", "a < b < c" of a stack, "ENOENT" of an error, a constant of an enum. NULL: by
 * no name. @meaning: (nullable) as a field has it. (transfer full) */
char                    *gilk_stored_name    (const GilkStoredNames *names, const char *meaning, uint64_t value);
/* The same for people, with the number that @text is where the name alone does not tell: "-ENOENT (-2)", "B (3)",
 * "vfs_read". (transfer full) (nullable) */
char                    *gilk_stored_text    (const GilkStoredNames *names, const char *meaning, uint64_t value,
                                              const char *text);

G_END_DECLS
