/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-writers.h - who made the accesses that a watch saw
 *
 * A sample of a watch has the address of the next instruction. Which block and instruction that access was made by
 * is written when the run ends (table value_name); what has no name there is told by its address.
 *
 * Threads: that of the store. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

#define GILK_MEANING_WRITER      "writer"              /* of an address: "pipe_write+0x2b1", the block */
#define GILK_MEANING_WRITER_INSN "writer instruction"  /* the one that made the access */

enum { GILK_WRITER_CONTEXTS = 4 };                     /* task, softirq, hardirq, NMI */

typedef struct {
  char    *comm;
  gint64   pid;
  uint64_t count;
} GilkWriterProcess;

typedef struct {
  char    *name;                  /* "pipe_write+0x2b1": a block, or "0xffffffff81234567" */
  char    *function, *block;      /* its parts, where the session has the function; else NULL */
  char    *insn;                  /* (nullable) the first that was seen */
  uint64_t ip;                    /* behind it */
  uint64_t count;
  uint64_t last, least, greatest; /* values */
  gint64   first_ns, last_ns;
  uint64_t contexts[GILK_WRITER_CONTEXTS];
  GArray  *processes;             /* GilkWriterProcess, those with most first */
  uint64_t others;                /* accesses of more processes than are kept apart */
} GilkWriter;

/* Does the hook tell of accesses to data? */
gboolean gilk_stored_hook_is_watch (const GilkStoredHook *hook);
/* All of @hook, those with most first. (transfer full) (element-type GilkWriter) */
GArray  *gilk_store_writers        (GilkStore *store, const GilkStoredHook *hook, GError **error);
/* "task", "softirq", "hardirq", "NMI". */
const char *gilk_writer_context    (guint context);
/* An address as groups have it: a number of any base. */
gboolean gilk_writer_address       (const char *text, uint64_t *address);

G_END_DECLS
