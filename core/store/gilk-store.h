/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store.h - a session: one SQLite file
 *
 * application_id 0x47696C6B ("Gilk"), user_version = schema version; the schema
 * is data/schema.sql (documented there, compiled in). WAL while recording, one
 * self-contained file after close. Samples are read by gilk-samples.h. What a crash left undone is mended when the session is opened to record.
 * One writer; readers may be in other threads with a store of their own. A file is
 * not trusted, whoever opens it: see gilk-store-guard.c.
 *
 * Threads: a store belongs to one at a time: who shares it holds a lock around each call
 * (gilk_run_lock_store()). gilk_store_path() and gilk_store_bytes() are for any. On failure
 * outputs are untouched, but for
 * @stored.
 */
#pragma once

#include <gio/gio.h>
#include <stdint.h>

#include "core/base/gilk-progress.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

typedef struct _GilkStore GilkStore;

/* To record into it: made if there is none; what is there and no session is refused. */
GilkStore *gilk_store_open  (const char *path, GError **error);
/* Nothing is written, mended or left beside the file. All that reads it ends soon after
 * @cancellable (nullable) is cancelled, with GILK_ERROR_CANCELLED. */
GilkStore *gilk_store_open_read (const char *path, GCancellable *cancellable, GError **error);
/* Another one to read the same session, as it is now, in another thread; cancelled as @store is. */
GilkStore *gilk_store_open_again (const GilkStore *store, GError **error);
/* Checkpoints, leaves one file. NULL is fine. FALSE with an error if data could not be kept. */
gboolean   gilk_store_close (GilkStore *store, GError **error);
void       gilk_store_free  (GilkStore *store);          /* close, ignoring errors */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkStore, gilk_store_free)
/* Samples that a version before 4 kept in tables become chunks, or all is as it was. Needs as much
 * room again meanwhile. No run may be under way. */
gboolean   gilk_store_upgrade (GilkStore *store, const GilkProgress *progress,
                               GCancellable *cancellable, GError **error);
/* Samples take less room, by zstd. What is cut off leaves some of them as they were. Needs as much room again
 * meanwhile. No run may be under way. */
gboolean   gilk_store_compress (GilkStore *store, const GilkProgress *progress,
                                GCancellable *cancellable, GError **error);
/* The same for what is recorded from now on, as it is recorded: nothing is left to do when the run ends. */
void       gilk_store_pack     (GilkStore *store);
/* What is wrong with it, a sentence each; none: all is there. NULL: it cannot be told.
 * (transfer full) (element-type utf8) */
GPtrArray *gilk_store_verify (const char *path, const GilkProgress *progress,
                              GCancellable *cancellable, GError **error);
/* All of the session at @path as plain tables, samples too, in a new file; none if it fails. */
gboolean   gilk_store_export_plain (const char *path, const char *out, const GilkProgress *progress,
                                    GCancellable *cancellable, GError **error);
const char *gilk_store_path (GilkStore *store);
/* What it was opened with, for work that takes long without reading. (transfer none) (nullable) */
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
  gboolean    switched;              /* off and on in blocks: gilk-store-blocks.h */
  const char *fingerprint;
} GilkStoreHook;

/* One run at a time, and one program: a second one is refused while the first records. */
gint64   gilk_store_begin_run  (GilkStore *store, const GilkStoreRun *run, GError **error);
/* Time zero as arming gave it; before any record or count of the run. */
gboolean gilk_store_set_zero   (GilkStore *store, gint64 run, uint64_t zero_tsc,
                                uint64_t zero_mono_ns, uint64_t zero_unix_ns, GError **error);
gboolean gilk_store_add_instrument (GilkStore *store, gint64 run,
                                    const struct ilk_instrument_desc *desc, GError **error);
/* Returns the hook's row id through @id. */
gboolean gilk_store_add_hook   (GilkStore *store, gint64 run, const GilkStoreHook *hook,
                                gint64 *id, GError **error);
/* It was removed while the run went on, @stop_ns after time zero. */
gboolean gilk_store_end_hook   (GilkStore *store, gint64 run, uint32_t iid, uint64_t stop_ns,
                                GError **error);
/* A function's blocks, edges and disassembly, so that the session shows its graph
 * without the kernel. JSON-free: rows. @cfg is a GilkCfg *, declared in core/cfg;
 * the rows are passed as plain data to keep store below cfg. */
typedef struct { const char *name; uint64_t start, end; gboolean cold; const char *text; } GilkStoreBlock;
typedef struct { uint32_t from, to; uint8_t kind; gboolean back; } GilkStoreEdge;
gboolean gilk_store_add_function (GilkStore *store, gint64 run, const char *function, const char *module,
                                  uint64_t entry, const GilkStoreBlock *blocks, guint n_blocks,
                                  const GilkStoreEdge *edges, guint n_edges, GError **error);
/**
 * gilk_store_plan_patches:
 * @patches: as the driver told them behind PREPARE; those that were planned before stay as they are
 * Rule 9. When it returns TRUE all of them are on disk as planned, as one batch, and may be armed.
 */
gboolean gilk_store_plan_patches (GilkStore *store, gint64 run,
                                  const struct ilk_patch_status *patches, guint n, GError **error);
/* What became of patches, as the driver tells it; of those that are as last noted nothing is
 * written, but for their trap hits with @all. */
gboolean gilk_store_note_patches (GilkStore *store, gint64 run,
                                  const struct ilk_patch_status *patches, guint n, gboolean all,
                                  GError **error);
/* What is planned still of the last batch was not armed (@refused) or was taken out again, and
 * text is as before. @why: (nullable) */
gboolean gilk_store_drop_planned (GilkStore *store, gint64 run, gboolean refused, const char *why,
                                  GError **error);
/* Appends whole records of one CPU; times become ns since run zero. @stored counts records
 * of this call. Records of hooks that are not in the run are left out. After an error the
 * open transaction is gone: gilk_store_stored() tells what is safe. */
gboolean gilk_store_add_records (GilkStore *store, gint64 run, guint cpu, const void *cells, gsize bytes,
                                 guint *stored, GError **error);
/* Records of a hook and CPU that are in the file, or in the open transaction. */
uint64_t gilk_store_stored     (GilkStore *store, uint32_t iid, guint cpu);
/* Per hook and CPU totals: hits, lost, dropped; called while running (latest wins) and at the end. */
gboolean gilk_store_put_counts (GilkStore *store, gint64 run, uint32_t iid, guint cpu,
                                const struct ilk_counter *counter, uint64_t at_ns, GError **error);
/* A point of a count hook's series (sum over CPUs). */
gboolean gilk_store_add_count_point (GilkStore *store, gint64 run, uint32_t iid, uint64_t at_ns,
                                     uint64_t count, GError **error);
/* Samples of a hook and CPU that are missing. A loss is known by its @from_ns: told again, it
 * has grown. */
typedef struct {
  gint64   from_ns, to_ns;            /* it happened in between; since the run's time zero */
  uint64_t lost, dropped;
} GilkStoredLoss;
/* Of a run whose rings were overwritten: what was lost first was lost before the first sample
 * that is there of its CPU. */
gboolean gilk_store_narrow_losses (GilkStore *store, gint64 run, GError **error);
gboolean gilk_store_put_loss   (GilkStore *store, gint64 run, uint32_t iid, guint cpu,
                                const GilkStoredLoss *loss, GError **error);
gboolean gilk_store_flush      (GilkStore *store, GError **error);          /* commits the open transaction */
/* The same, and waits until the disk has it. */
gboolean gilk_store_sync       (GilkStore *store, GError **error);
gboolean gilk_store_end_run    (GilkStore *store, gint64 run, uint64_t duration_ns,
                                const char *end_reason, GError **error);

/* ---- reading ---- */

typedef struct {
  gint64 id;
  char  *title, *target, *release, *build_id, *end_reason, *started;   /* started: ISO 8601 */
  char  *plan;                        /* its text, as it was run */
  double duration;
  uint64_t samples, lost;
  gboolean indexed;                   /* FALSE: it was cut off before, and reading samples is slow */
} GilkStoredRun;
typedef struct {
  gint64   id, run;
  uint32_t iid;
  char    *label, *function, *module, *block, *where, *instrument, *tactic;
  uint64_t addr, start_ns, stop_ns, hits, stored, lost, dropped;
  guint    cost;
  gboolean switched;                  /* off and on in blocks: gilk-store-blocks.h */
  gboolean hits_known;                /* FALSE: its instrument tells of no hit, hits is 0 */
} GilkStoredHook;

/* One alone, for who outlives its array. (transfer full) */
GilkStoredHook *gilk_stored_hook_copy (const GilkStoredHook *hook);
void            gilk_stored_hook_free (GilkStoredHook *hook);
/* How long it was in force, as it was planned. */
double          gilk_stored_hook_seconds (const GilkStoredHook *hook, const GilkStoredRun *run);
typedef struct {
  char *name, *column, *unit, *help;  /* column: its name in SQL */
  guint type;                         /* enum ilk_field_type */
  char *meaning;                      /* (nullable) gilk-store-names.h */
} GilkStoredField;

/* Its values are names of things, though they may be numbers: a process, a processor, an address, an error. They can be
 * counted one by one; sums and means of them are nothing. */
gboolean gilk_stored_field_is_name (const GilkStoredField *field);
/* @fields: (element-type GilkStoredField). (transfer none) (nullable): none is called so */
const GilkStoredField *gilk_stored_field_find (const GArray *fields, const char *name);

/* What the journal of a run says; a patch and its bounce are two changes. */
typedef struct {
  guint    n, n_planned, n_in_text, n_undone, n_refused;
  char    *boot_id;                   /* "" if it was not kept */
  gboolean has_last;                  /* all below is of the change that was written last */
  char    *tactic, *state, *point, *before, *after;   /* point: function and block, or NULL */
  uint64_t site, slot;
} GilkStoredJournal;
gboolean gilk_store_journal (GilkStore *store, gint64 run, GilkStoredJournal *journal,
                             GError **error);
void     gilk_stored_journal_clear (GilkStoredJournal *journal);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkStoredJournal, gilk_stored_journal_clear)

/* Element-free functions are set on the arrays. (transfer full) */
GArray *gilk_store_runs   (GilkStore *store, GError **error);
GArray *gilk_store_hooks  (GilkStore *store, gint64 run, GError **error);
GArray *gilk_store_fields (GilkStore *store, gint64 run, const char *instrument, GError **error);
/* Names of the instruments that take samples, of all runs. (transfer full) (element-type utf8) */
GPtrArray *gilk_store_sampling (GilkStore *store, GError **error);

/* Times that part the samples of @hook in @n about equal shares: n - 1 of them, ascending.
 * (transfer full) */
gint64  *gilk_store_part_times (GilkStore *store, const GilkStoredHook *hook, guint n, GError **error);

typedef struct {
  gint64   id, run;
  char    *name, *module;
  uint64_t entry;
  guint    n_blocks;
} GilkStoredFunction;
typedef struct {
  char    *name, *text;               /* text: an instruction a line; may be NULL */
  uint64_t start, end;
  gboolean cold;
} GilkStoredBlock;

/* The hooked functions of a run. (transfer full) (element-type GilkStoredFunction) */
GArray  *gilk_store_functions (GilkStore *store, gint64 run, GError **error);
/* @blocks: GilkStoredBlock; @edges: GilkStoreEdge, with indices into @blocks that a damaged
 * file may have wrong. (transfer full) */
gboolean gilk_store_function  (GilkStore *store, const GilkStoredFunction *function,
                               GArray **blocks, GArray **edges, GError **error);

/* Count points (cumulative) of a count hook. */
gboolean gilk_store_count_series (GilkStore *store, const GilkStoredHook *hook,
                                  GArray **times, GArray **values, GError **error);
/* (transfer full) (element-type GilkStoredLoss): of all CPUs, by time; what is lost and in no
 * loss may have been at any time. */
GArray  *gilk_store_losses     (GilkStore *store, const GilkStoredHook *hook, GError **error);
/* When it was in the text and its time had come; G_MAXINT64: until the run ended. */
gboolean gilk_store_hook_on    (GilkStore *store, const GilkStoredHook *hook, gint64 *from_ns,
                                gint64 *to_ns, GError **error);
/* How many samples per distinct value of a field, most first. @shown: with its name, if it has one. */
typedef struct { char *value, *shown; uint64_t count; } GilkStoredGroup;
GArray *gilk_store_group  (GilkStore *store, const GilkStoredHook *hook, const char *field, GError **error);
/* The same from @from_ns on and before @to_ns, of those that meet a condition, as of gilk_samples_add_condition(); nullable. */
GArray *gilk_store_group_between (GilkStore *store, const GilkStoredHook *hook, const char *field, gint64 from_ns, gint64 to_ns,
                                  const char *condition, GError **error);

G_END_DECLS
