/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet.c - records one plan on several kernels at once
 *
 * Each step that blocks runs in a thread of its own. A member is one target kernel with its session
 * and run; its steps are: connecting and binding; opening the session; closing session and target.
 * During a step the member's data belong to its thread, except for data that the lock protects.
 */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-refusal.h"
#include "core/bind/gilk-bound-conditions.h"
#include "core/bind/gilk-plan-way.h"
#include "core/fleet/gilk-fleet.h"
#include "core/plan/gilk-plan-point.h"
#include "core/store/gilk-store-write.h"

typedef struct {
  GilkFleet     *fleet;            /* (unowned): the member's fleet; each step that is in progress
                                    * holds a reference to it */
  char          *spec, *path;
  GilkMemberState state;
  GilkTarget    *target;
  GilkImage     *image;
  GilkFunctions *functions;
  GilkBoundPlan *bound;            /* plan bound to the member's kernel; NULL once the run has taken
                                    * it over */
  GPtrArray     *refusals;
  GilkStore     *store;
  GilkRun       *run;
  guint          run_number;
  GError        *error;
  char          *progress_text;    /* text for users about the current step; the fleet's lock
                                    * protects this text and @fraction */
  double         fraction;
} GilkFleetEntry;

struct _GilkFleet {
  GObject        parent_instance;

  GilkFleetState state;
  GilkPlan      *plan;
  uint64_t       duration_ns;
  GilkConsent    granted;
  gboolean       compress;
  GilkFleetPlanFunc plan_func;
  gpointer       plan_data;
  GPtrArray     *members;          /* (element-type GilkFleetEntry) */
  guint          n_preparing;      /* number of members that are preparing, or are being closed
                                    * after a failure */
  guint          n_opening, n_steps; /* number of sessions being opened; number of steps in
                                      * progress */
  GMainContext  *context;
  GCancellable  *cancellable;
  GMutex         lock, plan_lock;
};

static inline GilkFleetEntry *
gilk_fleet_entry_at (GilkFleet *fleet, guint i)
{
  return g_ptr_array_index (fleet->members, i);
}

G_DEFINE_FINAL_TYPE (GilkFleet, gilk_fleet, G_TYPE_OBJECT)

enum { CHANGED, PREPARED, ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- connecting and binding of members ---- */

/* If the fleet was stopped, sets @error to GILK_ERROR_CANCELLED in place of any earlier error, and
 * returns TRUE. May be called by any thread. */
static gboolean
is_cancelled (GilkFleet *fleet, GError **error)
{
  if (!g_cancellable_is_cancelled (fleet->cancellable))
    return FALSE;
  g_clear_error (error);
  g_set_error_literal (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("The run was stopped before it started."));

  return TRUE;
}

static void
set_progress (const char *what, double fraction, gpointer data)
{
  GilkFleetEntry *member = data;

  g_mutex_lock (&member->fleet->lock);
  g_free (member->progress_text);
  member->progress_text = g_strdup (what);
  member->fraction = fraction;
  g_mutex_unlock (&member->fleet->lock);
}

static char *
describe_point (const GilkPlanHook *hook)
{
  if (hook->watch != NULL)
    return gilk_plan_watchpoint_text (hook);
  if (hook->event.kind != 0)
    return g_strdup (hook->function);

  return g_strdup_printf ("%s%s%s:%s", hook->function, hook->block != NULL ? "" : "@",
                          hook->block != NULL ? hook->block : hook->anchor != NULL ? hook->anchor : "?",
                          gilk_where_name (hook->where));
}

/* Records a hook that the member's kernel refuses. */
static void
record_refused (const GilkBoundHook *hook, gpointer member)
{
  GilkFleetRefusal *refusal = g_new0 (GilkFleetRefusal, 1);

  refusal->label = g_strdup (hook->hook->label);
  refusal->point = describe_point (hook->hook);
  refusal->refusal = hook->choice.refusal != 0 ? hook->choice.refusal : gilk_refusal_in_text (hook->error->message);
  refusal->text = g_strdup (hook->error->message);
  g_ptr_array_add (((GilkFleetEntry *) member)->refusals, refusal);
}

/* Binds the plan to the member's kernel. If hooks are refused, leaves them out and binds again,
 * until no hook is refused. Binding is repeated because leaving out hooks may make other hooks
 * possible or impossible. */
static gboolean
bind_member (GilkFleetEntry *member, GError **error)
{
  GilkFleet *fleet = member->fleet;
  const GilkProgress progress = { set_progress, member };
  g_autoptr(GilkPlan) plan = gilk_plan_copy (fleet->plan);
  gboolean good = TRUE;

  g_mutex_lock (&fleet->plan_lock);
  if (fleet->plan_func != NULL)
    good = fleet->plan_func (plan, member->target, member->image, member->functions, fleet->plan_data, error);
  g_mutex_unlock (&fleet->plan_lock);
  good = good && gilk_plan_check_until (plan, error);
  while (good)
    {
      g_autoptr(GilkBoundPlan) bound = gilk_bound_plan_new (plan, member->functions, member->image, &progress,
                                                            fleet->cancellable, error);
      g_autoptr(GilkPlan) rest = NULL;

      /* A stop condition that names a left-out hook never holds. Therefore conditions are checked
       * only if no hook was left out. */
      if (bound == NULL || (bound->n_failed == 0 && member->refusals->len == 0 && !gilk_bound_check_conditions (bound, error)))
        return FALSE;
      if (bound->n_failed == 0)
        {
          member->bound = g_steal_pointer (&bound);
          return TRUE;
        }
      rest = gilk_bound_plan_bindable_subset (bound, 0, record_refused, member);
      if (rest->hooks->len == 0)
        return gilk_bound_plan_check (bound, error);
      if (!gilk_plan_choose_way_again (bound->plan, rest, member->target, fleet->cancellable, error))
        return FALSE;
      gilk_plan_unref (plan);
      plan = g_steal_pointer (&rest);
    }

  return FALSE;
}

static gboolean
connect_member (GilkFleetEntry *member, GError **error)
{
  GilkFleet *fleet = member->fleet;
  const GilkProgress progress = { set_progress, member };
  g_autofree char *why = NULL;

  member->target = gilk_target_open (member->spec, &progress, fleet->cancellable, error);
  if (member->target == NULL)
    return FALSE;
  gilk_target_use_cache (member->target);
  member->image = gilk_image_open (member->target, &progress, fleet->cancellable, error);
  if (member->image == NULL)
    return FALSE;
  member->functions = gilk_functions_new (member->image);
  if (gilk_plan_needs_bpf (fleet->plan)
      ? !gilk_plan_choose_way (fleet->plan, member->target, &why, fleet->cancellable, error)
      : !gilk_target_has_driver (member->target) && !gilk_target_load_driver (member->target, fleet->cancellable, error))
    return FALSE;
  gilk_target_start_clock (member->target);

  return TRUE;
}

/* Connects to a member's target and binds the plan to its kernel. Must be called in a separate
 * thread. Sets the member's error on failure. */
static void
prepare_entry (GilkFleetEntry *member)
{
  if (connect_member (member, &member->error))
    bind_member (member, &member->error);
  is_cancelled (member->fleet, &member->error);
}

/* ---- status of the fleet and its members ---- */

GilkFleetState
gilk_fleet_state (GilkFleet *fleet)
{
  return fleet->state;
}

guint
gilk_fleet_n_members (GilkFleet *fleet)
{
  return fleet->members->len;
}

void
gilk_fleet_member (GilkFleet *fleet, guint i, GilkFleetMember *out)
{
  const GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);
  const gboolean reached = member->state != GILK_MEMBER_PREPARING && member->target != NULL;

  *out = (GilkFleetMember) {
    .state = member->state, .spec = member->spec, .path = member->path, .refusals = member->refusals, .run = member->run,
  };
  if (reached)
    {
      out->hostname = gilk_target_hostname (member->target);
      out->release = gilk_target_release (member->target);
      out->build_id = gilk_target_build_id (member->target);
    }
  if (member->state != GILK_MEMBER_DONE && member->state != GILK_MEMBER_FAILED)
    return;
  out->run_number = member->run_number;
  out->error = member->error;
}

char *
gilk_fleet_progress_text (GilkFleet *fleet, guint i, double *fraction)
{
  GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);
  char *doing;

  g_mutex_lock (&fleet->lock);
  doing = g_strdup (member->progress_text);
  *fraction = member->fraction;
  g_mutex_unlock (&fleet->lock);

  return doing;
}

gboolean
gilk_fleet_is_complete (GilkFleet *fleet)
{
  return gilk_fleet_check_complete (fleet, NULL);
}

static gboolean
is_listed (const GPtrArray *items, const GilkConsentItem *item)
{
  for (guint i = 0; i < items->len; i++)
    {
      const GilkConsentItem *other = g_ptr_array_index (items, i);

      if (other->needs == item->needs && g_str_equal (other->label, item->label) && g_str_equal (other->statement, item->statement))
        return TRUE;
    }

  return FALSE;
}

GPtrArray *
gilk_fleet_consent_items (GilkFleet *fleet)
{
  GPtrArray *all = NULL;

  for (guint i = 0; i < fleet->members->len; i++)
    {
      const GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);
      g_autoptr(GPtrArray) items = member->bound != NULL ? gilk_consent_items (member->bound) : NULL;

      if (all == NULL)
        all = g_steal_pointer (&items);
      while (items != NULL && items->len > 0)
        {
          if (is_listed (all, g_ptr_array_index (items, 0)))
            g_ptr_array_remove_index (items, 0);
          else
            g_ptr_array_add (all, g_ptr_array_steal_index (items, 0));
        }
    }

  return all != NULL ? all : g_ptr_array_new ();
}

gboolean
gilk_fleet_check_consent (GilkFleet *fleet, GilkConsent granted, GError **error)
{
  for (guint i = 0; i < fleet->members->len; i++)
    {
      const GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);

      if (member->bound != NULL && !gilk_consent_check (member->bound, granted, error))
        return FALSE;
    }

  return TRUE;
}

/* Sets @error to the error of the first failed member, with the number of members that failed. */
static void
set_first_error (GError **error, const GilkFleetEntry *first, GError *why, guint n, guint of)
{
  if (n == 1)
    g_set_error (error, why->domain, why->code, _("%s: %s"), first->spec, why->message);
  else
    g_set_error (error, why->domain, why->code, _("%u of %u targets failed. The first, %s: %s"), n, of, first->spec,
                 why->message);
}

gboolean
gilk_fleet_check_complete (GilkFleet *fleet, GError **error)
{
  const GilkFleetEntry *refuses = NULL;
  guint n = 0;

  if (!gilk_fleet_check_results (fleet, error))
    return FALSE;
  for (guint i = 0; i < fleet->members->len; i++)
    {
      n += gilk_fleet_entry_at (fleet, i)->refusals->len;
      if (refuses == NULL && gilk_fleet_entry_at (fleet, i)->refusals->len > 0)
        refuses = gilk_fleet_entry_at (fleet, i);
    }
  if (refuses != NULL)
    {
      const GilkFleetRefusal *first = refuses->refusals->pdata[0];

      g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED,
                   ngettext ("%u hook cannot be placed on every target. On %s, %s: %s",
                             "%u hooks cannot be placed on every target. The first, on %s, %s: %s", n),
                   n, refuses->spec, first->label, first->text);
    }

  return refuses == NULL;
}

gboolean
gilk_fleet_check_results (GilkFleet *fleet, GError **error)
{
  const GilkFleetEntry *first = NULL;
  guint n = 0;

  for (guint i = 0; i < fleet->members->len; i++)
    {
      const GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);

      if (member->state == GILK_MEMBER_PREPARING || member->state == GILK_MEMBER_RUNNING || member->error == NULL)
        continue;
      n++;
      if (first == NULL)
        first = member;
    }
  if (first != NULL)
    set_first_error (error, first, first->error, n, fleet->members->len);

  return first == NULL;
}

gboolean
gilk_fleet_start_delay (GilkFleet *fleet, guint i, double *after_s, double *error_s)
{
  const GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);
  gint64 first = G_MAXINT64, first_error = 0;
  GilkRunZero zero;

  if (member->run == NULL || !gilk_run_zero (member->run, &zero))
    return FALSE;
  for (guint k = 0; k < fleet->members->len; k++)
    {
      GilkRunZero other;

      if (gilk_fleet_entry_at (fleet, k)->run != NULL && gilk_run_zero (gilk_fleet_entry_at (fleet, k)->run, &other) && other.us < first)
        {
          first = other.us;
          first_error = k != i ? other.error_us : 0;
        }
    }
  *after_s = (double) (zero.us - first) / 1e6;
  *error_s = zero.us > first ? (double) (zero.error_us + first_error) / 1e6 : 0.0;

  return TRUE;
}

char *
gilk_fleet_path (const char *path, const char *spec)
{
  g_autofree char *folder = g_path_get_dirname (path), *base = g_path_get_basename (path), *name = NULL;
  g_autofree char *safe = g_strcanon (g_strdup (spec), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._+", '-');
  const gboolean is_session = g_str_has_suffix (base, ".gilk") && strlen (base) > strlen (".gilk");

  if (is_session)
    base[strlen (base) - strlen (".gilk")] = '\0';
  name = g_strdup_printf ("%s-%s%s", base, safe, is_session ? ".gilk" : "");

  return strchr (path, '/') != NULL ? g_build_filename (folder, name, NULL) : g_steal_pointer (&name);
}

GILK_DEFINE_CLEAR (refusal_free, GilkFleetRefusal, refusal,
                   gilk_free_all (refusal->label, refusal->point, refusal->text, refusal))

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
  gilk_free_all (member->progress_text, member->spec, member->path, member);
}

static void
emit_changed (GilkFleet *fleet)
{
  g_signal_emit (fleet, signals[CHANGED], 0);
}

/* ---- threads that do the steps of members ---- */

typedef void (*StepFunc) (GilkFleetEntry *member);

typedef struct {
  GilkFleetEntry *member;
  StepFunc work, then;             /* functions of the step: @work runs in the step's thread, then
                                    * @then in the fleet's main context */
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

/* ---- steps at the end of a member's run ---- */

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
      start_step (gilk_fleet_entry_at (fleet, i), prepare_entry, finish_prepare);
    }
}

/* ---- start and end of the members' runs ---- */

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
  if (is_cancelled (member->fleet, &member->error))
    return;
  member->store = gilk_store_open (member->path, &member->error);
  if (member->store != NULL && member->fleet->compress)
    gilk_store_enable_compression (member->store);
}

/* Once the opening of each session has succeeded or failed, starts the runs whose session is open.
 * Runs wait for each other before they arm. */
static void
start_opened_runs (GilkFleetEntry *member)
{
  GilkFleet *fleet = member->fleet;
  g_autoptr(GPtrArray) going = g_ptr_array_new ();
  g_autoptr(GilkStartBarrier) gate = NULL;

  if (member->error == NULL)
    is_cancelled (fleet, &member->error);
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
          is_cancelled (fleet, &member->error);
          member->state = GILK_MEMBER_RUNNING;
          close_member (member);
        }
    }
}

/* ---- construction and destruction of a fleet ---- */

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
      return gilk_fail (error, GILK_ERROR_USAGE,
                        _("Target %s is named twice. Name each once."), spec);
    else if (g_str_equal (gilk_fleet_entry_at (fleet, i)->path, path))
      return gilk_fail (error, GILK_ERROR_USAGE, _("%s and %s would use the same session, %s."),
                        gilk_fleet_entry_at (fleet, i)->spec, spec, path);
  if (fleet->members->len == GILK_FLEET_MAX)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("At most %u targets can be recorded at once."), GILK_FLEET_MAX);
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
