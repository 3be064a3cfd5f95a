/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-names.h - names of numbers in a run: addresses and their source lines, stacks,
 * constants of enums
 *
 * A number in a sample and the key of a map may have a meaning (data/schema.sql, "Meanings").
 * Names come from the target and are written when the run ends, so that later readers need no
 * target.
 *
 * Threads: only the store's thread. Names are immutable once read, and may be shared. On failure outputs
 * are untouched.
 */
#pragma once

#include "core/base/gilk-format.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

#define GILK_STACK_DEPTH 127        /* maximum number of calls stored per stack */

/* ---- writes names; does not change existing rows ---- */

enum { GILK_LINES_DEEP = 64 };

typedef struct {
  const char *function;        /* (nullable) */
  const char *file;
  guint       line;
} GilkStoreLine;

/* Stores the symbol of an address. @module: "kernel", or the module's name. */
gboolean gilk_store_add_address    (GilkStore *store, gint64 run, uint64_t address, const char *symbol,
                                    uint64_t offset, const char *module, GError **error);
/* Stores a stack. @addresses: the return address of each call, innermost first. @n:
 * 1..GILK_STACK_DEPTH */
gboolean gilk_store_add_stack      (GilkStore *store, gint64 run, uint64_t id, const uint64_t *addresses, guint n,
                                    GError **error);
/* Stores the name of a value. @meaning: GILK_MEANING_TEXT, or GILK_MEANING_ENUM followed by the enum's name */
gboolean gilk_store_add_value_name (GilkStore *store, gint64 run, const char *meaning, gint64 value,
                                    const char *name, GError **error);

/* Stores source lines. @lines: the line of @address, then the line of each inlined call that leads
 * to this line, innermost first. Stored lines of the address are not replaced. */
gboolean gilk_store_add_lines      (GilkStore *store, gint64 run, uint64_t address, const GilkStoreLine *lines, guint n,
                                    GError **error);

/* Sets the meaning of the field at @position of an instrument's samples. */
gboolean gilk_store_set_meaning    (GilkStore *store, gint64 run, const char *instrument, guint position,
                                    const char *meaning, GError **error);

/* ---- reading ---- */

typedef struct {
  uint64_t address, offset;
  char    *symbol, *module;
} GilkStoredAddress;

typedef struct _GilkStoredNames GilkStoredNames;

/* Reads all names of a run. (transfer full) */
GilkStoredNames *gilk_store_names        (GilkStore *store, gint64 run, GError **error);
GilkStoredNames *gilk_stored_names_ref   (GilkStoredNames *names);
void             gilk_stored_names_unref (GilkStoredNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkStoredNames, gilk_stored_names_unref)

/* Returns the name of an address; NULL if it has none. (transfer none) */
const GilkStoredAddress *gilk_stored_address       (const GilkStoredNames *names, uint64_t address);
/* Returns the addresses of stack @id, innermost first; NULL if unknown. (transfer none) */
const GArray            *gilk_stored_stack         (const GilkStoredNames *names, uint64_t id);
/* Returns the ids of all stacks, ascending. (transfer full) (element-type uint64_t) */
GArray                  *gilk_stored_stacks        (const GilkStoredNames *names);
/* Returns up to @most functions of a stack, such as "pipe_read < vfs_read". Leaves out the
 * scheduler's functions, which are innermost in the stack of every wait. NULL if the stack is
 * unknown. (transfer full) */
char                    *gilk_stored_stack_summary (const GilkStoredNames *names, uint64_t id, guint most);
/* Returns an address as text: "vfs_read+0x12", or in hexadecimal if it has no symbol. (transfer
 * full) */
char                    *gilk_stored_place         (const GilkStoredNames *names, uint64_t address);
/* Returns the source line, "fs/pipe.c:517", if there was debug data. (transfer none) (nullable) */
const char              *gilk_stored_source        (const GilkStoredNames *names, uint64_t address);
/* Returns the name of @value: "vfs_read+0x12", "a < b < c" for a stack, "ENOENT" for an error, a
 * constant for an enum. NULL if it has none. @meaning: (nullable): meaning of the field. (transfer
 * full) */
char                    *gilk_stored_name          (const GilkStoredNames *names, const char *meaning, uint64_t value);
/* Returns the name for display, followed by the number @text unless the name alone suffices:
 * "-ENOENT (-2)", "B (3)", "vfs_read". (transfer full) (nullable) */
char                    *gilk_stored_text          (const GilkStoredNames *names, const char *meaning, uint64_t value,
                                                    const char *text);

/* ---- reads source lines, if debug data was available ---- */

/* Returns all lines of a run in a table: address -> "include/linux/fs.h:12, from fs/pipe.c:3".
 * (element-type int64 utf8) (transfer full) */
GHashTable *gilk_store_lines     (GilkStore *store, gint64 run, GError **error);
/* Looks up the source lines of an address in @lines. Returns NULL if @lines does not have them.
 * (transfer none) */
const char *gilk_stored_line     (GHashTable *lines, uint64_t address);

G_END_DECLS
