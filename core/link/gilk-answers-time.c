/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-answers-time.c - validation of the agent's answers about clocks, costs and A/B intervals
 */
#include "core/link/gilk-answers.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#define TICKS_MAX ((uint64_t) 1 << 62)

static gboolean
is_possible (const struct ilk_cpu_clock *cpu, gboolean is_reference)
{
  return cpu->error <= TICKS_MAX && cpu->offset <= (int64_t) TICKS_MAX &&
         cpu->offset >= -(int64_t) TICKS_MAX &&
         (!is_reference || (cpu->offset == 0 && cpu->rounds != 0));
}

gboolean
gilk_answer_clocks (const GByteArray   *answer,
                    const GilkLimits   *limits,
                    struct gilk_clocks *head,
                    GArray            **cpus,
                    GError            **error)
{
  const gsize size = sizeof (struct ilk_cpu_clock);
  struct gilk_clocks clocks = { .count = 0 };
  g_autoptr(GArray) all = NULL;

  if (answer->len >= sizeof clocks)
    memcpy (&clocks, answer->data, sizeof clocks);
  if (answer->len != sizeof clocks + clocks.count * size ||
      clocks.count != (cpus != NULL ? limits->n_cpus : 0))
    return gilk_answer_invalid (error, _("%u bytes of clocks for %u processors"), answer->len, clocks.count);
  if (!gilk_answer_timestamp (&clocks.pair, limits, error))
    return FALSE;
  if (cpus != NULL && clocks.reference >= clocks.count)
    return gilk_answer_invalid (error, _("clocks relative to processor %u"), clocks.reference);
  all = g_array_new (FALSE, FALSE, size);
  if (clocks.count > 0)
    g_array_append_vals (all, answer->data + sizeof clocks, clocks.count);
  for (guint i = 0; i < all->len; i++)
    if (!is_possible (&g_array_index (all, struct ilk_cpu_clock, i), i == clocks.reference))
      return gilk_answer_invalid (error, _("the clock of processor %u"), i);

  *head = clocks;
  if (cpus != NULL)
    *cpus = g_steal_pointer (&all);

  return TRUE;
}

GArray *
gilk_answer_measured (const GByteArray *answer,
                      guint             count,
                      GError          **error)
{
  const gsize size = sizeof (struct ilk_measure_result);
  GArray *measured;

  if (answer->len != count * size)
    {
      gilk_answer_invalid (error, _("%u bytes for %u costs"), answer->len, count);
      return NULL;
    }
  measured = g_array_sized_new (FALSE, FALSE, size, count);
  if (count > 0)
    g_array_append_vals (measured, answer->data, count);

  return measured;
}

gboolean
gilk_answer_calls (const GByteArray        *answer,
                   const struct gilk_calls *wish,
                   struct gilk_calls_made  *made,
                   GError                 **error)
{
  struct gilk_calls_made answered;

  if (!gilk_answer_struct (answer, &answered, sizeof answered, error))
    return FALSE;
  if (answered.calls > wish->calls || answered.wrong > answered.calls || answered.threads == 0 ||
      answered.threads > GILK_WIRE_THREADS_MAX || (wish->threads > 0 && answered.threads > wish->threads))
    return gilk_answer_invalid (error, _("%" PRIu64 " calls of %" PRIu64 ", %u threads of %u"),
                                (uint64_t) answered.calls, (uint64_t) wish->calls, answered.threads, wish->threads);
  *made = answered;

  return TRUE;
}

GArray *
gilk_answer_intervals (const GByteArray *answer,
                       GError          **error)
{
  GArray *moments;

  if (answer->len % sizeof (uint64_t) != 0 || answer->len / sizeof (uint64_t) > ILK_INTERVALS_MAX + 1)
    {
      gilk_answer_invalid (error, _("%u bytes of switch times"), answer->len);
      return NULL;
    }
  moments = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  if (answer->len > 0)
    g_array_append_vals (moments, answer->data, answer->len / sizeof (uint64_t));
  for (guint i = 0; i < moments->len; i++)
    if (g_array_index (moments, uint64_t, i) > G_MAXINT64 ||
        (i > 0 && g_array_index (moments, uint64_t, i) < g_array_index (moments, uint64_t, i - 1)))
      {
        gilk_answer_invalid (error, _("interval %u starting at %" PRIu64 " ns"), i,
                             (guint64) g_array_index (moments, uint64_t, i));
        g_array_unref (moments);
        return NULL;
      }

  return moments;
}
