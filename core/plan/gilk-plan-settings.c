/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-settings.c - settings of a plan that hold for the whole run: rings, and intervals of
 * A/B runs
 */
#include "core/plan/gilk-plan-private.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/emit/gilk-inline.h"

#define RING_MAX ((uint64_t) 64 << 20)  /* maximum size of a ring in bytes; a target machine with
                                         * little memory may allow less */

static const char *const modes[] = { "drop", "stop", "overwrite", "fifo" };

G_STATIC_ASSERT (ILK_RING_DROP == 0 && ILK_RING_STOP == 1 && ILK_RING_OVERWRITE == 2 &&
                 GILK_RING_FIFO == 3);

gboolean
gilk_parse_ring_bytes (const char *text,
                       uint64_t   *bytes,
                       GError    **error)
{
  guint64 value = 0;
  char *end = NULL;

  errno = 0;
  if (g_ascii_isdigit (*text))
    value = g_ascii_strtoull (text, &end, 10);
  if (end != NULL && errno != ERANGE && value <= RING_MAX)
    {
      if (strcmp (end, "K") == 0 || strcmp (end, "KiB") == 0)
        value <<= 10;
      else if (strcmp (end, "M") == 0 || strcmp (end, "MiB") == 0)
        value <<= 20;
      else if (*end != '\0')
        value = 0;
    }
  if (end == NULL || errno == ERANGE || value < ILK_RING_BYTES_MIN || value > RING_MAX ||
      (value & (value - 1)) != 0)
    return gilk_fail (error, GILK_ERROR_USAGE,
        _("\"%s\" is not a ring size. Write a power of two from %uK to %uM, such as 8M."),
        text, ILK_RING_BYTES_MIN >> 10, (guint) (RING_MAX >> 20));
  *bytes = value;

  return TRUE;
}

char *
gilk_format_ring_bytes (uint64_t bytes)
{
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT "M", (guint64) (bytes >> 20));

  return g_strdup_printf ("%" G_GUINT64_FORMAT "K", (guint64) (bytes >> 10));
}

gboolean
gilk_parse_ring_mode (const char *text,
                      guint      *mode,
                      GError    **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (strcmp (text, modes[i]) == 0)
      {
        *mode = i;
        return TRUE;
      }
  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("\"%s\" is not a ring mode. Write drop, stop, overwrite or fifo."), text);
}

const char *
gilk_ring_mode_name (guint mode)
{
  return mode < G_N_ELEMENTS (modes) ? modes[mode] : "unknown";
}

gboolean
gilk_plan_check_ring (const GilkPlan *plan,
                      GError        **error)
{
  if (plan->ring.window_ns != 0 && plan->ring.mode != ILK_RING_OVERWRITE)
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("Only an overwriting ring has a window. Add ring-mode=overwrite, or remove ring-window=."));
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);

      if (!hook->triggers)
        continue;
      if (plan->ring.mode != ILK_RING_OVERWRITE)
        g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                     _("Hook %s has a trigger, but the ring does not overwrite old samples. Add ring-mode=overwrite, "
                       "or remove trigger=."), hook->label);
      else if (!gilk_inline_is (hook->instrument, GILK_INLINE_COUNT))
        g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                     _("Hook %s has a trigger, but not the instrument count. Only count reports "
                       "a hit immediately. Add a hook with instrument=count at the same point, "
                       "and move trigger= to that hook."),
                     hook->label);
      else
        continue;
      return FALSE;
    }

  return TRUE;
}

/*
 * Converts and checks the settings of A/B runs, in which hooks are switched off and on at random.
 *
 * Intervals come in pairs: one with the hooks on and one with the hooks off, in an order that is
 * drawn at random for each pair. So both kinds are equally frequent throughout the run, and a slow
 * drift of the measured value affects both alike.
 */

gboolean
gilk_parse_interleave (const char *text,
               GilkPlanInterleave *interleave,
               GError    **error)
{
  const char *comma = strchr (text, ',');
  g_autofree char *period = comma != NULL ? g_strndup (text, (gsize) (comma - text)) : g_strdup (text);
  GilkPlanInterleave read = { .seed = 1 };
  guint64 seed = 1;

  if (!gilk_parse_duration (period, &read.period_ns, error))
    return FALSE;
  if (comma != NULL && !gilk_parse_unsigned (comma + 1, 10, 0, G_MAXUINT64, &seed))
    return gilk_fail (error, GILK_ERROR_USAGE,
        _("\"%s\" is not a seed. Write a period and an integer, such as \"100ms,42\"."),
        comma + 1);
  read.seed = seed;
  if (read.period_ns < ILK_INTERVAL_MIN_NS || read.period_ns > 3600 * G_GUINT64_CONSTANT (1000000000))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Intervals of %s are out of range. Choose 1ms to 1h."), period);
  *interleave = read;

  return TRUE;
}

char *
gilk_format_interleave (const GilkPlanInterleave *interleave)
{
  g_autofree char *period = gilk_format_duration (interleave->period_ns);

  return g_strdup_printf ("%s,%" G_GUINT64_FORMAT, period, (guint64) interleave->seed);
}

gboolean
gilk_plan_is_switched (const GilkPlan     *plan,
                       const GilkPlanHook *hook)
{
  return plan->interleave.period_ns != 0 && !hook->control;
}

gboolean
gilk_plan_check_interleave (const GilkPlan *plan,
                    GError        **error)
{
  guint switched = 0;

  if (plan->interleave.period_ns == 0)
    return TRUE;
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);

      if (!gilk_plan_is_switched (plan, hook))
        continue;
      switched++;
      if (hook->start_ns == 0 && hook->stop_ns == 0 && !hook->triggers)
        continue;
      return gilk_fail (error, GILK_ERROR_FORMAT,
          _("Hook %s is switched off and on in intervals, so it cannot have a start, stop or trigger of its "
            "own. Remove them, or make it a control hook (control=yes)."), hook->label);
    }
  if (switched > 0)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_FORMAT,
      _("All hooks are control hooks, so none is left to switch off and on in intervals. Remove control=yes "
        "from the hooks to switch, or remove interleave=."));
}

/* Returns the next random number, by SplitMix64 (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", 2014). */
static uint64_t
next_random (uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;

  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;

  return z ^ z >> 31;
}

uint8_t *
gilk_interleave_intervals (const GilkPlanInterleave *interleave,
                   guint             count)
{
  uint8_t *on = g_new (uint8_t, count + 1);
  uint64_t state = interleave->seed;

  for (guint i = 0; i < count; i += 2)
    {
      on[i] = next_random (&state) >> 63;
      on[i + 1] = !on[i];
    }

  return on;
}
