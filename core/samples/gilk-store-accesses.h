/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-accesses.h - finds the code that made the accesses seen by a watchpoint, and
 * formats the accesses as rows
 *
 * A watchpoint's sample has the address of the instruction after the access. The block and
 * instruction that made the access are resolved when the run ends (table value_name); without a
 * name the address itself is shown.
 *
 * Threads: only the store's thread. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

#define GILK_MEANING_ACCESSOR      "writer"             /* accessing block: "pipe_write+0x2b1" */
#define GILK_MEANING_ACCESSOR_INSN "writer instruction" /* the instruction that made the access */

enum { GILK_ACCESSOR_CONTEXTS = 4 };                     /* number of contexts of an access: task,
                                                          * softirq, hardirq, NMI */

typedef struct {
  char    *comm;
  gint64   pid;
  uint64_t count;
} GilkAccessorProcess;

typedef struct {
  char    *name;                  /* block "pipe_write+0x2b1", or address "0xffffffff81234567" */
  char    *function, *block;      /* parts of @name if the session has the function; else NULL */
  char    *insn;                  /* (nullable): text of the first accessing instruction seen */
  uint64_t ip;                    /* address of the instruction after @insn */
  uint64_t count;
  uint64_t last, least, greatest; /* value at the last access; smallest and largest value */
  gint64   first_ns, last_ns;
  uint64_t contexts[GILK_ACCESSOR_CONTEXTS];
  GArray  *processes;             /* (element-type GilkAccessorProcess): most accesses first */
  uint64_t others;                /* number of accesses by processes that are not in @processes */
} GilkAccessor;

gboolean gilk_stored_hook_is_watchpoint (const GilkStoredHook *hook);
/* Returns the accessing blocks of @hook, most accesses first. (transfer full) (element-type
 * GilkAccessor) */
GArray  *gilk_store_accessors           (GilkStore *store, const GilkStoredHook *hook, GError **error);
/* Returns "task", "softirq", "hardirq" or "NMI". */
const char *gilk_accessor_context       (guint context);
/* Parses @text as an address: decimal, hexadecimal (0x) or octal (0). */
gboolean gilk_accessor_address          (const char *text, uint64_t *address);

/*
 * Formats the accesses to a variable as rows for other programs.
 *
 * Threads: any.
 */

/* Returns the total number of accesses. */
uint64_t gilk_accessors_total         (const GArray *accessors);
/* Returns the number of accesses by context, most frequent first: "hardirq 513, task 40"; just
 * "task" if there is only one context. (transfer full) */
char    *gilk_accessor_contexts_text  (const GilkAccessor *accessor);
/* Returns up to @most processes of @accessor, each with its process id and its number of accesses:
 * "sshd (12) 40, sh (3) 2, …". (transfer full) */
char    *gilk_accessor_processes_text (const GilkAccessor *accessor, guint most);
/* Returns a header line, then one line for each accessing block, with numbers in the C locale.
 * (transfer full) */
char    *gilk_accessors_to_csv        (const GArray *accessors);
/* Returns the same lines as gilk_accessors_to_csv(), with tabs instead of commas, for pasting into
 * spreadsheets. */
char    *gilk_accessors_to_tabs       (const GArray *accessors);

G_END_DECLS
