/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-arm.c - puts the hooks of a bound plan into the kernel, and takes them out again
 *
 *   reserve   slots and iids, so that code can be emitted for the address it will run at
 *   emit      the code of each patch; programs are verified
 *   prepare   the driver checks everything; kernel text stays as it is
 *   arm       all hooks or none
 *   disarm    text as before
 *
 * A plan may follow a live one: then only what changes is reserved and prepared, and ARM makes new
 * patches take the place of live ones.
 *
 * A refusal of the driver is reported with its probe point.
 */
#include "core/emit/gilk-inline.h"
#include "core/run/gilk-run-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"

#define SETTLE_TRIES 30
#define SETTLE_US    50000

static const GilkBoundHook *
hook_at (const GilkArmed *armed, guint i)
{
  return &g_array_index (armed->bound->hooks, GilkBoundHook, i);
}

static const GilkSplicePlan *
plan_at (const GilkArmed *armed, guint i)
{
  return g_ptr_array_index (armed->bound->splice_plans, i);
}

/* Numbers the patches of all functions consecutively. */
static guint
patch_number (const GilkArmed *armed, guint plan, guint patch)
{
  return armed->first_patch[plan] + patch;
}

gboolean
gilk_hook_takes_samples (const GilkBoundPlan *bound,
                         guint                hook)
{
  return g_array_index (bound->hooks, GilkBoundHook, hook).takes_samples;
}

gboolean
gilk_hook_counts_itself (const GilkBoundPlan *bound,
                         guint                hook)
{
  return gilk_bound_hook_has_op (&g_array_index (bound->hooks, GilkBoundHook, hook), GILK_OP_COUNT);
}

gboolean
gilk_hook_leaves_no_trace (const GilkBoundPlan *bound,
                           guint                hook)
{
  const GilkBoundHook *of = &g_array_index (bound->hooks, GilkBoundHook, hook);
  guint i = of->instrument;

  if (of->program != NULL)
    return !of->takes_samples && !gilk_hook_counts_itself (bound, hook);

  return i != G_MAXUINT &&
         g_array_index (bound->instruments, struct ilk_instrument_desc, i).sample_bytes == 0;
}

void
gilk_armed_init (GilkArmed           *armed,
                 GilkTarget          *target,
                 const GilkBoundPlan *bound,
                 const GilkArmed     *live)
{
  *armed = (GilkArmed) {
    .target = target, .bound = bound, .live = live, .n_hooks = bound->hooks->len,
  };
  armed->first_patch = g_new (guint, bound->splice_plans->len);
  for (guint i = 0; i < bound->splice_plans->len; i++)
    {
      armed->first_patch[i] = armed->n_patches;
      armed->n_patches += plan_at (armed, i)->n_patches;
    }

  armed->iids = g_new0 (uint32_t, armed->n_hooks);
  armed->patch_of = g_new0 (uint32_t, armed->n_hooks);
  armed->reserved_patches = g_new0 (struct ilk_reserve_patch, armed->n_patches);
  armed->reserved_hooks = g_new0 (struct ilk_reserve_hook, armed->n_hooks);
  armed->programs = g_new0 (GilkArmedProgram, armed->n_hooks);
  armed->refusals = g_new0 (uint16_t, armed->n_hooks);
  armed->patches = g_new0 (struct ilk_prepare_patch, armed->n_patches);
  armed->hooks = g_new0 (struct ilk_prepare_hook, armed->n_hooks);
  armed->blob = g_byte_array_new ();
}

void
gilk_armed_clear (GilkArmed *armed)
{
  g_free (armed->first_patch);
  g_free (armed->iids);
  g_free (armed->patch_of);
  g_free (armed->reserved_patches);
  g_free (armed->reserved_hooks);
  for (guint i = 0; i < armed->n_hooks; i++)
    gilk_armed_program_clear (&armed->programs[i]);
  g_free (armed->programs);
  g_free (armed->refusals);
  g_free (armed->patches);
  g_free (armed->hooks);
  g_clear_pointer (&armed->blob, g_byte_array_unref);
}

/* ---- reserve ---- */

/* Returns TRUE if the patch is new, alone or in place of a live one. */
static gboolean
is_new_patch (const GilkPatchPlan *patch)
{
  return patch->next == GILK_PATCH_NEW || patch->next == GILK_PATCH_FOLLOWS;
}

static uint32_t
get_live_id (const GilkArmed *armed, guint plan, const GilkPatchPlan *patch)
{
  guint follows = g_array_index (armed->bound->live_plans, guint, plan);

  return armed->live->reserved_patches[patch_number (armed->live, follows, patch->live)].id;
}

/* Two passes: first collects the requests, then, with @given, distributes the reply. */
static void
collect_or_assign_patches (GilkArmed *armed, GArray *patches, gboolean given)
{
  guint number = 0, n = 0;

  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    for (guint i = 0; i < plan_at (armed, p)->n_patches; i++, number++)
      {
        const GilkPatchPlan *patch = &plan_at (armed, p)->patches[i];
        struct ilk_reserve_patch item = { .bytes = patch->code_bound };

        if (!is_new_patch (patch))
          armed->reserved_patches[number].id = get_live_id (armed, p, patch);
        else if (given)
          armed->reserved_patches[number] =
            g_array_index (patches, struct ilk_reserve_patch, n++);
        else
          g_array_append_val (patches, item);
      }
}

static void
collect_or_assign_hooks (GilkArmed *armed, GArray *hooks, gboolean given)
{
  guint n = 0;

  for (guint i = 0; i < armed->n_hooks; i++)
    {
      const GilkBoundHook *hook = hook_at (armed, i);
      struct ilk_reserve_hook item = { .flags = 0 };

      if (gilk_inline_is (hook->hook->instrument, GILK_INLINE_COUNT) || gilk_hook_counts_itself (armed->bound, i))
        item.flags = ILK_HOOK_COUNTER_NEAR;
      if (armed->live != NULL && hook->live_index != G_MAXUINT)
        armed->reserved_hooks[i] = armed->live->reserved_hooks[hook->live_index];
      else if (given)
        armed->reserved_hooks[i] = g_array_index (hooks, struct ilk_reserve_hook, n++);
      else
        g_array_append_val (hooks, item);
    }
}

static gboolean
reserve_ids (GilkArmed *armed, GCancellable *cancellable, GError **error)
{
  g_autoptr(GArray) patches = g_array_new (FALSE, TRUE, sizeof (struct ilk_reserve_patch));
  g_autoptr(GArray) hooks = g_array_new (FALSE, TRUE, sizeof (struct ilk_reserve_hook));
  gboolean switches = armed->live == NULL && armed->bound->plan->ab.period_ns != 0;

  collect_or_assign_patches (armed, patches, FALSE);
  collect_or_assign_hooks (armed, hooks, FALSE);
  if (switches)
    g_array_set_size (hooks, hooks->len + 1);
  /* The driver may have handled a request even if its reply did not arrive. */
  armed->reserved = TRUE;
  if ((patches->len > 0 || hooks->len > 0) &&
      !gilk_target_reserve (armed->target, (struct ilk_reserve_patch *) patches->data,
                            patches->len, (struct ilk_reserve_hook *) hooks->data, hooks->len,
                            cancellable, error))
    return FALSE;
  collect_or_assign_patches (armed, patches, TRUE);
  collect_or_assign_hooks (armed, hooks, TRUE);
  if (switches)
    armed->switch_iid = g_array_index (hooks, struct ilk_reserve_hook, hooks->len - 1).iid;

  for (guint i = 0; i < armed->n_hooks; i++)
    {
      const GilkBoundHook *hook = hook_at (armed, i);

      armed->iids[i] = armed->reserved_hooks[i].iid;
      if (hook->splice_plan != G_MAXUINT)
        armed->patch_of[i] =
          armed->reserved_patches[patch_number (armed, hook->splice_plan, hook->choice.patch)].id;
    }

  return TRUE;
}

/* ---- emit ---- */

static void
bind_hook (const GilkArmed *armed, guint i, GilkBinding *binding)
{
  const GilkBoundHook *hook = hook_at (armed, i);
  const struct ilk_reserve_hook *reserved = &armed->reserved_hooks[i];

  *binding = (GilkBinding) {
    .iid = reserved->iid, .counter = reserved->counter, .lost = reserved->lost,
    .missed = reserved->missed,
    .gate = gilk_plan_is_switched (armed->bound->plan, hook->hook) ? armed->switch_iid : 0,
  };
  binding->areas = armed->programs[i].addresses;
  binding->gates = armed->programs[i].gates;
  if (hook->instrument != G_MAXUINT)
    binding->fn = g_array_index (armed->bound->instruments, struct ilk_instrument_desc,
                                 hook->instrument).fn;
}

/* Returns an array for each splice plan, in the order of its wants. */
static GPtrArray *
bind_all_hooks (const GilkArmed *armed)
{
  GPtrArray *bindings = g_ptr_array_new_with_free_func (g_free);

  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    g_ptr_array_add (bindings, g_new0 (GilkBinding, plan_at (armed, p)->n_wants));
  for (guint i = 0; i < armed->n_hooks; i++)
    {
      GilkBinding *of_plan;

      if (hook_at (armed, i)->splice_plan == G_MAXUINT)
        continue;
      of_plan = g_ptr_array_index (bindings, hook_at (armed, i)->splice_plan);
      bind_hook (armed, i, &of_plan[hook_at (armed, i)->want_index]);
    }

  return bindings;
}

uint64_t
gilk_armed_append_blob (GByteArray *blob,
                        const void *data,
                        gsize       bytes)
{
  static const uint8_t zeroes[8] = { 0 };
  uint64_t offset;

  g_byte_array_append (blob, zeroes, (8 - blob->len % 8) % 8);
  offset = blob->len;
  g_byte_array_append (blob, data, (guint) bytes);

  return offset;
}

static gboolean
emit_patch (GilkArmed *armed, guint plan, guint patch, const GilkBinding *bindings,
            GHashTable *links, GError **error)
{
  const GilkPatchPlan *planned = &plan_at (armed, plan)->patches[patch];
  guint number = patch_number (armed, plan, patch);
  struct ilk_prepare_patch *item = &armed->patches[armed->n_items];
  g_auto(GilkCode) code = { NULL };

  if (!gilk_emit_code_linked (plan_at (armed, plan), patch,
                                armed->reserved_patches[number].slot, &armed->info, bindings, links,
                                &code, error) ||
      !gilk_programs_verify (plan_at (armed, plan), &code, armed->reserved_patches[number].slot, &armed->info, bindings,
                             error))
    return FALSE;

  *item = (struct ilk_prepare_patch) {
    .id = armed->reserved_patches[number].id,
    .tactic = planned->tactic,
    .site = planned->site,
    .len = planned->len,
    .code_len = code.code->len,
    .code = gilk_armed_append_blob (armed->blob, code.code->data, code.code->len),
  };
  if (code.orc != NULL && code.orc->len > 0)
    {
      item->orc_count = code.orc->len;
      item->orc = gilk_armed_append_blob (armed->blob, code.orc->data,
                                          code.orc->len * sizeof (struct ilk_orc));
    }
  if (code.faults != NULL && code.faults->len > 0)
    {
      item->fault_count = code.faults->len;
      item->faults = gilk_armed_append_blob (armed->blob, code.faults->data,
                                             code.faults->len * sizeof (struct ilk_fault));
    }
  item->flags = planned->flags;
  memcpy (item->old, planned->old, sizeof item->old);
  item->aux = planned->tactic == ILK_TACTIC_SPLICE ? code.bare : planned->bounce;
  memcpy (item->aux_old, planned->bounce_old, sizeof planned->bounce_old);
  if (planned->next == GILK_PATCH_FOLLOWS)
    item->replaces = get_live_id (armed, plan, planned);
  armed->n_items++;

  return TRUE;
}

/* Maps functions to the clones that other clones call directly: those with ILK_PATCH_INNER, or all
 * in a joined plan. */
static GHashTable *
collect_links (const GilkArmed *armed)
{
  GHashTable *links = g_hash_table_new (NULL, NULL);

  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    {
      const GilkSplicePlan *plan = plan_at (armed, p);

      for (guint i = 0; i < plan->n_patches; i++)
        if (plan->patches[i].flags & ILK_PATCH_INNER ||
            (armed->bound->joined && plan->patches[i].tactic == ILK_TACTIC_CLONE))
          g_hash_table_insert (links, GSIZE_TO_POINTER (plan->cfg->function->hot.start),
                               GSIZE_TO_POINTER (armed->reserved_patches[
                                                   patch_number (armed, p, i)].slot));
    }

  return links;
}

static gboolean
emit_patches (GilkArmed *armed, GError **error)
{
  g_autoptr(GPtrArray) bindings = bind_all_hooks (armed);
  g_autoptr(GHashTable) links = collect_links (armed);

  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    for (guint i = 0; i < plan_at (armed, p)->n_patches; i++)
      if (is_new_patch (&plan_at (armed, p)->patches[i]) &&
          !emit_patch (armed, p, i, g_ptr_array_index (bindings, p), links, error))
        return FALSE;

  return TRUE;
}

/* ---- prepare ---- */

static void
fill_params (const struct ilk_instrument_desc *desc, GHashTable *params, uint64_t *out)
{
  for (guint i = 0; i < MIN (desc->param_count, ILK_PARAMS_MAX); i++)
    {
      const char *text = g_hash_table_lookup (params, desc->params[i].name);

      out[i] = desc->params[i].preset;
      if (text != NULL)
        gilk_param_value (text, &out[i]);
    }
}

static void
fill_hook (GilkArmed *armed, guint i)
{
  const GilkBoundHook *hook = hook_at (armed, i);
  struct ilk_prepare_hook *item = &armed->hooks[armed->n_hook_items];
  uint64_t params[ILK_PARAMS_MAX] = { 0 };

  if (hook->splice_plan == G_MAXUINT || !is_new_patch (&plan_at (armed, hook->splice_plan)->patches[hook->choice.patch]))
    return;
  armed->n_hook_items++;
  *item = (struct ilk_prepare_hook) {
    .iid = armed->iids[i],
    .patch = armed->patch_of[i],
    .start_ns = hook->hook->start_ns,
    .stop_ns = hook->hook->stop_ns,
  };
  /* The driver must not open the gates of hooks that a program starts or that A/B
   * intervals switch. */
  if (plan_at (armed, hook->splice_plan)->wants[hook->want_index].gated && hook->control != GILK_CONTROL_STARTED &&
      !gilk_plan_is_switched (armed->bound->plan, hook->hook))
    item->flags |= ILK_HOOK_GATED;
  if (gilk_hook_takes_samples (armed->bound, i))
    item->flags |= ILK_HOOK_SAMPLES;
  if (hook->instrument == G_MAXUINT)
    return;

  const struct ilk_instrument_desc *desc =
    &g_array_index (armed->bound->instruments, struct ilk_instrument_desc, hook->instrument);

  item->instrument = desc->id;
  fill_params (desc, hook->hook->params, params);
  for (guint p = 0; p < ILK_PARAMS_MAX; p++)
    item->params[p] = params[p];
}

static gboolean
bind_users (GilkArmed *armed, GCancellable *cancellable, GError **error)
{
  uint32_t patch = 0, refusal = 0;

  if (!gilk_armed_bind_users (armed, &patch, &refusal, cancellable, error))
    return FALSE;

  return refusal == 0 || gilk_armed_explain_patch (armed, patch, refusal, error);
}

gboolean
gilk_armed_prepare (GilkArmed    *armed,
                    GilkImage    *image,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_assert (!armed->reserved);
  if (!gilk_target_driver_info (armed->target, &armed->info, cancellable, error) ||
      !gilk_image_matches_driver (image, &armed->info, error) ||
      !reserve_ids (armed, cancellable, error) ||
      !bind_users (armed, cancellable, error) ||
      !gilk_armed_reserve_memory (armed, cancellable, error) ||
      !gilk_armed_request_services (armed, cancellable, error) ||
      !emit_patches (armed, error))
    return FALSE;

  for (guint i = 0; i < armed->n_hooks; i++)
    fill_hook (armed, i);
  if (armed->n_items != 0 &&
      !gilk_target_prepare (armed->target, armed->patches, armed->n_items, armed->hooks,
                            armed->n_hook_items, armed->blob->data, armed->blob->len, cancellable,
                            error))
    return gilk_armed_explain (armed, error);

  return gilk_armed_set_watchpoints (armed, cancellable, error);
}

/* ---- arm and disarm ---- */

gboolean
gilk_armed_arm (GilkArmed      *armed,
                struct ilk_arm *arm,
                GCancellable   *cancellable,
                GError        **error)
{
  g_assert (armed->n_items == 0 || armed->reserved);
  *arm = (struct ilk_arm) { 0 };
  if (gilk_target_arm (armed->target, arm, cancellable, error))
    return TRUE;
  if (arm->refusal != 0)
    gilk_armed_explain_patch (armed, arm->failed_patch, arm->refusal, error);

  return FALSE;
}

gboolean
gilk_armed_disarm (GilkArmed *armed,
                   GError   **error)
{
  struct ilk_disarm disarm = { .what = ILK_DISARM_FILE };

  return !armed->reserved || gilk_target_disarm (armed->target, &disarm, NULL, NULL, error);
}

void
gilk_armed_wait_retired (GilkArmed *armed)
{
  for (guint i = 0; i < SETTLE_TRIES; i++)
    {
      guint pending = 0;
      g_autoptr(GArray) status = gilk_target_status (armed->target, FALSE, &pending, NULL, NULL);

      if (status == NULL || pending == 0)
        return;
      g_usleep (SETTLE_US);
    }
}

gboolean
gilk_armed_release (GilkArmed *armed)
{
  struct ilk_disarm disarm = { .what = ILK_DISARM_FILE | ILK_DISARM_FREE };
  gboolean done = TRUE;

  if (armed->reserved)
    done = gilk_target_disarm (armed->target, &disarm, NULL, NULL, NULL);
  armed->reserved = FALSE;

  return done;
}

/* ---- plans that follow a live one ---- */

/* Succeeds even if other patchers keep sites from being restored: the end of the run
 * tries again. */
static gboolean
disarm_list (GilkArmed *armed, guint what, const GArray *ids, GError **error)
{
  struct ilk_disarm disarm = { .what = what, .count = ids->len };
  g_autoptr (GError) local = NULL;

  if (ids->len == 0 ||
      gilk_target_disarm (armed->target, &disarm, (const uint32_t *) ids->data, NULL, &local) ||
      g_error_matches (local, GILK_ERROR, GILK_ERROR_KEPT))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

void
gilk_armed_rollback (GilkArmed *armed, gboolean forget)
{
  g_autoptr(GArray) ids = g_array_new (FALSE, FALSE, sizeof (uint32_t));

  g_assert (armed->live != NULL);
  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    for (guint i = 0; i < plan_at (armed, p)->n_patches; i++)
      {
        guint number = patch_number (armed, p, i);

        if (is_new_patch (&plan_at (armed, p)->patches[i]) && armed->reserved_patches[number].id != 0)
          g_array_append_val (ids, armed->reserved_patches[number].id);
      }
  disarm_list (armed, ILK_DISARM_LIST | (forget ? ILK_DISARM_FREE : 0), ids, NULL);
}

/* Returns TRUE if nothing in the new plan follows the live plan's @plan. */
static gboolean
is_removed_plan (const GilkArmed *armed, guint plan)
{
  for (guint i = 0; i < armed->bound->live_plans->len; i++)
    if (g_array_index (armed->bound->live_plans, guint, i) == plan)
      return FALSE;

  return TRUE;
}

gboolean
gilk_armed_disarm_removed (GilkArmed *armed, GError **error)
{
  g_autoptr(GArray) ids = g_array_new (FALSE, FALSE, sizeof (uint32_t));

  g_assert (armed->live != NULL);
  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    for (guint i = 0; i < plan_at (armed, p)->n_patches; i++)
      if (plan_at (armed, p)->patches[i].next == GILK_PATCH_ENDS)
        g_array_append_val (ids, armed->reserved_patches[patch_number (armed, p, i)].id);
  for (guint p = 0; p < armed->live->bound->splice_plans->len; p++)
    for (guint i = 0; is_removed_plan (armed, p) && i < plan_at (armed->live, p)->n_patches; i++)
      if (plan_at (armed->live, p)->patches[i].next != GILK_PATCH_ENDS)
        g_array_append_val (ids,
                            armed->live->reserved_patches[patch_number (armed->live, p, i)].id);

  return disarm_list (armed, ILK_DISARM_LIST, ids, error);
}
