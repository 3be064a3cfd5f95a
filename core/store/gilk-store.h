/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store.h - a session: one SQLite file
 *
 * application_id is 0x47696C6B ("Gilk"), user_version the schema version; data/schema.sql documents
 * the schema and is compiled in. The file has a WAL while recording, and is a single file after
 * closing. Samples are read with gilk-samples.h. Opening a session for recording repairs it after
 * a crash. There is one writer; each reader in another thread has a store of its own. A file is
 * never trusted: see gilk-store-guard.c.
 *
 * Threads: one thread at a time; threads that share a store hold a lock around each call
 * (gilk_run_session_lock()). Any thread may call gilk_store_path() and gilk_store_bytes(). On
 * failure outputs are untouched.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/base/gilk-cancellable.h"
#include "core/base/gilk-progress.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

typedef struct _GilkStore GilkStore;

/* Opens a session for recording; creates it if the file does not exist, refuses a file that is not
 * a session. */
GilkStore *gilk_store_open  (const char *path, GError **error);
/* Opens a session read-only: nothing is written, repaired or left beside the file. Soon after
 * @cancellable (nullable) is cancelled, all reads fail with GILK_ERROR_CANCELLED. */
GilkStore *gilk_store_open_read (const char *path, GCancellable *cancellable, GError **error);
/* Opens the same session, in its current state, for reading in another thread; shares @store's
 * cancellable. */
GilkStore *gilk_store_open_again (const GilkStore *store, GError **error);
/* Closes the session: checkpoints the WAL, so that only one file remains. @store may be NULL.
 * Returns FALSE with an error if data were lost. */
gboolean   gilk_store_close (GilkStore *store, GError **error);
void       gilk_store_free  (GilkStore *store);          /* closes the session, ignoring errors */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkStore, gilk_store_free)
/* Compresses samples with zstd. If interrupted, some samples stay uncompressed. Temporarily needs
 * as much free disk space as the session takes. Must not be called during a run. */
gboolean   gilk_store_compress (GilkStore *store, const GilkProgress *progress,
                                GCancellable *cancellable, GError **error);
/* Checks the session at @path. Returns a sentence per problem, none if the session is intact; NULL
 * if it cannot be checked. (transfer full) (element-type utf8) */
GPtrArray *gilk_store_verify (const char *path, const GilkProgress *progress,
                              GCancellable *cancellable, GError **error);
/* Exports the session at @path, including samples, as plain tables into a new file; leaves no file
 * on failure. */
gboolean   gilk_store_export_plain (const char *path, const char *out, const GilkProgress *progress,
                                    GCancellable *cancellable, GError **error);
const char *gilk_store_path (GilkStore *store);
/* Returns the cancellable that was given when the session was opened, for long work that does not
 * read the session. (transfer none) (nullable) */
GCancellable *gilk_store_cancellable (GilkStore *store);
uint64_t    gilk_store_bytes (GilkStore *store);

#define GILK_STORE_SUFFIX ".gilk"

/* Returns the paths of the sessions in @folder, sorted; for the folder ".", only the file names.
 * No session is opened. Any thread may call it. (transfer full) (element-type filename) */
GPtrArray *gilk_store_list_folder (const char *folder, GError **error);

/* ---- runs ---- */

typedef struct {
  gint64 id;
  char  *title, *target, *release, *build_id, *end_reason, *started;   /* started: time, ISO 8601 */
  char  *plan;                        /* text of the plan that was run */
  double duration;
  uint64_t samples, lost;
  gboolean by_bpf;                    /* the hooks were BPF programs; FALSE: the driver made the
                                       * hooks */
} GilkStoredRun;

/* Returns which way to hook the run used, as the option --by takes it: "ilk" (the driver) or
 * "bpf". */
const char *gilk_stored_run_way (const GilkStoredRun *run);

/* Returns how a run ended, in the user's language. @reason: (nullable): NULL if the run did not
 * end. (transfer full) */
char    *gilk_store_end_reason_text  (const char *reason);
/* Returns whether the run ended as planned: its time was over, or the user stopped it. Other
 * reasons deserve a message. @reason: (nullable) */
gboolean gilk_store_ended_as_planned (const char *reason);

/* Where a run was recorded, and when: the clocks at time zero. */
typedef struct {
  char    *hostname, *boot_id;        /* host name and boot id of the target; "" if not recorded */
  uint64_t zero_tsc, zero_mono_ns, zero_unix_ns;   /* readings of the target's clocks at time
                                                    * zero */
  uint64_t tsc_khz;
  uint64_t duration_ns;               /* 0: unknown */
} GilkStoredOrigin;

gboolean gilk_store_origin        (GilkStore *store, gint64 run, GilkStoredOrigin *origin,
                                   GError **error);
void     gilk_stored_origin_clear (GilkStoredOrigin *origin);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkStoredOrigin, gilk_stored_origin_clear)

/* ---- hooks and fields ---- */

typedef struct {
  gint64   id, run;
  uint32_t iid;
  char    *label, *function, *module, *block, *where, *instrument, *tactic;
  uint64_t addr, start_ns, stop_ns, hits, stored, lost, missed;
  guint    cost;
  gboolean switched;                  /* the hook was switched off and on: see gilk-store-loss.h */
  gboolean hits_known;                /* FALSE: the instrument does not report hits; hits is 0 */
} GilkStoredHook;

/* Returns whether the hook is at a tracepoint or a timer, which has neither a block nor an edge. */
gboolean        gilk_stored_hook_is_event (const GilkStoredHook *hook);
/* Returns the location of a hook: "vfs_read+0x10:pre", "profile:99hz". (transfer full) */
char           *gilk_stored_hook_point    (const GilkStoredHook *hook);
/* Copies a hook, so that it can outlive its array. (transfer full) */
GilkStoredHook *gilk_stored_hook_copy (const GilkStoredHook *hook);
void            gilk_stored_hook_free (GilkStoredHook *hook);
/* Returns whether the hook was a BPF program. */
gboolean        gilk_stored_hook_by_bpf (const GilkStoredHook *hook);
/* Returns for how many seconds of the run the hook was scheduled to be on. */
double          gilk_stored_hook_seconds (const GilkStoredHook *hook, const GilkStoredRun *run);

/* Maps hook ids, as samples have them, to indices in an array of hooks. Any thread may use it. */
typedef struct _GilkHookIndex GilkHookIndex;

GilkHookIndex *gilk_hook_index_new  (const GilkStoredHook *hooks, guint n_hooks);
void           gilk_hook_index_free (GilkHookIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHookIndex, gilk_hook_index_free)

/* Returns the index of hook id @id in the array of hooks; -1 if the array does not have it. */
int            gilk_hook_index_find (const GilkHookIndex *index, gint64 id);

typedef struct {
  char *name, *column, *unit, *help;  /* @column: the field's name in SQL */
  guint type;                         /* enum ilk_field_type */
  char *meaning;                      /* (nullable): meaning of the field's numbers:
                                       * gilk-store-names.h */
} GilkStoredField;

/* Returns whether values identify something, even if they are numbers: a process, CPU, address,
 * error. Such values can be counted; their sums and means are meaningless. */
gboolean gilk_stored_field_is_name (const GilkStoredField *field);
/* Returns the field of this name; NULL if there is none. @fields: (element-type GilkStoredField).
 * (transfer none) */
const GilkStoredField *gilk_stored_field_find (const GArray *fields, const char *name);

/* ---- lists of runs, hooks and fields ---- */

/* Return all runs of a session, all hooks of a run, and all fields of an instrument. The arrays
 * have their clear functions set. (transfer full) */
GArray *gilk_store_runs   (GilkStore *store, GError **error);
GArray *gilk_store_hooks  (GilkStore *store, gint64 run, GError **error);
GArray *gilk_store_fields (GilkStore *store, gint64 run, const char *instrument, GError **error);
/* Returns the names of instruments that take samples, in all runs. (transfer full) (element-type
 * utf8) */
GPtrArray *gilk_store_sampling_instruments (GilkStore *store, GError **error);

/* Returns @n - 1 ascending times that divide the samples of @hook into @n parts of about equal
 * size. (transfer full) */
gint64  *gilk_store_part_times (GilkStore *store, const GilkStoredHook *hook, guint n, GError **error);

typedef struct {
  gint64   id, run;
  char    *name, *module;
  uint64_t entry;
  guint    n_blocks;
} GilkStoredFunction;
typedef struct { uint32_t from, to; uint8_t kind; gboolean back; } GilkStoreEdge;
typedef struct {
  char    *name, *text;               /* @text: one instruction per line; may be NULL */
  uint64_t start, end;
  gboolean cold;
} GilkStoredBlock;

/* Returns the functions with hooks of a run. (transfer full) (element-type GilkStoredFunction) */
GArray  *gilk_store_functions (GilkStore *store, gint64 run, GError **error);
/* Reads a function. @blocks: GilkStoredBlock; @edges: GilkStoreEdge, whose indices into @blocks may
 * be out of range in a damaged file. (transfer full) */
gboolean gilk_store_function  (GilkStore *store, const GilkStoredFunction *function,
                               GArray **blocks, GArray **edges, GError **error);

/* Gets the series of a hook that only counts: times and cumulative counts. */
gboolean gilk_store_count_series (GilkStore *store, const GilkStoredHook *hook,
                                  GArray **times, GArray **values, GError **error);
/* A value of a field, with the number of samples that have it; in a list, the most frequent value
 * is first. @shown: the value and its name, if it has one. */
typedef struct { char *value, *shown; uint64_t count; } GilkStoredGroup;
GArray *gilk_store_group  (GilkStore *store, const GilkStoredHook *hook, const char *field, GError **error);
/* Works like gilk_store_group(), but only for samples at or after @from_ns and before @to_ns that
 * meet @condition (nullable, see gilk_samples_add_condition()). */
GArray *gilk_store_group_between (GilkStore *store, const GilkStoredHook *hook, const char *field, gint64 from_ns, gint64 to_ns,
                                  const char *condition, GError **error);

G_END_DECLS
