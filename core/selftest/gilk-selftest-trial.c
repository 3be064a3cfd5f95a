/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest-trial.c - results of cases, and runs with a known number of hooked calls
 *
 *   calls without hooks -> arm, wait for the jumps -> pause, in which no hits may occur ->
 *   hooked calls -> stop
 *
 * The calls are requested in batches, because during a batch the agent does not answer the run,
 * which polls its hooks several times per second. The total time of the calls is limited, so that a
 * slow machine is not busy for long.
 */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>

#include "core/base/gilk-error.h"
#include "core/selftest/gilk-selftest-private.h"
#include "core/store/gilk-store-cost.h"

#define CALLS_MS    5000
#define BARE        1000000
#define BARE_MS     400
#define PIECE_MS    400
#define BRIEF_DIVISOR       10
#define QUIET_US    150000
#define POLL_US     20000
#define ARMED_US    (20 * G_USEC_PER_SEC)
#define DISARMED_US (3 * G_USEC_PER_SEC)     /* maximum time to wait until a run notices that its
                                              * hooks were disarmed */

typedef struct {
  GilkRun      *run;
  GilkStore    *store;
  GMainContext *context;
  char         *file;
} Session;

const GilkTrialPath *
gilk_trial_paths (guint *count)
{
  static const GilkTrialPath paths[] = {
    { "__x64_sys_sched_rr_get_interval", GILK_CALLS_RR_INTERVAL },
    { "__x64_sys_timer_getoverrun", GILK_CALLS_OVERRUN },
    { "__x64_sys_getpgid", GILK_CALLS_PGID },
    { "__x64_sys_sched_get_priority_min", GILK_CALLS_PRIORITY },
  };

  *count = G_N_ELEMENTS (paths);
  return paths;
}

GilkBoundPlan *
gilk_trial_bind (GilkSelftest *test,
                 const char   *text,
                 GError      **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, strlen (text), "selftest", error);
  g_autoptr(GilkBoundPlan) bound = NULL;

  if (plan == NULL)
    return NULL;
  bound = gilk_bound_plan_new (plan, test->functions, test->image, NULL, test->cancellable, error);
  if (bound == NULL || !gilk_bound_plan_check (bound, error))
    return NULL;

  return g_steal_pointer (&bound);
}

/* ---- makes system calls ---- */

static guint
scale_count (const GilkSelftest *test, uint64_t n)
{
  return (guint) (test->brief ? n / BRIEF_DIVISOR : n);
}

/* Makes up to @calls system calls, for at most @ms milliseconds, and adds their number to @trial.
 * @call_ns: (out): mean duration of a call */
static gboolean
make_calls (GilkSelftest *test, guint path, uint64_t calls, guint ms, GilkTrial *trial, double *call_ns,
            GError **error)
{
  const gint64 end = g_get_monotonic_time () + (gint64) ms * 1000;
  uint64_t made = 0, ns = 0;

  while (made < calls && g_get_monotonic_time () < end)
    {
      const struct gilk_calls request = { .path = path, .calls = calls - made, .limit_ms = MIN (PIECE_MS, ms) };
      struct gilk_calls_made answer;

      if (!gilk_target_calls (test->target, &request, &answer, test->cancellable, error))
        return FALSE;
      made += answer.calls;
      ns += answer.ns;
      trial->wrong += answer.wrong;
      trial->threads = answer.threads;
    }
  trial->made += made;
  *call_ns = made > 0 ? (double) ns / (double) made : NAN;

  return TRUE;
}

/* ---- runs the hooks of a trial ---- */

static gboolean
has_ended (const Session *session)
{
  const GilkRunState state = gilk_run_state (session->run);

  return state == GILK_RUN_DONE || state == GILK_RUN_FAILED;
}

static void
poll_run (Session *session, gint64 us)
{
  const gint64 end = g_get_monotonic_time () + us;

  do
    {
      while (g_main_context_iteration (session->context, FALSE))
        ;
      g_usleep (POLL_US);
    }
  while (g_get_monotonic_time () < end && !has_ended (session));
}

static gboolean
set_run_error (const Session *session, GError **error)
{
  if (gilk_run_error (session->run) != NULL)
    g_propagate_error (error, g_error_copy (gilk_run_error (session->run)));
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED, "%s",
                 gilk_run_cut_short (session->run) != NULL ? gilk_run_cut_short (session->run)
                 : _("The run ended early; try again on a quiet machine."));
  return FALSE;
}

static gboolean
begin_session (GilkSelftest *test, GilkBoundPlan *bound, Session *session, GError **error)
{
  session->file = g_build_filename (test->folder, "trial.gilk", NULL);
  session->store = gilk_store_open (session->file, error);
  if (session->store == NULL)
    {
      gilk_bound_plan_free (bound);
      g_clear_pointer (&session->file, g_free);
      return FALSE;
    }
  session->context = g_main_context_new ();
  g_main_context_push_thread_default (session->context);
  session->run = gilk_run_new (bound, test->image, session->store, 0, GILK_CONSENT_NONE);
  gilk_run_start (session->run);

  return TRUE;
}

/* Waits until the run's thread has dropped its reference, and all signals of the run were
 * delivered. Both happen shortly after the run's end. */
static void
finish_run (Session *session)
{
  gilk_run_stop (session->run);
  while (!has_ended (session))
    poll_run (session, 0);
  while (g_atomic_int_get (&G_OBJECT (session->run)->ref_count) > 1)
    if (!g_main_context_iteration (session->context, FALSE))
      g_usleep (1000);
}

/* Ends the run, if there is one. Afterwards kernel text is restored. */
static void
end_session (Session *session)
{
  if (session->run == NULL)
    return;
  finish_run (session);
  g_clear_object (&session->run);
  g_main_context_pop_thread_default (session->context);
  g_main_context_unref (session->context);
  gilk_store_free (session->store);
  g_unlink (session->file);
  g_free (session->file);
}

/* Returns TRUE if all hooks are armed as planned. @works: (out): all hooks are live, perhaps still
 * as traps */
static gboolean
is_settled (Session *session, gboolean *works)
{
  GilkRunFigures figures = { 0 };
  gboolean works_as_planned;
  guint armed = 0;

  gilk_run_figures (session->run, &figures);
  for (guint i = 0; i < figures.n_hooks; i++)
    armed += figures.hooks[i].state == ILK_STATE_ARMED;
  *works = figures.n_hooks > 0 && figures.hooks_live == figures.n_hooks;
  works_as_planned = *works && armed == figures.n_hooks;
  gilk_run_figures_clear (&figures);

  return works_as_planned;
}

static gboolean
wait_until_armed (GilkSelftest *test, Session *session, gboolean *settled, GError **error)
{
  const gint64 last = g_get_monotonic_time () + ARMED_US;
  gboolean works = FALSE;

  while (!(*settled = is_settled (session, &works)) && g_get_monotonic_time () < last)
    {
      if (has_ended (session))
        return set_run_error (session, error);
      if (g_cancellable_set_error_if_cancelled (test->cancellable, NULL))
        {
          g_set_error_literal (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("The self-test was cancelled."));
          return FALSE;
        }
      poll_run (session, 0);
    }
  if (!works)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                 _("The hooks were not armed within %u s; try again on a machine that is less busy."),
                 (guint) (ARMED_US / G_USEC_PER_SEC));

  return works;
}

/* Reads the driver's current counters of all CPUs. If another client disarmed the hooks, the
 * counters no longer exist; in that case waits until the run notices, and reports the run's
 * error. */
static gboolean
read_hits (GilkSelftest *test, Session *session, uint64_t *hits, GError **error)
{
  g_autoptr(GError) local = NULL;
  GilkRunFigures figures = { 0 };
  struct ilk_counter counters[3] = { { 0 } };
  uint32_t iids[3];
  gboolean ok;

  gilk_run_figures (session->run, &figures);
  for (guint i = 0; i < MIN (figures.n_hooks, G_N_ELEMENTS (iids)); i++)
    iids[i] = figures.hooks[i].iid;
  ok = gilk_target_counters (test->target, iids, MIN (figures.n_hooks, G_N_ELEMENTS (iids)), FALSE, counters,
                             test->cancellable, &local);
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    *hits += counters[i].count;
  gilk_run_figures_clear (&figures);
  if (ok)
    return TRUE;

  if (g_error_matches (local, GILK_ERROR, GILK_ERROR_DRIVER))
    poll_run (session, DISARMED_US);
  if (has_ended (session))
    return set_run_error (session, error);
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

static void
read_costs (Session *session, GilkTrial *trial)
{
  const GilkBoundPlan *bound = gilk_run_plan (session->run);
  g_autoptr(GArray) costs = gilk_store_costs (session->store, gilk_run_session_run_id (session->run), NULL);

  for (guint i = 0; i < trial->n_hooks; i++)
    {
      const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);

      trial->hooks[i].cost_ns = trial->hooks[i].low_ns = trial->hooks[i].high_ns = NAN;
      for (guint k = 0; costs != NULL && k < costs->len; k++)
        {
          const GilkStoredCost *cost = &g_array_index (costs, GilkStoredCost, k);

          if (strcmp (cost->instrument, hook->hook->instrument) != 0 ||
              strcmp (cost->tactic, gilk_tactic_name (hook->choice.tactic)) != 0 ||
              cost->instructions != hook->choice.cost)
            continue;
          trial->hooks[i].cost_ns = cost->ns;
          trial->hooks[i].low_ns = cost->low_ns;
          trial->hooks[i].high_ns = cost->high_ns;
        }
    }
}

static void
read_figures (Session *session, GilkTrial *trial)
{
  GilkRunFigures figures = { 0 };

  gilk_run_figures (session->run, &figures);
  trial->n_hooks = MIN (figures.n_hooks, G_N_ELEMENTS (trial->hooks));
  for (guint i = 0; i < trial->n_hooks; i++)
    {
      trial->hooks[i].hits = figures.hooks[i].hits;
      trial->hooks[i].stored = figures.hooks[i].stored;
      trial->hooks[i].lost = figures.hooks[i].lost;
      trial->hooks[i].missed = figures.hooks[i].missed;
    }
  gilk_run_figures_clear (&figures);
  read_costs (session, trial);
}

/* Runs a whole trial, until its run has ended. */
static gboolean
run_trial (GilkSelftest *test, Session *session, guint path, uint64_t calls, GilkTrial *trial, GError **error)
{
  if (!wait_until_armed (test, session, &trial->as_planned, error))
    return FALSE;
  poll_run (session, QUIET_US);
  if (!read_hits (test, session, &trial->before, error) ||
      !make_calls (test, path, scale_count (test, calls), scale_count (test, CALLS_MS), trial, &trial->call_ns, error))
    return FALSE;
  finish_run (session);
  if (gilk_run_state (session->run) == GILK_RUN_FAILED || gilk_run_cut_short (session->run) != NULL)
    return set_run_error (session, error);
  read_figures (session, trial);

  return TRUE;
}

gboolean
gilk_trial_run (GilkSelftest  *test,
                GilkBoundPlan *bound,
                guint          path,
                uint64_t       calls,
                GilkTrial     *trial,
                GError       **error)
{
  GilkTrial bare = { 0 }, done = { 0 };
  Session session = { 0 };
  gboolean ok;

  if (!make_calls (test, path, scale_count (test, BARE), scale_count (test, BARE_MS), &bare, &done.bare_ns, error))
    {
      gilk_bound_plan_free (bound);
      return FALSE;
    }
  ok = begin_session (test, bound, &session, error) && run_trial (test, &session, path, calls, &done, error);
  end_session (&session);
  if (ok)
    *trial = done;

  return ok;
}

gboolean
gilk_trial_kill (GilkSelftest  *test,
                 GilkBoundPlan *bound,
                 guint          path,
                 gint64        *died_us,
                 GError       **error)
{
  const struct gilk_calls deadly = {
    .path = path, .calls = GILK_WIRE_CALLS_MAX, .limit_ms = PIECE_MS, .flags = GILK_CALLS_KILL_AGENT,
  };
  struct gilk_calls_made made;
  Session session = { 0 };
  gboolean settled, ok;

  ok = begin_session (test, bound, &session, error) && wait_until_armed (test, &session, &settled, error);
  if (ok)
    {
      g_autoptr(GError) lost = NULL;

      if (gilk_target_calls (test->target, &deadly, &made, NULL, &lost))
        {
          ok = FALSE;
          g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FAILED,
                               _("The agent survived although it should have killed itself; please send this report."));
        }
      *died_us = g_get_monotonic_time ();
    }
  end_session (&session);
  if (!ok)
    return FALSE;
  gilk_target_close (test->target);
  g_clear_pointer (&test->functions, gilk_functions_unref);
  g_clear_pointer (&test->image, gilk_image_unref);
  g_clear_pointer (&test->target, gilk_target_unref);

  return TRUE;
}

/* ---- makes the result of a self-test case, with its figures ---- */

const char *
gilk_verdict_name (GilkVerdict verdict)
{
  static const char *const names[] = { "ok", "note", "skipped", "failed" };

  return names[verdict];
}

void
gilk_selftest_begin_case (GilkSelftest *test,
                          const char   *what,
                          double        fraction)
{
  test->fraction = fraction;
  test->case_us = g_get_monotonic_time ();
  gilk_progress (&test->progress, what, fraction);
}

GilkSelftestCase *
gilk_selftest_case_new (const char *name,
                        GilkVerdict verdict,
                        char       *sentence)
{
  GilkSelftestCase *ended = g_new0 (GilkSelftestCase, 1);

  *ended = (GilkSelftestCase) {
    .name = name, .verdict = verdict, .sentence = sentence,
    .figures = g_array_new (FALSE, FALSE, sizeof (GilkSelftestFigure)),
  };

  return ended;
}

void
gilk_selftest_case_add_figure (GilkSelftestCase *ended,
                               const char       *name,
                               double            value)
{
  const GilkSelftestFigure figure = { name, value };

  g_array_append_val (ended->figures, figure);
}

void
gilk_selftest_case_free (GilkSelftestCase *ended)
{
  g_array_unref (ended->figures);
  g_free (ended->sentence);
  g_free (ended);
}

void
gilk_selftest_end_case (GilkSelftest     *test,
                        GilkSelftestCase *ended)
{
  ended->seconds = (double) (g_get_monotonic_time () - test->case_us) / 1e6;
  g_ptr_array_add (test->cases, ended);
  if (test->func != NULL)
    test->func (ended, test->user_data);
}
