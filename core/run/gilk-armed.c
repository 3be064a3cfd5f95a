/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-armed.c - reserves, emits, prepares, arms and disarms the patches of a bound plan
 */
#include "core/run/gilk-armed.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-inline.h"
#include "core/image/gilk-image-user.h"
#include "core/language/gilk-event-names.h"
#include "core/plan/gilk-plan-event.h"

#define SETTLE_TRIES 30
#define SETTLE_US    50000

static const GilkBoundHook *
hook_at (const GilkArmed *armed, guint i)
{
  return gilk_bound_hook (armed->bound, i);
}

static const GilkSplicePlan *
plan_at (const GilkArmed *armed, guint i)
{
  return g_ptr_array_index (armed->bound->splice_plans, i);
}

/* Returns the index of patch @patch of splice plan @plan (the patches of one function) among the
 * patches of all splice plans. */
static guint
patch_number (const GilkArmed *armed, guint plan, guint patch)
{
  return armed->first_patch[plan] + patch;
}

gboolean
gilk_hook_takes_samples (const GilkBoundPlan *bound,
                         guint                hook)
{
  return gilk_bound_hook (bound, hook)->takes_samples;
}

gboolean
gilk_hook_counts_itself (const GilkBoundPlan *bound,
                         guint                hook)
{
  return gilk_bound_hook_has_op (gilk_bound_hook (bound, hook), GILK_OP_COUNT);
}

gboolean
gilk_hook_leaves_no_trace (const GilkBoundPlan *bound,
                           guint                hook)
{
  const GilkBoundHook *of = gilk_bound_hook (bound, hook);
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

/* ---- reports what the driver refused ---- */

/* Sets an error that names @hook, the first hook of a refused patch. Returns FALSE. */
static gboolean
set_refusal (const GilkArmed *armed, guint hook, guint refusal, GError **error)
{
  const GilkBoundHook *h = hook_at (armed, hook);
  g_autofree char *offset = h->cfg == NULL ? g_strdup ("") : gilk_cfg_offset_name (h->cfg, h->addr);

  g_clear_error (error);
  if (h->hook->watch != NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("Cannot watch %s: %s %s"), h->hook->function,
                   gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
      return FALSE;
    }
  if (h->hook->event.kind != 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("Cannot hook %s: %s %s"), h->hook->function,
                   gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
      return FALSE;
    }
  g_set_error (error, GILK_ERROR,
               refusal == ILK_REFUSAL_OVERLAP ? GILK_ERROR_OVERLAP : GILK_ERROR_REFUSED,
               _("Cannot hook %s%s (%s): %s %s"), h->hook->function, offset,
               gilk_where_name (h->hook->where), gilk_refusal_cause (refusal),
               gilk_refusal_remedy (refusal));

  return FALSE;
}

/* Sets an error that names the function of a refused patch without hooks. Returns FALSE. */
static gboolean
set_function_refusal (const GilkArmed *armed, guint plan, guint refusal, GError **error)
{
  g_clear_error (error);
  g_set_error (error, GILK_ERROR,
               refusal == ILK_REFUSAL_OVERLAP ? GILK_ERROR_OVERLAP : GILK_ERROR_REFUSED,
               _("Cannot clone %s: %s %s"), plan_at (armed, plan)->cfg->function->name,
               gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));

  return FALSE;
}

/* Marks all hooks of a refused patch as refused: the driver prepares a patch as a whole. */
static void
set_refused (GilkArmed *armed, uint32_t patch, guint refusal)
{
  for (guint i = 0; i < armed->n_hooks; i++)
    if (armed->patch_of[i] == patch)
      armed->refusals[i] = (uint16_t) refusal;
}

/* Marks the hooks of a patch that the driver refused as refused, and sets an error that gives the
 * reason. Always returns FALSE. */
static gboolean
explain_patch (GilkArmed *armed, uint32_t id, guint refusal, GError **error)
{
  set_refused (armed, id, refusal);
  for (guint i = 0; i < armed->n_hooks; i++)
    if (armed->patch_of[i] == id)
      return set_refusal (armed, i, refusal, error);
  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    for (guint i = 0; i < plan_at (armed, p)->n_patches; i++)
      if (armed->reserved_patches[armed->first_patch[p] + i].id == id)
        return set_function_refusal (armed, p, refusal, error);

  return FALSE;
}

/* Sets an error that names the patch or hook that the driver refused at PREPARE, if any. Always
 * returns FALSE. */
static gboolean
explain_refusal (GilkArmed *armed, GError **error)
{
  for (guint i = 0; i < armed->n_items; i++)
    if (armed->patches[i].refusal != 0)
      set_refused (armed, armed->patches[i].id, armed->patches[i].refusal);
  for (guint i = 0; i < armed->n_items; i++)
    if (armed->patches[i].refusal != 0)
      return explain_patch (armed, armed->patches[i].id, armed->patches[i].refusal, error);
  for (guint i = 0; i < armed->n_hook_items; i++)
    for (guint h = 0; armed->hooks[i].refusal != 0 && h < armed->n_hooks; h++)
      if (armed->iids[h] == armed->hooks[i].iid)
        {
          armed->refusals[h] = (uint16_t) armed->hooks[i].refusal;
          return set_refusal (armed, h, armed->hooks[i].refusal, error);
        }

  return FALSE;
}

/* ---- reserve ---- */

/* Returns TRUE if the patch must be reserved and prepared: it is new, or replaces a live patch. */
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

/* Appends a request for each new patch to @patches. If @given is set, @patches is the driver's
 * reply, whose elements are assigned to the new patches instead. */
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
  gboolean switches = armed->live == NULL && armed->bound->plan->interleave.period_ns != 0;

  collect_or_assign_patches (armed, patches, FALSE);
  collect_or_assign_hooks (armed, hooks, FALSE);
  if (switches)
    g_array_set_size (hooks, hooks->len + 1);
  /* The driver may have handled the request even if its reply did not arrive. */
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

/* ---- user-space programs ---- */

static struct gilk_user_point
make_user_point (const GilkSplicePlan *plan, const GilkPatchPlan *patch, uint32_t id)
{
  const GilkInsn *insn = &plan->cfg->insns[patch->first_insn];
  struct gilk_user_point point = {
    .patch = id, .offset = gilk_image_user_offset (plan->cfg->image, patch->site), .len = insn->len,
    .flags = plan->wants[patch->hooks[0]].returns ? GILK_USER_RETURNS : 0,
  };

  memcpy (point.old, gilk_cfg_bytes (plan->cfg, insn), insn->len);

  return point;
}

/* Returns the new patches of all functions in the file of @image. */
static GArray *
list_points (const GilkArmed *armed, GilkImage *image)
{
  GArray *points = g_array_new (FALSE, TRUE, sizeof (struct gilk_user_point));

  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    for (guint i = 0; plan_at (armed, p)->cfg->image == image && i < plan_at (armed, p)->n_patches; i++)
      {
        const GilkPatchPlan *patch = &plan_at (armed, p)->patches[i];
        struct gilk_user_point point;

        if (patch->next != GILK_PATCH_NEW)
          continue;
        point = make_user_point (plan_at (armed, p), patch, armed->reserved_patches[patch_number (armed, p, i)].id);
        g_array_append_val (points, point);
      }

  return points;
}

static gboolean
bind_file (const GilkArmed *armed, GilkImage *image, uint32_t *patch, uint32_t *refusal, GCancellable *cancellable,
           GError **error)
{
  g_autoptr(GArray) points = list_points (armed, image);

  if (points->len == 0)
    return TRUE;
  if (!gilk_target_program_bind (armed->target, gilk_image_user_path (image), gilk_image_user_file (image),
                                 (struct gilk_user_point *) points->data, points->len, cancellable, error))
    return FALSE;
  for (guint i = 0; i < points->len && *refusal == 0; i++)
    {
      *patch = g_array_index (points, struct gilk_user_point, i).patch;
      *refusal = g_array_index (points, struct gilk_user_point, i).refusal;
    }

  return TRUE;
}

/* Binds patches of user-space programs to their instructions. Must be called before the patches are
 * prepared. Sends the bytes that were read from the file: if the file has changed since, the agent
 * or the driver refuses the file and binds none of the file's patches. */
static gboolean
bind_users (GilkArmed *armed, GCancellable *cancellable, GError **error)
{
  g_autoptr(GHashTable) done = g_hash_table_new (NULL, NULL);
  uint32_t patch = 0, refusal = 0;

  g_assert (armed->reserved);
  for (guint p = 0; p < armed->bound->splice_plans->len && refusal == 0; p++)
    {
      GilkImage *image = plan_at (armed, p)->cfg->image;

      if (gilk_image_user_path (image) == NULL || !g_hash_table_add (done, image))
        continue;
      if (!bind_file (armed, image, &patch, &refusal, cancellable, error))
        return FALSE;
    }

  return refusal == 0 || explain_patch (armed, patch, refusal, error);
}

/* ---- tracepoints and timers ---- */

/* Returns the tracepoint or timer of a patch: that of the patch's first hook. */
static const GilkPlanHook *
find_event_hook (const GilkArmed *armed, uint32_t patch)
{
  for (guint i = 0; i < armed->n_hooks; i++)
    if (armed->patch_of[i] == patch)
      return hook_at (armed, i)->hook;

  return NULL;
}

/* Returns the new patches of hooks at tracepoints and timers. */
static GArray *
list_events (const GilkArmed *armed)
{
  GArray *events = g_array_new (FALSE, TRUE, sizeof (struct gilk_event_point));

  for (guint p = 0; p < armed->bound->splice_plans->len; p++)
    {
      const GilkSplicePlan *plan = plan_at (armed, p);
      struct gilk_event_point event = { 0 };
      const GilkPlanHook *hook;

      if (!plan->is_event || !is_new_patch (&plan->patches[0]))
        continue;
      event.patch = armed->reserved_patches[patch_number (armed, p, 0)].id;
      hook = find_event_hook (armed, event.patch);
      event.kind = hook->event.kind;
      event.amount = hook->event.amount;
      if (event.kind == GILK_EVENT_TRACEPOINT)
        g_strlcpy (event.name, gilk_plan_event_name (hook->function), sizeof event.name);
      g_array_append_val (events, event);
    }

  return events;
}

/* Binds patches to their tracepoints and timers. Must be called before the patches are prepared. */
static gboolean
bind_events (GilkArmed *armed, GCancellable *cancellable, GError **error)
{
  g_autoptr(GArray) events = list_events (armed);
  struct gilk_event_point *items = (struct gilk_event_point *) events->data;

  for (guint i = 0; i < events->len; i += GILK_EVENTS_BIND_MAX)
    {
      const guint n = MIN (events->len - i, GILK_EVENTS_BIND_MAX);

      if (!gilk_target_bind_events (armed->target, items + i, n, cancellable, error))
        return FALSE;
    }
  for (guint i = 0; i < events->len; i++)
    if (items[i].refusal != 0)
      return explain_patch (armed, items[i].patch, items[i].refusal, error);

  return TRUE;
}

/* ---- watchpoints ---- */

/* Returns the new patches of watchpoints. */
static GArray *
list_watches (const GilkArmed *armed)
{
  GArray *watches = g_array_new (FALSE, TRUE, sizeof (struct gilk_watch_point));

  for (guint i = 0; i < armed->n_hooks; i++)
    {
      const GilkBoundHook *hook = hook_at (armed, i);
      struct gilk_watch_point watch = hook->watch;

      if (hook->hook->watch == NULL || !is_new_patch (&plan_at (armed, hook->splice_plan)->patches[hook->choice.patch]))
        continue;
      watch.patch = armed->patch_of[i];
      g_array_append_val (watches, watch);
    }

  return watches;
}

/* Binds patches to the data that they watch. Must be called before the patches are prepared. */
static gboolean
bind_watches (GilkArmed *armed, GCancellable *cancellable, GError **error)
{
  g_autoptr(GArray) watches = list_watches (armed);
  struct gilk_watch_point *items = (struct gilk_watch_point *) watches->data;

  if (watches->len > 0 && !gilk_target_bind_watchpoints (armed->target, items, watches->len, cancellable, error))
    return FALSE;
  for (guint i = 0; i < watches->len; i++)
    if (items[i].refusal != 0)
      return explain_patch (armed, items[i].patch, items[i].refusal, error);

  return TRUE;
}

/* ---- creates event counters, and permits crash() ---- */

static gboolean
fail_refused (GError **error, const char *what, guint refusal)
{
  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, "%s (%s): %s %s", what, gilk_refusal_name (refusal),
               gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));

  return FALSE;
}

static gboolean
make_events (GilkArmed *armed, GCancellable *cancellable, GError **error)
{
  g_autoptr(GArray) events = gilk_bound_events (armed->bound);

  if (events->len == 0)
    return TRUE;
  if (!gilk_target_events (armed->target, (struct gilk_event_counter *) events->data, events->len, 0, cancellable, error))
    return FALSE;
  for (guint i = 0; i < events->len; i++)
    {
      const struct gilk_event_counter *event = &g_array_index (events, struct gilk_event_counter, i);
      g_autofree char *name = gilk_event_text (event->key);
      g_autofree char *what = g_strdup_printf (_("event(%s) is not available here"), name);

      if (event->refusal != 0)
        return fail_refused (error, what, event->refusal);
    }

  return TRUE;
}

static gboolean
allow_crashes (GilkArmed *armed, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < armed->n_hooks; i++)
    {
      uint32_t refusal = 0;

      if (!gilk_bound_hook_may_crash (hook_at (armed, i)))
        continue;
      if (!gilk_target_crash (armed->target, armed->iids[i], gilk_plan_crash_flags (armed->bound->plan), &refusal,
                              cancellable, error))
        return FALSE;
      if (refusal != 0)
        return fail_refused (error, _("crash() is not available here"), refusal);
    }

  return TRUE;
}

/* Creates event counters and permits crash(). Must be called before any code is prepared, and after
 * hooks got their ids (iids). */
static gboolean
request_services (GilkArmed *armed, GCancellable *cancellable, GError **error)
{
  return make_events (armed, cancellable, error) && allow_crashes (armed, cancellable, error);
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
  binding->slots = armed->programs[i].slots;
  if (hook->instrument != G_MAXUINT)
    binding->fn = g_array_index (armed->bound->instruments, struct ilk_instrument_desc,
                                 hook->instrument).fn;
}

/* Returns one array per splice plan (the patches of one function), with a binding for each of the
 * plan's requested hooks, in the order of @wants. A binding has the addresses that the emitted code
 * uses. */
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
  item->aux = planned->tactic == ILK_TACTIC_SPLICE ? code.bare
              : planned->tactic == GILK_TACTIC_FENTRY ? planned->entry_type : planned->bounce;
  memcpy (item->aux_old, planned->bounce_old, sizeof planned->bounce_old);
  if (planned->next == GILK_PATCH_FOLLOWS)
    item->replaces = get_live_id (armed, plan, planned);
  armed->n_items++;

  return TRUE;
}

/* Returns a map from function to the address of the function's clone (an instrumented copy), for
 * the clones that other clones call directly: clones with ILK_PATCH_INNER, and all clones if the
 * plan is joined. */
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

/* ---- hooks to prepare ---- */

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
  /* A gate is a byte that turns a hook on. The driver must not set the gates of hooks that programs
   * start or that A/B intervals switch. */
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

/* ---- prepare ---- */

gboolean
gilk_armed_prepare (GilkArmed    *armed,
                    GilkImage    *image,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_assert (!armed->reserved);
  if (!gilk_target_driver_info (armed->target, &armed->info, cancellable, error) ||
      (gilk_target_way (armed->target) == GILK_WAY_ILK &&
       !gilk_image_matches_driver (image, &armed->info, error)) ||
      !reserve_ids (armed, cancellable, error) ||
      !bind_users (armed, cancellable, error) ||
      !bind_events (armed, cancellable, error) ||
      !bind_watches (armed, cancellable, error) ||
      !gilk_armed_reserve_memory (armed, cancellable, error) ||
      !request_services (armed, cancellable, error) ||
      !emit_patches (armed, error))
    return FALSE;

  for (guint i = 0; i < armed->n_hooks; i++)
    fill_hook (armed, i);
  if (armed->n_items != 0 &&
      !gilk_target_prepare (armed->target, armed->patches, armed->n_items, armed->hooks,
                            armed->n_hook_items, armed->blob->data, armed->blob->len, cancellable,
                            error))
    return explain_refusal (armed, error);

  return TRUE;
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
    explain_patch (armed, arm->failed_patch, arm->refusal, error);

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

/* ---- handles plans that replace a live plan ---- */

/* Disarms the patches in @ids. Succeeds even if another tool prevents the restoration of a site (a
 * patched address): the run tries to restore the site again at its end. */
static gboolean
disarm_list (GilkArmed *armed, guint what, const GArray *ids, GError **error)
{
  struct ilk_disarm disarm = { .what = what, .count = ids->len };
  g_autoptr (GError) local = NULL;

  if (ids->len == 0 ||
      gilk_target_disarm (armed->target, &disarm, (const uint32_t *) ids->data, NULL, &local) ||
      g_error_matches (local, GILK_ERROR, GILK_ERROR_STILL_OWNED))
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

/* Returns TRUE if splice plan @plan of the live plan has no successor in the new plan. */
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
