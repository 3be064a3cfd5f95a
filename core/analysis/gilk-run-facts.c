/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-facts.c - facts about a run's clock, costs and effects
 *
 * Names and values are short enough for a narrow panel.
 */
#include "core/analysis/gilk-run-facts.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/cost/gilk-hook-cost.h"
#include "core/analysis/gilk-hook-samples.h"
#include "core/base/gilk-format.h"

static char *
format_ns (double ns)
{
  return gilk_format_si (ns / 1e9, "s", 3);
}

/* Unit of an error: parts per billion if the error is small, otherwise parts per million. */
typedef struct { double times; const char *unit; } ErrorUnit;

static ErrorUnit
choose_error_unit (double error)
{
  return error < 1e-7 ? (ErrorUnit) { 1e9, "ppb" } : (ErrorUnit) { 1e6, "ppm" };
}

/* Returns text such as "4 CPUs". (transfer full) */
static char *
format_cpus (guint n)
{
  return g_strdup_printf (g_dngettext (NULL, "%u CPU", "%u CPUs", n), n);
}

/* ---- facts about the run's clock ---- */

static void
add_rate (GilkFacts *facts, const GilkStoredClock *clock)
{
  g_autofree char *hz = gilk_format_si ((double) clock->hz, "Hz", 9);
  const ErrorUnit parts = choose_error_unit (clock->rate_error);
  g_autofree char *off = gilk_format_si (parts.times * clock->rate_error, NULL, 3);
  double tick = 1e9 / (double) clock->hz;
  GilkFact *fact;

  fact = gilk_facts_take (facts, g_strdup (_("TSC")), gilk_format_si ((double) clock->hz, "Hz", 5),
                          g_strdup_printf (clock->measured ? _("%s: %.9f ns per tick, measured before the run")
                                                           : _("%s: %.9f ns per tick, from the kernel"), hz, tick));
  gilk_fact_add_number (fact, "ns_per_tick", tick);
  gilk_fact_add_number (fact, "hz", (double) clock->hz);
  if (clock->measured)
    {
      fact = gilk_facts_add (facts, _("Frequency error"), g_strdup_printf ("≤ %s %s", off, parts.unit),
                             _("Maximum error of the TSC frequency, as measured before the run"));
      gilk_fact_add_number (fact, "error_ppm", 1e6 * clock->rate_error);
    }
  if (clock->has_zero)
    {
      g_autofree char *error = format_ns (clock->zero_error_ns);

      fact = gilk_facts_add (facts, _("Time zero"), g_strdup_printf ("± %s", error),
                             _("Uncertainty of the run's start on the target's CLOCK_MONOTONIC"));
      gilk_fact_add_number (fact, "zero_error_ns", clock->zero_error_ns);
    }
}

static void
add_drift (GilkFacts *facts, const GilkStoredClock *clock)
{
  const ErrorUnit parts = choose_error_unit (clock->run_error);
  g_autofree char *gain = gilk_format_signed (parts.times * clock->drift, NULL, 2);
  g_autofree char *bound = gilk_format_si (parts.times * clock->run_error, NULL, 2);
  g_autofree char *error = NULL;
  GilkFact *fact;

  if (!clock->has_end)
    {
      gilk_facts_add (facts, _("Drift"), g_strdup (_("not measured")),
                      _("Clock drift was not measured, for example because the run was cut off"));
      return;
    }
  error = format_ns (clock->end_error_ns);
  fact = gilk_facts_add (facts, _("Drift"), g_strdup_printf ("%s ± %s %s", gain, bound, parts.unit),
                         _("Drift of sample times against the target's CLOCK_MONOTONIC over the run"));
  gilk_fact_add_number (fact, "gain_ppm", 1e6 * clock->drift);
  gilk_fact_add_number (fact, "gain_error_ppm", 1e6 * clock->run_error);
  fact = gilk_facts_add (facts, _("Error at end"), g_strdup_printf ("± %s", error),
                         _("Maximum error of a time at the end of the run"));
  gilk_fact_add_number (fact, "end_error_ns", clock->end_error_ns);
}

static void
add_order (GilkFacts *facts, const GilkStoredClock *clock)
{
  g_autofree char *order = format_ns (clock->order_ns);

  if (clock->cpus->len > 1)
    gilk_fact_add_number (gilk_facts_add (facts, _("CPUs in order"), g_strdup_printf (_("beyond %s"), order),
                                          clock->order_at_end
                                          ? _("Samples of different CPUs are in order if their times differ by more "
                                              "than this value")
                                          : _("Samples of different CPUs were in order at the start of the run if "
                                              "their times differed by more than this value; their order later is "
                                              "unknown")), "order_error_ns", clock->order_ns);
  else if (clock->cpus->len == 0 && clock->n_cpus > 1)
    gilk_facts_add (facts, _("CPUs in order"), g_strdup (_("unknown")),
                    _("The CPUs' TSCs were not compared: the order of samples of different CPUs is unknown"));
}

static void
add_cpu_counts (GilkFacts *facts, const GilkStoredClock *clock)
{
  guint corrected = 0;

  for (guint i = 0; i < clock->cpus->len; i++)
    corrected += g_array_index (clock->cpus, GilkStoredCpuClock, i).subtracted_offset;
  if (corrected > 0)
    gilk_facts_add (facts, _("Corrected"), format_cpus (corrected),
                    _("The TSCs of these CPUs were off by more than the measuring error, so "
                      "the times of their samples were corrected"));
  if (clock->cpus->len > 0 && clock->cpus->len < clock->n_cpus)
    gilk_facts_add (facts, _("Not compared"), format_cpus (clock->n_cpus - clock->cpus->len),
                    _("These CPUs were offline or did not respond, so the offsets of their "
                      "TSCs are unknown"));
}

/* Returns whether the samples' times are CLOCK_MONOTONIC itself, as those of BPF programs are. Such
 * times have no error at time zero; times from the TSC always have one, because the TSC and
 * CLOCK_MONOTONIC are read one after the other. */
static gboolean
is_monotonic (const GilkStoredClock *clock)
{
  return clock->hz == 1000000000 && clock->has_zero && clock->zero_error_ns == 0;
}

GilkFacts *
gilk_facts_of_clock (const GilkStoredClock *clock,
                     gboolean               count_cpus)
{
  GilkFacts *facts = gilk_facts_new (_("Times"), _("Accuracy of this run's sample times; all errors are upper bounds"));

  if (is_monotonic (clock))
    {
      gilk_fact_add_number (gilk_facts_add (facts, _("Clock"), g_strdup ("CLOCK_MONOTONIC"),
                                            _("CLOCK_MONOTONIC is read at each hit. On one CPU it may stand still "
                                              "for some ns while the kernel adjusts it")), "hz", (double) clock->hz);
      return facts;
    }
  add_rate (facts, clock);
  if (!clock->has_zero && clock->cpus->len == 0)
    {
      gilk_facts_add (facts, _("Errors"), g_strdup (_("not measured")),
                      _("The run was recorded by a version of Gilk that did not measure clock errors"));
      return facts;
    }
  add_drift (facts, clock);
  add_order (facts, clock);
  if (count_cpus)
    add_cpu_counts (facts, clock);

  return facts;
}

/* Adds a row with the offset and error of a CPU's TSC; both share one unit if possible. */
static void
add_cpu (GilkFacts *facts, const GilkStoredCpuClock *cpu)
{
  gboolean is_reference = cpu->ahead_ns == 0 && cpu->error_ns == 0;
  g_autofree char *ahead = gilk_format_signed (cpu->ahead_ns / 1e9, "s", 3);
  g_autofree char *error = format_ns (cpu->error_ns);
  g_autofree char *left = format_ns (cpu->left_ns);
  g_autofree char *both = fabs (cpu->ahead_ns) < 9999.5 ? g_strdup_printf ("%+.0f ± %.0f ns", cpu->ahead_ns, cpu->error_ns)
                                                        : g_strdup_printf ("%s ± %s", ahead, error);
  GilkFact *fact;

  if (is_reference)
    fact = gilk_facts_take (facts, g_strdup_printf (_("CPU %u"), cpu->cpu), g_strdup (_("reference")),
                            g_strdup (_("The TSCs of the other CPUs are compared with the TSC "
                                        "of this CPU")));
  else
    fact = gilk_facts_take (facts, g_strdup_printf (cpu->subtracted_offset ? _("CPU %u, corrected") : _("CPU %u"), cpu->cpu),
                            g_steal_pointer (&both),
                            g_strdup_printf (cpu->subtracted_offset
                                             ? _("The TSC of this CPU was ahead of the reference "
                                                 "by %s, ± %s; times on this CPU were corrected, "
                                                 "to within %s")
                                             : _("The TSC of this CPU was ahead of the reference "
                                                 "by %s, ± %s; times on this CPU are off by at "
                                                 "most %s"), ahead, error, left));
  gilk_fact_add_number (fact, "cpu", cpu->cpu);
  gilk_fact_add_number (fact, "offset_ns", cpu->ahead_ns);
  gilk_fact_add_number (fact, "error_ns", cpu->error_ns);
  gilk_fact_add_number (fact, "residual_ns", cpu->left_ns);
}

GilkFacts *
gilk_facts_of_cpus (const GilkStoredClock *clock)
{
  GilkFacts *facts = gilk_facts_new (_("CPUs"), _("Offset of each CPU's TSC from the first CPU's"));

  for (guint i = 0; i < clock->cpus->len; i++)
    add_cpu (facts, &g_array_index (clock->cpus, GilkStoredCpuClock, i));
  add_cpu_counts (facts, clock);

  return facts;
}

/* ---- facts about the costs of hits ---- */

/* Formats a cost and its bounds; all three share one unit if possible. */
char *
gilk_cost_value (const GilkStoredCost *cost)
{
  g_autofree char *ns = format_ns (cost->ns);
  g_autofree char *low = format_ns (cost->low_ns);
  g_autofree char *high = format_ns (cost->high_ns);

  /* Only noise makes a cost negative: such a cost is not reported. */
  if (cost->high_ns <= 0)
    return g_strdup (_("too small to measure"));
  if (cost->low_ns <= 0)
    return g_strdup_printf (_("at most %s"), high);
  if (cost->low_ns >= 1 && cost->high_ns < 999)
    return g_strdup_printf (_("%.3g ns (%.3g to %.3g)"), cost->ns, cost->low_ns, cost->high_ns);

  return g_strdup_printf (_("%s (%s to %s)"), ns, low, high);
}

char *
gilk_cost_explanation (const GilkStoredCost *cost)
{
  g_autofree char *code = g_strdup_printf (g_dngettext (NULL, "%u instruction", "%u instructions", cost->instructions),
                                           cost->instructions);
  g_autofree char *least = format_ns (cost->min_ns);
  g_autofree char *basis = gilk_hook_cost_basis (cost->n_measurements);

  if (cost->low_ns <= 0 || cost->min_ns <= 0)
    return g_strdup_printf ("%s, %s", code, basis);

  return g_strdup_printf (_("%s, minimum %s, %s"), code, least, basis);
}

/* Returns whether another cost has the same instrument and tactic (way of hooking) as cost number
 * @of. */
static gboolean
is_ambiguous (const GArray *costs, guint of)
{
  const GilkStoredCost *one = &g_array_index (costs, GilkStoredCost, of);

  for (guint i = 0; i < costs->len; i++)
    {
      const GilkStoredCost *other = &g_array_index (costs, GilkStoredCost, i);

      if (i != of && strcmp (one->instrument, other->instrument) == 0 && strcmp (one->tactic, other->tactic) == 0)
        return TRUE;
    }

  return FALSE;
}

GilkFacts *
gilk_facts_of_costs (const GArray *costs)
{
  GilkFacts *facts = gilk_facts_new (_("Cost per hit"), _("Measured on the target; the 95 % confidence interval in "
                                                          "parentheses includes the spread between measurements"));

  for (guint i = 0; i < costs->len; i++)
    {
      const GilkStoredCost *cost = &g_array_index (costs, GilkStoredCost, i);
      g_autofree char *name = g_strdup_printf ("%s, %s", cost->instrument, cost->tactic);
      GilkFact *fact = gilk_facts_take (facts, is_ambiguous (costs, i) ? g_strdup_printf ("%s, +%u", name, cost->instructions)
                                                                       : g_strdup (name),
                                        gilk_cost_value (cost), gilk_cost_explanation (cost));

      gilk_fact_add_number (fact, "instructions", cost->instructions);
      gilk_fact_add_number (fact, "ns", cost->ns);
      gilk_fact_add_number (fact, "low_ns", cost->low_ns);
      gilk_fact_add_number (fact, "high_ns", cost->high_ns);
      gilk_fact_add_number (fact, "min_ns", cost->min_ns);
      gilk_fact_add_number (fact, "measurements", cost->n_measurements);
    }

  return facts;
}

/* ---- facts about the effect of switched hooks ---- */

static void
add_difference (GilkFacts *facts, const GilkEffect *effect)
{
  const GilkPerturbation *found = &effect->found.found;
  g_autofree char *difference = gilk_format_signed (found->difference, effect->unit, 3);
  g_autofree char *least = gilk_format_signed (found->low, effect->unit, 3);
  g_autofree char *most = gilk_format_signed (found->high, effect->unit, 3);
  g_autofree char *tip = g_strdup_printf (_("%s, 95 %% confidence interval %s to %s. t = %.3g, p = %.2g: the "
                                            "probability of such a difference by chance."), difference, least, most,
                                          found->t, found->p);
  double low, value, high;
  const char *unit = gilk_effect_difference (effect, &low, &value, &high);
  g_autofree char *from = gilk_format_signed (low, unit, 3);
  g_autofree char *to = gilk_format_signed (high, unit, 3);
  GilkFact *fact = gilk_facts_add (facts, _("Difference"), gilk_format_signed (value, unit, 3), tip);

  gilk_fact_add_number (fact, "difference", found->difference);
  gilk_fact_add_number (fact, "low", found->low);
  gilk_fact_add_number (fact, "high", found->high);
  gilk_fact_add_number (fact, "t", found->t);
  gilk_fact_add_number (fact, "p", found->p);
  fact = gilk_facts_add (facts, _("95 % interval"), g_strdup_printf (_("%s to %s"), from, to),
                         _("Confidence interval of the difference: paired t test; for ratios, "
                           "Fieller's method"));
  gilk_fact_add_number (fact, "relative", found->relative);
  gilk_fact_add_number (fact, "relative_low", found->relative_low);
  gilk_fact_add_number (fact, "relative_high", found->relative_high);
}

static void
add_pairs (GilkFacts *facts, const GilkHookPerturbation *it)
{
  g_autofree char *period = gilk_format_si (it->period, "s", 3);
  GilkFact *fact = gilk_facts_add (facts, _("Pairs"), g_strdup_printf (_("%u, intervals of %s"), it->found.pairs, period),
                                   _("Pairs of intervals with the hooks on and off, in random order. Pairs are assumed to "
                                     "be independent."));

  gilk_fact_add_number (fact, "intervals", it->intervals);
  gilk_fact_add_number (fact, "period", it->period);
  gilk_fact_add_number (fact, "pairs", it->found.pairs);
  gilk_fact_add_number (fact, "left_out", it->left_out);
  if (it->left_out > 0)
    gilk_facts_add (facts, _("Left out"), g_strdup_printf (g_dngettext (NULL, "%u pair", "%u pairs", it->left_out), it->left_out),
                    _("In each of these pairs, an interval was cut off, lost samples, has no value, or started "
                      "before the last hook's jump was in the kernel's text"));
}

GilkFacts *
gilk_facts_of_effect (const GilkEffect *effect)
{
  const GilkPerturbation *found = &effect->found.found;
  const char *what = effect->field != NULL ? gilk_field_name (effect->field) : effect->by_workload ? _("workload") : _("hits");
  g_autofree char *by = effect->by_workload
    ? g_strdup_printf (_("Measured by the workload while the hooks were switched on and off: %s"), effect->measured_by)
    : g_strdup_printf (_("Measured by hook %s, which stayed armed while the others were switched on and off"),
                       effect->measured_by);
  GilkFacts *facts = gilk_facts_new (_("Effect of the hooks"), NULL);

  gilk_facts_add (facts, _("Compared"), g_strdup (what), _("Quantity compared between hooks on and hooks off"));
  gilk_facts_add (facts, _("Measured by"), g_strdup (effect->measured_by), by);
  gilk_fact_add_number (gilk_facts_add (facts, _("Hooks on"), gilk_format_si (found->on, effect->unit, 4), NULL), "on", found->on);
  gilk_fact_add_number (gilk_facts_add (facts, _("Hooks off"), gilk_format_si (found->off, effect->unit, 4), NULL), "off",
                        found->off);
  add_difference (facts, effect);
  add_pairs (facts, &effect->found);

  return facts;
}

char *
gilk_effect_caveat (const GilkEffect *effect)
{
  if (effect->traps == 0)
    return NULL;

  return g_strdup_printf (g_dngettext (NULL,
                                       "%u of the hooks is a trap, which stays in place while it is off: the "
                                       "difference does not include the cost of the trap itself.",
                                       "%u of the hooks are traps, which stay in place while they are off: the "
                                       "difference does not include the cost of the traps themselves.", effect->traps), effect->traps);
}
