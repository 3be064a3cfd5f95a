/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-patches.c - reads the states of a run's patches, and records their changes
 *
 * Another client may disarm everything, a hooked module may be unloaded, and bytes that were free
 * at the start may be in use when a later hook is due. A run that continued after such an event
 * would produce data that look complete but are not.
 *
 * The journal: between PREPARE and ARM the run asks the driver which bytes it will write, because
 * only the driver has the complete list, including the padding after a jump and the jump of a
 * bounce. ARM is sent once the list is on disk.
 */
#include "core/run/gilk-run-patches.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/store/gilk-store-write.h"

/* Minimum time between requests for the patches' states, in µs: TICK_US for every HOOKS_PER_TICK
 * hooks. */
#define TICK_US        100000
#define HOOKS_PER_TICK 2000

void
gilk_run_patches_clear (GilkRunPatches *patches)
{
  g_clear_pointer (&patches->status, g_array_unref);
  g_clear_pointer (&patches->cut_reason, g_free);
  g_clear_pointer (&patches->cut_short, g_free);
}

/* ---- states ---- */

/* Lists the ids (iids) of hooks that are watchpoints. Returns the number of watchpoints. */
static guint
list_watches (const GilkRunPatches *patches, uint32_t iids[GILK_WATCHES_MAX])
{
  guint n = 0;

  for (guint i = 0; i < patches->rows->n && n < GILK_WATCHES_MAX; i++)
    if (gilk_bound_hook (patches->rows->bound, i)->hook->watch != NULL)
      iids[n++] = patches->rows->iids[i];

  return n;
}

gboolean
gilk_run_patches_is_due (const GilkRunPatches *patches)
{
  return patches->status == NULL || g_get_monotonic_time () - patches->status_us >=
         TICK_US * (gint64) patches->rows->n / HOOKS_PER_TICK;
}

gboolean
gilk_run_patches_read (GilkRunPatches *patches, GError **error)
{
  uint32_t iids[GILK_WATCHES_MAX];
  guint n = list_watches (patches, iids);
  GArray *status;

  gilk_run_session_assert_own (patches->session);
  status = gilk_target_status (patches->target, FALSE, NULL, NULL, error);
  if (status == NULL)
    return FALSE;
  g_clear_pointer (&patches->status, g_array_unref);
  patches->status = status;
  patches->status_us = g_get_monotonic_time ();
  if (n == 0)
    return TRUE;
  if (!gilk_target_watchpoint_status (patches->target, iids, n, patches->watches, NULL, error))
    return FALSE;
  patches->n_watches = n;

  return TRUE;
}

GHashTable *
gilk_run_patches_by_id (const GilkRunPatches *patches)
{
  GHashTable *by_id = g_hash_table_new (NULL, NULL);

  for (guint i = 0; patches->status != NULL && i < patches->status->len; i++)
    {
      struct ilk_patch_status *s = &g_array_index (patches->status, struct ilk_patch_status, i);

      g_hash_table_insert (by_id, GUINT_TO_POINTER (s->id), s);
    }

  return by_id;
}

const struct gilk_watch_status *
gilk_run_patches_watchpoint (const GilkRunPatches *patches, guint row)
{
  for (guint i = 0; i < patches->n_watches; i++)
    if (patches->watches[i].iid == patches->rows->iids[row])
      return &patches->watches[i];

  return NULL;
}

guint
gilk_run_patches_watchpoint_state (const GilkRunPatches *patches, guint row)
{
  const struct gilk_watch_status *watch = gilk_run_patches_watchpoint (patches, row);

  if (watch == NULL)
    return ILK_STATE_PREPARED;

  return watch->state == GILK_WATCH_LIVE ? ILK_STATE_ARMED : watch->state == GILK_WATCH_READY ? ILK_STATE_PREPARED
         : watch->state == GILK_WATCH_GONE ? ILK_STATE_GONE : ILK_STATE_RESTORED;
}

/* ---- changes by others ---- */

/* Returns a patch's exit reason. Compares only times of the target's clock, so that delays on the
 * connection cannot make a scheduled stop look early. A patch that was revoked before its start was
 * never restored, so the time at which it was restored is 0. */
GilkExitReason
gilk_patch_exit_reason (const struct ilk_patch_status *status,
                        uint64_t                       zero_mono_ns,
                        uint64_t                       stop_ns)
{
  switch (status->state)
    {
    case ILK_STATE_GONE:
      return GILK_EXIT_REASON_UNLOADED;
    case ILK_STATE_FAILED:
      return GILK_EXIT_REASON_FAILED;
    case ILK_STATE_RESTORED:
    case ILK_STATE_RETIRED:
      return stop_ns != 0 && status->restored_mono_ns >= zero_mono_ns + stop_ns
             ? GILK_EXIT_REASON_STOPPED : GILK_EXIT_REASON_DISARMED;
    case ILK_STATE_LENDING:
      return stop_ns != 0 ? GILK_EXIT_REASON_STOPPED : GILK_EXIT_REASON_DISARMED;
    default:
      return GILK_EXIT_REASON_NONE;
    }
}

typedef struct {
  guint    first;     /* index of the patch's first hook */
  uint64_t stop_ns;   /* latest stop time of the patch's hooks; 0: at the end of the run */
} Patch;

/* Returns a map from patch id to Patch, which refers to elements of @all: an array with one element
 * per hook. */
static GHashTable *
map_patches (const GilkRunPatches *patches, Patch *all)
{
  GHashTable *by_id = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < patches->rows->n; i++)
    {
      gpointer id = GUINT_TO_POINTER (patches->rows->patch_of[i]);
      uint64_t stop = gilk_bound_hook (patches->rows->bound, i)->hook->stop_ns;
      Patch *patch = g_hash_table_lookup (by_id, id);

      if (id == NULL)             /* the hook was refused */
        continue;
      if (patch == NULL)
        {
          all[i] = (Patch) { i, stop };
          g_hash_table_insert (by_id, id, &all[i]);
        }
      else
        {
          patch->stop_ns = stop != 0 && patch->stop_ns != 0 ? MAX (patch->stop_ns, stop) : 0;
        }
    }

  return by_id;
}

/* Returns the name of the hooked function's module. @hook: NULL for patches without hooks */
static const char *
module_of (const GilkRunPatches *patches, const GilkBoundHook *hook)
{
  const GilkSplicePlan *first = g_ptr_array_index (patches->rows->bound->splice_plans, 0);
  const GilkCfg *cfg = hook != NULL ? hook->cfg : first->cfg;

  if (cfg == NULL)
    return hook->watch_module;

  return gilk_symbols_module (gilk_image_symbols (patches->image), cfg->function->module);
}

static char *
format_reason (GilkRunPatches *patches, GilkExitReason reason, const struct ilk_patch_status *status,
               const GilkBoundHook *hook)
{
  if (reason == GILK_EXIT_REASON_FAILED && hook != NULL)
    return g_strdup_printf ("hook %s could not start", hook->hook->label);
  if (reason == GILK_EXIT_REASON_UNLOADED)
    return g_strdup_printf ("module %s was unloaded", module_of (patches, hook));

  if (status->refusal == ILK_REFUSAL_LIVEPATCH)
    return g_strdup ("a livepatch was loaded");

  return g_strdup ("disarmed by another client");
}

static char *
describe_reason (GilkRunPatches *patches, GilkExitReason reason, const struct ilk_patch_status *status,
                 const GilkBoundHook *hook)
{
  if (reason == GILK_EXIT_REASON_FAILED && hook != NULL)
    return g_strdup_printf (_("Hook %s could not be armed at its start time: %s %s"), hook->hook->label,
                            gilk_refusal_cause (status->refusal),
                            gilk_refusal_remedy (status->refusal));
  if (reason == GILK_EXIT_REASON_UNLOADED)
    return g_strdup_printf (_("Module %s was unloaded during the run, together with its hooks. Everything recorded until "
                              "then is kept; load the module and run the plan again."), module_of (patches, hook));

  if (status->refusal == ILK_REFUSAL_LIVEPATCH)
    return g_strdup_printf (_("A livepatch was loaded after %.1f s, so the driver removed all clones. Everything "
                              "recorded until then is kept; run the plan again."), gilk_run_clock_elapsed (patches->clock));

  return g_strdup_printf (_("Another client disarmed the hooks of this run, so the run ended "
                            "after %.1f s. Everything recorded until then is kept; run the plan "
                            "again when no other client disarms hooks on this kernel."),
                          gilk_run_clock_elapsed (patches->clock));
}

/* Records an exit reason if it is worse than the recorded one. Reasons of patches without hooks are
 * recorded only in a run without any hooks. */
static void
note_exit_reason (GilkRunPatches *patches, GilkExitReason reason, const struct ilk_patch_status *status,
                  const Patch *patch)
{
  const GilkBoundHook *hook = NULL;

  if ((patch == NULL && patches->rows->n > 0) || reason <= patches->reason)
    return;
  if (patch != NULL)
    hook = gilk_bound_hook (patches->rows->bound, patch->first);
  patches->reason = reason;
  g_free (patches->cut_reason);
  g_free (patches->cut_short);
  patches->cut_reason = format_reason (patches, reason, status, hook);
  patches->cut_short = describe_reason (patches, reason, status, hook);
}

gboolean
gilk_run_patches_check (GilkRunPatches *patches)
{
  g_autofree Patch *all = g_new (Patch, patches->rows->n + 1);
  g_autoptr(GHashTable) by_id = map_patches (patches, all);
  gboolean works = FALSE;

  gilk_run_session_assert_own (patches->session);
  g_assert (patches->status != NULL);
  for (guint i = 0; i < patches->status->len; i++)
    {
      const struct ilk_patch_status *status =
        &g_array_index (patches->status, struct ilk_patch_status, i);
      const Patch *patch = g_hash_table_lookup (by_id, GUINT_TO_POINTER (status->id));
      GilkExitReason reason = gilk_patch_exit_reason (status, patches->clock->zero_mono_ns,
                                                      patch != NULL ? patch->stop_ns : 0);

      works |= reason == GILK_EXIT_REASON_NONE;
      if (reason >= GILK_EXIT_REASON_FAILED)
        note_exit_reason (patches, reason, status, patch);
    }

  patches->is_cut_off = patches->reason == GILK_EXIT_REASON_DISARMED || (patches->reason >= GILK_EXIT_REASON_FAILED && !works);

  return !patches->is_cut_off;
}

/* ---- journal ---- */

/* Returns the ids of the patches to arm. */
static GHashTable *
collect_ids (const GilkArmed *armed)
{
  GHashTable *ids = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < armed->n_items; i++)
    g_hash_table_add (ids, GUINT_TO_POINTER (armed->patches[i].id));

  return ids;
}

/* Returns the entries in @status for the patches to arm; NULL with an error if an entry is
 * missing. */
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
gilk_run_patches_plan (GilkRunPatches  *patches,
                       const GilkArmed *armed,
                       GCancellable    *cancellable,
                       GError         **error)
{
  g_autoptr(GArray) status = NULL, picked = NULL;
  gboolean good;

  if (armed->n_items == 0)
    return TRUE;
  g_assert (armed->reserved);
  status = gilk_target_status (patches->target, FALSE, NULL, cancellable, error);
  picked = status != NULL ? pick_prepared (armed, status, error) : NULL;
  if (picked == NULL)
    return FALSE;

  gilk_run_session_lock (patches->session);
  good = gilk_store_plan_patches (patches->session->store, patches->session->run,
                                  (const struct ilk_patch_status *) picked->data, picked->len,
                                  error);
  gilk_run_session_unlock (patches->session);

  return good;
}

gboolean
gilk_run_patches_store (GilkRunPatches *patches, gboolean all, GError **error)
{
  gboolean good;

  if (patches->status == NULL)
    return TRUE;
  gilk_run_session_lock (patches->session);
  good = gilk_store_note_patches (patches->session->store, patches->session->run,
                                  (const struct ilk_patch_status *) patches->status->data,
                                  patches->status->len, all, error);
  gilk_run_session_unlock (patches->session);

  return good;
}

void
gilk_run_patches_revoke (GilkRunPatches *patches, gboolean refused, const GError *why)
{
  gilk_run_session_lock (patches->session);
  if (gilk_store_drop_planned (patches->session->store, patches->session->run, refused, why != NULL ? why->message : NULL,
                               NULL))
    gilk_store_flush (patches->session->store, NULL);
  gilk_run_session_unlock (patches->session);
}
