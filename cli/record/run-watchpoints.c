/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-watchpoints.c - reports on a run's watchpoints: moves, refused addresses, pauses
 */
#include "cli/record/run.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-refusal.h"
#include "core/plan/gilk-plan-point.h"

static void
note_moves (Cli *cli, const char *label, const struct ilk_watch_status *watch)
{
  g_autofree char *last = gilk_format_duration (watch->move_ns), *most = gilk_format_duration (watch->move_ns_max);

  if (watch->moves > 0)
    cli_note (cli, ngettext ("%s was moved to another address %" PRIu64 " time: the last move took "
                             "%s, the longest %s.",
                             "%s was moved to another address %" PRIu64 " times: the last move "
                             "took %s, the longest %s.",
                             (gulong) watch->moves),
              label, (uint64_t) watch->moves, last, most);
  else if (watch->moves_refused == 0)
    cli_note (cli, _("%s never got an address, so it saw nothing. Check that the hook whose "
                     "program calls watch(%s, ADDRESS) is hit."), label, label);
  if (watch->moves_refused > 0)
    cli_note (cli, ngettext ("%s was given an unwatchable address %" PRIu64 " time: %#" PRIx64 ". %s %s",
                             "%s was given unwatchable addresses %" PRIu64 " times, last %#" PRIx64 ". %s %s",
                             (gulong) watch->moves_refused),
              label, (uint64_t) watch->moves_refused, (uint64_t) watch->refused_address,
              gilk_refusal_cause (watch->move_refusal), gilk_refusal_remedy (watch->move_refusal));
}

static void
note_pauses (Cli *cli, const char *label, const struct ilk_watch_status *watch)
{
  g_autofree char *took = gilk_format_duration (watch->paused_ns);

  if (watch->pauses > 0)
    cli_note (cli, ngettext ("%s made %" PRIu64 " pause of %s and missed the accesses during the "
                             "pause. Raise the limit with limit=N.",
                             "%s made %" PRIu64 " pauses of %s in all and missed the accesses "
                             "during the pauses. Raise the limit with limit=N.",
                             (gulong) watch->pauses),
              label, (uint64_t) watch->pauses, took);
}

void
cli_run_watchpoints_note (Cli                  *cli,
                          const GilkRunFigures *figures,
                          const GilkBoundPlan  *bound)
{
  for (guint i = 0; i < figures->n_hooks; i++)
    {
      const GilkPlanHook *planned = g_array_index (bound->hooks, GilkBoundHook, i).hook;

      if (figures->hooks[i].watch.iid == 0)
        continue;
      if (planned->watch->is_movable)
        note_moves (cli, planned->label, &figures->hooks[i].watch);
      note_pauses (cli, planned->label, &figures->hooks[i].watch);
    }
}

void
cli_run_watchpoint_json (CliJson               *json,
                         const GilkHookFigures *hook)
{
  const struct ilk_watch_status *watch = &hook->watch;

  if (watch->iid == 0)
    return;
  cli_json_uint (json, "pauses", watch->pauses);
  cli_json_uint (json, "paused_ns", watch->paused_ns);
  cli_json_uint (json, "moves", watch->moves);
  cli_json_uint (json, "moves_refused", watch->moves_refused);
  cli_json_uint (json, "move_ns", watch->move_ns);
  cli_json_uint (json, "move_ns_max", watch->move_ns_max);
}
