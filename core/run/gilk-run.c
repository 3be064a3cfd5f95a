/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run.c - run control
 *
 *   IDLE      start()            spawns the run's thread
 *   ARMING    reserve, emit, prepare, begin in the session, arm
 *   RUNNING   every TICK: figures; now and then counts into the session
 *   STOPPING  disarm first; then the last samples, totals, journal, end
 *   DONE      or FAILED, with gilk_run_error()
 *
 * However RUNNING ends (time, stop, full disk, target gone), it ends in STOPPING,
 * and what was recorded is kept.
 */
#include "core/run/gilk-run.h"

#include <string.h>

#include "core/base/gilk-error.h"
#include "core/run/gilk-run-private.h"

#define TICK_US        100000
#define FLUSH_MS       20
#define POINT_TICKS    3          /* a point of each counter's series */
#define COMMIT_TICKS   5
#define RATE_TICKS     10         /* rates are over this many ticks */

struct _GilkRun {
  GObject        parent_instance;

  GilkBoundPlan *bound;
  GilkImage     *image;
  GilkTarget    *target;
  GilkStore     *store;
  GMutex         store_lock;
  uint64_t       duration_ns;
  GMainContext  *context;
  GCancellable  *arming;

  /* run's thread only */
  GilkArmed      armed;
  GilkInflow      *flow;
  gint64         zero_us;         /* armed, by this machine's clock; 0 not yet */
  gint64         stopped_us;      /* disarmed; 0 not yet */
  gint64         answered_us;     /* when the target last told its counters */
  uint64_t       tick;
  GArray        *status;          /* struct ilk_patch_status, as last seen */
  struct ilk_counter *counters;   /* [hook][cpu], as last seen */
  uint64_t      *history;         /* [RATE_TICKS][hook]: hits at past ticks */
  gint64         history_us[RATE_TICKS];
  GError        *lost;            /* under lock: set by the target's reader thread */

  GMutex         lock;            /* all below */
  GCond          changed;
  GilkRunState   state;
  gboolean       stop_asked, finished, notified;
  GError        *error;
  GilkRunFigures figures;
  gint64         run;             /* in the session */
};

G_DEFINE_FINAL_TYPE (GilkRun, gilk_run, G_TYPE_OBJECT)

enum { CHANGED, ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

const char *
gilk_run_state_name (GilkRunState state)
{
  static const char *const names[] = { "idle", "arming", "running", "stopping", "done", "failed" };

  return (guint) state < G_N_ELEMENTS (names) ? names[state] : "unknown";
}

/* ---- signals, in the context of whoever made the run ---- */

static gboolean
emit_changed (gpointer data)
{
  GilkRun *run = data;

  g_mutex_lock (&run->lock);
  run->notified = FALSE;
  g_mutex_unlock (&run->lock);
  g_signal_emit (run, signals[CHANGED], 0);

  return G_SOURCE_REMOVE;
}

static gboolean
emit_ended (gpointer data)
{
  g_signal_emit (data, signals[CHANGED], 0);
  g_signal_emit (data, signals[ENDED], 0);

  return G_SOURCE_REMOVE;
}

static void
post (GilkRun *run, GSourceFunc func)
{
  GSource *source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, func, g_object_ref (run), g_object_unref);
  g_source_attach (source, run->context);
  g_source_unref (source);
}

/* One that has not been looked at yet is enough. */
static void
notify_changed (GilkRun *run)
{
  gboolean wanted;

  g_mutex_lock (&run->lock);
  wanted = !run->notified;
  run->notified = TRUE;
  g_mutex_unlock (&run->lock);
  if (wanted)
    post (run, emit_changed);
}

static void
set_state (GilkRun *run, GilkRunState state)
{
  g_mutex_lock (&run->lock);
  run->state = run->figures.state = state;
  g_mutex_unlock (&run->lock);
  notify_changed (run);
}

/* ---- errors: the first one counts ---- */

static void
take_error (GilkRun *run, GError *error)
{
  if (error == NULL)
    return;
  g_mutex_lock (&run->lock);
  if (run->error == NULL)
    run->error = error;
  else
    g_error_free (error);
  g_mutex_unlock (&run->lock);
}

static gboolean
has_error (GilkRun *run)
{
  gboolean has;

  g_mutex_lock (&run->lock);
  has = run->error != NULL;
  g_mutex_unlock (&run->lock);

  return has;
}

/* On the target's reader thread. */
static void
on_target_lost (GilkTarget *target, const GError *error, gpointer data)
{
  GilkRun *run = data;

  g_mutex_lock (&run->lock);
  if (run->lost == NULL)
    run->lost = g_error_copy (error);
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
}

/* A target that does not answer, or not in its language, is not asked again: each
 * further request would only wait as long once more. */
static void
note_loss (GilkRun *run, const GError *error)
{
  if (g_error_matches (error, GILK_ERROR, GILK_ERROR_TARGET) ||
      g_error_matches (error, GILK_ERROR, GILK_ERROR_PROTOCOL))
    on_target_lost (run->target, error, run);
}

static gboolean
is_lost (GilkRun *run)
{
  gboolean lost;

  g_mutex_lock (&run->lock);
  lost = run->lost != NULL;
  g_mutex_unlock (&run->lock);

  return lost;
}

/* ---- figures ---- */

static guint
n_cpus (const GilkRun *run)
{
  return run->armed.info.nr_cpus;
}

static double
elapsed (const GilkRun *run)
{
  gint64 now = run->stopped_us != 0 ? run->stopped_us : g_get_monotonic_time ();

  return run->zero_us != 0 ? (double) (now - run->zero_us) / 1e6 : 0.0;
}

/* Inline samples have no counter of hits: what came in and what was lost is all.
 * Where an instrument counts as well, that count has the last word. */
static struct ilk_counter
account (GilkRun *run, guint hook, guint cpu)
{
  struct ilk_counter counter = run->counters[hook * n_cpus (run) + cpu];
  uint64_t received = gilk_inflow_received (run->flow, hook, cpu), stored;

  if (!gilk_hook_takes_samples (run->bound, hook))
    return counter;

  g_mutex_lock (&run->store_lock);
  stored = gilk_store_stored (run->store, run->armed.iids[hook], cpu);
  g_mutex_unlock (&run->store_lock);
  if (counter.count == 0)
    counter.count = received + counter.lost;
  if (stored < received && has_error (run))
    counter.lost += received - stored;

  return counter;
}

static const struct ilk_patch_status *
status_of (GilkRun *run, guint hook)
{
  for (guint i = 0; run->status != NULL && i < run->status->len; i++)
    {
      const struct ilk_patch_status *s =
        &g_array_index (run->status, struct ilk_patch_status, i);

      if (s->id == run->armed.patch_of[hook])
        return s;
    }

  return NULL;
}

static void
sum_hook (GilkRun *run, guint i, GilkHookFigures *figures)
{
  const GilkBoundHook *hook = &g_array_index (run->bound->hooks, GilkBoundHook, i);
  const struct ilk_patch_status *status = status_of (run, i);
  guint now = run->tick % RATE_TICKS;
  double seconds;

  *figures = (GilkHookFigures) { .iid = run->armed.iids[i], .tactic = hook->choice.tactic };
  if (status != NULL)
    figures->state = status->state;
  for (guint cpu = 0; cpu < n_cpus (run); cpu++)
    {
      struct ilk_counter counter = account (run, i, cpu);

      figures->hits += counter.count;
      figures->lost += counter.lost;
      figures->dropped += counter.dropped;
      g_mutex_lock (&run->store_lock);
      figures->stored += gilk_store_stored (run->store, figures->iid, cpu);
      g_mutex_unlock (&run->store_lock);
    }

  /* The slot of now still holds what was there RATE_TICKS ago. */
  seconds = (double) (g_get_monotonic_time () - run->history_us[now]) / 1e6;
  if (seconds > 0.0 && figures->hits >= run->history[now * run->armed.n_hooks + i])
    figures->rate =
      (double) (figures->hits - run->history[now * run->armed.n_hooks + i]) / seconds;
  run->history[now * run->armed.n_hooks + i] = figures->hits;
}

static gboolean
is_live (uint32_t state)
{
  return state == ILK_STATE_TRAPPED || state == ILK_STATE_ARMED;
}

static void
update_figures (GilkRun *run)
{
  GilkRunFigures now = {
    .elapsed = elapsed (run), .duration = (double) run->duration_ns / 1e9,
    .bytes = gilk_store_bytes (run->store), .n_hooks = run->armed.n_hooks,
    .hooks = g_new0 (GilkHookFigures, run->armed.n_hooks),
  };

  for (guint i = 0; i < now.n_hooks; i++)
    {
      sum_hook (run, i, &now.hooks[i]);
      now.samples += now.hooks[i].stored;
      now.hooks_live += is_live (now.hooks[i].state);
      if (gilk_hook_takes_samples (run->bound, i))
        {
          now.lost += now.hooks[i].lost;
          now.samples_per_second += now.hooks[i].rate;
        }
    }
  run->history_us[run->tick % RATE_TICKS] = g_get_monotonic_time ();

  g_mutex_lock (&run->lock);
  now.state = run->state;
  gilk_run_figures_clear (&run->figures);
  run->figures = now;
  g_mutex_unlock (&run->lock);
  notify_changed (run);
}

/* Asks the target for counters and states; what was known stays if it fails.
 * @error must not be NULL. */
static gboolean
ask_target (GilkRun *run, GError **error)
{
  gsize count = (gsize) run->armed.n_hooks * n_cpus (run);
  g_autofree struct ilk_counter *counters = g_new0 (struct ilk_counter, count);
  GArray *status;

  if (!gilk_target_counters (run->target, run->armed.iids, run->armed.n_hooks, TRUE, counters,
                             NULL, error))
    {
      note_loss (run, *error);
      return FALSE;
    }
  memcpy (run->counters, counters, count * sizeof *counters);
  run->answered_us = g_get_monotonic_time ();
  status = gilk_target_status (run->target, FALSE, NULL, NULL, error);
  if (status == NULL)
    {
      note_loss (run, *error);
      return FALSE;
    }
  g_clear_pointer (&run->status, g_array_unref);
  run->status = status;

  return TRUE;
}

/* ---- into the session ---- */

static uint64_t
total_hits (GilkRun *run, guint hook)
{
  uint64_t hits = 0;

  for (guint cpu = 0; cpu < n_cpus (run); cpu++)
    hits += run->counters[hook * n_cpus (run) + cpu].count;

  return hits;
}

static gboolean
store_points (GilkRun *run, uint64_t at_ns, GError **error)
{
  gboolean good = TRUE;

  for (guint i = 0; good && i < run->armed.n_hooks; i++)
    if (!gilk_hook_takes_samples (run->bound, i))
      {
        g_mutex_lock (&run->store_lock);
        good = gilk_store_add_count_point (run->store, run->run, run->armed.iids[i], at_ns,
                                           total_hits (run, i), error);
        g_mutex_unlock (&run->store_lock);
      }

  return good;
}

static gboolean
store_counts (GilkRun *run, uint64_t at_ns, GError **error)
{
  gboolean good = TRUE;

  for (guint i = 0; good && i < run->armed.n_hooks; i++)
    for (guint cpu = 0; good && cpu < n_cpus (run); cpu++)
      {
        struct ilk_counter counter = account (run, i, cpu);

        g_mutex_lock (&run->store_lock);
        good = gilk_store_put_counts (run->store, run->run, run->armed.iids[i], cpu, &counter,
                                      at_ns, error);
        g_mutex_unlock (&run->store_lock);
      }

  return good;
}

static gboolean
flush (GilkRun *run, GError **error)
{
  gboolean good;

  g_mutex_lock (&run->store_lock);
  good = gilk_store_flush (run->store, error);
  g_mutex_unlock (&run->store_lock);

  return good;
}

static gboolean
store_journal (GilkRun *run, GError **error)
{
  gboolean good = TRUE;

  g_mutex_lock (&run->store_lock);
  for (guint i = 0; good && run->status != NULL && i < run->status->len; i++)
    good = gilk_store_add_patch (run->store, run->run,
                                 &g_array_index (run->status, struct ilk_patch_status, i), error);
  g_mutex_unlock (&run->store_lock);

  return good;
}

/* ---- ARMING ---- */

static gboolean
arm_and_begin (GilkRun *run, GError **error)
{
  struct ilk_arm arm;
  gboolean good;

  if (!gilk_target_samples_start (run->target, FLUSH_MS, gilk_inflow_put, run->flow, run->arming,
                                  error) ||
      !gilk_armed_arm (&run->armed, &arm, run->arming, error))
    return FALSE;

  run->zero_us = g_get_monotonic_time ();
  g_mutex_lock (&run->store_lock);
  good = gilk_store_set_zero (run->store, run->run, arm.zero_tsc, arm.zero_mono_ns,
                              (uint64_t) g_get_real_time () * 1000, error);
  g_mutex_unlock (&run->store_lock);
  gilk_inflow_open (run->flow, run->run);

  return good && store_points (run, 0, error);
}

static gboolean
set_out (GilkRun *run, GError **error)
{
  gint64 id = 0;
  gboolean good;

  if (run->target == NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                   "There is no kernel behind this image. Connect to a target first.");
      return FALSE;
    }
  if (!gilk_bound_plan_check (run->bound, error) ||
      !gilk_armed_prepare (&run->armed, run->arming, error))
    return FALSE;

  run->counters = g_new0 (struct ilk_counter, (gsize) run->armed.n_hooks * n_cpus (run));
  run->history = g_new0 (uint64_t, (gsize) run->armed.n_hooks * RATE_TICKS);
  run->flow = gilk_inflow_new (run->store, &run->store_lock, run->armed.iids, run->armed.n_hooks,
                             n_cpus (run));
  good = gilk_run_write_head (run->store, &run->armed, run->image, &id, error);
  g_mutex_lock (&run->lock);
  run->run = id;
  g_mutex_unlock (&run->lock);

  return good && arm_and_begin (run, error);
}

/* ---- RUNNING ---- */

/* Waits for the next tick, the end of time, or somebody who wants an end. */
static gboolean
wait_tick (GilkRun *run)
{
  gint64 next = g_get_monotonic_time () + TICK_US;
  gint64 end = run->duration_ns != 0 ? run->zero_us + (gint64) (run->duration_ns / 1000)
                                     : G_MAXINT64;
  gboolean more;

  g_mutex_lock (&run->lock);
  while (!run->stop_asked && run->lost == NULL &&
         g_cond_wait_until (&run->changed, &run->lock, MIN (next, end)))
    ;
  more = !run->stop_asked && run->lost == NULL && g_get_monotonic_time () < end;
  g_mutex_unlock (&run->lock);

  return more;
}

static gboolean
run_tick (GilkRun *run, GError **error)
{
  uint64_t at_ns;

  if (!ask_target (run, error))
    return FALSE;
  at_ns = (uint64_t) (elapsed (run) * 1e9);
  run->tick++;
  update_figures (run);
  *error = gilk_inflow_error (run->flow);
  if (*error != NULL)
    return FALSE;
  if (run->tick % POINT_TICKS == 0 && !store_points (run, at_ns, error))
    return FALSE;

  return run->tick % COMMIT_TICKS != 0 ||
         (store_counts (run, at_ns, error) && flush (run, error));
}

static void
run_until_end (GilkRun *run)
{
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < RATE_TICKS; i++)
    run->history_us[i] = run->zero_us;
  while (wait_tick (run))
    if (!run_tick (run, &error))
      break;
  take_error (run, g_steal_pointer (&error));
}

/* ---- STOPPING ---- */

/* Disarm, then the last samples: in this order nothing is left behind in a ring. */
static void
stop_target (GilkRun *run, struct gilk_samples_end *end, gboolean *complete)
{
  g_autoptr(GError) error = NULL;

  *complete = FALSE;
  if (!is_lost (run) && !gilk_armed_disarm (&run->armed, &error))
    {
      note_loss (run, error);
      take_error (run, g_steal_pointer (&error));
    }
  run->stopped_us = g_get_monotonic_time ();
  if (is_lost (run))
    {
      run->stopped_us = MAX (run->answered_us, run->zero_us);
      return;
    }

  gilk_armed_settle (&run->armed);
  *complete = gilk_target_samples_stop (run->target, end, NULL, &error);
  if (!*complete)
    note_loss (run, error);
  else
    *complete = ask_target (run, &error);
  take_error (run, g_steal_pointer (&error));
}

/* Rule 8: every sample is accounted for, or the run says that it is not. */
static void
check_accounts (GilkRun *run, const struct gilk_samples_end *end)
{
  uint64_t cells = gilk_inflow_cells (run->flow);

  if (end->produced_cells != end->sent_cells || end->sent_cells != cells)
    take_error (run, g_error_new (GILK_ERROR, GILK_ERROR_PROTOCOL,
                "Samples are missing without having been counted as lost: %" G_GUINT64_FORMAT
                " cells produced, %" G_GUINT64_FORMAT " sent, %" G_GUINT64_FORMAT " received. "
                "Please report this; the totals of this run are not exact.",
                (guint64) end->produced_cells, (guint64) end->sent_cells, (guint64) cells));

  for (guint i = 0; i < run->armed.n_hooks; i++)
    for (guint cpu = 0; cpu < n_cpus (run); cpu++)
      {
        const struct ilk_counter *raw = &run->counters[i * n_cpus (run) + cpu];
        uint64_t known = gilk_inflow_received (run->flow, i, cpu) + raw->lost;

        if (gilk_hook_takes_samples (run->bound, i) && raw->count != 0 && raw->count != known)
          take_error (run, g_error_new (GILK_ERROR, GILK_ERROR_PROTOCOL,
                      "Hook %u on processor %u was hit %" G_GUINT64_FORMAT " times, but %"
                      G_GUINT64_FORMAT " samples are known. Please report this; the totals of "
                      "this run are not exact.", run->armed.iids[i], cpu, (guint64) raw->count,
                      (guint64) known));
      }
}

static char *
end_reason (GilkRun *run)
{
  char *reason;

  g_mutex_lock (&run->lock);
  if (run->error != NULL)
    reason = g_strdup (run->error->message);
  else
    reason = g_strdup (run->stop_asked ? "stopped" : "time is up");
  g_mutex_unlock (&run->lock);

  return reason;
}

/* Each step is tried, also after one has failed: what can be kept is kept. */
static void
write_end (GilkRun *run, uint64_t duration_ns)
{
  g_autofree char *reason = NULL;
  GError *errors[5] = { NULL };

  flush (run, &errors[0]);
  take_error (run, errors[0]);
  store_counts (run, duration_ns, &errors[1]);
  store_points (run, duration_ns, &errors[2]);
  store_journal (run, &errors[3]);
  for (guint i = 1; i <= 3; i++)
    take_error (run, errors[i]);
  update_figures (run);

  reason = end_reason (run);
  g_mutex_lock (&run->store_lock);
  gilk_store_end_run (run->store, run->run, duration_ns, reason, &errors[4]);
  g_mutex_unlock (&run->store_lock);
  take_error (run, errors[4]);
}

static void
wind_down (GilkRun *run)
{
  struct gilk_samples_end end = { 0 };
  uint64_t duration_ns;
  gboolean complete;

  set_state (run, GILK_RUN_STOPPING);
  stop_target (run, &end, &complete);
  duration_ns = (uint64_t) (run->stopped_us - run->zero_us) * 1000;
  if (is_lost (run))
    {
      GError *lost;

      g_mutex_lock (&run->lock);
      lost = g_error_copy (run->lost);
      g_mutex_unlock (&run->lock);
      take_error (run, lost);
    }
  gilk_inflow_close (run->flow);
  take_error (run, gilk_inflow_error (run->flow));
  if (complete)
    check_accounts (run, &end);
  if (!is_lost (run))
    gilk_armed_forget (&run->armed);
  write_end (run, duration_ns);
}

/* Nothing has been recorded yet: whatever was half done is undone. */
static void
back_out (GilkRun *run)
{
  struct gilk_samples_end end;
  g_autofree char *reason = NULL;

  if (run->target != NULL && !is_lost (run))
    {
      gilk_armed_forget (&run->armed);
      if (run->flow != NULL)
        gilk_target_samples_stop (run->target, &end, NULL, NULL);
    }
  g_clear_pointer (&run->flow, gilk_inflow_free);
  if (run->run == 0)
    return;
  reason = end_reason (run);
  gilk_store_end_run (run->store, run->run, 0, reason, NULL);
}

/* ---- the run's thread ---- */

static void
finish (GilkRun *run)
{
  gboolean failed;

  if (run->target != NULL)
    gilk_target_set_lost_func (run->target, NULL, NULL);
  gilk_armed_clear (&run->armed);
  g_mutex_lock (&run->lock);
  failed = run->error != NULL;
  run->state = run->figures.state = failed ? GILK_RUN_FAILED : GILK_RUN_DONE;
  run->finished = TRUE;
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
  post (run, emit_ended);
}

static gpointer
run_thread (gpointer data)
{
  GilkRun *run = data;
  g_autoptr(GError) error = NULL;

  if (run->target != NULL)
    gilk_target_set_lost_func (run->target, on_target_lost, run);
  if (set_out (run, &error))
    {
      set_state (run, GILK_RUN_RUNNING);
      run_until_end (run);
      wind_down (run);
    }
  else if (run->zero_us != 0)
    {
      take_error (run, g_steal_pointer (&error));
      wind_down (run);
    }
  else
    {
      take_error (run, g_steal_pointer (&error));
      back_out (run);
    }
  finish (run);
  g_object_unref (run);

  return NULL;
}

/* ---- outside ---- */

static void
gilk_run_finalize (GObject *object)
{
  GilkRun *run = GILK_RUN (object);

  gilk_inflow_free (run->flow);
  gilk_bound_plan_free (run->bound);
  g_clear_pointer (&run->target, gilk_target_unref);
  gilk_image_unref (run->image);
  g_main_context_unref (run->context);
  g_object_unref (run->arming);
  g_clear_pointer (&run->status, g_array_unref);
  g_free (run->counters);
  g_free (run->history);
  g_clear_error (&run->lost);
  g_clear_error (&run->error);
  gilk_run_figures_clear (&run->figures);
  g_mutex_clear (&run->store_lock);
  g_mutex_clear (&run->lock);
  g_cond_clear (&run->changed);

  G_OBJECT_CLASS (gilk_run_parent_class)->finalize (object);
}

static void
gilk_run_class_init (GilkRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_run_finalize;

  signals[CHANGED] = g_signal_new ("changed", GILK_TYPE_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", GILK_TYPE_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
}

static void
gilk_run_init (GilkRun *run)
{
  g_mutex_init (&run->store_lock);
  g_mutex_init (&run->lock);
  g_cond_init (&run->changed);
  run->arming = g_cancellable_new ();
  run->context = g_main_context_ref_thread_default ();
}

GilkRun *
gilk_run_new (GilkBoundPlan *bound,
              GilkImage     *image,
              GilkStore     *store,
              uint64_t       duration_ns)
{
  GilkRun *run = g_object_new (GILK_TYPE_RUN, NULL);
  GilkTarget *target = gilk_image_target (image);

  run->bound = bound;
  run->image = gilk_image_ref (image);
  run->target = target != NULL ? gilk_target_ref (target) : NULL;
  run->store = store;
  run->duration_ns = duration_ns;
  run->figures.duration = (double) duration_ns / 1e9;
  run->figures.n_hooks = bound->hooks->len;
  run->figures.hooks = g_new0 (GilkHookFigures, bound->hooks->len);

  return run;
}

void
gilk_run_start (GilkRun *run)
{
  g_return_if_fail (gilk_run_state (run) == GILK_RUN_IDLE);

  gilk_armed_init (&run->armed, run->target, run->bound);
  set_state (run, GILK_RUN_ARMING);
  g_thread_unref (g_thread_new ("gilk-run", run_thread, g_object_ref (run)));
}

void
gilk_run_stop (GilkRun *run)
{
  gboolean arming;

  g_mutex_lock (&run->lock);
  run->stop_asked = TRUE;
  arming = run->state == GILK_RUN_ARMING;
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
  if (arming)
    g_cancellable_cancel (run->arming);
}

gboolean
gilk_run_wait (GilkRun *run,
               GError **error)
{
  g_mutex_lock (&run->lock);
  while (!run->finished)
    g_cond_wait (&run->changed, &run->lock);
  if (run->error != NULL && error != NULL)
    *error = g_error_copy (run->error);
  g_mutex_unlock (&run->lock);

  return run->error == NULL;
}

void
gilk_run_figures_clear (GilkRunFigures *figures)
{
  g_clear_pointer (&figures->hooks, g_free);
}

void
gilk_run_figures (GilkRun        *run,
                  GilkRunFigures *figures)
{
  g_mutex_lock (&run->lock);
  *figures = run->figures;
  figures->hooks = g_memdup2 (run->figures.hooks, run->figures.n_hooks * sizeof *figures->hooks);
  g_mutex_unlock (&run->lock);
}

GilkRunState
gilk_run_state (GilkRun *run)
{
  GilkRunState state;

  g_mutex_lock (&run->lock);
  state = run->state;
  g_mutex_unlock (&run->lock);

  return state;
}

const GError *
gilk_run_error (GilkRun *run)
{
  const GError *error;

  g_mutex_lock (&run->lock);
  error = run->finished ? run->error : NULL;
  g_mutex_unlock (&run->lock);

  return error;
}

gint64
gilk_run_store_id (GilkRun *run)
{
  gint64 id;

  g_mutex_lock (&run->lock);
  id = run->run;
  g_mutex_unlock (&run->lock);

  return id;
}

GilkBoundPlan *
gilk_run_plan (GilkRun *run)
{
  return run->bound;
}
