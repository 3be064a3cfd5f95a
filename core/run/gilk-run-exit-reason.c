/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-exit-reason.c - detects what others do to the hooks of a run
 *
 * Another client may disarm everything, a hooked module may be unloaded, and bytes that were free
 * at the start may be taken when a later hook is due. A run that continued after this would produce
 * data that look complete.
 */
#include "core/base/gilk-refusal.h"

#include <glib/gi18n.h>
#include "core/run/gilk-run-private.h"

/* Compares the target's own times, so that delays on the connection cannot make a scheduled stop
 * look early. A patch revoked before its start was never restored: its time is 0. */
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
  guint    first;     /* of its hooks */
  uint64_t stop_ns;   /* latest of its hooks; 0: at the end of the run */
} Patch;

/* Returns a map from patch id to Patch. @patches holds the values and has room for one per hook. */
static GHashTable *
map_patches (const GilkRun *run, Patch *patches)
{
  GHashTable *by_id = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < run->armed.n_hooks; i++)
    {
      gpointer id = GUINT_TO_POINTER (run->armed.patch_of[i]);
      uint64_t stop = g_array_index (run->bound->hooks, GilkBoundHook, i).hook->stop_ns;
      Patch *patch = g_hash_table_lookup (by_id, id);

      if (id == NULL)             /* a watchpoint without a patch */
        continue;
      if (patch == NULL)
        {
          patches[i] = (Patch) { i, stop };
          g_hash_table_insert (by_id, id, &patches[i]);
        }
      else
        {
          patch->stop_ns = stop != 0 && patch->stop_ns != 0 ? MAX (patch->stop_ns, stop) : 0;
        }
    }

  return by_id;
}

/* Returns the module of the hooked function. @hook: NULL for patches without hooks */
static const char *
module_of (const GilkRun *run, const GilkBoundHook *hook)
{
  const GilkSplicePlan *first = g_ptr_array_index (run->bound->splice_plans, 0);
  const GilkCfg *cfg = hook != NULL ? hook->cfg : first->cfg;

  if (cfg == NULL)
    return hook->watch_module;

  return gilk_symbols_module (gilk_image_symbols (run->image), cfg->function->module);
}

static char *
format_reason (GilkRun *run, GilkExitReason reason, const struct ilk_patch_status *status,
               const GilkBoundHook *hook)
{
  if (reason == GILK_EXIT_REASON_FAILED && hook != NULL)
    return g_strdup_printf ("hook %s could not start", hook->hook->label);
  if (reason == GILK_EXIT_REASON_UNLOADED)
    return g_strdup_printf ("module %s was unloaded", module_of (run, hook));

  if (status->refusal == ILK_REFUSAL_LIVEPATCH)
    return g_strdup ("a livepatch was loaded");

  return g_strdup ("disarmed by another client");
}

static char *
describe_reason (GilkRun *run, GilkExitReason reason, const struct ilk_patch_status *status,
                 const GilkBoundHook *hook)
{
  if (reason == GILK_EXIT_REASON_FAILED && hook != NULL)
    return g_strdup_printf (_("Hook %s could not be armed at its start time: %s %s"), hook->hook->label,
                            gilk_refusal_cause (status->refusal),
                            gilk_refusal_remedy (status->refusal));
  if (reason == GILK_EXIT_REASON_UNLOADED)
    return g_strdup_printf (_("Module %s was unloaded during the run, together with its hooks. Everything recorded until "
                              "then is kept; load the module and run the plan again."), module_of (run, hook));

  if (status->refusal == ILK_REFUSAL_LIVEPATCH)
    return g_strdup_printf (_("A livepatch was loaded after %.1f s, so the driver removed all clones. Everything "
                              "recorded until then is kept; run the plan again."), gilk_run_elapsed (run));

  return g_strdup_printf (_("Another client disarmed the hooks of this run, which ended it after %.1f s. Everything "
                            "recorded until then is kept; run the plan again when no other client disarms hooks on this "
                            "kernel."), gilk_run_elapsed (run));
}

/* Keeps the worst exit reason. Patches without hooks count only if the run has no hooks at all. */
static void
note_exit_reason (GilkRun *run, GilkExitReason reason, const struct ilk_patch_status *status,
                  const Patch *patch)
{
  const GilkBoundHook *hook = NULL;

  if ((patch == NULL && run->armed.n_hooks > 0) || reason <= run->exit_reason)
    return;
  if (patch != NULL)
    hook = &g_array_index (run->bound->hooks, GilkBoundHook, patch->first);
  run->exit_reason = reason;
  g_mutex_lock (&run->lock);
  g_free (run->cut_reason);
  g_free (run->cut_short);
  run->cut_reason = format_reason (run, reason, status, hook);
  run->cut_short = describe_reason (run, reason, status, hook);
  g_mutex_unlock (&run->lock);
}

gboolean
gilk_run_check_patch_states (GilkRun *run)
{
  g_autofree Patch *patches = g_new (Patch, run->armed.n_hooks + 1);
  g_autoptr(GHashTable) by_id = map_patches (run, patches);
  gboolean works = FALSE;

  gilk_run_assert_own (run);
  g_assert (run->status != NULL && gilk_run_state (run) == GILK_RUN_RUNNING);
  for (guint i = 0; i < run->status->len; i++)
    {
      const struct ilk_patch_status *status =
        &g_array_index (run->status, struct ilk_patch_status, i);
      const Patch *patch = g_hash_table_lookup (by_id, GUINT_TO_POINTER (status->id));
      GilkExitReason reason = gilk_patch_exit_reason (status, run->zero_mono_ns,
                                                      patch != NULL ? patch->stop_ns : 0);

      works |= reason == GILK_EXIT_REASON_NONE;
      if (reason >= GILK_EXIT_REASON_FAILED)
        note_exit_reason (run, reason, status, patch);
    }

  run->cut_off = run->exit_reason == GILK_EXIT_REASON_DISARMED || (run->exit_reason >= GILK_EXIT_REASON_FAILED && !works);

  return !run->cut_off;
}
