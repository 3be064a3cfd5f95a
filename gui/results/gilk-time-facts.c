/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-time-facts.c - accuracy of a run's times, as rows of name and value
 *
 * Rows fit a narrow panel; the tooltip has the details.
 */
#include "gui/results/gilk-time-facts.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-cost.h"
#include "core/analysis/gilk-hook-field.h"
#include "core/plot/gilk-plot.h"

static void
fact_free (gpointer data)
{
  GilkFact *fact = data;

  g_free (fact->name);
  g_free (fact->value);
  g_free (fact->tip);
  g_free (fact);
}

static GPtrArray *
facts_new (void)
{
  return g_ptr_array_new_with_free_func (fact_free);
}

/* Adds a row. @name, @value and @tip are (transfer full). */
static void
add_fact (GPtrArray *facts, char *name, char *value, char *tip)
{
  GilkFact *fact = g_new (GilkFact, 1);

  *fact = (GilkFact) { name, value, tip };
  g_ptr_array_add (facts, fact);
}

static char *
format_ns (double ns)
{
  return gilk_format_si (ns / 1e9, "s", 3);
}

/* Prefixes positive values with a plus sign. */
static char *
format_signed (double value, const char *unit, int digits)
{
  g_autofree char *text = gilk_format_si (value, unit, digits);

  return g_strconcat (value > 0 ? "+" : "", text, NULL);
}

/* Parts per billion if the error is small enough, otherwise per million. */
typedef struct { double times; const char *unit; } ErrorUnit;

static ErrorUnit
choose_error_unit (double error)
{
  return error < 1e-7 ? (ErrorUnit) { 1e9, "ppb" } : (ErrorUnit) { 1e6, "ppm" };
}

/* ---- clock ---- */

static void
add_rate (GPtrArray *facts, const GilkStoredClock *clock)
{
  g_autofree char *hz = gilk_format_si ((double) clock->hz, "Hz", 9);
  const ErrorUnit parts = choose_error_unit (clock->rate_error);
  g_autofree char *off = gilk_format_si (parts.times * clock->rate_error, NULL, 3);
  double tick = 1e9 / (double) clock->hz;

  add_fact (facts, g_strdup (_("TSC")), gilk_format_si ((double) clock->hz, "Hz", 5),
            g_strdup_printf (clock->measured ? _("%s: %.9f ns per tick, measured before the run")
                                         : _("%s: %.9f ns per tick, from the kernel"), hz, tick));
  if (clock->measured)
    add_fact (facts, g_strdup (_("Frequency error")), g_strdup_printf ("≤ %s %s", off, parts.unit),
              g_strdup (_("Maximum error of the TSC frequency, as measured before the run")));
  if (clock->has_zero)
    {
      g_autofree char *error = format_ns (clock->zero_error_ns);

      add_fact (facts, g_strdup (_("Time zero")), g_strdup_printf ("± %s", error),
                g_strdup (_("Uncertainty of the run's start on the target's CLOCK_MONOTONIC")));
    }
}

static void
add_drift (GPtrArray *facts, const GilkStoredClock *clock)
{
  const ErrorUnit parts = choose_error_unit (clock->run_error);
  g_autofree char *gain = format_signed (parts.times * clock->drift, NULL, 2);
  g_autofree char *bound = gilk_format_si (parts.times * clock->run_error, NULL, 2);
  g_autofree char *error = NULL;

  if (!clock->has_end)
    {
      add_fact (facts, g_strdup (_("Drift")), g_strdup (_("not measured")),
                g_strdup (_("Clock drift was not measured, for example because the run was cut off")));
      return;
    }
  error = format_ns (clock->end_error_ns);
  add_fact (facts, g_strdup (_("Drift")), g_strdup_printf ("%s ± %s %s", gain, bound, parts.unit),
            g_strdup (_("Drift of sample times against the target's CLOCK_MONOTONIC over the run")));
  add_fact (facts, g_strdup (_("Error at end")), g_strdup_printf ("± %s", error),
            g_strdup (_("Maximum error of a time at the end of the run")));
}

static void
add_order (GPtrArray *facts, const GilkStoredClock *clock)
{
  g_autofree char *order = format_ns (clock->order_ns);

  if (clock->cpus->len > 1)
    add_fact (facts, g_strdup (_("CPUs in order")), g_strdup_printf (_("beyond %s"), order),
              g_strdup (clock->order_at_end
                        ? _("Samples of different CPUs are in order if they are further apart than this")
                        : _("At the start of the run, samples of different CPUs were in order if they were further apart "
                            "than this")));
  else if (clock->cpus->len == 0 && clock->n_cpus > 1)
    add_fact (facts, g_strdup (_("CPUs in order")), g_strdup (_("unknown")),
              g_strdup (_("The CPUs' TSCs were not compared: the order of samples of different CPUs is unknown")));
}

GPtrArray *
gilk_time_facts_clock (const GilkStoredClock *clock)
{
  GPtrArray *facts = facts_new ();

  add_rate (facts, clock);
  if (!clock->has_zero && clock->cpus->len == 0)
    {
      add_fact (facts, g_strdup (_("Errors")), g_strdup (_("not measured")),
                g_strdup (_("Recorded by a version of Gilk that did not measure clock errors")));
      return facts;
    }
  add_drift (facts, clock);
  add_order (facts, clock);

  return facts;
}

/* Writes the unit once if it fits both numbers. */
static void
add_cpu (GPtrArray *facts, const GilkStoredCpuClock *cpu)
{
  gboolean is_reference = cpu->ahead_ns == 0 && cpu->error_ns == 0;
  g_autofree char *ahead = format_signed (cpu->ahead_ns / 1e9, "s", 3);
  g_autofree char *error = format_ns (cpu->error_ns);
  g_autofree char *left = format_ns (cpu->left_ns);
  g_autofree char *both = fabs (cpu->ahead_ns) < 9999.5 ? g_strdup_printf ("%+.0f ± %.0f ns", cpu->ahead_ns, cpu->error_ns)
                                                        : g_strdup_printf ("%s ± %s", ahead, error);

  if (is_reference)
    add_fact (facts, g_strdup_printf (_("CPU %u"), cpu->cpu), g_strdup (_("reference")),
              g_strdup (_("The TSCs of the other CPUs are compared with this one")));
  else
    add_fact (facts, g_strdup_printf (cpu->subtracted_offset ? _("CPU %u, corrected") : _("CPU %u"), cpu->cpu), g_strdup (both),
              g_strdup_printf (cpu->subtracted_offset
                               ? _("Its TSC was ahead of the reference by %s, ± %s; its times were corrected, to within %s")
                               : _("Its TSC was ahead of the reference by %s, ± %s; its times are off by at most %s"),
                               ahead, error, left));
}

GPtrArray *
gilk_time_facts_cpus (const GilkStoredClock *clock)
{
  GPtrArray *facts = facts_new ();

  for (guint i = 0; i < clock->cpus->len; i++)
    add_cpu (facts, &g_array_index (clock->cpus, GilkStoredCpuClock, i));
  if (clock->cpus->len > 0 && clock->cpus->len < clock->n_cpus)
    add_fact (facts, g_strdup (_("Not compared")),
              g_strdup_printf (g_dngettext (NULL, "%u CPU", "%u CPUs", clock->n_cpus - clock->cpus->len),
                               clock->n_cpus - clock->cpus->len),
              g_strdup (_("Offline or not responding: the offsets of their TSCs are unknown")));

  return facts;
}

/* ---- costs ---- */

/* Writes the unit once if it fits all three numbers. */
char *
gilk_time_facts_cost (const GilkStoredCost *cost)
{
  g_autofree char *ns = format_ns (cost->ns);
  g_autofree char *low = format_ns (cost->low_ns);
  g_autofree char *high = format_ns (cost->high_ns);

  /* A cost lost in measurement noise is not negative. */
  if (cost->high_ns <= 0)
    return g_strdup (_("too small to measure"));
  if (cost->low_ns <= 0)
    return g_strdup_printf (_("at most %s"), high);
  if (cost->low_ns >= 1 && cost->high_ns < 999)
    return g_strdup_printf (_("%.3g ns (%.3g to %.3g)"), cost->ns, cost->low_ns, cost->high_ns);

  return g_strdup_printf (_("%s (%s to %s)"), ns, low, high);
}

char *
gilk_time_facts_cost_tip (const GilkStoredCost *cost)
{
  g_autofree char *ns = format_ns (cost->ns);
  g_autofree char *low = format_ns (cost->low_ns);
  g_autofree char *high = format_ns (cost->high_ns);
  g_autofree char *least = format_ns (cost->min_ns);
  g_autofree char *words = gilk_time_facts_cost (cost), *basis = gilk_hook_cost_basis (cost->n_measurements);

  if (cost->low_ns <= 0 || cost->min_ns <= 0)
    return g_strdup_printf (g_dngettext (NULL, "Cost per hit of %s by %s, %u instruction: %s, 95 %% confidence, %s",
                                         "Cost per hit of %s by %s, %u instructions: %s, 95 %% confidence, %s",
                                         cost->instructions), cost->instrument, cost->tactic, cost->instructions, words, basis);

  return g_strdup_printf (g_dngettext (NULL,
                                       "Cost per hit of %s by %s, %u instruction: median %s, 95 %% confidence interval "
                                       "%s to %s, minimum %s, %s",
                                       "Cost per hit of %s by %s, %u instructions: median %s, 95 %% confidence "
                                       "interval %s to %s, minimum %s, %s", cost->instructions),
                          cost->instrument, cost->tactic, cost->instructions, ns, low, high, least, basis);
}

/* Returns whether another cost has the same instrument and tactic. */
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

GPtrArray *
gilk_time_facts_costs (const GArray *costs)
{
  GPtrArray *facts = facts_new ();

  for (guint i = 0; i < costs->len; i++)
    {
      const GilkStoredCost *cost = &g_array_index (costs, GilkStoredCost, i);

      add_fact (facts, is_ambiguous (costs, i)
                   ? g_strdup_printf (_("%s, %s, +%u"), cost->instrument, cost->tactic, cost->instructions)
                   : g_strdup_printf (_("%s, %s"), cost->instrument, cost->tactic),
                gilk_time_facts_cost (cost), gilk_time_facts_cost_tip (cost));
    }

  return facts;
}

/* ---- effect of switching ---- */

const char *
gilk_time_facts_plot_difference (const GilkSessionEffect *effect,
                                 double                  *low,
                                 double                  *value,
                                 double                  *high)
{
  const GilkPerturbation *found = &effect->found.found;
  gboolean relative = !isnan (found->relative);

  *low = relative ? 100 * found->relative_low : found->low;
  *value = relative ? 100 * found->relative : found->difference;
  *high = relative ? 100 * found->relative_high : found->high;

  return relative ? "%" : effect->unit;
}

static void
add_difference (GPtrArray *facts, const GilkSessionEffect *effect)
{
  const GilkPerturbation *found = &effect->found.found;
  g_autofree char *difference = format_signed (found->difference, effect->unit, 3);
  g_autofree char *least = format_signed (found->low, effect->unit, 3);
  g_autofree char *most = format_signed (found->high, effect->unit, 3);
  g_autofree char *tip = g_strdup_printf (_("%s, 95 %% confidence interval %s to %s. t = %.3g, p = %.2g: the "
                                            "probability of such a difference by chance."), difference, least, most, found->t, found->p);
  double low, value, high;
  const char *unit = gilk_time_facts_plot_difference (effect, &low, &value, &high);
  g_autofree char *from = format_signed (low, unit, 3);
  g_autofree char *to = format_signed (high, unit, 3);

  add_fact (facts, g_strdup (_("Difference")), format_signed (value, unit, 3), g_strdup (tip));
  add_fact (facts, g_strdup (_("95 % interval")), g_strdup_printf (_("%s to %s"), from, to), g_steal_pointer (&tip));
}

GPtrArray *
gilk_time_facts_effect (const GilkSessionEffect *effect)
{
  const GilkHookPerturbation *it = &effect->found;
  const char *what = effect->field == NULL ? _("hits") : gilk_field_name (effect->field);
  g_autofree char *period = gilk_format_si (it->period, "s", 3);
  GPtrArray *facts = facts_new ();

  add_fact (facts, g_strdup (_("Compared")), g_strdup (what), g_strdup (_("Quantity compared between hooks on and hooks off")));
  add_fact (facts, g_strdup (_("Measured by")), g_strdup (effect->control),
            g_strdup_printf (_("Measured by hook %s, which stayed armed while the others were switched on and off"),
                             effect->control));
  add_fact (facts, g_strdup (_("Hooks on")), gilk_format_si (it->found.on, effect->unit, 4), NULL);
  add_fact (facts, g_strdup (_("Hooks off")), gilk_format_si (it->found.off, effect->unit, 4), NULL);
  add_difference (facts, effect);
  add_fact (facts, g_strdup (_("Pairs")), g_strdup_printf (_("%u, intervals of %s"), it->found.pairs, period),
            g_strdup (_("Pairs of intervals with the hooks on and off, in random order. Confidence interval: paired t "
                        "test, for ratios Fieller's. Pairs are assumed to be independent.")));
  if (it->left_out > 0)
    add_fact (facts, g_strdup (_("Left out")),
              g_strdup_printf (g_dngettext (NULL, "%u pair", "%u pairs", it->left_out), it->left_out),
              g_strdup (_("Pairs cut off, without a value, with lost samples, or from before the last jump was in the text")));

  return facts;
}

char *
gilk_time_facts_traps (const GilkSessionEffect *effect)
{
  if (effect->traps == 0)
    return NULL;

  return g_strdup_printf (g_dngettext (NULL,
                                       "%u of the hooks is a trap, which stays in place while it is off: the "
                                       "difference does not include the cost of the trap itself.",
                                       "%u of the hooks are traps, which stay in place while they are off: the "
                                       "difference does not include the cost of the traps themselves.", effect->traps), effect->traps);
}
