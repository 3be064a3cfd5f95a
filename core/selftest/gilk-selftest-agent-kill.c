/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest-agent-kill.c - checks that the kernel is restored when the agent dies while its
 * hook is hit
 *
 * The agent kills itself, because a client without root cannot kill it. Then another agent checks
 * that text is restored.
 */
#include <glib/gi18n.h>
#include <math.h>

#include "core/base/gilk-error.h"
#include "core/selftest/gilk-selftest-private.h"

#define AGAIN_US  (60 * G_USEC_PER_SEC)
#define PAUSE_US  50000
#define BOUND_S   5.0

/* Connects again, with retries: the next agent may need a moment to start. */
static gboolean
connect_again (GilkSelftest *test, GError **error)
{
  const gint64 last = g_get_monotonic_time () + AGAIN_US;

  for (;;)
    {
      g_autoptr(GError) local = NULL;

      test->target = gilk_target_open (test->spec, NULL, test->cancellable, &local);
      if (test->target != NULL)
        return TRUE;
      if (g_get_monotonic_time () > last || !g_error_matches (local, GILK_ERROR, GILK_ERROR_TARGET))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      g_usleep (PAUSE_US);
    }
}

/* Checks that no hook is live, and that the driver has nothing left to restore. */
static gboolean
is_clean (GilkSelftest *test, gboolean *clean, GError **error)
{
  guint pending = 0;
  g_autoptr(GArray) patches = gilk_target_status (test->target, TRUE, &pending, test->cancellable, error);

  if (patches == NULL)
    return FALSE;
  *clean = pending == 0;
  for (guint i = 0; i < patches->len; i++)
    {
      const uint32_t state = g_array_index (patches, struct ilk_patch_status, i).state;

      *clean = *clean && state != ILK_STATE_TRAPPED && state != ILK_STATE_ARMED;
    }

  return TRUE;
}

static gboolean
wait_until_clean (GilkSelftest *test, gint64 since, double *seconds, GError **error)
{
  gboolean clean = FALSE;

  for (;;)
    {
      if (!is_clean (test, &clean, error))
        return FALSE;
      *seconds = (double) (g_get_monotonic_time () - since) / 1e6;
      if (clean || *seconds > (double) AGAIN_US / 1e6)
        break;
      g_usleep (PAUSE_US);
    }
  if (!clean)
    *seconds = INFINITY;

  return TRUE;
}

/* Reads the bytes at the hook's site. */
static gboolean
read_site (GilkSelftest *test, const struct gilk_range *range, uint8_t *bytes, GError **error)
{
  return gilk_target_read_text (test->target, range, 1, bytes, NULL, test->cancellable, error);
}

static GilkBoundPlan *
bind_first (GilkSelftest *test, guint *path, GError **error)
{
  const GilkTrialPath *paths;
  guint n;

  paths = gilk_trial_paths (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text =
        g_strdup_printf ("[gilk-plan]\nversion=2\n[hook a]\nfunction=%s\nanchor=entry\nwhere=pre\n"
                         "instrument=count\n", paths[i].function);
      GilkBoundPlan *bound = gilk_trial_bind (test, text, i + 1 < n ? NULL : error);

      *path = paths[i].path;
      if (bound != NULL)
        return bound;
    }

  return NULL;
}

/* Makes the result of the case. Reports the time to start an agent separately, because that time
 * says nothing about the driver. */
static GilkSelftestCase *
make_case (double connected, double clean, gboolean same)
{
  GilkSelftestCase *ended;

  if (!same || isinf (clean))
    ended = gilk_selftest_case_new ("agent-killed", GILK_VERDICT_FAILED,
                                    g_strdup (_("The agent was killed, but one of its hooks is still in the kernel's text: "
                                                "run \"gilk disarm\", then please send this report.")));
  else if (clean - connected > BOUND_S)
    ended = gilk_selftest_case_new ("agent-killed", GILK_VERDICT_FAILED,
                                    g_strdup_printf (_("The agent was killed, but its hooks were not "
                                                       "removed until %.1f s after the next agent "
                                                       "had connected; please send this report."),
                                                     clean - connected));
  else
    ended = gilk_selftest_case_new ("agent-killed", GILK_VERDICT_OK,
                                    g_strdup_printf (_("the agent was killed during hooked "
                                                       "calls: text was restored when the next "
                                                       "agent checked, %.1f s later"), clean));
  gilk_selftest_case_add_figure (ended, "connected_s", connected);
  gilk_selftest_case_add_figure (ended, "clean_s", clean);

  return ended;
}

gboolean
gilk_selftest_test_agent_kill (GilkSelftest *test,
                               GError      **error)
{
  uint8_t before[ILK_FOOTPRINT_MAX] = { 0 }, after[ILK_FOOTPRINT_MAX] = { 0 };
  const GilkPatchPlan *patch;
  struct gilk_range range;
  GilkBoundPlan *bound;
  double connected, clean;
  gint64 since;
  guint path;

  gilk_selftest_begin_case (test, _("Killing the agent"), 0.8);
  bound = bind_first (test, &path, error);
  if (bound == NULL)
    return FALSE;
  patch = &((GilkSplicePlan *) bound->splice_plans->pdata[0])->patches[0];
  range = (struct gilk_range) { patch->site, patch->len };
  if (!read_site (test, &range, before, error))
    {
      gilk_bound_plan_free (bound);
      return FALSE;
    }
  if (!gilk_trial_kill (test, bound, path, &since, error))
    return FALSE;
  if (!connect_again (test, error))
    return FALSE;
  connected = (double) (g_get_monotonic_time () - since) / 1e6;
  if (!wait_until_clean (test, since, &clean, error) || !read_site (test, &range, after, error))
    return FALSE;
  gilk_selftest_end_case (test, make_case (connected, clean, memcmp (before, after, sizeof before) == 0));

  return TRUE;
}
