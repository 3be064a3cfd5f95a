/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-metadata.h - writes a run's metadata before its first sample
 *
 * Writes hooks, instruments, and the hooked functions with their disassembly, so that graphs can be
 * shown from the session, without access to the kernel.
 *
 * Threads: any thread that holds the store's lock.
 */
#pragma once

#include "core/run/gilk-armed.h"
#include "core/run/gilk-run-rows.h"
#include "core/run/gilk-run.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Writes the run, its instruments, hooks and functions. @run: (out): the run's id */
gboolean gilk_run_write_metadata  (GilkStore *store, const GilkArmed *armed, GilkImage *image,
                                   gint64 *run, GError **error);

/* Writes the new hooks of @armed, which start at @now_ns, and their functions and instruments.
 * Skips functions and instruments of the first @n_known hooks of @rows: they are stored already. */
gboolean gilk_run_write_new_hooks (GilkStore *store, gint64 run, const GilkArmed *armed,
                                   GilkImage *image, const GilkBoundPlan *rows, guint n_known,
                                   uint64_t now_ns, GError **error);

/* gilk_run_function_name() returns a function's name in the session. gilk_run_write_function()
 * writes the function's whole graph to the session. */
char    *gilk_run_function_name   (const GilkCfg *cfg);
gboolean gilk_run_write_function  (GilkStore *store, gint64 run, const GilkCfg *cfg, const char *module,
                                   GilkDecoder *decoder, GError **error);

/*
 * Copies the maps of programs from the kernel into the session.
 *
 * Threads: only the run's thread.
 */

typedef struct {
  GilkTarget        *target;      /* (unowned) */
  GilkRunSession    *session;     /* (unowned) */
  const GilkRunRows *rows;        /* (unowned) */
  GByteArray        *read;        /* contents of the programs' memory when last read, hook by hook; NULL: never read */
  GByteArray        *stored;      /* contents of the programs' memory when last stored; NULL: not
                                   * stored yet */
  GHashTable        *texts;       /* (element-type int64) (nullable): keys whose texts are stored */
} GilkRunMaps;

void     gilk_run_maps_clear (GilkRunMaps *maps);
gboolean gilk_run_maps_read  (GilkRunMaps *maps, GError **error);
/* Stores the maps as last read. */
gboolean gilk_run_maps_store (GilkRunMaps *maps, GError **error);
/* Sets each hook's number of failed reads and computations, from the maps as last read. */
void     gilk_run_maps_sum_failed_reads (const GilkRunMaps *maps, GilkHookFigures *figures);

/*
 * Stores data when a run ends, so that the session can be read without the kernel: stacks,
 * symbols and source lines of addresses, names of values, accessing instructions.
 */

typedef struct {
  GilkTarget        *target;      /* (unowned) */
  GilkRunSession    *session;     /* (unowned) */
  const GilkRunRows *rows;        /* (unowned) */
  GilkImage         *image;       /* (unowned) */
  GByteArray        *stacks;      /* contents of the memory area for stack traces; NULL: none */
  GArray            *slots;       /* (element-type Slot): ranges of hooks' code; an address in a
                                   * range is replaced by the range's site, the kernel text that
                                   * leads to the code; NULL: none */
  guint              n_lines;     /* number of addresses whose source lines were looked up */
} GilkRunNames;

void     gilk_run_names_clear (GilkRunNames *names);
/* Reads the stack traces. Must be called before the memory of programs and the ids are freed.
 * @armed: (element-type GilkArmed): all plans that were ever live, the latest first */
gboolean gilk_run_names_read  (GilkRunNames *names, const GPtrArray *armed, GError **error);

/* The store must be locked by the caller of the functions below. */

/* Stores the stacks and the symbols of their addresses, and names the values in samples and maps.
 * Call after all data are stored. */
gboolean gilk_run_names_store (GilkRunNames *names, GError **error);
/* Stores the source lines of all hooks, if there are debug data. Failures are ignored: source lines
 * are optional in a session. */
void     gilk_run_names_store_lines    (GilkRunNames *names);
/* gilk-run-accesses.c: stores which instructions made the accesses that watchpoints caught, if they
 * can be found. */
void     gilk_run_names_store_accesses (GilkRunNames *names);
/* Stores the source lines of @address. If @address is a return address (@returns), stores the lines
 * of the call before it. */
void     gilk_run_names_store_line     (GilkRunNames *names, uint64_t address, gboolean returns);

G_END_DECLS
