/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store.h - a session: one SQLite file
 *
 * application_id is 0x47696C6B ("Gilk"), user_version the schema version; data/schema.sql documents
 * the schema and is compiled in. The file has a WAL while recording, and is a single file after
 * closing. Samples are read with gilk-samples.h. Opening a session for recording repairs what a
 * crash left unfinished. There is one writer; each reader in another thread has a store of its own.
 * A file is never trusted: see gilk-store-guard.c.
 *
 * Threads: one thread at a time; threads that share a store hold a lock around each call
 * (gilk_run_lock_store()). Any thread may call gilk_store_path() and gilk_store_bytes(). On failure
 * outputs are untouched, except for @stored.
 */
#pragma once

#include <gio/gio.h>
#include <stdint.h>

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
/* Checkpoints the WAL, so that only one file remains. @store may be NULL. FALSE with an error if
 * data were lost. */
gboolean   gilk_store_close (GilkStore *store, GError **error);
void       gilk_store_free  (GilkStore *store);          /* closes, ignoring errors */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkStore, gilk_store_free)
/* Compresses samples with zstd. If interrupted, some samples stay uncompressed. Temporarily takes
 * the same amount of disk space again. Must not be called during a run. */
gboolean   gilk_store_compress (GilkStore *store, const GilkProgress *progress,
                                GCancellable *cancellable, GError **error);
/* Compresses samples as they are written from now on; no work is left for the end of the run. */
void       gilk_store_enable_compression     (GilkStore *store);
/* Checks the session at @path. Returns a sentence per problem, none if the session is intact; NULL
 * if it cannot be checked. (transfer full) (element-type utf8) */
GPtrArray *gilk_store_verify (const char *path, const GilkProgress *progress,
                              GCancellable *cancellable, GError **error);
/* Exports the session at @path, including samples, as plain tables into a new file; leaves no file
 * on failure. */
gboolean   gilk_store_export_plain (const char *path, const char *out, const GilkProgress *progress,
                                    GCancellable *cancellable, GError **error);
const char *gilk_store_path (GilkStore *store);
/* Returns the cancellable given at opening, for long work that does not read. (transfer none)
 * (nullable) */
GCancellable *gilk_store_cancellable (GilkStore *store);
uint64_t    gilk_store_bytes (GilkStore *store);

/* ---- writing ---- */

typedef struct {
  const char *target, *hostname, *release, *build_id, *boot_id, *title, *plan_text;
  uint64_t    zero_tsc, zero_mono_ns, zero_unix_ns, tsc_khz;
  guint       n_cpus;
} GilkStoreRun;

typedef struct {
  uint32_t    iid;
  const char *label, *function, *module, *block, *where, *instrument, *tactic;
  uint64_t    addr, site;
  uint64_t    start_ns, stop_ns;
  guint       cost;                  /* predicted added instructions */
  gboolean    switched;              /* switched off and on in intervals: gilk-store-intervals.h */
  const char *fingerprint;
} GilkStoreHook;

/* Starts a run. Refused while another run is being recorded, by this process or another. */
gint64   gilk_store_begin_run  (GilkStore *store, const GilkStoreRun *run, GError **error);
/* Sets time zero, as returned by the driver at arming; must precede all records and counts of the
 * run. */
gboolean gilk_store_set_zero   (GilkStore *store, gint64 run, uint64_t zero_tsc,
                                uint64_t zero_mono_ns, uint64_t zero_unix_ns, GError **error);
gboolean gilk_store_add_instrument (GilkStore *store, gint64 run,
                                    const struct ilk_instrument_desc *desc, GError **error);
/* Returns the hook's row id in @id. */
gboolean gilk_store_add_hook   (GilkStore *store, gint64 run, const GilkStoreHook *hook,
                                gint64 *id, GError **error);
/* Records that the hook was removed during the run, @stop_ns after time zero. */
gboolean gilk_store_end_hook   (GilkStore *store, gint64 run, uint32_t iid, uint64_t stop_ns,
                                GError **error);
/* Stores a function's blocks, edges and disassembly, so that its graph can be shown without the
 * kernel. The arguments are plain data, so that the store does not depend on GilkCfg. */
typedef struct { const char *name; uint64_t start, end; gboolean cold; const char *text; } GilkStoreBlock;
typedef struct { uint32_t from, to; uint8_t kind; gboolean back; } GilkStoreEdge;
gboolean gilk_store_add_function (GilkStore *store, gint64 run, const char *function, const char *module,
                                  uint64_t entry, const GilkStoreBlock *blocks, guint n_blocks,
                                  const GilkStoreEdge *edges, guint n_edges, GError **error);
/**
 * gilk_store_plan_patches:
 * @patches: status from the driver after PREPARE; rows of patches planned before stay unchanged
 * Writes the journal, which must be on disk before kernel text changes: when the function returns
 * TRUE, all @patches are synced to disk as planned, as one batch, and may be armed.
 */
gboolean gilk_store_plan_patches (GilkStore *store, gint64 run,
                                  const struct ilk_patch_status *patches, guint n, GError **error);
/* Records the driver's current status of @patches. Patches whose status has not changed are
 * skipped, unless @all is set: then their trap-hit counts are updated. */
gboolean gilk_store_note_patches (GilkStore *store, gint64 run,
                                  const struct ilk_patch_status *patches, guint n, gboolean all,
                                  GError **error);
/* Marks the patches of the last batch that are still planned as not armed (@refused) or as undone;
 * kernel text is unchanged. @why: (nullable) */
gboolean gilk_store_drop_planned (GilkStore *store, gint64 run, gboolean refused, const char *why,
                                  GError **error);
/* Appends whole records of one CPU; times become ns since time zero. @stored counts the records of
 * this call. Records of hooks that are not in the run are ignored. After an error the open
 * transaction has been rolled back; gilk_store_stored() then returns how many records are safe. */
gboolean gilk_store_add_records (GilkStore *store, gint64 run, guint cpu, const void *cells, gsize bytes,
                                 guint *stored, GError **error);
/* Returns the number of stored records of a hook and CPU, including the open transaction. */
uint64_t gilk_store_stored     (GilkStore *store, uint32_t iid, guint cpu);
/* Sets the totals of a hook and CPU: hits, lost, missed; called during the run (the latest call
 * wins) and at its end. */
gboolean gilk_store_put_counts (GilkStore *store, gint64 run, uint32_t iid, guint cpu,
                                const struct ilk_counter *counter, uint64_t at_ns, GError **error);
/* Adds a point to a count hook's series (sum over CPUs). */
gboolean gilk_store_add_count_point (GilkStore *store, gint64 run, uint32_t iid, uint64_t at_ns,
                                     uint64_t count, GError **error);
/* Samples of a hook and CPU that were lost. A loss is identified by its @from_ns: storing it again
 * updates it. */
typedef struct {
  gint64   from_ns, to_ns;            /* interval of the loss, since time zero */
  uint64_t lost, missed;
} GilkStoredLoss;
/* Narrows losses of runs whose rings were overwritten: the first loss of a CPU ended before its
 * first stored sample. */
gboolean gilk_store_narrow_losses (GilkStore *store, gint64 run, GError **error);
gboolean gilk_store_put_loss   (GilkStore *store, gint64 run, uint32_t iid, guint cpu,
                                const GilkStoredLoss *loss, GError **error);
gboolean gilk_store_flush      (GilkStore *store, GError **error);          /* commits */
/* Commits and waits until the data are on disk. */
gboolean gilk_store_sync       (GilkStore *store, GError **error);
gboolean gilk_store_end_run    (GilkStore *store, gint64 run, uint64_t duration_ns,
                                const char *end_reason, GError **error);

/* ---- reading ---- */

typedef struct {
  gint64 id;
  char  *title, *target, *release, *build_id, *end_reason, *started;   /* started: ISO 8601 */
  char  *plan;                        /* text of the plan that was run */
  double duration;
  uint64_t samples, lost;
} GilkStoredRun;
typedef struct {
  gint64   id, run;
  uint32_t iid;
  char    *label, *function, *module, *block, *where, *instrument, *tactic;
  uint64_t addr, start_ns, stop_ns, hits, stored, lost, missed;
  guint    cost;
  gboolean switched;                  /* switched off and on in intervals: gilk-store-intervals.h */
  gboolean hits_known;                /* FALSE: the instrument does not report hits; hits is 0 */
} GilkStoredHook;

/* Copies a hook, so that it can outlive its array. (transfer full) */
GilkStoredHook *gilk_stored_hook_copy (const GilkStoredHook *hook);
void            gilk_stored_hook_free (GilkStoredHook *hook);
/* Returns the planned active time in seconds. */
double          gilk_stored_hook_seconds (const GilkStoredHook *hook, const GilkStoredRun *run);
typedef struct {
  char *name, *column, *unit, *help;  /* column: its name in SQL */
  guint type;                         /* enum ilk_field_type */
  char *meaning;                      /* (nullable) gilk-store-names.h */
} GilkStoredField;

/* Returns whether values identify something, even if they are numbers: a process, CPU, address,
 * error. Such values can be counted; their sums and means are meaningless. */
gboolean gilk_stored_field_is_name (const GilkStoredField *field);
/* Returns the field of this name; NULL if there is none. @fields: (element-type GilkStoredField).
 * (transfer none) */
const GilkStoredField *gilk_stored_field_find (const GArray *fields, const char *name);

/* Summary of a run's journal; a patch and its bounce are two changes. */
typedef struct {
  guint    n, n_planned, n_in_text, n_undone, n_refused;
  char    *boot_id;                   /* "" if not recorded */
  gboolean has_last;                  /* the fields below are set, from the last written change */
  char    *tactic, *state, *point, *before, *after;   /* point: function and block, or NULL */
  uint64_t site, slot;
} GilkStoredJournal;
gboolean gilk_store_journal (GilkStore *store, gint64 run, GilkStoredJournal *journal,
                             GError **error);
void     gilk_stored_journal_clear (GilkStoredJournal *journal);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkStoredJournal, gilk_stored_journal_clear)

/* Return arrays that have their clear functions set. (transfer full) */
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
typedef struct {
  char    *name, *text;               /* text: one instruction per line; may be NULL */
  uint64_t start, end;
  gboolean cold;
} GilkStoredBlock;

/* Returns the hooked functions of a run. (transfer full) (element-type GilkStoredFunction) */
GArray  *gilk_store_functions (GilkStore *store, gint64 run, GError **error);
/* Reads a function. @blocks: GilkStoredBlock; @edges: GilkStoreEdge, whose indices into @blocks may
 * be out of range in a damaged file. (transfer full) */
gboolean gilk_store_function  (GilkStore *store, const GilkStoredFunction *function,
                               GArray **blocks, GArray **edges, GError **error);

/* Returns the cumulative points of a count hook's series. */
gboolean gilk_store_count_series (GilkStore *store, const GilkStoredHook *hook,
                                  GArray **times, GArray **values, GError **error);
/* Returns the losses of all CPUs, by time; all losses at unknown times form one from 0 to
 * G_MAXINT64. (transfer full) (element-type GilkStoredLoss) */
GArray  *gilk_store_losses     (GilkStore *store, const GilkStoredHook *hook, GError **error);
/* Returns when the hook was in the text and within its scheduled time; G_MAXINT64: until the end of
 * the run. */
gboolean gilk_store_hook_active_time    (GilkStore *store, const GilkStoredHook *hook, gint64 *from_ns,
                                         gint64 *to_ns, GError **error);
/* Counts samples by distinct value of a field, most frequent first. @shown: the value and its
 * name, if it has one. */
typedef struct { char *value, *shown; uint64_t count; } GilkStoredGroup;
GArray *gilk_store_group  (GilkStore *store, const GilkStoredHook *hook, const char *field, GError **error);
/* Like gilk_store_group() for samples at or after @from_ns and before @to_ns that meet @condition
 * (nullable, see gilk_samples_add_condition()). */
GArray *gilk_store_group_between (GilkStore *store, const GilkStoredHook *hook, const char *field, gint64 from_ns, gint64 to_ns,
                                  const char *condition, GError **error);

G_END_DECLS
