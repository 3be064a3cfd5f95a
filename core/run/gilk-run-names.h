/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-names.h - stores data when a run ends, so that the session can be read without the
 * kernel: stacks, symbols and source lines of addresses, names of values, accessing instructions
 *
 * Threads: only the run's thread.
 */
#pragma once

#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

typedef struct {
  GilkTarget        *target;      /* (unowned) */
  GilkRunSession    *session;     /* (unowned) */
  const GilkRunRows *rows;        /* (unowned) */
  GilkImage         *image;       /* (unowned) */
  GByteArray        *stacks;      /* the stack area; NULL: none */
  GArray            *slots;       /* Slot: each maps its addresses to a site; NULL: none */
  guint              n_lines;     /* number of addresses whose source lines were looked up */
} GilkRunNames;

void     gilk_run_names_clear (GilkRunNames *names);
/* Reads the stacks. Must be called before the programs' areas and the ids are freed. @armed:
 * (element-type GilkArmed): all plans that were ever live, the latest first */
gboolean gilk_run_names_read  (GilkRunNames *names, const GPtrArray *armed, GError **error);

/* The store must be locked for all functions below. */

/* Stores the stacks and the symbols of their addresses, and names the values in samples and maps.
 * Call after all data are stored. */
gboolean gilk_run_names_store (GilkRunNames *names, GError **error);
/* Stores the source lines of all hooks, if there are debug data. Failures are ignored: source lines
 * are optional in a session. */
void     gilk_run_names_store_lines    (GilkRunNames *names);
/* gilk-run-accesses.c: stores which instructions made the accesses that watchpoints caught, if they
 * can be found. @armed: the plan as first armed */
void     gilk_run_names_store_accesses (GilkRunNames *names, const GilkArmed *armed);
/* Stores the source lines of @address. If @address is a return address (@returns), stores the lines
 * of the call before it. */
void     gilk_run_names_store_line     (GilkRunNames *names, uint64_t address, gboolean returns);

G_END_DECLS
