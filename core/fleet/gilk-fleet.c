/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet.c - records one plan on several kernels at once
 *
 * Anything that blocks is a step in a thread of its own: connecting and binding; opening the
 * session; closing session and target. During a step the member's data belong to that thread,
 * except for data that the lock protects.
 */
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/fleet/gilk-fleet-private.h"
#include "core/store/gilk-store-write.h"

G_DEFINE_FINAL_TYPE (GilkFleet, gilk_fleet, G_TYPE_OBJECT)

enum { CHANGED, PREPARED, ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
refusal_free (gpointer data)
{
  GilkFleetRefusal *refusal = data;

  g_free (refusal->label);
  g_free (refusal->point);
  g_free (refusal->text);
  g_free (refusal);
}

static void
member_free (gpointer data)
{
  GilkFleetEntry *member = data;

  if (member->run != NULL)
    g_signal_handlers_disconnect_by_data (member->run, member);
  g_clear_object (&member->run);
  g_clear_pointer (&member->bound, gilk_bound_plan_free);
  g_clear_pointer (&member->store, gilk_store_free);
  g_clear_pointer (&member->functions, gilk_functions_unref);
  g_clear_pointer (&member->image, gilk_image_unref);
  g_clear_pointer (&member->target, gilk_target_unref);
  g_ptr_array_unref (member->refusals);
  g_clear_error (&member->error);
  g_free (member->progress_text);
  g_free (member->spec);
  g_free (member->path);
  g_free (member);
}

static void
emit_changed (GilkFleet *fleet)
{
  g_signal_emit (fleet, signals[CHANGED], 0);
}

/* ---- steps ---- */

typedef void (*StepFunc) (GilkFleetEntry *member);

typedef struct {
  GilkFleetEntry *member;
  StepFunc work, then;             /* @work: run in its thread; @then: in the fleet's context */
} Step;

static gboolean
step_done (gpointer data)
{
  Step *step = data;
  GilkFleet *fleet = step->member->fleet;

  fleet->n_steps--;
  step->then (step->member);

  return G_SOURCE_REMOVE;
}

static void
step_free (gpointer data)
{
  Step *step = data;

  g_object_unref (step->member->fleet);
  g_free (step);
}

static gpointer
step_thread (gpointer data)
{
  Step *step = data;
  GSource *source = g_idle_source_new ();

  step->work (step->member);
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, step_done, step, step_free);
  g_source_attach (source, step->member->fleet->context);
  g_source_unref (source);

  return NULL;
}

static void
start_step (GilkFleetEntry *member, StepFunc work, StepFunc then)
{
  Step *new = g_new0 (Step, 1);

  *new = (Step) { member, work, then };
  g_object_ref (member->fleet);
  member->fleet->n_steps++;
  g_thread_unref (g_thread_new ("gilk-fleet", step_thread, new));
}

/* ---- end of a member ---- */

static void
end_if_all_done (GilkFleet *fleet)
{
  for (guint i = 0; i < fleet->members->len; i++)
    if (gilk_fleet_entry_at (fleet, i)->state != GILK_MEMBER_DONE && gilk_fleet_entry_at (fleet, i)->state != GILK_MEMBER_FAILED)
      return;
  if (fleet->state == GILK_FLEET_DONE || fleet->n_steps > 0)
    return;
  fleet->state = GILK_FLEET_DONE;
  g_signal_emit (fleet, signals[ENDED], 0);
}

static void
close_session (GilkFleetEntry *member)
{
  g_autoptr(GArray) runs = member->store != NULL && member->run != NULL && gilk_run_session_run_id (member->run) > 0
                           ? gilk_store_runs (member->store, NULL) : NULL;
  GError *error = NULL;

  member->run_number = runs != NULL ? runs->len : 0;
  if (member->store != NULL && !gilk_store_close (g_steal_pointer (&member->store), &error))
    {
      if (member->error == NULL)
        member->error = g_steal_pointer (&error);
      g_clear_error (&error);
    }
  if (member->target != NULL)
    gilk_target_close (member->target);
}

static void
count_prepared (GilkFleet *fleet)
{
  guint ready = 0;

  if (--fleet->n_preparing > 0 || fleet->state != GILK_FLEET_PREPARING)
    return;
  for (guint i = 0; i < fleet->members->len; i++)
    ready += gilk_fleet_entry_at (fleet, i)->state == GILK_MEMBER_READY;
  if (ready == 0)
    return;
  fleet->state = GILK_FLEET_PREPARED;
  g_signal_emit (fleet, signals[PREPARED], 0);
}

static void
finish_close (GilkFleetEntry *member)
{
  const gboolean was_preparing = member->state == GILK_MEMBER_PREPARING;

  member->state = member->error == NULL ? GILK_MEMBER_DONE : GILK_MEMBER_FAILED;
  emit_changed (member->fleet);
  if (was_preparing)
    count_prepared (member->fleet);
  end_if_all_done (member->fleet);
}

static void
close_member (GilkFleetEntry *member)
{
  start_step (member, close_session, finish_close);
}

static void
finish_prepare (GilkFleetEntry *member)
{
  if (member->error != NULL)
    {
      close_member (member);
      return;
    }
  member->state = GILK_MEMBER_READY;
  emit_changed (member->fleet);
  if (g_cancellable_is_cancelled (member->fleet->cancellable))
    gilk_fleet_stop (member->fleet);
  count_prepared (member->fleet);
}

void
gilk_fleet_prepare (GilkFleet *fleet)
{
  g_return_if_fail (fleet->state == GILK_FLEET_IDLE && fleet->members->len > 0);

  fleet->state = GILK_FLEET_PREPARING;
  fleet->n_preparing = fleet->members->len;
  for (guint i = 0; i < fleet->members->len; i++)
    {
      gilk_fleet_entry_at (fleet, i)->state = GILK_MEMBER_PREPARING;
      start_step (gilk_fleet_entry_at (fleet, i), gilk_fleet_prepare_entry, finish_prepare);
    }
}

/* ---- run ---- */

static void
on_run_changed (GilkRun *run, GilkFleetEntry *member)
{
  emit_changed (member->fleet);
}

static void
on_run_ended (GilkRun *run, GilkFleetEntry *member)
{
  if (gilk_run_error (run) != NULL)
    member->error = g_error_copy (gilk_run_error (run));
  else if (gilk_run_cut_short (run) != NULL)
    member->error = g_error_new_literal (GILK_ERROR, GILK_ERROR_FAILED, gilk_run_cut_short (run));
  close_member (member);
}

static void
open_session (GilkFleetEntry *member)
{
  if (gilk_fleet_is_cancelled (member->fleet, &member->error))
    return;
  member->store = gilk_store_open (member->path, &member->error);
  if (member->store != NULL && member->fleet->compress)
    gilk_store_enable_compression (member->store);
}

/* Once all sessions were opened or failed, starts the runs whose session is open. Runs wait for
 * each other before they arm. */
static void
start_opened_runs (GilkFleetEntry *member)
{
  GilkFleet *fleet = member->fleet;
  g_autoptr(GPtrArray) going = g_ptr_array_new ();
  g_autoptr(GilkStartBarrier) gate = NULL;

  if (member->error == NULL)
    gilk_fleet_is_cancelled (fleet, &member->error);
  if (--fleet->n_opening > 0)
    return;
  for (guint i = 0; i < fleet->members->len; i++)
    if (gilk_fleet_entry_at (fleet, i)->state == GILK_MEMBER_RUNNING && gilk_fleet_entry_at (fleet, i)->error == NULL)
      g_ptr_array_add (going, gilk_fleet_entry_at (fleet, i));
  gate = gilk_start_barrier_new (going->len);
  for (guint i = 0; i < fleet->members->len; i++)
    {
      GilkFleetEntry *each = gilk_fleet_entry_at (fleet, i);

      if (each->state != GILK_MEMBER_RUNNING)
        continue;
      if (each->error != NULL)
        {
          close_member (each);
          continue;
        }
      each->run = gilk_run_new (g_steal_pointer (&each->bound), each->image, each->store, fleet->duration_ns,
                                fleet->granted);
      gilk_run_set_barrier (each->run, gate);
      g_signal_connect (each->run, "changed", G_CALLBACK (on_run_changed), each);
      g_signal_connect (each->run, "ended", G_CALLBACK (on_run_ended), each);
      gilk_run_start (each->run);
    }
  emit_changed (fleet);
}

void
gilk_fleet_start (GilkFleet *fleet, GilkConsent granted)
{
  g_return_if_fail (fleet->state == GILK_FLEET_PREPARED);

  fleet->state = GILK_FLEET_RUNNING;
  fleet->granted = granted;
  for (guint i = 0; i < fleet->members->len; i++)
    if (gilk_fleet_entry_at (fleet, i)->state == GILK_MEMBER_READY)
      {
        gilk_fleet_entry_at (fleet, i)->state = GILK_MEMBER_RUNNING;
        fleet->n_opening++;
        start_step (gilk_fleet_entry_at (fleet, i), open_session, start_opened_runs);
      }
  emit_changed (fleet);
}

void
gilk_fleet_stop (GilkFleet *fleet)
{
  g_cancellable_cancel (fleet->cancellable);
  for (guint i = 0; i < fleet->members->len; i++)
    {
      GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);

      if (member->run != NULL)
        gilk_run_stop (member->run);
      else if (member->state == GILK_MEMBER_READY || member->state == GILK_MEMBER_IDLE)
        {
          gilk_fleet_is_cancelled (fleet, &member->error);
          member->state = GILK_MEMBER_RUNNING;
          close_member (member);
        }
    }
}

/* ---- construction ---- */

GilkFleet *
gilk_fleet_new (const GilkPlan *plan, uint64_t duration_ns)
{
  GilkFleet *fleet = g_object_new (GILK_TYPE_FLEET, NULL);

  fleet->plan = gilk_plan_copy (plan);
  fleet->duration_ns = duration_ns;

  return fleet;
}

gboolean
gilk_fleet_add (GilkFleet *fleet, const char *spec, const char *path, GError **error)
{
  GilkFleetEntry *member;

  g_return_val_if_fail (fleet->state == GILK_FLEET_IDLE, FALSE);
  for (guint i = 0; i < fleet->members->len; i++)
    if (g_str_equal (gilk_fleet_entry_at (fleet, i)->spec, spec))
      {
        g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("Target %s is named twice. Name each once."), spec);
        return FALSE;
      }
    else if (g_str_equal (gilk_fleet_entry_at (fleet, i)->path, path))
      {
        g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("%s and %s would use the same session, %s."),
                     gilk_fleet_entry_at (fleet, i)->spec, spec, path);
        return FALSE;
      }
  if (fleet->members->len == GILK_FLEET_MAX)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("At most %u targets can be recorded at once."), GILK_FLEET_MAX);
      return FALSE;
    }
  member = g_new0 (GilkFleetEntry, 1);
  member->fleet = fleet;
  member->spec = g_strdup (spec);
  member->path = g_strdup (path);
  member->refusals = g_ptr_array_new_with_free_func (refusal_free);
  g_ptr_array_add (fleet->members, member);

  return TRUE;
}

void
gilk_fleet_set_plan_func (GilkFleet *fleet, GilkFleetPlanFunc func, gpointer user_data)
{
  fleet->plan_func = func;
  fleet->plan_data = user_data;
}

void
gilk_fleet_set_compress (GilkFleet *fleet, gboolean compress)
{
  fleet->compress = compress;
}

static void
gilk_fleet_finalize (GObject *object)
{
  GilkFleet *fleet = GILK_FLEET (object);

  g_ptr_array_unref (fleet->members);
  g_clear_pointer (&fleet->plan, gilk_plan_unref);
  g_object_unref (fleet->cancellable);
  g_main_context_unref (fleet->context);
  g_mutex_clear (&fleet->lock);
  g_mutex_clear (&fleet->plan_lock);
  G_OBJECT_CLASS (gilk_fleet_parent_class)->finalize (object);
}

static void
gilk_fleet_class_init (GilkFleetClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_fleet_finalize;
  signals[CHANGED] = g_signal_new ("changed", GILK_TYPE_FLEET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PREPARED] = g_signal_new ("prepared", GILK_TYPE_FLEET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", GILK_TYPE_FLEET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gilk_fleet_init (GilkFleet *fleet)
{
  fleet->members = g_ptr_array_new_with_free_func (member_free);
  fleet->context = g_main_context_ref_thread_default ();
  fleet->cancellable = g_cancellable_new ();
  g_mutex_init (&fleet->lock);
  g_mutex_init (&fleet->plan_lock);
}
