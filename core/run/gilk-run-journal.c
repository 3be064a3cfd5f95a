/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-journal.c - records what a run will change in kernel text, and what became of it
 *
 * Between PREPARE and ARM the run asks the driver which bytes it will write: only the driver knows
 * all of them, including the padding after a jump and the jump of a bounce. ARM is sent once that
 * is on disk.
 */
#include "core/run/gilk-run-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/store/gilk-store-journal.h"
#include "core/store/gilk-store-write.h"

/* Returns the ids of the patches to arm. */
static GHashTable *
collect_ids (const GilkArmed *armed)
{
  GHashTable *ids = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < armed->n_items; i++)
    g_hash_table_add (ids, GUINT_TO_POINTER (armed->patches[i].id));

  return ids;
}

/* Returns the entries of @status of the patches to arm; NULL with an error if one is missing. */
static GArray *
pick_prepared (const GilkArmed *armed, const GArray *status, GError **error)
{
  g_autoptr(GHashTable) ids = collect_ids (armed);
  g_autoptr(GArray) picked = g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));

  for (guint i = 0; i < status->len; i++)
    {
      const struct ilk_patch_status *s = &g_array_index (status, struct ilk_patch_status, i);

      if (g_hash_table_remove (ids, GUINT_TO_POINTER (s->id)))
        g_array_append_val (picked, *s);
    }
  if (g_hash_table_size (ids) == 0)
    return g_steal_pointer (&picked);

  g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
               _("The driver did not report what it would write for %u of the patches, so nothing was armed. Make sure "
                 "that Gilk and its driver are of the same release."),
               g_hash_table_size (ids));
  return NULL;
}

gboolean
gilk_run_journal_planned (GilkRun *run, const GilkArmed *armed, GCancellable *cancellable,
                          GError **error)
{
  g_autoptr(GArray) status = NULL, picked = NULL;
  gboolean good;

  if (armed->n_items == 0)
    return TRUE;
  g_assert (armed->reserved);
  status = gilk_target_status (run->target, FALSE, NULL, cancellable, error);
  picked = status != NULL ? pick_prepared (armed, status, error) : NULL;
  if (picked == NULL)
    return FALSE;

  gilk_run_lock_store (run);
  good = gilk_store_plan_patches (run->store, run->run,
                                  (const struct ilk_patch_status *) picked->data, picked->len,
                                  error);
  gilk_run_unlock_store (run);

  return good;
}

gboolean
gilk_run_store_journal (GilkRun *run, gboolean all, GError **error)
{
  gboolean good;

  if (run->status == NULL)
    return TRUE;
  gilk_run_lock_store (run);
  good = gilk_store_note_patches (run->store, run->run,
                                  (const struct ilk_patch_status *) run->status->data,
                                  run->status->len, all, error);
  gilk_run_unlock_store (run);

  return good;
}

void
gilk_run_revoke_journal (GilkRun *run, gboolean refused, const GError *why)
{
  gilk_run_lock_store (run);
  if (gilk_store_drop_planned (run->store, run->run, refused, why != NULL ? why->message : NULL,
                               NULL))
    gilk_store_flush (run->store, NULL);
  gilk_run_unlock_store (run);
}
