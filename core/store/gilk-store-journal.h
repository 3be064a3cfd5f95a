/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-journal.h - the journal of a run's changes to kernel text
 *
 * Threads: only the store's thread. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

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
/* Ends the patches of the last batch whose state is still "planned": if @refused, their state
 * becomes "refused", else "restored". Kernel text must be unchanged. @why: (nullable) */
gboolean gilk_store_drop_planned (GilkStore *store, gint64 run, gboolean refused, const char *why,
                                  GError **error);

/* Summary of a run's journal; a patch and its bounce are two changes. */
typedef struct {
  guint    n, n_planned, n_in_text, n_undone, n_refused;
  char    *boot_id;                   /* "" if not recorded */
  gboolean has_last;                  /* the fields below are set, from the last written change */
  char    *tactic, *state, *point, *before, *after;   /* @point: function and block, or NULL */
  uint64_t site, slot;
} GilkStoredJournal;
gboolean gilk_store_journal (GilkStore *store, gint64 run, GilkStoredJournal *journal,
                             GError **error);
void     gilk_stored_journal_clear (GilkStoredJournal *journal);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkStoredJournal, gilk_stored_journal_clear)

G_END_DECLS
