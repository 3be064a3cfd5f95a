/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-write.h - records a run into a session, with the journal of its changes to kernel
 * text
 *
 * Further functions that record a run are in gilk-store-clock.h, gilk-store-cost.h,
 * gilk-store-loss.h, gilk-store-names.h and gilk-store-program.h.
 *
 * Threads: only the store's thread. On failure outputs are untouched, except for @stored.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

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
  guint       cost;                  /* number of instructions that the hook adds per hit, as
                                      * predicted */
  gboolean    switched;              /* the hook is switched off and on: see gilk-store-loss.h */
  const char *fingerprint;
} GilkStoreHook;

/* Makes the recorder compress samples as it writes them, from now on. So no compression is left for
 * the end of the run. */
void     gilk_store_enable_compression (GilkStore *store);
/* Starts a run. Refused while another run is being recorded, by this process or another. */
gint64   gilk_store_begin_run  (GilkStore *store, const GilkStoreRun *run, GError **error);
/* Sets time zero, as returned by the driver at arming. Must be called before any records or counts
 * are added to the run. */
gboolean gilk_store_set_zero   (GilkStore *store, gint64 run, uint64_t zero_tsc,
                                uint64_t zero_mono_ns, uint64_t zero_unix_ns, GError **error);
gboolean gilk_store_add_instrument (GilkStore *store, gint64 run,
                                    const struct ilk_instrument_desc *desc, GError **error);
/* Adds a hook to the run. Sets @id to the hook's row id. */
gboolean gilk_store_add_hook   (GilkStore *store, gint64 run, const GilkStoreHook *hook,
                                gint64 *id, GError **error);
/* Records that the hook was removed during the run, @stop_ns after time zero. */
gboolean gilk_store_end_hook   (GilkStore *store, gint64 run, uint32_t iid, uint64_t stop_ns,
                                GError **error);
/* Stores a function's blocks, edges and disassembly, so that its graph can be shown without the
 * kernel. The arguments are plain data, so that the store does not depend on GilkCfg. */
typedef struct { const char *name; uint64_t start, end; gboolean cold; const char *text; } GilkStoreBlock;
gboolean gilk_store_add_function (GilkStore *store, gint64 run, const char *function, const char *module,
                                  uint64_t entry, const GilkStoreBlock *blocks, guint n_blocks,
                                  const GilkStoreEdge *edges, guint n_edges, GError **error);
/* Adds whole records of one CPU to the run. Converts the records' TSC times to ns since time zero.
 * @stored: number of records that this call has stored. Records of hooks that are not in the run
 * are ignored. After an error the open transaction has been rolled back; gilk_store_stored() then
 * returns how many records are safe. */
gboolean gilk_store_add_records (GilkStore *store, gint64 run, guint cpu, const void *cells, gsize bytes,
                                 guint *stored, GError **error);
/* Returns the number of a hook's records stored on a CPU, including those in the open
 * transaction. */
uint64_t gilk_store_stored     (GilkStore *store, uint32_t iid, guint cpu);
/* Sets the totals of a hook on a CPU: hits, lost, missed. Called during the run and at its end;
 * each call replaces the earlier totals. */
gboolean gilk_store_put_counts (GilkStore *store, gint64 run, uint32_t iid, guint cpu,
                                const struct ilk_counter *counter, uint64_t at_ns, GError **error);
/* Adds a point to the series of a hook that only counts: the sum of the counts of all CPUs at a
 * time. */
gboolean gilk_store_add_count_point (GilkStore *store, gint64 run, uint32_t iid, uint64_t at_ns,
                                     uint64_t count, GError **error);
gboolean gilk_store_flush      (GilkStore *store, GError **error);          /* commits */
/* Commits the transaction, and waits until the data are on disk. */
gboolean gilk_store_sync       (GilkStore *store, GError **error);
gboolean gilk_store_end_run    (GilkStore *store, gint64 run, uint64_t duration_ns,
                                const char *end_reason, GError **error);

/*
 * Writes the journal of a run's changes to kernel text.
 */

/**
 * gilk_store_plan_patches:
 * @patches: status of patches, as reported by the driver after PREPARE; rows of patches that were
 * planned before stay unchanged
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
/* Ends the patches of the last batch whose state is still "planned": if @refused, their state
 * becomes "refused", else "restored". Kernel text must be unchanged. @why: (nullable) */
gboolean gilk_store_drop_planned (GilkStore *store, gint64 run, gboolean refused, const char *why,
                                  GError **error);

/* Summary of a run's journal of changes to kernel text. A patch and the jump of its bounce are
 * counted as two changes. */
typedef struct {
  guint    n, n_planned, n_in_text, n_undone, n_refused;
  char    *boot_id;                   /* the target's boot id; "" if not recorded */
  gboolean has_last;                  /* the fields below are set; they describe the last change in
                                       * the journal */
  char    *tactic, *state, *point, *before, *after;   /* @point: function and block, or NULL */
  uint64_t site, slot;
} GilkStoredJournal;
gboolean gilk_store_journal (GilkStore *store, gint64 run, GilkStoredJournal *journal,
                             GError **error);
void     gilk_stored_journal_clear (GilkStoredJournal *journal);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkStoredJournal, gilk_stored_journal_clear)

G_END_DECLS
