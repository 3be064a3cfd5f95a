/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-clock.c - reports the accuracy of a run's times
 */
#include <glib/gi18n.h>

#include "cli/base/output.h"
#include "cli/read/report-clock.h"
#include "core/store/gilk-store-clock.h"

/* ---- text ---- */

static void
print_rate (Cli *cli, const GilkStoredClock *clock)
{
  double tick = 1e9 / (double) clock->hz;

  if (clock->measured)
    cli_print (cli, _("\nTimes: %.9f ns per tick, measured before the run to within %.3g ppm"),
                    tick, 1e6 * clock->rate_error);
  else
    cli_print (cli, _("\nTimes: %.9f ns per tick, from the kernel"), tick);
  if (clock->has_zero)
    cli_print (cli, _("; time zero to within %.0f ns"), clock->zero_error_ns);
  if (clock->has_end)
    cli_print (cli, _(".\n"
                      "Over the run they drifted by %+.3g ppm (to within %.3g ppm): at its end a time is off by at "
                      "most %.0f ns.\n"), 1e6 * clock->drift, 1e6 * clock->run_error, clock->end_error_ns);
  else
    cli_print (cli, _(".\n"
                      "Drift over the run was not measured.\n"));
}

static void
print_order (Cli *cli, const GilkStoredClock *clock)
{
  guint taken_off = 0;

  for (guint i = 0; i < clock->cpus->len; i++)
    taken_off += g_array_index (clock->cpus, GilkStoredCpuClock, i).subtracted_offset;
  if (clock->cpus->len == 0)
    {
      if (clock->n_cpus > 1)
        cli_print (cli, _("The CPUs' time-stamp counters were not compared: the order of samples of different CPUs is "
                          "not known.\n"));
      return;
    }
  if (clock->cpus->len > 1)
    cli_print (cli, clock->order_at_end
               ? _("Samples of different CPUs are in order if they are more than %.0f ns apart.\n")
               : _("When the run started, samples of different CPUs were in order if more than %.0f ns apart.\n"),
                 clock->order_ns);
  if (taken_off > 0)
    cli_print (cli, ngettext ("The counter of %u CPU was off by more than the measuring error, and its times were "
                              "corrected.\n",
                              "The counters of %u CPUs were off by more than the measuring error, and their times were "
                              "corrected.\n", taken_off), taken_off);
  if (clock->cpus->len < clock->n_cpus)
    cli_print (cli, ngettext ("%u CPU was offline or did not answer: its counter was not compared.\n",
                              "%u CPUs were offline or did not answer: their counters were not compared.\n",
                              clock->n_cpus - clock->cpus->len), clock->n_cpus - clock->cpus->len);
}

/* ---- JSON ---- */

static void
cpus_to_json (CliJson *json, const GilkStoredClock *clock)
{
  cli_json_array (json, "cpus");
  for (guint i = 0; i < clock->cpus->len; i++)
    {
      const GilkStoredCpuClock *cpu = &g_array_index (clock->cpus, GilkStoredCpuClock, i);

      cli_json_row (json, NULL);
      cli_json_uint (json, "cpu", cpu->cpu);
      cli_json_double (json, "offset_ns", cpu->ahead_ns);
      cli_json_double (json, "error_ns", cpu->error_ns);
      cli_json_bool (json, "corrected", cpu->subtracted_offset);
      cli_json_double (json, "residual_ns", cpu->left_ns);
      cli_json_end (json);
    }
  cli_json_end (json);
}

/* Omits what was not measured. */
static void
clock_to_json (CliJson *json, const GilkStoredClock *clock)
{
  cli_json_object (json, "clock");
  cli_json_double (json, "ns_per_tick", 1e9 / (double) clock->hz);
  cli_json_uint (json, "hz", clock->hz);
  cli_json_bool (json, "measured", clock->measured);
  if (clock->measured)
    cli_json_double (json, "error_ppm", 1e6 * clock->rate_error);
  if (clock->has_zero)
    cli_json_double (json, "zero_error_ns", clock->zero_error_ns);
  if (clock->has_end)
    {
      cli_json_double (json, "gain_ppm", 1e6 * clock->drift);
      cli_json_double (json, "gain_error_ppm", 1e6 * clock->run_error);
      cli_json_double (json, "end_error_ns", clock->end_error_ns);
    }
  if (clock->cpus->len > 1)
    cli_json_double (json, "order_error_ns", clock->order_ns);
  cpus_to_json (json, clock);
  cli_json_end (json);
}

gboolean
cli_clock_report (Cli              *cli,
                  const CliSession *session,
                  GError          **error)
{
  g_auto(GilkStoredClock) clock = { 0 };

  if (!gilk_store_clock (session->store, session->run->id, &clock, error))
    return FALSE;
  if (cli->doc != NULL)
    clock_to_json (cli->doc, &clock);
  else if (!clock.has_zero && clock.cpus->len == 0)
    cli_print (cli, _("\nTimes: %.9f ns per tick, from the kernel; errors were not measured.\n"),
               1e9 / (double) clock.hz);
  else
    {
      print_rate (cli, &clock);
      print_order (cli, &clock);
    }

  return TRUE;
}
