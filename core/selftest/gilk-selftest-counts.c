/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest-counts.c - checks that hooks count a known number of calls exactly, and measures
 * their cost
 *
 * There is a case for each tactic and each kind of hook. Several probe points are tried in turn,
 * because not every kernel has a short block where one is expected, and other programs may make the
 * same calls. A case with too few hits fails at once. A case with too many hits fails only if every
 * probe point has too many.
 */
#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/selftest/gilk-selftest-private.h"

#define PLACES_MAX 8
#define COUNTED    10000000
#define SAMPLED    1000000
#define TRIES      3

typedef struct {
  const char *function;
  const char *where;
  guint       path;
} Place;

typedef struct {
  const char *name, *doing;
  const char *instruments[3];
  const char *tactic;
  gboolean    short_block;     /* the probe point must be in a block that is too short for a jump */
} Kind;

static const Kind kinds[] = {
  { "count-splice", N_("Counting by splice"), { "count" }, "splice", FALSE },
  { "count-bounce", N_("Counting by bounce"), { "count" }, "bounce", TRUE },
  { "count-clone", N_("Counting by clone"), { "count" }, "clone", FALSE },
  { "count-trap", N_("Counting by trap"), { "count" }, "trap", FALSE },
  { "stamp-splice", N_("Recording time stamps"), { "stamp" }, "splice", FALSE },
  { "task-splice", N_("Sampling with a module"), { "task" }, "splice", FALSE },
  { "together", N_("Several instruments at one point"), { "count", "stamp", "task" }, "splice", FALSE },
};

static guint
count_instruments (const Kind *kind)
{
  guint n = 0;

  while (n < G_N_ELEMENTS (kind->instruments) && kind->instruments[n] != NULL)
    n++;
  return n;
}

static guint
list_places (const Kind *kind, Place *places)
{
  static const Place shorts[] = {
    { "do_getpgid", "post", GILK_CALLS_PGID },
    { "__x64_sys_getpgid", "post", GILK_CALLS_PGID },
    { "__x64_sys_timer_getoverrun", "post", GILK_CALLS_OVERRUN },
    { "__x64_sys_sched_rr_get_interval", "post", GILK_CALLS_RR_INTERVAL },
    { "__x64_sys_sched_get_priority_min", "post", GILK_CALLS_PRIORITY },
  };
  const GilkTrialPath *paths;
  guint n;

  if (kind->short_block)
    {
      memcpy (places, shorts, sizeof shorts);
      return G_N_ELEMENTS (shorts);
    }
  paths = gilk_trial_paths (&n);
  for (guint i = 0; i < n; i++)
    places[i] = (Place) { paths[i].function, "pre", paths[i].path };
  return n;
}

static char *
make_plan_text (const Kind *kind, const Place *place)
{
  GString *text = g_string_new ("[gilk-plan]\nversion=2\ntitle=Self-test\n");

  for (guint i = 0; i < count_instruments (kind); i++)
    g_string_append_printf (text, "\n[hook %s]\nfunction=%s\nanchor=entry\nwhere=%s\ninstrument=%s\ntactic=%s\n",
                            kind->instruments[i], place->function, place->where, kind->instruments[i], kind->tactic);
  return g_string_free (text, FALSE);
}

/* ---- judges the counts of a trial ---- */

typedef enum { RIGHT, OTHERS_CALL, WRONG } Finding;

static Finding
check_counts (const Kind *kind, const GilkTrial *trial, char **why)
{
  for (guint i = 0; i < trial->n_hooks; i++)
    {
      const uint64_t hits = trial->hooks[i].hits, stored = trial->hooks[i].stored, lost = trial->hooks[i].lost;
      const gboolean counts = g_str_equal (kind->instruments[i], "count");

      *why = NULL;
      if (hits + trial->hooks[i].missed != trial->made)
        *why = g_strdup_printf (_("%" PRIu64 " calls were made, but %s saw %" PRIu64 "; please send this report."),
                                trial->made, kind->instruments[i], hits);
      else if (!counts && stored + lost != hits)
        *why = g_strdup_printf (_("%s produced %" PRIu64 " samples, of which %" PRIu64 " were "
                                  "stored and %" PRIu64 " lost; please send this report."),
                                kind->instruments[i], hits, stored, lost);
      if (*why != NULL)
        return hits > trial->made ? OTHERS_CALL : WRONG;
    }
  if (trial->wrong > 0)
    {
      *why = g_strdup_printf (_("%" PRIu64 " of %" PRIu64 " hooked calls returned wrong values; please send this report."),
                              trial->wrong, trial->made);
      return WRONG;
    }

  return RIGHT;
}

static char *
describe_success (const Kind *kind, const Place *place, const GilkTrial *trial)
{
  uint64_t stored = 0, lost = 0;

  for (guint i = 0; i < trial->n_hooks; i++)
    {
      stored += trial->hooks[i].stored;
      lost += trial->hooks[i].lost;
    }
  if (stored + lost > 0)
    return g_strdup_printf (_("%" PRIu64 " calls of %s by %u threads: all seen, %" PRIu64 " samples stored + %" PRIu64 " "
                              "lost%s"),
                            trial->made, place->function, trial->threads, stored, lost,
                            trial->as_planned ? "" : _(", while the hook was still a trap"));

  return g_strdup_printf (_("%" PRIu64 " calls of %s by %u threads: all counted%s"),
                          trial->made, place->function, trial->threads,
                          trial->as_planned ? "" : _(", while the hook was still a trap"));
}

static void
add_figures (GilkSelftestCase *ended, const GilkTrial *trial)
{
  uint64_t hits = 0, stored = 0, lost = 0, missed = 0;

  for (guint i = 0; i < trial->n_hooks; i++)
    {
      hits += trial->hooks[i].hits;
      stored += trial->hooks[i].stored;
      lost += trial->hooks[i].lost;
      missed += trial->hooks[i].missed;
    }
  gilk_selftest_case_add_figure (ended, "calls", (double) trial->made);
  gilk_selftest_case_add_figure (ended, "threads", trial->threads);
  gilk_selftest_case_add_figure (ended, "hits", (double) hits);
  gilk_selftest_case_add_figure (ended, "stored", (double) stored);
  gilk_selftest_case_add_figure (ended, "lost", (double) lost);
  gilk_selftest_case_add_figure (ended, "missed", (double) missed);
  gilk_selftest_case_add_figure (ended, "bare_call_ns", trial->bare_ns);
  gilk_selftest_case_add_figure (ended, "hooked_call_ns", trial->call_ns);
  /* Hooks that share a point are measured separately, so their common cost is unknown. */
  if (trial->n_hooks == 1)
    {
      gilk_selftest_case_add_figure (ended, "cost_ns", trial->hooks[0].cost_ns);
      gilk_selftest_case_add_figure (ended, "cost_low_ns", trial->hooks[0].low_ns);
      gilk_selftest_case_add_figure (ended, "cost_high_ns", trial->hooks[0].high_ns);
    }
}

/* ---- runs the cases ---- */

/* Returns TRUE if the error is specific to the probe point, so that another point may work. */
static gboolean
is_point_specific (const GError *error)
{
  return g_error_matches (error, GILK_ERROR, GILK_ERROR_REFUSED) ||
         g_error_matches (error, GILK_ERROR, GILK_ERROR_NOT_FOUND) ||
         g_error_matches (error, GILK_ERROR, GILK_ERROR_AMBIGUOUS);
}

/* Worst result of a case so far; it becomes the result of the case if no probe point gives a
 * definite one. */
typedef struct {
  GilkVerdict verdict;
  char       *why;
} Outcome;

static void
record_outcome (Outcome *so_far, GilkVerdict verdict, char *why)
{
  if (so_far->why != NULL && so_far->verdict > verdict)
    {
      g_free (why);
      return;
    }
  g_free (so_far->why);
  *so_far = (Outcome) { verdict, why };
}

static GilkSelftestCase *
make_case (const Kind *kind, const Place *place, const GilkTrial *trial, Finding finding, char *why)
{
  GilkSelftestCase *ended;

  if (finding == RIGHT)
    ended = gilk_selftest_case_new (kind->name, trial->as_planned ? GILK_VERDICT_OK : GILK_VERDICT_NOTE,
                                    describe_success (kind, place, trial));
  else
    ended = gilk_selftest_case_new (kind->name, GILK_VERDICT_FAILED, why);
  add_figures (ended, trial);

  return ended;
}

/* Tries a case at one probe point. FALSE with @error: the self-test cannot continue. @ended: (out):
 * result of the case; set if no other probe point needs to be tried */
static gboolean
try_place (GilkSelftest *test, const Kind *kind, const Place *place, GilkSelftestCase **ended, Outcome *so_far,
           GError **error)
{
  const uint64_t calls = g_str_has_prefix (kind->name, "count") ? COUNTED : SAMPLED;
  g_autofree char *plan = make_plan_text (kind, place);
  g_autoptr(GError) refused = NULL;
  GilkBoundPlan *bound = gilk_trial_bind (test, plan, &refused);
  char *why = NULL;
  GilkTrial trial;
  Finding finding;

  if (bound == NULL && is_point_specific (refused))
    {
      record_outcome (so_far, GILK_VERDICT_SKIPPED, g_strdup (refused->message));
      return TRUE;
    }
  if (bound == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&refused));
      return FALSE;
    }
  if (!gilk_trial_run (test, bound, place->path, calls, &trial, error))
    return FALSE;

  finding = check_counts (kind, &trial, &why);
  if (finding == OTHERS_CALL && trial.before > 0)
    {
      g_free (why);
      record_outcome (so_far, GILK_VERDICT_SKIPPED,
                      g_strdup_printf (_("Other programs call %s too, so nothing could be compared; try again on a quiet "
                                         "machine."), place->function));
    }
  else if (finding == OTHERS_CALL)
    record_outcome (so_far, GILK_VERDICT_FAILED, why);
  else
    *ended = make_case (kind, place, &trial, finding, why);

  return TRUE;
}

/* Runs a case. Repeats failed attempts, because other programs that make the same calls may have
 * stopped. */
static gboolean
test_kind (GilkSelftest *test, const Kind *kind, double fraction, GError **error)
{
  Outcome so_far = { GILK_VERDICT_SKIPPED, NULL };
  GilkSelftestCase *ended = NULL;
  Place places[PLACES_MAX];
  guint n = list_places (kind, places);
  gboolean ok = TRUE;

  gilk_selftest_begin_case (test, _(kind->doing), fraction);
  for (guint i = 0; ok && ended == NULL && i < n; i++)
    ok = try_place (test, kind, &places[i], &ended, &so_far, error);
  for (guint tries = 1; ok && ended == NULL && so_far.verdict == GILK_VERDICT_FAILED && tries < TRIES; tries++)
    for (guint i = 0; ok && ended == NULL && i < n; i++)
      ok = try_place (test, kind, &places[i], &ended, &so_far, error);
  if (ok && ended == NULL)
    ended = gilk_selftest_case_new (kind->name, so_far.verdict, g_steal_pointer (&so_far.why));
  if (ended != NULL)
    gilk_selftest_end_case (test, ended);
  g_free (so_far.why);

  return ok;
}

gboolean
gilk_selftest_test_counts (GilkSelftest *test,
                           GError      **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (!test_kind (test, &kinds[i], 0.2 + 0.6 * i / G_N_ELEMENTS (kinds), error))
      return FALSE;

  return TRUE;
}
